"""Attackers on membership: their formulas against others, chance where nothing was learned, more where it was."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import binom, hypergeom, norm
from torch import Tensor
from torch.nn.functional import cross_entropy

from ldp_core.datasets import load_dataset
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn, optimizer_for, train_pass
from ldp_core.memberships import MEMBERSHIPS, Evidence
from ldp_core.memberships.attackers import inputs_of, ratios
from ldp_core.statistics.ranking import auc, auc_interval
from ldp_core.studies.plane.config import LIKELIHOOD
from tests.helpers.binomial import LEVEL, gen

MEMBERS = 120


def memorized(images: Tensor, labels: Tensor, seed: int) -> ThreeLayerCnn:
    model = ThreeLayerCnn(1, 28, 10, gen(seed))
    optimizer = optimizer_for(model)
    optimizer.rate = 3e-3
    for number in range(120):
        train_pass(model, optimizer, images, labels, gen(number))
    return model


@pytest.fixture(scope="module")
def pool() -> tuple[Tensor, Tensor, Tensor]:
    """Return pictures with labels drawn at random, which only a model that was trained on them knows, and the members.

    The members are drawn from all of them, the same half for each attacker.
    """
    torch.set_num_threads(1)
    images = load_dataset("digits").train_images[: 2 * MEMBERS]
    labels = torch.randint(10, (2 * MEMBERS,), generator=gen(1))
    inside = torch.zeros(2 * MEMBERS, dtype=torch.bool)
    inside[torch.randperm(2 * MEMBERS, generator=gen(2))[:MEMBERS]] = True
    return images, labels, inside


@pytest.fixture(scope="module")
def shadows(pool: tuple[Tensor, Tensor, Tensor]) -> tuple[tuple[ThreeLayerCnn, ...], Tensor]:
    images, labels, _ = pool
    half = torch.zeros(2 * MEMBERS, dtype=torch.bool)
    half[torch.randperm(2 * MEMBERS, generator=gen(3))[:MEMBERS]] = True
    sides = torch.stack((half, ~half))
    return tuple(memorized(images[side], labels[side], 10 + place) for place, side in enumerate(sides)), sides


@pytest.fixture(scope="module")
def stranger(pool: tuple[Tensor, Tensor, Tensor]) -> ThreeLayerCnn:
    return memorized(load_dataset("digits").images[:MEMBERS], pool[1][:MEMBERS], 20)


@pytest.fixture(scope="module")
def target(pool: tuple[Tensor, Tensor, Tensor]) -> ThreeLayerCnn:
    images, labels, inside = pool
    return memorized(images[inside], labels[inside], 30)


def members_above(name: str, model: ThreeLayerCnn, pool: Any, request: Any) -> tuple[int, int, int]:
    """Return how many members are in the better half of those in question, of how many members, of how many.

    Shadows are trained for the attacker who looks at them alone.
    """
    images, labels, inside = pool
    known = torch.arange(len(images)) % 2 == 0
    models: tuple[ThreeLayerCnn, ...] = ()
    sides = torch.zeros(0, len(images), dtype=torch.bool)
    if name == LIKELIHOOD:
        models, sides = request.getfixturevalue("shadows")
    evidence = Evidence(
        model, images[~known], labels[~known], images[known], labels[known], inside[known], models, sides[:, ~known]
    )
    scores = MEMBERSHIPS[name].scores(evidence, gen(4))
    assert scores.shape == (int((~known).sum()),)
    assert scores.dtype == torch.float64
    assert torch.equal(scores, MEMBERSHIPS[name].scores(evidence, gen(4)))
    truth = inside[~known]
    better = scores.argsort(descending=True)[: len(scores) // 2]
    return int(truth[better].sum()), int(truth.sum()), len(truth)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", MEMBERSHIPS)
def test_a_model_that_never_saw_the_members_tells_nothing(
    name: str, stranger: ThreeLayerCnn, pool: Any, request: pytest.FixtureRequest
) -> None:
    """Given all but who is a member, that is uniform: the count is hypergeometric, exactly."""
    above, members, asked = members_above(name, stranger, pool, request)
    law = hypergeom(asked, members, asked // 2)
    assert min(law.cdf(above), law.sf(above - 1)) > LEVEL / 2


@pytest.mark.few(2)
@pytest.mark.parametrize("name", MEMBERSHIPS)
def test_a_model_that_memorized_them_is_found_out(
    name: str, target: ThreeLayerCnn, pool: Any, request: pytest.FixtureRequest
) -> None:
    above, members, asked = members_above(name, target, pool, request)
    assert hypergeom(asked, members, asked // 2).sf(above - 1) < LEVEL


def test_the_loss_threshold_is_minus_the_loss_of_each_picture(pool: Any) -> None:
    images, labels, inside = pool
    model = ThreeLayerCnn(1, 28, 10, gen(5))
    evidence = Evidence(model, images, labels, images, labels, inside, (), torch.zeros(0, len(images)).bool())
    found = MEMBERSHIPS["loss-threshold"].scores(evidence, gen(6))
    for place in (0, 7, 100):
        loss = cross_entropy(model(images[[place]]), labels[[place]])
        assert found[place].item() == pytest.approx(-loss.item(), rel=1e-5)


def test_the_four_inputs_are_what_autograd_says(pool: Any) -> None:
    images, labels, _ = (part[:5] for part in pool)
    model = ThreeLayerCnn(1, 28, 10, gen(7))
    ranked, losses, gradients, labelled = inputs_of(model, images, labels)
    shares = model(images).softmax(dim=1)
    for place in range(5):
        expected = client_gradient(model, images[place], int(labels[place]))[-330:]
        assert torch.allclose(gradients[place], expected, atol=1e-6)
        assert ranked[place].tolist() == pytest.approx(sorted(shares[place].tolist(), reverse=True), rel=1e-5)
        assert losses[place].item() == pytest.approx(-math.log(shares[place, labels[place]].item()), rel=1e-5)
        assert labelled[place].tolist() == [float(label == labels[place]) for label in range(10)]


def test_the_likelihood_ratio_is_that_of_two_normal_laws() -> None:
    own, shadows = torch.randn(7, generator=gen(8)).double(), torch.randn(6, 7, generator=gen(9)).double()
    inside = torch.stack([torch.randperm(6, generator=gen(10 + place)) < 3 for place in range(7)], dim=1)
    found = ratios(own, shadows, inside)
    spreads = []
    for side in (True, False):
        groups = [[shadows[row, place].item() for row in range(6) if inside[row, place] == side] for place in range(7)]
        means = [sum(group) / 3 for group in groups]
        squares = sum((one - mean) ** 2 for group, mean in zip(groups, means, strict=True) for one in group)
        spreads.append((means, math.sqrt(squares / (7 * 2))))
    for place in range(7):
        (with_, wide), (without, narrow) = spreads
        expected = norm.logpdf(own[place], with_[place], wide) - norm.logpdf(own[place], without[place], narrow)
        assert found[place].item() == pytest.approx(expected, rel=1e-9)


def test_the_area_counts_all_pairs_and_its_error_is_delong_s() -> None:
    numbers = np.random.default_rng(1)
    inside, outside = numbers.integers(0, 6, 9).astype(float), numbers.integers(-2, 5, 14).astype(float)
    wins = np.array([[float(one > other) + 0.5 * (one == other) for other in outside] for one in inside])
    area, error = auc(inside, outside)
    assert area == pytest.approx(wins.mean())
    rows, columns = wins.mean(axis=1), wins.mean(axis=0)
    expected = sum((rows - area) ** 2) / 8 / 9 + sum((columns - area) ** 2) / 13 / 14
    assert error == pytest.approx(math.sqrt(expected))
    assert auc(outside, inside)[0] == pytest.approx(1.0 - area)
    assert auc(np.arange(5.0), np.arange(5.0) - 9.0) == (1.0, 0.0)
    with pytest.raises(ValueError, match="inside must be at least two numbers, got 1"):
        auc(np.array([1.0]), outside)


def misses(shrunk: float) -> int:
    """Return how often of 2,000 intervals one misses the area of two normal laws; ``shrunk`` falsifies its error."""
    numbers, missed = np.random.default_rng(2), 0
    true = norm.cdf(0.5 / math.sqrt(2.0))
    for _ in range(2_000):
        area, error = auc(numbers.normal(0.5, 1.0, 150), numbers.normal(0.0, 1.0, 150))
        lower, upper = auc_interval(area, shrunk * error, 150, 0.05)
        assert 0.0 <= lower <= area <= upper <= 1.0
        missed += not lower <= true <= upper
    return missed


def test_the_interval_misses_about_as_often_as_it_says() -> None:
    """It is right for large groups only: at 150 scores each it may miss in 7 of 100 cases, and no more."""
    assert binom.sf(misses(1.0) - 1, 2_000, 0.07) > LEVEL
    assert binom.sf(misses(0.6) - 1, 2_000, 0.07) < LEVEL


def test_scores_that_tell_all_apart_still_have_an_interval() -> None:
    lower, upper = auc_interval(1.0, 0.0, 50, 0.05)
    assert upper == 1.0
    assert 0.7 < lower < 0.9
