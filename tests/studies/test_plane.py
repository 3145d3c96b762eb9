"""The plane: each method's step against a plain loop, what a run keeps apart, what follows from it, and its file."""

import itertools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import binom, chi2, hypergeom, norm
from torch import Tensor
from torch.nn.functional import cross_entropy

from ldp_core import record
from ldp_core.cli import main
from ldp_core.datasets import load_dataset
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters, optimizer_for, train_pass
from ldp_core.learning.protected_training import Method, Recipe, protected_passes, step_of
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.memberships import MEMBERSHIPS, Evidence
from ldp_core.memberships.attackers import inputs_of, ratios
from ldp_core.statistics.ranking import auc, auc_interval
from ldp_core.studies import STUDIES
from ldp_core.studies.plane.command import COST
from ldp_core.studies.plane.config import LIKELIHOOD, POINTS, STRENGTHS, PlaneConfig
from ldp_core.studies.plane.result import Measured, PlaneResult, PlaneRun
from ldp_core.studies.plane.run import Trial, plane
from tests.helpers.binomial import LEVEL, gen
from tests.helpers.words import LANGUAGES, report_of

SMALL = PlaneConfig(
    7, points=("sgd", "clip", "dp-sgd:0.8", "ldp-sgd:8", "natural:50"), members=30, passes=2, batch=16, shadows=2,
    pictures=6, public=200, timings=1,
)  # fmt: skip
CLIP = 0.7


def test_a_map_of_importance_says_which_pixels_get_more_noise() -> None:
    config = replace(SMALL, points=("sgd", "personalized:500"), importance_map="90/00")
    channel = Trial(config, load_dataset("digits"), 0).method("personalized:500").channel
    variance = (channel.factor**2).reshape(28, 28)
    assert variance[:14, :14] == pytest.approx(50.0 * variance[20, 20])
    assert np.ptp(variance[14:]) == np.ptp(variance[:14, 14:]) == 0.0
    assert "--importance-map 90/00" in record.command(config)
    for points, rows in ((config.points, ["a picture of 2 × 2 pixels"]), (("sgd", "natural:50"), [])):
        told = report_of(PlaneResult(replace(config, points=points), (), (), False, 0.0, {"torch": "2"}))
        assert [value for name, value in told.assumed if name == "Important pixels"] == rows


@pytest.fixture(scope="module")
def batch() -> tuple[ThreeLayerCnn, Tensor, Tensor]:
    torch.set_num_threads(1)
    data = load_dataset("digits")
    return ThreeLayerCnn(1, 28, 10, gen(1)), data.train_images[:6], data.train_labels[:6]


def each(batch: Any) -> list[Tensor]:
    model, images, labels = batch
    return [client_gradient(model, image, int(label)).double() for image, label in zip(images, labels, strict=True)]


@pytest.mark.parametrize("name", ["sgd", "clip", "dp-psac"])
def test_a_step_without_noise_is_that_of_a_plain_loop(name: str, batch: Any) -> None:
    weights = {
        "sgd": lambda norm: 1.0,
        "clip": lambda norm: min(1.0, CLIP / norm),
        "dp-psac": lambda norm: CLIP / (norm + 0.1 / (norm + 0.1)),
    }
    expected = sum(weights[name](float(one.norm())) * one for one in each(batch)) / 6
    found = step_of(Method(name), *batch, CLIP, gen(1)).double()
    assert torch.allclose(found, torch.as_tensor(expected), atol=1e-6)


def squares(noise: float, batch: Any) -> tuple[float, int]:
    clean = step_of(Method("clip"), *batch, CLIP, gen(1))
    total = 0.0
    for seed in range(5):
        noisy = step_of(Method("dp-sgd", noise=noise), *batch, CLIP, gen(seed))
        total += float(((noisy - clean).double() * 6 / (0.8 * CLIP)).square().sum())
    return total, 5 * len(clean)


def test_the_noise_of_dp_sgd_is_as_strong_as_it_says_and_a_weaker_one_is_caught(batch: Any) -> None:
    total, degrees = squares(0.8, batch)
    assert min(chi2.cdf(total, degrees), chi2.sf(total, degrees)) > LEVEL / 2
    weaker, _ = squares(0.76, batch)
    assert chi2.cdf(weaker, degrees) < LEVEL / 2


def test_reports_of_ldp_sgd_have_their_length_and_follow_the_mean(batch: Any) -> None:
    mechanism = LdpSgd(8.0, CLIP)
    method = Method("ldp-sgd", mechanism=mechanism)
    model, images, labels = batch
    one = step_of(method, model, images[:1], labels[:1], CLIP, gen(1))
    unit = torch.ones(1, len(one)) / math.sqrt(len(one))
    assert float(one.norm()) == pytest.approx(float(mechanism.aggregate(unit).norm()), rel=1e-4)
    mean = step_of(Method("clip"), *batch, CLIP, gen(1))
    many = torch.stack([step_of(method, *batch, CLIP, gen(seed)) for seed in range(300)]).mean(dim=0)
    expected = float(mean.norm()) ** 2
    spread = float(one.norm()) * float(mean.norm()) / math.sqrt(6 * 300 * len(one))
    assert abs(float(many @ mean) - expected) < 6.5 * spread


def test_a_training_takes_the_steps_that_its_recipe_says(batch: Any) -> None:
    model, images, labels = batch
    trained = ThreeLayerCnn(1, 28, 10, gen(1))
    done = list(protected_passes(Method("sgd"), trained, images, labels, Recipe(2, 6, 0.3, 1.0), gen(2)))
    assert done == [1, 2]
    by_hand, pairs = flat_parameters(model), list(zip(images, labels, strict=True))
    for rate in (0.3, 0.15):
        moved = ThreeLayerCnn(1, 28, 10, gen(1))
        torch.nn.utils.vector_to_parameters(by_hand, moved.parameters())
        by_hand = by_hand - rate * torch.stack([client_gradient(moved, *one) for one in pairs]).mean(0)
    assert torch.allclose(flat_parameters(trained), by_hand, atol=1e-6)


def test_members_others_and_public_pictures_are_apart_and_shadows_come_in_pairs() -> None:
    data = load_dataset("digits")
    data = replace(data, train_images=torch.arange(len(data.train_images)).reshape(-1, 1, 1, 1).expand(-1, 1, 28, 28))
    trial = Trial(SMALL, data, 0)
    pool, public = (set(images[:, 0, 0, 0].tolist()) for images in (trial.images, trial.public))
    assert (len(pool), len(public)) == (2 * SMALL.members, SMALL.public)
    assert not pool & public
    assert not set(trial.known.tolist()) & set(trial.targets.tolist())
    assert sum(trial.targets < SMALL.members) == SMALL.num_targets == len(trial.targets) / 2
    target, *shadows = (set(places.tolist()) for places in trial.insides())
    assert target == set(range(SMALL.members))
    assert shadows[0] | shadows[1] == set(range(2 * SMALL.members))
    assert not shadows[0] & shadows[1]
    assert shadows[0] != target


@pytest.fixture(scope="module")
def steps() -> list[PlaneResult]:
    return [step.result for step in plane(SMALL)]


def test_a_run_gives_the_same_numbers_again_and_goes_on_from_a_part(steps: list[PlaneResult]) -> None:
    whole = steps[-1]
    assert whole.completed
    part = next(result for result in steps if len(result.runs) == 3)
    earlier = record.from_json(record.to_json(part), PlaneResult)
    *_, again = plane(SMALL, earlier=earlier)
    assert again.result.runs == whole.runs
    assert again.result.completed
    assert again.result.seconds >= earlier.seconds
    with pytest.raises(ValueError, match="earlier must be a result of the same settings"):
        next(plane(replace(SMALL, seed=8), earlier=earlier))


def test_an_update_without_noise_is_rebuilt_and_one_that_is_drowned_gives_the_mean_picture() -> None:
    trial = Trial(replace(SMALL, pictures=60, public=600), load_dataset("digits"), 0)
    plain, guess = trial.rebuilt("sgd")
    drowned, _ = trial.rebuilt("dp-sgd:1000")
    blurred, _ = trial.rebuilt("natural:5")
    assert plain.value < 0.5 * guess.value
    assert drowned.value == pytest.approx(guess.value, rel=0.02)
    assert plain.value < blurred.value < 1.02 * guess.value


def test_the_command_keeps_what_is_done_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = replace(SMALL, points=("sgd", "clip"), timings=0)
    words = [*record.command(asked).split()[3:], "--resume", str(tmp_path / "part.json")]
    assert main([*words, "--json", str(tmp_path / "first.json")]) == 0
    assert main([*words, "--json", str(tmp_path / "second.json")]) == 0
    first, second = (
        record.from_json((tmp_path / f"{name}.json").read_bytes(), PlaneResult) for name in ("first", "second")
    )
    assert first.runs == second.runs
    assert first.config == asked
    assert "clip" in capsys.readouterr().out
    assert main([*words, "--passes", "3"]) == 2
    assert "--resume must name a file of the same settings" in capsys.readouterr().err


def run_of(point: str, repeat: int = 0, area: float = 0.7, rebuilt: float = 0.05, error: float = 1e-3) -> PlaneRun:
    areas = {"loss-threshold": Measured(area, error), "four-inputs": Measured(0.5, error)}
    return PlaneRun(point, repeat, 90, 150, 200, 1_000, areas, Measured(rebuilt, error), Measured(0.09, error))


def result_of(*runs: PlaneRun, repeats: int = 1, **more: Any) -> PlaneResult:
    points = tuple(dict.fromkeys(run.point for run in runs))
    config = PlaneConfig(1, points=points, members=100, public=100, shadows=0, repeats=repeats, timings=0, **more)
    return PlaneResult(config, runs, (), True, 1.0, {"torch": "2"})


def test_text_counts_one_training_as_one() -> None:
    text = STUDIES["plane"].text(result_of(run_of("sgd")))
    assert "trainings of each setting: 1;" in text
    assert "1 trainings" not in text


def test_our_improvements_are_0_for_plain_training_and_1_where_nothing_is_left() -> None:
    result = result_of(
        run_of("sgd"), run_of("clip", area=0.6, rebuilt=0.07), run_of("natural:50", area=0.5, rebuilt=0.09)
    )
    plain, half, nothing = result.summaries
    assert plain.strongest == "loss-threshold"
    for one, expected in ((plain, 0.0), (half, 0.5), (nothing, 1.0)):
        assert one.reconstruction.point == pytest.approx(expected)
        assert one.membership.point == pytest.approx(expected)
        assert one.defence.point == pytest.approx(expected)
        assert one.membership.lower <= one.membership.point <= one.membership.upper


def test_no_improvement_is_stated_on_what_gives_nothing_away() -> None:
    result = result_of(run_of("sgd", area=0.55, error=0.04), run_of("clip", area=0.5, error=0.04))
    assert [one.membership for one in result.summaries] == [None, None]
    assert [one.defence for one in result.summaries] == [None, None]
    for language, texts in LANGUAGES.items():
        assert texts.REPORT["plane_none"] in report_of(result, language).sentences


def test_ranges_of_improvements_hold_all_that_their_parts_allow() -> None:
    result = result_of(run_of("sgd", area=0.75, error=0.01), run_of("clip", area=0.6, error=0.01, rebuilt=0.06))
    clip = result.summaries[1]
    own, plain = (auc_interval(area, 0.01, 50, 0.05 / 2 / 2) for area in (0.6, 0.75))  # two parts, two attackers
    ends = [1 - (one - 0.5) / (other - 0.5) for one, other in itertools.product(own, plain)]
    assert (clip.membership.lower, clip.membership.upper) == pytest.approx((min(ends), max(ends)))


def test_over_several_trainings_ranges_are_student_s() -> None:
    areas = (0.6, 0.7, 0.65)
    result = result_of(*(run_of("sgd", number, area) for number, area in enumerate(areas)), repeats=3)
    (summary,) = result.summaries
    half = 4.302652729911275 * np.std(areas, ddof=1) / math.sqrt(3)
    found = summary.areas["loss-threshold"]
    assert (found.lower, found.point, found.upper) == pytest.approx((0.65 - half, 0.65, 0.65 + half))


def test_what_was_measured_in_advance_is_whole_and_of_all_points() -> None:
    result = record.measured(PlaneResult)
    assert result.completed
    assert result.config.points == POINTS
    assert record.command(result.config) == (
        "python -m ldp_core plane --dataset mnist --members 1000 --pictures 200 --public 4000 --seed 1"
    )
    assert result.runs[0].training == 8_000
    assert f"took {result.seconds / 60:.0f} minutes" in COST
    assert f"10, about {10 * result.seconds / 3_600:.0f} hours" in COST
    assert {one.method for one in result.costs} == set(STRENGTHS)


@pytest.mark.nightly
def test_the_first_training_of_what_was_measured_comes_out_again(data_dir: Path) -> None:
    kept = record.measured(PlaneResult)
    expected = kept.runs[0]
    found = next(step.result.runs[0] for step in plane(kept.config, data_dir=data_dir) if step.result.runs)
    assert abs(found.train_right - expected.train_right) <= 5  # other versions of torch round otherwise
    assert abs(found.right - expected.right) <= 20
    for name, area in expected.areas.items():
        assert found.areas[name].value == pytest.approx(area.value, abs=0.02)
    assert found.rebuilt.value == pytest.approx(expected.rebuilt.value, rel=0.01)


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
    """Return pictures, labels drawn at random, which only a model trained on them knows, and the half of members."""
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
    """Return how many members are in the better half of those in question, of how many members, of how many."""
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
