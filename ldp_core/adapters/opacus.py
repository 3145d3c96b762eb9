"""The noise step of Opacus 1.6 (central DP-SGD), used as a local mechanism on one gradient.

Opacus clips each example's gradient to the norm C, adds them up and adds normal noise of deviation
``noise_multiplier * C``. Its epsilon is for adding or removing one example, which moves the sum by at most C. A client
who sends one gradient promises something else: whichever gradient it was, the report looks alike. Two clipped
gradients are up to 2 C apart, so that promise needs twice the noise multiplier. What is tested is
``DPOptimizer.clip_and_accumulate`` and ``DPOptimizer.add_noise`` on a batch of one: no sampling, no learning rate.

Opacus's clipping divides by the norm plus 1e-6, so gradients of the norm C or more are sent a little shorter than C,
and with C near 1e-6 much shorter.
"""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core.adapters._base import Additive


class Gaussian(Additive):
    """``DPOptimizer`` as it is by default, its noise from torch's global generator.

    The noise multiplier is the exact one for two gradients 2 C apart.

    Source: Balle and Wang 2018, Theorem 8; see ``mechanisms.gaussian``.
    """

    secure_mode: ClassVar[bool] = False

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float32]:
        """Return reports, shape (n, d): the gradient is clipped once, and noise is added to n copies of the result."""
        import torch

        example, clipping = self._optimizer(len(gradient))
        example.grad_sample = torch.from_numpy(gradient)[None]
        clipping.clip_and_accumulate()
        copies, noising = self._optimizer(num_reports, len(gradient))
        copies.summed_grad = example.summed_grad.expand(num_reports, -1)
        noising.add_noise()
        return np.asarray(copies.grad.numpy())

    @property
    def noise_deviation(self) -> float:
        """The standard deviation of each entry's noise."""
        return self.noise_multiplier * self.clip_norm

    def _prepare(self) -> None:
        import opacus.optimizers  # noqa: F401

        self.noise_multiplier = self._calibrated()
        """The noise's deviation in units of C."""

    def _calibrated(self) -> float:
        from ldp_core.mechanisms.gaussian import Gaussian as Exact

        return Exact(self.epsilon, 1.0, self.delta).noise_deviation

    def _optimizer(self, *shape: int) -> tuple[Any, Any]:
        """Return a parameter, and the optimizer that clips its gradients and adds noise."""
        import torch
        from opacus.optimizers import DPOptimizer

        parameter = torch.nn.Parameter(torch.zeros(shape))
        optimizer = DPOptimizer(
            torch.optim.SGD([parameter]),
            noise_multiplier=self.noise_multiplier,
            max_grad_norm=self.clip_norm,
            expected_batch_size=None,
            loss_reduction="sum",
            secure_mode=self.secure_mode,
        )
        return parameter, optimizer


class SecureGaussian(Gaussian):
    """The same with ``secure_mode``: the noise is half the sum of four normal numbers, which is to guard its last bits.

    Opacus's ``PrivacyEngine`` also takes a generator from torchcsprng then; here it is torch's global one.
    """

    secure_mode = True


class AccountantGaussian(Gaussian):
    """The same with Opacus's own noise multiplier: its PRV accountant for one step of sampling rate 1, doubled."""

    def _calibrated(self) -> float:
        from opacus.accountants.utils import get_noise_multiplier

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the orders of the RDP accountant, from which PRV's search starts
            multiplier = get_noise_multiplier(
                target_epsilon=self.epsilon, target_delta=self.delta, sample_rate=1.0, steps=1, accountant="prv"
            )
        return 2.0 * float(multiplier)
