"""Whom must you trust: what a shuffler, an aggregator or a detector adds to a device's own randomness."""
