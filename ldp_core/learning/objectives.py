"""The value of a pair's two functions at many models at once."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, pad

from ldp_core.errors import UnsupportedCombinationError
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.private import Objective


def objective_values(objective: Objective, model: nn.Module, parameters: Tensor) -> Tensor:
    """Evaluate one function at n models.

    Args:
        objective: the function.
        model: gives the architecture; its own parameters are not used.
        parameters: n flat parameter vectors, shape (n, d).

    Returns:
        Shape (n,). No loop over the models: the image is the same for all, so the first layer is one matrix
        product over all their weights.

    Raises:
        UnsupportedCombinationError: if the model is not our convolutional network.
    """
    if objective.slope is not None:
        return objective.sign * (parameters @ objective.slope)
    assert objective.image is not None
    if objective.offset is not None:
        parameters = parameters + objective.offset
    scores = logits_of_many(model, parameters, objective.image)
    labels = torch.full((len(parameters),), objective.label, device=parameters.device)
    losses: Tensor = cross_entropy(scores, labels, reduction="none")
    return objective.sign * losses


def logits_of_many(model: nn.Module, parameters: Tensor, image: Tensor) -> Tensor:
    """Return the logits, shape (n, classes), of one image under n models of shape (n, d) in all."""
    if not isinstance(model, ThreeLayerCnn):
        raise UnsupportedCombinationError(
            f"the black-box test needs the three-layer network, got a {type(model).__name__}"
        )
    values, start = image.unsqueeze(0), 0  # the leading 1 becomes n at the first layer that has parameters
    for layer in model.layers:
        if isinstance(layer, nn.Conv2d | nn.Linear):
            stop = start + layer.weight.numel()
            weight = parameters[:, start:stop].reshape(len(parameters), len(layer.weight), -1)
            start = stop + len(weight[0])
            values = _apply(layer, values, weight, parameters[:, stop:start])
        elif isinstance(layer, nn.MaxPool2d):
            values = _pooled(values)
        elif isinstance(layer, nn.ReLU):
            values = values.relu_() if len(values) > 1 else values.relu()
        else:
            values = layer(values)
    return values


def _pooled(values: Tensor) -> Tensor:
    """Return the largest of each 2 x 2 square, as ``MaxPool2d(2)`` does in nine times the time."""
    height, width = (size // 2 * 2 for size in values.shape[-2:])
    rows = torch.maximum(values[..., 0:height:2, :width], values[..., 1:height:2, :width])
    return torch.maximum(rows[..., 0::2], rows[..., 1::2])


def _apply(layer: nn.Conv2d | nn.Linear, values: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Apply one layer with weights of shape (n, out, fan_in) and biases (n, out) to one or to n inputs."""
    if isinstance(layer, nn.Linear):
        return torch.baddbmm(bias.unsqueeze(2), weight, values.expand(len(weight), -1).unsqueeze(2)).squeeze(2)
    patches, height, width = _patches(layer, values)
    if len(patches) == 1:
        flat = weight.reshape(-1, weight.shape[2]) @ patches[0]
        outputs = flat.reshape(*weight.shape[:2], -1).add_(bias.unsqueeze(2))
    else:
        outputs = torch.baddbmm(bias.unsqueeze(2), weight, patches)
    return outputs.reshape(*outputs.shape[:2], height, width)


def _patches(layer: nn.Conv2d, values: Tensor) -> tuple[Tensor, int, int]:
    """Return what the kernel meets at each place, shape (n, fan_in, height * width), and the height and width.

    As torch's ``unfold``, which on a card starts one kernel for each of the n.
    """
    (rows, columns), (down, right) = layer.kernel_size, layer.stride
    above, beside = (int(edge) for edge in layer.padding)
    windows = pad(values, (beside, beside, above, above)).unfold(2, rows, down).unfold(3, columns, right)
    count, channels, height, width = windows.shape[:4]
    patches = windows.permute(0, 1, 4, 5, 2, 3).reshape(count, channels * rows * columns, height * width)
    return patches, height, width
