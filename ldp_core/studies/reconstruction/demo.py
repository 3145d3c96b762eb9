"""One picture beside what a server rebuilds of it, fast enough to follow a slider, and a game of finding it."""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.cache import Cache
from ldp_core.channels import Fitted
from ldp_core.datasets import dark_on_light, read_grey
from ldp_core.errors import DatasetUnavailableError
from ldp_core.game.setup import Prepared, ended, one_thread_per_operation, prepare
from ldp_core.learning.gradients import gradients_of
from ldp_core.learning.sent import ReportNoise, noisy, span_of
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import Private
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.reconstructions._parts import mse, seen_by, window_of
from ldp_core.reconstructions.identify import by_reports
from ldp_core.reconstructions.linear import fitted
from ldp_core.statistics import information
from ldp_core.studies.reconstruction.quality import lookalikes
from ldp_core.studies.reconstruction.result import LOOKALIKES, NOISE, PICTURES, ReconstructionConfig
from ldp_core.studies.reconstruction.sender import know

REPORTS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
CANDIDATES = 1_000
CHANNEL_CANDIDATES = 2_000
ROUNDS = 20
_CHANNELS_KEPT = 4
_NO_UPDATE = 1e-6
"""Length below which an update is rounding."""
PUBLIC = 2_000


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rebuilding(Private):
    """What an attacker makes of an update. Private.

    Args:
        image: shape (channels, size, size), in [0, 1].
        label: that it names.
        sureness: its own probability of the label; None where it states none, or is certain by algebra.
        error: mean squared error per pixel, in what the network sees.
        found: whether the true picture is the nearest of 20 of its label.
    """

    image: Tensor
    label: int
    sureness: float | None
    error: float
    found: bool


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Victim(Private):
    """A picture that is looked for, its update, and one draw of noise. Private.

    Args:
        image: shape (channels, size, size), in [0, 1].
        label: its class.
        inverted: whether it was dark on light and is shown light on dark, as the digits are.
        update: plain, shape (d,).
        exact: what is rebuilt of it without noise. The attacker shortens an update to the bound first, so that a plain
            and a shortened one give the same.
        lookalikes: 19 other pictures of its label.
        noise: of up to a million reports, the same for each epsilon.
    """

    image: Tensor
    label: int
    inverted: bool
    update: Tensor
    exact: Rebuilding
    lookalikes: Tensor
    noise: ReportNoise


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Round(Private):
    """One round of "which of these pictures was it?". Private: ``sent`` and ``named`` are pictures."""

    sent: Tensor
    named: Tensor
    right: bool
    sureness: float


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Noisy(Private):
    """What a channel leaves of a picture. Private.

    Args:
        noisy: the picture that the gradient is made of, cut to [0, 1].
        wiener: the linear estimate of the picture.
        error: of the estimate, squared, per pixel.
        found: whether the picture is the likeliest of ``candidates``.
        candidates: pictures among which it is looked for.
        capacity: C in nats.
        sigma: standard deviation of the noise on a pixel that is not important; None where directions have their own.
        expected: error of the linear estimate for pictures of this covariance, mean over them.
        important: the same where pixels are important; None if all count alike.
        water_filling: least such error that any code of this capacity has on Gaussian data.
        told: nats after ``ROUNDS`` rounds with fresh noise, at most.
    """

    noisy: Tensor
    wiener: Tensor
    error: float
    found: bool
    candidates: int
    capacity: float
    sigma: float | None
    expected: float
    important: float | None
    water_filling: float
    told: float


@dataclass(repr=False, eq=False)
class RebuildDemo:
    """A model, what a server knows, and the fits that it makes once. ``ready``: data and model."""

    ready: Prepared
    dataset: str = "digits"
    _span: tuple[Tensor, Tensor] | None = field(default=None, init=False)
    _channels: dict[Hashable, tuple[Fitted, Tensor, float, float | None, float]] = field(
        default_factory=dict, init=False
    )
    _eigenvalues: NDArray[np.float64] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.data, self.model = self.ready.data, self.ready.model
        config = ReconstructionConfig(attacker="linear", dataset=self.dataset, public=PUBLIC)
        with one_thread_per_operation():
            self.knowledge, self.sender = know(config, self.data, self.model)
            fitted(self.knowledge)
        self.mean, self.class_means = self.knowledge.images.mean(dim=0), self.knowledge.class_means()
        self.seen = seen_by(self.model, self.data.images[:1])
        self._part = window_of(self.seen)

    @classmethod
    def of(
        cls, dataset: str, training: str, cache: Cache, data_dir: Path | None = None, download: bool = False
    ) -> RebuildDemo:
        """Load data, train the model where it is not in the cache, and fit the attackers.

        Raises ``LdpCoreError`` if the data fail.
        """
        steps = prepare(lambda *_: None, dataset, training, cache, data_dir=data_dir, download=download)
        return cls(ended(steps), dataset)

    @property
    def blind(self) -> float:
        """Share of pixels that the network never sees."""
        return 1.0 - float(self.seen.float().mean())

    @property
    def offered(self) -> int:
        """Number of held-out pictures to choose from."""
        return len(self.data.images)

    def choose(self, place: int, seed: int) -> Victim:
        """Let a held-out picture be looked for.

        ``place``: its number, counted from 0; any whole number, taken modulo ``offered``; ``seed``: of the noise.
        Raises ``ValueError`` if its update is zero.
        """
        place %= self.offered
        return self._victim(self.data.images[place], int(self.data.labels[place]), False, seed, place)

    def choose_own(self, content: bytes, label: int | None, seed: int) -> Victim:
        """Let a picture of the client's own be looked for; nothing of it is kept here.

        ``content``: of a picture's file; ``label``: its class; None for what the model takes it for; ``seed``: of the
        noise.
        Raises ``DatasetUnavailableError`` if the picture cannot be read or is too large and ``ValueError`` if its
        update is zero.
        """
        if self.data.images.shape[1:] != (1, 28, 28):
            raise DatasetUnavailableError(
                "your own picture is fitted to 28 x 28 grey pixels, which this network does not take; choose digits, "
                f"MNIST or Fashion-MNIST, got {self.dataset}"
            )
        pixels = read_grey(io.BytesIO(content))
        if pixels is None:
            raise DatasetUnavailableError(
                "the picture must be one that can be read, such as a PNG or JPEG; got another file"
            )
        inverted = dark_on_light(pixels)
        image = torch.tensor(255 - pixels if inverted else pixels, dtype=torch.float32).div_(255.0).unsqueeze(0)
        with torch.no_grad():
            guess = int(self.model(image.unsqueeze(0)).argmax())
        return self._victim(image, guess if label is None else label, inverted, seed, -1)

    def _victim(self, image: Tensor, label: int, inverted: bool, seed: int, place: int) -> Victim:
        others = lookalikes(self.data, label, place, stream_generator(seed, 0, 0, LOOKALIKES))
        with one_thread_per_operation():
            update = gradients_of(self.model, image.unsqueeze(0), torch.tensor([label]))
            if float(update.double().norm()) < _NO_UPDATE:
                raise ValueError(
                    "the update of this picture must not be zero, but the model is so sure of its label that nothing "
                    "would change: its reports are randomness alone and show nothing of it; choose another picture or "
                    "label, or a model with less training"
                )
            exact = self._compare(*self._exactly(self.sender.clean(update)), None, image, others)
            noise = ReportNoise(update.shape[1], REPORTS[-1], stream_generator(seed, 0, 0, NOISE))
        return Victim(image, label, inverted, update[0], exact, others, noise)

    def _exactly(self, update: Tensor) -> tuple[Tensor, int]:
        """Rebuild from a shortened update, shape (1, d): of two attackers, the one whose picture explains it better."""
        tried = [RECONSTRUCTIONS["linear"].rebuild(self.knowledge, update, 0.0, 1, torch.Generator())]  # type: ignore[attr-defined]
        peel: Any = RECONSTRUCTIONS["peel"]
        if not peel.objection(*self.data.images.shape[1:3], "clip"):
            tried.append(peel.rebuild(self.knowledge, update, 0.0, 1, torch.Generator()))
        images = torch.cat([estimate.images[:, 0] for estimate in tried])
        labels = torch.cat([estimate.labels[:, 0] for estimate in tried])
        missed = (self.sender.clean(gradients_of(self.model, images, labels)) - update).square().sum(dim=1)
        best = int(missed.argmin())
        return images[best], int(labels[best])

    def _compare(self, rebuilt: Tensor, label: int, sureness: float | None, true: Tensor, others: Tensor) -> Rebuilding:
        shown, wanted, among = (images[..., self._part, self._part] for images in (rebuilt, true, others))
        error = mse(shown, wanted)
        return Rebuilding(rebuilt, label, sureness, float(error), bool((error < mse(shown, among)).all()))

    def rebuild(self, victim: Victim, epsilon: float) -> list[Rebuilding]:
        """Return what is rebuilt from each of ``REPORTS`` reports of LDP-SGD.

        ``victim``: whose picture is looked for; ``epsilon``: of each report.
        """
        mechanism, dimension = LdpSgd(epsilon, 1.0), len(victim.update)
        norm = float(victim.update.double().norm())
        length = information.mean_report_length(epsilon, dimension)
        with one_thread_per_operation():
            direction = victim.update.double() / max(norm, 1e-30)
            means = victim.noise.means(mechanism, direction, norm, REPORTS) / length
            rebuildings = []
            for count, mean in zip(REPORTS, means.float(), strict=True):
                estimate = fitted(self.knowledge).estimate(mean.unsqueeze(0), 1.0 / (count * dimension * length**2))
                assert estimate.sureness is not None
                image, label = estimate.images[0, 0], int(estimate.labels[0, 0])
                sureness = float(estimate.sureness[0])
                rebuildings.append(self._compare(image, label, sureness, victim.image, victim.lookalikes))
        return rebuildings

    def marked(self, image: Tensor) -> Any:
        """Return a picture as bytes of shape (size, size, 3), with the border that the network never sees in orange.

        ``image``: shape (channels, size, size).
        """
        pixels = image.clamp(0.0, 1.0).expand(3, *image.shape[1:]).permute(1, 2, 0)
        tint = torch.tensor([213.0, 94.0, 0.0]) / 255.0
        pixels = torch.where(self.seen.unsqueeze(2), pixels, 0.3 * pixels + 0.7 * tint)
        return pixels.mul(255.0).round().byte().numpy()

    def guesses(self, victim: Victim) -> tuple[Tensor, Tensor]:
        """Return what anybody would guess without any update: the mean of all pictures, and of those of its label."""
        return self.mean, self.class_means[victim.label]

    def play(self, epsilon: float, reports: int, seed: int) -> Round:
        """Let one of ``CANDIDATES`` pictures be drawn and sent, and be named by the best attacker.

        ``epsilon``: of each report of LDP-SGD; ``reports``: number n of reports; ``seed``: of the picture and the
        reports.
        """
        images = torch.cat((self.data.images, self.data.train_images))
        labels = torch.cat((self.data.labels, self.data.train_labels))
        chosen = torch.randperm(len(images), generator=stream_generator(0, 0, 0, PICTURES))[:CANDIDATES]
        with one_thread_per_operation():
            if self._span is None:
                self._span = span_of(gradients_of(self.model, images[chosen], labels[chosen]))
            generator = stream_generator(seed, 0, 0, NOISE)
            victim = int(torch.randint(len(chosen), (1,), generator=generator))
            dimension = self.knowledge.gradients.shape[1]
            named, _, sure = by_reports(LdpSgd(epsilon, 1.0), self._span, victim, dimension, (reports,), generator)
        return Round(images[chosen[victim]], images[chosen[named[0]]], named[0] == victim, sure[0])

    def channel(
        self, key: Hashable, fit: Callable[[], Fitted], levels: NDArray[np.float64] | None, image: Tensor, seed: int
    ) -> Noisy:
        """Return what a channel leaves of a picture.

        Args:
            key: under which what ``fit`` made is kept.
            fit: makes the channel for the public pictures.
            levels: how important each pixel is, from 0 to 1, shape (channels * size * size,); None if all count alike.
            image: shape (channels, size, size).
            seed: of the noise.

        Raises:
            ValueError: if no noise reaches what is asked for.
        """
        public = self.data.train_images
        if key not in self._channels:
            made = fit()
            if len(self._channels) >= _CHANNELS_KEPT:
                self._channels.clear()
            if self._eigenvalues is None:
                self._eigenvalues = information.eigenvalues_of(made.covariance)
            water = information.water_filling(self._eigenvalues, made.capacity())
            important = None if levels is None else made.wiener_error(levels)
            self._channels[key] = made, torch.from_numpy(made.wiener()), made.wiener_error(), important, water
        channel, wiener, expected, important, water = self._channels[key]
        sent = noisy(channel, image.unsqueeze(0), stream_generator(seed, 0, 0, NOISE))[0]
        mean = public.flatten(1).double().mean(dim=0)
        estimate = wiener @ (sent.flatten().double() - mean) + mean
        rebuilt = estimate.reshape(image.shape).float().clamp(0.0, 1.0)
        others = public[: CHANNEL_CANDIDATES - 1]
        candidates = torch.cat((image.unsqueeze(0), others)).flatten(1).double().numpy()
        named = int(channel.nearest(sent.reshape(1, -1).double().numpy(), candidates)[0]) == 0
        return Noisy(
            sent.clamp(0.0, 1.0), rebuilt, float(mse(rebuilt, image)), named, len(candidates), channel.capacity(),
            channel.sigma, expected, important, water, channel.capacity(ROUNDS),
        )  # fmt: skip
