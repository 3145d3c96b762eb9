"""The laws of a shuffled list and of a sum, held against enumeration, integrals, other formulas and papers' bounds."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from ldp_core.statistics import theory, views
from ldp_core.statistics.amplification import Shuffled, clones, clones_pair, feldman_2021, feldman_2023
from ldp_core.types import PairGeometry

DELTA = 1e-5


def pair(angle: float, first: float = 1.0, second: float = 1.0) -> PairGeometry:
    return PairGeometry(angle, first, second, "test")


def histograms(law: Shuffled) -> tuple[np.ndarray, np.ndarray]:
    """Return both likelihoods of every histogram, from the sender's place in it alone: no score, no lattice."""
    n, symbols = law.clients, len(law.first)
    found = []
    for own in (law.first, law.second):
        chances: dict[tuple[int, ...], float] = {}
        for counts in itertools.product(range(n), repeat=symbols - 1):
            rest = n - 1 - sum(counts)
            if rest < 0:
                continue
            others = (*counts, rest)
            weight = float(multinomial.pmf(others, n - 1, law.others))
            for symbol in range(symbols):
                seen = tuple(count + (place == symbol) for place, count in enumerate(others))
                chances[seen] = chances.get(seen, 0.0) + weight * own[symbol]
        found.append(chances)
    keys = sorted(found[0].keys() | found[1].keys())
    return tuple(np.array([chances.get(key, 0.0) for key in keys]) for chances in found)  # type: ignore[return-value]


@pytest.mark.parametrize("others", ["uniform", "agree"])
@pytest.mark.parametrize(("angle", "first", "second"), [(180.0, 1.0, 1.0), (86.0, 1.0, 1.0), (120.0, 0.9, 0.4)])
@pytest.mark.parametrize("clients", [1, 2, 7])
def test_the_law_of_a_shuffled_list_is_that_of_every_histogram(
    clients: int, angle: float, first: float, second: float, others: str
) -> None:
    law = views.shuffled_view(3.0, 1.0, pair(angle, first, second), clients, others)
    one, two = histograms(law)
    assert law.identification() == pytest.approx(0.5 + np.abs(one - two).sum() / 4, abs=2e-6)
    for epsilon in (0.0, 0.3, 1.5):
        exact = max(np.maximum(a - math.exp(epsilon) * b, 0).sum() for a, b in ((one, two), (two, one)))
        assert exact - 1e-12 <= law.delta(epsilon) <= exact + 2e-5


def lunes_identification(epsilon: float, angle_degrees: float, clients: int) -> float:
    """Return the most right guesses for a pair of full norms and others uniform in its plane, by an integral.

    1/2 + (phi/2pi) tanh(eps/2) (1/2pi) Int_0^2pi (1 + cos t)(1 - (phi/pi)(1 - cos t))^(n-1) dt: the attacker counts the
    reports on the first gradient's side only, less those on the second's side only.
    """
    turn, nodes = angle_degrees / 180.0, 4 * clients + 64  # a trigonometric polynomial: the mean over nodes is exact
    angles = np.arange(nodes) * (2.0 * math.pi / nodes)
    mean = float(((1.0 + np.cos(angles)) * (1.0 - turn * (1.0 - np.cos(angles))) ** (clients - 1)).mean())
    return 0.5 + turn / 2.0 * math.tanh(epsilon / 2.0) * mean


@pytest.mark.parametrize(("angle", "clients"), [(180.0, 1), (180.0, 100), (86.0, 10), (30.0, 1_000)])
def test_others_who_are_uniform_have_the_law_of_the_integral(angle: float, clients: int) -> None:
    law = views.shuffled_view(4.0, 1.0, pair(angle), clients, "uniform")
    assert law.identification() == pytest.approx(lunes_identification(4.0, angle, clients), abs=2e-6)
    if clients == 1:
        assert law.identification() == pytest.approx(theory.cosine_identification(4.0, angle, 1.0, 1.0, 1.0), abs=1e-12)


def test_all_who_agree_have_the_law_of_two_binomials() -> None:
    n, c = 100, views.own_side(4.0, 1.0, 1.0)
    kept, counts = binom.pmf(np.arange(n), n - 1, c), np.zeros((2, n + 1))
    for row, own in enumerate((c, 1 - c)):
        counts[row, 1:] += own * kept
        counts[row, :-1] += (1 - own) * kept
    law = views.shuffled_view(4.0, 1.0, pair(180.0), n, "agree")
    assert law.identification() == pytest.approx(0.5 + np.abs(counts[0] - counts[1]).sum() / 4, abs=1e-9)


def clones_delta(epsilon0: float, n: int, epsilon: float) -> float:
    """Return the clones' delta by enumeration of C and A, as the paper writes the pair."""
    c, rest, found = 1 / (1 + math.exp(-epsilon0)), 1 / (1 + math.exp(epsilon0)), 0.0
    table: dict[tuple[int, int], list[float]] = {}
    for total in range(n):
        weight = binom.pmf(total, n - 1, 2 * rest)
        if weight < 1e-16:
            continue
        for a, share in enumerate(binom.pmf(np.arange(total + 1), total, 0.5)):
            for key, first in (((a + 1, total - a), c), ((a, total - a + 1), 1 - c)):
                cell = table.setdefault(key, [0.0, 0.0])
                cell[0] += weight * share * first
                cell[1] += weight * share * (1 - first)
    for one, two in table.values():
        found += max(0.0, one - math.exp(epsilon) * two)
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize(("epsilon0", "clients"), [(1.0, 1_000), (4.0, 1_000), (2.0, 50)])
def test_clones_keep_delta_and_no_smaller_epsilon_would(epsilon0: float, clients: int) -> None:
    found = clones(epsilon0, clients, DELTA)
    assert clones_delta(epsilon0, clients, found) <= DELTA * (1 + 1e-6)
    assert clones_delta(epsilon0, clients, found * 0.998) > DELTA


@pytest.mark.parametrize(
    ("epsilon0", "clients", "lower", "upper"),
    [
        (0.5, 300, 0.09996199, 0.09996212), (1.0, 1_000, 0.12504005, 0.12504030), (2.0, 50, 1.99427890, 1.99427939),
        (4.0, 1_000, 1.49824428, 1.49824525), (4.0, 10_000, 0.35128593, 0.35128689),
        (8.0, 10_000, 7.99971199, 7.99971390),
    ],
)  # fmt: skip
def test_clones_are_those_of_public_code(epsilon0: float, clients: int, lower: float, upper: float) -> None:
    """Bounds of unifiedamplification.py of wangsw/PrivacyAmplification (34ca048, 22 steps); ours is rounded up."""
    assert lower <= clones(epsilon0, clients, DELTA) <= upper * (1 + 1e-4)


@pytest.mark.parametrize(
    ("epsilon0", "clients", "expected"),
    [
        (1.0, 1_000, (0.532, 0.457, 0.125)), (4.0, 1_000, (4.0, 4.0, 1.50)), (4.0, 10_000, (4.0, 0.909, 0.351)),
        (8.0, 10_000, (8.0, 8.0, 8.0)), (8.0, 100_000, (8.0, 8.0, 0.994)),
    ],
)  # fmt: skip
def test_bounds_of_the_papers(epsilon0: float, clients: int, expected: tuple[float, float, float]) -> None:
    bounds = (feldman_2021, feldman_2023, clones)
    assert [bound(epsilon0, clients, DELTA) for bound in bounds] == pytest.approx(expected, rel=2e-3, abs=5e-4)


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon0", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("clients", [1, 30, 300, pytest.param(3_000, marks=pytest.mark.nightly)])
def test_the_order_of_the_bounds_and_the_exact_laws(epsilon0: float, clients: int) -> None:
    """What holds for every randomizer is never below what one randomizer shows; newer bounds are never looser."""
    tight = clones(epsilon0, clients, DELTA)
    assert tight <= feldman_2023(epsilon0, clients, DELTA) + 1e-9 <= feldman_2021(epsilon0, clients, DELTA) + 2e-9
    for others in ("uniform", "agree"):
        law = views.shuffled_view(epsilon0, 1.0, pair(180.0), clients, others)
        assert law.epsilon(DELTA) <= tight * (1 + 1e-4) + 1e-5
        assert law.identification() <= theory.worst_case_identification(tight, DELTA) + 1e-5


def test_a_bound_that_is_too_small_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The liar: clones twice as frequent as they are."""
    pair_of = clones_pair(4.0, 1_000)
    law = (2 * pair_of.others[0], 2 * pair_of.others[1], 1 - 4 * pair_of.others[0])
    lie = Shuffled(pair_of.first, pair_of.second, law, 1_000).epsilon(DELTA)
    assert clones_delta(4.0, 1_000, lie) > 2 * DELTA
    assert views.shuffled_view(4.0, 1.0, pair(180.0), 1_000, "agree").epsilon(DELTA) > lie


@pytest.mark.parametrize("clients", [1, 2, 10, 1_000])
@pytest.mark.parametrize("angle", [180.0, 86.0])
def test_a_sum_with_orthogonal_others_has_the_law_of_the_arctangent(angle: float, clients: int) -> None:
    law = views.summed_view(4.0, 1.0, pair(angle), clients, "uniform")
    assert law.identification() == pytest.approx(
        views.uniform_sum_identification(4.0, 1.0, pair(angle), clients), abs=1e-6
    )


def test_the_arctangent_is_the_crowd_of_the_comparison() -> None:
    for clients in (1, 4, 100):
        crowd = theory.crowd_identification(4.0, clients, 1.0, 0.5, 1.0)
        found = views.uniform_sum_identification(4.0, 1.0, pair(180.0, 1.0, 0.5), clients)
        assert found == pytest.approx(crowd, abs=1e-12)


def test_two_who_agree_in_a_sum_by_direct_integration() -> None:
    """The sum of two half-normal variables, integrated without a Fourier transform."""
    q = views.own_side(4.0, 1.0, 1.0)
    y = np.linspace(-12, 12, 4_801)[:-1] + 0.0025  # midpoints, none at the jump
    normal = np.exp(-y * y / 2) / math.sqrt(2 * math.pi)
    first, second = (2 * normal * np.where(y > 0, own, 1 - own) for own in (q, 1 - q))
    one, two = (np.convolve(first, own) * 0.005**2 for own in (first, second))
    direct = 0.5 + np.abs(one - two).sum() / 4
    law = views.summed_view(4.0, 1.0, pair(180.0), 2, "agree")
    assert law.identification() == pytest.approx(direct, abs=2e-5)
    assert law.identification() > 0.8175  # the normal approximation says .8075


def test_epsilon_of_a_sum_by_the_ratio_of_normal_tails() -> None:
    """Opposite pair, orthogonal others: the likelihood ratio of the sum, integrated on its own."""
    from scipy.integrate import quad
    from scipy.stats import norm

    n, c = 1_000, views.own_side(4.0, 1.0, 1.0)
    a = 1 / math.sqrt(n - 1)

    def density(x: float, q: float) -> float:  # of the sum, in its own deviations
        return 2 * norm.pdf(x) * (q * norm.cdf(a * x) + (1 - q) * norm.cdf(-a * x))

    law = views.summed_view(4.0, 1.0, pair(180.0), n, "uniform")
    epsilon = law.epsilon(DELTA)
    assert epsilon == pytest.approx(0.155, abs=1e-3)
    ratio = math.exp(epsilon)
    excess = quad(lambda x: max(0.0, density(x, c) - ratio * density(x, 1 - c)), -9, 9, limit=400, points=[3.0, 4.0])
    assert excess[0] == pytest.approx(DELTA, rel=0.01)


@pytest.mark.few(2)
@pytest.mark.parametrize(("angle", "clients"), [(86.0, 2), (86.0, 3), (120.0, 10), (150.0, 1_000)])
def test_a_sum_in_the_plane_of_a_pair_by_direct_integration(angle: float, clients: int) -> None:
    """Others uniform: both likelihoods are a normal density times a normal distribution along each gradient."""
    from scipy.special import ndtr

    q, a, turn = views.own_side(4.0, 1.0, 1.0), 1 / math.sqrt(clients - 1), math.radians(angle)
    law = views.best_sum(4.0, 1.0, pair(angle), clients, "uniform")
    x, z = np.meshgrid(np.linspace(-8, 8, 1_601), np.linspace(-8, 8, 1_601))
    weights = np.exp(-(x * x + z * z) / 2)
    one, two = (
        2 * weights / weights.sum() * (q * ndtr(a * y) + (1 - q) * ndtr(-a * y))
        for y in (x, x * math.cos(turn) + z * math.sin(turn))
    )
    assert law.identification() == pytest.approx(0.5 + np.abs(one - two).sum() / 4, abs=2e-6)
    epsilon = law.epsilon(DELTA)
    assert np.maximum(one - math.exp(epsilon) * two, 0).sum() == pytest.approx(DELTA, rel=0.02)


@pytest.mark.nightly
@pytest.mark.parametrize("others", ["uniform", "agree"])
def test_all_that_a_sum_says_is_no_less_than_what_its_part_along_the_difference_says(others: str) -> None:
    """The liar is the difference alone: called exact, it hid a third of the epsilon where all others agree."""
    for angle, first, second in ((86.0, 1.0, 1.0), (120.0, 0.9, 0.4)):
        setting = (8.0, 1.0, pair(angle, first, second), 100, others)
        whole, part = views.best_sum(*setting), views.summed_view(*setting)
        assert whole.identification() >= part.identification() - 1e-6
        assert part.epsilon(DELTA) <= whole.epsilon(DELTA) + 1e-4
        assert whole.epsilon(DELTA) <= views.shuffled_view(*setting).epsilon(DELTA)
    benign = (8.0, 1.0, pair(86.0), 100, "agree")
    assert views.best_sum(*benign).epsilon(DELTA) > 1.5 * views.summed_view(*benign).epsilon(DELTA)


@pytest.mark.parametrize("others", ["uniform", "agree"])
def test_near_the_opposite_the_plane_is_the_difference(others: str) -> None:
    setting = (4.0, 1.0, pair(179.9), 10, others)
    assert views.best_sum(*setting).identification() == pytest.approx(
        views.summed_view(4.0, 1.0, pair(180.0), 10, others).identification(), abs=1e-4
    )


def test_lengths_alone_are_told_apart_in_a_sum_of_one_direction() -> None:
    """Two updates of one direction and different lengths: the sum along it, by a convolution along it."""
    law = views.best_sum(4.0, 1.0, pair(0.0, 1.0, 0.2), 5, "agree")
    one, other = (views.own_side(4.0, norm, 1.0) for norm in (1.0, 0.2))
    half = views.Summed(one, 0.5, 180.0, one, 5).identification() - 0.5
    share = (one - other) / (one - 0.5)  # a report of length between is a mixture of a full one and a uniform one
    assert law.identification() == pytest.approx(0.5 + share * half, abs=1e-5)


@pytest.mark.parametrize("others", ["uniform", "agree"])
def test_one_client_alone_has_the_local_law_in_every_view(others: str) -> None:
    for angle, first, second in ((180.0, 1.0, 1.0), (86.0, 0.8, 0.6)):
        one = pair(angle, first, second)
        sides = [views.own_side(4.0, norm, 1.0) for norm in (first, second)]
        cosine = theory.cosine_identification(4.0, angle, first, second, 1.0)
        best = cosine + (180.0 - angle) / 360.0 * abs(sides[0] - sides[1])  # of all rules that look at the two signs
        assert views.shuffled_view(4.0, 1.0, one, 1, others).identification() == pytest.approx(best, abs=1e-12)
        assert views.summed_view(4.0, 1.0, one, 1, others).identification() == pytest.approx(cosine, abs=1e-9)
        assert views.best_sum(4.0, 1.0, one, 1, others) == views.shuffled_view(4.0, 1.0, one, 1, others)


@pytest.mark.parametrize(
    ("angle", "to_first", "to_second"), [(180.0, 40.0, 140.0), (90.0, 90.0, 90.0), (86.0, 60.0, 70.0)]
)
def test_a_bystander_s_law_is_that_of_drawn_directions(angle: float, to_first: float, to_second: float) -> None:
    from tests.helpers.binomial import accepts

    cos = [math.cos(math.radians(value)) for value in (angle, to_first, to_second)]
    gram = np.array([[1, cos[0], cos[1]], [cos[0], 1, cos[2]], [cos[1], cos[2], 1]])
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0))
    rng, trials, own = np.random.default_rng(7), 200_000, 0.8
    inner = rng.standard_normal((trials, 3)) @ root.T
    inner *= np.where((inner[:, 2] > 0) == (rng.random(trials) < own), 1.0, -1.0)[:, None]
    law = views.bystander_law(angle, to_first, to_second, own)
    for chance, (one, two) in zip(law, ((1, 1), (1, -1), (-1, 1), (-1, -1)), strict=True):
        seen = int(((inner[:, 0] * one > 0) & (inner[:, 1] * two > 0)).sum())
        assert accepts(seen, trials, min(max(chance, 0.0), 1.0)) or (chance < 1e-9 and seen < 5)
