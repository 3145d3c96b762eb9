"""What a challenge of the first version asked for, so that its answers can still be judged."""

from collections.abc import Iterator

import numpy as np

from ldp_core.checking.claims import FIRST_PAIRS, CheckConfig, first_plan

_STREAM = 2
_PARTS = 4
"""Rounds in which the reports of a pair doubled."""


def first_trials(config: CheckConfig) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield for each pair how many reports of the first and of the second input came in its early and late rounds.

    The early rounds, a quarter of the reports, are there to learn from.
    """
    rng, plan = np.random.default_rng([config.seed, _STREAM]), first_plan(config)
    ends = {plan.stages[0], plan.trials}
    for start, end in zip(plan.stages, (*plan.stages[1:], plan.trials), strict=True):
        ends |= {start + (end - start) * part // _PARTS for part in range(1, _PARTS + 1)}
    asked = {name: [[0, 0], [0, 0]] for name in FIRST_PAIRS}
    done = 0
    for end in sorted(ends):
        for name in FIRST_PAIRS:
            first = int(rng.binomial(end - done, 0.5))
            part = asked[name][end > plan.learning]
            part[0] += first
            part[1] += end - done - first
        done = end
    for name, (learning, judging) in asked.items():
        yield name, (learning[0], learning[1]), (judging[0], judging[1])
