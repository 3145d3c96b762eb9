"""Audits DP-SGD in one training: many canaries, each in with chance 1/2, and guesses about a few of them."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ldp_core.datasets import load_dataset
from ldp_core.game.setup import one_thread_per_operation
from ldp_core.learning.private_training import Task, clipped_sum, initial, poisson_batches
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics import central_law, one_run
from ldp_core.studies.central.result import SIGNIFICANCE, CentralConfig, claimed
from ldp_core.studies.central.run import task_of

_WEIGHTS, _COINS, _TRAINING = 0, 1, 2
_STREAM = 7


@dataclass(frozen=True, slots=True)
class OneRun:
    """What one training with many canaries shows: how many of the guesses, all of them "in", were right.

    ``epsilon`` is a lower bound at the claimed delta, of any program.
    """

    canaries: int
    guesses: int
    right: int
    epsilon: float


def audit(config: CentralConfig, canaries: int, guesses: int, data_dir: Path | None = None) -> OneRun:
    """Train once and guess.

    ``config``: of the training; its games do not matter, with ``law`` no model is trained. ``canaries``: gradients of
    length C along one parameter each; ``guesses``: how many are said to be in: those that look most like it.
    Raises ``ValueError`` if there are more canaries than parameters.
    """
    members = np.random.Generator(np.random.PCG64([config.seed, _STREAM])).random(canaries) < 0.5
    scores = _by_law(config, members) if config.law else _trained(config, members, data_dir)
    right = int(members[np.argsort(-scores, kind="stable")[:guesses]].sum())
    return OneRun(canaries, guesses, right, one_run.lower_bound(canaries, guesses, right, config.delta, SIGNIFICANCE))


def _by_law(config: CentralConfig, members: NDArray[Any]) -> NDArray[Any]:
    claim, size = claimed(config), central_law.GAMES_TOGETHER
    done = replace(claim, noise=claim.noise * config.noise_factor)
    scores = np.empty(len(members))
    for world in (True, False):
        places = np.flatnonzero(members == world)
        for chunk in range(0, len(places), size):
            some = places[chunk : chunk + size]
            scores[some] = central_law.games(claim, world, len(some), config.seed, _STREAM, chunk, actual=done)
    return scores


def _trained(config: CentralConfig, members: NDArray[Any], data_dir: Path | None) -> NDArray[Any]:
    """Return the likelihood ratio of each canary from all iterates of one training."""
    with one_thread_per_operation():
        claim = claimed(config)
        task, _ = task_of(config, claim, load_dataset(config.dataset, data_dir))
        start = initial(task, 1, stream_generator(config.seed, _STREAM, 0, _WEIGHTS))
        number = sum(layer.numel() for layer in start)
        if len(members) > number:
            raise ValueError(
                f"canaries must be at most the {number:,} parameters of {config.model}, got {len(members):,}"
            )
        places = torch.randperm(number, generator=stream_generator(config.seed, _STREAM, 0, _COINS))[: len(members)]
        done = replace(task, noise=task.noise * config.noise_factor)
        return _scores(done, claim.noise, torch.from_numpy(members), places, start, config.seed)


def _scores(
    task: Task, noise: float, members: torch.Tensor, places: torch.Tensor, start: list[torch.Tensor], seed: int
) -> NDArray[Any]:
    generator = stream_generator(seed, _STREAM, 0, _TRAINING)
    weights, sizes = start, [layer.numel() for layer in start]
    log_ratios = torch.zeros(len(members), dtype=torch.float64)
    rest = math.log1p(-task.sampling_rate) if task.sampling_rate < 1.0 else -math.inf
    spread = task.noise * task.clip_norm
    every = (task.inputs[None], task.labels[None], torch.ones(1, len(task.labels)))
    for _ in range(task.steps):
        batch, counted = poisson_batches(len(task.inputs), 1, task.sampling_rate, generator)
        total = _flat(clipped_sum(task, weights, task.inputs[batch], task.labels[batch], counted))
        sampled = (torch.rand(len(members), generator=generator) < task.sampling_rate) & members
        total[places] += task.clip_norm * sampled
        noisy = total + spread * torch.empty_like(total).normal_(generator=generator)
        others = task.sampling_rate * _flat(clipped_sum(task, weights, *every))[places]
        x = ((noisy[places] - others) / task.clip_norm).double()
        exponent = math.log(task.sampling_rate) + (2.0 * x - 1.0) / (2.0 * noise**2)
        log_ratios += torch.logaddexp(torch.full_like(x, rest), exponent)
        moves = torch.split(noisy, sizes)
        weights = [layer - task.scale * move.view_as(layer) for layer, move in zip(weights, moves, strict=True)]
    scores: NDArray[Any] = log_ratios.numpy()
    return scores


def _flat(layers: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat([layer.flatten() for layer in layers])
