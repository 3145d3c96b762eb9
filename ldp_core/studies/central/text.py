"""What an audit of DP-SGD found, in sentences of any language, and what its chart is drawn from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.presentation.documents.words import WORDS
from ldp_core.reports import shortest
from ldp_core.statistics import accountant, curve_test
from ldp_core.statistics.last_iterate import LastIterate
from ldp_core.studies.central.chart import ClaimPlane, Reached
from ldp_core.studies.central.result import (
    SIGNIFICANCE,
    CentralConfig,
    CentralResult,
    ceilings,
    claimed,
    expected_point_bound,
)
from ldp_core.types import CLAIM_REJECTED, TrialCounts
from ldp_core.words import numbers

_POINTS = np.concatenate([np.linspace(0.0, 0.1, 21), np.linspace(0.11, 1.0, 90)])


def sentences(result: CentralResult, words: Mapping[str, str] = WORDS) -> list[str]:
    """Return the finding, the verdict first.

    Args:
        result: whole or cut short.
        words: of documents, in any language.
    """
    config, found = result.config, result.identification
    if found is None:
        return [words["finding_central_none"]]
    claim = claimed(config)
    ceiling, last = ceilings(claim.sampling_rate, claim.noise, claim.steps)
    name = "finding_central_rejected" if result.verdict == CLAIM_REJECTED else "finding_central_kept"
    lines = [
        words[name].format(epsilon=shortest(config.epsilon), delta=np.format_float_positional(config.delta, trim="-")),
        words["finding_central_right"].format(
            right=_share(found[0]), low=_share(found[1]), high=_share(found[2]), ceiling=_share(ceiling),
            last=_share(last),
        ),
        words["finding_central_bounds"].format(
            point=_down(result.clopper_pearson), curve=_down(result.curve), gdp=_down(result.gdp)
        ),
        words["finding_central_most"].format(
            expected=_down(
                expected_point_bound(claim.sampling_rate, claim.noise, claim.steps, config.delta, config.games)
            )
        ),
    ]  # fmt: skip
    if config.epsilon <= 1.0 and not config.law:
        lines.append(words["finding_central_small"])
    if config.warnings:
        lines.append(words["finding_central_delta"])
    return lines


def plane(config: CentralConfig, reached: Mapping[str, TrialCounts], words: Mapping[str, str]) -> ClaimPlane:
    """Return what the chart is drawn from: the claim's curves, and what each result reached.

    Args:
        config: whose claim is drawn.
        reached: judged games against that claim, by adversary.
        words: of documents.
    """
    claim = claimed(config)
    curve, last = accountant.rough(claim).tradeoff(_POINTS), LastIterate(claim).tradeoff(_POINTS)
    points = [float(point) for point in _POINTS]
    return ClaimPlane(
        config.epsilon,
        list(zip(points, map(float, curve), strict=True)),
        list(zip(points, map(float, last), strict=True)),
        [_reached(name, counts, words) for name, counts in reached.items() if counts.num_trials],
    )


def _reached(name: str, counts: TrialCounts, words: Mapping[str, str]) -> Reached:
    alarms, missed = counts.second_as_first / counts.num_second, counts.first_as_second / counts.num_first
    limits = curve_test.upper_limits(counts, SIGNIFICANCE)
    return Reached(words[f"adversary_{name}"], alarms, missed, limits, list(ADVERSARIES).index(name))


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _down(value: float) -> str:
    return numbers.floored(value, 2)
