"""The claim of a DP-SGD against figures and a second computation, the law of adversaries 5 and 6, and the bounds."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm

from ldp_core.statistics import accountant, central_law
from ldp_core.statistics.accountant import Sampled, enclosure, epsilon_of, noise_for
from ldp_core.statistics.central_law import LastIterate
from ldp_core.statistics.curve_test import Thresholds, counts_at, family_of, gdp_epsilon, upper_limits
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.studies.central.result import CentralConfig, CentralResult, claimed
from ldp_core.types import TrialCounts
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
    """Return delta for remove and add by a contour integral over moments, of e^(z y) / (z (z + 1)): no grid, no FFT."""
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


def test_epsilon_is_the_published_one_and_with_the_printed_rate_within_the_promised_tolerance() -> None:
    """At q = .00427 itself, epsilon is 2.3837: 0.8 in a thousand above 2.3817."""
    for mechanism, epsilon in PUBLISHED:
        assert epsilon_of(mechanism, DELTA) == pytest.approx(epsilon, rel=2e-4)
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


def scores(mechanism: Sampled, inside: bool, games: int, seed: int = 11, phase: int = 0, **more: object) -> np.ndarray:
    size = central_law.GAMES_TOGETHER
    return np.concatenate(
        [
            central_law.games(mechanism, inside, min(size, games - start), seed, phase, start // size, **more)
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


SIGNIFICANCE = 0.05
CLAIM = Sampled(0.1, 1.1445, 50)


def judged(number: int, seed: int, actual: Sampled = CLAIM) -> TrialCounts:
    """Return the counts of games whose threshold other games have chosen."""
    other, ours = (
        [scores(CLAIM, side, number, seed, phase, actual=actual) for side in (True, False)] for phase in (0, 1)
    )
    return counts_at(Thresholds.of(*other).most_right(), *ours)


def refuted(counts: TrialCounts) -> bool:
    false_positive, false_negative = upper_limits(counts, SIGNIFICANCE)
    return false_negative < float(accountant.rough(CLAIM).tradeoff(false_positive))


def test_limits_are_clopper_and_pearsons_and_false_positives_are_guesses_in_when_out() -> None:
    counts = TrialCounts(70, 30, 5, 195)
    false_positive, false_negative = upper_limits(counts, SIGNIFICANCE)
    assert false_positive == pytest.approx(beta.ppf(0.975, 6, 195), rel=1e-6)
    assert false_negative == pytest.approx(beta.ppf(0.975, 31, 70), rel=1e-6)


def test_the_bound_at_epsilon_and_delta_is_the_papers() -> None:
    counts, delta = TrialCounts(900, 100, 40, 960), 1e-5
    positive, negative = beta.ppf(0.975, 41, 960), beta.ppf(0.975, 101, 900)
    exact = max(math.log((1 - delta - positive) / negative), math.log((1 - delta - negative) / positive))
    assert epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=delta) == pytest.approx(exact, rel=1e-6)


def test_kairouz_inequalities_hold_with_at_least_and_not_as_the_notes_print_them() -> None:
    """FP + e^epsilon FN >= 1 - delta, in both directions; printed with <=, the honest mechanism would break it."""
    curve = accountant.certified(CLAIM, DELTA)
    factor, alarms = math.exp(curve.epsilon(DELTA)), np.linspace(0.0, 1.0, 201)
    missed = curve.tradeoff(alarms)
    assert (alarms + factor * missed >= 1 - DELTA - 1e-9).all()
    assert (missed + factor * alarms >= 1 - DELTA - 1e-9).all()
    assert (alarms[1:-1] + factor * missed[1:-1] > 1 - DELTA).any()


@pytest.mark.parametrize("limits", [(0.1, 0.2), (0.02, 0.6), (0.3, 0.3), (0.5, 0.499)])
def test_the_gaussian_bound_is_that_of_the_mu_which_the_limits_refute(limits: tuple[float, float]) -> None:
    mu = norm.isf(limits[0]) - norm.ppf(limits[1])

    def excess(epsilon: float) -> float:
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - DELTA

    exact = brentq(excess, 0.0, 40.0) if excess(0.0) > 0 else 0.0
    assert gdp_epsilon(*limits, DELTA) == pytest.approx(exact, abs=1e-6)
    assert gdp_epsilon(0.6, 0.4, DELTA) == 0.0


def test_epsilon_shown_is_the_largest_of_the_family_that_is_refuted() -> None:
    """Limits on the curve of one noise refute a little more noise no less, and a little less noise not."""
    family = family_of(0.1, 50, DELTA)
    for epsilon in (1.0, 4.0):
        curve = accountant.rough(Sampled(0.1, noise_for(0.1, 50, epsilon, DELTA), 50))
        shown = family.shown(0.1, float(curve.tradeoff(0.1)))
        assert epsilon * 0.97 < shown <= epsilon * 1.001
        assert family.shown(0.1, float(curve.tradeoff(0.1)) + 0.02) < shown
    assert family.shown(0.5, 0.5) == 0.0


def test_of_another_mechanism_the_family_says_nothing_and_clopper_pearson_still_holds() -> None:
    """Randomized response at epsilon = 1: right 73 of 100. The curve "shows" nearly 10; the point bound stays below."""
    right = round(100_000 / (1 + math.exp(-1.0)))
    counts = TrialCounts(right, 100_000 - right, 100_000 - right, right)
    assert family_of(0.1, 50, DELTA).shown(*upper_limits(counts, SIGNIFICANCE)) > 9.0
    assert 0.97 < epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) <= 1.0


def test_thresholds_are_chosen_on_other_games_and_count_ties_as_in() -> None:
    offered = Thresholds.of(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0]))
    cut = offered.most_right()
    assert 1.0 < cut <= 2.0
    assert counts_at(2.0, np.array([2.0, 1.9]), np.array([2.0, 3.0, 0.0])) == TrialCounts(1, 1, 2, 1)


def test_a_bound_is_seldom_above_the_truth() -> None:
    """200 audits of 500 games in each world: none of the bounds may exceed epsilon = 4 in more than 5 %."""
    family, above, refusals = family_of(0.1, 50, DELTA), [0, 0, 0], 0
    for seed in range(200):
        counts = judged(500, seed)
        limits = upper_limits(counts, SIGNIFICANCE)
        above[0] += family.shown(*limits) > 4.0
        above[1] += epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) > 4.0
        above[2] += gdp_epsilon(*limits, DELTA) > 4.0
        refusals += refuted(counts)
    assert max(*above, refusals) <= 10


def test_five_thousand_games_show_3_2_of_4() -> None:
    family = family_of(0.1, 50, DELTA)
    shown = [family.shown(*upper_limits(judged(5_000, seed), SIGNIFICANCE)) for seed in range(12)]
    assert np.mean(shown) >= 3.2
    assert max(shown) <= 4.0


@pytest.mark.parametrize(
    ("actual", "number"),
    [
        (Sampled(0.1, 1.1445 * 0.5, 50), 300),
        (Sampled(0.2, 1.1445, 50), 600),
        (Sampled(0.1, 1.1445, 100), 2_500),
        (Sampled(0.1, 1.1445 * 0.8, 50), 3_500),
    ],
    ids=["half the noise", "twice the rate", "twice the steps", "noise x .8"],
)
def test_a_liar_is_caught_by_the_curve(actual: Sampled, number: int) -> None:
    assert sum(refuted(judged(number, seed, actual)) for seed in range(5)) == 5


def test_four_fifths_of_the_noise_are_caught_by_two_thousand_games() -> None:
    """Power .977 at 2,000 judged games in each world; measured here on 40 audits."""
    caught = sum(refuted(judged(2_000, seed, Sampled(0.1, 1.1445 * 0.8, 50))) for seed in range(40))
    assert caught >= 38
    assert accepts(caught, 40, 0.977)


def test_one_thousand_games_cannot_show_3_6_of_4_by_the_point() -> None:
    """What the notes say: "3.6 at epsilon = 4". The best attacker's bound has a mean near 1 at most."""
    from ldp_core.studies.central.result import expected_point_bound

    assert expected_point_bound(0.1, 1.1445, 50, DELTA, 1_000) < 1.3
    for seed in range(10):
        counts = judged(1_000, seed)
        assert epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) < 2.0


def test_the_result_derives_everything_from_its_counts() -> None:
    config = CentralConfig("malicious-data", 1, epsilon=4.0, games=300, law=True)
    assert claimed(config).noise == pytest.approx(1.1446, abs=2e-4)
    honest = judged(300, 1)
    liar = judged(300, 2, Sampled(0.1, 1.1445 * 0.4, 50))
    found = [CentralResult(config, counts, counts, True, 1.0, "cpu", {}) for counts in (honest, liar)]
    assert [one.verdict for one in found] == ["claim_not_rejected", "claim_rejected"]
    assert found[0].curve <= 4.0 < found[1].curve
    with pytest.raises(ValueError, match="completed must be"):
        CentralResult(config, honest, honest, False, 1.0, "cpu", {})
