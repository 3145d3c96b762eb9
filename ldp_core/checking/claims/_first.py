"""Results and challenges of the first version (schema ldp-check/1), which can still be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ldp_core.checking.claims._plan import EXAM_SHARE, sample_size
from ldp_core.checking.claims._subject import FIRST_PAIRS, CheckConfig
from ldp_core.checking.claims._words import SAMPLES_PER_EXAM
from ldp_core.types import BOUNDS

if TYPE_CHECKING:
    from ldp_core.checking.claims._result import Look

FIRST_RULES = ("cosine", "selective", "learned")
_FIRST_STAGE = 512


@dataclass(frozen=True, slots=True)
class FirstPlan:
    """How a check of the first version spent its reports and its significance.

    Args:
        trials: reports of each pair, both inputs together.
        stages: numbers of reports of a pair at which a rule was learned from all before; judged until twice as many.
        looks: over all pairs, rules and stages.
        look_significance: of each look; a fifth of it paid for the bound that holds at every moment.
    """

    trials: int
    stages: tuple[int, ...]
    looks: int
    look_significance: float

    @property
    def learning(self) -> int:
        """The reports of each pair from which the last rule but one had been learned: today all are learned from."""
        return self.stages[-2] if len(self.stages) > 1 else self.stages[0]


def first_plan(config: CheckConfig) -> FirstPlan:
    """Return how a check of the first version spent its reports.

    >>> first_plan(CheckConfig("x", 1.0, 0, reports=4_000_000)).trials
    790169
    """
    trials = (config.reports - SAMPLES_PER_EXAM * sample_size(config.reports)) // len(FIRST_PAIRS)
    stage, stages = trials // 2, list[int]()
    while stage >= _FIRST_STAGE or not stages:
        stages.insert(0, stage)
        stage //= 2
    looks = len(FIRST_PAIRS) * (2 + len(stages))
    return FirstPlan(trials, tuple(stages), looks, (1.0 - EXAM_SHARE) * config.significance / looks)


def first_bound(rule: str) -> str:
    """Return which bound fitted a rule's errors."""
    return BOUNDS[0] if rule == "cosine" else BOUNDS[1]


def refuse_impossible_looks(config: CheckConfig, looks: Sequence[Look]) -> int:
    """Return how many reports were judged at least.

    Raises:
        ValueError: for looks that no check of that plan can have found.
    """
    least = 0
    for pair in FIRST_PAIRS:
        least += max((_done(config, looks, pair, rule) for rule in FIRST_RULES), default=0)
    if (
        len({tuple((look.rule, look.counts.num_trials) for look in looks if look.pair == pair) for pair in FIRST_PAIRS})
        > 1
    ):
        raise ValueError("looks must be as many and as long on every pair")
    return least


def is_whole(config: CheckConfig, looks: Sequence[Look]) -> bool:
    """Return whether every pair was played to the end of the plan."""
    there = [(look.pair, look.rule) for look in looks]
    stages = len(first_plan(config).stages)
    return all(look.completed for look in looks) and all(
        there.count((pair, FIRST_RULES[-1])) == stages for pair in FIRST_PAIRS
    )


def _done(config: CheckConfig, all_looks: Sequence[Look], pair: str, rule: str) -> int:
    """Return how many reports of a pair a rule needed, and hold its looks against the plan."""
    looks = [look for look in all_looks if (look.pair, look.rule) == (pair, rule)]
    sizes = _sizes(first_plan(config), rule)
    if len(looks) > len(sizes):
        raise ValueError(f"there must be at most {len(sizes)} looks with {rule} on {pair}, got {len(looks)}")
    done = 0
    for look, (start, size) in zip(looks, sizes, strict=False):
        trials = look.counts.num_trials
        if trials > size:
            raise ValueError(f"a look must have at most the {size} planned trials, got {trials}")
        if look.completed != (trials == size):
            raise ValueError(f"completed must follow from the {trials} of {size} trials, got {look.completed}")
        if look.trained_on > start:
            raise ValueError(f"trained_on must be at most {start}, got {look.trained_on}")
        done = start + trials
    return done


def _sizes(plan: FirstPlan, rule: str) -> list[tuple[int, int]]:
    """Return for each look of a rule on a pair how many trials come before it, and how many it may have."""
    if rule != FIRST_RULES[-1]:
        return [(0, plan.trials)]
    ends = (*plan.stages[1:], plan.trials)
    return [(start, end - start) for start, end in zip(plan.stages, ends, strict=True)]
