"""The guessing game: trials, their counts, and sweeps of many."""
