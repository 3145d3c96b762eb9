"""A mechanism that keeps one answer for each input, asked so that its reports are independent all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, Subject
from ldp_core.errors import MechanismUnavailableError
from ldp_core.private import Private

SHORTER = 1.0 / 256.0
"""The most by which a number of an input is made smaller, as a part of it; the zero input gets so much of L."""
_TRIES = 64


class Fresh(Private):
    """A subject that is asked for every report with an input of its own, near the one that is given.

    Each number is made smaller by a part of its own, so that a bound on the input holds. The chances of reports are
    then means over inputs of the ball, of which every claim of epsilon says the same as of one input.
    ``subject``: that is asked, one report at a time; ``notice``: a name in ``claims.NOTICES``.
    """

    seeded = False

    def __init__(self, subject: Subject, config: CheckConfig, notice: str = "fresh-inputs") -> None:
        self._subject, self._config = subject, config
        self._random, self._sent = np.random.default_rng(), set[bytes]()
        self.ordered, self.alike = subject.ordered, subject.alike
        self.notice = notice

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``.

        Raises ``MechanismUnavailableError`` if there are no more inputs near this one.
        """
        from ldp_core.checking.subjects.calls import joined

        return joined([self._subject.randomize(self._near(gradient), 1) for _ in range(num_reports)])

    def restarted(self) -> Subject | None:
        """As of the subject."""
        again = self._subject.restarted()
        return None if again is None else Fresh(again, self._config)

    def close(self) -> None:
        """As of the subject."""
        self._subject.close()

    def _near(self, gradient: NDArray[np.float32]) -> NDArray[np.float32]:
        if not gradient.any():  # in both norms within the bound
            gradient = np.full(len(gradient), SHORTER * self._config.clip_norm / np.sqrt(len(gradient)), np.float32)
        for _ in range(_TRIES):
            near = (gradient * (1.0 - SHORTER * self._random.random(len(gradient)))).astype(np.float32)
            if (sent := near.tobytes()) not in self._sent:
                self._sent.add(sent)
                return near
        raise MechanismUnavailableError(
            "a mechanism that keeps its answers must get an input of its own for each report, got no more: take "
            f"fewer --reports or a --dimension above {len(gradient)}"
        )
