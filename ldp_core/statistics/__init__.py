"""Bounds from counts, exact laws, and what was published."""
