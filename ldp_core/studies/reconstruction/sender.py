"""What leaves a device under a protection, and what an attacker knows before."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ldp_core.channels import CHANNELS, Fitted, importance_weights
from ldp_core.learning.gradients import client_gradients, clipped, updates_of, updates_of_batches
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters, shifted
from ldp_core.learning.sent import ReportNoise, covariance_of, noisy
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import Knowledge
from ldp_core.statistics import information
from ldp_core.studies.reconstruction.result import NOISE, PUBLIC, ReconstructionConfig

_AT_A_TIME = 250
_PROBES = 16
_FITTED = ("linear", "half-space", "inversion")
"""Attackers who need to know what public pictures would send."""


class Sender:
    """What leaves a device under a protection, and how much noise a server finds in it.

    ``model``: that the server sent; ``public``: pictures from which a channel's covariance comes, shape (p, channels,
    size, size).
    """

    def __init__(self, config: ReconstructionConfig, model: ThreeLayerCnn, public: Tensor) -> None:
        self.config, self.model = config, model
        self.mechanism = None
        if config.protection in MECHANISMS:
            self.mechanism = MECHANISMS[config.protection](config.epsilon, config.clip_norm)
        self.channel: Fitted | None = None
        if config.protection in CHANNELS:
            channels, size = public.shape[1:3]
            weights = importance_weights(channels, size, config.importance, config.importance_map)
            self.channel = CHANNELS[config.protection].fit(covariance_of(public), config.capacity, weights)
        self._spread: float | None = None

    def update(self, images: Tensor, labels: Tensor) -> Tensor:
        """Return the plain update of a batch, shape (d,): its mean gradient over all local steps."""
        config, model = self.config, self.model
        if config.local_steps == 1:
            return client_gradients(model, images, labels).mean(dim=0)
        before, total = flat_parameters(model), torch.zeros(0)
        moved = before
        for _ in range(config.local_steps):
            now = shifted(model, moved - before)
            assert isinstance(now, ThreeLayerCnn)
            step = client_gradients(now, images, labels).mean(dim=0)
            total = step if not len(total) else total + step
            moved = moved - config.local_rate * step
        return total / config.local_steps

    def clean(self, updates: Tensor) -> Tensor:
        """Return what is sent of updates but for the noise, shape (m, d)."""
        protection, config = self.config.protection, self.config
        if protection == "none" or self.channel is not None:
            return updates
        if protection == "top-k":
            kept = max(1, round(config.keep * updates.shape[1]))
            places = updates.abs().topk(kept, dim=1).indices
            return torch.zeros_like(updates).scatter_(1, places, updates.gather(1, places))
        return clipped(updates, config.clip_norm, self.mechanism.clip_order if self.mechanism is not None else "l2")

    def noise(self, reports: int, dimension: int) -> float:
        """Return the variance of each number in what the server makes of n reports."""
        config = self.config
        if config.protection in LDP_SGD_FAMILY:
            length = information.mean_report_length(config.epsilon, dimension)
            return config.clip_norm**2 / (reports * dimension * length**2)
        if config.protection == "gaussian":
            return self._deviation**2 / reports
        return 0.0 if self._spread is None else self._spread / reports

    @property
    def _deviation(self) -> float:
        """Standard deviation of each number's Gaussian noise: of the mechanism, or z of a sum over the batch."""
        config = self.config
        if config.noise is not None:
            return config.noise * config.clip_norm / config.batch
        assert isinstance(self.mechanism, Gaussian)
        return self.mechanism.noise_deviation

    def probe(self, updates: Tensor, images: Tensor, labels: Tensor, generator: torch.Generator) -> None:
        """Measure the noise of a protection without a formula, as any server can: on updates of its own.

        ``updates``: clean ones of public pictures, shape (p, d).
        """
        if self.channel is not None:
            sent = self._through_channel(images[:_PROBES], labels[:_PROBES].unsqueeze(1), generator)
            self._spread = float((sent - updates[:_PROBES]).square().mean())
        elif self.mechanism is not None and self.config.protection not in (*LDP_SGD_FAMILY, "gaussian"):
            squares = []
            for update in updates[:_PROBES]:
                estimate = self.mechanism.aggregate(self.mechanism.randomize(update, 1, generator))
                squares.append(float((estimate - update).double().square().mean()))
            self._spread = sum(squares) / len(squares)

    def observe(
        self, clean: Tensor, images: Tensor, labels: Tensor, counts: Sequence[int], seed: int, number: int
    ) -> Tensor:
        """Return what the server makes of the first n reports of one update, for each n: shape (len(counts), d).

        ``clean``: shape (d,); ``images``: the batch behind it, which a channel needs; ``number``: of the picture.
        """
        config, generator = self.config, stream_generator(seed, number, 0, NOISE)
        if config.protection in ("none", "clip", "top-k"):
            return clean.unsqueeze(0)
        if config.protection in LDP_SGD_FAMILY:
            norm = float(clean.double().norm())
            direction = clean.double() / max(norm, 1e-30)
            means = ReportNoise(len(clean), counts[-1], generator).means(self.mechanism, direction, norm, counts)  # type: ignore[arg-type]
            length = information.mean_report_length(config.epsilon, len(clean))
            return (means * (config.clip_norm / length)).to(clean.dtype)
        if config.protection == "gaussian":
            noise = torch.empty_like(clean).normal_(generator=generator)
            spread = [self._deviation / math.sqrt(count) for count in counts]
            return torch.stack([clean + deviation * noise for deviation in spread])
        total, done, estimates = torch.zeros_like(clean, dtype=torch.float64), 0, []
        for count in counts:
            while done < count:
                some = min(count - done, _AT_A_TIME)
                if self.channel is not None:
                    batches = images.repeat(some, 1, 1, 1), labels.expand(some, -1)  # each with fresh noise
                    total += self._through_channel(*batches, generator).sum(dim=0)
                else:
                    assert self.mechanism is not None
                    total += self.mechanism.aggregate(self.mechanism.randomize(clean, some, generator)) * some
                done += some
            estimates.append((total / count).to(clean.dtype))
        return torch.stack(estimates)

    def _through_channel(self, images: Tensor, labels: Tensor, generator: torch.Generator) -> Tensor:
        """Return updates of batches with labels of shape (n, b), whose pictures get noise before the first step."""
        assert self.channel is not None
        sent = noisy(self.channel, images, generator)
        return updates_of_batches(self.model, sent, labels, self.config.local_steps, self.config.local_rate)


def know(config: ReconstructionConfig, data: object, model: ThreeLayerCnn) -> tuple[Knowledge, Sender]:
    """Return what the attacker knows before anything is sent, and what sends.

    ``data``: ``ImageData``; its training images are public; ``model``: that the server sent.
    """
    images, labels = data.train_images, data.train_labels  # type: ignore[attr-defined]
    order = torch.randperm(len(images), generator=stream_generator(config.seed, 0, 0, PUBLIC))[: config.public]
    some, named = images[order], labels[order]
    sender = Sender(config, model, images)
    steps = config.local_steps if config.attacker in _FITTED or sender.channel is not None else 1
    gradients = sender.clean(updates_of(model, some, named, steps, config.local_rate))
    sender.probe(gradients, some, named, stream_generator(config.seed, 1, 0, PUBLIC))
    return Knowledge(model, some, named, gradients, data.num_classes), sender  # type: ignore[attr-defined]
