"""What never leaves the device: gradients, images, and models trained on the client's own images.

Nothing here shows its content in a repr, and nothing can be pickled.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ldp_core.types import PairGeometry

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class Private:
    """Mixin: no content in the repr, no pickling."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: private>"

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError(f"{type(self).__name__} is private and is never serialised")


def direction_and_norm(gradient: Tensor) -> tuple[Tensor, float]:
    """Return the unit vector (zeros for a zero gradient) and the L2 norm, in float64; entries may be tiny or huge."""
    values = gradient.double()
    scale = values.abs().max().item()
    if scale == 0.0:
        return values, 0.0
    values = values / scale
    length = values.norm().item()
    return values / length, scale * length


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GradientPair(Private):
    """The two gradients of a distinguishing game, with their geometry. Private.

    Args:
        first: the gradient "update A", shape (d,) with d >= 1, floating point, finite.
        second: the gradient "update B", same shape, dtype and device.
        description: how the pair was made, in words that may be published.
        images: the images behind the pair (none for a dummy), shown only on the client's own screen.
        model: the model theta_t that the server sent and at which the gradients were taken; only a test that
            looks at models needs it.
        objectives: the functions f1, f2 whose gradients at ``model`` the two are.

    Attributes:
        first_direction: unit vector of ``first``, shape (d,), in its dtype.
        second_direction: likewise. If exactly one gradient is zero, its direction is taken as the
            opposite of the other's (and its norm is 0).
        direction_difference: first minus second direction, shape (d,), rounded once.
        geometry: angle and norms, plain numbers.

    Raises:
        ValueError: if the shapes, dtypes or devices differ, d < 1, a value is NaN or infinite, a norm exceeds
            the largest float64, or both gradients are zero.
    """

    first: Tensor
    second: Tensor
    description: str = "two gradients"
    images: tuple[Tensor, ...] = ()
    model: Module | None = None
    objectives: tuple[Objective, Objective] | None = None
    first_direction: Tensor = field(init=False)
    second_direction: Tensor = field(init=False)
    direction_difference: Tensor = field(init=False)
    geometry: PairGeometry = field(init=False)

    def __post_init__(self) -> None:
        for name, gradient in (("first", self.first), ("second", self.second)):
            check_gradient(f"{name} gradient", gradient)
        if self.first.shape != self.second.shape:
            raise ValueError(
                f"the two gradients must have the same length, got {self.first.shape[0]} and {self.second.shape[0]}"
            )
        if self.first.dtype != self.second.dtype or self.first.device != self.second.device:
            raise ValueError(
                "the two gradients must have one dtype and device, got "
                f"{self.first.dtype} on {self.first.device} and {self.second.dtype} on {self.second.device}"
            )
        first, norm_first = direction_and_norm(self.first)
        second, norm_second = direction_and_norm(self.second)
        if norm_first == 0.0 and norm_second == 0.0:
            raise ValueError("at least one gradient of a pair must be different from zero, got two zero gradients")
        if norm_first == 0.0:
            first = -second
        if norm_second == 0.0:
            second = -first
        angle = 2.0 * math.atan2((first - second).norm().item(), (first + second).norm().item())
        object.__setattr__(self, "first_direction", first.to(self.first.dtype))
        object.__setattr__(self, "second_direction", second.to(self.first.dtype))
        object.__setattr__(self, "direction_difference", (first - second).to(self.first.dtype))
        geometry = PairGeometry(math.degrees(angle), norm_first, norm_second, self.description)
        object.__setattr__(self, "geometry", geometry)

    @property
    def dimension(self) -> int:
        """Length d of the gradients."""
        return self.first.shape[0]

    def to(self, device: str) -> GradientPair:
        """Return the pair with its gradients, model and objectives on another device."""
        model = None if self.model is None else copy.deepcopy(self.model).to(device)
        objectives = None
        if self.objectives is not None:
            objective, other = self.objectives
            moved = objective.to(device)
            objectives = (moved, moved.negative() if other.is_negative_of(objective) else other.to(device))
        first, second = self.first.to(device), self.second.to(device)
        return GradientPair(first, second, self.description, self.images, model, objectives)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Objective(Private):
    """A function f of the model's parameters theta, whose gradient a client may send. Private.

    ``sign * cross_entropy(image, label; theta + offset)``, or ``<slope, theta>`` where a slope is given.

    Args:
        image: shape (channels, height, width); None with a slope.
        label: its class.
        offset: shape (d,), added to the parameters; None for zero.
        sign: 1.0, or -1.0 for the function whose gradient is flipped.
        slope: shape (d,); the gradient of a linear function.

    Source: derived here, so that every pair of Matsumoto et al. 2022 has the two functions that their black-box
        distinguishers compare.
    """

    image: Tensor | None = None
    label: int = 0
    offset: Tensor | None = None
    sign: float = 1.0
    slope: Tensor | None = None

    def negative(self) -> Objective:
        """Return the function with the opposite value everywhere."""
        return Objective(self.image, self.label, self.offset, -self.sign, self.slope)

    def is_negative_of(self, other: Objective) -> bool:
        """Return whether this was made by ``other.negative()``."""
        same = all(getattr(self, name) is getattr(other, name) for name in ("image", "offset", "slope"))
        return same and self.label == other.label and self.sign == -other.sign

    def to(self, device: str) -> Objective:
        """Return the function with its tensors on another device."""
        image, offset, slope = (
            None if values is None else values.to(device) for values in (self.image, self.offset, self.slope)
        )
        return Objective(image, self.label, offset, self.sign, slope)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ModelUpdates(Private):
    """What somebody sees who sees the model before and after a round, over many trials of that round. Private.

    ``before`` are the parameters theta_t, shape (d,); ``after`` theta_(t+1) of each trial, shape (n, d). Public are the
    length s of the step that one report alone makes before projection, the clients whose reports were averaged, and the
    radius of the ball onto which the server projects. ``values_before`` keeps functions' values at ``before`` for other
    updates of the model.
    """

    before: Tensor
    after: Tensor
    step_length: float
    num_clients: int
    radius: float
    values_before: dict[int, Tensor] = field(default_factory=dict)


def check_gradient(name: str, gradient: Tensor) -> None:
    """Raise ``ValueError`` unless ``gradient`` is one finite float32 or float64 vector with d >= 1."""
    if gradient.ndim != 1 or gradient.shape[0] < 1:
        raise ValueError(f"{name} must be one vector of dimension d >= 1, got shape {tuple(gradient.shape)}")
    if str(gradient.dtype) not in ("torch.float32", "torch.float64"):
        raise ValueError(f"{name} must be float32 or float64, got {gradient.dtype}")
    if not gradient.isfinite().all():
        wrong = int((~gradient.isfinite()).sum())
        raise ValueError(f"{name} must be finite, got {wrong} values that are NaN or infinite")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ClientState(Private):
    """What is on the device and what an adversary may look at. Private.

    The client's own (held-out) images have shape (b, channels, height, width), in [0, 1], their labels shape (b,),
    int64; ``server_images`` are those that a colluding server trains on, same layout. ``halted`` returns whether the
    pair is not wanted any more, by default never; what takes long then ends in ``HaltedError``.
    """

    model: Module
    images: Tensor
    labels: Tensor
    server_images: Tensor
    server_labels: Tensor
    num_classes: int
    clip_norm: float
    halted: Callable[[], bool] = bool
