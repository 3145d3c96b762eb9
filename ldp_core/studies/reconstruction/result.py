"""Rebuilding pictures from reports: the configuration and the result; nothing here loads torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from ldp_core import _validate, record
from ldp_core._validate import within
from ldp_core.channels import CHANNELS, check_map
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.statistics import information, intervals
from ldp_core.studies.reading import Estimate, check_completed, check_each
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE, SIGNIFICANCE, TRAININGS

PICTURES, PUBLIC, NOISE, ATTACK, LOOKALIKES = range(2**35, 2**35 + 5)
"""Random streams of a reconstruction; the picture's number stands where a test has that of the measurement."""

PLAIN = ("none", "clip", "top-k", "gaussian")
PROTECTIONS = tuple(dict.fromkeys((*PLAIN, *CHANNELS, *MECHANISMS)))
SIMILAR = 20
"""Pictures of one label among which a rebuilt one is looked up."""
MOST_REPORTS = 10**7
MOST_KEPT = 10**6
"""Reports of one picture that an attacker may keep at once: about 1.6 GB."""
MEASURES = ("mse", "important_mse", "psnr", "ssim", "cosine", "top1", "label_right")
SHARES = ("top1", "label_right")
RANGES = {
    **dict.fromkeys(("mse", "important_mse"), (0.0, math.inf)),
    "psnr": (-math.inf, math.inf),
    **dict.fromkeys(("ssim", "cosine"), (-1.0, 1.0)),
}
"""What a measure can be at all: an interval does not reach beyond it."""


@dataclass(frozen=True, slots=True)
class ReconstructionConfig:
    """Everything that determines a reconstruction, and nothing private.

    There are 1 to 12 rising numbers of reports of one picture, under one model.

    Args:
        importance_map: see ``channels.importance``; None for the paper's square.
        noise: None for the mechanism ``gaussian``, which is as strong as epsilon and its delta need.
        significance: chance that a mechanism that keeps its claim is said to break it.
    """

    COMMAND: ClassVar[str] = "reconstruct"
    ALWAYS: ClassVar[tuple[str, ...]] = ("training", "pictures")
    attacker: str = "identify"
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    training: str = "none"
    protection: str = "ldp-sgd"
    epsilon: float = field(default=1.0, metadata=within(*EPSILON_RANGE))
    reports: tuple[int, ...] = (1, 10, 100, 1_000)
    pictures: int = field(default=100, metadata=within(1, 10_000))
    candidates: int = field(default=1_000, metadata=within(2, 20_000))
    public: int = field(default=4_000, metadata=within(100, 20_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    capacity: float = 100.0
    noise: float | None = field(default=None, metadata=within(1e-6, 1e6))
    keep: float = field(default=0.01, metadata=within(1e-6, 1.0))
    importance: float = field(default=50.0, metadata=within(1e-3, 1e6))
    batch: int = field(default=1, metadata=within(1, 64))
    local_steps: int = field(default=1, metadata=within(1, 100))
    local_rate: float = field(default=0.1, metadata=within(1e-6, 1e3))
    steps: int = field(default=300, metadata=within(1, 100_000))
    restarts: int = field(default=8, metadata=within(1, 64))
    optimizer: str = "adam"
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))
    importance_map: str | None = None

    def __post_init__(self) -> None:
        for name in ("attacker", "protection", "dataset"):
            _validate.name(name, getattr(self, name))
        _validate.choice("attacker", self.attacker, tuple(RECONSTRUCTIONS))
        _validate.choice("protection", self.protection, PROTECTIONS)
        _validate.choice("training", self.training, TRAININGS)
        _validate.choice("optimizer", self.optimizer, ("adam", "lbfgs"))
        _validate.check_limits(self)
        check_map(self.importance_map)
        object.__setattr__(self, "capacity", _validate.open_number("capacity", self.capacity, 0.0, math.inf))
        counts = check_each(self, "reports", lambda name, count: _validate.integer(name, count, 1, MOST_REPORTS))
        if not counts or sorted(set(counts)) != list(counts):
            raise ValueError(f"reports must be one or more rising numbers, got {counts}")
        _validate.integer("number of reports", len(counts), 1, 12)
        attacker = RECONSTRUCTIONS[self.attacker]
        if self.batch > 1 and not attacker.batch:
            raise ValueError(f"batch must be 1 for {self.attacker}, which rebuilds one picture, got {self.batch}")
        if attacker.sees == "reports" and self.attacker != "identify" and self.protection not in LDP_SGD_FAMILY:
            raise ValueError(
                f"protection must be one of {', '.join(LDP_SGD_FAMILY)} for {self.attacker}, which looks at single "
                f"reports, got {self.protection}"
            )
        if attacker.sees == "reports" and self.attacker != "identify" and counts[-1] > MOST_KEPT:
            raise ValueError(
                f"reports must be at most {MOST_KEPT:,} for {self.attacker}, which keeps each of them, "
                f"got {counts[-1]:,}"
            )
        if attacker.sees == "model" and self.training == "none":
            raise ValueError(
                f"training must be light or full for {self.attacker}, which asks the trained model, got none"
            )

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of reports that are told apart: an update without noise is the same each time."""
        if RECONSTRUCTIONS[self.attacker].sees == "model":
            return (0,)
        return (1,) if self.protection in ("none", "clip", "top-k") else self.reports

    @property
    def maps(self) -> bool:
        """Whether pixels count differently: by a map, or in the paper's square of a channel that takes one."""
        painted = self.protection in CHANNELS and CHANNELS[self.protection].paints
        return self.importance_map is not None or painted

    @property
    def limited(self) -> bool:
        """Whether (2c)^n / N and the information per report hold: for LDP-SGD."""
        return self.protection == "ldp-sgd"

    @property
    def private(self) -> bool:
        """Whether the protection promises epsilon alone, without a delta."""
        return self.protection in MECHANISMS and not MECHANISMS[self.protection](self.epsilon).delta


@dataclass(frozen=True, slots=True)
class Limits:
    """What nobody exceeds, whatever is computed, as a share; None where no such limit is known.

    ``doubling`` is (2c)^n / N, ``fano`` follows from the information of n reports, at most ``information_per_report``
    nats each, and ``general`` is e^(n eps) / (e^(n eps) + N - 1).
    """

    doubling: float | None
    fano: float | None
    general: float | None
    information_per_report: float | None

    @property
    def least(self) -> float | None:
        """The least limit on a share."""
        return min((limit for limit in (self.doubling, self.fano, self.general) if limit is not None), default=None)


@dataclass(frozen=True, slots=True)
class ReportsResult:
    """What an attacker reached with one number of reports.

    Args:
        reports: number n; 0 where nothing is sent.
        mse: mean squared error per pixel of the whole picture, with the border that the network never sees.
        important_mse: likewise where pixels are important, each as much as it is; None if all count alike.
        psnr: in dB, mean over pictures that were not rebuilt exactly, inside what the network sees, as all below.
        ssim: structural similarity.
        cosine: between pictures as vectors.
        top1: how often the true picture is the nearest of ``SIMILAR`` of the same label.
        label_right: how often the label was found.
        sureness: the attacker's own mean probability of what it says.
        right: pictures that ``identify`` named right, by the exact rule where there is one.
        right_by_mean: likewise by the mean of the reports.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("identified", "limits")
    reports: int
    pictures: int
    mse: Estimate | None = None
    important_mse: Estimate | None = None
    psnr: Estimate | None = None
    ssim: Estimate | None = None
    cosine: Estimate | None = None
    top1: Estimate | None = None
    label_right: Estimate | None = None
    sureness: float | None = None
    right: int | None = None
    right_by_mean: int | None = None

    def __post_init__(self) -> None:
        _validate.integer("reports", self.reports, 0, MOST_REPORTS)
        _validate.integer("pictures", self.pictures, 0, 10_000)
        for name in ("right", "right_by_mean"):
            if getattr(self, name) is not None:
                _validate.integer(name, getattr(self, name), 0, self.pictures)

    @property
    def identified(self) -> Estimate | None:
        """How often ``identify`` was right, with an exact interval."""
        return None if self.right is None else proportion(self.right, self.pictures)

    def derived(self) -> dict[str, Any]:
        """Return what follows from the counts; the result, which knows the claim, adds the limits."""
        return {"identified": self.identified, "limits": None}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; a measure without a value is an object of nulls."""
        values = record.fields_of(self)
        for name in MEASURES:
            values[name] = values[name] or dict.fromkeys(("point", "lower", "upper"))
        values["top1"]["chance"] = 1.0 / SIMILAR
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ReportsResult:
        """Read plain values back; raise ``ValueError`` if they are none of these."""
        kept = {name: values[name] for name in MEASURES if values[name]["point"] is not None}
        shown = {
            name: {end: value for end, value in interval.items() if end != "chance"} for name, interval in kept.items()
        }
        entry: ReportsResult = record.of_fields(cls, dict(values) | dict.fromkeys(MEASURES) | shown, "results")
        return entry


@dataclass(frozen=True, slots=True)
class ReconstructionResult:
    """What an attacker reached, whole or cut short.

    Args:
        results: one entry for each of ``config.counts``.
        baselines: ``mean`` and ``class_mean``: mean squared error of the mean picture of all public pictures, and of
            those of the true class, on the pictures attacked; None where no picture is rebuilt.
        dimension: length d of an update.
        blind: share of pixels that the network never sees.
    """

    SCHEMA: ClassVar[str] = "ldp-reconstruct/1"
    DERIVED: ClassVar[tuple[str, ...]] = ("limits",)
    config: ReconstructionConfig
    results: tuple[ReportsResult, ...]
    baselines: Mapping[str, float | None]
    dimension: int
    blind: float
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        counts = tuple(entry.reports for entry in self.results)
        if counts != self.config.counts:
            raise ValueError(f"results must be those of {self.config.counts} reports, got {counts}")
        if set(self.baselines) != {"mean", "class_mean"}:
            raise ValueError("baselines must be mean and class_mean")
        _validate.integer("dimension", self.dimension, 0)
        _validate.number("blind", self.blind, 0.0, 1.0)
        check_completed(self.completed, all(entry.pictures == self.planned for entry in self.results))

    @property
    def planned(self) -> int:
        """Pictures that were to be attacked; one for each class where the model alone is asked."""
        return CLASSES if RECONSTRUCTIONS[self.config.attacker].sees == "model" else self.config.pictures

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with what nobody exceeds."""
        values = record.fields_of(self)
        for entry in values["results"]:
            entry["limits"] = record.plain(self.limits_of(entry["reports"]))
        return values

    @property
    def limits(self) -> Limits:
        """What nobody exceeds with all reports."""
        return self.limits_of(self.config.counts[-1])

    def limits_of(self, reports: int) -> Limits:
        """Return what nobody exceeds with so many reports."""
        config = self.config
        capacity = information.report_information(config.epsilon) if config.limited else None
        return Limits(
            information.doubling_limit(config.epsilon, reports, config.candidates) if config.limited else None,
            None if capacity is None else information.fano_limit(reports * capacity, config.candidates),
            information.general_limit(config.epsilon, reports, config.candidates) if config.private else None,
            capacity,
        )

    @property
    def above_limit(self) -> tuple[int, ...]:
        """Numbers of reports at which ``identify`` was right significantly more often than a limit allows.

        The claim is disproved where Clopper and Pearson's lower limit lies above, at ``significance`` over all numbers
        together.
        """
        counts = []
        for entry in self.results:
            if entry.right is None or not entry.pictures:
                continue
            least = self.limits_of(entry.reports).least
            lower = 1.0 - intervals.error_upper_limit(
                entry.pictures - entry.right, entry.pictures, self.config.significance / len(self.results)
            )
            if least is not None and lower > least:
                counts.append(entry.reports)
        return tuple(counts)


CLASSES = 10


def proportion(right: int, trials: int) -> Estimate | None:
    """Return a share with Clopper and Pearson's 95 % interval; None without trials."""
    return Estimate(*intervals.share_interval(right, trials, 0.05)) if trials else None


@cache
def measured() -> dict[float, ReconstructionResult]:
    """Return results by epsilon; ``command`` of each configuration repeats it."""
    reports = record.measured_in_advance(ReconstructionResult)
    results = [record.result_of(report, ReconstructionResult) for report in reports]
    return {result.config.epsilon: result for result in results}


def nearest_measured(epsilon: float) -> tuple[float, ReconstructionResult]:
    """Return the measured epsilon that is nearest to another one, and what was measured there."""
    known = measured()
    nearest = min(known, key=lambda other: abs(other - epsilon))
    return nearest, known[nearest]
