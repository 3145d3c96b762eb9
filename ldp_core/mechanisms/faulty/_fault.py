"""What a faulty mechanism says about itself."""

from typing import ClassVar, Protocol

from ldp_core.types import ClippingMechanism

CaughtBy = tuple[str, ...]
"""Names of clauses of the exam (``claims.CLAUSES``), and ``PRIVACY_TEST``."""
PRIVACY_TEST = "privacy-test"
"""The privacy test rejects the claim; on which pair of inputs, and by which rule, is found as it goes."""


class FaultyMechanism(ClippingMechanism, Protocol):
    """One that claims one thing and does another."""

    caught_by: ClassVar[CaughtBy]
    """What catches it, each by itself or one of them first."""
