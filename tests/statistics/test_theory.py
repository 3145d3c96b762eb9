"""The laws, against integration over the plane and enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from ldp_core.statistics import theory

geometries = st.tuples(
    st.floats(0.01, 30.0), st.floats(0.0, 180.0), st.floats(0.0, 3.0), st.floats(0.0, 3.0), st.just(1.3)
)


def region_probabilities(
    epsilon: float, angle_degrees: float, norm_first: float, norm_second: float, clip_norm: float
) -> dict[tuple[bool, bool], tuple[float, float]]:
    """Return the chances of each pair of signs under g1 and g2: arcs of the circle, measured on a fine grid."""
    angles = (np.arange(720_000) + 0.5) / 720_000 * 2 * math.pi
    first_side, second_side = np.cos(angles) >= 0, np.cos(angles - math.radians(angle_degrees)) >= 0
    same = math.exp(epsilon) / (1 + math.exp(epsilon))

    def own_side(norm: float) -> float:
        keep = 0.5 + min(norm, clip_norm) / (2 * clip_norm)
        return keep * same + (1 - keep) * (1 - same)

    q1, q2 = own_side(norm_first), own_side(norm_second)
    regions = {}
    for signs in itertools.product((True, False), repeat=2):
        area = float(np.mean((first_side == signs[0]) & (second_side == signs[1])))
        regions[signs] = (2 * area * (q1 if signs[0] else 1 - q1), 2 * area * (q2 if signs[1] else 1 - q2))
    return regions


CASES = [
    (0.5, 180.0, 1.0, 1.0, 1.0),
    (4.0, 86.0, 0.8, 0.8, 1.0),
    (1.0, 30.0, 2.0, 0.1, 1.0),
    (8.0, 120.0, 0.2, 0.9, 0.5),
    (2.0, 0.0, 1.0, 0.2, 1.0),
    (2.0, 180.0, 0.0, 1.0, 1.0),
]


@pytest.mark.parametrize("case", CASES)
def test_selective_rates_are_the_lune(case: tuple[float, ...]) -> None:
    lune = region_probabilities(*case)[False, True]
    assert theory.selective_rates(*case) == pytest.approx(lune, abs=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_cosine_rates_take_the_lunes_and_half_of_the_rest(case: tuple[float, ...]) -> None:
    regions = region_probabilities(*case)
    expected = [
        regions[False, True][side] + (regions[True, True][side] + regions[False, False][side]) / 2 for side in (0, 1)
    ]
    assert theory.cosine_rates(*case) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("case", CASES[:4])
def test_selective_epsilon_is_the_largest_likelihood_ratio(case: tuple[float, ...]) -> None:
    epsilon, _, norm_first, norm_second, clip_norm = case
    regions = region_probabilities(*case)
    lune = regions[False, True]
    assert theory.selective_epsilon(epsilon, norm_first, norm_second, clip_norm) == pytest.approx(
        math.log(lune[1] / lune[0]), abs=1e-9
    )


@given(geometries)
def test_no_law_exceeds_the_promise(case: tuple[float, float, float, float, float]) -> None:
    promise = theory.worst_case_identification(case[0])
    cosine = theory.cosine_identification(*case)
    assert 0.5 <= cosine <= promise + 1e-12
    assert theory.selective_epsilon(case[0], *case[2:]) <= case[0] + 1e-9
    wrong, caught = theory.selective_rates(*case)
    assert (1 - wrong + caught) / 2 == pytest.approx(cosine, abs=1e-12)


@pytest.mark.parametrize("rounds", range(1, 11))
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_rounds_by_enumerating_every_sequence_of_guesses(epsilon: float, rounds: int) -> None:
    right, expected = theory.worst_case_identification(epsilon), 0.0
    for guesses in itertools.product((1, 0), repeat=rounds):
        chance = math.prod(right if guess else 1 - right for guess in guesses)
        expected += chance * (1.0 if 2 * sum(guesses) > rounds else 0.5 if 2 * sum(guesses) == rounds else 0.0)
    assert theory.rounds_identification(epsilon, rounds) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1.0, 2.0, 4.0, 30.0])
@pytest.mark.parametrize("target", [0.5, 0.6, 0.75, 0.95, 0.99])
def test_rounds_until_is_the_first_number_that_suffices(epsilon: float, target: float) -> None:
    walked = next(rounds for rounds in itertools.count(1) if theory.rounds_identification(epsilon, rounds) >= target)
    assert theory.rounds_until(epsilon, target) == walked


@pytest.mark.parametrize(("epsilon", "target"), [(0.01, 0.95), (0.01, 0.999_999), (0.1, 0.95), (1.0, 0.95)])
def test_rounds_until_by_the_binomial_law(epsilon: float, target: float) -> None:
    rounds = theory.rounds_until(epsilon, target)
    right = 1.0 / (1.0 + math.exp(-epsilon))
    assert binom.sf(rounds // 2, rounds, right) >= target > binom.sf(rounds // 2 - 1, rounds - 2, right)


def test_values_of_the_sources() -> None:
    shares = [round(100 * theory.worst_case_identification(epsilon), 2) for epsilon in (0.5, 1, 2, 4)]
    assert shares == [62.25, 73.11, 88.08, 98.20]
    rounds = [round(100 * theory.rounds_identification(1.0, number), 1) for number in (1, 2, 3, 10)]
    assert rounds == [73.1, 73.1, 82.2, 93.5]
    assert theory.worst_case_identification(1.0, delta=1.0) == pytest.approx(1.0)
    assert theory.posterior(0.5, 2.0) == pytest.approx(theory.worst_case_identification(2.0))
    assert theory.posterior(0.0, 5.0) == 0.0
    assert theory.posterior(1.0, 5.0) == 1.0


def test_posterior_is_the_worst_over_every_outcome() -> None:
    """A mechanism at the edge answers truthfully with e^eps/(1 + e^eps); Bayes's rule does the rest."""
    prior, epsilon = 0.1, 1.0
    truthful = theory.worst_case_identification(epsilon)
    believed = prior * truthful / (prior * truthful + (1 - prior) * (1 - truthful))
    assert theory.posterior(prior, epsilon) == pytest.approx(believed)


@pytest.mark.parametrize("epsilon", [20.0, 30.0])
def test_selective_epsilon_does_not_cancel(epsilon: float) -> None:
    """With norms L and L/2: q2 = (1 + t/2)/2 and 1 - q1 = 1/(1 + e^eps)."""
    expected = math.log((1 + 0.5 * math.tanh(epsilon / 2)) / 2) + math.log1p(math.exp(epsilon))
    assert theory.selective_epsilon(epsilon, 1.0, 0.5, 1.0) == pytest.approx(expected, rel=1e-12)


def test_a_huge_epsilon_promises_nothing() -> None:
    assert theory.worst_case_identification(800.0) == theory.rounds_identification(800.0, 3) == 1.0
    assert theory.posterior(0.0, math.inf) == 0.0
