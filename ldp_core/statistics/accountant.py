"""What DP-SGD promises: epsilon(delta) and the whole trade-off curve of the Poisson-subsampled Gaussian mechanism.

One step sends N(0, sigma^2) without the record ("out") and (1 - q) N(0, sigma^2) + q N(1, sigma^2) with it ("in"), in
units of the clipping norm; add/remove neighbours. The step is replaced by a pair of discrete laws whose privacy loss
ln(in/out) lies on a grid, and composed by FFT. Two such pairs enclose the truth:

- the *upper* one tells the worlds apart at least as well as the mechanism (each cell's mass is moved to its two ends so
  that both worlds keep theirs; what is beyond the grid counts as told apart for certain), and so every curve and
  epsilon from it is a valid claim, but for the rounding of double precision (below 1e-12);
- the *lower* one gives at most the mechanism's delta (masses are merged, and the rest is rounded down).

Source: privacy loss distributions: Koskela, Jalko and Honkela 2020, arXiv:1906.03049; the two ends of a cell:
Doroshenko et al. 2022, arXiv:2207.04380; the lower pair is derived here.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy, _validate
from ldp_core.statistics.halving import first_whole, halved

ndtr = _lazy.function("scipy.special", "ndtr")
Array = NDArray[Any]
DELTA_RANGE = (1e-9, 0.5)
TOLERANCE = 5e-5
"""Most by which epsilon of the upper and of the lower pair may differ: absolute below 1, relative above."""
_TAIL = 1e-15
"""Chance of what is cut off at each end of the composed loss."""
_FINEST, _COARSEST = 2e-6, 0.1
_FINE_POINTS, _MOST_POINTS = 2**18, 2**22
"""Most points of a grid that is made finer, and of any grid."""
MOST_EPSILON = 1_000.0
"""Beyond it nothing is promised; the accountant says infinity."""


class TooManyLossesError(ValueError):
    """The noise is so small that the losses, ``points`` of them on a grid of this step, do not fit the memory."""

    def __init__(self, step: float, points: int) -> None:
        super().__init__(
            f"a DP-SGD must be one whose losses fit {_MOST_POINTS:,} points of {step:g}, got {points:,} points: "
            "take fewer steps or more noise"
        )


@dataclass(frozen=True, slots=True)
class Sampled:
    """DP-SGD of sampling rate q in (0, 1], noise multiplier sigma in [0.1, 1000], and 1 to 1,000,000 steps T."""

    sampling_rate: float
    noise: float
    steps: int

    def __post_init__(self) -> None:
        check_rate(self.sampling_rate)
        _validate.number("noise", self.noise, *NOISE_RANGE)
        _validate.integer("steps", self.steps, *STEPS_RANGE)


NOISE_RANGE = (0.1, 1000.0)
STEPS_RANGE = (1, 1_000_000)
WANTED_RANGE = (0.01, 30.0)


def check_rate(rate: float) -> float:
    """Return a sampling rate; raise ``ValueError`` outside (0, 1]."""
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0.0 < rate <= 1.0:
        raise ValueError(f"sampling_rate must be a number above 0 and at most 1, got {rate!r}")
    return float(rate)


@dataclass(frozen=True, slots=True)
class Curve:
    """A pair of discrete laws on a grid of losses: how well "in" and "out" can be told apart.

    ``losses`` are ln(in/out), increasing; ``inside`` and ``outside`` are the masses there with and without the record,
    all of shape (n,). What masses lack to 1 is mass that only one of the two worlds has.
    """

    losses: Array
    inside: Array
    outside: Array

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta at an epsilon, the larger of both directions.

        ``add`` bounds what is likelier without the record, ``remove`` what is likelier with it.
        """
        return max(self.deltas(epsilon))

    def deltas(self, epsilon: float) -> tuple[float, float]:
        """Return delta at an epsilon for the directions remove and add."""
        low, high = np.searchsorted(self.losses, (-epsilon, epsilon))
        remove = -float(self.inside[high:] @ np.expm1(epsilon - self.losses[high:])) + 1.0 - float(self.inside.sum())
        add = -float(self.outside[:low] @ np.expm1(epsilon + self.losses[:low])) + 1.0 - float(self.outside.sum())
        return max(remove, 0.0), max(add, 0.0)

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon with at most this delta in both directions, in nats; infinite above 1,000."""
        if self.delta(0.0) <= delta:
            return 0.0
        if self.delta(MOST_EPSILON) > delta:
            return math.inf
        return halved(lambda epsilon: self.delta(epsilon) <= delta, 0.0, MOST_EPSILON, 1e-7)[1]

    def tradeoff(self, false_positive: Array | float) -> Array:
        """Return f(a): the least false-negative rate ("out" said of in) at a false-positive rate ("in" said of out).

        The rates a lie in [0, 1], any shape; f is convex and falls from at most 1 to 0.

        Source: Dong, Roth and Su 2022, arXiv:1905.02383, Def. 2.1; by Neyman and Pearson's lemma.
        """
        rates, missed = self._corners()
        return np.clip(np.interp(false_positive, rates, missed), 0.0, 1.0)

    def inverse(self, false_negative: Array | float) -> Array:
        """Return the least false-positive rate at a false-negative rate; as ``tradeoff``."""
        rates, missed = self._corners()
        return np.clip(np.interp(false_negative, missed[::-1], rates[::-1]), 0.0, 1.0)

    @property
    def identification(self) -> float:
        """Share of right guesses of the best attacker, with equal priors, in [1/2, 1]."""
        return 0.5 + 0.5 * self.deltas(0.0)[0]

    def _corners(self) -> tuple[Array, Array]:
        """Return both rates of each threshold, the false positives rising."""
        certain_in = max(0.0, 1.0 - float(self.inside.sum()))
        rates = np.concatenate([[0.0], np.cumsum(self.outside[::-1])])
        missed = 1.0 - certain_in - np.concatenate([[0.0], np.cumsum(self.inside[::-1])])
        return np.append(rates, 1.0), np.append(np.maximum(missed, 0.0), 0.0)


def epsilon_of(mechanism: Sampled, delta: float) -> float:
    """Return epsilon(delta) of DP-SGD, in nats: the upper end of ``enclosure``, a valid claim; errors as there.

    >>> round(epsilon_of(Sampled(0.1, 2.0, 50), 1e-5), 3)
    1.653
    """
    return enclosure(mechanism, delta)[1]


def enclosure(mechanism: Sampled, delta: float) -> tuple[float, float]:
    """Return a lower and an upper end of epsilon(delta), in nats, at most ``TOLERANCE`` apart where memory allows.

    Raises ``ValueError`` for delta outside [1e-9, 0.5].
    """
    _validate.number("delta", delta, *DELTA_RANGE)
    lower, upper, _ = _enclosed(mechanism, delta)
    return lower, upper


def certified(mechanism: Sampled, delta: float) -> Curve:
    """Return the curve whose epsilon(delta) is the claim."""
    return _enclosed(mechanism, delta)[2]


def _enclosed(mechanism: Sampled, delta: float) -> tuple[float, float, Curve]:
    """Return both ends of epsilon(delta) and the upper curve, on finer and finer grids until the ends agree."""
    *_, (step, _) = _uppers(mechanism, delta)
    while True:
        curve = composed(mechanism, step)
        lower, upper = composed(mechanism, step, upper=False).epsilon(delta), curve.epsilon(delta)
        close = not math.isfinite(upper) or upper - lower <= TOLERANCE * max(1.0, upper)
        if close or step / 2 < _FINEST or 2 * len(curve.losses) > _FINE_POINTS:
            return lower, upper, curve
        step /= 2


def _uppers(mechanism: Sampled, delta: float) -> Iterator[tuple[float, float]]:
    """Yield finer and finer grid steps with the upper end of epsilon(delta), until it hardly falls."""
    step, before = _fitting(mechanism, 16.0), math.inf
    while True:
        curve = composed(mechanism, step)
        upper = curve.epsilon(delta)
        yield step, upper
        settled = before - upper <= TOLERANCE * max(1.0, upper) or not math.isfinite(upper)
        if settled or step / 2 < _FINEST or 2 * len(curve.losses) > _FINE_POINTS:
            return
        step, before = step / 2, upper


@lru_cache(maxsize=64)
def noise_for(sampling_rate: float, steps: int, epsilon: float, delta: float) -> float:
    """Return the least noise sigma, to four digits and rounded up, with which DP-SGD has at most this epsilon.

    Epsilon is in nats, from 0.01 to 30; delta as in ``enclosure``. Raises ``ValueError`` if no noise from 0.1 to 1,000
    does.

    >>> noise_for(0.1, 50, 4.0, 1e-5)
    1.1446
    """
    _validate.number("epsilon", epsilon, *WANTED_RANGE)
    _validate.number("delta", delta, *DELTA_RANGE)
    low, high = NOISE_RANGE

    def enough(noise: float) -> bool:
        before = math.inf
        try:
            for _, upper in _uppers(Sampled(sampling_rate, noise, steps), delta):
                if upper <= epsilon or upper - epsilon > 2.0 * (before - upper):  # finer grids gain less
                    return upper <= epsilon
                before = upper
        except TooManyLossesError:  # far too little noise
            pass
        return False

    if not enough(high):
        raise ValueError(f"epsilon must be one that a noise of at most {high:g} gives, got {epsilon!r}")
    while high > low and enough(high / 2):  # little noise is slow, so it is approached from above
        high = max(low, high / 2)
    if high == low:
        return low
    low = max(low, high / 2)
    while high / low > 1.0 + 1e-3:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    unit = 10.0 ** (math.floor(math.log10(high)) - 4)
    first, last = math.floor(low / unit), math.ceil(high / unit)
    return round(first_whole(lambda place: enough(place * unit), first, last) * unit, 10)


def rough(mechanism: Sampled) -> Curve:
    """Return the upper curve on a grid that is good to about 1e-3 in epsilon, where memory allows."""
    return composed(mechanism, _fitting(mechanism, 1.0))


@lru_cache(maxsize=64)
def _fitting(mechanism: Sampled, times: float) -> float:
    """Return so many times the first grid step, made longer until the losses fit the memory."""
    # The first errs by about 1e-3 in epsilon: the composed loss gains a variance of steps * step^2 / 6.
    first = 0.05 * math.pow(mechanism.steps, -0.75)
    step = times * max(_FINEST, min(2e-2, first))
    while True:
        try:
            _places(mechanism, step, upper=True)
            return step
        except TooManyLossesError:
            if step > _COARSEST / 2:
                raise
            step *= 2


@lru_cache(maxsize=8)
def composed(mechanism: Sampled, step: float, *, upper: bool = True) -> Curve:
    """Return the upper or the lower discrete pair of all steps together, on a grid of losses of this step in nats."""
    first, inside, outside, low, size = _places(mechanism, step, upper=upper)
    points = max(1 << (size - 1).bit_length(), 1 << (min(len(inside), _MOST_POINTS) - 1).bit_length())
    start = first * mechanism.steps
    losses = step * np.arange(low, low + size)
    laws = [_power(law, mechanism.steps, points, low - start)[:size] for law in (inside, outside)]
    # Both laws are e^loss apart at every point. FFT leaves about 1e-17 at each, which e^epsilon would make large: the
    # smaller one follows from the larger one.
    falls = np.exp(-np.abs(losses))
    laws = [np.where(losses < 0.0, laws[1] * falls, laws[0]), np.where(losses > 0.0, laws[0] * falls, laws[1])]
    return Curve(losses, laws[0], laws[1])


def _places(mechanism: Sampled, step: float, *, upper: bool) -> tuple[int, Array, Array, int, int]:
    """Return one step's pair from its first place on, and the first place and the number of places of all steps."""
    first, inside, outside = (_upper if upper else _lower)(mechanism.sampling_rate, mechanism.noise, step)
    low, high = _range(first, inside, outside, step, mechanism.steps)
    if (size := high - low + 1) > _MOST_POINTS:
        raise TooManyLossesError(step, size)
    return first, inside, outside, low, size


def _power(law: Array, steps: int, points: int, shift: int) -> Array:
    """Return the law of a sum of independent losses, from ``shift`` on; what lies beyond is wrapped around."""
    folded = law if len(law) <= points else np.bincount(np.arange(len(law)) % points, law, points)
    spectrum = np.fft.rfft(folded, points)
    total = np.fft.irfft(spectrum**steps, points)
    return np.maximum(np.roll(total, -(shift % points)), 0.0)


def _range(first: int, inside: Array, outside: Array, step: float, steps: int) -> tuple[int, int]:
    """Return the first and the last place of the composed loss, so that at most 1e-15 of either world is beyond."""
    places = np.arange(first, first + len(inside))
    ends = []
    for sign in (-1.0, 1.0):
        bounds = []
        for law in (inside, outside):
            used = law > 0
            losses, masses = sign * step * places[used], law[used]
            top = float(losses.max())
            best, where, apart = steps * top, 10.0, 10.0 ** (1 / 2)
            for around in (6, 3, 3, 3):  # Chernoff: any rate gives a bound
                for rate in where * apart ** np.arange(-around, around + 1):
                    moment = float(np.log(masses @ np.exp(rate * (losses - top)))) + rate * top
                    if (bound := (steps * moment - math.log(_TAIL)) / rate) < best:
                        best, where = bound, float(rate)
                apart = apart ** (1 / 3)
            bounds.append(best)
        ends.append(max(bounds))
    return math.floor(-ends[0] / step), math.ceil(ends[1] / step)


def _cells(rate: float, noise: float, step: float) -> tuple[int, Array, Array]:
    """Return the mass of both worlds in each cell (k step, (k + 1) step] of the loss, from k = first on."""
    lowest = math.log1p(-rate) if rate < 1.0 else (-2.0 * noise * 9.0 - 1.0) / (2.0 * noise**2)
    reach = (2.0 * (1.0 + 9.0 * noise) - 1.0) / (2.0 * noise**2)
    highest = float(np.logaddexp(math.log1p(-rate) if rate < 1.0 else -np.inf, math.log(rate) + reach))
    first, last = math.floor(lowest / step), math.ceil(highest / step)
    if last - first > _MOST_POINTS:  # one step alone
        raise TooManyLossesError(step, last - first)
    edges = step * np.arange(first, last + 1)
    places = _place(edges, rate, noise)
    out = _between(places / noise)
    shifted = _between((places - 1.0) / noise)
    return first, (1.0 - rate) * out + rate * shifted, out


def _between(edges: Array) -> Array:
    """Return the standard normal mass between neighbouring edges, exact in both tails."""
    lower, upper = np.diff(ndtr(edges)), -np.diff(ndtr(-edges))
    return np.asarray(np.where(edges[:-1] > 0.0, upper, lower))


def _place(losses: Array, rate: float, noise: float) -> Array:
    """Return where one step has a loss; minus infinity below the least one."""
    excess = np.exp(np.minimum(losses, 700.0)) - (1.0 - rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss_at = noise**2 * np.log(np.where(excess > 0.0, excess, 0.0) / rate) + 0.5
    return loss_at


def _upper(rate: float, noise: float, step: float) -> tuple[int, Array, Array]:
    """Return one step's upper pair: each cell's mass at its two ends, so that both worlds keep theirs."""
    first, inside, outside = _cells(rate, noise, step)
    left = step * np.arange(first, first + len(inside))
    # p e^-l + (inside - p) e^-(l + step) = outside; relative to e^-l
    share = (outside * np.exp(left) - inside * math.exp(-step)) / -math.expm1(-step)
    at_left = np.clip(share, 0.0, inside)
    law = np.zeros(len(inside) + 1)
    law[:-1] += at_left
    law[1:] += inside - at_left
    return first, law, law * np.exp(-(step * np.arange(first, first + len(law))))


def _lower(rate: float, noise: float, step: float) -> tuple[int, Array, Array]:
    """Return one step's lower pair.

    Each cell is merged into one point, of loss between the cell's ends. At each end, a part of the cell below and of
    the cell above are merged into a point with just that loss; what finds no partner is rounded down.
    """
    first, inside, outside = _cells(rate, noise, step)
    left = step * np.arange(first, first + len(inside))
    with np.errstate(divide="ignore", invalid="ignore"):
        # y = out/in relative to e^-left: from 1 at the lower end to e^-step at the upper one
        ratio = np.where(inside > 0.0, outside * np.exp(left) / inside, 1.0)
    ratio = np.clip(ratio, math.exp(-step), 1.0)
    down = (1.0 - ratio) * inside  # what the lower end wants of a partner, per e^-left
    up = (ratio - math.exp(-step)) * inside * math.exp(step)  # what the upper end wants, per e^-(left + step)
    law = np.zeros(len(inside) + 1)
    free = 1.0  # share of the present cell that is not yet merged at its lower end
    downs, ups, masses = down.tolist(), up.tolist(), inside.tolist()
    for place in range(len(masses)):
        want = free * ups[place]
        offer = downs[place + 1] if place + 1 < len(masses) else 0.0
        share = free if want <= offer else free * offer / want
        law[place + 1] += share * masses[place]
        law[place] += (free - share) * masses[place]  # rounded down
        used = share * ups[place] / offer if offer > 0.0 else 0.0
        if place + 1 < len(masses):
            law[place + 1] += used * masses[place + 1]
        free = 1.0 - used
    return first, law, law * np.exp(-(step * np.arange(first, first + len(law))))
