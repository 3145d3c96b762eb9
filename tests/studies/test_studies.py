"""Results of the two studies survive JSON, and what cannot be true is refused in one sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.presentation.tables import place
from ldp_core.studies.trajectory import result as path_results
from ldp_core.studies.trajectory.result import TrainingLevel, TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trajectory.result import from_json as training_path_from_json
from ldp_core.studies.utility import result as utility_results
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult
from ldp_core.studies.utility.result import from_json as utility_from_json
from ldp_core.types import PairGeometry

shares = st.floats(0.0, 1.0)
geometries = st.builds(PairGeometry, st.floats(0, 180), st.floats(0, 1e30), st.floats(0, 1e30), st.just("two images"))


def to_json(result: Any) -> str:
    return (utility_results if isinstance(result, UtilityResult) else path_results).to_json(result)


@st.composite
def utilities(draw: st.DrawFn) -> UtilityResult:
    epsilons = tuple(draw(st.lists(st.floats(0.01, 30.0), min_size=1, max_size=4, unique=True)))
    config = UtilityConfig(
        epsilons, draw(st.integers(0, 2**63 - 1)), clients=draw(st.integers(1, 100_000)), rounds=3,
        clip_norm=draw(st.floats(1e-6, 1e6)), learning_rate=draw(st.floats(1e-6, 1e3)),
    )  # fmt: skip
    lengths = draw(st.integers(0, 4))
    scores = st.lists(shares, min_size=lengths, max_size=lengths)
    curves = tuple(UtilityCurve(epsilon, tuple(draw(scores))) for epsilon in (None, *epsilons))
    return UtilityResult(config, curves, lengths == 4, draw(st.floats(0.0, 1e9)), {"torch": "2.0"})


@st.composite
def paths(draw: st.DrawFn) -> TrainingPathResult:
    attacks, planned = ("benign", "label-flip"), [0, 2, 3, 20]
    light = draw(st.sampled_from([None, 2, 3, 20]))
    config = TrainingPathConfig(
        attacks, draw(st.integers(0, 2**63 - 1)), passes=(0, 2, 20) if light == 3 else (0, 2, 3, 20), num_measurements=2
    )
    levels = []
    for passes in planned[: draw(st.integers(0, 4))]:
        pairs = {attack: tuple(draw(st.lists(geometries, max_size=2))) for attack in attacks}
        left_out = {attack: 2 - len(made) for attack, made in pairs.items()}
        levels.append(TrainingLevel(passes, draw(shares), pairs, left_out))
    seconds = draw(st.floats(0.0, 1e9))
    return TrainingPathResult(config, tuple(levels), light, len(levels) == 4, seconds, {"torch": "2.0"})


@given(utilities())
def test_a_utility_result_survives_json(result: UtilityResult) -> None:
    text = to_json(result)
    assert utility_from_json(text) == utility_from_json(text.encode()) == result
    assert json.loads(text)["schema"] == "ldp-utility/1"
    with pytest.raises(ValueError, match="schema must be ldp-training-path/1"):
        training_path_from_json(text)


@given(paths())
def test_a_training_path_survives_json(result: TrainingPathResult) -> None:
    text = to_json(result)
    assert training_path_from_json(text) == result
    assert json.loads(text)["schema"] == "ldp-training-path/1"
    with pytest.raises(ValueError, match="schema must be ldp-utility/1"):
        utility_from_json(text)


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
