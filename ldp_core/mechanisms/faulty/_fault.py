"""What a faulty mechanism says about itself."""

from typing import ClassVar, Protocol

from ldp_core.types import ClippingMechanism

CaughtBy = tuple[str | tuple[str, str], ...]
"""Names of clauses of the exam (``claims.CLAUSES``), and (pair, rule) looks of the privacy test."""
FLIPS: CaughtBy = (("dummy-flip", "cosine"), ("coordinates", "cosine"))
"""Pairs of opposite gradients at full norm: there LDP-SGD leaks all it leaks to the closer-gradient rule."""


class FaultyMechanism(ClippingMechanism, Protocol):
    """One that claims one thing and does another."""

    fault: ClassVar[str]
    """What is wrong, in one plain sentence."""
    caught_by: ClassVar[CaughtBy]
    """What catches it, each by itself or one of them first."""
