"""Flower's local differential privacy for clients: ``flwr.clientapp.mod.LocalDpMod``, as shipped in flwr 1.42.

The mod clips an update, then adds normal noise of deviation ``sensitivity * sqrt(2 ln(1.25 / delta)) / epsilon``. The
sensitivity is left to its user, and Flower's explanation equates it with the clipping norm; but two clipped updates
may be twice that norm apart.
"""

import importlib
import logging
import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core.adapters._base import Additive

_TINY = 1e-18
"""Relative to the clipping norm: the mod divides by the norm, and fails where float32 says that this is zero."""


class LocalDp(Additive):
    """The mod with its sensitivity set to the clipping norm, the reading that Flower's explanation suggests.

    Many reports come from one call: n equal updates together have sqrt(n) times the norm of one, so with sqrt(n) times
    the clipping norm each of them is clipped as it would be alone; the noise of every entry is independent.
    """

    sensitivity_norms: ClassVar[float] = 1.0
    """Sensitivity that is handed over, in units of the clipping norm."""

    @property
    def deviation(self) -> float:
        """The noise's standard deviation by Flower's formula."""
        return self.sensitivity_norms * self.clip_norm * math.sqrt(2.0 * math.log(1.25 / self.delta)) / self.epsilon

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float32]:
        """Return reports of one update, shape (n, d); one below the norm 1e-18 C is replaced by one that is larger."""
        if float(np.linalg.norm(gradient.astype(np.float64))) < _TINY * self.clip_norm:
            gradient = np.full_like(gradient, _TINY * self.clip_norm)
        return self.as_shipped(gradient, num_reports)

    def as_shipped(self, update: NDArray[np.float32], num_reports: int) -> NDArray[np.float32]:
        """Return what the mod sends for any update, without the replacement above."""
        from flwr.app import ArrayRecord, Context, Message, RecordDict
        from flwr.app.metadata import Metadata
        from flwr.clientapp.mod import LocalDpMod

        def message(values: NDArray[np.float32]) -> Any:
            # The public way to make a message asks a running server for its run's name.
            about = Metadata(1, "", 1, 1, "", "", 0.0, 3_600.0, "train")
            return Message(content=RecordDict({"arrays": ArrayRecord([values])}), metadata=about)

        batch = np.tile(update, (num_reports, 1))
        clip_norm, sensitivity = self.clip_norm * math.sqrt(num_reports), self.clip_norm * self.sensitivity_norms
        mod = LocalDpMod(clip_norm, sensitivity, self.epsilon, self.delta)
        context = Context(run_id=1, node_id=1, node_config={}, state=RecordDict(), run_config={})
        sent = mod(message(np.zeros_like(batch)), context, lambda _asked, _context: message(batch))
        (reports,) = sent.content["arrays"].to_numpy_ndarrays()
        return np.asarray(reports)

    def _prepare(self) -> None:
        importlib.import_module("flwr.clientapp.mod")
        logging.getLogger("flwr").setLevel(logging.WARNING)  # it logs every call


class LocalDpReplacement(LocalDp):
    """The mod with the sensitivity that a local claim needs: twice the clipping norm.

    It is offered up to epsilon 1, where the formula is proven. Beyond, it can promise less than was asked for: with
    delta = 1e-5 a stated 10 is really 10.4, and 30 is 44.8.

    Source: Dwork and Roth 2014, "The Algorithmic Foundations of Differential Privacy", Theorem A.1.
    """

    epsilon_range = (0.01, 1.0)
    sensitivity_norms = 2.0
