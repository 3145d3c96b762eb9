"""Random streams and the coins drawn from them."""
