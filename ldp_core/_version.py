"""The version of this package, which ``--version``, every result and the packaging read here."""

VERSION = "1.0.0"
