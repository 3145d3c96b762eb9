"""The English of the documents."""

from typing import Any

from ldp_core.words import document

WORDS: dict[str, Any] = document("en")
"""Every text of a document; another language has the same names."""
