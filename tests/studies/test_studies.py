"""Results of the two studies survive JSON, and what cannot be true is refused in one sentence."""

import pytest

from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult


@pytest.mark.parametrize(("last", "told"), [(0.1, (1.0,)), (0.29, (1.0,)), (0.31, ()), (0.9, ())])
def test_too_little_learned_is_told(last: float, told: tuple[float, ...]) -> None:
    config = UtilityConfig((1.0,), 7, rounds=1)
    none, one = UtilityCurve(None, ((0.1, 0.9),)), UtilityCurve(1.0, ((0.1, last),))
    assert UtilityResult(config, (none, one), True, 1.0, {}).unlearned == told
    for curves in ((none, UtilityCurve(1.0, ((),))), (UtilityCurve(None, ((0.1, 0.1),)), one)):
        short = UtilityResult(config, curves, len(curves[1].accuracy) == 2, 1.0, {})
        assert short.unlearned == ((1.0,) if not curves[1].accuracy else ())
