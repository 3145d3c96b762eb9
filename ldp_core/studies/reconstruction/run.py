"""Rebuilding pictures from what is sent: a client sends, an attacker rebuilds, and the two pictures are compared.

All reports of a picture are made under one model that does not change: the worst case for the client. The attacker is
the server: it knows the model, the protection, and pictures of the same kind that are public. The pictures attacked
are held out from training.
"""

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from ldp_core import _validate
from ldp_core.cache import Cache
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.game.setup import Prepared, one_thread_per_operation, prepare, versions
from ldp_core.learning.gradients import updates_of
from ldp_core.learning.sent import span_of
from ldp_core.mechanisms import LDP_SGD_FAMILY
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import RECONSTRUCTIONS, Rebuilt
from ldp_core.reconstructions.half_space import HalfSpace
from ldp_core.reconstructions.identify import by_mean, by_reports
from ldp_core.reconstructions.inversion import Inversion
from ldp_core.reconstructions.model_inversion import STEPS, ModelInversion
from ldp_core.studies.reconstruction.quality import Quality
from ldp_core.studies.reconstruction.result import (
    ATTACK,
    CLASSES,
    NOISE,
    PICTURES,
    ReconstructionConfig,
    ReconstructionResult,
    ReportsResult,
)
from ldp_core.studies.reconstruction.sender import Sender, know
from ldp_core.study import Step


def reconstruct(
    config: ReconstructionConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    cache: Cache | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[Step[ReconstructionResult], None, None]:
    """Attack pictures one after the other.

    The numbers depend on the configuration and the data alone. ``images``: the client's own, for the data set "own".
    Yields the state in "data", "download" and "training", then after some "pictures"; the last one has
    ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    empty = tuple(ReportsResult(count, 0) for count in config.counts)
    none: dict[str, float | None] = {"mean": None, "class_mean": None}
    result = ReconstructionResult(config, empty, none, 0, 0.0, False, 0.0, versions())

    def progress(stage: str, done: int, total: int) -> Step[ReconstructionResult]:
        return Step(stage, done, total, replace(result, seconds=time.monotonic() - start))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        kept = Cache() if cache is None else cache
        attack = Attack(
            config,
            (
                yield from prepare(
                    progress, config.dataset, config.training, kept, data=images, data_dir=data_dir, download=download
                )
            ),
        )
        yield progress("pictures", 0, attack.planned)
        for done in attack.run(halted):
            result = attack.result(result)
            yield progress("pictures", done, attack.planned)


_ATTACKED_TOGETHER = 20


class Attack:
    """All pictures of one configuration.

    ``ready``: the data and the model.
    Raises ``ValueError`` if the attacker cannot attack these.
    """

    def __init__(self, config: ReconstructionConfig, ready: Prepared) -> None:
        self.config, self.data, self.model = config, ready.data, ready.model
        channels, size = self.data.images.shape[1:3]
        self.attacker = RECONSTRUCTIONS[config.attacker]
        if objection := self.attacker.objection(channels, size, config.protection):
            raise ValueError(objection)
        if self.attacker.sees == "model" and self.data.num_classes != CLASSES:
            raise ValueError(
                f"a data set must have {CLASSES} labels for {config.attacker}, which rebuilds one picture of each, "
                f"got {self.data.num_classes}"
            )
        self.quality = Quality(config, self.data, self.model)
        self.done = 0

    @property
    def planned(self) -> int:
        """Pictures that are rebuilt in all."""
        return CLASSES if self.attacker.sees == "model" else self.config.pictures

    def run(self, halted: Callable[[], bool]) -> Generator[int, None, None]:
        """Attack; yield after some pictures how many are done."""
        if self.config.attacker == "identify":
            yield from self._identify(halted)
            return
        self.knowledge, self.sender = know(self.config, self.data, self.model)
        if self.attacker.sees == "model":
            self._invert_model()
            yield CLASSES
            return
        config, data = self.config, self.data
        needed = config.pictures * config.batch
        if needed > len(data.images):
            raise ValueError(f"pictures times batch must be at most the {len(data.images)} held out, got {needed}")
        order = torch.randperm(len(data.images), generator=stream_generator(config.seed, 0, 0, PICTURES))
        victims = order[:needed].reshape(config.pictures, config.batch)
        for first in range(0, config.pictures, _ATTACKED_TOGETHER):
            if halted():
                return
            self._attack(first, victims[first : first + _ATTACKED_TOGETHER])
            self.done = min(first + _ATTACKED_TOGETHER, config.pictures)
            yield self.done

    def _attack(self, first: int, places: Tensor) -> None:
        """Let some pictures be sent and rebuilt."""
        config, data, sender = self.config, self.data, self.sender
        images, labels = data.images[places], data.labels[places]
        plain = torch.stack([sender.update(some, named) for some, named in zip(images, labels, strict=True)])
        clean = sender.clean(plain)
        if isinstance(self.attacker, HalfSpace):
            rebuilt = self._from_reports(first, clean)
        else:
            seen = torch.stack(
                [
                    sender.observe(update, images[row], labels[row], config.counts, config.seed, first + row)
                    for row, update in enumerate(clean)
                ]
            )
            attacker = self.attacker
            if isinstance(attacker, Inversion):
                local = config.local_steps, config.local_rate
                attacker = Inversion(config.steps, config.restarts, config.optimizer, *local)
            rebuilt = [
                attacker.rebuild(  # type: ignore[attr-defined]
                    self.knowledge, seen[:, number], sender.noise(count, clean.shape[1]), config.batch,
                    stream_generator(config.seed, first, number, ATTACK),
                )
                for number, count in enumerate(config.counts)
            ]  # fmt: skip
        for number, estimate in enumerate(rebuilt):
            for row in range(len(places)):
                self.quality.of_batch(number, estimate, row, images[row], labels[row], places[row])
        self.quality.of_guesses(self.knowledge, images.flatten(0, 1), labels.flatten())

    def _from_reports(self, first: int, clean: Tensor) -> list[Rebuilt]:
        """Rebuild each from its own reports; one entry for each number of them."""
        estimates = []
        for row, update in enumerate(clean):
            generator = stream_generator(self.config.seed, first + row, 0, NOISE)
            assert isinstance(self.attacker, HalfSpace)
            mechanism = self.sender.mechanism
            estimates.append(self.attacker.rebuild(self.knowledge, mechanism, update, self.config.counts, generator))  # type: ignore[arg-type]
        return [
            Rebuilt(
                torch.cat([picture[number].images for picture in estimates]),
                torch.cat([picture[number].labels for picture in estimates]),
                torch.cat([picture[number].sureness for picture in estimates]),  # type: ignore[misc]
            )
            for number in range(len(self.config.counts))
        ]

    def _invert_model(self) -> None:
        """Ask the model for each class, and compare with the class's mean picture."""
        assert isinstance(self.attacker, ModelInversion)
        steps = STEPS if self.config.steps == ReconstructionConfig().steps else self.config.steps
        self.quality.of_classes(self.knowledge, self.attacker.pictures(self.knowledge, steps))
        self.done = CLASSES

    def _identify(self, halted: Callable[[], bool]) -> Generator[int, None, None]:
        """Let pictures be named among candidates."""
        config, data = self.config, self.data
        images = torch.cat((data.images, data.train_images))
        labels = torch.cat((data.labels, data.train_labels))
        if config.candidates > len(images):
            raise ValueError(
                f"candidates must be at most the {len(images):,} pictures of {config.dataset}, "
                f"got {config.candidates:,}"
            )
        generator = stream_generator(config.seed, 0, 0, PICTURES)
        chosen = torch.randperm(len(images), generator=generator)[: config.candidates]
        images, labels = images[chosen], labels[chosen]
        victims = torch.randint(config.candidates, (config.pictures,), generator=generator)
        sender = Sender(config, self.model, data.train_images)
        plain = updates_of(self.model, images, labels, config.local_steps, config.local_rate)
        exact = config.protection in LDP_SGD_FAMILY
        clean = plain if exact else sender.clean(plain)
        span = span_of(clean) if exact else None
        halves = clean.square().sum(dim=1) / 2
        for number in range(config.pictures):
            if halted():
                return
            victim = int(victims[number])
            if span is not None:
                reports = stream_generator(config.seed, number, 0, NOISE)
                dimension = clean.shape[1]
                answers = by_reports(sender.mechanism, span, victim, dimension, config.counts, reports)  # type: ignore[arg-type]
                guesses, by_means, sure = answers
            else:
                window = slice(victim, victim + 1)
                seen = sender.observe(clean[victim], images[window], labels[window], config.counts, config.seed, number)
                ties = stream_generator(config.seed, number, 0, ATTACK)
                guesses = by_means = [by_mean(estimate, clean, halves, ties) for estimate in seen]
                sure = []
            for place, guess in enumerate(guesses):
                self.quality.named[place].append(int(guess == victim))
                self.quality.named_by_mean[place].append(int(by_means[place] == victim))
                if sure:
                    self.quality.sure[place].append(sure[place])
                self.quality.of_candidate(place, images, labels, guess, victim)
            self.done = number + 1
            if self.done % 10 == 0 or self.done == config.pictures:
                yield self.done

    def result(self, before: ReconstructionResult) -> ReconstructionResult:
        """Return what was measured so far."""
        return self.quality.result(before, self.done, self.planned)
