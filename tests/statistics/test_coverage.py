"""The promise of every bound, in the whole game, enumerated: truths drawn, both errors counted, looks in between."""

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from ldp_core.game.summary import effective_significance
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.statistics.intervals import error_upper_limit, identification_interval
from ldp_core.types import AuditConfig, TrialCounts
from tests.helpers.binomial import balanced

Rates = tuple[float, float]
Tables = dict[tuple[float, bool], np.ndarray]


def edge(epsilon: float, delta: float = 0.0) -> list[Rates]:
    """Return error rates (FPR, FNR) that an (epsilon, delta)-LDP mechanism can just produce, the corner last."""
    corner = (1 - delta) / (1 + math.exp(epsilon))
    return [(rate, 1 - delta - math.exp(epsilon) * rate) for rate in (0.01 * corner, corner / 2, corner)]


def limit_table(trials: int, significance: float, anytime: bool) -> np.ndarray:
    """Return the upper limit of an error rate by trials and errors (1 where there cannot be as many errors)."""
    table = np.ones((trials + 1, trials + 1))
    for n in range(1, trials + 1):
        table[n, :n] = [error_upper_limit(x, n, significance, anytime=anytime) for x in range(n)]
    return table


def exceeding(epsilon: float, n: int, table: np.ndarray, delta: float = 0.0) -> np.ndarray:
    """Return, by trials and errors of both, where the two limits show more than epsilon: the rule spelled out again."""
    sizes, ratio = np.arange(n + 1), math.exp(epsilon)
    first, second = table[sizes][:, :, None], table[n - sizes][:, None, :]
    return (1 - delta - first > ratio * second) | (1 - delta - second > ratio * first)


def chance_of_a_false_alarm(
    trials: int, rates: Callable[[int], Rates], shows_too_much: Callable[[int], np.ndarray | None]
) -> float:
    """Return the exact chance that some look alarms; paths that met an alarm are taken out and added up."""
    paths = np.zeros((trials + 1, trials + 1, trials + 1))
    paths[0, 0, 0], alarmed = 1.0, 0.0
    for n in range(1, trials + 1):
        false_positive, false_negative = rates(n)
        after = 0.5 * (1 - false_negative) * paths
        after[:, :, 1:] += 0.5 * false_negative * paths[:, :, :-1]
        after[1:] += 0.5 * (1 - false_positive) * paths[:-1]
        after[1:, 1:] += 0.5 * false_positive * paths[:-1, :-1]
        paths, alarm = after, shows_too_much(n)
        if alarm is not None:
            seen = paths[: n + 1]
            alarmed += float(seen[alarm].sum())
            seen[alarm] = 0.0
    return alarmed


LENGTH = 50


@pytest.fixture(scope="module")
def tables() -> Tables:
    levels = (0.2, 0.5, 0.2 * 0.2, 0.8 * 0.2)
    return {(level, anytime): limit_table(LENGTH, level, anytime) for level in levels for anytime in (False, True)}


@given(first=st.integers(0, 20), second=st.integers(0, 20), data=st.data(), anytime=st.booleans())
def test_the_rule_enumerated_here_is_the_functions_own(
    tables: Tables, first: int, second: int, data: st.DataObject, anytime: bool
) -> None:
    x, y = data.draw(st.integers(0, first)), data.draw(st.integers(0, second))
    lower = epsilon_lower_bound(TrialCounts(first - x, x, y, second - y), "clopper_pearson", 0.4, anytime=anytime)
    for epsilon in (0.0, 0.3, 1.0):
        assert exceeding(epsilon, first + second, tables[0.2, anytime])[first, x, y] == (lower > epsilon)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 2.0])
def test_anytime_clopper_pearson_bound_may_be_looked_at_after_every_trial(epsilon: float, tables: Tables) -> None:
    for rates in edge(epsilon)[1:]:
        chance = chance_of_a_false_alarm(
            LENGTH, lambda n, rates=rates: rates, lambda n: exceeding(epsilon, n, tables[0.2, True])
        )
        assert chance <= 0.4


def test_fixed_size_clopper_pearson_bound_may_not() -> None:
    corner, table = edge(2.0)[-1], limit_table(100, 0.2, False)
    assert chance_of_a_false_alarm(100, lambda n: corner, lambda n: exceeding(2.0, n, table)) > 0.4


@pytest.mark.parametrize("block", [1, 10, 25])
@pytest.mark.parametrize("anytime", [False, True])
def test_measurements_with_different_pairs_may_be_added(block: int, anytime: bool, tables: Tables) -> None:
    """Two pairs on opposite edges of the region take turns; the fixed-size bound looks once, the other always."""
    epsilon, (one, _, _) = 0.0, edge(0.0)
    pairs = (one, one[::-1])
    chance = chance_of_a_false_alarm(
        LENGTH,
        lambda n: pairs[(n - 1) // block % 2],
        lambda n: exceeding(epsilon, n, tables[0.2, anytime]) if anytime or n == LENGTH else None,
    )
    assert chance <= 0.4


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_watched_run_fails_at_most_at_its_significance(epsilon: float, tables: Tables) -> None:
    """A look after every trial, then the fixed-size bound on the whole: together within 0.4."""
    config = AuditConfig(
        "dummy", epsilon, "clopper_pearson", 1, num_trials=LENGTH, num_measurements=1, significance=0.4, watch=True
    )
    parts = {anytime: effective_significance(config, anytime=anytime) / 2 for anytime in (True, False)}
    assert parts == {True: pytest.approx(0.2 * 0.2), False: pytest.approx(0.8 * 0.2)}
    corner = edge(epsilon)[-1]

    def alarm(n: int) -> np.ndarray:
        watched = exceeding(epsilon, n, tables[0.2 * 0.2, True])
        return watched if n < LENGTH else watched | exceeding(epsilon, n, tables[0.8 * 0.2, False])

    assert chance_of_a_false_alarm(LENGTH, lambda n: corner, alarm) <= 0.4


def test_pooled_bound_covers_pairs_that_err_more_often_than_they_must() -> None:
    """The number of errors is a sum of unequal coins, each at least as likely to err as the promise allows."""
    epsilon, trials = 1.0, 300
    corner, chances_of_errors = 1 / (1 + math.e), np.array([1.0])
    for n in range(trials):
        rate = corner * (1.0 if n % 3 else 1.1)
        chances_of_errors = np.convolve(chances_of_errors, [1 - rate, rate])
    lowers = np.array([epsilon_lower_bound(balanced(x, trials), "pooled", 0.05) for x in range(trials + 1)])
    assert 0.0 < chances_of_errors[lowers > epsilon].sum() <= 0.05


@pytest.mark.parametrize("significance", [0.05, 0.3])
def test_identification_interval_covers(significance: float) -> None:
    trials, misses = 60, []
    intervals = [identification_interval(TrialCounts(x, trials - x), significance) for x in range(trials + 1)]
    for share in np.linspace(0.01, 0.99, 99):
        pmf = binom.pmf(np.arange(trials + 1), trials, share)
        misses.append(
            sum(pmf[x] for x, interval in enumerate(intervals) if interval and not interval[1] <= share <= interval[2])
        )
    assert max(misses) <= significance
    assert max(misses) > significance / 3


@pytest.mark.parametrize("shares", [(0.5,), (0.9,), (0.55, 0.95), (0.5, 1.0)])
def test_anytime_interval_covers_the_mean_of_unequal_pairs_at_every_look(shares: tuple[float, ...]) -> None:
    mass, missed, mean, length = np.array([1.0]), 0.0, 0.0, 250
    for n in range(1, length + 1):
        share = shares[(n - 1) * len(shares) // length]
        mean += (share - mean) / n
        mass = np.convolve(mass, [1 - share, share])
        for x in np.flatnonzero(mass > 1e-15).tolist():
            interval = identification_interval(TrialCounts(x, n - x), 0.3, anytime=True)
            if not interval[1] <= mean <= interval[2]:
                missed += mass[x]
                mass[x] = 0.0
    assert missed <= 0.3


GRID_RATES = (0.0, 0.01, 0.05, 0.15, 0.19, 0.3, 0.5, 0.8, 0.97)
GRID = [(one, other) for one, other in itertools.product(GRID_RATES, repeat=2)]
SIDES = [(25, 25), (9, 40), (2, 70), (0, 30), pytest.param((12, 400), marks=pytest.mark.nightly)]


def epsilon_at_least(rates: Rates, delta: float) -> float:
    """Return the smallest epsilon >= 0 at which some (epsilon, delta)-LDP mechanism produces these error rates."""

    def ratio(right: float, wrong: float) -> float:
        return -math.inf if right <= 0.0 else math.log(right / wrong) if wrong else math.inf

    one, other = rates
    return max(0.0, ratio(1 - delta - one, other), ratio(1 - delta - other, one))


def lowers_by_errors(sides: tuple[int, int], bound: str, level: float, delta: float, anytime: bool) -> np.ndarray:
    first, second = sides
    counts = [[TrialCounts(first - x, x, y, second - y) for y in range(second + 1)] for x in range(first + 1)]
    return np.array(
        [[epsilon_lower_bound(c, bound, level, delta=delta, anytime=anytime) for c in row] for row in counts]
    )


def worst_of_the_grid(sides: tuple[int, int], lowers: np.ndarray, delta: float) -> float:
    """Return the largest chance, over the grid, that the bound lies above the truth; all outcomes, both sides fixed."""
    failures = []
    for rates in GRID:
        first, second = (binom.pmf(np.arange(n + 1), n, rate) for n, rate in zip(sides, rates, strict=True))
        failures.append(float((np.outer(first, second) * (lowers > epsilon_at_least(rates, delta) + 1e-12)).sum()))
    return max(failures)


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("level", [0.05, 0.4])
@pytest.mark.parametrize("delta", [0.0, 0.1])
@pytest.mark.parametrize("anytime", [False, True])
def test_two_limits_cover_over_the_grid_whatever_the_sides(
    sides: tuple[int, int], level: float, delta: float, anytime: bool
) -> None:
    lowers = lowers_by_errors(sides, "clopper_pearson", level, delta, anytime)
    assert worst_of_the_grid(sides, lowers, delta) <= level


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_grid_catches_two_limits_at_a_level_too_large(delta: float) -> None:
    """Stated at 0.05, but each limit computed at 0.1: as wide as two limits at 0.2."""
    lie = lowers_by_errors((12, 400), "clopper_pearson", 0.2, delta, False)
    assert worst_of_the_grid((12, 400), lie, delta) > 0.05


def test_the_grid_catches_a_forgotten_delta() -> None:
    forgotten = lowers_by_errors((25, 25), "clopper_pearson", 0.05, 0.0, False)
    assert worst_of_the_grid((25, 25), forgotten, 0.0) <= 0.05
    assert worst_of_the_grid((25, 25), forgotten, 0.3) > 0.05


@functools.cache
def errors_in_the_game(trials: int) -> list[np.ndarray]:
    """Return the law of both errors' sum at each point of the grid, the truths drawn."""
    found = []
    for rates in GRID:
        by_errors = np.zeros(trials + 1)
        for first, chance in enumerate(binom.pmf(np.arange(trials + 1), trials, 0.5)):
            sizes = (first, trials - first)
            one, other = (binom.pmf(np.arange(n + 1), n, rate) for n, rate in zip(sizes, rates, strict=True))
            by_errors += chance * np.convolve(one, other)
        found.append(by_errors)
    return found


def worst_of_the_game(trials: int, level: float, delta: float, anytime: bool) -> float:
    """Return the same for the pooled bound, the truths drawn: outcomes by (truths, both errors), summed by errors."""
    lowers = np.array(
        [
            epsilon_lower_bound(balanced(x, trials), "pooled", level, delta=delta, anytime=anytime)
            for x in range(trials + 1)
        ]
    )
    laws = zip(GRID, errors_in_the_game(trials), strict=True)
    return max(float(law[lowers > epsilon_at_least(rates, delta) + 1e-12].sum()) for rates, law in laws)


@pytest.mark.parametrize("trials", [1, 12, 60])
@pytest.mark.parametrize("level", [0.05, 0.4])
@pytest.mark.parametrize("delta", [0.0, 0.1])
@pytest.mark.parametrize("anytime", [False, True])
def test_the_pooled_bound_covers_over_the_grid(trials: int, level: float, delta: float, anytime: bool) -> None:
    assert worst_of_the_game(trials, level, delta, anytime) <= level


@pytest.mark.parametrize(("anytime", "lie"), [(False, 0.1), (True, 0.8)])
def test_the_grid_catches_a_pooled_bound_at_a_level_too_large(anytime: bool, lie: float) -> None:
    assert worst_of_the_game(60, lie, 0.0, anytime) > 0.05


def test_the_pooled_bound_needs_truths_that_are_drawn() -> None:
    """Sides fixed beforehand and unequal: whoever always answers alike would seem to know something."""
    lowers = lowers_by_errors((9, 40), "pooled", 0.05, 0.0, False)
    assert worst_of_the_grid((9, 40), lowers, 0.0) > 0.9


LOOKS = (5, 10, 20, 40, 80, 160)


def chance_over_looks(epsilon: float, delta: float, level: float, anytime: bool) -> float:
    """Return the exact chance that the pooled bound lies above epsilon at some look of a mechanism at the corner."""
    rate, mass, alarmed = (1 - delta) / (1 + math.exp(epsilon)), np.array([1.0]), 0.0
    for n in range(1, LOOKS[-1] + 1):
        mass = np.convolve(mass, [1 - rate, rate])
        if n not in LOOKS:
            continue
        for x in range(n + 1):
            counts = balanced(x, n)
            if epsilon_lower_bound(counts, "pooled", level, delta=delta, anytime=anytime) > epsilon + 1e-12:
                alarmed += mass[x]
                mass[x] = 0.0
    return alarmed


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_anytime_pooled_bound_may_be_looked_at_on_a_path(epsilon: float, delta: float) -> None:
    assert chance_over_looks(epsilon, delta, 0.05, True) <= 0.05


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_neither_the_fixed_bound_nor_too_large_a_level_may(delta: float) -> None:
    assert chance_over_looks(1.0, delta, 0.05, False) > 0.05
    assert chance_over_looks(1.0, delta, 0.4, True) > 0.05


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_anytime_two_limits_may_be_looked_at_with_delta(epsilon: float, tables: Tables) -> None:
    """Both limits at 0.2, so 0.4 in all; without delta the same looks alarm far too often."""
    for rates in edge(epsilon, 0.5):
        chances_of_alarm = [
            chance_of_a_false_alarm(
                LENGTH,
                lambda n, rates=rates: rates,
                lambda n, used=used: exceeding(epsilon, n, tables[0.2, True], used) if n % 5 == 0 else None,
            )
            for used in (0.5, 0.0)
        ]
        assert chances_of_alarm[0] <= 0.4
    assert chances_of_alarm[1] > 0.4
