"""The English of the documents, and counts with their words."""

from collections.abc import Mapping
from typing import Any

from ldp_core.words import document
from ldp_core.words.plurals import Plural

WORDS: dict[str, Any] = document("en")
"""Every text of a document; another language has the same names."""


def several(words: Mapping[str, Any], name: str, how_many: int) -> str:
    """Write "one pair of updates" or "3 pairs of updates"."""
    counted: Plural = words[name]
    return counted.of(how_many, f"{how_many:,}")
