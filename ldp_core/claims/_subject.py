"""What is examined, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ldp_core import _validate
from ldp_core.types import EPSILON_RANGE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAIRS = ("dummy-flip", "random-directions", "coordinates", "near-equal", "zero-and-full")
"""Pairs of inputs that every privacy test tries; ``checks.pairs`` makes them."""
RULES = ("cosine", "selective", "learned")
"""How a report is told apart, on each pair."""
CLIP_ORDERS = ("l2", "linf")


class Subject(Protocol):
    """A mechanism that we did not write, whatever way it is reached."""

    @property
    def seeded(self) -> bool:
        """Whether its randomness comes from the check's seed, so that a check can be repeated exactly."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether reports come in the order in which they are asked for (not so for a file of responses)."""
        ...

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return independent reports of one gradient of shape (d,), a row each: shape (num_reports, m).

        Raises:
            MechanismContractError: if what came is no array of so many numeric rows of one length.
            LdpCoreError: if the mechanism cannot be reached any more.
        """
        ...

    def restarted(self) -> Subject | None:
        """Return the same mechanism started anew, as after a restart of the device; None where that is impossible."""
        ...

    def close(self) -> None:
        """End it; nothing is asked afterwards."""
        ...


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """Everything that is asked about a mechanism, and nothing private.

    Args:
        subject: what is examined, in words that may be published.
        epsilon: claimed privacy parameter, in nats, from 0.01 to 30.
        seed: of the inputs, their order, and of a mechanism that takes its randomness from us.
        delta: claimed failure probability, from 0 to 0.5.
        dimension: length d of the inputs, from 2 to 1,000,000.
        clip_norm: bound L on an input, from 1e-6 to 1e6.
        clip_order: whether L bounds the L2 norm (``l2``) or every coordinate (``linf``).
        reports: the most reports that are asked for, from 10,000 to 100 million.
        significance: chance that an honest mechanism is rejected or fails a clause, all looks and clauses together.
        scale: number that makes a report an unbiased estimate of the clipped input, where the mechanism states it.
        report_norm: the largest L2 norm of a report, where the mechanism states it.
    """

    subject: str
    epsilon: float
    seed: int
    delta: float = 0.0
    dimension: int = 64
    clip_norm: float = 1.0
    clip_order: str = "l2"
    reports: int = 100_000
    significance: float = 0.05
    scale: float | None = None
    report_norm: float | None = None

    def __post_init__(self) -> None:
        _validate.text("subject", self.subject, 200)
        _validate.integer("seed", self.seed, 0, 2**63 - 1)
        _validate.integer("dimension", self.dimension, 2, 10**6)
        _validate.integer("reports", self.reports, 10_000, 10**8)
        _validate.choice("clip_order", self.clip_order, CLIP_ORDERS)
        ranges = {
            "epsilon": EPSILON_RANGE,
            "delta": (0.0, 0.5),
            "clip_norm": (1e-6, 1e6),
            "significance": (1e-9, 0.5),
            "scale": (1e-12, 1e12),
            "report_norm": (1e-12, 1e12),
        }
        for name, limits in ranges.items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _validate.number(name, value, *limits))
