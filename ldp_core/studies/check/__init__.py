"""A mechanism under examination: what it answers, and what its reports leak."""
