"""How a check spends its reports and its significance: a function of the configuration alone."""

from dataclasses import dataclass
from functools import lru_cache

from ldp_core.checking.claims._subject import FIXED_PAIRS, SAMPLES_PER_EXAM, CheckConfig

EXAM_SHARE = 0.2
"""Part of the significance that the exam's clauses may spend; the rest is for the looks of the privacy test."""
FOCUS, FIXED_FOCUS = 2, 3
"""Pairs that are judged in a round; in the one round of a check whose reports come from a file."""
HOPED = 4
"""Pairs that get half of what a round asks to learn from: those that may still show most."""
REFINED = 2
"""Pairs that a round may add: the best one so far, changed a little."""
_EXAM_PART, _MOST_SAMPLE, LEAST_SAMPLE = 100, 4_096, 256
_LEAST_PER_PAIR = 50
"""Reports of a pair that the first rounds ask for at least: about 950 of all in each."""
_MOST_PER_PAIR = 2**18
_FIXED_LEARNING = 3
_EXAMPLES = 160
"""Of so many reports of two inputs there are hardly ever fewer of one than rules are learned from."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the privacy test.

    Args:
        explore: reports that are asked for to learn from, of all pairs together; none of them is judged.
        judged: reports of each pair that is judged, both inputs together.
        looks: pairs that are judged; 0 in the first round of a check that asks as it goes.
        own_looks: those of them that are kept for the best of the client's own pairs.
        significance: of each of these looks.
    """

    explore: int
    judged: int
    looks: int
    own_looks: int
    significance: float


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """How a check spends its reports.

    Args:
        sample: size n of one sample of the exam.
        trials: reports of the privacy test, all pairs together.
        rounds: of the privacy test; the last one has half of its reports and half of its significance.
    """

    sample: int
    trials: int
    rounds: tuple[Round, ...]

    @property
    def looks(self) -> int:
        """The most looks that there will be."""
        return sum(turn.looks for turn in self.rounds)


def num_pairs(config: CheckConfig) -> int:
    """Return how many pairs of inputs are tried from the start, ``FAR`` apart."""
    return len(FIXED_PAIRS) + config.own_pairs


def fewest_judged(config: CheckConfig) -> int:
    """Return the fewest reports (two digits) of which a check can judge some, however long a report is.

    Reports as long as the inputs are compared with them; a rule for others must be learned, from ``_EXAMPLES`` a pair.

    >>> fewest_judged(CheckConfig("x", 1.0, 0, adaptive=False)), fewest_judged(CheckConfig("x", 1.0, 0))
    (13000, 18000)
    """
    reports, pairs = 5_000, num_pairs(config) + config.adaptive
    while _told(plan_of(config, reports)) < _EXAMPLES * pairs:
        reports += 100 if reports < 10_000 else 1_000
    return reports


def _told(plan: TrialPlan) -> int:
    """Return how many reports are learned from before the last round, over all pairs that are treated alike."""
    first, *later = plan.rounds
    return first.explore + sum(turn.explore // 2 for turn in later)


@lru_cache(maxsize=64)
def plan_of(config: CheckConfig, reports: int | None = None) -> TrialPlan:
    """Return how a check spends its reports; those of the configuration, if no other number is given.

    A check that asks as it goes has rounds that double. Each judges the two pairs that showed most in the reports
    before, by rules learned from these alone, and spends as much on learning, half of it about all pairs and half about
    those that may still show most; the last one judges only, and also the best of the client's own pairs.
    A check whose reports come from a file asks equally much of every pair, learns from a third, and judges three pairs.

    >>> plan = plan_of(CheckConfig("x", 1.0, 0, reports=100_000))
    >>> plan.trials, [turn.judged for turn in plan.rounds]
    (88000, [0, 344, 687, 1375, 2750, 5500, 22000])
    """
    reports = config.reports if reports is None else reports
    sample = max(LEAST_SAMPLE, min(_MOST_SAMPLE, reports // _EXAM_PART))
    trials, pairs = reports - SAMPLES_PER_EXAM * sample, num_pairs(config)
    significance, own_looks = (1.0 - EXAM_SHARE) * config.significance, int(config.own_pairs > 0)
    if not config.adaptive:
        pair_trials = trials // pairs
        learning = pair_trials // _FIXED_LEARNING
        looks = FIXED_FOCUS + own_looks
        only = Round(learning * pairs, pair_trials - learning, looks, own_looks, significance / looks)
        return TrialPlan(sample, trials, (only,))
    sizes = [trials // 2]
    while sizes[0] // 2 >= _LEAST_PER_PAIR * pairs:
        sizes.insert(0, sizes[0] // 2)
    rounds = [Round(trials - sum(sizes), 0, 0, 0, 0.0)]
    for place, size in enumerate(sizes, start=1):
        last = place == len(sizes)
        share = 2.0 ** -(len(sizes) - max(place, 2) + 1) if len(sizes) > 1 else 1.0
        explore = 0 if last else min(size // 2, _MOST_PER_PAIR * pairs)
        looks = FOCUS + own_looks * last
        rounds.append(Round(explore, (size - explore) // looks, looks, own_looks * last, share * significance / looks))
    return TrialPlan(sample, trials, tuple(rounds))
