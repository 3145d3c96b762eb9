"""Inversion of a gradient, or of an update of several local steps, by optimizing pictures until they send it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ldp_core.reconstructions._parts import (
    LOCAL_STEPS,
    MODEL,
    PUBLIC,
    Effort,
    Knowledge,
    Rebuilt,
    Reconstruction,
    once,
    seen_by,
)  # fmt: skip
from ldp_core.reconstructions.linear import LinearMap, fitted

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.models import ThreeLayerCnn

_PUBLIC = 1_000
_EXACT, _CLEAR = 1e-4, 0.25


def labels_of(knowledge: Knowledge, updates: Tensor, noise: float, batch: int) -> Tensor:
    """Return the labels behind updates of shape (m, d), shape (m, batch), those of a batch rising.

    The gradient of the last biases is probability minus truth, and sums to zero: where it does, nothing was added, and
    it alone says the labels, and those of several pictures also where the noise is small beside it. Else one picture's
    label is the one that ``linear`` finds, and those of several come from the whole update. ``noise`` is the variance
    of each number.
    """
    import torch

    biases = updates[:, -knowledge.num_classes :]
    lengths = biases.norm(dim=1)
    alone = biases.sum(dim=1).abs() <= _EXACT * lengths
    if noise and batch > 1:
        alone |= (noise * knowledge.num_classes) ** 0.5 <= _CLEAR * lengths
    read = by_biases(biases, batch)
    if alone.logical_and_(lengths > 0.0).all():
        return read
    by_all = _by_all(knowledge, updates, noise, batch) if batch > 1 else fitted(knowledge).labels(updates, noise)
    return torch.where(alone.unsqueeze(1), read, by_all.reshape(-1, batch))


@once
def _counting(knowledge: Knowledge) -> LinearMap:
    """Return a linear estimate of how many of each label there are."""
    from torch.nn.functional import one_hot

    truth = one_hot(knowledge.labels[:_PUBLIC], knowledge.num_classes).float()
    return LinearMap(truth, knowledge.gradients[:_PUBLIC])


def _by_all(knowledge: Knowledge, updates: Tensor, noise: float, batch: int) -> Tensor:
    """Return the labels of batches, rising, by the best linear estimate of how many of each there are."""
    import torch
    from torch.nn.functional import one_hot

    left, labels = batch * _counting(knowledge).estimate(updates, batch * noise), []
    for _ in range(batch):
        labels.append(left.argmax(dim=1))
        left -= one_hot(labels[-1], knowledge.num_classes)
    return torch.stack(labels, dim=1).sort(dim=1).values


def by_biases(biases: Tensor, batch: int) -> Tensor:
    """Return the labels behind updates, shape (m, batch), rising, from the last biases' gradients, shape (m, classes).

    Source: Zhao et al. 2020, arXiv:2001.02610, for one picture; Wainakh et al. 2022, arXiv:2105.09369, for several.
    """
    import torch

    if batch == 1:
        return biases.argmin(dim=1, keepdim=True)
    rows = []
    for values in biases.clone():
        impact = values.clamp_max(0.0).sum() * (1.0 + 1.0 / len(values)) / batch
        labels = torch.nonzero(values < 0.0)[:, 0].tolist()[:batch]
        values[labels] -= impact
        while len(labels) < batch:
            labels.append(int(values.argmin()))
            values[labels[-1]] -= impact
        rows.append(sorted(labels))
    return torch.tensor(rows)


RATE, VARIATION = 0.1, 1e-2
_AT_ONCE = 6_400
"""Pictures times local steps whose graph is kept at once, about 0.6 GB: the largest batch with the most steps."""


class Inversion(Reconstruction):
    """Looks for pictures whose update points where the one seen does, and which are smooth.

    Where a client takes several local steps, it takes the same steps on its own pictures and descends through all of
    them. So it must know their number, their learning rate, and that each is on the whole batch; in any case it knows
    the model, how many pictures are behind the update, and public ones, with which it reads labels. Of the restarts
    from random pictures, which move together as far as memory allows, the one that fits best is kept. ``optimizer`` is
    "adam" (its signs, as in the source) or "lbfgs". It is a weak attacker where there is noise: that it fails shows
    nothing.

    Source: Geiping et al. 2020, arXiv:2003.14053: 1 - cosine + total variation, signed Adam with a rate that falls
        by 10 after 3/8, 5/8 and 7/8 of the steps; Sect. 6 for updates of several local steps. Labels: ``labels_of``.
    """

    name: ClassVar[str] = "inversion"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PUBLIC, LOCAL_STEPS)
    sees: ClassVar[str] = "update"
    batch: ClassVar[bool] = True

    def __init__(
        self, steps: int = 300, restarts: int = 8, optimizer: str = "adam", local_steps: int = 1,
        local_rate: float = 0.1,
    ) -> None:  # fmt: skip
        self.steps, self.restarts, self.optimizer = steps, restarts, optimizer
        self.local_steps, self.local_rate = local_steps, local_rate

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        cost = effort.restarts * 160.0 if effort.optimizer == "lbfgs" else 40.0 + 5.0 * effort.restarts
        return cost * len(effort.reports) * effort.steps * effort.local_steps * effort.batch * effort.dimension

    def rebuild(self, knowledge: Knowledge, updates: Tensor, noise: float, batch: int, generator: Generator) -> Rebuilt:
        """Invert updates one after the other; see ``UpdateAttack.rebuild``."""
        import torch

        shape, model = knowledge.images.shape[1:], knowledge.model
        pictures = []
        named = labels_of(knowledge, updates, noise, batch)
        seen = seen_by(model, knowledge.images[:1])
        for update, labels in zip(updates, named, strict=True):
            start = torch.rand(self.restarts * batch, *shape, generator=generator)
            move = self._by_lbfgs if self.optimizer == "lbfgs" else self._by_signs
            images, losses = move(model, start, labels, update)
            best = images.reshape(self.restarts, batch, *shape)[int(losses.argmin())]
            shade = best[..., seen].median(dim=-1, keepdim=True).values.unsqueeze(-1)
            pictures.append(torch.where(seen, best, shade))  # what the network never sees is one shade
        return Rebuilt(torch.stack(pictures), named)

    def _by_signs(self, model: ThreeLayerCnn, start: Tensor, labels: Tensor, update: Tensor) -> tuple[Tensor, Tensor]:
        import torch

        images = start.clone()
        mean = torch.zeros_like(images)  # its sign is Adam's: the second moment changes the length alone
        for step in range(self.steps):
            _, slope = self._loss_and_slope(model, images, labels, update)
            mean.lerp_(slope, 0.1)
            rate = RATE * 0.1 ** sum(step >= part * self.steps / 8 for part in (3, 5, 7))
            images = (images - rate * mean.sign()).clamp_(0.0, 1.0)
        losses, _ = self._loss_and_slope(model, images, labels, update)
        return images, losses

    def _by_lbfgs(self, model: ThreeLayerCnn, start: Tensor, labels: Tensor, update: Tensor) -> tuple[Tensor, Tensor]:
        import numpy as np
        import torch
        from scipy.optimize import Bounds, minimize

        pictures, losses = [], []
        for begun in start.split(len(labels)):  # type: ignore[no-untyped-call]

            def value(flat: np.ndarray, shape: torch.Size = begun.shape) -> tuple[float, np.ndarray]:
                images = torch.from_numpy(flat).float().reshape(shape)
                loss, slope = self._loss_and_slope(model, images, labels, update)
                return float(loss[0]), slope.double().flatten().numpy()

            bounds = Bounds(0.0, 1.0)
            options = {"maxiter": self.steps}
            flat = begun.flatten().double().numpy()
            best = minimize(value, flat, jac=True, method="L-BFGS-B", bounds=bounds, options=options)  # type: ignore[call-overload]
            pictures.append(torch.from_numpy(best.x).float().reshape(begun.shape))
            losses.append(float(best.fun))
        return torch.cat(pictures), torch.tensor(losses)

    def _loss_and_slope(
        self, model: ThreeLayerCnn, images: Tensor, labels: Tensor, update: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what ``loss_and_slope`` does, as many restarts at a time as memory holds."""
        import torch

        batch, local = len(labels), (self.local_steps, self.local_rate)
        few = max(1, _AT_ONCE // (self.local_steps * batch)) * batch
        parts = [
            loss_and_slope(model, some, labels, update, len(some) // batch, *local) for some in torch.split(images, few)
        ]
        losses, slopes = zip(*parts, strict=True)
        return torch.cat(losses), torch.cat(slopes)


def loss_and_slope(
    model: ThreeLayerCnn,
    images: Tensor,
    labels: Tensor,
    update: Tensor,
    restarts: int,
    local_steps: int = 1,
    local_rate: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """Return how badly pictures explain an update, shape (restarts,), and slopes in the images' shape.

    The images have shape (restarts * b, channels, size, size), the labels of one batch (b,); the client's
    ``local_steps`` are each on its whole batch.
    """
    import torch

    from ldp_core.learning.gradients import local_updates

    varied = images.detach().requires_grad_()
    sent = local_updates(model, varied, labels.expand(restarts, -1), local_steps, local_rate, differentiable=True)
    fits = (sent @ update) / (sent.norm(dim=1) * update.norm()).clamp_min(1e-12)
    rough = (varied[..., 1:, :] - varied[..., :-1, :]).abs().mean(dim=(1, 2, 3))
    rough = rough + (varied[..., 1:] - varied[..., :-1]).abs().mean(dim=(1, 2, 3))
    losses = 1.0 - fits + VARIATION * rough.reshape(restarts, -1).mean(dim=1)
    (slope,) = torch.autograd.grad(losses.sum(), [varied])
    return losses.detach(), slope
