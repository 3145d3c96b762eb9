"""What epsilon costs: federated training with LDP-SGD, simulated on this machine.

Each round, every client computes the gradient of one training image, randomizes it once on its own device, and the
server takes one step with the unbiased estimate of the mean. Beside it runs the same training without randomness.

The server's steps are ours. Algorithm 2 of Matsumoto et al. has ``eta = radius * sqrt(n) / (L * sqrt(d)) *
tanh(epsilon / 2)``, which makes each step about 1.25 times the radius of the model's ball, however many clients
there are: a model barely learns. Here the step is ``learning_rate / L * (1 - t / T)``, the same for every epsilon and
without privacy, so the curves differ by their noise alone. Per round the signal, the mean clipped gradient, is at most
L long, and the noise about ``L * sqrt(pi * d / 2) / (tanh(epsilon / 2) * sqrt(n))``: with
d = 10,650, n = 10,000 and L = 1 that is 1.3 at epsilon 4 and 5.3 at epsilon 0.5. Signals of successive rounds add up,
noises only by the square root: after T rounds what counts is the number of all reports, n * T.

Defaults, found by trial on the digits and on MNIST: linearly falling steps, because constant ones leave the noise of
the last round in the model; learning rate 2, because smaller ones end lower without privacy in 40 rounds, and with 3
epsilon 0.5 learns nothing; 10,000 clients, because 2,000 learn next to nothing at epsilon 1. Pixels are brought to
``(x - 0.3) / 0.35`` (public constants) and the initial weights are sqrt(3) times torch's (variance 1 / fan-in),
because plain gradient steps otherwise spend most of the rounds on a plateau that blurs the comparison. The ball is a
guard and does not bind. Digits, seed 7, held-out accuracy at the end: 0.86 without privacy, 0.84 at epsilon 4, 0.79 at
2, 0.71 at 1, 0.27 at 0.5; with 2,000 clients 0.86, 0.63, 0.56, 0.20, 0.14. About one core-minute.
"""

import copy
import math
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from ldp_core import _validate
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.game.setup import loaded, one_thread_per_operation, versions
from ldp_core.game.trials import sampling_threads, worker_threads
from ldp_core.learning.gradients import client_gradients, image_patches
from ldp_core.learning.models import ThreeLayerCnn, accuracy, flat_parameters
from ldp_core.learning.sent import report_signs
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.randomness.streams import stream_generator
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult
from ldp_core.study import Step

WEIGHTS, IMAGES, DIRECTIONS, COINS = range(2**34, 2**34 + 4)
"""Streams of a federated training; the number of the round stands where a test has the number of the measurement."""
_PIXEL_MEAN, _PIXEL_SPREAD = 0.3, 0.35


def utility(
    config: UtilityConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    threads: int | None = None,
) -> Generator[Step[UtilityResult], None, None]:
    """Train once for each epsilon and once without privacy, round by round side by side.

    In a round all curves have the same clients, images, directions and coin throws (common random numbers). The
    numbers depend on the configuration and the data alone, not on the number of threads. The trainings of all seeds
    go on side by side, so that a run that is stopped has equally many rounds of each; training r is what a run with
    ``seed + r`` alone gives. ``images``: the client's own, for the data set "own".
    Yields the state in "rounds": after some clients, over all rounds and seeds (each reports to every curve), before
    each model is measured and after each round; the last one has ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    threads = sampling_threads() if threads is None else _validate.integer("threads", threads, 1, 1024)
    packages, total = versions(), config.rounds * config.clients * config.repeats
    epsilons = (None, *config.epsilons)
    scores: list[list[tuple[float, ...]]] = [[() for _ in epsilons] for _ in range(config.repeats)]

    def progress(stage: str, done: int, of: int = total) -> Step[UtilityResult]:
        by_epsilon = zip(*scores, strict=True)
        curves = tuple(UtilityCurve(epsilon, shares) for epsilon, shares in zip(epsilons, by_epsilon, strict=True))
        completed = curves[0].rounds == config.rounds
        return Step(stage, done, of, UtilityResult(config, curves, completed, time.monotonic() - start, packages))

    with one_thread_per_operation():
        yield progress("data", 0)
        if images is None:
            images = yield from loaded(progress, config.dataset, data_dir, download)
        data = _contrasted(images)
        seeds = range(config.seed, config.seed + config.repeats)
        trainings = [_Training(replace(config, seed=seed, repeats=1), data) for seed in seeds]
        scores = [[(training.accuracy(model),) for model in training.models] for training in trainings]
        yield progress("rounds", 0)
        pool = worker_threads(threads)
        try:
            for round_ in range(config.rounds):
                grown = []
                for repeat, training in enumerate(trainings):
                    before = (round_ * config.repeats + repeat) * config.clients
                    for done in training.run_round(round_, pool):
                        if done < config.clients:
                            yield progress("rounds", before + done)
                    shares = []
                    for model, earlier in zip(training.models, scores[repeat], strict=True):
                        yield progress("rounds", before + config.clients)
                        shares.append((*earlier, training.accuracy(model)))
                    grown.append(shares)
                scores = grown
                yield progress("rounds", (round_ + 1) * config.clients * config.repeats)
        finally:
            pool.shutdown(cancel_futures=True)


def server_step(parameters: Tensor, estimate: Tensor, step: float, radius: float) -> Tensor:
    """Return ``parameters - step * estimate``, projected onto the L2 ball of the given radius around zero."""
    moved = parameters - step * estimate
    return moved.mul(min(1.0, radius / max(moved.norm().item(), 1e-30)))


class _Training:
    """The models of all curves, and what a round needs."""

    def __init__(self, config: UtilityConfig, data: ImageData) -> None:
        self.config = config
        self.images, self.held_out = data.train_images, data.images
        self.labels, self.held_out_labels = data.train_labels, data.labels
        channels, size = data.train_images.shape[1:3]
        generator = stream_generator(config.seed, 0, 0, WEIGHTS)
        model = ThreeLayerCnn(channels, size, data.num_classes, generator)
        _set_parameters(model, flat_parameters(model) * math.sqrt(3.0))
        self.mechanisms = [None, *(LdpSgd(epsilon, config.clip_norm) for epsilon in config.epsilons)]
        self.models = [copy.deepcopy(model) for _ in self.mechanisms]
        self.dimension = sum(values.numel() for values in model.parameters())

    def accuracy(self, model: nn.Module) -> float:
        return accuracy(model, self.held_out, self.held_out_labels)

    def run_round(self, round_: int, pool: ThreadPoolExecutor) -> Iterator[int]:
        """Let all clients report and move all models; yield after each chunk how many clients have reported."""
        config = self.config
        order = torch.randperm(len(self.images), generator=stream_generator(config.seed, round_, 0, IMAGES))
        chunks = torch.split(order[: config.clients], max(1, min(256, 2**19 // self.dimension)))
        totals = [torch.zeros(self.dimension, dtype=torch.float64) for _ in self.models]
        done = 0
        for clients, sums in pool.map(lambda chunk: self._chunk(round_, chunk, chunks), range(len(chunks))):
            for total, part in zip(totals, sums, strict=True):
                total += part
            done += clients
            yield done
        step = config.learning_rate / config.clip_norm * (1.0 - round_ / config.rounds)
        for model, mechanism, total in zip(self.models, self.mechanisms, totals, strict=True):
            mean = (total / config.clients).to(torch.float32)
            estimate = mean if mechanism is None else mechanism.aggregate(mean.unsqueeze(0))
            _set_parameters(model, server_step(flat_parameters(model), estimate, step, config.radius))

    def _chunk(self, round_: int, chunk: int, chunks: tuple[Tensor, ...]) -> tuple[int, list[Tensor]]:
        """Return how many clients hold one of the chunk's images, and for each curve the sum of what they send.

        Client i holds the image at place i in the round's order, which starts anew where the images end.
        """
        config, places = self.config, chunks[chunk]
        images, labels = self.images[places], self.labels[places]
        patches = image_patches(self.models[0], images)
        every = [client_gradients(model, images, labels, patches) for model in self.models]
        gradients = [(vectors, torch.linalg.vector_norm(vectors, dim=1, dtype=torch.float64)) for vectors in every]
        directions = stream_generator(config.seed, round_, chunk, DIRECTIONS)
        coins = stream_generator(config.seed, round_, chunk, COINS)
        sums = [torch.zeros(self.dimension) for _ in self.models]
        first, clients = chunk * len(chunks[0]), 0
        normals = torch.empty(len(places), self.dimension)
        for start in range(first, config.clients, min(config.clients, len(self.images))):
            count = min(len(places), config.clients - start)
            units = normals[:count].normal_(generator=directions)
            units.div_(torch.linalg.vector_norm(units, dim=1, keepdim=True))
            draws = torch.rand(2, count, generator=coins, dtype=torch.float64)
            for total, mechanism, (vectors, norms) in zip(sums, self.mechanisms, gradients, strict=True):
                if mechanism is None:
                    total += (config.clip_norm / norms[:count]).clamp_(max=1.0).to(vectors.dtype) @ vectors[:count]
                else:
                    total += report_signs(mechanism, vectors[:count], norms[:count], units, draws) @ units
            clients += count
        return clients, sums


def _contrasted(data: ImageData) -> ImageData:
    train_images, images = ((pixels - _PIXEL_MEAN) / _PIXEL_SPREAD for pixels in (data.train_images, data.images))
    return replace(data, train_images=train_images, images=images)


def _set_parameters(model: nn.Module, values: Tensor) -> None:
    with torch.no_grad():
        nn.utils.vector_to_parameters(values, model.parameters())
