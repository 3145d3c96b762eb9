"""The other end of ``command``: a Python mechanism in a process of its own, as after a restart of the device."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection, Mapping

import numpy as np

from ldp_core.subjects._calls import CalledSubject, made


def words_for(target: str, values: Mapping[str, float], given: Collection[str], arrays: str) -> list[str]:
    """Return the command that serves a target; ``made`` says what the arguments are."""
    call = f"serve({target!r}, {dict(values)!r}, {sorted(given)!r}, {arrays!r})"
    text = f"import sys; sys.path[:] = {sys.path!r}; from ldp_core.subjects._serve import serve; {call}"
    return [sys.executable, "-c", text]


def serve(target: str, values: Mapping[str, float], given: Collection[str], arrays: str) -> None:
    """Answer requests until standard input ends."""
    from ldp_core.subjects import python

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library's own printing must not pass for an answer either
    with contextlib.redirect_stdout(sys.stderr):
        subject = CalledSubject(python.function_of(made(python.found(target), values, given)), arrays)
        for line in sys.stdin:
            _, count, _, *numbers = line.split()
            reports = subject.randomize(np.array(numbers, dtype=np.float32), int(count))
            answers.writelines(" ".join(map(repr, row)) + "\n" for row in reports.astype(np.float64).tolist())
            answers.flush()
