"""A training function that a stranger wrote. Its code runs in a process of its own, and only at the client's request.

Never import this module from a page: no field of a browser may name code.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits
from ldp_core.checking.subjects._remote import Remote
from ldp_core.checking.subjects.python import interpreter
from ldp_core.errors import MechanismContractError

__all__ = ["MOST_NUMBERS", "Limits", "Training"]
MOST_NUMBERS = 20_000_000
"""Numbers that one training may return."""


class Training(Remote):
    """A training function that another process runs; see ``Remote``.

    ``target``: ``FILE.py:function`` or ``package.module:function``; ``limits``: of time for one training, and of
    memory.
    Raises ``ValueError`` if the target is not of this form and ``MechanismUnavailableError`` if it cannot be imported.
    """

    what, begun = "the training function", "be imported"

    def __init__(self, target: str, limits: Limits) -> None:
        check_target(target)
        self._types: set[str] = set()
        process = interpreter(limits, "ldp_core.checking.trainings._child", self.what)
        super().__init__(process, _frames.words(_frames.SETTINGS, {"target": target, "path": sys.path}), limits)

    def train(self, records: NDArray[np.float32], seed: int, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        """Return all iterates of a training, shape (iterates, m); one row if it returns its final parameters alone.

        ``records``: shape (n, columns); ``seed``: for the function's own coins; ``settings``: numbers by name.
        Raises ``MechanismContractError`` if what it returns is none of this, or not finite;
        ``MechanismUnavailableError`` if it raises, is late, or its process ends.
        """
        head = json.dumps({"rows": len(records), "seed": seed, "settings": dict(settings)}).encode()
        content = head + b"\n" + np.ascontiguousarray(records, "<f4").tobytes()
        request = _frames.HEADER.pack(_frames.REQUEST, len(content)) + content
        return self.answer(request, _Iterates(), "return from a training", "").astype(np.float64)

    def accepted(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return parameters, if they are finite and of the type of those before, which else could tell the worlds."""
        self._types.add(numbers.dtype.name)
        if len(self._types) > 1:
            raise MechanismContractError(f"all trainings must return one type, got {' and '.join(sorted(self._types))}")
        if not np.isfinite(numbers).all():
            raise MechanismContractError("parameters must be finite numbers, got NaN or infinity")
        return numbers


class _Iterates(_frames.Reader):
    """Takes one answer of any number of rows, of bounded size in all."""

    def _shape(self) -> tuple[int, int, np.dtype[Any]]:
        rows, columns, number = self._stated()
        if number is None or not (rows >= 1 and columns >= 1 and rows * columns <= MOST_NUMBERS):
            raise MechanismContractError(
                f"a training must return 1 to {MOST_NUMBERS:,} numbers, got {rows:,} rows of {columns:,}"
            )
        return rows, columns, number


def check_target(target: str) -> None:
    """Raise ``ValueError`` unless a target has the form ``FILE.py:function`` or ``package.module:function``."""
    place, colon, name = target.rpartition(":")
    module = all(part.isidentifier() for part in place.split("."))
    if not (colon and name.isidentifier() and (place.endswith(".py") or module)):
        raise ValueError(f"the training must be named FILE.py:function or package.module:function, got {target!r}")
