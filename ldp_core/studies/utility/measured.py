"""What was measured in advance: ten trainings of what the page proposes, from seed 1 on."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ldp_core import record
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult

if TYPE_CHECKING:
    from ldp_core.presentation.figures.utility import UtilityCurves

FILE = Path(__file__).with_name("measured.json")


@lru_cache(maxsize=1)
def measured() -> UtilityResult:
    """Return the result; ``command`` of its configuration, with ``--json``, writes it again."""
    return record.from_json(FILE.read_bytes(), UtilityResult)


def measured_like(config: UtilityConfig) -> dict[float | None, UtilityCurve]:
    """Return by epsilon what was measured with the same settings but for epsilons, seed and repeats; {} for none."""
    known = measured()
    same = replace(config, epsilons=known.config.epsilons, seed=known.config.seed, repeats=known.config.repeats)
    return {curve.epsilon: curve for curve in known.curves} if same == known.config else {}


def drawn(result: UtilityResult) -> UtilityCurves:
    """Return the curves as ``figures.utility_chart`` takes them, one training within those measured like it."""
    bands = {} if result.config.repeats > 1 else measured_like(result.config)
    curves = [(curve, bands.get(curve.epsilon, curve)) for curve in result.curves if curve.accuracy]
    return [
        (curve.epsilon, curve.accuracy, *((band.lowest, band.highest) if len(band.trainings) > 1 else ((), ())))
        for curve, band in curves
    ]
