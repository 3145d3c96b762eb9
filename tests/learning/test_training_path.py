"""The path of the pairs: the model of ``global_model``, the images of ``audit``, and nothing private kept."""

import dataclasses
from pathlib import Path

import pytest
import torch

from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.datasets import ImageData
from ldp_core.learning.models import flat_parameters, global_model, training_passes
from ldp_core.private import ClientState, GradientPair
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trajectory.run import TrainingPathProgress, training_path

pytestmark = pytest.mark.usefixtures("one_thread")

PATH = TrainingPathConfig(attacks=("benign", "gradient-flip"), seed=11, passes=(0, 5, 7), num_measurements=4)


@pytest.fixture(scope="module")
def states() -> list[TrainingPathProgress]:
    return list(training_path(PATH))


@pytest.fixture(scope="module")
def result(states: list[TrainingPathProgress]) -> TrainingPathResult:
    return states[-1].result


def test_the_passes_are_those_of_the_global_model(data: ImageData, tmp_path: Path) -> None:
    *_, (passes, _, light) = global_model(data, "light", Cache(tmp_path))
    *_, (_, _, untrained) = global_model(data, "none", Cache(tmp_path))
    models = training_passes(data)
    assert torch.equal(flat_parameters(next(models)), flat_parameters(untrained.model))
    *_, last = (next(models) for _ in range(passes))
    assert torch.equal(flat_parameters(last), flat_parameters(light.model))


def test_accuracies_and_pairs_are_those_of_the_test_itself(result: TrainingPathResult, tmp_path: Path) -> None:
    """The untrained and the lightly trained level show the very pairs that ``audit`` makes."""
    levels = {level.passes: level for level in result.levels}
    for training, passes in (("none", 0), ("light", result.light_passes)):
        for attack in PATH.attacks:
            config = make_config(
                attack=attack, epsilon=1.0, seed=11, training=training, num_trials=1, num_measurements=4
            )
            *_, last = audit(config, Cache(tmp_path), threads=1)
            assert tuple(each.pair for each in last.result.measurements) == levels[passes].pairs[attack]


def test_pairs_of_two_zero_gradients_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half:
        name = "half"
        access: frozenset[str] = frozenset()

        def craft(self, client: ClientState, generator: torch.Generator) -> GradientPair:
            gradient = torch.ones(4) * float(torch.rand((), generator=generator) < 0.5)
            return GradientPair(gradient, gradient)

    class Broken(Half):
        def craft(self, client: ClientState, generator: torch.Generator) -> GradientPair:
            return GradientPair(torch.ones(4), torch.ones(5))

    monkeypatch.setitem(ADVERSARIES, "half", Half())
    monkeypatch.setitem(ADVERSARIES, "broken", Broken())
    config = TrainingPathConfig(attacks=("half",), seed=1, passes=(0,), num_measurements=40)
    *_, last = training_path(config)
    (level,) = last.result.levels
    assert 0 < level.left_out["half"] < 40
    assert len(level.pairs["half"]) == 40 - level.left_out["half"]
    with pytest.raises(ValueError, match="same length"):
        list(training_path(dataclasses.replace(config, attacks=("broken",))))
