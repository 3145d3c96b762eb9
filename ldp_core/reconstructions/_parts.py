"""What attackers have in common: what they know, what they see, what they give back, and how pictures are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.models import ThreeLayerCnn

_Made = TypeVar("_Made")
PUBLIC, MODEL, LABELS, CANDIDATES, LOCAL_STEPS = "public", "model", "labels", "candidates", "local_steps"


@dataclass(frozen=True, slots=True, repr=False, eq=False, weakref_slot=True)
class Knowledge:
    """What an attacker knows before anything is sent.

    ``model`` is the one that the server sent; ``images`` public pictures of the same kind,
    shape (p, channels, size, size), in [0, 1], with their ``labels``, shape (p,); ``gradients`` what each of them would
    send without noise, shape (p, d).
    """

    model: ThreeLayerCnn
    images: Tensor
    labels: Tensor
    gradients: Tensor
    num_classes: int

    def class_means(self) -> Tensor:
        """Return the mean picture of each class, the mean of all where it has none; shape (classes, ...)."""
        import torch

        means = [self.images[self.labels == label] for label in range(self.num_classes)]
        return torch.stack([(pictures if len(pictures) else self.images).mean(dim=0) for pictures in means])


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rebuilt:
    """What an attacker says of m updates.

    Args:
        images: shape (m, b, channels, size, size), in [0, 1].
        labels: shape (m, b).
        sureness: the attacker's own probability of the first label, shape (m,); None where it states none.
        scales: factor by which the update was shortened, as found, shape (m,); None where it is not found.
    """

    images: Tensor
    labels: Tensor
    sureness: Tensor | None = None
    scales: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Effort:
    """How much one picture asks of an attacker.

    ``reports`` are numbers n of reports, rising; ``candidates`` pictures N among which one is named; ``batch`` pictures
    behind one update; ``steps``, ``restarts`` and ``optimizer`` (adam or lbfgs) are of an attacker that optimizes;
    ``local_steps`` those that the client takes; ``turned`` says that the protection's reports are drawn without
    building each.
    """

    dimension: int
    reports: tuple[int, ...]
    candidates: int
    batch: int
    steps: int
    restarts: int
    optimizer: str
    local_steps: int
    turned: bool


def once(make: Callable[[Knowledge], _Made]) -> Callable[[Knowledge], _Made]:
    """Return a function of what is known that makes something once, and keeps it as long as that."""
    kept: WeakKeyDictionary[Knowledge, _Made] = WeakKeyDictionary()

    def made(knowledge: Knowledge) -> _Made:
        if knowledge not in kept:
            kept[knowledge] = make(knowledge)
        return kept[knowledge]

    return made


class Reconstruction(Protocol):
    """An attacker: who rebuilds pictures from what is sent."""

    name: ClassVar[str]
    knows: ClassVar[tuple[str, ...]]
    """What it must know beside what is sent: of ``PUBLIC`` pictures, ``MODEL``, ``LABELS``, ``CANDIDATES``,
    and where the client takes several, of its ``LOCAL_STEPS`` the number and the learning rate."""
    sees: ClassVar[str]
    """What it looks at: "update" (or the mean of reports), "reports" (each single one), or "model" (no update)."""
    batch: ClassVar[bool] = False
    """Whether it takes the update of several pictures apart."""

    def objection(self, channels: int, size: int, protection: str) -> str:
        """Return why it means nothing here, in a sentence; "" where it does."""
        return ""

    def values(self, effort: Effort) -> float:
        """Return as how many random values one picture counts, beside what is drawn for its reports; measured."""
        ...


class UpdateAttack(Reconstruction, Protocol):
    """One that looks at updates."""

    def rebuild(self, knowledge: Knowledge, updates: Tensor, noise: float, batch: int, generator: Generator) -> Rebuilt:
        """Rebuild the ``batch`` pictures behind each of m updates.

        The updates, shape (m, d), are unbiased for the mean gradient of the batch, perhaps shortened; ``noise`` is the
        variance of each number in them, >= 0.
        """
        ...


def mse(first: Tensor, second: Tensor) -> Tensor:
    """Return the mean squared difference of pictures, shape (..., channels, size, size) -> (...)."""
    return (first - second).square().mean(dim=(-3, -2, -1))


def cosine(first: Tensor, second: Tensor) -> Tensor:
    """Return the cosine between pictures as vectors, shape (..., channels, size, size) -> (...)."""
    first_vectors, second_vectors = first.flatten(-3), second.flatten(-3)
    lengths: Tensor = first_vectors.norm(dim=-1) * second_vectors.norm(dim=-1)
    return (first_vectors * second_vectors).sum(dim=-1) / lengths.clamp_min(1e-12)


def ssim(first: Tensor, second: Tensor) -> Tensor:
    """Return the structural similarity, at most 1, of pictures in [0, 1], shape (m, channels, size, size), shape (m,).

    The mean over places and channels, by scikit-image. Windows are Gaussian, 11 x 11 with sigma 1.5, inside the picture
    only; K1 = 0.01, K2 = 0.03.

    Source: Wang et al. 2004, "Image Quality Assessment: From Error Visibility to Structural Similarity", Eq. 13.
    """
    import torch
    from skimage.metrics import structural_similarity

    settings = {"data_range": 1.0, "channel_axis": 0, "gaussian_weights": True, "sigma": 1.5}
    pairs = zip(first.double().cpu().numpy(), second.double().cpu().numpy(), strict=True)
    return torch.tensor(
        [structural_similarity(picture, other, use_sample_covariance=False, **settings) for picture, other in pairs],
        dtype=torch.float64,
    )


def seen_by(model: ThreeLayerCnn, images: Tensor) -> Tensor:
    """Return which pixels the network can see, bool, shape (size, size): the others carry no gradient ever.

    The first layer reads patches, and what its pooling drops at the edge is never seen. ``images`` is any picture of
    the right shape, (1, channels, size, size).
    """
    import torch
    from torch import nn
    from torch.nn.functional import avg_pool2d, conv2d

    with torch.enable_grad():
        varied = torch.zeros_like(images[:1]).requires_grad_()
        values: Tensor = varied
        for layer in model.layers:
            if isinstance(layer, nn.Flatten):
                break
            if isinstance(layer, nn.Conv2d):
                padding = tuple(int(edge) for edge in layer.padding)
                values = conv2d(values, torch.ones_like(layer.weight), stride=layer.stride, padding=padding)
            elif isinstance(layer, nn.MaxPool2d):
                values = avg_pool2d(values, 2)
        (slope,) = torch.autograd.grad(values.sum(), [varied])
    return slope[0, 0] > 0


def window_of(seen: Tensor) -> slice:
    """Return the rows and columns of a picture that ``seen_by`` says are seen: a square."""
    rows = seen.any(dim=1).nonzero()[:, 0]
    return slice(int(rows[0]), int(rows[-1]) + 1)
