"""A mechanism that is a program of any language, reached by lines of text on its standard input and output.

For each request the program reads one line, ``randomize n d x1 ... xd``, and answers with n lines, each a report:
numbers separated by spaces. When its standard input ends, it ends. Never import this module from a page.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.claims import CheckConfig
from ldp_core.errors import MechanismContractError, MechanismUnavailableError
from ldp_core.subjects._calls import longest_report, printable

_ANSWER_VALUES, _MOST_ROWS, _FIRST_ROWS = 250_000, 4_096, 16
_NUMBER_BYTES = 32
_READ_BYTES, _TAIL_BYTES = 1 << 16, 2_000
_GRACE_SECONDS = 2.0
_QUICK_SECONDS = 1.0


class CommandSubject:
    """A running program; it is started by the constructor and ended by ``close``.

    Args:
        words: the program and its arguments; no shell reads them.
        dimension: length d of the inputs; a report may have at most 2 d + 1,024 numbers.
        timeout: seconds for one answer, from 0.1 to 3,600.
        rows: reports of one answer; without a number, as many as a program answers quickly, and a bounded number.

    Raises:
        MechanismUnavailableError: if it cannot be started.
    """

    seeded, ordered = False, True

    def __init__(self, words: Sequence[str], dimension: int, timeout: float = 30.0, rows: int | None = None) -> None:
        _validate.number("timeout", timeout, 0.1, 3_600.0)
        if os.name != "posix":
            raise MechanismUnavailableError("a program can only be checked on Linux, macOS or another POSIX system")
        self._words, self._dimension, self._timeout, self._fixed_rows = tuple(words), dimension, timeout, rows
        self._longest = _NUMBER_BYTES * longest_report(dimension)
        self._most_rows = rows or max(1, min(_MOST_ROWS, _ANSWER_VALUES // dimension))
        self._rows = rows or min(_FIRST_ROWS, self._most_rows)
        self._tail, self._problem = b"", ""
        self._process = _started(self._words)
        self._pipes = selectors.DefaultSelector()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        self._pipes.register(self._process.stdout, selectors.EVENT_READ)  # type: ignore[arg-type]
        self._pipes.register(self._process.stderr, selectors.EVENT_READ)  # type: ignore[arg-type]

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
                num_reports -= count
                if time.monotonic() - start < _QUICK_SECONDS:  # a slow program is asked for little at a time
                    self._rows = min(2 * self._rows, self._most_rows)
        except (MechanismContractError, MechanismUnavailableError) as error:
            self._problem = str(error)
            self.close()
            raise
        return np.concatenate(parts)

    def restarted(self) -> CommandSubject:
        """Start the program a second time, beside the first."""
        return CommandSubject(self._words, self._dimension, self._timeout, self._fixed_rows)

    def close(self) -> None:
        """End the program: first its input ends, then it and its children are asked to stop, then made to."""
        process = self._process
        self._problem = self._problem or "it was closed"
        self._pipes.close()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)  # also children that outlive it
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_SECONDS)

    def _ask(self, request: bytes, count: int) -> bytes:
        """Send a request and return an answer of so many lines."""
        deadline, answer, lines = time.monotonic() + self._timeout, bytearray(), 0
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        if early := self._waiting(stdout):
            raise MechanismContractError(f"the program must answer only when it is asked, got {_quoted(early)}")
        unsent = memoryview(request)
        self._pipes.register(stdin, selectors.EVENT_WRITE)
        while lines < count:
            left = deadline - time.monotonic()
            if left <= 0.0:
                raise MechanismUnavailableError(
                    f"the program must answer within {self._timeout:g} seconds, got {lines} of {count} reports"
                    + self._last_words()
                )
            for key, _ in self._pipes.select(left):
                if key.fileobj is stdin:
                    unsent = unsent[self._written(unsent) :]
                    if not unsent:
                        self._pipes.unregister(stdin)
                elif key.fileobj is stdout:
                    if not (read := self._read(key.fd)):
                        raise MechanismUnavailableError(self._ended(lines, count))
                    answer += read
                    lines += read.count(b"\n")
                    if len(answer) - (answer.rfind(b"\n") + 1) > self._longest or len(answer) > self._longest * count:
                        raise MechanismContractError(
                            f"a report must be a line of at most {self._longest:,} characters, got a longer one"
                        )
                elif read := self._read(key.fd):
                    self._tail = (self._tail + read)[-_TAIL_BYTES:]
                else:
                    self._pipes.unregister(key.fileobj)
        if unsent:
            raise MechanismContractError(
                "the program must read the whole request before it answers, got an early answer"
            )
        if lines > count or not answer.endswith(b"\n"):
            self._reports(bytes(answer[: answer.rfind(b"\n") + 1]), None)  # words among the numbers say more
            raise MechanismContractError(f"the program must answer with {count} lines, got more")
        return bytes(answer)

    def _waiting(self, stdout: Any) -> bytes:
        """Return what the program has said unasked; not at its end, which the answer will tell."""
        return next((self._read(key.fd) for key, _ in self._pipes.select(0) if key.fileobj is stdout), b"")

    def _reports(self, answer: bytes, length: int | None) -> NDArray[np.float64]:
        """Return lines of numbers as rows; all must have the first one's length."""
        rows: list[list[float]] = []
        for line in answer[:-1].split(b"\n"):
            try:
                rows.append([float(word) for word in line.split()])
            except ValueError:
                raise MechanismContractError(
                    f"a report must be a line of numbers separated by spaces, got {_quoted(line)}; "
                    "anything else belongs to standard error"
                ) from None
            if len(rows[-1]) > (most := longest_report(self._dimension)):
                raise MechanismContractError(f"a report must have at most {most:,} numbers, got {len(rows[-1]):,}")
            length = max(1, len(rows[0])) if length is None else length
            if len(rows[-1]) != length:
                raise MechanismContractError(f"every report must have {length} numbers, got {len(rows[-1])}")
        return np.array(rows, dtype=np.float64)

    def _written(self, unsent: memoryview) -> int:
        try:
            return os.write(self._process.stdin.fileno(), unsent[:_READ_BYTES])  # type: ignore[union-attr]
        except BlockingIOError:
            return 0
        except OSError:  # it does not read any more: what it still says tells why
            return len(unsent)

    def _read(self, number: int) -> bytes:
        try:
            return os.read(number, _READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            return b""

    def _ended(self, lines: int, count: int) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        code = self._process.returncode
        end = (
            "closed its output"
            if code is None
            else f"ended with exit code {code}"
            if code >= 0
            else _signal_words(code)
        )
        return f"the program must answer with {count} reports, but it {end} after {lines}{self._last_words()}"

    def _last_words(self) -> str:
        """Return the last line that it wrote to its standard error, in words."""
        with contextlib.suppress(OSError, ValueError):
            self._tail += os.read(self._process.stderr.fileno(), _READ_BYTES)  # type: ignore[union-attr]
        lines = self._tail.decode("utf-8", "replace").strip().splitlines()
        return f"; it said: {printable(lines[-1], 200)}" if lines else ""


def command(words: Sequence[str], config: CheckConfig, timeout: float = 30.0) -> CommandSubject:
    """Start a program and return it as a subject; close it when the check is over.

    Args:
        words: the program and its arguments, as ``shlex.split`` returns them.
        config: of the check; only its dimension matters here.
        timeout: seconds for one answer.

    Raises:
        MechanismUnavailableError: if it cannot be started.
    """
    return CommandSubject(words, config.dimension, timeout)


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    if not words:
        raise ValueError("the command must name a program, got nothing")
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C reaches us alone, and its children end with it
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MechanismUnavailableError(
            f"the program must be one that can be started, got {printable(words[0], 120)!r}: {reason}"
        ) from error


def _quoted(words: bytes) -> str:
    return repr(printable(words[:200].decode("utf-8", "replace"), 40))


def _signal_words(code: int) -> str:
    return f"was ended by signal {-code} ({signal.strsignal(-code) or 'unknown'})"
