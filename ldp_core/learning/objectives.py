"""The value of a pair's two functions at many models at once."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, pad

from ldp_core.errors import UnsupportedCombinationError
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.private import Objective


def objective_values(objectives: Sequence[Objective], model: nn.Module, parameters: Tensor) -> list[Tensor]:
    """Return the values of functions at n models, one of shape (n,) for each function.

    ``model`` gives the architecture, ``parameters`` the n flat parameter vectors, shape (n, d). No loop over the
    models: the images are the same for all, so the first layer is one matrix product over all their weights.
    Raises ``UnsupportedCombinationError`` if the model is not our convolutional network.
    """
    values = {
        number: objective.sign * (parameters @ objective.slope)
        for number, objective in enumerate(objectives)
        if objective.slope is not None
    }
    places: dict[int, list[int]] = {}
    for number, objective in enumerate(objectives):
        if objective.slope is None:
            places.setdefault(id(objective.offset), []).append(number)
    for numbers in places.values():
        of_images, offset = [objectives[number] for number in numbers], objectives[numbers[0]].offset
        images = torch.stack([cast(Tensor, objective.image) for objective in of_images])
        scores = logits_of_many(model, parameters if offset is None else parameters + offset, images)
        for number, objective, logits in zip(numbers, of_images, scores.unbind(dim=2), strict=True):
            labels = torch.full((len(parameters),), objective.label, device=parameters.device)
            values[number] = objective.sign * cross_entropy(logits, labels, reduction="none")
    return [values[number] for number in range(len(objectives))]


def logits_of_many(model: nn.Module, parameters: Tensor, images: Tensor) -> Tensor:
    """Return the logits, shape (n, classes, m), of m images under n models of shape (n, d) in all."""
    if not isinstance(model, ThreeLayerCnn):
        raise UnsupportedCombinationError(
            f"the black-box test needs the three-layer network, got a {type(model).__name__}"
        )
    values, start = images.transpose(0, 1).unsqueeze(0), 0  # (1, channels, m, height, width), the same for all models
    for layer in model.layers:
        if isinstance(layer, nn.Conv2d | nn.Linear):
            stop = start + layer.weight.numel()
            weight = parameters[:, start:stop].reshape(len(parameters), len(layer.weight), -1)
            start = stop + len(weight[0])
            values = _apply(layer, values, weight, parameters[:, stop:start].unsqueeze(2))
        elif isinstance(layer, nn.MaxPool2d):
            values = _pooled(values)
        elif isinstance(layer, nn.ReLU):
            values = values.relu_()
        else:
            values = values.permute(0, 1, 3, 4, 2).reshape(len(values), -1, len(images))
    return values


def _pooled(values: Tensor) -> Tensor:
    """Return the largest of each 2 x 2 square, as ``MaxPool2d(2)`` does in nine times the time."""
    height, width = (size // 2 * 2 for size in values.shape[-2:])
    rows = torch.maximum(values[..., 0:height:2, :width], values[..., 1:height:2, :width])
    return torch.maximum(rows[..., 0::2], rows[..., 1::2])


def _apply(layer: nn.Conv2d | nn.Linear, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Apply one layer with weights of shape (n, out, fan_in) and biases (n, out, 1) to values of one or n models."""
    if isinstance(layer, nn.Linear):
        return torch.baddbmm(bias, weight, values)
    patches, places = _patches(layer, values)
    if len(patches) == 1:
        flat = weight.reshape(-1, weight.shape[2]) @ patches[0]
        outputs = flat.reshape(*weight.shape[:2], -1).add_(bias)
    else:
        outputs = torch.baddbmm(bias, weight, patches)
    return outputs.reshape(*outputs.shape[:2], *places)


def _patches(layer: nn.Conv2d, values: Tensor) -> tuple[Tensor, Sequence[int]]:
    """Return torch's ``unfold``, shape (n, fan_in, m * height * width), and m, height and width.

    On a card it is one kernel, where torch starts one for each of the n.
    """
    above, beside = (int(edge) for edge in layer.padding)
    padded = pad(values, (beside, beside, above, above))
    met, places = _met(padded.shape[1:], layer.kernel_size, layer.stride, values.device)
    return padded.flatten(1).index_select(1, met).reshape(len(values), -1, math.prod(places)), places


@lru_cache(maxsize=16)
def _met(
    shape: Sequence[int], kernel: tuple[int, ...], stride: tuple[int, ...], device: torch.device
) -> tuple[Tensor, Sequence[int]]:
    """Return where a kernel's values lie in an input of shape (channels, m, height, width), and its output's shape.

    To copy the windows of each model by themselves takes seven times as long as to take what lies at known places.
    """
    number = torch.arange(math.prod(shape), device=device).reshape(shape)
    windows = number.unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1])
    return windows.permute(0, 4, 5, 1, 2, 3).reshape(-1), windows.shape[1:4]
