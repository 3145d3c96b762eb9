"""What a channel leaves of pictures, whether a noisy picture is found again, and what a model learns from them."""

import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core import _validate
from ldp_core.channels import CHANNELS, Fitted, importance_levels, importance_weights, kept_by
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.game.setup import loaded, one_thread_per_operation, versions
from ldp_core.learning.models import ThreeLayerCnn, accuracy, optimizer_for, train_pass
from ldp_core.learning.sent import covariance_of, noisy
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics import information, intervals
from ldp_core.studies.channels.result import MOST_UNASKED, Accuracy, ChannelsConfig, ChannelsResult, Fit
from ldp_core.studies.reading import Estimate
from ldp_core.study import Step

PICTURES, NOISE, GAUSSIAN, WEIGHTS, TRAINING = range(2**35 + 16, 2**35 + 21)
"""Streams of a channel."""
Values = NDArray[np.float64]
_GAUSSIAN_NUMBERS = 8_000_000
"""Numbers in all Gaussian data: where few directions matter, 1,000 of them miss theory by 2 % now and then."""


def levels_of(config: ChannelsConfig, images: Tensor) -> Values | None:
    """Return how much each pixel of such pictures counts, from 0 to 1, shape (d,); None if all count alike."""
    return importance_levels(images.shape[1], images.shape[2], config.importance_map) if config.maps else None


def channels(
    config: ChannelsConfig, *, data_dir: Path | None = None, download: bool = False
) -> Generator[Step[ChannelsResult], None, None]:
    """Fit a channel and measure it.

    Yields the state after each part: "data", "download", "channel" or "passes"; the last one has ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    result = ChannelsResult(config, None, None, None, None, 0, 0, None, False, 0.0, versions())

    def progress(stage: str, done: int, total: int) -> Step[ChannelsResult]:
        return Step(stage, done, total, replace(result, seconds=time.monotonic() - start))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        data = yield from loaded(progress, config.dataset, data_dir, download)
        result = replace(result, candidates=_candidates(config, data))
        yield progress("channel", 0, 3)
        channel = fitted(config, data)
        result = replace(result, fit=_described(config, channel, levels_of(config, data.train_images)))
        yield progress("channel", 1, 3)
        real, gaussian = _errors(config, channel, data)
        result = replace(result, real_error=real, gaussian_error=gaussian)
        yield progress("channel", 2, 3)
        right = _found(config, channel, data, result.candidates)
        result = replace(result, right=right, pictures=config.pictures, completed=not config.passes)
        yield progress("channel", 3, 3)
        for number, shares in enumerate(_trained(config, channel, data), start=1):
            result = replace(result, accuracy=shares, completed=number == config.passes)
            yield progress("passes", number, config.passes)


def fitted(config: ChannelsConfig, data: ImageData) -> Fitted:
    """Return the channel of the capacity that is asked for, or of the largest that keeps the goal.

    Where pictures are named for a goal, noise and pictures are others than those that are judged afterwards.
    Raises ``ValueError`` if no noise reaches the capacity or keeps the goal, or candidates are asked for that there are
    not.
    """
    images, candidates = data.train_images, _candidates(config, data)
    weights = importance_weights(images.shape[1], images.shape[2], config.importance, config.importance_map)
    fit = CHANNELS[config.channel].fits(covariance_of(images), weights)

    def named(channel: Fitted) -> float:
        return _found(config, channel, data, candidates, 1) / config.pictures

    return kept_by(config.goal, fit, named, config.rounds[-1]) if config.goal else fit(config.capacity)


def _candidates(config: ChannelsConfig, data: ImageData) -> int:
    there = len(data.train_images) + len(data.images)
    if config.candidates is not None and config.candidates > there:
        raise ValueError(
            f"candidates must be at most the {there:,} pictures of {config.dataset}, got {config.candidates:,}"
        )
    return config.candidates or min(MOST_UNASKED, there)


def _described(config: ChannelsConfig, channel: Fitted, levels: Values | None) -> Fit:
    dimension, capacity = len(channel.covariance), channel.capacity()
    eigenvalues, error = information.eigenvalues_of(channel.covariance), channel.wiener_error()
    floor, components = information.gaussian_model_floor(eigenvalues, capacity)
    bound = None
    if channel.sigma is not None:
        weights = channel.factor**2 / channel.sigma**2
        bound = information.diagonal_capacity(np.diag(channel.covariance), weights, channel.sigma**2)
    return Fit(
        channel.sigma, channel.rank, dimension, capacity, tuple(channel.capacity(rounds) for rounds in config.rounds),
        error, None if levels is None else channel.wiener_error(levels),
        error * dimension / float(np.trace(channel.covariance)), bound, floor, components,
        information.water_filling(eigenvalues, capacity),
    )  # fmt: skip


def _noise(config: ChannelsConfig, count: int, dimension: int, number: int = 0) -> Values:
    drawn = torch.empty(count, dimension, dtype=torch.float64)
    noise: Values = drawn.normal_(generator=stream_generator(config.seed, number, 0, NOISE)).numpy()
    return noise


def _errors(config: ChannelsConfig, channel: Fitted, data: ImageData) -> tuple[Estimate, Estimate]:
    """Return the squared errors of the linear estimate on held-out pictures and on Gaussian data, per pixel."""
    matrix, mean = channel.wiener(), data.train_images.flatten(1).double().mean(dim=0).numpy()
    real = data.images.flatten(1).double().numpy()
    values, vectors = np.linalg.eigh(channel.covariance)
    count = max(_GAUSSIAN_NUMBERS // len(values), config.pictures)
    normals = torch.empty(count, len(values), dtype=torch.float64)
    normals.normal_(generator=stream_generator(config.seed, 0, 0, GAUSSIAN))
    gaussian = mean + (normals.numpy() * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    mean_errors = []
    for number, pictures in enumerate((real, gaussian), start=1):
        sent = channel.add_to(pictures, _noise(config, len(pictures), pictures.shape[1], number)) - mean
        errors = ((sent @ matrix.T + mean - pictures) ** 2).mean(axis=1)
        point, lower, upper = intervals.mean_interval(errors.tolist(), 0.05) or (0.0, None, None)
        mean_errors.append(Estimate(point, None if lower is None else max(0.0, lower), upper))
    return mean_errors[0], mean_errors[1]


def _found(config: ChannelsConfig, channel: Fitted, data: ImageData, count: int, turn: int = 0) -> int:
    """Return how many noisy pictures are found among candidates: the nearest after whitening the noise.

    Another ``turn`` has other pictures, as far as there are others, and other noise.
    """
    images = torch.cat((data.images, data.train_images)).flatten(1).double()
    order = torch.randperm(len(images), generator=stream_generator(config.seed, 0, 0, PICTURES))[:count]
    candidates = images[order].numpy()
    victims = (np.arange(config.pictures) + turn * config.pictures) % count
    sent = channel.add_to(candidates[victims], _noise(config, config.pictures, images.shape[1], 3 if turn else 0))
    return int((channel.nearest(sent, candidates) == victims).sum())


def _trained(config: ChannelsConfig, channel: Fitted, data: ImageData) -> Generator[Accuracy, None, None]:
    """Train on plain pictures, with fresh noise in each pass, and with noise drawn once; yield after each pass."""
    if not config.passes:
        return
    channels_, size = data.train_images.shape[1:3]
    names = ("plain", "fresh", "once")
    models = [
        ThreeLayerCnn(channels_, size, data.num_classes, stream_generator(config.seed, 0, 0, WEIGHTS)) for _ in names
    ]
    optimizers = [optimizer_for(model) for model in models]
    shares: list[tuple[float, ...]] = [() for _ in names]

    def drawn(number: int) -> Tensor:
        return noisy(channel, data.train_images, stream_generator(config.seed, number, 0, NOISE))

    once = drawn(10)
    for number in range(config.passes):
        inputs = (data.train_images, drawn(11 + number), once)
        for place, (model, optimizer, images) in enumerate(zip(models, optimizers, inputs, strict=True)):
            train_pass(model, optimizer, images, data.train_labels, stream_generator(config.seed, number, 0, TRAINING))
            shares[place] = (*shares[place], accuracy(model, data.images, data.labels))
        yield Accuracy(*shares)
