"""One attack against one claim of epsilon."""
