"""Train under each protection, and let attackers on membership and on pictures at what it gives away.

Membership is asked of the trained model: half of the members, and as many pictures that were not trained on, are in
question; a partial-knowledge attacker knows the other half. Reconstruction is asked of one report of one picture that
is not trained on, under the first model, where an update tells most: so the two do not depend on each other, and
reconstruction does not depend on how far training went. The pool of a repeat, its first weights, its public pictures
and the pictures that are rebuilt are the same for all points.
"""

from __future__ import annotations

import copy
import math
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core import _validate
from ldp_core.channels import CHANNELS, importance_weights
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.errors import HaltedError
from ldp_core.game.setup import loaded, one_thread_per_operation, versions
from ldp_core.game.trials import sampling_threads, worker_threads
from ldp_core.learning.gradients import clipped, gradients_of
from ldp_core.learning.models import ThreeLayerCnn, accuracy
from ldp_core.learning.protected_training import Method, Recipe, first_model, protected_passes, shortened
from ldp_core.learning.sent import ReportNoise, covariance_of, noisy
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.memberships import MEMBERSHIPS, Evidence
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import Knowledge
from ldp_core.reconstructions._parts import mse, seen_by, window_of
from ldp_core.reconstructions.linear import Direct, Fit
from ldp_core.statistics import information, ranking
from ldp_core.studies.plane.config import PLAIN, PlaneConfig, method_of, strength_of
from ldp_core.studies.plane.result import Cost, Measured, PlaneResult, PlaneRun
from ldp_core.study import Step

POOL, SHADOWS, WEIGHTS, TRAINING, ATTACK, NOISE = range(2**35 + 32, 2**35 + 38)
"""Streams of the plane; the number of the repeat stands where a test has the number of the measurement."""
RATES = {"sgd": 0.5, "channel": 0.5, "clip": 4.0, "dp-sgd": 4.0, "dp-psac": 4.0, "ldp-sgd": 0.2}
"""Learning rate of the first step, for L = 1 where a method clips. Found by trial, with 1,000 members of MNIST and 40
passes, for held-out accuracy: of 0.2, 0.5, 1 for plain steps, of 0.5, 1, 2, 4 for clipped ones, of 0.05, 0.2 for
LDP-SGD at epsilon 4."""


def plane(
    config: PlaneConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    earlier: PlaneResult | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[Step[PlaneResult], None, None]:
    """Train every point and attack it.

    The counts depend on the configuration and the data alone. The trainings of ``earlier``, a result of the same
    configuration, are not done again.
    Yields the state after each model ("models") and each timed pass ("timing"); the last one has ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    if earlier is not None and earlier.config != config:
        raise ValueError("earlier must be a result of the same settings, got one of others")
    kept = () if earlier is None else earlier.runs
    whole = len(kept) == len(config.planned) and not config.timings
    result = PlaneResult(config, kept, (), whole, 0.0 if earlier is None else earlier.seconds, versions())
    start -= result.seconds
    group_size, models = 1 + config.shadows, len(config.planned) * (1 + config.shadows)

    def progress(stage: str, done: int, total: int) -> Step[PlaneResult]:
        return Step(stage, done, total, replace(result, seconds=time.monotonic() - start))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        data = yield from loaded(progress, config.dataset, data_dir, download)
        check_enough(config, data)
        trial: Trial | None = None
        for number, (point, repeat) in enumerate(config.planned):
            if number < len(kept):
                continue
            yield progress("models", number * group_size, models)
            if trial is None or trial.repeat != repeat:
                trial = Trial(config, data, repeat)
            try:
                made = trial.models(point, halted)
                trained = []
                for model in made:
                    trained.append(model)
                    yield progress("models", number * group_size + len(trained), models)
            except HaltedError:
                return
            runs = (*result.runs, trial.judged(point, trained))
            result = replace(result, runs=runs, completed=len(runs) == len(config.planned) and not config.timings)
            yield progress("models", (number + 1) * group_size, models)
        if not config.timings:
            return
        trial = Trial(config, data, 0)
        spent: dict[str, list[float]] = {name: [] for name in dict.fromkeys((PLAIN, *config.methods))}
        for method in spent:  # warms up
            trial.seconds(method)
        for number in range(config.timings):
            for place, method in enumerate(spent):
                if halted():
                    return
                yield progress("timing", number * len(spent) + place, config.timings * len(spent))
                spent[method].append(trial.seconds(method))
        costs = tuple(Cost(name, tuple(spent[name]), tuple(spent[PLAIN])) for name in config.methods)
        result = replace(result, costs=costs, completed=True)
        yield progress("timing", config.timings * len(spent), config.timings * len(spent))


def check_enough(config: PlaneConfig, data: ImageData) -> None:
    """Raise ``ValueError`` unless a data set has as many pictures as are asked for."""
    needed, there = 2 * config.members + config.public, len(data.train_images)
    if needed > there:
        least = 2 * _validate.limits(PlaneConfig, "members")[0] + _validate.limits(PlaneConfig, "public")[0]
        raise ValueError(
            f"2 * members + public, at least {least}, must be at most the {there:,} training pictures of "
            f"{config.dataset}, got 2 * {config.members:,} + {config.public:,} = {needed:,}"
        )
    if config.pictures > len(data.images):
        raise ValueError(f"pictures must be at most the {len(data.images):,} held out, got {config.pictures:,}")


class Trial:
    """One repeat: its pictures, its first model, and what is made of them at each point.

    ``data``: images; the held-out ones are rebuilt and give the accuracy.
    """

    def __init__(self, config: PlaneConfig, data: ImageData, repeat: int) -> None:
        self.config, self.data, self.repeat = config, data, repeat
        order = torch.randperm(len(data.train_images), generator=self._stream(POOL))
        pool, public = order[: 2 * config.members], order[2 * config.members :][: config.public]
        self.images, self.labels = data.train_images[pool], data.train_labels[pool]
        self.public, self.public_labels = data.train_images[public], data.train_labels[public]
        known = config.members // 2
        places = torch.arange(config.members)
        self.known = torch.cat((places[:known], config.members + places[:known]))
        self.targets = torch.cat((places[known:], config.members + places[known:]))
        self.first = first_model(data, self._stream(WEIGHTS))
        victims = torch.randperm(len(data.images), generator=self._stream(POOL, 1))[: config.pictures]
        self.victims, self.victim_labels = data.images[victims], data.labels[victims]
        self._fits: dict[str, Fit] = {}

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """Of the public pictures."""
        return covariance_of(self.public)

    def _stream(self, stream: int, number: int = 0) -> torch.Generator:
        return stream_generator(self.config.seed, self.repeat, number, stream)

    def method(self, point: str) -> Method:
        """Return what a point does with a batch; raises ``ValueError`` if no noise reaches a channel's capacity."""
        name, value = method_of(point), strength_of(point)
        if name in CHANNELS:
            channels, size = self.public.shape[1:3]
            weights = importance_weights(channels, size, self.config.importance, self.config.importance_map)
            return Method("channel", channel=CHANNELS[name].fit(self.covariance, value, weights))
        if name == "ldp-sgd":
            return Method(name, mechanism=LdpSgd(value, self.config.clip_norm))
        return Method(name, noise=value)

    def recipe(self, method: Method) -> Recipe:
        """Return how a method trains; steps of clipped gradients grow as L shrinks."""
        rate, config = RATES[method.name], self.config
        if method.name not in ("sgd", "channel"):
            rate /= config.clip_norm
        return Recipe(config.passes, config.batch, rate, config.clip_norm)

    def insides(self) -> list[Tensor]:
        """Return on which of the pool each model is trained, places of M: the target's members, then each shadow's.

        Shadows come in pairs: what one is trained on, the other is not.
        """
        members = self.config.members
        subsets = [torch.arange(members)]
        for pair in range(self.config.shadows // 2):
            order = torch.randperm(2 * members, generator=self._stream(SHADOWS, pair))
            subsets += [order[:members], order[members:]]
        return subsets

    def models(self, point: str, halted: Callable[[], bool]) -> Iterator[ThreeLayerCnn]:
        """Train the model of a point, then its shadows, each from first weights of its own, some at once; yield each.

        What a model becomes does not depend on how many are trained at once. Who stops iterating stops them all.
        """
        method, left = self.method(point), threading.Event()

        def train(number: int, places: Tensor) -> ThreeLayerCnn:
            model = copy.deepcopy(self.first) if not number else first_model(self.data, self._stream(WEIGHTS, number))
            images, labels, recipe = self.images[places], self.labels[places], self.recipe(method)
            for _ in protected_passes(method, model, images, labels, recipe, self._stream(TRAINING, number)):
                if left.is_set() or halted():
                    raise HaltedError
            return model

        insides = self.insides()
        with worker_threads(sampling_threads()) as workers:
            try:
                yield from workers.map(train, range(len(insides)), insides)
            finally:
                left.set()

    def judged(self, point: str, trained: Sequence[ThreeLayerCnn]) -> PlaneRun:
        """Return what a point's model gives away: to each attacker on membership, and of the pictures."""
        config, model = self.config, trained[0]
        members = slice(0, config.members)
        images, labels = self.images[self.targets], self.labels[self.targets]
        truth = self.targets < config.members
        inside = torch.zeros(config.shadows, len(self.images), dtype=torch.bool)
        for row, places in zip(inside, self.insides()[1:], strict=True):
            row[places] = True
        evidence = Evidence(
            model, images, labels, self.images[self.known], self.labels[self.known], self.known < config.members,
            tuple(trained[1:]), inside[:, self.targets],
        )  # fmt: skip
        areas = {}
        for number, name in enumerate(config.attacks):
            scores = MEMBERSHIPS[name].scores(evidence, self._stream(ATTACK, number))
            areas[name] = Measured(*ranking.auc(scores[truth].numpy(), scores[~truth].numpy()))
        held_out = len(self.data.labels)
        return PlaneRun(
            point, self.repeat,
            round(accuracy(model, self.images[members], self.labels[members]) * config.members),
            round(accuracy(model, self.data.images, self.data.labels) * held_out), held_out,
            len(self.data.train_labels), areas,
            *self.rebuilt(point),
        )  # fmt: skip

    def rebuilt(self, point: str) -> tuple[Measured, Measured]:
        """Return the squared errors of pictures rebuilt from one report of each, and of the mean picture.

        They are per pixel, inside the part of the picture that the network sees.
        """
        method, generator = self.method(point), self._stream(NOISE)
        estimates = self._fit(method).estimate(*self.sent(method, generator)).images[:, 0]
        part = window_of(seen_by(self.first, self.victims[:1]))
        shown, mean, true = (images[..., part, part] for images in (estimates, self.public.mean(dim=0), self.victims))
        return _measured(mse(shown, true)), _measured(mse(mean, true))

    def sent(self, method: Method, generator: torch.Generator) -> tuple[Tensor, float]:
        """Return one report of each picture that is rebuilt, shape (m, d), and the variance of each number in it."""
        bound = self.config.clip_norm
        if method.channel is not None:
            return gradients_of(self.first, noisy(method.channel, self.victims, generator), self.victim_labels), 0.0
        clean = self._clean(method, gradients_of(self.first, self.victims, self.victim_labels))
        dimension = clean.shape[1]
        if method.mechanism is not None:
            length = information.mean_report_length(method.mechanism.epsilon, dimension)
            means = []
            for gradient in clean.double():
                norm = float(gradient.norm())
                noise = ReportNoise(dimension, 1, generator)
                means.append(
                    noise.means(method.mechanism, gradient / max(norm, 1e-30), norm, (1,))[0] * (bound / length)
                )
            return torch.stack(means).to(clean.dtype), bound**2 / (dimension * length**2)
        spread = method.noise * bound
        return clean + spread * torch.empty_like(clean).normal_(generator=generator), spread**2

    def _clean(self, method: Method, gradients: Tensor) -> Tensor:
        if method.name == "sgd":
            return gradients
        bound = self.config.clip_norm
        return shortened(gradients, bound) if method.name == "dp-psac" else clipped(gradients, bound)

    def _fit(self, method: Method) -> Fit:
        """Return the attacker's fit to what public pictures would send; that of a channel learns from its reports."""

        def knowing(gradients: Tensor) -> Knowledge:
            return Knowledge(self.first, self.public, self.public_labels, gradients, self.data.num_classes)

        if method.channel is not None:
            images = noisy(method.channel, self.public, self._stream(NOISE, 1))
            return Direct(knowing(gradients_of(self.first, images, self.public_labels)))
        key = method.name if method.name in ("sgd", "dp-psac") else "clip"
        if key not in self._fits:
            plain = gradients_of(self.first, self.public, self.public_labels)
            self._fits[key] = Fit(knowing(self._clean(method, plain)))
        return self._fits[key]

    def seconds(self, method: str) -> float:
        """Return how long one pass of a method takes, of its first point; its preparation does not count."""
        points = [point for point in (PLAIN, *self.config.points) if method_of(point) == method]
        made = self.method(points[0])
        model, recipe = copy.deepcopy(self.first), replace(self.recipe(made), passes=1)
        members = slice(0, self.config.members)
        generator = self._stream(TRAINING)
        start = time.perf_counter()
        for _ in protected_passes(made, model, self.images[members], self.labels[members], recipe, generator):
            pass
        return time.perf_counter() - start


def _measured(errors: Tensor) -> Measured:
    values = errors.double()
    return Measured(float(values.mean()), float(values.std()) / math.sqrt(len(values)))
