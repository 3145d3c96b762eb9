"""Run every attack against every detector, calibrated on the client's own data."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.detectors import DETECTORS, GradientDetector, ModelDetector, calibrated
from ldp_core.distinguishers.white import CosineSimilarity
from ldp_core.errors import HaltedError
from ldp_core.facts import LIGHT_ACCURACY
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.setup import loaded, one_thread_per_operation, versions
from ldp_core.game.trials import CRAFTING
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import accuracy, clone, training_steps
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import ClientState, GradientPair
from ldp_core.randomness.coins import coin_stream
from ldp_core.randomness.streams import stream_generator
from ldp_core.studies.detect.adaptive import ADAPTIVE_ATTACKS
from ldp_core.studies.detect.result import AttackRow, DetectConfig, DetectResult, HonestRow, Refused
from ldp_core.study import Step
from ldp_core.types import TrialCounts

_SPLIT, _SAMPLES = 2**35, 2**35 + 1
_HISTORY, _LATER = 3, 3
"""Models that thresholds are set with, each as if it were followed by itself, and later ones that are judged."""
_SAMPLE, _DRAWS = 100, 20
"""Own images on which a model is judged once, and how often each transition is."""


def detect(
    config: DetectConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[Step[DetectResult], None, None]:
    """Train, set thresholds on the client's own data, and show every attack's pairs to every detector.

    Yields the state after each pass of "training" and some pairs of "crafting".
    """
    start, packages = time.monotonic(), versions()
    _validate.choice("dataset", config.dataset, DATASETS)
    honest: tuple[HonestRow, ...] = ()
    rows: tuple[AttackRow, ...] = ()
    passes = 0

    def progress(stage: str, done: int, total: int) -> Step[DetectResult]:
        completed, seconds = len(rows) == len(config.attacks), time.monotonic() - start
        return Step(stage, done, total, DetectResult(config, passes, honest, rows, completed, seconds, packages))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        if images is None:
            images = yield from loaded(progress, config.dataset, data_dir, download)
        history: deque[nn.Module] = deque(maxlen=_HISTORY + 1 + _LATER)
        later: list[nn.Module] = []
        for model, done in training_steps(images):
            yield progress("training", done, 0)
            if done <= passes + len(later) and history:  # within a pass
                continue
            if later or (history and done and accuracy(history[-1], images.images, images.labels) >= LIGHT_ACCURACY):
                later.append(clone(model))
                if len(later) == _LATER:
                    break
            else:
                history.append(clone(model))
                passes = done
        if not later:  # data too hard to be light: the last passes are the later ones
            later = [history.pop() for _ in range(_LATER)][::-1]
            passes -= _LATER
        guards = Guards(config, images, list(history)[-_HISTORY - 1 :])
        for number, (before, after) in enumerate(zip([history[-1], *later[:-1]], later, strict=True), 1):
            honest = (*honest, guards.of_honest(before, after, passes + number))
            yield progress("training", passes, passes)
        client = guards.client(halted)
        for attack in config.attacks:
            row = AttackRow(attack, 0, (), 0, TrialCounts(), TrialCounts())
            for number in range(config.pairs):
                yield progress("crafting", len(rows) * config.pairs + number, len(config.attacks) * config.pairs)
                try:
                    row = _with(row, guards, craft(attack, client, config.seed, number), number)
                except HaltedError:
                    return
                except ValueError as error:
                    if "two zero gradients" not in str(error):
                        raise
            rows = (*rows, row)
            yield progress("crafting", len(rows) * config.pairs, len(config.attacks) * config.pairs)


def craft(attack: str, client: ClientState, seed: int, number: int) -> GradientPair:
    """Return a pair of an attack, adaptive or not."""
    generator = stream_generator(seed, number, 0, CRAFTING)
    maker: Any = ADAPTIVE_ATTACKS.get(attack) or ADVERSARIES[attack]
    pair: GradientPair = maker.craft(client, generator)
    return pair


def _with(row: AttackRow, guards: Guards, pair: GradientPair, number: int) -> AttackRow:
    config = guards.config
    seen = guards.of_pair(pair, number)
    before = row.refused or tuple(Refused(refusal.detector, 0, 0) for refusal in seen)
    refused = tuple(
        Refused(new.detector, old.refused + new.refused, old.looked + new.looked)
        for old, new in zip(before, seen, strict=True)
    )
    mechanism, stream = LdpSgd(config.epsilon, config.clip_norm), coin_stream(row.attack, config.epsilon)
    cell = Cell(mechanism, CosineSimilarity(), pair, stream)
    *_, tallies = run_cells([cell], config.trials, seed=config.seed, measurement=number, sampling="projected")
    counts = tallies.counts(0)
    passes = not any(refusal.refused for refusal in seen)
    kept = row.counts + counts if passes else row.counts
    return AttackRow(row.attack, row.pairs + 1, refused, row.passed + passes, kept, row.unguarded + counts)


class Guards:
    """All detectors of a client, whose own images are the held-out ones, calibrated with honest models.

    Models: an honest one is taken to be no worse than the one before, so a threshold is set with models followed by
    themselves. Set with steps of a training that still learns fast, it would refuse honest steps of a slower one. Of
    the models, the last one is attacked.
    """

    def __init__(self, config: DetectConfig, data: ImageData, history: Sequence[nn.Module]) -> None:
        self.config, self.data, self.history = config, data, history
        order = torch.randperm(len(data.images), generator=stream_generator(config.seed, 0, 0, _SPLIT))
        self.learn, self.set, self.judge = order[: config.images].tensor_split(3)
        self.models = {
            name: cast(ModelDetector, detector) for name, detector in DETECTORS.items() if detector.looks_at == "model"
        }
        self.kinds = {
            name: cast(GradientDetector, detector)
            for name, detector in DETECTORS.items()
            if detector.looks_at != "model"
        }
        self.own = order[: config.images]  # models: nothing is learned from images, so all of them may judge
        self.limits = {
            name: calibrated([self._judged(detector, model, model, number * _DRAWS + draw)
                              for number, model in enumerate(history[1:]) for draw in range(_DRAWS)],
                             config.false_alarm)
            for name, detector in self.models.items()
        }  # fmt: skip
        self._draws = len(history) * _DRAWS  # later samples are others than those of the thresholds
        self._fitted: dict[int, tuple[nn.Module, dict[str, tuple[Callable[[Tensor], Tensor], float]]]] = {}

    def client(self, halted: Callable[[], bool]) -> ClientState:
        """Return the client who holds the images that nothing was learned from."""
        data, config = self.data, self.config
        return ClientState(
            self.history[-1], data.images[self.judge], data.labels[self.judge], data.train_images, data.train_labels,
            data.num_classes, config.clip_norm, halted,
        )  # fmt: skip

    def of_honest(self, before: nn.Module, model: nn.Module, passes: int) -> HonestRow:
        """Return what is refused of an honest model, judged on samples, and of the gradients of the judged images."""
        gradients, refusals = self._gradients(model, self.judge), []
        models = torch.zeros(_DRAWS, dtype=torch.bool)
        updates = torch.zeros(len(gradients), dtype=torch.bool)
        for name, detector in self.models.items():
            scores = [self._judged(detector, before, model, self._draws + draw) for draw in range(_DRAWS)]
            refused = torch.tensor([score > self.limits[name] for score in scores])
            models |= refused
            refusals.append(Refused(name, int(refused.sum()), _DRAWS))
        for name, (score, limit) in self._gradient_guards(model).items():
            refused = score(gradients) > limit
            updates |= refused
            refusals.append(Refused(name, int(refused.sum()), len(gradients)))
        self._fitted.clear()
        updates |= models[torch.arange(len(gradients)) % _DRAWS]
        return HonestRow(passes, tuple(refusals), len(gradients), int(updates.sum()))

    def of_pair(self, pair: GradientPair, draw: int) -> tuple[Refused, ...]:
        """Return what is refused of a pair: its model, judged on a sample of own images, and its two gradients.

        Samples of different draws share most images: pairs that come with one model are refused together or not.
        """
        sent = self.history[-1] if pair.model is None else pair.model
        planted = sent is not self.history[-1]
        before = self.history[-1] if planted else self.history[-2]
        refusals = [
            Refused(name, int(self._judged(detector, before, sent, self._draws + draw) > self.limits[name]), 1)
            for name, detector in self.models.items()
        ]
        both = torch.stack((pair.first, pair.second))
        for name, (score, limit) in self._gradient_guards(sent, keep=not planted).items():
            refusals.append(Refused(name, int((score(both) > limit).sum()), 2))
        return tuple(refusals)

    def _gradient_guards(
        self, model: nn.Module, *, keep: bool = True
    ) -> dict[str, tuple[Callable[[Tensor], Tensor], float]]:
        """Return what scores gradients at a model, and the threshold: the client learns anew for every model."""
        known = self._fitted.get(id(model))
        if known is not None:
            return known[1]
        shapes = [tuple(values.shape) for values in model.parameters()]
        learned, set_ = self._gradients(model, self.learn), self._gradients(model, self.set)
        guards = {}
        for name, detector in self.kinds.items():
            score = detector.fit(learned, shapes)
            guards[name] = (score, calibrated(score(set_).tolist(), self.config.false_alarm))
        if keep:
            self._fitted[id(model)] = (model, guards)  # the model too, so that no other gets its id
        return guards

    def _gradients(self, model: nn.Module, which: Tensor) -> Tensor:
        return torch.stack([client_gradient(model, self.data.images[i], self.data.labels[i]) for i in which.tolist()])

    def _judged(self, detector: ModelDetector, before: nn.Module, model: nn.Module, draw: int) -> float:
        generator = stream_generator(self.config.seed, 0, draw, _SAMPLES)
        sample = self.own[torch.randperm(len(self.own), generator=generator)[:_SAMPLE]]
        return detector.score(before, model, self.data.images[sample], self.data.labels[sample])
