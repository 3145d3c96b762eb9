"""The clients' network in several copies, for DP-SGD: the gradient of each record in each copy."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import conv2d, cross_entropy, linear, max_pool2d, unfold

from ldp_core.learning.network import FIRST, HIDDEN, SECOND, side_after_convolutions

_CONVOLUTIONS = ((8, 3), (4, 1))
"""Kernel and padding of each; strides of 2, each followed by pooling and ReLU. See ``models.ThreeLayerCnn``."""


def layer_sizes(channels: int, size: int, classes: int) -> list[tuple[int, int]]:
    """Return outputs and inputs of each layer, the bias not counted, as if each were a matrix.

    >>> layer_sizes(1, 28, 10)
    [(16, 64), (32, 256), (32, 32), (10, 32)]
    """
    flat = SECOND * side_after_convolutions(size) ** 2
    return [(FIRST, channels * 64), (SECOND, FIRST * 16), (HIDDEN, flat), (classes, HIDDEN)]


Rows = list[tuple[Tensor, Tensor]]
"""Gradients of one model's records: of each layer's weights (M, outputs, inputs) and biases (M, outputs)."""


@dataclass(frozen=True, slots=True, eq=False)
class CnnBackward:
    """Losses, shape (B, M), and the gradient of each record, from the gradients of each of the B models."""

    losses: Tensor
    models: list[Rows]

    def norms(self) -> Tensor:
        """Return the L2 norm of each record's gradient, shape (B, M)."""
        squared = [torch.stack([part.square().flatten(1).sum(1) for part in _parts(rows)]) for rows in self.models]
        return torch.stack([squares.sum(0) for squares in squared]).sqrt()

    def inner(self, other: CnnBackward) -> Tensor:
        """Return the inner products of gradients with another pass's, shape (B, M, others)."""
        products = []
        for rows, theirs in zip(self.models, other.models, strict=True):
            pairs = zip(_parts(rows), _parts(theirs), strict=True)
            products.append(torch.stack([left.flatten(1) @ right.flatten(1).mT for left, right in pairs]).sum(0))
        return torch.stack(products)

    def weighted(self, factors: Tensor) -> list[Tensor]:
        """Return the sum of gradients times factors of shape (B, M), one tensor a layer."""
        layers = []
        for together in zip(*self.models, strict=True):
            sums = []
            for (slopes, biases), factor in zip(together, factors, strict=True):
                total = (factor @ slopes.flatten(1)).view(slopes.shape[1:])
                sums.append(torch.cat([total, (factor @ biases).unsqueeze(1)], dim=1))
            layers.append(torch.stack(sums))
        return layers


def _parts(rows: Rows) -> list[Tensor]:
    return [part for layer in rows for part in layer]


def cnn_backward(weights: list[Tensor], inputs: Tensor, labels: Tensor, image: tuple[int, int]) -> CnnBackward:
    """Return losses and gradients, which can be differentiated by ``inputs`` if those ask for it.

    B models' weights have shapes (B, outputs, inputs + 1), the inputs (B, M, pixels + 1), the labels (B, M). ``image``
    is channels, and height and width.
    """
    losses, models = [], []
    for place in range(len(labels)):
        images = inputs[place, :, :-1].reshape(-1, image[0], image[1], image[1])
        loss, rows = _one_model([layer[place] for layer in weights], images, labels[place])
        losses.append(loss)
        models.append(rows)
    return CnnBackward(torch.stack(losses), models)


def _one_model(weights: list[Tensor], images: Tensor, labels: Tensor) -> tuple[Tensor, Rows]:
    """Return losses (M,) and gradients of one model."""
    varied = images.requires_grad
    outputs, saw = list[Tensor](), list[Tensor]()

    def kept(made: Tensor) -> Tensor:
        outputs.append(made if made.requires_grad else made.requires_grad_())
        return made

    values = images
    for layer, (kernel, padding) in zip(weights, _CONVOLUTIONS, strict=False):
        filters = layer[:, :-1].reshape(len(layer), values.shape[1], kernel, kernel)
        filters = filters.contiguous(memory_format=torch.channels_last)  # a third faster
        saw.append(unfold(values if varied else values.detach(), kernel, padding=padding, stride=2))
        values = max_pool2d(kept(conv2d(values, filters, layer[:, -1], stride=2, padding=padding)), 2).relu()
    values = values.flatten(1)
    for layer in weights[len(_CONVOLUTIONS) :]:
        saw.append((values if varied else values.detach()).unsqueeze(2))
        values = kept(linear(values, layer[:, :-1], layer[:, -1]))
        values = values if layer is weights[-1] else values.relu()
    losses = cross_entropy(values, labels, reduction="none")
    slopes = torch.autograd.grad(losses.sum(), outputs, create_graph=varied)
    rows = []
    for patches, slope in zip(saw, slopes, strict=True):
        slope = slope.flatten(2) if slope.dim() > 2 else slope.unsqueeze(2)
        rows.append((slope @ patches.mT, slope.sum(dim=2)))
    return losses if varied else losses.detach(), rows
