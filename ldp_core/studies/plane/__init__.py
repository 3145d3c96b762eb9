"""The plane: membership and reconstruction against accuracy, for training under each protection."""
