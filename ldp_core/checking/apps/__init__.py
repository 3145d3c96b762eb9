"""Apps of a federation that somebody else wrote, each in a process of its own; only the command line imports them."""
