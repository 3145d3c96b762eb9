"""What larger batches, a direction left out, and compression take from an attacker."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from ldp_core.channels.parameters import noise_on_update, update_eigenvalues
from ldp_core.learning.gradients import clipped, gradients_of
from ldp_core.reconstructions._parts import mse
from ldp_core.reconstructions.linear import LinearMap
from ldp_core.statistics import information
from ldp_core.studies.capacity.result import DIRECTIONS, SHARES, Point
from ldp_core.studies.capacity.setting import BATCHES, NOISE, Setting, mean_point


def batch(setting: Setting) -> Iterator[None]:
    """Rebuild the mean picture of a batch from its mean gradient, in the paper's three settings; yield after each B.

    Charts squared errors per pixel, of 100 of those of the guess that looks at no gradient and beside it, and what one
    update tells in nats.

    Source: Appendix D of the paper named at ``information.capacity``, with a linear attacker.
    """
    config = setting.config
    plain = setting.gradients
    victims = gradients_of(setting.first, setting.held_out, setting.held_out_labels)
    values = update_eigenvalues(plain.double().numpy())
    constant = noise_on_update(values, setting.capacity)
    short = update_eigenvalues(clipped(plain, config.clip_norm).double().numpy())
    for size in config.batches:
        known = _means(len(setting.public), config.public, size, setting.stream(BATCHES, size))
        drawn = _means(len(setting.held_out), config.pictures, size, setting.stream(BATCHES, 10_000 + size))
        shown, truth = known @ setting.public.flatten(1), drawn @ setting.held_out.flatten(1)
        guess = mean_point(size, (setting.public.flatten(1).mean(dim=0) - truth).square().mean(dim=1))
        setting.note("batch_error", "guess", guess)
        noise = (config.noise * config.clip_norm / size) ** 2
        for number, (name, clip, variance) in enumerate(
            (("plain", math.inf, 0.0), ("constant", math.inf, constant), ("dp-sgd", config.clip_norm, noise))
        ):
            clean, sent = known @ clipped(plain, clip), drawn @ clipped(victims, clip)
            draws = torch.empty_like(sent).normal_(generator=setting.stream(NOISE, 1_000 + 10 * size + number))
            estimates = LinearMap(shown, clean).estimate(sent + math.sqrt(variance) * draws, variance).clamp(0.0, 1.0)
            error = mean_point(size, (estimates - truth).square().mean(dim=1))
            setting.note("batch_error", name, error)
            setting.note("batch_share", name, _of_100(error, guess.value))
        for name, nats in (
            ("constant", information.batch_capacity(values, constant, size)),
            ("dp-sgd", information.batch_capacity(short, noise, size)),
            ("dp_limit", information.dp_sgd_capacity(config.noise, size)),
        ):
            setting.note("batch_told", name, Point(size, nats))
        yield


def _of_100(error: Point, guess: float) -> Point:
    """Return an error of 100 of what the guess errs, with the range of the error alone."""
    assert error.lower is not None
    assert error.upper is not None
    part = 100.0 / guess
    return Point(error.x, part * error.value, part * error.lower, part * error.upper)


def _means(pictures: int, count: int, size: int, generator: torch.Generator) -> Tensor:
    """Return weights that make means of random batches, shape (count, pictures)."""
    chosen = torch.randint(pictures, (count, size), generator=generator)
    weights = torch.zeros(count, pictures)
    return weights.scatter_add_(1, chosen, torch.full((count, size), 1.0 / size))


def direction(setting: Setting) -> Iterator[None]:
    """Leave one eigen-direction of the pictures out before the gradient, and rebuild them; yield after each.

    Charts squared errors per pixel of a linear attacker who knows which direction is missing, and what is left of the
    natural channel's capacity.

    Source: Appendix D of the paper named at ``information.capacity``.
    """
    values, vectors = np.linalg.eigh(setting.covariance)
    values, vectors = values[::-1], vectors[:, ::-1]
    noise = setting.channel("natural", setting.capacity).sigma
    assert noise is not None
    mean = setting.public.flatten(1).mean(dim=0)

    def error(x: float, left_out: Tensor | None) -> Point:
        public, victims = (
            images if left_out is None else without(images, mean, left_out)
            for images in (setting.public, setting.victims)
        )
        clean = gradients_of(setting.first, public, setting.public_labels)
        sent = gradients_of(setting.first, victims, setting.victim_labels)
        estimates = LinearMap(setting.public.flatten(1), clean).estimate(sent).clamp(0.0, 1.0)
        return mean_point(x, mse(estimates.reshape(victims.shape), setting.victims))

    whole = error(1.0, None)
    yield
    for number in DIRECTIONS[: sum(rank <= information.rank_of(values) for rank in DIRECTIONS)]:
        variance = float(values[number - 1])
        removed = error(number, torch.from_numpy(vectors[:, number - 1].copy()).float())
        setting.note("direction_error", "removed", removed)
        setting.note("direction_error", "whole", replace(whole, x=number))
        setting.note("direction_error", "expected", Point(number, whole.value + variance / len(values)))
        told = setting.capacity - 0.5 * math.log1p(variance / noise**2)
        setting.note("direction_told", "removed", Point(number, told))
        setting.note("direction_told", "whole", Point(number, setting.capacity))
        yield


def without(images: Tensor, mean: Tensor, direction: Tensor) -> Tensor:
    """Return pictures with what they have along a unit direction, beside the mean picture, left out."""
    rest = images.flatten(1) - mean
    pictures: Tensor = (images.flatten(1) - (rest @ direction).unsqueeze(1) * direction).reshape(images.shape)
    return pictures


def compression(setting: Setting) -> Iterator[None]:
    """Send some numbers of an update alone: those that differ most between pictures, or random ones.

    Yields after what is told, and after each share.
    Charts what one report tells in nats, at the noise at which the whole update tells C, and by how much the linear
    attacker errs per pixel with this noise, beside the mean picture.

    Source: Appendix E of the paper named at ``information.capacity``: what is lost is half the log of the determinant
        of the Schur complement over the noise.
    """
    updates = setting.gradients.double().numpy()
    noise = noise_on_update(update_eigenvalues(updates), setting.capacity)
    orders = {
        "largest": np.argsort(updates.var(axis=0))[::-1],
        "random": torch.randperm(updates.shape[1], generator=setting.stream(BATCHES)).numpy(),
    }
    for name, order in orders.items():
        for share in SHARES:
            kept = update_eigenvalues(updates[:, order[: _kept(share, len(order))]])
            setting.note("compression_told", name, Point(share, information.capacity(kept, noise)))
    yield
    shown, truth = (images.flatten(1) for images in (setting.public, setting.victims))
    victims = gradients_of(setting.first, setting.victims, setting.victim_labels)
    sent = victims + math.sqrt(noise) * torch.empty_like(victims).normal_(generator=setting.stream(NOISE, 50_000))
    guess = (shown.mean(dim=0) - truth).square().mean(dim=1)
    for share in SHARES:
        for name, order in orders.items():
            places = torch.from_numpy(order[: _kept(share, len(order))].copy())
            estimates = LinearMap(shown, setting.gradients[:, places]).estimate(sent[:, places], noise).clamp(0.0, 1.0)
            setting.note("compression_error", name, mean_point(share, (estimates - truth).square().mean(dim=1)))
        setting.note("compression_error", "guess", mean_point(share, guess))
        yield


def _kept(share: float, count: int) -> int:
    return max(1, round(share * count))
