"""Games about rounds: who plays them, and those without reports, where what is seen is drawn from its exact law."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.game.trials import AHEAD, worker_threads
from ldp_core.learning.server import HonestClients, honest_clients
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import ClientState, GradientPair
from ldp_core.randomness.streams import stream_generator, stream_numbers
from ldp_core.statistics import views
from ldp_core.statistics.plane_sum import PlaneSum
from ldp_core.statistics.views import Summed
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.laws import shuffled_law, sum_law
from ldp_core.study import in_order
from ldp_core.types import Mechanism, PairGeometry, TrialCounts

GAMES, OTHERS, REPORTS, ORDER = 2**34, 2**34 + 1, 2**34 + 2, 2**34 + 3
"""Streams of the coins and counts, of the others' gradients, of full reports, and of the shuffler."""
_CHUNK, _BLOCK = 2**13, 2**20
MOST_REAL = 2_000
"""Different images of other clients; where more clients report, several hold the same one."""


def others_of(config: TrustConfig, client: ClientState, pair: GradientPair) -> HonestClients | None:
    """Return the gradients of real other clients, at most ``MOST_REAL`` different ones; None where none are asked."""
    if config.others != "real" or config.reports == 1:
        return None
    generator = stream_generator(config.seed, 0, 0, OTHERS)
    device = str(pair.first.device)
    images, labels = client.server_images.to(device), client.server_labels.to(device)
    count = min(config.reports - 1, MOST_REAL, len(images))
    return honest_clients(pair.model or client.model, images, labels, count, generator)


def in_chunks(play: Callable[[int, int], TrialCounts], games: int, size: int, threads: int) -> Iterator[TrialCounts]:
    """Play chunks of games on threads and yield their counts in the chunks' order."""
    chunks = ((chunk, min(size, games - chunk * size)) for chunk in range(-(-games // size)))
    with worker_threads(threads) as pool:
        yield from in_order(pool, lambda chunk: play(*chunk), chunks, AHEAD * threads)


class Player:
    """Plays chunks of games; the counts of a chunk depend on its number alone.

    ``others``: the real other clients; None where they are uniform or agree.
    """

    size = _CHUNK

    def __init__(self, config: TrustConfig, pair: GradientPair, others: HonestClients | None) -> None:
        self.config, self.pair, self.others = config, pair, others
        self.mechanism: Mechanism = MECHANISMS[config.mechanism](config.epsilon, config.clip_norm)
        self.geometry = pair.geometry
        self.law = shuffled_law(config, pair.geometry, pair.dimension)

    def __call__(self, chunk: int, games: int) -> TrialCounts:
        """Play games; the first update's come first."""
        rng = stream_numbers(self.config.seed, 0, chunk, GAMES)
        num_first = int(rng.binomial(games, 0.5))
        guessed = self.guess(rng, chunk, games, num_first)
        right, wrong = int(guessed[:num_first].sum()), int(guessed[num_first:].sum())
        return TrialCounts(right, num_first - right, wrong, games - num_first - wrong)

    def guess(self, rng: np.random.Generator, chunk: int, games: int, num_first: int) -> NDArray[np.bool_]:
        """Return whether "first" is guessed, shape (games,)."""
        raise NotImplementedError

    def side(self, norm: float) -> float:
        """Return the chance that the mechanism that is played, honest or not, keeps a report on its gradient's side."""
        kept = cast(LdpSgd, self.mechanism).same_side_probability
        return 0.5 + min(norm / self.config.clip_norm, 1.0) * (kept - 0.5)

    def other_sides(self) -> list[float]:
        """Return q of each different real client."""
        assert self.others is not None
        return [self.side(norm) for norm in self.others.norms]

    def repeats(self) -> list[int]:
        """Return how many of the other clients hold each different image."""
        assert self.others is not None
        different, rest = len(self.others.norms), self.config.reports - 1
        return [rest // different + (number < rest % different) for number in range(different)]


class Counting(Player):
    """Projected games about a list, or one report: how often each region occurs is drawn from its exact law."""

    def __init__(self, config: TrustConfig, pair: GradientPair, others: HonestClients | None) -> None:
        super().__init__(config, pair, others)
        angle = self.geometry.angle_degrees
        first, second = (self.side(norm) for norm in (self.geometry.norm_first, self.geometry.norm_second))
        both, own_chance, other, neither = views.region_law(angle, second)
        self.own = np.array((views.region_law(angle, first), (both, other, own_chance, neither)))
        crowd = views.region_law(angle, first if config.others == "agree" else 0.5)
        self.crowd: list[tuple[int, tuple[float, ...]]] = [(config.reports - 1, crowd)]
        assert self.law is not None
        self.scores = self.law.scores()
        if others is not None:
            first_angles, second_angles = (
                angles(others.directions, end) for end in (pair.first_direction, pair.second_direction)
            )
            rows = zip(first_angles, second_angles, self.other_sides(), strict=True)
            laws = [views.bystander_law(angle, *row) for row in rows]
            self.crowd = list(zip(self.repeats(), laws, strict=True))
            self.scores = mean_scores(self.law.first, self.law.second, laws, self.repeats())

    def guess(self, rng: np.random.Generator, chunk: int, games: int, num_first: int) -> NDArray[np.bool_]:
        """Draw the others' counts, add the tested client's region, and compare the likelihoods."""
        seen = np.zeros((games, 4), dtype=np.int64)
        above = np.zeros((3, games), dtype=np.int64)  # reports in a later region than the first, the second, the third
        for count, law in self.crowd:
            if count == 1:  # a multinomial of one is slow
                draws = rng.random(games)
                for row, limit in zip(above, itertools.accumulate(law[:3]), strict=True):
                    row += draws >= limit
            elif count:
                seen += rng.multinomial(count, law, size=games)
        limits = self.own.cumsum(axis=1)[:, :-1]
        which = (np.arange(games) >= num_first).astype(np.int64)
        above += (rng.random(games)[:, None] >= limits[which]).T
        singles = 1 + sum(count == 1 for count, _ in self.crowd)
        seen -= np.diff(above, axis=0, prepend=singles, append=0).T
        guessed: NDArray[np.bool_] = seen @ self.scores >= 0.0
        return guessed


class Summing(Player):
    """Projected games about a sum: its inner product with the directions' difference, in high dimension."""

    def __init__(self, config: TrustConfig, pair: GradientPair, others: HonestClients | None) -> None:
        super().__init__(config, pair, others)
        half = math.radians(self.geometry.angle_degrees) / 2.0
        self.lean = math.sin(half)
        self.own = [self.side(norm) for norm in (self.geometry.norm_first, self.geometry.norm_second)]
        self.turned: list[tuple[int, float, float]] = []  # clients, cosine to the difference, q
        if config.others == "agree":
            self.turned = [(config.reports - 1, self.lean, self.own[0])]
        elif others is not None:
            towards = torch.nn.functional.normalize(pair.direction_difference.double(), dim=0)
            cosines = (others.directions.double() @ towards.to(others.directions.device)).clamp(-1.0, 1.0).tolist()
            self.turned = list(zip(self.repeats(), cosines, self.other_sides(), strict=True))
        self.normal = config.reports - 1 - sum(count for count, _, _ in self.turned)
        self.sight = Sum(config, self.geometry, self.turned)

    def guess(self, rng: np.random.Generator, chunk: int, games: int, num_first: int) -> NDArray[np.bool_]:
        """Draw the sums and compare."""
        sums, spread = np.zeros(games), np.full(games, float(self.normal))
        for count, cosine, side in self.turned:
            _add_turned(rng, sums, spread, count, cosine, side)
        for block, cosine, side in (
            (slice(0, num_first), self.lean, self.own[0]),
            (slice(num_first, games), -self.lean, self.own[1]),
        ):
            _add_turned(rng, sums[block], spread[block], 1, cosine, side)
        sums += rng.standard_normal(games) * np.sqrt(spread)
        return self.sight.guess(sums)


class Planar(Player):
    """Projected games about a sum in the plane of a pair that is not opposite, in high dimension."""

    def __init__(self, config: TrustConfig, pair: GradientPair, law: PlaneSum) -> None:
        super().__init__(config, pair, None)
        self.plane = law

    def guess(self, rng: np.random.Generator, chunk: int, games: int, num_first: int) -> NDArray[np.bool_]:
        """Draw the sums along the first gradient and across it, and compare the likelihoods."""
        law, rest, second = self.plane, self.config.reports - 1, games - num_first
        angle = math.radians(law.angle_degrees)
        along, spread = np.zeros(games), np.zeros(games)
        across = rng.standard_normal(games) * math.sqrt(rest)
        _add_turned(rng, along, spread, rest, 1.0, law.others)
        _add_turned(rng, along[:num_first], spread[:num_first], 1, 1.0, law.first)
        across[:num_first] += rng.standard_normal(num_first)
        lengths, beside = rng.standard_normal((2, second))  # along the second gradient and across it
        lengths = np.where(rng.random(second) < 2.0 * law.second - 1.0, np.abs(lengths), lengths)
        along[num_first:] += lengths * math.cos(angle) - beside * math.sin(angle)
        across[num_first:] += lengths * math.sin(angle) + beside * math.cos(angle)
        along += rng.standard_normal(games) * np.sqrt(spread)
        return law.guess(along, across) >= 0.0


class Sum:
    """How the attacker guesses from sums along the directions' difference, times sqrt(d).

    ``config``: its rule and what the others send; ``turned``: other clients with a lean: how many, cosine to the
    difference, q.
    """

    def __init__(self, config: TrustConfig, pair: PairGeometry, turned: list[tuple[int, float, float]]) -> None:
        law = sum_law(config, pair)
        self.law = law if isinstance(law, Summed) else None
        self.middle = 0.0
        if config.rule == "best" and config.mechanism in LDP_SGD_FAMILY and config.others == "real":
            # centred at what the others add on average
            lean = math.fsum(count * cosine * (2.0 * side - 1.0) for count, cosine, side in turned)
            self.middle = lean * math.sqrt(2.0 / math.pi)

    def guess(self, sums: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether "first" is guessed of each sum."""
        return sums >= self.middle if self.law is None else self.law.guess(sums) >= 0.0


def angles(directions: Tensor, end: Tensor) -> list[float]:
    """Return the angle of each row with a unit vector, in degrees; 90 for a row of zeros."""
    cosines = (directions.double() @ end.double()).clamp(-1.0, 1.0)
    return [math.degrees(math.acos(cosine)) for cosine in cosines.tolist()]


def mean_scores(
    first: tuple[float, ...], second: tuple[float, ...], laws: Sequence[tuple[float, ...]], repeats: list[int]
) -> NDArray[np.float64]:
    """Return the scores of regions that are best if each other client's law is the mean of all."""
    mean = np.average(np.array(laws), axis=0, weights=np.array(repeats))
    difference = np.array(first) - np.array(second)
    scores: NDArray[np.float64] = np.divide(difference, mean, out=np.zeros(len(mean)), where=mean > 1e-15)
    return scores


def _add_turned(
    rng: np.random.Generator, sums: NDArray[np.float64], spread: NDArray[np.float64], count: int, cosine: float,
    side: float,
) -> None:  # fmt: skip
    """Add reports' inner products with the difference, for one gradient at an angle to it: exactly, in high dimension.

    With probability 2q - 1 a report is on its gradient's side: |t| along the gradient, normal across it. Otherwise it
    is uniform, so normal all around. All that is normal is left for one draw: its variance is added to ``spread``.

    ``sums`` and ``spread``, the variance of what is still to be added to each, are changed in place; ``count``:
    reports; ``cosine``: of the gradient to the difference; ``side``: q.
    """
    games, lead = len(sums), 2.0 * side - 1.0
    if count == 0:
        return
    kept: NDArray[np.int64]
    lengths: NDArray[np.float64] = np.zeros(games)
    if count == 1:
        kept = (rng.random(games) < lead).astype(np.int64)
        lengths = np.abs(rng.standard_normal(games)) * kept
    else:
        kept = rng.binomial(count, lead, size=games)
        rows = max(1, _BLOCK // count)
        for start in range(0, games, rows):
            counts = kept[start : start + rows]
            ends = counts.cumsum()
            drawn = np.zeros(int(ends[-1]) + 1, dtype=np.float32)  # and one at the end, where a sum may start
            rng.standard_normal(dtype=np.float32, out=drawn[:-1])
            totals = np.add.reduceat(np.abs(drawn, out=drawn), ends - counts, dtype=np.float64)
            lengths[start : start + rows] = np.where(counts > 0, totals, 0.0)  # an empty sum reads what follows
    sums += cosine * lengths
    spread += count - kept * (cosine * cosine)
