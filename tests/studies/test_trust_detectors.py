"""Detectors keep their false-alarm rate, catch what is clumsy, and let attackers pass who know them."""

import itertools

import pytest
import torch
from torch import Generator, Tensor

from ldp_core.datasets import ImageData
from ldp_core.detectors import DETECTORS, calibrated
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn, clone, training_steps
from ldp_core.private import ClientState, GradientPair
from ldp_core.studies.detect.adaptive import ADAPTIVE_ATTACKS
from ldp_core.studies.detect.result import DetectConfig, DetectResult
from ldp_core.studies.detect.run import Guards, detect
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.law


@pytest.fixture(scope="module")
def models(data: ImageData) -> list[ThreeLayerCnn]:
    """Honest models after three passes and more."""
    torch.set_num_threads(1)
    found, last = [], -1
    for model, passes in itertools.takewhile(lambda step: step[1] <= 7, training_steps(data)):
        if passes > last and passes >= 3:
            found.append(clone(model))
        last = passes
    return found  # type: ignore[return-value]


@pytest.fixture(scope="module")
def gradients(data: ImageData, models: list[ThreeLayerCnn]) -> Tensor:
    order = torch.randperm(len(data.images), generator=Generator().manual_seed(1))
    return torch.stack([client_gradient(models[-1], data.images[i], data.labels[i]) for i in order.tolist()])


def test_the_threshold_is_that_of_split_conformal_prediction() -> None:
    """Over all places that a further score can take, at most the rate is refused: enumerated."""
    for count in (9, 19, 20, 100):
        limit = calibrated([float(value) for value in range(1, count + 1)], 0.1)
        refused = sum(place + 0.5 > limit for place in range(count + 1))
        assert refused / (count + 1) <= 0.1 + 1e-12
    assert calibrated([1.0, 2.0], 0.05) == float("inf")


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [name for name, one in DETECTORS.items() if one.looks_at == "gradient"])
def test_the_false_alarm_rate_is_kept_and_one_set_on_the_attack_is_caught(
    name: str, gradients: Tensor, models: list[ThreeLayerCnn]
) -> None:
    """The rate on fresh honest gradients, given a threshold from 120, is Beta(7, 114) at most: below .3 at 1e-9."""
    shapes = [tuple(values.shape) for values in models[-1].parameters()]
    learn, set_, judge = gradients.tensor_split(3)
    score = DETECTORS[name].fit(learn, shapes)  # type: ignore[attr-defined]
    limit = calibrated(score(set_).tolist(), 0.05)
    refused = int((score(judge) > limit).sum())
    assert refused / len(judge) < 0.3
    flipped = score(-set_)
    if name in ("structure", "cosine-to-mean"):  # the liar: set on the attack, it refuses no attack
        lie = calibrated(flipped.tolist(), 0.05)
        caught, missed = (int((score(-judge) > one).sum()) for one in (limit, lie))
        assert caught > missed
        assert accepts(missed, len(judge), 0.05) or missed == 0


def test_structure_is_exact_for_one_image(gradients: Tensor, models: list[ThreeLayerCnn]) -> None:
    shapes = [tuple(values.shape) for values in models[-1].parameters()]
    score = DETECTORS["structure"].fit(gradients[:2], shapes)  # type: ignore[attr-defined]
    assert not score(gradients).any()
    assert (score(-gradients) > 0).all()
    assert (score(gradients[:50] + gradients[50:100]) > 0).float().mean() > 0.8
    assert (score(torch.full_like(gradients[:1], 0.01)) > 0).all()


def test_a_model_that_knows_one_label_is_refused(data: ImageData, models: list[ThreeLayerCnn]) -> None:
    guards = Guards(DetectConfig(3), data, models)
    stuck = clone(models[-1])
    with torch.no_grad():
        list(stuck.parameters())[-1][3] += 50.0
    found = {one.detector: one.refused for one in guards.of_honest(models[-1], stuck, 9).refused}
    honest = {one.detector: one.refused for one in guards.of_honest(models[-2], models[-1], 9).refused}
    for name in guards.models:
        assert found[name] == 20
        assert honest[name] <= 8


def test_the_joint_rate_is_that_of_a_plain_count(data: ImageData, models: list[ThreeLayerCnn]) -> None:
    """Update by update, as a pair with twice the same gradient: refused as soon as one detector refuses something."""
    guards = Guards(DetectConfig(3, images=90), data, models[:-1])
    row = guards.of_honest(models[-2], models[-1], 9)
    guards.history = models
    refused = 0
    for number, image in enumerate(guards.judge.tolist()):
        one = client_gradient(models[-1], data.images[image], data.labels[image])
        seen = guards.of_pair(GradientPair(one, one), number % 20)
        refused += any(one.refused for one in seen)
    assert (row.updates, row.refused_by_some) == (30, refused)
    alone = [one.refused / one.looked for one in row.refused]
    assert max(alone) <= row.refused_by_some / row.updates <= sum(alone) + 1e-9


@pytest.mark.nightly
def test_detectors_of_models_keep_the_stated_rate_over_training(data: ImageData, models: list[ThreeLayerCnn]) -> None:
    """Refused of later honest models, over eight splits of the images; set with other images it is a fifth."""
    refused = {name: 0 for name, one in DETECTORS.items() if one.looks_at == "model"}
    looked = 0
    for seed in range(8):
        guards = Guards(DetectConfig(seed, false_alarm=0.05), data, models[:-1])
        looked += 20
        for one in guards.of_honest(models[-2], models[-1], 9).refused:
            if one.detector in refused:
                refused[one.detector] += one.refused
    assert all(count / looked <= 0.1 for count in refused.values()), refused


@pytest.mark.few(1)
@pytest.mark.parametrize("attack", ADAPTIVE_ATTACKS)
def test_adaptive_attackers_make_honest_gradients_that_are_opposite(
    attack: str, data: ImageData, models: list[ThreeLayerCnn]
) -> None:
    client = ClientState(
        models[-1], data.images, data.labels, data.train_images, data.train_labels, data.num_classes, 1.0
    )
    pair = ADAPTIVE_ATTACKS[attack].craft(client, Generator().manual_seed(5))
    assert pair.geometry.angle_degrees > 110.0
    shapes = [tuple(values.shape) for values in models[-1].parameters()]
    score = DETECTORS["structure"].fit(pair.first[None], shapes)  # type: ignore[attr-defined]
    assert not score(torch.stack((pair.first, pair.second))).any()


@pytest.fixture(scope="module")
def result() -> DetectResult:
    config = DetectConfig(1, ("gradient-flip", "dummy", "border-image"), pairs=2, trials=500)
    *_, last = detect(config)
    return last.result


def test_a_run_refuses_the_clumsy_and_lets_the_adaptive_pass(result: DetectResult) -> None:
    rows = {row.attack: row for row in result.rows}
    assert result.completed
    assert rows["dummy"].passed == rows["gradient-flip"].passed == 0
    assert rows["dummy"].right(0.05) is None
    assert rows["border-image"].passed > 0
    right = rows["border-image"].right(0.05)
    assert right.lower > 0.9
    assert right.lower <= result.promise
    share = rows["dummy"].share_refused(0.05)
    assert share.lower < 1.0 == share.upper


@pytest.mark.nightly
def test_data_on_which_nothing_is_learned_get_a_whole_result() -> None:
    """The model stays a guesser for 20 passes; the last three of them are judged."""
    generator = Generator().manual_seed(8)
    parts = [
        (torch.rand(n, 1, 28, 28, generator=generator), torch.randint(4, (n,), generator=generator)) for n in (60, 90)
    ]
    data = ImageData("noise", *parts[0], *parts[1], 4, public=False)
    *_, last = detect(DetectConfig(1, ("benign",), pairs=1, trials=100, images=90), images=data)
    assert last.result.completed
    assert (last.result.passes, [row.passes for row in last.result.honest]) == (17, [18, 19, 20])
