"""The claim of a DP-SGD against published figures and a second computation, and the law of adversaries 5 and 6."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom, norm

from ldp_core.statistics import accountant, central_law
from ldp_core.statistics.accountant import Sampled, enclosure, epsilon_of, noise_for
from ldp_core.statistics.central_law import LastIterate
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.law
DELTA = 1e-5
ABADI = Sampled(256 / 60_000, 1.1, 14_062)
PUBLISHED = [(Sampled(0.1, 2.0, 50), 1.6525), (Sampled(0.1, 1.0, 200), 9.971), (ABADI, 2.3817)]
"""dp-accounting 0.6.0, PLD at a grid of 1e-4. The last one is of q = 256/60,000, which is often printed as .00427."""
NOISES = {1.0: 2.9297, 2.0: 1.7503, 4.0: 1.1445, 10.0: 0.7226}
RIGHT = {1.0: (54.9, 54.8, 0.97), 2.0: (58.4, 58.0, 1.83), 4.0: (63.6, 61.9, 3.21), 10.0: (73.3, 68.1, 6.31)}
"""Right guesses of 100 from all iterates and from the last one, and epsilon(delta) of the last one; q = .1, T = 50."""


def delta_by_contour(mechanism: Sampled, epsilon: float) -> tuple[float, float]:
    """Return delta for remove and add by a contour integral over moments: no grid of losses, no FFT.

    (1 - e^-y)^+ is (1 / 2 pi i) times the integral of e^(z y) / (z (z + 1)) over a vertical line of real part above 0.
    """
    rate, noise, steps = mechanism.sampling_rate, mechanism.noise, mechanism.steps
    nodes, weights = np.polynomial.legendre.leggauss(600)
    low, high = -12.0 * noise, 1.0 + 12.0 * noise
    nodes, weights = (high + low + (high - low) * nodes) / 2, weights * (high - low) / 2
    out = norm.pdf(nodes, 0.0, noise)
    ratio = (1.0 - rate) + rate * np.exp((2.0 * nodes - 1.0) / (2.0 * noise**2))
    found = []
    for law, losses in ((out * ratio, np.log(ratio)), (out, -np.log(ratio))):

        def log_moment(z: np.ndarray, law: np.ndarray = law, losses: np.ndarray = losses) -> np.ndarray:
            exponents = np.multiply.outer(z, losses)
            tops = exponents.real.max(axis=1)
            return tops + np.log(np.exp(exponents - tops[:, None]) @ (law * weights))

        candidates = np.geomspace(0.05, 60.0, 100)
        heights = steps * log_moment(candidates).real - candidates * epsilon - np.log(candidates * (candidates + 1))
        best = int(np.argmin(heights))
        curvature = np.gradient(np.gradient(heights, candidates), candidates)[best]
        reach = 40.0 / math.sqrt(max(float(curvature), 0.02))
        z = candidates[best] + 1j * np.linspace(0.0, reach, 1_500)
        values = np.exp(steps * log_moment(z) - z * epsilon) / (z * (z + 1.0))
        found.append(float(np.trapezoid(values.real, z.imag) / math.pi))
    return found[0], found[1]


@pytest.mark.parametrize(("mechanism", "epsilon"), PUBLISHED, ids=["50 steps", "200 steps", "14,062 steps"])
def test_epsilon_is_the_published_one(mechanism: Sampled, epsilon: float) -> None:
    assert epsilon_of(mechanism, DELTA) == pytest.approx(epsilon, rel=2e-4)


def test_the_printed_rate_is_within_the_promised_tolerance() -> None:
    """At q = .00427 itself, epsilon is 2.3837: 0.8 in a thousand above 2.3817."""
    assert epsilon_of(Sampled(0.00427, 1.1, 14_062), DELTA) == pytest.approx(2.3817, rel=1e-3)


GRID = [
    *(mechanism for mechanism, _ in PUBLISHED),
    Sampled(0.00427, 1.1, 14_062),
    Sampled(0.01, 0.8, 500),
    Sampled(0.5, 4.0, 100),
    Sampled(0.999, 3.0, 5),
    Sampled(0.1, 1.0, 8),
]


@pytest.mark.few(3)
@pytest.mark.parametrize("mechanism", GRID, ids=lambda value: f"{value.sampling_rate:g}-{value.noise}-{value.steps}")
def test_both_ends_enclose_a_second_computation(mechanism: Sampled) -> None:
    lower, upper = enclosure(mechanism, DELTA)
    assert 0.0 <= upper - lower <= 1e-4 * max(1.0, upper)
    slack = 1e-3 * max(1.0, upper)
    assert max(delta_by_contour(mechanism, upper)) <= DELTA * (1 + 1e-6)
    assert max(delta_by_contour(mechanism, lower)) >= DELTA * (1 - 1e-6)
    assert max(delta_by_contour(mechanism, upper - slack)) > DELTA
    curve = accountant.certified(mechanism, DELTA)
    for epsilon in (0.2, upper):
        for ours, exact in zip(curve.deltas(epsilon), delta_by_contour(mechanism, epsilon), strict=True):
            assert exact - 1e-9 <= ours <= exact * (1 + 1e-3) + 1e-9


def test_all_records_in_every_batch_is_the_gaussian_mechanism() -> None:
    """At q = 1 the whole is one Gaussian step of noise sigma / sqrt(T): Balle and Wang 2018, Theorem 8."""
    mechanism = Sampled(1.0, 5.0, 16)
    mu = math.sqrt(16) / 5.0
    epsilon = epsilon_of(mechanism, DELTA)
    exact = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    assert exact == pytest.approx(DELTA, rel=1e-3)
    alarms = np.linspace(0.01, 0.99, 33)
    curve = accountant.certified(mechanism, DELTA)
    np.testing.assert_allclose(curve.tradeoff(alarms), norm.cdf(norm.isf(alarms) - mu), atol=2e-4)


@pytest.mark.parametrize(("noise", "steps"), [(2.0, 100), (1.5, 100), (0.3, 4), (1.0, 100), (0.3, 400)])
def test_a_large_epsilon_is_that_of_the_gaussian_mechanism(noise: float, steps: int) -> None:
    """33.1, 49.9, 49.9 and 92.2: e^epsilon times what FFT leaves of a small mass would hide it."""
    mu = math.sqrt(steps) / noise

    def excess(epsilon: float) -> float:
        below = math.exp(epsilon + float(norm.logcdf(-mu / 2 - epsilon / mu)))
        return float(norm.cdf(mu / 2 - epsilon / mu)) - below - DELTA

    exact = brentq(excess, 0.0, 600.0) if mu < 30.0 else math.inf
    lower, upper = enclosure(Sampled(1.0, noise, steps), DELTA)
    if exact > accountant.MOST_EPSILON:
        assert math.isinf(upper)
    else:
        assert lower - 1e-6 <= exact <= upper + 1e-6
        assert upper - lower < 1e-3 * exact


@pytest.mark.parametrize("mechanism", [Sampled(0.1, 0.1, 1), Sampled(0.3, 0.3, 1), Sampled(0.001, 0.2, 1)])
def test_one_step_of_little_noise_is_that_of_its_two_densities(mechanism: Sampled) -> None:
    """delta(epsilon) in closed form: with the record, the loss is above epsilon right of one place."""
    rate, noise = mechanism.sampling_rate, mechanism.noise

    def excess(epsilon: float) -> float:
        place = 0.5 + noise**2 * math.log((math.exp(epsilon) - 1.0 + rate) / rate)
        caught = (1.0 - rate) * norm.sf(place / noise) + rate * norm.sf((place - 1.0) / noise)
        return float(caught - math.exp(epsilon + norm.logsf(place / noise))) - DELTA

    exact = brentq(excess, 1e-9, 400.0)
    lower, upper = enclosure(mechanism, DELTA)
    assert lower - 1e-6 <= exact <= upper + 1e-6
    assert upper - lower < 1e-3 * exact


@pytest.mark.nightly
@pytest.mark.parametrize(
    "mechanism", [Sampled(0.01, 0.4, 1_000), Sampled(0.001, 0.3, 1_000), Sampled(0.004, 0.66785, 18_000)]
)
def test_little_noise_over_many_steps_is_told_and_at_most_the_second_computation(mechanism: Sampled) -> None:
    lower, upper = enclosure(mechanism, DELTA)
    assert max(delta_by_contour(mechanism, upper)) <= DELTA * (1 + 1e-6)
    assert max(delta_by_contour(mechanism, upper * (1 - 1e-3))) > DELTA
    assert max(delta_by_contour(mechanism, lower)) >= DELTA * (1 - 1e-6)


def test_a_million_steps_have_an_epsilon() -> None:
    """At q = 1e-4, sigma = 4 the whole is nearly Gaussian; the curve of that has 0.95 of it at least."""
    lower, upper = enclosure(Sampled(1e-4, 4.0, 1_000_000), DELTA)
    mu = 1e-4 * math.sqrt(1_000_000 * math.expm1(1 / 16))
    near = brentq(lambda e: norm.cdf(mu / 2 - e / mu) - math.exp(e) * norm.cdf(-mu / 2 - e / mu) - DELTA, 1e-9, 10.0)
    assert lower <= upper
    assert upper == pytest.approx(near, rel=0.05)


def test_one_step_has_the_curve_of_its_two_densities() -> None:
    rate, noise = 0.3, 0.7
    curve = accountant.certified(Sampled(rate, noise, 1), DELTA)
    cuts = np.linspace(-2.0, 3.0, 41)
    alarms, missed = norm.sf(cuts / noise), (1 - rate) * norm.cdf(cuts / noise) + rate * norm.cdf((cuts - 1) / noise)
    np.testing.assert_allclose(curve.tradeoff(alarms), missed, atol=1e-3)
    np.testing.assert_allclose(curve.inverse(missed), alarms, atol=1e-3)


def test_the_curve_is_convex_falling_and_valid_in_both_directions() -> None:
    curve = accountant.rough(Sampled(0.1, 1.1445, 50))
    alarms = np.linspace(0.0, 1.0, 501)
    missed = curve.tradeoff(alarms)
    assert (np.diff(missed) <= 1e-12).all()
    assert (np.diff(missed, 2) >= -1e-9).all()
    assert (missed <= 1.0 - alarms + 1e-12).all()
    np.testing.assert_allclose(curve.inverse(missed[missed > 0]), alarms[missed > 0], atol=1e-6)
    for epsilon in (0.5, 2.0, 4.0):
        remove, add = curve.deltas(epsilon)
        assert remove == pytest.approx(float(np.max(1.0 - missed - math.exp(epsilon) * alarms)), abs=1e-4)
        assert add == pytest.approx(float(np.max(1.0 - alarms - math.exp(epsilon) * missed)), abs=1e-4)


@pytest.mark.parametrize("epsilon", NOISES)
def test_the_noise_of_an_epsilon_is_the_least(epsilon: float) -> None:
    noise = noise_for(0.1, 50, epsilon, DELTA)
    assert noise == pytest.approx(NOISES[epsilon], abs=1.5e-4)
    assert epsilon_of(Sampled(0.1, noise, 50), DELTA) <= epsilon
    assert max(delta_by_contour(Sampled(0.1, noise - 2e-4, 50), epsilon)) > DELTA


@pytest.mark.parametrize(
    ("rate", "steps", "epsilon"),
    [(0.1, 100, 0.01), (0.2, 20, 0.3), pytest.param(0.1, 50, 20.0, marks=pytest.mark.nightly)],
)
def test_the_noise_of_a_small_or_a_large_epsilon_is_the_least_too(rate: float, steps: int, epsilon: float) -> None:
    noise = noise_for(rate, steps, epsilon, DELTA)
    assert epsilon_of(Sampled(rate, noise, steps), DELTA) <= epsilon
    assert epsilon_of(Sampled(rate, noise * 0.999, steps), DELTA) > epsilon


@pytest.mark.parametrize("epsilon", RIGHT)
def test_right_guesses_from_all_iterates_and_from_the_last(epsilon: float) -> None:
    mechanism = Sampled(0.1, NOISES[epsilon], 50)
    every, last, shown = RIGHT[epsilon]
    law = LastIterate(mechanism)
    assert 100 * accountant.rough(mechanism).identification == pytest.approx(every, abs=0.06)
    assert 100 * law.identification == pytest.approx(last, abs=0.06)
    assert law.epsilon(DELTA) == pytest.approx(shown, abs=0.006)
    spread = mechanism.noise * math.sqrt(50)

    def gap(place: float) -> float:
        inside = binom.pmf(np.arange(51), 50, 0.1) @ norm.pdf(place, np.arange(51), spread)
        return abs(float(inside - norm.pdf(place, 0.0, spread)))

    distance = quad(gap, -9.0 * spread, 50.0 + 9.0 * spread, limit=400)[0] / 2
    assert law.identification == pytest.approx(0.5 + distance / 2, abs=1e-6)


def scores(mechanism: Sampled, inside: bool, games: int, **more: object) -> np.ndarray:
    size = central_law.GAMES_TOGETHER
    return np.concatenate(
        [
            central_law.games(mechanism, inside, min(size, games - start), 11, 0, start // size, **more)
            for start in range(0, games, size)
        ]
    )


def test_games_by_the_law_lie_on_the_curve_at_every_threshold() -> None:
    mechanism, games = Sampled(0.1, 1.1445, 50), 40_000
    curve = accountant.certified(mechanism, DELTA)
    found = {inside: scores(mechanism, inside, games) for inside in (True, False)}
    for cut in (-0.5, 0.0, 0.7, 2.0, 3.5):
        alarms = float(curve.outside[curve.losses >= cut].sum())
        caught = float(curve.inside[curve.losses >= cut].sum())
        assert accepts(int((found[False] >= cut).sum()), games, alarms)
        assert accepts(int((found[True] >= cut).sum()), games, caught)


def test_the_sum_has_the_law_of_the_last_iterate() -> None:
    mechanism, games = Sampled(0.1, 1.1445, 50), 40_000
    law, spread = LastIterate(mechanism), 1.1445 * math.sqrt(50)
    found = {inside: scores(mechanism, inside, games, rule="sum") for inside in (True, False)}
    for alarms in (0.01, 0.1, 0.5, 0.9):
        cut = spread * norm.isf(alarms)
        assert accepts(int((found[False] >= cut).sum()), games, alarms)
        assert accepts(int((found[True] < cut).sum()), games, float(law.tradeoff(alarms)))


@pytest.mark.parametrize(
    ("wrong", "games"),
    [(Sampled(0.1, 1.1445 * 0.5, 50), 4_000), (Sampled(0.2, 1.1445, 50), 4_000), (Sampled(0.1, 1.1445, 100), 12_000)],
    ids=["noise", "rate", "steps"],
)
def test_games_of_a_liar_do_not_have_the_claimed_law(wrong: Sampled, games: int) -> None:
    claim = Sampled(0.1, 1.1445, 50)
    curve = accountant.rough(claim)
    found = {inside: scores(claim, inside, games, actual=wrong) for inside in (True, False)}
    same = [
        accepts(int((found[inside] >= cut).sum()), games, float(law[curve.losses >= cut].sum()))
        for cut in (0.0, 2.0)
        for inside, law in ((True, curve.inside), (False, curve.outside))
    ]
    assert not all(same)


@pytest.mark.nightly
def test_the_noise_of_many_steps_is_found_although_too_little_noise_would_not_fit_the_memory() -> None:
    assert noise_for(256 / 60_000, 14_062, 2.3817, DELTA) == pytest.approx(1.1, abs=3e-4)


@pytest.mark.nightly
def test_far_too_little_noise_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="take fewer steps or more noise"):
        epsilon_of(Sampled(0.5, 0.1, 100_000), DELTA)
