"""What the figures of a capacity have in common: the pictures, the first model, and how a mean is stated."""

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core import _validate
from ldp_core.channels import CHANNELS, Fit, Fitted, importance_weights
from ldp_core.datasets import ImageData
from ldp_core.learning.gradients import gradients_of
from ldp_core.learning.models import training_passes
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions._parts import seen_by
from ldp_core.statistics import intervals
from ldp_core.studies.capacity.result import CapacityConfig, Line, Panel, Point
from ldp_core.types import TrialCounts

PICTURES, WEIGHTS, TRAINING, NOISE, BATCHES, NAMING = range(2**35 + 48, 2**35 + 54)
"""Streams of the figures of a capacity."""


class Setting:
    """The pictures of one run and its first model: that of ``reconstruct --training none``, whatever the seed.

    ``data``: its training part gives the public pictures; the held-out part is measured on. ``capacity`` is C in nats
    of the parts that have one.
    """

    def __init__(self, config: CapacityConfig, data: ImageData) -> None:
        self.config, self.data = config, data
        for name, kind, there in (("public", "training", data.train_images), ("pictures", "held-out", data.images)):
            count, (least, _) = getattr(config, name), _validate.limits(CapacityConfig, name)
            if count > len(there):
                raise ValueError(
                    f"{name}, at least {least}, must be at most the {len(there):,} {kind} pictures of "
                    f"{config.dataset}, got {count:,}"
                )
        order = torch.randperm(len(data.train_images), generator=self.stream(PICTURES))[: config.public]
        self.public, self.public_labels = data.train_images[order], data.train_labels[order]
        victims = torch.randperm(len(data.images), generator=self.stream(PICTURES, 1))
        self.held_out, self.held_out_labels = data.images[victims], data.labels[victims]
        self.victims, self.victim_labels = (
            tensor[: config.pictures] for tensor in (self.held_out, self.held_out_labels)
        )
        self.first = next(training_passes(data))
        self.covariance: NDArray[np.float64] = np.cov(self.public.flatten(1).double().numpy().T, bias=True)
        rows = torch.nonzero(seen_by(self.first, self.public[:1]).any(dim=1))[:, 0]
        self.part = slice(int(rows[0]), int(rows[-1]) + 1)
        self.capacity = config.capacity
        self._fits: dict[str, Fit] = {}
        self._gradients: Tensor | None = None

    @property
    def gradients(self) -> Tensor:
        """What the public pictures send under the first model, shape (public, d)."""
        if self._gradients is None:
            self._gradients = gradients_of(self.first, self.public, self.public_labels)
        return self._gradients

    def stream(self, stream: int, number: int = 0) -> torch.Generator:
        """Return the generator of a purpose."""
        return stream_generator(self.config.seed, number, 0, stream)

    def channel(self, name: str, capacity: float) -> Fitted:
        """Return a channel fitted to the public pictures."""
        if name not in self._fits:
            channels, size = self.public.shape[1:3]
            weights = importance_weights(channels, size, self.config.importance, self.config.importance_map)
            self._fits[name] = CHANNELS[name].fits(self.covariance, weights)
        return self._fits[name](capacity)


def mean_point(x: float, values: Tensor) -> Point:
    """Return the mean of values with its 95 % interval."""
    interval = intervals.mean_interval(values.double().tolist(), 0.05)
    assert interval is not None
    return Point(x, *interval)


def share_point(x: float, right: int, games: int) -> Point:
    """Return how many of 100 were right, with Clopper and Pearson's 95 % interval."""
    interval = intervals.identification_interval(TrialCounts(right, games - right, 0, 0), 0.05)
    assert interval is not None
    return Point(x, *(100.0 * share for share in interval))


def panel(name: str, **lines: Iterable[Point]) -> Panel:
    """Return a chart of lines, by the lines' names with "_" for "-"."""
    return Panel(name, tuple(Line(line.replace("dp_sgd", "dp-sgd"), tuple(points)) for line, points in lines.items()))
