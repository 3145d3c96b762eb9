"""The labels behind an update."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ldp_core.reconstructions.linear import LinearMap, fitted

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.reconstructions._parts import Knowledge

_PUBLIC = 1_000
_EXACT, _CLEAR = 1e-4, 0.25
_MAPS: WeakKeyDictionary[Knowledge, LinearMap] = WeakKeyDictionary()


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


def _by_all(knowledge: Knowledge, updates: Tensor, noise: float, batch: int) -> Tensor:
    """Return the labels of batches, rising, by the best linear estimate of how many of each there are."""
    import torch
    from torch.nn.functional import one_hot

    if knowledge not in _MAPS:
        some = slice(_PUBLIC)
        truth = one_hot(knowledge.labels[some], knowledge.num_classes).float()
        _MAPS[knowledge] = LinearMap(truth, knowledge.gradients[some])
    left, labels = batch * _MAPS[knowledge].estimate(updates, batch * noise), []
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
