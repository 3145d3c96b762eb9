"""Numbers of the random streams of a reconstruction."""

PICTURES, PUBLIC, NOISE, ATTACK, LOOKALIKES = range(2**35, 2**35 + 5)
"""Streams of a reconstruction; the number of the picture stands where a test has the number of the measurement."""
