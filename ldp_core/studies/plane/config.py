"""The plane: its points, what a run is asked for, and the command line that repeats it; nothing here loads torch."""

import itertools
from dataclasses import dataclass, field
from typing import ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.channels import CHANNELS, check_map
from ldp_core.memberships import MEMBERSHIPS
from ldp_core.studies.reading import check_list
from ldp_core.types import CLIP_RANGE

NOISES, EPSILONS = ("0.8", "0.57", "0.46", "0.2066"), ("1", "4", "8")
STRENGTHS: dict[str, tuple[str, ...]] = {
    "sgd": (),
    "clip": (),
    "dp-sgd": NOISES,
    "dp-psac": NOISES,
    "ldp-sgd": EPSILONS,
    "natural": ("50", "100", "200", "300"),
    "white": ("500", "800", "1000", "1500"),
    "personalized": ("500", "800", "1000", "1500"),
}
"""Method -> its settings in the paper: noise multipliers z, capacities C in nats; of LDP-SGD, epsilon, ours."""
POINTS = tuple(
    f"{name}:{strength}" if strength else name for name, all_ in STRENGTHS.items() for strength in all_ or ("",)
)
PLAIN = "sgd"
LIKELIHOOD = "likelihood-ratio"


@dataclass(frozen=True, slots=True)
class PlaneConfig:
    """Everything that determines the plane.

    Args:
        points: methods with their settings, such as ``dp-sgd:0.8``: different, the plain ``sgd`` among them.
        repeats: trainings of each point, each with members and first weights of its own.
        importance_map: see ``channels.importance``; None for the paper's square.
    """

    COMMAND: ClassVar[str] = "plane"
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    points: tuple[str, ...] = POINTS
    members: int = field(default=300, metadata=within(20, 20_000))
    passes: int = field(default=40, metadata=within(1, 1_000))
    batch: int = field(default=128, metadata=within(1, 20_000))
    repeats: int = field(default=1, metadata=within(1, 100))
    shadows: int = field(default=8, metadata=within(0, 256))
    pictures: int = field(default=100, metadata=within(2, 10_000))
    public: int = field(default=600, metadata=within(100, 20_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    importance: float = field(default=50.0, metadata=within(1e-3, 1e6))
    timings: int = field(default=5, metadata=within(0, 100))
    importance_map: str | None = None

    def __post_init__(self) -> None:
        _validate.name("dataset", self.dataset)
        _validate.check_limits(self)
        check_map(self.importance_map)
        points = tuple(check_list("points", self.points))
        for point in points:
            strength_of(point)
        if PLAIN not in points or len(set(points)) < len(points):
            raise ValueError(f"points must be different and hold {PLAIN}, got {', '.join(map(str, points)) or 'none'}")
        object.__setattr__(self, "points", points)
        if self.shadows % 2:
            raise ValueError(f"shadows must be an even number, got {self.shadows}")

    @property
    def attacks(self) -> tuple[str, ...]:
        """Names of the attackers on membership."""
        return tuple(name for name in MEMBERSHIPS if self.shadows or name != LIKELIHOOD)

    @property
    def num_targets(self) -> int:
        """Members that attackers are asked about, and as many others; they know the rest."""
        return self.members - self.members // 2

    @property
    def planned(self) -> tuple[tuple[str, int], ...]:
        """Every point with the number of its training, in the order of the run."""
        return tuple(itertools.product(self.points, range(self.repeats)))

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods in the order of the points."""
        return tuple(dict.fromkeys(method_of(point) for point in self.points))


def method_of(point: str) -> str:
    """Return a point's method.

    >>> method_of("dp-sgd:0.8")
    'dp-sgd'
    """
    return point.partition(":")[0]


def strength_of(point: object) -> float:
    """Return a point's noise multiplier, epsilon or capacity; 0 for a method that has none.

    Raises ``ValueError`` if it is no point.
    """
    if not isinstance(point, str) or len(point) > 60:
        raise ValueError(f"points must be texts such as dp-sgd:0.8, got {str(point)[:40]!r}")
    name, colon, text = point.partition(":")
    _validate.choice("method", name, tuple(STRENGTHS))
    if bool(colon) is not bool(STRENGTHS[name]):
        raise ValueError(f"points must name {name} {'with' if STRENGTHS[name] else 'without'} a setting, got {point!r}")
    if not colon:
        return 0.0
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"points must be texts such as dp-sgd:0.8, got {point!r}") from error
    low, high = (0.01, 30.0) if name == "ldp-sgd" else (0.0, 1e6)
    return (_validate.number if low else _validate.open_number)(f"setting of {name}", value, low, high)


assert set(CHANNELS) <= set(STRENGTHS)
