"""Whom must you trust: what a run is asked for; nothing here loads torch."""

from dataclasses import dataclass, field
from typing import ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.statistics.amplification import CLIENTS_RANGE, DELTA_RANGE
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE, SAMPLINGS, SIGNIFICANCE, TRAININGS

RULES = ("best", "cosine")
"""How the attacker guesses: by the likelihood of what is seen, or as the papers do, by the cosine of the sum."""
CAPPED = "priv-unit"
MOST_BUILT = 2_000
"""Clients of a round whose reports are all built."""


@dataclass(frozen=True, slots=True)
class TrustConfig:
    """Everything that determines the counts of a run, and nothing private.

    Args:
        view, others, rule: of ``VIEWS``, ``OTHERS`` and ``RULES``.
        sampling: ``projected`` draws what the attacker looks at from its exact law; ``full`` builds every report.
        significance: chance that the stated bound fails, and that an interval misses.
        sybils: the attacker knows what these sent and takes it off, so that only the honest others hide anybody: it
            sees what it would see of ``honest`` clients.
    """

    COMMAND: ClassVar[str] = "trust"
    attack: str
    epsilon: float = field(metadata=within(*EPSILON_RANGE))
    seed: int = field(metadata=within(0, 2**63 - 1))
    view: str = "shuffled"
    others: str = "uniform"
    clients: int = field(default=100, metadata=within(*CLIENTS_RANGE))
    games: int = field(default=100_000, metadata=within(1, 10**9))
    delta: float = field(default=1e-5, metadata=within(*DELTA_RANGE))
    rule: str = "best"
    sampling: str = "projected"
    mechanism: str = "ldp-sgd"
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    dataset: str = "digits"
    training: str = "light"
    strength: float = field(default=1.0, metadata=within(1e-6, 1e3))
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))
    sybils: int = field(default=0, metadata=within(0, CLIENTS_RANGE[1] - 1))

    def __post_init__(self) -> None:
        for name in ("attack", "mechanism", "dataset"):
            _validate.name(name, getattr(self, name))
        _validate.check_limits(self)
        chosen = {"view": VIEWS, "others": OTHERS, "rule": RULES, "sampling": SAMPLINGS, "training": TRAININGS}
        for name, options in chosen.items():
            _validate.choice(name, getattr(self, name), options)
        _validate.choice("mechanism", self.mechanism, MECHANISMS)
        family, exact = ", ".join(LDP_SGD_FAMILY), self.mechanism in LDP_SGD_FAMILY
        best, capped = self.rule == "best", self.mechanism == CAPPED
        projected = f"projected sampling needs a mechanism whose noise is LDP-SGD's ({family})"
        for refused, known, instead in (
            (self.sampling == "projected" and not exact, projected, "full"),
            (best and not exact and not capped, f"the best rule is known for {family}, {CAPPED} only", "cosine"),
            (
                best and capped and self.view == "aggregated",
                f"the best rule about a sum is known for {family} only",
                "cosine",
            ),
            (
                best and capped and self.others == "real",
                f"the best rule with real others is known for {family} only",
                "cosine",
            ),
        ):
            if refused:
                raise UnsupportedCombinationError(f"{known}, got {self.mechanism}; use {instead}", "mechanism")
        if self.sampling == "full" and self.honest > MOST_BUILT:
            raise UnsupportedCombinationError(
                f"clients must be at most {MOST_BUILT:,} in full games, got {self.honest:,}; use projected", "sampling"
            )
        if self.sybils >= self.clients:
            raise ValueError(
                f"sybils must be fewer than the {self.clients:,} clients, one of which is tested, got {self.sybils:,}"
            )

    @property
    def honest(self) -> int:
        """Honest clients, the tested one included."""
        return self.clients - self.sybils

    @property
    def reports(self) -> int:
        """Reports of honest clients that the attacker sees, alone or summed."""
        return 1 if self.view == "local" else self.honest

    @property
    def sums(self) -> bool:
        """Whether the attacker sees a sum that is not one report."""
        return self.view == "aggregated" and self.honest > 1


def sampling_of(mechanism: str) -> str:
    """Return the way of drawing that works for a mechanism: its exact law where one is known, else every report."""
    return "projected" if mechanism in LDP_SGD_FAMILY else "full"
