"""Training functions that we did not write, each in a process of its own; only the command line imports them."""
