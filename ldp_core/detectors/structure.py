"""The gradient is not that of one image with one label.

For cross-entropy of one image the output bias has the gradient p - e_y: its sum is 0 and only the label's entry is
negative; the last layer's weights have the gradient (p - e_y) f with the layer's inputs f, which follow a ReLU and are
not negative. A sum of images, a flipped gradient and a made-up one break this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.detectors._kinds import Shapes, parts

if TYPE_CHECKING:
    from torch import Tensor


_ROUNDING = 1e-3


@dataclass(frozen=True, slots=True)
class Structure:
    """Score: the largest of five violations, each a share of the length.

    They are the sum, a second negative entry, no negative entry, a rank above 1, and a negative input. Up to a
    thousandth is rounding and counts as none.
    """

    name: ClassVar[str] = "structure"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Return the violation; nothing is learned."""
        import torch

        def score(gradients: Tensor) -> Tensor:
            weights, bias = (part.double() for part in parts(gradients, shapes)[-2:])
            length = bias.norm(dim=1).clamp_min(1e-300)
            lowest = bias.sort(dim=1).values
            inputs = torch.einsum("kco,kc->ko", weights, bias) / length.square().unsqueeze(1)
            rest = weights - bias.unsqueeze(2) * inputs.unsqueeze(1)
            size = weights.flatten(1).norm(dim=1).clamp_min(1e-300)
            violations = (
                bias.sum(dim=1).abs() / length,
                (-lowest[:, 1]).clamp_min(0.0) / length,
                (lowest[:, 0].clamp_min(0.0)) / length,
                rest.flatten(1).norm(dim=1) / size,
                (-inputs.min(dim=1).values).clamp_min(0.0) / inputs.norm(dim=1).clamp_min(1e-300),
            )
            worst = torch.stack(violations).max(dim=0).values
            return torch.where(worst > _ROUNDING, worst, 0.0)

        return score
