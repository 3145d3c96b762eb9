"""Games about rounds: which of two updates did one of n clients send, seen through a shuffler or in a sum?"""

import time
from collections.abc import Callable, Generator
from pathlib import Path

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES, adversary
from ldp_core.cache import Cache
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.errors import HaltedError
from ldp_core.facts import DataFacts
from ldp_core.game.setup import client_state, kind_of, one_thread_per_operation, prepare, resolve_device, versions
from ldp_core.game.trials import CRAFTING, sampling_threads
from ldp_core.learning.server import HonestClients
from ldp_core.private import GradientPair
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics.plane_sum import PlaneSum
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.full_games import Building, View
from ldp_core.studies.trust.games import Counting, Planar, Player, Summing, in_chunks, others_of
from ldp_core.studies.trust.laws import sum_law
from ldp_core.studies.trust.result import TrustResult
from ldp_core.study import Step
from ldp_core.types import TrialCounts


def trust(
    config: TrustConfig,
    cache: Cache,
    *,
    device: str = "cpu",
    threads: int | None = None,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    halted: Callable[[], bool] = bool,
    view: View | None = None,
) -> Generator[Step[TrustResult], None, None]:
    """Make the tested client's pair of updates and play games about rounds in which it sends one of them.

    The counts depend on the configuration, the data and the kind of device alone. ``view`` is who stands in between in
    full games, instead of the configuration's honest one.
    Yields the state after passes of "training", pairs of "crafting" and some games, the "trials".
    Raises ``ValueError`` if an argument is wrong or a pair cannot be made; ``LdpCoreError`` if data, cache or device
    fail.
    """
    start = time.monotonic()
    for name, value, known in (("attack", config.attack, ADVERSARIES), ("dataset", config.dataset, DATASETS)):
        _validate.choice(name, value, known)
    device = "cpu" if config.sampling == "projected" else resolve_device(device)
    threads = sampling_threads() if threads is None else _validate.integer("threads", threads, 1, 1024)
    packages, counts = versions(device), TrialCounts()
    facts: DataFacts | None = None
    pair: GradientPair | None = None

    def progress(stage: str, done: int, total: int) -> Step[TrustResult]:
        geometry, dimension = (None, 0) if pair is None else (pair.geometry, pair.dimension)
        completed, seconds = counts.num_trials == config.games, time.monotonic() - start
        result = TrustResult(config, geometry, dimension, counts, completed, seconds, kind_of(device), packages, facts)
        return Step(stage, done, total, result)

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        ready = yield from prepare(
            progress, config.dataset, config.training, cache, data=images, data_dir=data_dir, download=download
        )
        client, facts = client_state(ready.data, ready.model, config.clip_norm, halted), ready.facts
        yield progress("crafting", 0, 1)
        try:
            generator = stream_generator(config.seed, 0, 0, CRAFTING)
            pair = adversary(config.attack, config.strength).craft(client, generator).to(device)
        except HaltedError:
            return
        yield progress("crafting", 1, 1)
        play = player(config, pair, others_of(config, client, pair), view)
        for played in in_chunks(play, config.games, play.size, threads):
            counts += played
            yield progress("trials", counts.num_trials, config.games)


def player(
    config: TrustConfig, pair: GradientPair, others: HonestClients | None = None, view: View | None = None
) -> Player:
    """Return what plays a configuration's games about a pair."""
    if config.sampling == "full" or view is not None:
        return Building(config, pair, others, view)
    law = sum_law(config, pair.geometry)
    if isinstance(law, PlaneSum):
        return Planar(config, pair, law)
    played = Summing if config.sums or config.rule == "cosine" else Counting
    return played(config, pair, others)
