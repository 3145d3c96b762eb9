"""What a check of a training function found, in sentences of any language."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ldp_core.presentation.documents.words import WORDS
from ldp_core.reports import shortest
from ldp_core.studies.training_check.result import (
    BEYOND,
    EPSILON_BROKEN,
    TrainingCheckResult,
    claimed_epsilon,
)
from ldp_core.words import numbers

_MOST_NAMED = 8


def sentences(result: TrainingCheckResult, words: Mapping[str, str] = WORDS) -> list[str]:
    """Return the finding, the verdict first.

    Args:
        result: whole or cut short.
        words: of documents, in any language.
    """
    config, found = result.config, result.identification
    if found is None:
        return [words["finding_training_none"]]
    epsilon = claimed_epsilon(config.claim, config.delta)
    claim = {
        "noise": shortest(config.noise),
        "rate": shortest(config.sampling_rate),
        "steps": f"{config.steps:,}",
        "epsilon": f"{epsilon:.2f}" if math.isfinite(epsilon) else "∞",
        "delta": f"{config.delta:g}",
    }
    name = "rejected" if result.rejected_by else "kept"
    lines = [words[f"finding_training_{name}"].format(**claim)]
    if EPSILON_BROKEN in result.rejected_by:
        lines.append(words["finding_training_broken"].format(**claim))
    if result.bare_columns:
        columns = ", ".join(str(column + 1) for column in result.bare_columns[:_MOST_NAMED])
        more = " …" if len(result.bare_columns) > _MOST_NAMED else ""
        lines.append(words["finding_training_bare"].format(columns=columns + more))
    right, low, high = (f"{100 * value:.1f}" for value in found)
    lines.append(words["finding_training_right"].format(right=right, low=low, high=high))
    bounds = {"point": _down(result.clopper_pearson), "curve": _down(result.curve)}
    lines.append(words["finding_training_bounds"].format(**bounds))
    caught = result.caught_noise
    name = "nothing" if caught is None else "power"
    games = f"{result.counts.num_first:,}"
    lines.append(words[f"finding_training_{name}"].format(share=f"{100 * (caught or 0):.0f}", games=games))
    if not result.rejected_by:
        lies = words["and"].join(words[f"lie_{lie}"] for lie in BEYOND[result.access])
        lines.append(words[f"finding_training_beyond_{result.access}"].format(hidden=lies))
    if config.warnings:
        lines.append(words["finding_central_delta"])
    return lines


def _down(value: float) -> str:
    return numbers.floored(value, 2)
