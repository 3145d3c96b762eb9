"""The law of the whole pipeline over 200 seeds, from the configuration to the bound: `pytest -m soak -s tests/soak`.

A gradient and its negative, both at the clipping norm: whoever always guesses is right with chance e^eps/(1 + e^eps)
exactly, and the selective rule speaks up every time. So each seed's right guesses are one draw of a binomial.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import pytest
from scipy.stats import binom

from ldp_core.cache import Cache
from ldp_core.configuration import make_config
from ldp_core.game.summary import summarize
from ldp_core.mechanisms import MECHANISMS
from ldp_core.studies.audit.run import audit
from tests.helpers.binomial import LEVEL, accepts
from tests.helpers.liars import FivePercent

pytestmark = pytest.mark.soak
SEEDS = range(1_000, 1_200)
TRIALS = {"full": 500, "projected": 20_000}
RULES = {"dummy": "cosine", "gradient-flip": "selective"}
MARKS = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of one seed's right guesses at which the seeds are counted."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the seeds showed: right guesses and the 95 % lower bound, one of each per seed."""

    epsilon: float
    trials: int
    right: list[int]
    lower: list[float]

    @property
    def promise(self) -> float:
        return 1 / (1 + math.exp(-self.epsilon))

    @property
    def above(self) -> int:
        """Seeds whose 95 % bound lies above the truth."""
        return sum(lower > self.epsilon for lower in self.lower)

    @property
    def pooled_fits(self) -> bool:
        return accepts(sum(self.right), len(self.right) * self.trials, self.promise)

    @property
    def seeds_fit(self) -> bool:
        """Whether as many seeds lie below each quantile as independent ones would."""
        below = [int(binom.ppf(mark, self.trials, self.promise)) for mark in MARKS]
        return all(
            accepts(sum(right <= x for right in self.right), len(self.right), binom.cdf(x, self.trials, self.promise))
            for x in below
        )

    @property
    def bound_fits(self) -> bool:
        """Whether no more seeds are above the truth than a bound that fails in at most 5 % allows."""
        return bool(binom.sf(self.above - 1, len(self.lower), 0.05) > LEVEL)


def seen(attack: str, epsilon: float, sampling: str, folder: Path) -> Seen:
    """Run every seed."""
    right, lower = [], []
    for seed in SEEDS:
        config = make_config(
            attack=attack, epsilon=epsilon, seed=seed, distinguisher=RULES[attack], num_measurements=1,
            num_trials=TRIALS[sampling], clip_norm=0.01, training="none", sampling=sampling,
        )  # fmt: skip
        *_, last = audit(config, Cache(folder), threads=1)
        (measurement,) = last.result.measurements
        assert measurement.expected_identification == pytest.approx(1 / (1 + math.exp(-epsilon)), abs=1e-6)
        summary = summarize(last.result)
        right.append(summary.counts.num_right)
        lower.append(summary.epsilon.lower)
    return Seen(epsilon, TRIALS[sampling], right, lower)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("attack", RULES)
@pytest.mark.parametrize("sampling", TRIALS)
def test_the_whole_pipeline_follows_its_law_over_200_seeds(
    sampling: str, attack: str, epsilon: float, tmp_path: Path
) -> None:
    found = seen(attack, epsilon, sampling, tmp_path)
    share = sum(found.right) / (len(found.right) * found.trials)
    print(
        f"{attack} {RULES[attack]} {sampling} epsilon {epsilon:g}: right {share:.5f}, law {found.promise:.5f}; "
        f"95 % bound above the truth in {found.above} of {len(found.lower)} seeds"
    )
    assert found.pooled_fits
    assert found.seeds_fit
    assert found.bound_fits


def test_a_mechanism_five_percent_off_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MECHANISMS, "ldp-sgd", FivePercent)
    lie = seen("dummy", 1.0, "projected", tmp_path)
    assert not lie.pooled_fits
    assert not lie.bound_fits


def test_seeds_that_share_their_randomness_are_caught() -> None:
    """200 times one seed's median: the pooled share is right, the spread is not."""
    median = int(binom.median(500, 1 / (1 + math.exp(-1.0))))
    lie = Seen(1.0, 500, [median] * 200, [0.9] * 200)
    assert lie.pooled_fits
    assert not lie.seeds_fit


def test_a_bound_that_fails_twice_too_often_in_many_seeds_is_caught() -> None:
    assert not Seen(1.0, 500, [], [1.1] * 35 + [0.9] * 165).bound_fits
    assert Seen(1.0, 500, [], [1.1] * 10 + [0.9] * 190).bound_fits
