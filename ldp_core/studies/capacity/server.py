"""A server that crafts its model: noise kept from the first round, noise solved again, and noise on the picture."""

import copy
import math
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ldp_core.channels import Fitted
from ldp_core.channels.parameters import linear_capacity, noise_on_update, update_eigenvalues
from ldp_core.learning.gradients import client_gradients, gradients_of
from ldp_core.learning.models import ThreeLayerCnn, optimizer_for, train_pass
from ldp_core.learning.sent import noisy
from ldp_core.reconstructions._parts import seen_by
from ldp_core.statistics import information
from ldp_core.studies.capacity.result import Point
from ldp_core.studies.capacity.setting import NOISE, TRAINING, Setting

_PROBES, _DRAWS = 3, 100
_STEP = 1e-6
_AT_A_TIME = 64


def server(setting: Setting) -> Iterator[None]:
    """Play the rounds of an honest server, which trains, and of one that crafts; yield after each.

    The client solves its noise on public pictures under the first model, and keeps it, or solves it again under each
    model. The crafting server sends the first model with the weights of its last layer multiplied by ``factor`` once
    more in each round: gradients of the layers before grow, and nothing else of the model changes.
    Charts what one report tells in each round, in nats, and the noise on each number of an update, as a standard
    deviation.
    """
    config, data = setting.config, setting.data
    honest = copy.deepcopy(setting.first)
    optimizer = optimizer_for(honest)
    channel = setting.channel("natural", setting.capacity)
    kept = 0.0
    for number in range(config.rounds):
        if number:
            train_pass(honest, optimizer, data.train_images, data.train_labels, setting.stream(TRAINING, number))
        model = crafted(setting.first, config.factor**number)
        values = update_eigenvalues(_updates(model, setting.public, setting.public_labels))
        solved = noise_on_update(values, setting.capacity)
        kept = kept or solved
        trained = update_eigenvalues(_updates(honest, setting.public, setting.public_labels))
        apart = update_eigenvalues(
            _updates(model, setting.held_out[: config.public], setting.held_out_labels[: config.public])
        )
        through, linear, adaptive = _probed(setting, model, channel)
        for chart, line, value in (
            ("server_told", "kept_honest", information.capacity(trained, kept)),
            ("server_told", "kept_crafted", information.capacity(values, kept)),
            ("server_told", "solved", information.capacity(values, solved)),
            ("server_told", "held_out", information.capacity(apart, solved)),
            ("server_told", "pictures", through),
            ("server_noise", "kept", math.sqrt(kept)),
            ("server_noise", "solved", math.sqrt(solved)),
            ("server_noise", "adaptive", adaptive),
            ("server_noise", "linear", linear),
        ):
            setting.note(chart, line, Point(number + 1, value))
        yield


def crafted(model: ThreeLayerCnn, factor: float) -> ThreeLayerCnn:
    """Return a copy whose last layer's weights are multiplied by a factor."""
    made = copy.deepcopy(model)
    last = made.layers[-1]
    assert isinstance(last, nn.Linear)
    with torch.no_grad():
        last.weight.mul_(factor)
    return made


def _updates(model: ThreeLayerCnn, images: Tensor, labels: Tensor) -> NDArray[np.float64]:
    gradients: NDArray[np.float64] = gradients_of(model, images, labels).double().numpy()
    return gradients


def _probed(setting: Setting, model: ThreeLayerCnn, channel: Fitted) -> tuple[float, float, float]:
    """Return what a noisy picture's update tells to first order, and the noise in it to first order and as drawn.

    Slopes are taken at a noisy picture: a plain one has equal pixels, where pooling jumps and has no slope.
    """
    capacities, linear, drawn = [], [], []
    for place in range(min(_PROBES, len(setting.victims))):
        image, label = setting.victims[place], setting.victim_labels[place : place + 1]
        generator = setting.stream(NOISE, place)
        slopes = jacobian(model, noisy(channel, image.unsqueeze(0), generator)[0], label)
        capacities.append(linear_capacity(slopes, setting.covariance, channel.noise))
        assert channel.factor.ndim == 1
        linear.append(float(((slopes * channel.factor) ** 2).mean(axis=0).sum()))
        clean = client_gradients(model, image.unsqueeze(0), label)
        many = noisy(channel, image.repeat(_DRAWS, 1, 1, 1), generator)
        sent = client_gradients(model, many, label.repeat(_DRAWS))
        drawn.append(float((sent - clean).double().square().mean()))
    return float(np.mean(capacities)), math.sqrt(np.mean(linear)), math.sqrt(np.mean(drawn))


def jacobian(model: ThreeLayerCnn, image: Tensor, label: Tensor) -> NDArray[np.float64]:
    """Return the slope of a picture's gradient by its pixels, shape (d, pixels), by central differences.

    ``model``: the server's; ``image``: shape (channels, size, size); ``label``: shape (1,).
    """
    exact, picture = copy.deepcopy(model).double(), image.double()
    seen = seen_by(model, image.unsqueeze(0)).expand(image.shape).reshape(-1)
    slopes = np.zeros((sum(values.numel() for values in model.parameters()), picture.numel()))
    for places in torch.nonzero(seen)[:, 0].split(_AT_A_TIME):  # type: ignore[no-untyped-call]
        moves = torch.zeros(len(places), picture.numel(), dtype=torch.float64)
        moves[torch.arange(len(places)), places] = _STEP
        moved = moves.reshape(-1, *picture.shape)
        ends = [client_gradients(exact, picture + shift, label.repeat(len(places))) for shift in (moved, -moved)]
        slopes[:, places.numpy()] = ((ends[0] - ends[1]) / (2.0 * _STEP)).T.numpy()
    return slopes
