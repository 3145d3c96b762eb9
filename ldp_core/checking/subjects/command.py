"""A mechanism that is a program of any language, reached by lines of text on its standard input and output.

For each request the program reads one line, ``randomize n d x1 ... xd``, and answers with n lines, each a report:
numbers separated by spaces. When its standard input ends, it ends. Never import this module from a page.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._start import started
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects._workers import Workers
from ldp_core.checking.subjects.calls import check_length, longest_report
from ldp_core.errors import MechanismContractError, MechanismUnavailableError

_ANSWER_VALUES, _MOST_ROWS, _FIRST_ROWS = 250_000, 4_096, 16
_NUMBER_BYTES = 32
_EXACT_DIGITS = 17
"""So many tell every number of 64-bit floating point from every other."""
_QUICK_SECONDS = 1.0


class CommandSubject:
    """A running program; it is started by the constructor and ended by ``close``.

    Args:
        words: the program and its arguments; no shell reads them.
        dimension: length d of the inputs; a report may have at most 2 d + 1,000,000 numbers.
        limits: of time and memory.

    Raises:
        MechanismUnavailableError: if it cannot be started.
    """

    seeded, ordered, alike, notice = False, True, False, ""

    def __init__(self, words: Sequence[str], dimension: int, limits: Limits) -> None:
        self._words, self._dimension, self._limits = tuple(words), dimension, limits
        self._rows, self._length = max(1, min(_FIRST_ROWS, _ANSWER_VALUES // dimension)), 0
        self._problem = ""
        self._process = _process(self._words, limits)

    @property
    def stated(self) -> dict[str, float | str]:
        """Nothing: a program is not asked about itself."""
        return {}

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        """Return reports; see ``claims.Subject``. After an error the program is ended."""
        if self._problem:
            raise MechanismUnavailableError(f"the program cannot be asked again after an error: {self._problem}")
        numbers = " ".join([format(value, ".9g") for value in gradient.tolist()])
        parts: list[NDArray[np.float64]] = []
        try:
            while num_reports > 0:
                count, start = min(self._rows, num_reports), time.monotonic()
                answer = self._ask(f"randomize {count} {len(gradient)} {numbers}\n".encode(), count)
                parts.append(self._reports(answer, len(parts[0][0]) if parts else None))
                num_reports, self._length = num_reports - count, len(parts[0][0])
                quick = time.monotonic() - start < _QUICK_SECONDS
                if quick and count == self._rows:  # a slow program is asked for little at a time
                    most = _ANSWER_VALUES // max(self._dimension, self._length)
                    self._rows = max(1, min(2 * self._rows, _MOST_ROWS, most))
        except (MechanismContractError, MechanismUnavailableError) as error:
            self._problem = str(error)
            self._process.close()
            raise
        return np.concatenate(parts)

    def restarted(self) -> CommandSubject:
        """Start the program a second time, beside the first."""
        return CommandSubject(self._words, self._dimension, self._limits)

    def stop(self) -> None:
        """Have it killed at once, also from another thread."""
        self._process.stop()

    def close(self) -> None:
        """End the program: first its input ends, then it and its children are asked to stop, then made to."""
        self._process.close()
        self._problem = self._problem or "it was closed"

    def _ask(self, request: bytes, count: int) -> bytes:
        """Send a request and return an answer of so many lines."""
        answer = _Lines(count, self._dimension, self._length)
        if early := self._process.waiting():
            raise MechanismContractError(f"the program must answer only when it is asked, got {_quoted(early)}")
        whole = self._process.exchange(
            request,
            self._limits.timeout,
            answer.feed,
            "answer",
            lambda: f"{answer.lines} of {count} reports",
            " (does it flush its output after each answer?)",
        )
        if not whole:
            raise MechanismContractError(
                "the program must read the whole request before it answers, got an early answer"
            )
        content = answer.content
        if answer.lines > count or not content.endswith(b"\n"):
            self._reports(content[: content.rfind(b"\n") + 1], None)  # words among the numbers say more
            raise MechanismContractError(f"the program must answer with {count} lines, got more")
        return content

    def _reports(self, answer: bytes, length: int | None) -> NDArray[np.float64]:
        """Return lines of numbers as rows; all must have the first one's length."""
        rows: list[list[float]] = []
        for line in answer[:-1].split(b"\n"):
            words = line.split()
            try:
                rows.append([float(word) for word in words])
            except ValueError:
                raise MechanismContractError(
                    f"a report must be a line of numbers separated by spaces, got {_quoted(line)}; "
                    "anything else belongs to standard error"
                ) from None
            if cut := next((word for word in words if len(word) > _EXACT_DIGITS and _is_cut(word)), b""):
                raise MechanismUnavailableError(
                    f"numbers must be exact in 64-bit floating point, got {_quoted(cut)}: send at most "
                    f"{_EXACT_DIGITS} digits"
                )
            check_length(len(rows[-1]), self._dimension)
            length = max(1, len(rows[0])) if length is None else length
            if len(rows[-1]) != length:
                raise MechanismContractError(f"every report must have {length} numbers, got {len(rows[-1])}")
        return np.array(rows, dtype=np.float64)


class _Lines:
    """Takes an answer of so many lines of bounded length, in pieces.

    ``length``: numbers that the reports before had; 0 if there were none.
    """

    def __init__(self, count: int, dimension: int, length: int) -> None:
        self._count, self._dimension = count, dimension
        self._longest = _NUMBER_BYTES * (length or longest_report(dimension))
        self._answer, self.lines = bytearray(), 0

    def feed(self, read: bytes) -> bool:
        self._answer += read
        self.lines += read.count(b"\n")
        length = len(self._answer)
        begun = self._answer.rfind(b"\n") + 1
        if length - begun > self._longest or length > self._longest * self._count:
            check_length(len(self._answer[begun:].split()), self._dimension)
            raise MechanismContractError(
                f"a report must be a line of at most {self._longest:,} characters, got a longer one"
            )
        return self.lines >= self._count

    @property
    def content(self) -> bytes:
        return bytes(self._answer)


def command(words: Sequence[str], config: CheckConfig, limits: Limits | None = None) -> CommandSubject | Workers:
    """Start a program and return it as a subject; close it when the check is over.

    ``words``: as ``shlex.split`` returns them; of ``config`` only the dimension matters here.
    Raises ``MechanismUnavailableError`` if it cannot be started.
    """
    if not words:
        raise ValueError("the command must name a program, got nothing")
    limits = limits or Limits()
    subjects: list[CommandSubject] = []
    try:
        for _ in range(limits.workers):
            subjects.append(CommandSubject(words, config.dimension, limits))
    except BaseException:
        for subject in subjects:
            subject.close()
        raise
    return subjects[0] if limits.workers == 1 else Workers(subjects)


def _process(words: Sequence[str], limits: Limits) -> Process:
    try:
        return started(words, limits, "the program")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MechanismUnavailableError(
            f"the program must be one that can be started, got {printable(words[0], 120)!r}: {reason}"
        ) from error


def _is_cut(word: bytes) -> bool:
    """Return whether a number has digits that float64 loses."""
    digits = re.sub(rb"[eE].*|[^0-9]", b"", word).lstrip(b"0")
    return len(digits) > _EXACT_DIGITS and Decimal(word.decode()) != Decimal(float(word))


def _quoted(words: bytes) -> str:
    return repr(printable(words[:200].decode("utf-8", "replace"), 40))
