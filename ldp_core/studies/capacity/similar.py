"""How similar rebuilt pictures are under channels of several capacities: from a report, and from the trained model."""

from collections.abc import Iterator

import torch
from torch import Tensor

from ldp_core.channels import CHANNELS, Fitted
from ldp_core.learning.gradients import gradients_of
from ldp_core.learning.models import ThreeLayerCnn, optimizer_for, train_pass
from ldp_core.learning.sent import noisy
from ldp_core.reconstructions import Knowledge
from ldp_core.reconstructions._parts import cosine, mse, ssim
from ldp_core.reconstructions.linear import Direct
from ldp_core.reconstructions.model_inversion import ModelInversion
from ldp_core.studies.capacity.result import Point
from ldp_core.studies.capacity.setting import NOISE, TRAINING, WEIGHTS, Setting, mean_point


def measures(estimates: Tensor, truth: Tensor) -> dict[str, Tensor]:
    """Return PSNR in dB, SSIM and cosine of each picture, shape (m,) each; pictures of shape (m, ...)."""
    return {
        "psnr": -10.0 * mse(estimates, truth).clamp_min(1e-12).log10(),
        "ssim": ssim(estimates, truth),
        "cosine": cosine(estimates, truth),
    }


def similarity(setting: Setting) -> Iterator[None]:
    """Rebuild pictures from one report of each through each channel; yield after each channel and capacity.

    Charts PSNR, SSIM and cosine inside what the network sees, means over pictures, beside two guesses.

    Source: Appendix F of the paper named at ``information.capacity``, with a linear attacker who knows the channel.
    """
    config = setting.config
    truth = setting.victims[..., setting.part, setting.part]

    def add(line: str, x: float, pictures: Tensor) -> None:
        for name, values in measures(pictures[..., setting.part, setting.part].expand(truth.shape), truth).items():
            setting.note(f"similarity_{name}", line, mean_point(x, values))

    def known(gradients: Tensor) -> Knowledge:
        return Knowledge(setting.first, setting.public, setting.public_labels, gradients, setting.data.num_classes)

    means = known(torch.zeros(0)).class_means()[setting.victim_labels]
    for number, line in enumerate(CHANNELS):
        for place, capacity in enumerate(config.capacities):
            channel, generator = setting.channel(line, capacity), setting.stream(NOISE, 20_000 + 100 * number + place)
            gradients = gradients_of(setting.first, noisy(channel, setting.public, generator), setting.public_labels)
            sent = gradients_of(setting.first, noisy(channel, setting.victims, generator), setting.victim_labels)
            add(line, capacity, Direct(known(gradients)).estimate(sent, 0.0).images[:, 0])
            yield
    for capacity in config.capacities:
        add("mean", capacity, setting.public.mean(dim=0, keepdim=True))
        add("class_mean", capacity, means)


def inversion(setting: Setting) -> Iterator[None]:
    """Ask models that were trained on noisy pictures for a picture of each class; yield after each model.

    Charts PSNR, SSIM and cosine with the class's mean picture, inside what the network sees: medians over classes,
    with the least and the greatest, beside the mean picture from which the attacker begins.

    Source: Sect. 6.1 and Appendix F of the paper named at ``information.capacity`` (model inversion).
    """
    config, data = setting.config, setting.data
    known = Knowledge(setting.first, data.train_images, data.train_labels, torch.zeros(0), data.num_classes)
    centres = known.class_means()[..., setting.part, setting.part]

    def add(line: str, x: float, pictures: Tensor) -> None:
        for name, values in measures(pictures[..., setting.part, setting.part].expand(centres.shape), centres).items():
            of_classes = values.double()
            point = Point(x, float(of_classes.quantile(0.5)), float(of_classes.min()), float(of_classes.max()))
            setting.note(f"inversion_{name}", line, point)

    for number, line in enumerate(CHANNELS):
        for place, capacity in enumerate(config.capacities):
            model = _trained(setting, setting.channel(line, capacity), 30_000 + 1_000 * number + 100 * place)
            add(line, capacity, _inverted(setting, model))
            yield
    plain = _inverted(setting, _trained(setting, None, 0))
    for capacity in config.capacities:
        add("no_noise", capacity, plain)
        add("mean", capacity, setting.public.mean(dim=0, keepdim=True))
    yield


def _trained(setting: Setting, channel: Fitted | None, number: int) -> ThreeLayerCnn:
    """Return a model trained on plain pictures, or with fresh noise on them in each pass."""
    data = setting.data
    channels, size = data.train_images.shape[1:3]
    model = ThreeLayerCnn(channels, size, data.num_classes, setting.stream(WEIGHTS, 1))
    optimizer = optimizer_for(model)
    for step in range(setting.config.passes):
        images = data.train_images
        if channel is not None:
            images = noisy(channel, images, setting.stream(NOISE, number + step))
        train_pass(model, optimizer, images, data.train_labels, setting.stream(TRAINING, 1_000 + step))
    return model


def _inverted(setting: Setting, model: ThreeLayerCnn) -> Tensor:
    knowledge = Knowledge(model, setting.public, setting.public_labels, torch.zeros(0), setting.data.num_classes)
    return ModelInversion().pictures(knowledge)
