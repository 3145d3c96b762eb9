"""Figures of a capacity: the channel in parameter space against determinants, each part, the file and the charts."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ldp_core import record
from ldp_core.channels import CHANNELS
from ldp_core.channels.parameters import linear_capacity, noise_on_update, update_eigenvalues
from ldp_core.cli import main
from ldp_core.game.setup import ended, loaded
from ldp_core.learning.gradients import client_gradients
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.reconstructions.identify import scores_of_reports
from ldp_core.reconstructions.linear import LinearMap
from ldp_core.statistics import information
from ldp_core.studies.capacity import batches, report, server, theorems
from ldp_core.studies.capacity.result import LINES, PARTS, CapacityConfig, CapacityResult, Kept
from ldp_core.studies.capacity.run import capacity
from ldp_core.studies.capacity.setting import Setting
from ldp_core.studies.reading import english
from tests.helpers.binomial import accepts, at_most

Values = NDArray[np.float64]
SMALL = CapacityConfig(
    7, capacities=(100.0,), rounds=2, batches=(1, 16), public=200, pictures=2, passes=1,
)  # fmt: skip
SLOW = ("inversion", "gaussian")
"""Parts that take longest; ``named`` has the latter by day."""


def gaussian_information(joint: Values, first: int) -> float:
    """Return the information between the first numbers of Gaussian data and the rest."""
    logs = [np.linalg.slogdet(part)[1] for part in (joint[:first, :first], joint[first:, first:], joint)]
    return float(0.5 * (logs[0] + logs[1] - logs[2]))


@pytest.fixture
def covariance() -> Values:
    mixing = np.random.default_rng(1).normal(size=(6, 6)) * np.array([3.0, 2.0, 1.0, 0.5, 0.2, 0.1])
    return np.asarray(mixing.T @ mixing)


@pytest.mark.parametrize("shape", [(5, 40), (60, 7)])
def test_eigenvalues_of_updates_are_those_of_their_covariance(shape: tuple[int, int]) -> None:
    updates = np.random.default_rng(0).normal(size=shape) + 3.0
    expected = np.linalg.eigvalsh(np.cov(updates.T, bias=True))[::-1]
    found = update_eigenvalues(updates)
    assert found == pytest.approx(expected[: len(found)], abs=1e-9)
    assert expected[len(found) :] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("wanted", [0.5, 5.0, 20.0])
def test_the_noise_is_right_for_one_model_and_who_keeps_it_tells_more(wanted: float, covariance: Values) -> None:
    """Updates J X of Gaussian pictures: the information of the joint covariance of picture and noisy update."""
    generator = np.random.default_rng(2)
    jacobian = generator.normal(size=(9, 6))

    def told_by(slope: Values, noise: float) -> float:
        sent = slope @ covariance @ slope.T + noise * np.eye(9)
        joint = np.block([[covariance, covariance @ slope.T], [slope @ covariance, sent]])
        return gaussian_information(joint, 6)

    def solved(slope: Values) -> float:
        return noise_on_update(information.eigenvalues_of(slope @ covariance @ slope.T), wanted)

    kept = solved(jacobian)
    assert told_by(jacobian, kept) == pytest.approx(wanted)
    crafted = 4.0 * jacobian
    assert told_by(crafted, solved(crafted)) == pytest.approx(wanted)
    assert solved(crafted) == pytest.approx(16.0 * kept)
    assert told_by(crafted, kept) > 1.2 * wanted  # who keeps the noise of the first round


def test_noise_on_the_picture_becomes_an_adaptive_noise_that_no_model_outdoes(covariance: Values) -> None:
    generator = np.random.default_rng(3)
    noise = 0.4 * np.diag([1.0, 1.0, 2.0, 1.0, 3.0, 1.0])
    whole = gaussian_information(np.block([[covariance, covariance], [covariance, covariance + noise]]), 6)
    tall, few = generator.normal(size=(9, 6)), generator.normal(size=(3, 6))
    assert linear_capacity(tall, covariance, noise) == pytest.approx(whole)
    assert linear_capacity(1e3 * tall, covariance, noise) == pytest.approx(whole)
    sent = few @ (covariance + noise) @ few.T
    joint = np.block([[covariance, covariance @ few.T], [few @ covariance, sent]])
    assert linear_capacity(few, covariance, noise) == pytest.approx(gaussian_information(joint, 6))
    assert linear_capacity(few, covariance, noise) < whole
    blind = tall.copy()
    blind[:, 2] = 0.0  # a pixel that the network never sees
    seen = np.delete(np.delete(covariance, 2, 0), 2, 1), np.delete(np.delete(noise, 2, 0), 2, 1)
    expected = 0.5 * (np.linalg.slogdet(seen[0] + seen[1])[1] - np.linalg.slogdet(seen[1])[1])
    assert linear_capacity(blind, covariance, noise) == pytest.approx(expected)
    assert linear_capacity(np.zeros((4, 6)), covariance, noise) == 0.0
    drawn = generator.normal(size=(200_000, 6)) * np.sqrt(np.diag(noise)) @ np.eye(6) @ few.T
    assert few @ noise @ few.T == pytest.approx(np.cov(drawn.T), rel=0.05, abs=0.05)
    fixed = np.trace(few @ noise @ few.T) / 3  # noise as strong, but white and fixed: a stronger model tells more
    strong = 10.0 * few @ covariance @ (10.0 * few).T
    assert 0.5 * np.linalg.slogdet(np.eye(3) + strong / fixed)[1] > whole


def test_the_slope_of_a_gradient_is_that_of_autograd() -> None:
    model, image = (
        ThreeLayerCnn(1, 28, 10, Generator().manual_seed(1)),
        torch.rand(1, 28, 28, generator=Generator().manual_seed(2)),
    )
    label = torch.tensor([3])
    found = server.jacobian(model, image, label)
    varied = image.double().unsqueeze(0).requires_grad_()
    sent = client_gradients(model.double(), varied, label, differentiable=True)[0]
    for place in (0, 500, 5_000, 10_640):
        (slope,) = torch.autograd.grad(sent[place], [varied], retain_graph=True)
        assert found[place] == pytest.approx(slope.flatten().numpy(), abs=1e-6)
    assert np.abs(found).max() > 1e-3


@pytest.mark.nightly
def test_a_linear_map_is_the_best_linear_estimate() -> None:
    """Against the covariances of the joint law, from samples that determine them, with known noise."""
    generator = Generator().manual_seed(5)
    targets = torch.randn(1_500, 3, generator=generator)
    slope = torch.randn(3, 8, generator=generator)
    sent, noise = targets @ slope, 2.0
    found = LinearMap(targets, sent).estimate(sent[:50], noise)
    cross, total = slope, slope.mT @ slope + noise * torch.eye(8)
    assert torch.allclose(found, sent[:50] @ torch.linalg.solve(total, cross.mT), atol=0.15)
    assert torch.allclose(LinearMap(targets, sent).estimate(sent[:50]), targets[:50], atol=0.01)


def test_a_batch_s_mean_and_a_direction_left_out() -> None:
    weights = batches._means(30, 6, 4, Generator().manual_seed(1))
    assert weights.shape == (6, 30)
    assert torch.allclose(weights.sum(dim=1), torch.ones(6))
    assert set((4 * weights).unique().tolist()) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    images, mean = torch.rand(5, 1, 4, 4), torch.rand(16)
    direction = torch.nn.functional.normalize(torch.rand(16), dim=0)
    rest = batches.without(images, mean, direction).flatten(1)
    assert ((rest - mean) @ direction).abs().max() < 1e-6
    other: Tensor = images.flatten(1) - rest
    assert torch.allclose(other, ((images.flatten(1) - mean) @ direction).unsqueeze(1) * direction, atol=1e-6)


@pytest.fixture(scope="module")
def steps() -> list[CapacityResult]:
    found: dict[int, CapacityResult] = {}
    for progress in capacity(replace(SMALL, parts=tuple(part for part in PARTS if part not in SLOW))):
        found.setdefault(len(progress.result.panels), progress.result)
        last = progress
    assert (last.stage, last.done) == ("figures", last.total)
    return [*found.values()]


def values(result: CapacityResult, panel: str, line: str) -> list[float]:
    found = result.panel(panel)
    return [one.value for one in found.line(line).points]


def test_a_run_measures_every_chart_in_order(steps: list[CapacityResult]) -> None:
    assert [len(one.panels) for one in steps] == [0, 2, 5, 7, 9, 12, 14, 16]
    whole = steps[-1]
    assert whole.completed
    assert [one.name for one in whole.panels] == [name for part in whole.config.parts for name in PARTS[part]]
    assert values(whole, "server_told", "solved") == pytest.approx([100.0, 100.0])
    kept = values(whole, "server_told", "kept_crafted")
    assert kept[0] == pytest.approx(100.0)
    assert kept[1] > 150.0
    for one in values(whole, "server_told", "pictures"):
        assert 0.0 < one <= 100.0 + 1e-6
    assert values(whole, "server_noise", "kept")[0] == values(whole, "server_noise", "kept")[1]
    assert values(whole, "server_noise", "adaptive")[1] > 1.5 * values(whole, "server_noise", "adaptive")[0]
    for name in LINES["batch_share"]:
        parts = zip(values(whole, "batch_error", name), values(whole, "batch_error", "guess"), strict=True)
        assert values(whole, "batch_share", name) == pytest.approx([100.0 * error / guess for error, guess in parts])
    assert values(whole, "batch_told", "constant")[0] == pytest.approx(100.0)
    assert values(whole, "batch_told", "constant")[1] < 100.0
    for own, limit in zip(values(whole, "batch_told", "dp-sgd"), values(whole, "batch_told", "dp_limit"), strict=True):
        assert own < limit
    for name in ("largest", "random"):
        shares = values(whole, "compression_told", name)
        assert shares == sorted(shares)
        assert shares[-1] == pytest.approx(100.0)


@pytest.mark.few(1)
@pytest.mark.parametrize("part", ["compression", "noise", "batch"])
def test_a_part_alone_has_the_same_numbers(steps: list[CapacityResult], part: str) -> None:
    *_, last = capacity(replace(SMALL, parts=(part,)))
    assert last.result.panels == tuple(steps[-1].panel(name) for name in PARTS[part])


@pytest.mark.nightly
def test_a_run_of_all_parts_has_every_chart_in_order() -> None:
    *_, last = capacity(SMALL)
    assert last.result.completed
    assert tuple(one.name for one in last.result.panels) == tuple(LINES)


NAMED = CapacityConfig(3, parts=("reports", "gaussian", "noise"), public=200, pictures=50)


@pytest.fixture(scope="module")
def named() -> CapacityResult:
    *_, last = capacity(NAMED)
    return last.result


def test_errors_on_gaussian_data_are_those_of_theory_and_never_below_the_floor(named: CapacityResult) -> None:
    place = NAMED.capacities.index(100.0)
    floor, water, theory, drawn = (values(named, "gaussian_error", name)[place] for name in LINES["gaussian_error"][:4])
    assert floor < water < theory
    assert drawn == pytest.approx(theory, rel=0.02)
    real, nearest = (values(named, "gaussian_error", name)[place] for name in ("real", "nearest"))
    assert nearest < floor < real  # no floor for real pictures


def test_nobody_is_named_more_often_than_a_theorem_allows_and_a_liar_is_caught(named: CapacityResult) -> None:
    games = theorems.games(NAMED)
    for panel, attackers, limits in (
        ("reports_named", ("exact", "by_mean"), ("doubling", "fano", "general")),
        ("gaussian_named", tuple(CHANNELS), ("fano",)),
        ("noise_named", ("exact",), ("dp_limit", "dp_dimension")),
    ):
        lowest = [min(row) / 100.0 for row in zip(*(values(named, panel, one) for one in limits), strict=True)]
        for attacker in attackers:
            found = [round(one / 100.0 * games) for one in values(named, panel, attacker)]
            assert all(at_most(right, games, limit) for right, limit in zip(found, lowest, strict=True))
        some = next(limit for limit in lowest if limit < 0.5)
        assert not at_most(round((some + 0.25) * games), games, some)
    assert values(named, "reports_named", "exact")[-1] == 100.0
    assert values(named, "reports_named", "by_mean")[4] < values(named, "reports_named", "exact")[4]


def test_what_was_told_is_never_significantly_more_than_the_capacity(named: CapacityResult) -> None:
    for panel, limits in (("reports_told", ("channel",)), ("noise_told", ("dp_limit", "dp_dimension"))):
        found = named.panel(panel)
        for limit in limits:
            for own, most in zip(found.line("exact").points, found.line(limit).points, strict=True):
                assert own.value - 3.5 * (own.value - own.lower) <= most.value + 1e-9  # 6.5 standard errors or more
    assert values(named, "reports_told", "exact")[-1] == pytest.approx(math.log(200), abs=0.01)


def test_what_one_report_tells_of_two_opposite_candidates_is_its_capacity() -> None:
    """There the capacity is reached: each report tells log(2c) or log(2 - 2c), the former with probability c."""
    mechanism, games = LdpSgd(1.0, 1.0), 400
    span = torch.tensor([[1.0], [-1.0]], dtype=torch.float64), torch.full((2,), 2.0, dtype=torch.float64)
    c = math.e / (1.0 + math.e)
    told_ = []
    for game in range(games):
        drawn = scores_of_reports(mechanism, span, game % 2, 400, (1,), Generator().manual_seed(game))
        ((scores, _),) = drawn
        told_.append(theorems._nats(scores, game % 2))
    gains, losses = math.log(2.0 * c), math.log(2.0 - 2.0 * c)
    assert all(min(abs(one - gains), abs(one - losses)) < 1e-9 for one in told_)
    assert accepts(sum(one > 0.0 for one in told_), games, c)
    assert c * gains + (1.0 - c) * losses == pytest.approx(information.report_information(1.0), abs=1e-12)


@pytest.mark.parametrize(("field", "value"), [("public", 5_000), ("pictures", 10_000)])
def test_more_pictures_than_there_are_is_refused(field: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"^{field}, at least [0-9]+, must be at most the [0-9,]+ "):
        list(capacity(replace(SMALL, **{field: value})))


def test_the_command_repeats_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = replace(SMALL, parts=("compression", "direction"), capacities=(12.5, 100.0))
    words = record.command(config).split()[3:]
    assert main([*words, "--json", str(tmp_path / "one.json")]) == 0
    found = record.from_json((tmp_path / "one.json").read_bytes(), CapacityResult)
    assert found.config == config
    assert record.command(config) in capsys.readouterr().out


@pytest.mark.parametrize(("goal", "exact"), [("error:0.02", 0.02), ("budget:200", 200.0), ("named:0.05", 0.05)])
def test_a_goal_is_measured_as_the_largest_capacity_that_keeps_it(goal: str, exact: float) -> None:
    """A little more of the same channel misses it (much more, where luck is counted); the charts are those of it."""
    config = replace(SMALL, parts=("compression",), goal=goal, rounds=4)
    *_, last = capacity(config)
    kept = last.result.kept
    *_, plain = capacity(replace(config, goal="", capacity=kept.capacity))
    for name in ("largest", "random"):
        found, wanted = (values(one, "compression_told", name) for one in (last.result, plain.result))
        assert found == pytest.approx(wanted)
    setting = Setting(config, ended(loaded(lambda *_: None, "digits", None, False)))
    for factor, keeps in ((1.0, True), (2.0 if goal.startswith("named") else 1.01, False)):
        channel = setting.channel("natural", factor * kept.capacity)
        told = {
            "error": channel.wiener_error() >= exact * (1.0 - 1e-9),
            "budget": channel.capacity(4) <= exact * (1.0 + 1e-9),
            "named": theorems.named_share(setting, channel) <= exact,
        }[goal.partition(":")[0]]
        assert told is keeps
    assert kept.sigma == pytest.approx(setting.channel("natural", kept.capacity).sigma)
    said = report.report(last.result, english())
    assert f"C may be at most {kept.capacity:.4g} nats: σ at least {kept.sigma:.4g}" in said.sentences[0]
    assert f"--goal {goal}" in record.command(config)


def test_a_map_of_importance_says_which_pixels_get_more_noise() -> None:
    config = replace(SMALL, parts=("similarity", "noise"), importance_map="90/00")
    setting = Setting(config, ended(loaded(lambda *_: None, "digits", None, False)))
    variance = (setting.channel("personalized", 100.0).factor ** 2).reshape(28, 28)
    assert variance[:14, :14] == pytest.approx(50.0 * variance[20, 20])
    assert "--importance-map 90/00" in record.command(config)
    empty = replace(record.measured(CapacityResult), config=config, panels=(), completed=False)
    for parts, rows in ((config.parts, ["a picture of 2 × 2 pixels"]), (("noise",), [])):
        told = report.report(replace(empty, config=replace(config, parts=parts)), english())
        assert [value for name, value in told.assumed if name == "Important pixels"] == rows


def test_a_file_that_states_what_keeps_no_goal_is_refused() -> None:
    *_, last = capacity(replace(SMALL, parts=("compression",)))
    with pytest.raises(ValueError, match="kept must be null without a goal"):
        replace(last.result, kept=Kept(1.0, 1.0))
    with pytest.raises(ValueError, match="kept must be what keeps the goal"):
        replace(last.result, config=replace(last.result.config, goal="error:0.02"))


def test_what_was_measured_in_advance_is_whole() -> None:
    result = record.measured(CapacityResult)
    assert result.completed
    assert result.config.parts == tuple(PARTS)
    assert record.command(result.config) == (
        "python -m ldp_core capacity --dataset mnist --public 1000 --pictures 200 --seed 1"
    )


@pytest.mark.nightly
def test_the_batches_that_were_measured_come_out_again(data_dir: Path) -> None:
    config = replace(record.measured(CapacityResult).config, parts=("batch", "compression"))
    *_, last = capacity(config, data_dir=data_dir)
    for name in ("batch_share", "batch_error", "batch_told", "compression_told"):
        for line in LINES[name]:
            assert values(last.result, name, line) == pytest.approx(
                values(record.measured(CapacityResult), name, line), rel=0.02
            )
