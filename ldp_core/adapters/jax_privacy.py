"""The noise step of JAX Privacy 2.0 (central DP-SGD), used as a local mechanism on one gradient.

As with Opacus, its usual epsilon is for adding or removing one example. A client who sends one gradient promises that
any other would look alike: what JAX Privacy calls replacing one example, with twice the clipping norm as sensitivity.
What is tested is ``clipped_fun`` on a batch of one and ``gaussian_privatizer``: no sampling, no optimizer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.adapters._base import Additive


class Gaussian(Additive):
    """``gaussian_privatizer`` with the noise that dp-accounting, which JAX Privacy builds on, finds for one release.

    Its random key is the privatizer's own default: one of 2^31, drawn by NumPy when the privatizer is made.
    """

    _state: Any
    """Of the privatizer: its random key moves on with every call."""

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float32]:
        """Return reports, shape (n, d): the gradient is clipped once, and noise is added to n copies of the result."""
        import jax.numpy as jnp

        clipped = self._clip(jnp.asarray(gradient)[None])
        count = 1 << (num_reports - 1).bit_length()  # jax compiles for every shape: powers of two keep them few
        copies = jnp.broadcast_to(clipped, (count, len(gradient)))
        reports, self._state = self._update(copies, self._state)
        return np.asarray(reports[:num_reports])

    def _prepare(self) -> None:
        import dp_accounting
        import jax
        import jax.numpy as jnp
        from jax_privacy import noise_addition
        from jax_privacy.clipping import clipped_fun

        clip = clipped_fun(lambda row: row, keep_batch_dim=False, l2_clip_norm=self.clip_norm)
        sensitivity = clip.sensitivity(dp_accounting.NeighboringRelation.REPLACE_ONE)
        self.noise_deviation = float(dp_accounting.get_sigma_gaussian(self.epsilon, self.delta) * sensitivity)
        """The standard deviation of each entry's noise."""
        privatizer = noise_addition.gaussian_privatizer(stddev=self.noise_deviation)
        self._clip, self._update = jax.jit(clip), jax.jit(privatizer.update)
        self._state = privatizer.init(jnp.zeros(1))
