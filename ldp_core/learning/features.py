"""What a network with frozen weights makes of images: trained on public pictures only, and then not changed."""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from ldp_core.learning.models import ThreeLayerCnn, optimizer_for, train_pass

_BATCHES = 300
_AT_A_TIME = 1_000


class FrozenFeatures:
    """The 32 hidden units of the clients' network, trained on public pictures and scaled so that these reach 1."""

    def __init__(self, images: Tensor, labels: Tensor, classes: int, generator: Generator) -> None:
        model = ThreeLayerCnn(images.shape[1], images.shape[2], classes, generator)
        optimizer = optimizer_for(model)
        for _ in range(max(1, round(_BATCHES / -(-len(images) // 64)))):
            train_pass(model, optimizer, images, labels, generator)
        self._layers = model.layers[:-1]
        self._most = self._hidden(images).max().clamp_min(1e-6)

    def of(self, images: Tensor) -> Tensor:
        """Return features in [0, 1], shape (n, 32)."""
        return (self._hidden(images) / self._most).clamp(0.0, 1.0)

    def _hidden(self, images: Tensor) -> Tensor:
        with torch.no_grad():
            return torch.cat([self._layers(some) for some in torch.split(images, _AT_A_TIME)])
