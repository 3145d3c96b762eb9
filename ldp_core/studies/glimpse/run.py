"""One picture of the client's own, and the update that their device would compute from it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ldp_core import _validate
from ldp_core.errors import DatasetUnavailableError
from ldp_core.private import Private
from ldp_core.study import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ldp_core.cache import Cache

CLASSES = 10


@dataclass(frozen=True, slots=True)
class GlimpseConfig:
    """What is asked about a picture.

    ``label``: its class, from 0 to 9; without one, what the model takes it for.
    Raises ``ValueError`` if the label is out of range.
    """

    label: int | None = None

    def __post_init__(self) -> None:
        if self.label is not None:
            _validate.integer("label", self.label, 0, CLASSES - 1)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Glimpse(Private):
    """A picture and its update. Private.

    Args:
        image: as the network sees it, bytes of shape (28, 28), 0 is black.
        inverted: whether the picture was dark on light and is shown light on dark, as the model learned its digits.
        update: gradient of the loss of the picture with its label, shape (d,).
        label: the class used.
        guess: what the model takes it for.
        sureness: the model's probability of its guess, in [0, 1].
        completed: always.
    """

    config: GlimpseConfig
    image: NDArray[np.uint8]
    inverted: bool
    update: NDArray[np.float64]
    label: int
    guess: int
    sureness: float
    completed: bool = True


def glimpse(config: GlimpseConfig, picture: bytes, cache: Cache) -> Iterator[Step[Glimpse | None]]:
    """Compute the update of one picture at the lightly trained model of the built-in digits.

    ``config``: what is asked; ``picture``: content of a picture's file; ``cache``: keeps the model; nothing of the
    picture.
    Yields the state after each pass ("training"), then "crafting", and at last the result.
    Raises ``DatasetUnavailableError`` if the picture cannot be read or is too large and ``ValueError`` if its update is
    zero.
    """
    import torch

    from ldp_core.datasets import dark_on_light, read_grey
    from ldp_core.game.setup import one_thread_per_operation, prepare
    from ldp_core.learning.gradients import client_gradient

    pixels = read_grey(io.BytesIO(picture))
    if pixels is None:
        raise DatasetUnavailableError(
            "the picture must be one that can be read, such as a PNG or JPEG; got another file"
        )

    def progress(stage: str, done: int, total: int) -> Step[Glimpse | None]:
        return Step(stage, done, total, None)

    inverted = dark_on_light(pixels)
    if inverted:
        pixels = 255 - pixels
    with one_thread_per_operation():
        model = (yield from prepare(progress, "digits", "light", cache)).model
        image = torch.tensor(pixels, dtype=torch.float32).div_(255.0).unsqueeze(0)
        with torch.no_grad():
            chances = model(image.unsqueeze(0)).softmax(dim=1)[0]
        guess = int(chances.argmax())
        label = guess if config.label is None else config.label
        update = client_gradient(model, image, label).double().numpy()
    if not update.any():
        raise ValueError("the update must not be zero, got a picture that the model is already sure about")
    yield Step("crafting", 1, 1, Glimpse(config, pixels, inverted, update, label, guess, float(chances[guess])))
