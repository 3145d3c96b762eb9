"""What a check would catch, for each kind of leak, before or after it runs.

The counts of whole checks are drawn from the exact laws below and judged as a check judges them. A leak is taken to
show on one pair of inputs; on all others the mechanism is taken to leak, in the same way, just what it claims.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, ndtr, ndtri

from ldp_core.checking.claims._plan import HOPED, num_pairs, plan_of
from ldp_core.checking.claims._subject import CheckConfig
from ldp_core.distinguishers.learned import OPTIMISTIC_Z, PESSIMISTIC_Z, Target, promised_bound
from ldp_core.statistics.estimates import ANYTIME_SHARE, EXCESS_SHARE
from ldp_core.statistics.intervals import excess_limit
from ldp_core.statistics.theory import normal_distance, worst_case_identification
from ldp_core.types import EPSILON_RANGE

POWER = 0.95
MOST_LEARNED_NUMBERS = 16
"""Of reports with more numbers it is not known how well a region is learned."""
_RUNS = 1_000
_SEED = 20261124
_MOST_TOLD = 2**15
_TAIL_EFFICIENCY = 0.8
_LEARNED_EXAMPLES = 50
_MARGIN = 0.02
"""Added to the power that is asked for: three standard deviations of a share of ``_RUNS`` near 0.95."""
_LEAST_REPORTS, _MOST_REPORTS = 5_000, 10**12
_RATIO, _STEPS = 4.0, 16
"""The power is worked out for reports that grow fourfold in so many steps."""
_SLOPE, _FINE, _CLOSE = 2.0, 0.03, 0.1
"""About so many probits of power come with each e-fold of what is leaked beyond the claim, which is sought within so
many e-folds, or until the power is above the one asked for by less than so many probits, about one standard deviation.
"""


@dataclass(frozen=True, slots=True)
class Leak:
    """How a leak shows on a pair, to the best rule.

    ``spoken``: share of reports that lie where the leak shows; ``right``: share of these that are rightly told.
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

    ``epsilon``: true one, in nats, which holds at ``delta``; ``claimed``: on which it depends where a tail had best
    begin.
    """
    if kind != "tail":
        return Leak(1.0, worst_case_identification(epsilon, delta))
    if delta == 0.0:
        return Leak((1.0 + math.exp(-epsilon)) / 2.0, worst_case_identification(epsilon))
    return _normal_tail(epsilon, delta, claimed)


def catches(config: CheckConfig, kind: str, epsilon: float, *, reports: int | None = None, runs: int = _RUNS) -> float:
    """Return the share of simulated checks that reject a mechanism with this true epsilon.

    ``kind``: in ``LEAKS``; ``epsilon``: true one, in nats, above the claimed one; ``reports``: the most, else the
    configuration's.
    """
    plan, pairs = plan_of(config, reports), num_pairs(config)
    rng = np.random.default_rng([_SEED, plan.trials, pairs])
    true, honest = (leak(kind, value, config.delta, config.epsilon) for value in (epsilon, config.epsilon))
    spoken = np.full(pairs, honest.spoken)
    right = np.full(pairs, honest.right)
    spoken[0], right[0] = true.spoken, true.right
    seen = np.zeros((3, runs, pairs))  # trials, right, wrong; of the checks that have not rejected yet
    for turn in plan.rounds:
        more: Any = turn.explore // pairs
        if not config.adaptive:
            _explore(rng, config, kind, seen, spoken, right, more)
        if turn.looks:
            aim = Target(turn.judged, turn.significance, config.delta)
            promises = _promises(rng, seen, aim, PESSIMISTIC_Z)
            picked = _best(promises, turn.looks - turn.own_looks)
            chosen = picked[:, 0]
            share = _learned_share(config, kind, seen[0, chosen, 0]) * true.spoken
            judged = _efficiency(kind) * _count(rng, share, true.right, turn.judged, share.shape)
            seen[:, chosen, 0] += np.stack((np.full(len(share), float(turn.judged)), *judged))
            caught = np.zeros_like(chosen)
            caught[chosen] = _rejects(config, judged[0], judged[1], turn.judged, turn.significance)
            if turn.explore:
                hopes = np.where(picked, -math.inf, _promises(rng, seen, aim, OPTIMISTIC_Z))
                more = turn.explore // 2 // pairs + turn.explore // 2 // HOPED * _best(hopes, HOPED)[~caught]
            seen = seen[:, ~caught]
        if config.adaptive and turn.explore:
            _explore(rng, config, kind, seen, spoken, right, more)
    return (runs - seen.shape[1]) / runs


def smallest_detectable_epsilon(config: CheckConfig, kind: str = "side", length: int | None = None) -> float | None:
    """Return the smallest true epsilon that a whole check would reject with at least 95 % chance, in nats.

    It never grows with the number of reports, and is at most an epsilon for which ``reports_needed`` names no more.

    ``kind``: in ``LEAKS``, for which alone it holds; ``length``: numbers of a report, else as many as in an input.
    Returns the epsilon, above the claimed one; None if it exceeds 30, or is not known.
    """
    if not _known(config, kind, length):
        return None
    step = math.floor(_STEPS * math.log(config.reports / _LEAST_REPORTS, _RATIO))
    epsilon = _caught_from(_bare(config, kind), kind, step if _on_ladder(step) <= config.reports else step - 1)
    return epsilon if epsilon < math.inf else None


def reports_needed(config: CheckConfig, kind: str, epsilon: float, length: int | None = None) -> int | None:
    """Return about how many reports a check needs to reject a true epsilon with 95 % chance, with two digits.

    ``epsilon``: true one, in nats, above the claimed one; ``length``: numbers of a report, else as many as in an input.
    Returns a number of reports, at least the fewest that a check may have; it may be more than a check can have. None
    if it is above 10^12 or not known.
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
    claimed, most = config.epsilon, math.log(EPSILON_RANGE[1] - config.epsilon)
    low, high = -math.inf, math.inf  # logarithms of what is leaked beyond the claim, as is all that follows
    if step % _STEPS == 0:
        high = _excess(config, kind, step - _STEPS) if step else math.inf
        start = high - math.log(_RATIO) / 2.0 if high < math.inf else math.log(claimed)
        place = min(start, most)  # half as much shows in four times as many reports
    else:
        apart = step & -step  # the neighbours are the ends of the interval in whose middle the step lies
        high, low = (_excess(config, kind, neighbour) for neighbour in (step - apart, step + apart))
        place = (low + min(high, most)) / 2.0
    while high - low > _FINE:
        over = _over(config, kind, claimed + math.exp(place), _on_ladder(step))
        low, high = (low, place) if over >= 0.0 else (place, high)
        if 0.0 <= over < _CLOSE:
            break
        if low == most:
            return math.inf
        place = min(place - (over - _CLOSE / 2.0) / _SLOPE, most)
        if not low < place < high:
            place = (low + high) / 2.0
    return claimed + math.exp(high)


def _excess(config: CheckConfig, kind: str, step: int) -> float:
    """Return the logarithm of what the smallest true epsilon that is caught leaks beyond the claim."""
    return math.log(_caught_from(config, kind, step) - config.epsilon)


def _over(config: CheckConfig, kind: str, epsilon: float, reports: int) -> float:
    """Return by how many probits the simulated power is above the one that is asked for."""
    caught = catches(config, kind, epsilon, reports=reports)
    return float(ndtri(min(max(caught, 0.5 / _RUNS), 1.0 - 0.5 / _RUNS)) - ndtri(POWER + _MARGIN))


def _bare(config: CheckConfig, kind: str) -> CheckConfig:
    """Return a configuration without what the power does not depend on, so that it is worked out once for all alike."""
    dimension = config.dimension if kind == "learned" else 1
    return replace(
        config, subject="", seed=0, dimension=dimension, scale=None, report_norm=None, clip_norm=1.0, clip_order="l2",
        reports=_LEAST_REPORTS,
        inputs_digest=len(config.inputs_digest) * "0",
    )  # fmt: skip


def _known(config: CheckConfig, kind: str, length: int | None) -> bool:
    """Return whether the power is known: rules that compare with the inputs need reports as long as these."""
    length = config.dimension if length is None else length
    known = length <= MOST_LEARNED_NUMBERS if kind == "learned" else length == config.dimension
    return known and config.epsilon < EPSILON_RANGE[1]


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


def _promises(rng: np.random.Generator, seen: NDArray[np.float64], aim: Target, caution: float) -> NDArray[np.float64]:
    """Return what the pairs' reports so far promise; ties are as good as any other."""
    bounds = promised_bound(seen[1], seen[2], np.maximum(seen[0], 1), aim, caution)
    return np.asarray(bounds + 1e-9 * rng.random(bounds.shape))


def _explore(
    rng: np.random.Generator, config: CheckConfig, kind: str, seen: NDArray[np.float64],
    spoken: NDArray[np.float64], right: NDArray[np.float64], number: Any,
) -> None:  # fmt: skip
    """Add what is seen of so many reports of each pair, by rules that were learned from them."""
    share = _learned_share(config, kind, seen[0] + number) * spoken
    counts = _count(rng, share, right, number, seen.shape[1:]) * _efficiency(kind)
    seen[0] += number
    seen[1:] += counts


def _count(rng: np.random.Generator, spoken: Any, right: Any, number: Any, size: Any) -> NDArray[np.float64]:
    guesses = rng.binomial(number, np.minimum(spoken, 1.0), size)
    rightly = rng.binomial(guesses, right)
    return np.stack((rightly, guesses - rightly)).astype(np.float64)


def _best(values: NDArray[np.float64], number: int) -> NDArray[np.bool_]:
    """Return where the so many largest values of each row are."""
    best = np.zeros(values.shape, bool)
    np.put_along_axis(best, np.argpartition(-values, number - 1, axis=1)[:, :number], True, axis=1)
    return best


def _learned_share(config: CheckConfig, kind: str, examples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which share of the telling reports a rule speaks about that was learned from so many examples."""
    if kind != "learned":
        return np.ones_like(examples)
    capped_examples = np.minimum(examples, _MOST_TOLD)
    return np.asarray((capped_examples / (capped_examples + _LEARNED_EXAMPLES * config.dimension)) ** 2)


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
