"""What information theory allows, each formula against an independent computation, and a liar for each limit."""

import itertools
import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import beta

from ldp_core.channels import CHANNELS
from ldp_core.learning.sent import ReportNoise, span_reports
from ldp_core.mechanisms import LdpSgd
from ldp_core.statistics import information
from tests.helpers.binomial import accepts

Values = NDArray[np.float64]


def gaussian_information(signal: Values, noise: Values) -> float:
    """Return I(X; X + N) from the joint covariance of both: the determinants of the parts over that of the whole."""
    joint = np.block([[signal, signal], [signal, signal + noise]])
    logs = [np.linalg.slogdet(part)[1] for part in (signal, signal + noise, joint)]
    return float(0.5 * (logs[0] + logs[1] - logs[2]))


@pytest.fixture
def covariance() -> Values:
    mixing = np.random.default_rng(1).normal(size=(8, 8)) * np.array([3.0, 2.0, 1.0, 1.0, 0.5, 0.3, 0.2, 0.1])
    return np.asarray(mixing.T @ mixing)


def test_capacity_is_the_information_of_the_joint_gaussian(covariance: Values) -> None:
    """The paper's Theorem 2; also for a batch's mean (Appendix D), a compression (Appendix E), and several rounds."""
    eigenvalues, unit = information.eigenvalues_of(covariance), np.eye(8)
    assert information.capacity(eigenvalues, 0.7) == pytest.approx(gaussian_information(covariance, 0.7 * unit))
    assert information.batch_capacity(eigenvalues, 0.7, 16) == pytest.approx(
        gaussian_information(covariance / 16, 0.7 * unit)
    )
    rounds = np.kron(np.ones((5, 5)), covariance)  # five copies of one picture, each with noise of its own
    total = rounds + 0.7 * np.eye(40)
    whole = np.linalg.slogdet(total)[1] - 40 * math.log(0.7)
    assert information.capacity(eigenvalues, 0.7, 5) == pytest.approx(0.5 * whole)
    kept = np.array([True, False, True, True, False, True, False, True])
    seen = covariance[np.ix_(kept, kept)]
    joint = np.block([[covariance, covariance[:, kept]], [covariance[kept], seen + 0.7 * np.eye(5)]])
    logs = [np.linalg.slogdet(part)[1] for part in (covariance, seen + 0.7 * np.eye(5), joint)]
    expected = 0.5 * (logs[0] + logs[1] - logs[2])  # of the whole picture, dropped coordinates too
    assert information.capacity(information.eigenvalues_of(seen), 0.7) == pytest.approx(expected)
    assert expected < information.capacity(eigenvalues, 0.7)


def test_capacity_of_one_number_by_quadrature() -> None:
    """Entropy of the output minus that of the noise, both integrated; less for data that are not Gaussian."""
    noise, grid = 0.5, np.linspace(-30.0, 30.0, 60_001)

    def entropy(density: Values) -> float:
        positive = np.maximum(density, 1e-300)
        return float(-(positive * np.log(positive)).sum() * (grid[1] - grid[0]))

    def normal(variance: float, mean: float = 0.0) -> Values:
        return np.asarray(np.exp(-((grid - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance))

    limit = information.capacity(np.array([2.0]), noise)
    assert entropy(normal(2.0 + noise)) - entropy(normal(noise)) == pytest.approx(limit, abs=1e-9)
    coin = (normal(noise, math.sqrt(2.0)) + normal(noise, -math.sqrt(2.0))) / 2
    assert entropy(coin) - entropy(normal(noise)) < limit


def test_noise_for_is_the_inverse_of_capacity(covariance: Values) -> None:
    eigenvalues = information.eigenvalues_of(covariance)
    for wanted in (1e-3, 1.0, 10.0, 60.0):
        assert abs(information.capacity(eigenvalues, information.noise_for(eigenvalues, wanted)) - wanted) < 1e-6


def test_the_diagonal_bound_lies_above_the_capacity_and_meets_it_without_correlation(covariance: Values) -> None:
    weights = np.array([1.0, 5.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0])
    exact = gaussian_information(covariance, 0.7 * np.diag(weights))
    assert information.diagonal_capacity(np.diag(covariance), weights, 0.7) > exact
    alone = gaussian_information(np.diag(np.diag(covariance)), 0.7 * np.diag(weights))
    assert information.diagonal_capacity(np.diag(covariance), weights, 0.7) == pytest.approx(alone)


def bayes(law: Values) -> tuple[float, float]:
    """Return how often the best guess is right, and the mutual information, of N equal inputs; law of shape (N, m)."""
    joint = law / len(law)
    output = joint.sum(axis=0)
    ratio = np.where(joint > 0.0, joint, 1.0) / np.where(joint > 0.0, output / len(law), 1.0)
    return float(joint.max(axis=0).sum()), float((joint * np.log(ratio)).sum())


def test_fano_holds_for_every_enumerated_channel_and_not_with_half_the_information() -> None:
    generator = np.random.default_rng(0)
    for _ in range(200):
        number = int(generator.integers(2, 12))
        law = generator.dirichlet(np.full(int(generator.integers(2, 15)), generator.uniform(0.05, 2.0)), number)
        right, told = bayes(law)
        assert right <= information.fano_limit(told, number) + 1e-12
    right, told = bayes(np.eye(64))
    assert right == 1.0
    assert information.fano_limit(told, 64) == 1.0
    assert right > information.fano_limit(0.5 * told, 64)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_the_general_limit_is_met_by_randomized_response_and_broken_by_a_liar(epsilon: float) -> None:
    """Every sequence of answers is enumerated; one report meets the limit, more stay below it."""
    number = 4
    true = math.exp(epsilon) / (math.exp(epsilon) + number - 1)
    one = np.full((number, number), (1.0 - true) / (number - 1)) + np.eye(number) * (true - (1.0 - true) / (number - 1))
    assert bayes(one)[0] == pytest.approx(information.general_limit(epsilon, 1, number), abs=1e-12)
    for reports in (2, 3):
        answers = list(itertools.product(range(number), repeat=reports))
        law = np.array([[math.prod(one[victim, answer] for answer in some) for some in answers] for victim in range(4)])
        assert bayes(law)[0] <= information.general_limit(epsilon, reports, number) + 1e-12
    assert bayes(one)[0] > information.general_limit(0.9 * epsilon, 1, number)  # a mechanism that claims less


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_the_doubling_limit_on_a_circle_by_quadrature(epsilon: float) -> None:
    """Updates all around a circle: every report has some candidate on its side, so one report meets (2c)/N."""
    number, places = 12, 720
    angles = (np.arange(places) + 0.5) * 2 * math.pi / places
    candidates = np.arange(number) * 2 * math.pi / number
    c = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    own = np.cos(angles[None] - candidates[:, None]) > 0.0
    law = np.where(own, c, 1.0 - c) * 2.0 / places
    right, told = bayes(law)
    assert right == pytest.approx(information.doubling_limit(epsilon, 1, number), abs=1e-12)
    assert told <= information.report_information(epsilon) + 1e-12
    two = (law[:, :, None] * law[:, None, :]).reshape(number, -1)
    assert information.general_limit(epsilon, 2, number) >= bayes(two)[0]
    assert bayes(two)[0] <= information.doubling_limit(epsilon, 2, number) + 1e-12
    assert bayes(two)[1] <= 2 * information.report_information(epsilon) + 1e-12
    honest = information.doubling_limit(0.9 * epsilon, 1, number)
    assert right > honest  # a mechanism that claims less than it spends


def test_the_gaussian_floor_is_the_best_of_all_numbers_of_components(covariance: Values) -> None:
    eigenvalues = information.eigenvalues_of(covariance)
    for told in (0.0, 1.0, 5.0, 40.0):
        tried = [k / 8 * math.exp((sum(math.log(one) for one in eigenvalues[:k]) - 2 * told) / k) for k in range(1, 9)]
        floor, best = information.gaussian_model_floor(eigenvalues, told)
        assert floor == pytest.approx(max(tried))
        assert tried[best - 1] == max(tried)


def test_water_filling_against_a_general_optimizer(covariance: Values) -> None:
    eigenvalues = information.eigenvalues_of(covariance)
    for told in (0.5, 3.0, 10.0):
        budget = {"type": "ineq", "fun": lambda logs, told=told: told - 0.5 * (np.log(eigenvalues) - logs).sum()}
        found = minimize(
            lambda logs: np.exp(logs).sum(), np.log(eigenvalues) - 2 * told / 8, method="SLSQP", constraints=[budget],
            bounds=[(None, math.log(one)) for one in eigenvalues], options={"maxiter": 500, "ftol": 1e-12},
        )  # fmt: skip
        assert information.water_filling(eigenvalues, told) == pytest.approx(found.fun / 8, rel=1e-5)
        assert information.gaussian_model_floor(eigenvalues, told)[0] <= information.water_filling(eigenvalues, told)


def test_theorem_4_in_both_forms() -> None:
    """Against the determinant of a batch's sum whose energy is spread over all directions, and its limit."""
    for dimension in (3, 50, 700):
        signal, noise = np.eye(dimension) * 128 / dimension, 0.8**2 * np.eye(dimension)
        expected = 0.5 * (np.linalg.slogdet(signal + noise)[1] - np.linalg.slogdet(noise)[1])
        assert information.dp_sgd_capacity(0.8, 128, dimension) == pytest.approx(expected)
        assert expected < information.dp_sgd_capacity(0.8, 128)
    assert information.dp_sgd_capacity(0.8, 128, 10**9) == pytest.approx(
        information.dp_sgd_capacity(0.8, 128), rel=1e-6
    )
    # any other way to spread the energy tells less
    uneven = np.diag([100.0, 20.0, 8.0])
    assert gaussian_information(uneven, 0.64 * np.eye(3)) < information.dp_sgd_capacity(0.8, 128, 3)


@pytest.mark.parametrize("name", ["natural", "white", "personalized"])
def test_wiener_errs_as_theory_says_on_gaussian_data_and_a_liar_errs_less_than_any_floor(name: str) -> None:
    generator = np.random.default_rng(3)
    values = 2.0 ** -np.arange(12.0)
    turn = np.linalg.qr(generator.normal(size=(12, 12)))[0]
    covariance = (turn * values) @ turn.T
    for wanted in (2.0, 8.0):
        fit = CHANNELS[name].fit(covariance, wanted, np.where(np.arange(12) < 3, 5.0, 1.0))
        pictures = (generator.normal(size=(20_000, 12)) * np.sqrt(values)) @ turn.T
        sent = fit.add_to(pictures, generator.normal(size=pictures.shape))
        error = float(((sent @ fit.wiener().T - pictures) ** 2).mean())
        assert error == pytest.approx(fit.wiener_error(), rel=0.02)
        floor = information.gaussian_model_floor(values, fit.capacity())[0]
        assert error >= floor
        assert error >= 0.98 * information.water_filling(values, fit.capacity())
        told = 0.9 * pictures + 0.1 * (sent @ fit.wiener().T)  # who was told most of the picture
        assert float(((told - pictures) ** 2).mean()) < floor
    if name == "natural":
        assert information.wiener_error(values, fit.sigma**2) / 12 == pytest.approx(fit.wiener_error())


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("length", [0.3, 1.0, 5.0])
def test_what_is_drawn_without_reports_has_the_law_of_reports(length: float) -> None:
    """Sides and sizes along the update are exact binomials; two draws of one law exceed each other half of the time."""
    dimension, trials, counts = 40, 4_000, (1, 7)
    mechanism, generator = LdpSgd(1.0, 1.0), torch.Generator().manual_seed(5)
    update = torch.zeros(dimension, dtype=torch.float64)
    update[0] = length
    own = 0.5 + min(length, 1.0) * (mechanism.same_side_probability - 0.5)
    middle = math.sqrt(beta.ppf(0.5, 0.5, (dimension - 1) / 2))
    reports = mechanism.randomize(update, trials * counts[-1], generator).reshape(trials, counts[-1], dimension)
    span = torch.cat(list(span_reports(mechanism, update[:3] / length, length, dimension, trials, generator)))
    drawn = torch.stack(
        [
            ReportNoise(dimension, counts[-1], generator).means(mechanism, update / length, length, counts)
            for _ in range(trials)
        ]
    )
    for first in (reports[:, 0, 0], span[:, 0].double(), drawn[:, 0, 0]):
        assert accepts(int((first > 0.0).sum()), trials, own)
        assert accepts(int((first > middle).sum()), trials, own / 2)
        assert not accepts(int((first > 0.0).sum()), trials, min(0.99, own + 0.15))  # a coin that is wrong is seen
    means = reports.mean(dim=1)
    for one, other in ((means, drawn[:, 1]), (reports[:, 0], drawn[:, 0])):
        for measure in (
            lambda some: some[:, 0],
            lambda some: some[:, 1:].norm(dim=1),
            lambda some: some.norm(dim=1),
            lambda some: some[:, 1].abs(),
        ):
            left, right = measure(one), measure(other)
            if (left - right).abs().max() > 1e-6:  # single reports all have length 1
                assert accepts(int((left > right).sum()), trials, 0.5)
    assert not accepts(int((means[:, 1:].norm(dim=1) > 1.1 * drawn[:, 1, 1:].norm(dim=1)).sum()), trials, 0.5)
