"""Channels of the information-theoretic defence: what noise on pictures leaves, costs and leaks."""
