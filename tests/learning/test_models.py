"""The clients' network, its training, what is kept of it, and the path of the pairs during it."""

import copy
import dataclasses
import stat
from pathlib import Path

import pytest
import torch

from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.datasets import ImageData
from ldp_core.errors import CacheError
from ldp_core.facts import FULL_PASSES, LIGHT_ACCURACY
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import (
    ThreeLayerCnn,
    accuracy,
    clone,
    flat_parameters,
    global_model,
    optimizer_for,
    train_pass,
    training_passes,
)
from ldp_core.private import ClientState, GradientPair
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trajectory.run import TrainingPathProgress, training_path
from tests.helpers.binomial import gen

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def easy() -> ImageData:
    """Return few images that the network learns in few passes: one bright row for each class."""
    labels = torch.arange(10).repeat(64)
    images = torch.zeros(640, 1, 28, 28)
    for index, label in enumerate(labels.tolist()):
        images[index, 0, 2 * label + 4 : 2 * label + 7] = 1.0
    return ImageData("easy", images, labels, images[:100], labels[:100], 10, public=True)


def test_the_network_is_the_papers_with_relu_before_pooling(data: ImageData) -> None:
    """Ours pools first and lies otherwise in memory; the function and its gradient are the same."""
    model = ThreeLayerCnn(1, 28, 10, gen())
    layers = [copy.deepcopy(layer).to(memory_format=torch.contiguous_format) for layer in model.layers]
    order = [type(layer) for layer in (torch.nn.Conv2d(1, 1, 1), torch.nn.ReLU(), torch.nn.MaxPool2d(2))]
    for start in (0, 3):
        layers[start : start + 3] = sorted(layers[start : start + 3], key=lambda layer: order.index(type(layer)))
    assert [type(layer) for layer in layers[:6]] == order * 2
    papers = torch.nn.Sequential(*layers)
    images = data.images[:50]
    torch.testing.assert_close(model(images), papers(images), rtol=1e-5, atol=1e-6)
    for index in range(5):
        image, label = data.images[index], data.labels[index]
        ours, theirs = (client_gradient(net, image, label) for net in (model, papers))
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-7)
        assert theirs.norm() > 0.1


def trained(data: ImageData, training: str, cache: Cache) -> tuple[ThreeLayerCnn, int]:
    """Return the model and the number of passes it took."""
    steps = list(global_model(data, training, cache))
    assert all(found is None for _, _, found in steps[:-1])
    done, total, found = steps[-1]
    assert done == total
    assert done in (0, found.passes)
    assert found.num_right == round(accuracy(found.model, data.images, data.labels) * len(data.labels))
    assert [step[0] for step in steps[:-1]] == (list(range(done + 1)) if done else [])
    return found.model, done


def same_weights(first: torch.nn.Module, second: torch.nn.Module) -> bool:
    one, two = first.state_dict(), second.state_dict()
    return one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def kept_files(cache: Cache) -> list[Path]:
    return sorted((cache.directory / "models").iterdir())


def test_light_training_is_accurate_enough_and_deterministic(data: ImageData, tmp_path: Path) -> None:
    first, passes = trained(data, "light", Cache(tmp_path / "one"))
    second, again = trained(data, "light", Cache(tmp_path / "two"))
    assert LIGHT_ACCURACY == 0.85
    assert accuracy(first, data.images, data.labels) >= 0.85
    assert 1 <= passes == again < FULL_PASSES
    assert same_weights(first, second)


def test_the_second_call_takes_no_pass_and_gives_the_same_weights(easy: ImageData, tmp_path: Path) -> None:
    first, passes = trained(easy, "light", Cache(tmp_path))
    second, none = trained(easy, "light", Cache(tmp_path))
    assert passes > 0
    assert none == 0
    assert same_weights(first, second)
    (file,) = kept_files(Cache(tmp_path))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_other_data_of_the_same_name_gets_a_model_of_its_own(easy: ImageData, tmp_path: Path) -> None:
    trained(easy, "light", Cache(tmp_path))
    changed = dataclasses.replace(easy, train_labels=easy.train_labels.flip(0), labels=easy.labels.flip(0))
    _, passes = trained(changed, "light", Cache(tmp_path))
    assert passes > 0
    assert len(kept_files(Cache(tmp_path))) == 2


@pytest.mark.few(3)
@pytest.mark.parametrize("damage", ["empty", "half", "one bit", "text", "wrong digest", "wrong passes"])
def test_a_damaged_model_is_said_set_aside_and_trained_anew(easy: ImageData, tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    model, passes = trained(easy, "light", cache)
    (file,) = kept_files(cache)
    content = file.read_bytes()
    middle = len(content) // 2
    digest = content.index(b'"sha256":"') + 10
    damaged = {
        "empty": b"",
        "half": content[:middle],
        "one bit": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "text": b"<!doctype html>" * 100,
        "wrong digest": content[:digest] + b"0" * 64 + content[digest + 64 :],
        "wrong passes": content.replace(f" {passes} ".encode(), f" {passes + 1} ".encode(), 1),
    }[damage]
    file.write_bytes(damaged)
    with pytest.raises(CacheError) as error:
        trained(easy, "light", cache)
    assert file.name in str(error.value)
    assert f"got {len(damaged)} bytes" in str(error.value)
    assert "\n" not in str(error.value)
    assert not file.exists()
    assert file.with_name(file.name + ".damaged").read_bytes() == damaged
    again, anew = trained(easy, "light", cache)
    assert anew == passes > 0
    assert same_weights(again, model)
    assert file.read_bytes() == content


def test_models_trained_on_private_data_are_never_written(easy: ImageData, tmp_path: Path) -> None:
    private = dataclasses.replace(easy, public=False)
    cache = Cache(tmp_path)
    first, passes = trained(private, "light", cache)
    second, again = trained(private, "light", cache)
    assert passes == again > 0
    assert same_weights(first, second)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_adam_is_torch_s_bit_by_bit(easy: ImageData) -> None:
    ours = ThreeLayerCnn(1, 28, 10, gen())
    theirs = clone(ours)
    other = torch.optim.Adam(theirs.parameters(), lr=1e-3)
    train_pass(ours, optimizer_for(ours), easy.images, easy.labels, gen(3))
    train_pass(theirs, other, easy.images, easy.labels, gen(3))  # type: ignore[arg-type]
    assert same_weights(ours, theirs)


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
