"""What is examined, and how."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE, SIGNIFICANCE
from ldp_core.words import ClauseWords, clauses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BASES = (
    *("dummy-flip", "random-directions", "coordinates", "near-equal", "zero-and-full"),
    *("random-flip", "short-flip", "half-flip", "quarter-flip", "short-dummy", "sparse-flip", "short-coordinates"),
    *("uneven-flip", "two-lengths", "zero-and-short"),
)
LADDER = {
    "high-rungs": (0.87, 0.62),
    "middle-rungs": (0.42, 0.35),
    "low-rungs": (0.3, 0.18),
    "lowest-rungs": (0.12, 0.06),
}
"""Lengths of the inputs of pairs, in units of L.

With those of the others, neighbours differ by a quarter at most down to L / 4, and by a half below, but the two least.
"""
FIXED_PAIRS = (*_BASES, *LADDER)
"""Pairs of inputs that every privacy test tries; ``exam.pairs`` makes them."""
FAR, FAR_LENGTH = "far-flip", 100.0
"""A pair beyond the bound, and how far in units of L: tried where inputs are clipped, but not by file."""
OWN, REFINED_NAME = "own", "refined"
"""Pairs of the client's own are named ``own-1`` and so on; those made from the best pairs so far ``refined-1``."""
MOST_OWN, MOST_REFINED = 64, 32
RULES = ("cosine", "selective", "tail", "learned")
"""How a report is told apart, on each pair."""
LEAKS = ("side", "tail", "learned")
"""Kinds of leaks for which it is known what a check catches; ``power.leak`` says what they are."""
CLIP_ORDERS = ("l2", "linf")
_CLAIM = ("epsilon", "delta", "clip_norm", "clip_order")
_SAME = 1e-6
"""Two statements of a claim may differ by single precision."""


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

    @property
    def notice(self) -> str:
        """What the files that it comes from cannot show, a name in ``NOTICES``; "" if there is nothing to say."""
        ...

    @property
    def alike(self) -> bool:
        """Whether copies of it begin with the same random numbers, which is why there is no restart."""
        ...

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return independent reports of one gradient of shape (d,), a row each: shape (num_reports, m).

        Raises ``MechanismContractError`` if what came is no array of so many numeric rows of one length and
        ``LdpCoreError`` if the mechanism cannot be reached any more.
        """
        ...

    def restarted(self) -> Subject | None:
        """Return the same mechanism started anew, as after a restart of the device; None where that is impossible."""
        ...

    def close(self) -> None:
        """End it; nothing is asked afterwards."""
        ...


class Maker(Protocol):
    """What makes a mechanism for an epsilon or a bound on its inputs."""

    @property
    def takes(self) -> tuple[str, ...]:
        """Which of epsilon and clip_norm it takes."""
        ...

    def remade(self, values: Mapping[str, float]) -> Subject | None:
        """Return the mechanism made with other values of these; None where that is impossible.

        Raises:
            ValueError: if it takes no such value.
            LdpCoreError: likewise.
        """
        ...


@dataclass(frozen=True, slots=True)
class PairFacts:
    """What may be published of a pair of inputs.

    Args:
        name: one of ``FIXED_PAIRS``, ``FAR``, ``own-1`` to ``own-64`` or ``refined-1`` to ``refined-32``.
        first_length: length of the first input in units of L, in the norm that L bounds; from 0 to 1, to 100 of
            ``FAR`` and of the client's own.
        second_length: likewise of the second.
        angle_degrees: between them, from 0 to 180; 180 if one is zero.
        parent: name of the pair that a refined one was made from; else empty.
        reports: reports of it that were asked for so far, both inputs together.
    """

    name: str
    first_length: float
    second_length: float
    angle_degrees: float
    parent: str = ""
    reports: int = 0

    def __post_init__(self) -> None:
        check_pair_name("name", self.name)
        if self.parent or self.name.startswith(REFINED_NAME):
            check_pair_name("parent", self.parent)
        longest = 1.001 * (FAR_LENGTH if self.name == FAR or self.name.startswith(OWN) else 1.0)
        for name, most in (("first_length", longest), ("second_length", longest), ("angle_degrees", 180.0)):
            object.__setattr__(self, name, _validate.number(name, getattr(self, name), 0.0, most))
        _validate.integer("reports", self.reports, 0)


def check_pair_name(field: str, name: str) -> None:
    """Raise ``ValueError`` unless ``name`` is that of a pair."""
    numbered = re.fullmatch(rf"({OWN}|{REFINED_NAME})-([1-9][0-9]?)", name) if isinstance(name, str) else None
    most = MOST_OWN if numbered and numbered[1] == OWN else MOST_REFINED
    if not (name in (*FIXED_PAIRS, FAR) or (numbered and int(numbered[2]) <= most)):
        raise ValueError(f"{field} must be the name of a pair of inputs, got {str(name)[:40]!r}")


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """Everything that is asked about a mechanism, and nothing private.

    Args:
        subject: what is examined, in words that may be published.
        epsilon: claimed privacy parameter, in nats, from 0.01 to 30.
        seed: of the inputs, their order, and of a mechanism that takes its randomness from us.
        delta: claimed failure probability, from 0 to 0.5.
        dimension: length d of the inputs, from 1 to 10 million.
        clip_norm: bound L on an input, from 1e-6 to 1e6.
        clip_order: whether L bounds the L2 norm (``l2``) or every coordinate (``linf``).
        reports: the most reports that are asked for, from 5,000 to 100 million.
        significance: chance that an honest mechanism is rejected or fails a clause, all looks and clauses together.
        scale: number that makes a report an unbiased estimate of the clipped input, where the mechanism states it.
        report_norm: the largest L2 norm of a report, where the mechanism states it.
        adaptive: whether inputs are chosen while reports come in; a challenge by file asks all beforehand.
        whole: whether a rejected claim is tested on, to the end of the reports, so that the leak is shown whole.
        own_pairs: number of pairs of the client's own beside the fixed ones, from 0 to 64.
        inputs_digest: SHA-256 of these pairs, in hexadecimal; their values are kept nowhere.
    """

    subject: str
    epsilon: float = field(metadata=within(*EPSILON_RANGE))
    seed: int = field(metadata=within(0, 2**63 - 1))
    delta: float = field(default=0.0, metadata=within(0.0, 0.5))
    dimension: int = field(default=64, metadata=within(1, 10**7))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    clip_order: str = "l2"
    reports: int = field(default=100_000, metadata=within(5_000, 10**8))
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))
    scale: float | None = field(default=None, metadata=within(1e-12, 1e12))
    report_norm: float | None = field(default=None, metadata=within(1e-12, 1e12))
    adaptive: bool = True
    whole: bool = False
    own_pairs: int = field(default=0, metadata=within(0, MOST_OWN))
    inputs_digest: str = ""

    def __post_init__(self) -> None:
        _validate.text("subject", self.subject, 200)
        _validate.check_limits(self)
        _validate.choice("clip_order", self.clip_order, CLIP_ORDERS)
        for name in ("adaptive", "whole"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false, got {getattr(self, name)!r}")
        if not re.fullmatch("[0-9a-f]{64}" if self.own_pairs else "", self.inputs_digest):
            raise ValueError("inputs_digest must be 64 hexadecimal digits, and empty without pairs of one's own")


DEFAULT = CheckConfig("", 1.0, 0)


def taken(
    stated: Mapping[str, float | str], given: Mapping[str, Any], *, from_mechanism: bool
) -> dict[str, float | str]:
    """Return what a mechanism states about itself and may stand for what nobody gave.

    A claim is what the client says: a mechanism that could state its own would choose what it is held to.

    ``stated``: by the names of ``CheckConfig``; ``from_mechanism``: the client leaves the rest of the claim to the
    mechanism.
    Raises ``ValueError`` if the mechanism states another claim.
    """
    for name in _CLAIM:
        claim = given.get(name, None if from_mechanism or name == "epsilon" else getattr(DEFAULT, name))
        statement = stated.get(name)
        if statement is None or claim is None:
            continue
        if statement != claim if isinstance(statement, str) else not math.isclose(statement, claim, rel_tol=_SAME):
            raise ValueError(
                f"the mechanism must state the claim that is asked about, {name} {claim}, got {statement}: "
                "ask about what it states, or leave it to the mechanism (--claim-from-mechanism)"
            )
    return {
        name: value for name, value in stated.items() if name not in given and (from_mechanism or name not in _CLAIM)
    }


SAMPLES_PER_EXAM = 12
"""How many samples of the plan's size the exam asks for, all its clauses together."""


NOTICES = ("fresh-inputs", "fresh-and-seed-given", "seed-given", "not-named")
"""What the files of a challenge, or a check whose seed was given, cannot show; words: ``check_notice_NAME``."""
OPTIONAL = ("other-values",)
"""Clauses that are asked only of a class or factory that takes an epsilon or a clip norm."""
WORDS: dict[str, ClauseWords] = clauses("en")
CLAUSES = {name: words for name, words in WORDS.items() if name not in OPTIONAL}
"""Those that every exam asks."""
