"""What a check would catch, for each kind of leak, before or after it runs.

The counts of whole checks are drawn from the exact laws below and judged as a check judges them. A leak is taken to
show on one pair of inputs; on all others the mechanism is taken to leak, in the same way, just what it claims.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, ndtr

from ldp_core.checking.claims._plan import HOPED, num_pairs, plan_of
from ldp_core.checking.claims._subject import CheckConfig
from ldp_core.distinguishers.learned import CAUTION, HOPE, Aim, promised_bound
from ldp_core.statistics.estimates import ANYTIME_SHARE, EXCESS_SHARE
from ldp_core.statistics.intervals import excess_limit
from ldp_core.statistics.theory import normal_distance, worst_case_identification
from ldp_core.types import EPSILON_RANGE

POWER = 0.95
MOST_LEARNED_NUMBERS = 16
"""Of reports with more numbers it is not known how well a region is learned."""
_RUNS, _FEW_RUNS = 1_000, 150
_SEED = 20261124
_MOST_TOLD = 2**15
_TAIL_EFFICIENCY = 0.8
_LEARNED_EXAMPLES = 50
_MARGIN = 0.02
"""Added to the power that is asked for: three standard deviations of a share of ``_RUNS`` near 0.95."""
_LEAST_REPORTS, _MOST_REPORTS = 5_000, 10**12
_RATIO, _STEPS, _FINE = 4.0, 16, 1.03
"""The power is worked out for reports that grow fourfold in so many steps, and for what is leaked beyond the claim
within so many times."""


@dataclass(frozen=True, slots=True)
class Leak:
    """How a leak shows on a pair, to the best rule.

    Args:
        spoken: share of reports that lie where the leak shows.
        right: share of these that are rightly told.
    """

    spoken: float
    right: float


def leak(kind: str, epsilon: float, delta: float, claimed: float) -> Leak:
    """Return how a true epsilon shows.

    - ``side``: on the side of the report, as in LDP-SGD: the closer input is the right one with probability
      (e^eps + delta) / (1 + e^eps), and every report tells.
    - ``tail``: added noise that is too small. With delta = 0 Laplace noise along the pair: it tells where a report lies
      beyond either input, a share (1 + e^-eps) / 2 of all. With delta normal noise for a distance that has this
      epsilon at delta: reports beyond a point in each tail are told.
    - ``learned``: in a region that has nothing to do with the inputs; every report tells, once the region is learned.

    Args:
        kind: in ``LEAKS``.
        epsilon: true one, in nats.
        delta: claimed failure probability, at which epsilon holds.
        claimed: claimed epsilon, on which it depends where a tail had best begin.
    """
    if kind != "tail":
        return Leak(1.0, worst_case_identification(epsilon, delta))
    if delta == 0.0:
        return Leak((1.0 + math.exp(-epsilon)) / 2.0, worst_case_identification(epsilon))
    return _normal_tail(epsilon, delta, claimed)


def catches(config: CheckConfig, kind: str, epsilon: float, *, reports: int | None = None, runs: int = _RUNS) -> float:
    """Return the share of simulated checks that reject a mechanism with this true epsilon.

    Args:
        config: of the check, with its claim.
        kind: of the leak, in ``LEAKS``.
        epsilon: true one, in nats, above the claimed one.
        reports: the most reports that are asked for; without it, those of the configuration.
        runs: simulated checks.
    """
    plan, pairs = plan_of(config, reports), num_pairs(config)
    rng = np.random.default_rng([_SEED, plan.trials, pairs])
    true, honest = (leak(kind, value, config.delta, config.epsilon) for value in (epsilon, config.epsilon))
    spoken = np.full(pairs, honest.spoken)
    right = np.full(pairs, honest.right)
    spoken[0], right[0] = true.spoken, true.right
    seen = np.zeros((3, runs, pairs))  # trials, right, wrong
    caught = np.zeros(runs, bool)
    for turn in plan.rounds:
        more: Any = turn.explore // pairs
        if not config.adaptive:
            _explore(rng, config, kind, seen, spoken, right, more)
        if turn.looks:
            aim = Aim(turn.judged, turn.significance, config.delta)
            asked = np.maximum(seen[0], 1)
            promises, hopes = (promised_bound(seen[1], seen[2], asked, aim, caution) for caution in (CAUTION, HOPE))
            promises += 1e-9 * rng.random(promises.shape)  # ties are as good as any other
            picked = _best(promises, turn.looks - turn.own_looks)
            chosen = picked[:, 0]
            judged = _count(
                rng, _learned_share(config, kind, seen[0, :, 0]) * true.spoken, true.right, turn.judged, runs
            )
            judged *= _efficiency(kind)
            caught |= chosen & _rejects(config, judged[0], judged[1], turn.judged, turn.significance)
            seen[:, chosen, 0] += np.stack((np.full(runs, float(turn.judged)), *judged))[:, chosen]
            favoured = _best(np.where(picked, -math.inf, hopes + 1e-9 * rng.random(hopes.shape)), HOPED)
            more = turn.explore // 2 // pairs + turn.explore // 2 // HOPED * favoured
        if config.adaptive and turn.explore:
            _explore(rng, config, kind, seen, spoken, right, more)
    return float(caught.mean())


def smallest_detectable_epsilon(config: CheckConfig, kind: str = "side", length: int | None = None) -> float | None:
    """Return the smallest true epsilon that a whole check would reject with at least 95 % chance, in nats.

    It never grows with the number of reports, and is at most an epsilon for which ``reports_needed`` names no more.

    Args:
        config: of the check.
        kind: of the leak, in ``LEAKS``; it holds for such a leak alone.
        length: numbers of a report; without it, as many as in an input.

    Returns:
        The epsilon, above the claimed one; None if it exceeds 30, or is not known.
    """
    if not _known(config, kind, length):
        return None
    step = math.floor(_STEPS * math.log(config.reports / _LEAST_REPORTS, _RATIO))
    found = _caught_from(_bare(config, kind), kind, step if _on_ladder(step) <= config.reports else step - 1)
    return found if found < math.inf else None


def reports_needed(config: CheckConfig, kind: str, epsilon: float, length: int | None = None) -> int | None:
    """Return about how many reports a check needs to reject a true epsilon with 95 % chance, with two digits.

    Args:
        config: of a check; its own number of reports does not matter.
        kind: of the leak.
        epsilon: true one, in nats, above the claimed one.
        length: numbers of a report; without it, as many as in an input.

    Returns:
        A number of reports, at least the fewest that a check may have; it may be more than a check can have. None if
        it is above 10^12 or not known.
    """
    if epsilon <= config.epsilon or not _known(config, kind, length):
        return None
    bare, step = _bare(config, kind), 0
    while _caught_from(bare, kind, step) > epsilon:
        step += _STEPS
        if _on_ladder(step) > _MOST_REPORTS:
            return None
    below, half = step - _STEPS, _STEPS // 2
    while step and half:
        if _caught_from(bare, kind, below + half) <= epsilon:
            step = below + half
        else:
            below += half
        half //= 2
    number = _on_ladder(step)
    unit: int = 10 ** max(0, int(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit


def _on_ladder(step: int) -> int:
    """Return the reports at a step of the ladder on which the power is worked out."""
    return math.ceil(_LEAST_REPORTS * math.exp(step / _STEPS * math.log(_RATIO)))


@lru_cache(maxsize=4_096)
def _caught_from(config: CheckConfig, kind: str, step: int) -> float:
    """Return the smallest true epsilon that is caught with so many reports; infinity if none up to 30 is.

    Each step is sought between its neighbours on a coarser ladder, so that no luck of the simulation makes more reports
    catch less.
    """
    claimed, reports = config.epsilon, _on_ladder(step)
    low, high = claimed, math.inf
    if step % _STEPS == 0:
        high = _caught_from(config, kind, step - _STEPS) if step else math.inf
        over = (high - claimed) / _RATIO if high < math.inf else 0.02 * claimed
    else:
        apart = step & -step  # the neighbours are the ends of the interval in whose middle the step lies
        high, low = (_caught_from(config, kind, neighbour) for neighbour in (step - apart, step + apart))
        over = low - claimed if low < math.inf else 0.0
    if low == high:
        return high

    def caught(epsilon: float) -> bool:
        surely_not = catches(config, kind, epsilon, reports=reports, runs=_FEW_RUNS) < POWER - 3.0 * _MARGIN
        return not surely_not and catches(config, kind, epsilon, reports=reports) >= POWER + _MARGIN

    if step % _STEPS == 0:
        while over > 1e-6 * claimed and high < math.inf and caught(claimed + over):
            high, over = claimed + over, over / _RATIO
    if high == math.inf:
        while not caught(min(claimed + over, EPSILON_RANGE[1])):
            if claimed + over >= EPSILON_RANGE[1]:
                return math.inf
            over *= 2.0
        high, over = min(claimed + over, EPSILON_RANGE[1]), over / 2.0
    low = claimed + over
    while high - claimed > _FINE * (low - claimed):
        middle = claimed + math.sqrt((low - claimed) * (high - claimed))
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


def _bare(config: CheckConfig, kind: str) -> CheckConfig:
    """Return a configuration without what the power does not depend on, so that it is worked out once for all alike."""
    dimension = config.dimension if kind == "learned" else 1
    return replace(
        config, subject="", seed=0, dimension=dimension, scale=None, report_norm=None, clip_norm=1.0, clip_order="l2",
        reports=_LEAST_REPORTS, pair_set=max(2, config.pair_set),
        inputs_digest=len(config.inputs_digest) * "0",
    )  # fmt: skip


def _known(config: CheckConfig, kind: str, length: int | None) -> bool:
    """Return whether the power is known: rules that compare with the inputs need reports as long as these."""
    length = config.dimension if length is None else length
    return length <= MOST_LEARNED_NUMBERS if kind == "learned" else length == config.dimension


@lru_cache(maxsize=512)
def _normal_tail(epsilon: float, delta: float, claimed: float) -> Leak:
    """Return the share of reports in the two tails that tell most against a claim, and how many are rightly told.

    Two means are s deviations apart, where epsilon holds at delta; a tail begins t deviations beyond the first mean.
    """
    apart = normal_distance(epsilon, delta)
    starts = np.linspace(-3.0, 8.0, 1_101)
    inside, outside = ndtr(-starts), ndtr(-starts - apart)
    odds = math.exp(claimed)
    gain = (inside - odds * outside) / np.sqrt(inside + odds**2 * outside)
    best = int(np.argmax(gain))
    spoken = float(inside[best] + outside[best])
    return Leak(min(1.0, spoken), float(inside[best] / spoken))


def _explore(
    rng: np.random.Generator, config: CheckConfig, kind: str, seen: NDArray[np.float64],
    spoken: NDArray[np.float64], right: NDArray[np.float64], number: Any,
) -> None:  # fmt: skip
    """Add what is seen of so many reports of each pair, by rules that were learned from them."""
    share = _learned_share(config, kind, seen[0] + number) * spoken
    found = _count(rng, share, right, number, seen.shape[1:]) * _efficiency(kind)
    seen[0] += number
    seen[1:] += found


def _count(rng: np.random.Generator, spoken: Any, right: Any, number: Any, size: Any) -> NDArray[np.float64]:
    told = rng.binomial(number, np.minimum(spoken, 1.0), size)
    rightly = rng.binomial(told, right)
    return np.stack((rightly, told - rightly)).astype(np.float64)


def _best(values: NDArray[np.float64], number: int) -> NDArray[np.bool_]:
    """Return where the so many largest values of each row are."""
    return np.asarray((-values).argsort(axis=1).argsort(axis=1) < number)


def _learned_share(config: CheckConfig, kind: str, examples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which share of the telling reports a rule speaks about that was learned from so many examples."""
    if kind != "learned":
        return np.ones_like(examples)
    told = np.minimum(examples, _MOST_TOLD)
    return np.asarray((told / (told + _LEARNED_EXAMPLES * config.dimension)) ** 2)


def _efficiency(kind: str) -> float:
    return _TAIL_EFFICIENCY if kind == "tail" else 1.0


def _rejects(
    config: CheckConfig, right: NDArray[np.float64], wrong: NDArray[np.float64], trials: int, significance: float
) -> NDArray[np.bool_]:
    """Return where a look at its planned size shows more than is claimed."""
    level, excess = (1.0 - ANYTIME_SHARE) * significance, 0
    if config.delta:
        excess = excess_limit(trials, config.delta, EXCESS_SHARE * level)
        level *= 1.0 - EXCESS_SHARE
    counted = np.maximum(right - excess, 0.0)
    chance = betaincc(wrong + 1.0, np.maximum(counted, 1e-9), 1.0 / (1.0 + math.exp(config.epsilon)))
    # P(Bin(right + wrong, 1 - c) <= wrong): so few errors come by luck
    return np.asarray((chance < level) & (counted > 0.0))
