"""How the pairs of the attacks wander in the plane of angle and norm as the global model learns."""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS
from ldp_core.errors import HaltedError
from ldp_core.facts import LIGHT_ACCURACY
from ldp_core.game.setup import client_state, loaded, one_thread_per_operation, versions
from ldp_core.game.trials import CRAFTING
from ldp_core.learning.models import accuracy, training_steps
from ldp_core.private import ClientState
from ldp_core.randomness.streams import stream_generator
from ldp_core.studies.trajectory.result import TrainingLevel, TrainingPathConfig, TrainingPathResult
from ldp_core.study import Step
from ldp_core.types import PairGeometry


@dataclass(frozen=True, slots=True)
class TrainingPathProgress(Step[TrainingPathResult]):
    """Passes of "training", or pairs of "crafting" asked for at this level; the result holds whole levels.

    ``so_far``: the same with the pairs of the level in work, for a run that ends here.
    """

    so_far: TrainingPathResult


def training_path(
    config: TrainingPathConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    halted: Callable[[], bool] = bool,
) -> Generator[TrainingPathProgress, None, None]:
    """Train the global model as ``models.global_model`` does, and make pairs at each level that is asked for.

    Measurement m draws from the same stream at every level, and as in ``audit``, so the same images wander. Only the
    pairs' geometry is kept. Where the level ``light`` stops between two levels, it becomes a level too.
    Yields the state after every 100 batches, each pass and each pair; the last one has ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    for attack in config.attacks:
        _validate.choice("attack", attack, ADVERSARIES)
    result = TrainingPathResult(config, (), None, False, 0.0, versions())

    def progress(stage: str, done: int, total: int, begun: TrainingLevel | None = None) -> TrainingPathProgress:
        whole = replace(result, seconds=time.monotonic() - start)
        so_far = whole
        if begun is not None:
            so_far = replace(whole, levels=(*levels, begun), light_passes=light, completed=False)
        return TrainingPathProgress(stage, done, total, whole, so_far)

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        data = yield from loaded(progress, config.dataset, data_dir, download)
        last, light, levels = config.passes[-1], result.light_passes, result.levels
        before = -1
        for model, passes in training_steps(data):
            yield progress("training", passes, last)
            if passes == before:  # within a pass
                continue
            before = passes
            share = accuracy(model, data.images, data.labels)
            if passes and light is None and share >= LIGHT_ACCURACY:
                light = passes
            if passes not in (*config.passes, light):
                continue
            client, planned = (
                client_state(data, model, config.clip_norm, halted),
                len(config.attacks) * config.num_measurements,
            )
            try:
                for done, made in enumerate(_crafted(config, client), start=1):
                    level = TrainingLevel(passes, share, *made)
                    yield progress("crafting", done, planned, level if done < planned else None)
            except HaltedError:
                yield progress("crafting", 0, planned)
                return
            levels = (*levels, level)
            result = replace(result, levels=levels, light_passes=light, completed=passes == last)
            if passes == last:
                break
        yield progress("training", last, last)


def _crafted(
    config: TrainingPathConfig, client: ClientState
) -> Iterator[tuple[dict[str, tuple[PairGeometry, ...]], dict[str, int]]]:
    """Make the pairs of a level; yield after each all so far, and how many were left out: both gradients are zero."""
    pairs: dict[str, tuple[PairGeometry, ...]] = dict.fromkeys(config.attacks, ())
    left_out = dict.fromkeys(config.attacks, 0)
    for attack in config.attacks:
        for measurement in range(config.num_measurements):
            generator = stream_generator(config.seed, measurement, 0, CRAFTING)
            try:
                pairs[attack] += (ADVERSARIES[attack].craft(client, generator).geometry,)
            except ValueError as error:
                if "two zero gradients" not in str(error):
                    raise
                left_out[attack] += 1
            yield dict(pairs), dict(left_out)
