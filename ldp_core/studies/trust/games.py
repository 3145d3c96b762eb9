"""What all games about rounds share: who plays them, who the other clients are, and the order of the counts."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ldp_core.game.trials import AHEAD, worker_threads
from ldp_core.learning.server import HonestClients, honest_clients
from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import ClientState, GradientPair
from ldp_core.randomness.streams import stream_generator, stream_numbers
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.laws import shuffled_law
from ldp_core.types import Mechanism, TrialCounts

GAMES, OTHERS, REPORTS, ORDER = 2**34, 2**34 + 1, 2**34 + 2, 2**34 + 3
"""Streams of the coins and counts, of the others' gradients, of full reports, and of the shuffler."""
_CHUNK = 2**13
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


def in_order(play: Callable[[int, int], TrialCounts], games: int, size: int, threads: int) -> Iterator[TrialCounts]:
    """Play chunks of games on threads and yield their counts in the chunks' order."""
    chunks = -(-games // size)
    with worker_threads(threads) as pool:
        waiting: deque[Future[TrialCounts]] = deque()
        try:
            for chunk in range(chunks + AHEAD * threads):
                if chunk < chunks:
                    waiting.append(pool.submit(play, chunk, min(size, games - chunk * size)))
                if waiting and (chunk >= AHEAD * threads or chunk >= chunks):
                    yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


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
