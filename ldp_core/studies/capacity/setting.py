"""What the figures of a capacity have in common: the pictures, the first model, and the charts as they are made."""

from collections import defaultdict
from functools import cached_property

import torch
from torch import Tensor

from ldp_core import _validate
from ldp_core.channels import CHANNELS, Fit, Fitted, importance_weights
from ldp_core.datasets import ImageData
from ldp_core.learning.gradients import gradients_of
from ldp_core.learning.models import training_passes
from ldp_core.learning.sent import covariance_of
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions._parts import seen_by, window_of
from ldp_core.statistics import intervals
from ldp_core.studies.capacity.result import LINES, PARTS, CapacityConfig, Line, Panel, Point

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
        self.victims, self.victim_labels = self.held_out[: config.pictures], self.held_out_labels[: config.pictures]
        self.first = next(training_passes(data))
        self.covariance = covariance_of(self.public)
        self.part = window_of(seen_by(self.first, self.public[:1]))
        self.capacity = config.capacity
        self._fits: dict[str, Fit] = {}
        self._lines: defaultdict[tuple[str, str], list[Point]] = defaultdict(list)

    @cached_property
    def gradients(self) -> Tensor:
        """What the public pictures send under the first model, shape (public, d)."""
        return gradients_of(self.first, self.public, self.public_labels)

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

    def note(self, chart: str, line: str, point: Point) -> None:
        """Add the next point of a line."""
        self._lines[chart, line].append(point)

    def panels(self, part: str) -> tuple[Panel, ...]:
        """Return the charts of a part that is done."""
        return tuple(
            Panel(chart, tuple(Line(line, tuple(self._lines[chart, line])) for line in LINES[chart]))
            for chart in PARTS[part]
        )


def mean_point(x: float, values: Tensor) -> Point:
    """Return the mean of values with its 95 % interval."""
    interval = intervals.mean_interval(values.double().tolist(), 0.05)
    assert interval is not None
    return Point(x, *interval)


def share_point(x: float, right: int, games: int) -> Point:
    """Return how many of 100 were right, with Clopper and Pearson's 95 % interval."""
    return Point(x, *(100.0 * share for share in intervals.share_interval(right, games, 0.05)))
