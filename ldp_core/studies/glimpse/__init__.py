"""One picture of the client's own, and the update that it gives."""
