"""The promise, explained without any run: the first page's drawings."""
