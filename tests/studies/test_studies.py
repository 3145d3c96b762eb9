"""Results of the two studies survive JSON, and what cannot be true is refused in one sentence."""

import pytest
from hypothesis import strategies as st

from ldp_core.presentation.tables import place
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult
from ldp_core.types import PairGeometry

REFUSED = r"^a report must be what this tool wrote, got one that is not: [^\n]+$"
shares = st.floats(0.0, 1.0)
geometries = st.builds(PairGeometry, st.floats(0, 180), st.floats(0, 1e30), st.floats(0, 1e30), st.just("two images"))


def utility_example() -> UtilityResult:
    config = UtilityConfig((1.0,), 7, rounds=2)
    curves = (UtilityCurve(None, (0.1, 0.5, 0.9)), UtilityCurve(1.0, (0.1, 0.3, 0.4)))
    return UtilityResult(config, curves, True, 1.5, {"torch": "2.0"})


def test_epsilon_adds_up_over_the_rounds() -> None:
    none, one = utility_example().curves
    assert (none.rounds, none.spent) == (2, None)
    assert (one.rounds, one.spent) == (2, 2.0)
    assert (UtilityCurve(4.0, ()).rounds, UtilityCurve(4.0, ()).spent) == (0, 0.0)


@pytest.mark.parametrize(("last", "told"), [(0.1, (1.0,)), (0.29, (1.0,)), (0.31, ()), (0.9, ())])
def test_too_little_learned_is_told(last: float, told: tuple[float, ...]) -> None:
    config = UtilityConfig((1.0,), 7, rounds=1)
    none, one = UtilityCurve(None, (0.1, 0.9)), UtilityCurve(1.0, (0.1, last))
    assert UtilityResult(config, (none, one), True, 1.0, {}).unlearned == told
    for curves in ((none, UtilityCurve(1.0, ())), (UtilityCurve(None, (0.1, 0.1)), one)):
        short = UtilityResult(config, curves, len(curves[1].accuracy) == 2, 1.0, {})
        assert short.unlearned == ((1.0,) if not curves[1].accuracy else ())


def test_a_pair_lies_at_its_angle_and_mean_clipped_norm() -> None:
    assert place(PairGeometry(30.0, 4.0, 1.0, "two"), 2.0) == (30.0, 1.5)
