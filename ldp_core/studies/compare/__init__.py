"""Attacks by epsilons by rules by data sets."""
