"""The central promise: DP-SGD, its accountant, and what six adversaries reach."""
