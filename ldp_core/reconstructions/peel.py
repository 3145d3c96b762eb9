"""One picture from one plain update, layer by layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ldp_core.reconstructions._parts import MODEL, PUBLIC, Effort, Knowledge, Rebuilt, Reconstruction, once, seen_by

if TYPE_CHECKING:
    from torch import Generator, Tensor, nn

    from ldp_core.learning.models import ThreeLayerCnn

Values = NDArray[np.float64]


class _Stage(NamedTuple):
    """How one stage of the last puzzle weighs what it knows, and how many steps it takes at most.

    ``sharp`` is of a cell's shares among its four places, in units of the largest value, infinite for the largest
    alone; ``gradient`` weighs the first layer's gradient beside its values, ``prior`` the covariance of public
    pictures.
    """

    sharp: float
    gradient: float
    prior: float
    steps: int


_STAGES = (
    _Stage(5.0, 0.03, 1e-4, 60), _Stage(10.0, 0.03, 1e-4, 60), _Stage(20.0, 0.03, 1e-5, 60),
    _Stage(50.0, 0.03, 1e-6, 60), _Stage(100.0, 0.03, 1e-6, 60), _Stage(math.inf, 0.0, 1e-7, 200),
)  # fmt: skip
"""Found by trial on ten MNIST pictures, with the network as it is before training and after little."""
_NOTHING = 1e-12
"""Length below which an update says nothing, and the mean picture is what remains."""
_REACH = 5
"""Cells in a row of the pooled first layer that reach the second convolution's pooling, which drops the rest."""


class Peel(Reconstruction):
    """Divides weight gradients by bias gradients, layer by layer, and solves the first layer by least squares.

    The label is the negative number of the last biases' gradient. A linear layer's input is its weights' gradient over
    its biases'. On 28 x 28 pixels the second convolution is pooled to one place, so the same division gives the patch
    that each of its channels looked at. The first convolution's output is then known under its pooling: which of four
    places was the largest is found by turns with the picture, more and more sharply, with the covariance of public
    pictures for what remains open. Shortening an update (clipping) changes none of it.

    Source: derived here; the division by the bias gradient is Phong et al. 2018, IEEE TIFS 13(5), Sect. III.
    """

    name: ClassVar[str] = "peel"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PUBLIC)
    sees: ClassVar[str] = "update"

    def objection(self, channels: int, size: int, protection: str) -> str:
        """Return why the layers cannot be taken apart."""
        if size != 28:
            return (
                "peel takes pictures of 28 x 28 pixels: on larger ones the second convolution is pooled to several "
                "places, and its gradient mixes what they saw"
            )
        if protection not in ("none", "clip"):
            return f"peel takes a plain or clipped update, whose numbers are exact, got protection {protection}"
        return ""

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        return 1e4 * len(effort.reports) * effort.dimension

    def rebuild(self, knowledge: Knowledge, updates: Tensor, noise: float, batch: int, generator: Generator) -> Rebuilt:
        """Peel updates one after the other; see ``UpdateAttack.rebuild``."""
        import torch

        start = _started(knowledge)
        peeled = [_peel(knowledge.model, update.double(), start) for update in updates]
        images = knowledge.images.mean(dim=0).flatten().repeat(len(peeled), 1)
        images[:, torch.from_numpy(start.places)] = torch.from_numpy(
            np.stack([pixels for pixels, *_ in peeled])
        ).float()
        labels = torch.tensor([[label] for _, label, _ in peeled])
        scales = torch.tensor([scale for *_, scale in peeled], dtype=torch.float64)
        return Rebuilt(images.reshape(len(peeled), 1, *knowledge.images.shape[1:]), labels, scales=scales)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class _Start:
    """What public pictures say before: which pixels count, their law, and a first guess from the first layer.

    ``places`` are the pixels that the network sees, shape (p,); ``windows`` which of them each filter looks at, counted
    from 1, 0 for none, shape (cells, 4, values of a filter); ``mean`` and ``precision`` (in units of the mean variance)
    the law of public pictures there; ``usual`` the mean of the first layer's output after pooling, shape (maps, cells);
    ``guess`` a linear map from what exceeds it to pixels, shape (maps * cells, p).
    """

    places: NDArray[np.int64]
    windows: NDArray[np.int64]
    mean: Values
    precision: Values
    usual: Values
    guess: Values

    @classmethod
    def of(cls, knowledge: Knowledge) -> _Start:
        import torch
        from torch import nn
        from torch.nn.functional import max_pool2d, unfold

        model, images = knowledge.model, knowledge.images
        layer = model.layers[0]
        assert isinstance(layer, nn.Conv2d)
        channels, size = images.shape[1:3]
        seen = seen_by(model, images[:1]).expand(channels, -1, -1).reshape(-1)
        places = torch.nonzero(seen)[:, 0]
        number = torch.zeros(seen.shape, dtype=torch.float32)
        number[places] = torch.arange(1.0, len(places) + 1.0)
        padding = tuple(int(edge) for edge in layer.padding)
        windows = unfold(
            number.reshape(1, channels, size, size), layer.kernel_size, padding=padding, stride=layer.stride
        )
        side = size // 4
        cells = windows[0].mT.long().reshape(side, 2, side, 2, -1).permute(0, 2, 1, 3, 4).flatten(2, 3)
        cells = cells.reshape(side, side, 4, -1)[:_REACH, :_REACH].flatten(0, 1)
        flat = images.flatten(1)[:, places].double()
        mean = flat.mean(dim=0)
        rest = flat - mean
        covariance = rest.mT @ rest / len(flat)
        level = covariance.diagonal().mean().clamp_min(1e-12)
        unit = torch.eye(len(places), dtype=torch.float64)
        precision = torch.linalg.inv(covariance + 1e-3 * level * unit) * level
        with torch.no_grad():
            outputs = max_pool2d(layer(images), 2).clamp_min(0.0)[:, :, :_REACH, :_REACH].flatten(1).double()
        usual = outputs.mean(dim=0)
        outputs -= usual
        gram = outputs.mT @ outputs / len(outputs)
        ridge = 1e-3 * gram.diagonal().mean().clamp_min(1e-12)
        guess = torch.linalg.solve(
            gram + ridge * torch.eye(len(gram), dtype=torch.float64), outputs.mT @ rest / len(rest)
        )
        return cls(
            places.numpy(), cells.numpy(), mean.numpy(), precision.numpy(),
            usual.reshape(layer.out_channels, -1).numpy(), guess.numpy(),
        )  # fmt: skip


_started = once(_Start.of)


def _peel(model: ThreeLayerCnn, update: Tensor, start: _Start) -> tuple[Values, int, float]:
    """Return the pixels that the network sees, the label and the factor by which the update was shortened."""
    import torch
    from torch import nn

    if float(update.norm()) < _NOTHING:
        return start.mean, int(update[-len(model.layers[-1].bias) :].argmin()), math.nan  # type: ignore[arg-type]
    layers = [layer for layer in model.layers if isinstance(layer, nn.Conv2d | nn.Linear)]
    parts = torch.split(update, [values.numel() for values in model.parameters()])
    slopes = [
        (parts[2 * place].reshape(layer.weight.shape), parts[2 * place + 1]) for place, layer in enumerate(layers)
    ]
    weights = [(layer.weight.detach().double(), _bias(layer)) for layer in layers]
    (last_slope, last_bias), label = slopes[3], int(slopes[3][1].argmin())

    hidden = last_slope[label] / last_bias[label]
    chances = (weights[3][0] @ hidden + weights[3][1]).softmax(dim=0)
    wrong = chances.clone()
    wrong[label] -= 1.0
    scale = float(last_bias @ wrong / wrong.square().sum())
    hidden_slope = scale * (weights[3][0].mT @ wrong) * (hidden > 1e-9)
    bias = slopes[2][1]
    flat = (bias @ slopes[2][0]) / bias.square().sum().clamp_min(1e-300)
    seconds = (weights[2][0].mT @ hidden_slope) * (flat > 1e-9)
    first = _first_layer(slopes[1], weights[1], seconds)
    return _solve(weights[0], slopes[0], first, start), label, scale


def _bias(layer: nn.Conv2d | nn.Linear) -> Tensor:
    assert layer.bias is not None
    return layer.bias.detach().double()


def _first_layer(
    slope: tuple[Tensor, Tensor], weights: tuple[Tensor, Tensor], seconds: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the first layer's output, shape (16, 7, 7), where it is known, and the loss's slope by it."""
    import torch

    places = ((0, 0), (0, 2), (2, 0), (2, 2))
    active = [int(unit) for unit in torch.nonzero(slope[1].abs() > 1e-9 * slope[1].abs().max().clamp_min(1e-300))[:, 0]]
    patches = {unit: slope[0][unit] / slope[1][unit] for unit in active}
    groups: list[list[int]] = []
    for unit in active:
        for group in groups:
            if (patches[unit] - patches[group[0]]).abs().max() < 1e-3 * patches[unit].abs().max().clamp_min(1e-12):
                group.append(unit)
                break
        else:
            groups.append([unit])
    groups = sorted(groups, key=lambda group: -sum(abs(float(slope[1][unit])) for unit in group))[:4]
    means = []
    for group in groups:
        shares = slope[1][group].abs()
        stacked = torch.stack([patches[unit] for unit in group])
        means.append((shares[:, None, None, None] * stacked).sum(dim=0) / shares.sum())

    def laid(order: Sequence[int], parts: Sequence[Tensor]) -> Tensor:
        """Return the sum of parts of 4 x 4 at their places of a board."""
        board = torch.zeros(slope[0].shape[1], 9, 9, dtype=torch.float64)
        for (row, column), part in zip((places[place] for place in order), parts, strict=True):
            board[:, row : row + 4, column : column + 4] += part
        return board

    best, chosen, covers = math.inf, tuple(range(len(groups))), [torch.ones_like(patch) for patch in means]
    for order in permutations(range(4), len(groups)):
        total, square = laid(order, means), laid(order, [patch**2 for patch in means])
        disagree = (square - total**2 / laid(order, covers).clamp_min(1.0)).sum()
        edge = square[:, 0].sum() + square[:, :, 0].sum()
        if float(disagree + edge) < best:
            best, chosen = float(disagree + edge), order
    count = laid(chosen, covers)
    pushes = [torch.zeros_like(means[0]) + sum(seconds[unit] * weights[0][unit] for unit in group) for group in groups]
    slopes = laid(chosen, pushes)
    values = laid(chosen, means) / count.clamp_min(1.0)
    inside = slice(1, 8)
    values, slopes = values[:, inside, inside].clamp_min(0.0), slopes[:, inside, inside]
    return values, count[:, inside, inside] > 0.0, slopes * (values > 1e-9)


def _solve(
    weights: tuple[Tensor, Tensor], slope: tuple[Tensor, Tensor], first: tuple[Tensor, Tensor, Tensor], start: _Start
) -> Values:
    """Return the pixels in [0, 1], shape (p,), whose first layer gives these values and this gradient."""
    from scipy.optimize import Bounds, minimize

    filters, biases = weights[0].flatten(1).numpy(), weights[1].numpy()
    wanted, known, push = (part[:, :_REACH, :_REACH].flatten(1).numpy() for part in first)
    sent = slope[0].flatten(1).numpy()
    unit = max(float(wanted.max()), 1e-12)
    puzzle = _Puzzle(filters / unit, biases / unit, wanted / unit, known, push, sent, start)
    pixels = start.mean + (np.where(known, wanted, start.usual) - start.usual).reshape(-1) @ start.guess
    pixels = pixels.clip(0.0, 1.0)
    for stage in _STAGES:
        pixels = minimize(
            puzzle.loss_and_slope, pixels, (stage,), jac=True, method="L-BFGS-B", bounds=Bounds(0.0, 1.0),
            options={"maxiter": stage.steps, "maxfun": 2 * stage.steps},
        ).x  # fmt: skip
    return np.asarray(pixels, dtype=np.float64)


class _Puzzle:
    """How badly pixels explain the first layer's values after pooling, and its gradient, in units of the largest value.

    Which of its four places a cell took is unknown: each place has a share by its output, sharper from stage to stage.
    """

    def __init__(
        self, filters: Values, biases: Values, wanted: Values, known: Values, push: Values, sent: Values, start: _Start
    ) -> None:
        self.filters, self.biases, self.wanted, self.known, self.start = filters, biases, wanted, known, start
        strength = np.maximum(np.sqrt((push**2).sum(axis=1, keepdims=True)), 1e-300)
        self.push, self.sent = push / strength, sent / strength
        self.windows = start.windows.reshape(-1, start.windows.shape[2])

    def loss_and_slope(self, pixels: Values, stage: _Stage) -> tuple[float, Values]:
        """Return the loss and its slope by the pixels, the shares held."""
        looked = np.concatenate(([0.0], pixels))[self.windows]  # (cells * 4, values of a filter)
        outputs = (self.filters @ looked.T + self.biases[:, None]).reshape(*self.wanted.shape, 4)
        if math.isinf(stage.sharp):
            shares = (np.arange(4) == outputs.argmax(axis=2)[..., None]).astype(np.float64)
        else:
            shares = np.exp(stage.sharp * (outputs - outputs.max(axis=2, keepdims=True)))
            shares /= shares.sum(axis=2, keepdims=True)
        pooled = (shares * outputs).sum(axis=2)
        missed = np.where(self.known, np.maximum(pooled, 0.0) - self.wanted, 0.0)
        over = np.where(self.known[..., None], np.maximum(outputs - self.wanted[..., None], 0.0), 0.0)
        loss = float((missed**2).sum() + (over**2).sum())
        by_outputs = 2.0 * (np.where(pooled > 0.0, missed, 0.0)[..., None] * shares + over).reshape(len(outputs), -1)
        by_looked = by_outputs.T @ self.filters
        if stage.gradient:
            turned = (self.push[..., None] * shares).reshape(len(outputs), -1)
            apart = turned @ looked - self.sent
            loss += stage.gradient * float((apart**2).sum())
            by_looked += 2.0 * stage.gradient * (turned.T @ apart)
        size = len(pixels)
        slope = np.asarray(np.bincount(self.windows.reshape(-1), by_looked.reshape(-1), size + 1)[1:], dtype=np.float64)
        if stage.prior:
            rest = pixels - self.start.mean
            pulled = self.start.precision @ rest
            loss += stage.prior * float(rest @ pulled)
            slope += 2.0 * stage.prior * pulled
        return loss, slope
