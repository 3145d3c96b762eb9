"""What a client can look at before it randomizes: is this model, or this gradient, like what honest ones look like?

A detector gives a score, the higher the more suspicious; ``calibrated`` turns scores of the client's own honest
material into a threshold with a stated false-alarm rate. Detectors are hygiene: what passes is protected by epsilon
alone, and they justify no larger one. Importing the catalogue loads no torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from ldp_core import _validate
from ldp_core.detectors.gradients import CosineToMean, LayerShares, Norm, PcaResidual, Shapes, Structure
from ldp_core.detectors.models import Accuracy, CommonestLabel, Entropy, LossJump

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class Detector(Protocol):
    """What both kinds have."""

    name: ClassVar[str]
    looks_at: ClassVar[str]
    """"model" or "gradient"."""


class ModelDetector(Detector, Protocol):
    """Looks at the model that the server sent, on the client's own images."""

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return how suspicious a model is after the one received before it.

        The images are the client's own, shape (b, channels, height, width), with their labels, shape (b,).
        """
        ...


class GradientDetector(Detector, Protocol):
    """Looks at a gradient that is about to be randomized."""

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn from m >= 2 honest gradients at the same model, shape (m, d), and return what scores others.

        It is a function of gradients, shape (k, d), to scores, shape (k,), float64.
        """
        ...


def calibrated(scores: Sequence[float], false_alarm: float) -> float:
    """Return the threshold above which a score is refused.

    It is the ceil((m + 1)(1 - rate))-th smallest of m honest scores, from which nothing was learned: a further honest
    score, exchangeable with them, lies above it with probability at most the rate. With too few scores nothing is
    refused: infinity. Raises ``ValueError`` for a rate outside [1e-4, 0.5] or without scores.

    Source: split conformal prediction (Vovk et al. 2005; Lei et al. 2018).

    >>> calibrated([float(value) for value in range(1, 100)], 0.05)
    95.0
    """
    _validate.number("false_alarm", false_alarm, 1e-4, 0.5)
    _validate.integer("number of scores", len(scores), 1)
    place = math.ceil((len(scores) + 1) * (1.0 - false_alarm) - 1e-9)
    return sorted(scores)[place - 1] if place <= len(scores) else math.inf


_ALL: tuple[Detector, ...] = (
    *(Accuracy(), Entropy(), LossJump(), CommonestLabel()),
    *(Norm(), LayerShares(), PcaResidual(), CosineToMean(), Structure()),
)
DETECTORS: dict[str, Detector] = {detector.name: detector for detector in _ALL}
"""Name -> detector, those of the model first."""
