"""What a check says that it would catch, and whether it does: whole privacy tests of mechanisms whose leak is known."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom

from ldp_core.checking.claims import LEAKS, CheckConfig, CheckResult, power
from ldp_core.checking.exam._game import play
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.distinguishers.learned import Examples, Target, best_rule, features
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.statistics.estimates import joint_lower_bound
from ldp_core.statistics.theory import normal_distance
from ldp_core.studies.check.workload import Wanted, refuse_too_little
from ldp_core.types import CLAIM_REJECTED
from tests.helpers.binomial import LEVEL

_Array = NDArray[np.float64]
Draw = Callable[[_Array, int], _Array]
DELTA = 1e-5


def clipped(vector: _Array) -> _Array:
    return vector / max(1.0, float(np.linalg.norm(vector)))


def laplace(gain: float, seed: int) -> Draw:
    """Laplace noise for the claim 1 in two dimensions, of a clipped input times the gain, which is the true epsilon."""
    rng = np.random.default_rng(seed)
    return lambda vector, number: gain * clipped(vector) + rng.laplace(0.0, 2.0 * math.sqrt(2.0), (number, len(vector)))


def normal(gain: float, seed: int) -> Draw:
    rng, deviation = np.random.default_rng(seed), Gaussian(1.0, 1.0, DELTA).noise_deviation
    return lambda vector, number: gain * clipped(vector) + rng.normal(0.0, deviation, (number, len(vector)))


def normal_of(epsilon: float, seed: int) -> Draw:
    """Return normal noise that has this true epsilon at ``DELTA`` on opposite inputs of full length."""
    rng = np.random.default_rng(seed)
    deviation = 2.0 / normal_distance(epsilon, DELTA)
    return lambda vector, number: clipped(vector) + rng.normal(0.0, deviation, (number, len(vector)))


def turned(epsilon: float, seed: int) -> Draw:
    """LDP-SGD: the leak shows on which side a report lies."""
    mechanism, generator = LdpSgd(epsilon), torch.Generator().manual_seed(seed)
    return lambda vector, number: mechanism.randomize(torch.from_numpy(vector), number, generator).numpy()


def short(seed: int) -> Draw:
    """LDP-SGD that claims 1, and leaks 2 for inputs of norm below 0.8 alone."""
    honest, lying = turned(1.0, seed), turned(2.0, seed + 1)
    return lambda vector, number: (lying if np.linalg.norm(vector) < 0.8 else honest)(vector, number)


def checkerboard(epsilon: float, seed: int) -> Draw:
    """The sign of the input's sum decides, as surely as epsilon allows, on which fields a report lies."""
    rng, agrees = np.random.default_rng(seed), 1.0 / (1.0 + math.exp(-epsilon))

    def draw(vector: _Array, number: int) -> _Array:
        reports = rng.uniform(-1.0, 1.0, (number, len(vector)))
        wanted = (rng.random(number) < agrees) != (vector.sum() < 0)
        reports[(reports[:, 0] * reports[:, 1] > 0) != wanted, 0] *= -1.0
        return reports

    return draw


def rejected(draw: Draw, config: CheckConfig) -> int | None:
    """Return how many reports the privacy test needed to reject, None if it did not."""

    def randomize(gradient: NDArray[np.float32], num_reports: int) -> _Array:
        return draw(gradient.astype(np.float64), num_reports)

    for step in play(config, CalledSubject(randomize, "numpy")):
        if step.asked == step.used:
            result = CheckResult(config, (), step.looks, step.used, False, 0.0, False, {}, step.pairs)
            if result.verdict == CLAIM_REJECTED:
                return step.asked
    return None


def caught(made: Callable[[int], Draw], config: CheckConfig, seeds: int) -> int:
    return sum(rejected(made(seed), replace(config, seed=seed)) is not None for seed in range(1, seeds + 1))


SMALL = CheckConfig("x", 1.0, 1, dimension=2, reports=12_000)
WIDE = CheckConfig("x", 1.0, 1, dimension=2, reports=100_000)


@pytest.mark.parametrize("delta", [0.0, 1e-5])
@pytest.mark.parametrize("kind", LEAKS)
def test_no_leak_shows_more_than_its_epsilon(kind: str, delta: float) -> None:
    """In its region p <= e^eps q + delta, and for the honest one the claim is kept."""
    for epsilon in (1.0, 1.5, 3.0):
        found = power.leak(kind, epsilon, delta, 1.0)
        p, q = found.spoken * found.right, found.spoken * (1.0 - found.right)
        assert p <= math.exp(epsilon) * q + delta + 1e-12
        assert 0.0 < found.spoken <= 1.0


def test_a_tail_of_laplace_noise_is_what_simulation_finds() -> None:
    rng, found = np.random.default_rng(1), power.leak("tail", 1.3, 0.0, 1.0)
    first = rng.laplace(0.0, 1.0, 1_000_000)  # the inputs lie at 0 and at -1.3
    inside, outside = float((first > 0).mean()), float((first - 1.3 > 0).mean())
    assert found.spoken == pytest.approx(inside + outside, abs=0.003)
    assert found.right == pytest.approx(inside / (inside + outside), abs=0.003)


@given(
    kind=st.sampled_from(LEAKS),
    numbers=st.lists(st.integers(5_000, 60_000), min_size=2, max_size=3),
    epsilon=st.floats(1.3, 6.0),
)
@settings(max_examples=3)
def test_more_reports_never_catch_less_and_what_is_named_as_fewest_is_accepted(
    kind: str, numbers: list[int], epsilon: float
) -> None:
    """Reports from a power and the power from reports are one function, which never grows."""
    found = [power.smallest_detectable_epsilon(replace(SMALL, reports=n), kind) or math.inf for n in sorted(numbers)]
    assert found == sorted(found, reverse=True)
    for wanted in (epsilon, *(value for value in found if value < math.inf)):
        needed = power.reports_needed(SMALL, kind, wanted)
        refuse_too_little(replace(SMALL, reports=needed), Wanted(wanted, kind))
        more = power.reports_needed(SMALL, kind, wanted + 0.1)
        assert more <= needed


def test_what_is_not_known_is_none() -> None:
    assert power.smallest_detectable_epsilon(replace(WIDE, dimension=64), "learned") is None
    assert power.smallest_detectable_epsilon(WIDE, "side", length=3) is None
    assert power.smallest_detectable_epsilon(WIDE, "learned", length=3) is not None
    assert power.reports_needed(WIDE, "side", 1.0) is None
    assert power.smallest_detectable_epsilon(CheckConfig("x", 12.0, 0, reports=5_000)) is None


@pytest.mark.nightly  # by day a whole check of faulty-laplace-l2 in test_check_laws.py
@pytest.mark.law
@pytest.mark.parametrize(
    ("made", "delta"), [(lambda seed: laplace(1.3, seed), 0.0), (lambda seed: normal(2.5, seed), DELTA)],
    ids=["laplace", "normal"],
)  # fmt: skip
def test_a_gain_after_clipping_is_caught(made: Callable[[int], Draw], delta: float) -> None:
    assert caught(made, replace(WIDE, delta=delta), 100) >= 99


@pytest.mark.law
@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_a_leak_of_short_inputs_alone_is_caught(seeds: int) -> None:
    assert caught(short, CheckConfig("x", 1.0, 1, dimension=64, reports=1_000_000), seeds) == seeds


@pytest.mark.law
def test_a_rule_judged_on_what_it_learned_from_would_blame_an_honest_mechanism() -> None:
    """The liar of this file, and beside it the same rules judged on other reports, at 5 %."""
    flip = GradientPair(torch.tensor([0.6, 0.8]), torch.tensor([-0.6, -0.8]))
    draw, seen = turned(1.0, 3), {"same": 0, "other": 0}

    def examples(number: int) -> Examples:
        reports = [draw(vector.double().numpy(), number) for vector in (flip.first, flip.second)]
        return Examples(*features(np.concatenate(reports), flip), np.repeat([True, False], number))

    for _ in range(90):
        learned, fresh = examples(200), examples(200)
        rule = best_rule(learned, 2, Target(400, 0.05))
        for name, part in (("same", learned), ("other", fresh)):
            guesses = rule.guesses(part.inner, part.table)
            right = int(((guesses == 1) & part.sent).sum() + ((guesses == -1) & ~part.sent).sum())
            wrong = int((guesses != 0).sum()) - right
            seen[name] += joint_lower_bound(right, wrong, 400, 0.05) > 1.0
    assert binom.sf(seen["other"] - 1, 90, 0.05) > LEVEL
    assert binom.sf(seen["same"] - 1, 90, 0.05) < LEVEL


@pytest.mark.nightly
@pytest.mark.law
@pytest.mark.parametrize("kind", [*LEAKS, "normal tail"])
def test_what_is_stated_is_caught_over_200_seeds(kind: str) -> None:
    config = replace(SMALL, delta=DELTA) if kind == "normal tail" else SMALL
    stated = power.smallest_detectable_epsilon(config, kind.split()[-1])
    made = {"side": turned, "tail": laplace, "learned": checkerboard, "normal tail": normal_of}[kind]
    found = caught(lambda seed: made(stated, seed), config, 200)
    assert binom.cdf(found, 200, power.POWER) > LEVEL, (stated, found)
    print(f"{kind}: a true epsilon of {stated:.3f} was caught in {found} of 200 checks of {config.reports:,} reports")


def comb(cells: int, epsilon: float, seed: int) -> Draw:
    """Return the number of a cell, every other one of which is likelier for inputs above zero: a place within it."""
    rng = np.random.default_rng(seed)

    def draw(vector: _Array, number: int) -> _Array:
        told = (rng.random(number) < 1.0 / (1.0 + math.exp(-epsilon))) == (vector[0] > 0.0)
        return (2.0 * rng.integers(0, cells // 2, number) + told + rng.random(number))[:, np.newaxis]

    return draw


@pytest.mark.nightly
@pytest.mark.law
@pytest.mark.parametrize(("cells", "reports", "epsilon"), [(16, 8_000, 2.75), (80, 20_000, 2.75), (80, 20_000, 1.0)])
def test_a_comb_is_caught_as_the_help_says_and_an_honest_one_is_not(cells: int, reports: int, epsilon: float) -> None:
    config = replace(SMALL, dimension=1, reports=reports)
    found = caught(lambda seed: comb(cells, epsilon, seed), config, 10)
    assert found == (10 if epsilon > 1.0 else 0)


@pytest.mark.nightly
@pytest.mark.law
def test_an_honest_mechanism_is_blamed_no_more_often_than_stated_over_200_seeds() -> None:
    config = replace(SMALL, reports=6_000, significance=0.5)
    found = caught(lambda seed: turned(1.0, seed), config, 200)
    assert binom.sf(found - 1, 200, 0.4) > LEVEL, found  # the exam may spend a fifth
    print(f"an honest mechanism was blamed in {found} of 200 checks at a significance of 0.4")
