"""Federated learning: network, gradients, local objectives, the server."""
