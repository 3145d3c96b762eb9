"""The check of a mechanism that we did not write: an exam of single questions, then a privacy test.

It sees the mechanism only through ``claims.Subject``.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from ldp_core._version import VERSION
from ldp_core.checking.claims import CheckConfig, CheckResult, Clause, Maker, Subject
from ldp_core.checking.exam._clauses import DEPENDENT
from ldp_core.checking.exam._exam import exam_requests, examine
from ldp_core.checking.exam._fresh import Fresh
from ldp_core.checking.exam._game import play, trial_requests
from ldp_core.checking.exam._pairs import own_pairs, pairs
from ldp_core.checking.exam._plan import plan_sentences, smallest_useful_reports
from ldp_core.errors import LdpCoreError, MechanismContractError
from ldp_core.private import GradientPair
from ldp_core.study import Step
from ldp_core.types import CLAIM_REJECTED

__all__ = [
    "CheckProgress",
    "Fresh",
    "check",
    "own_pairs",
    "pairs",
    "plan_sentences",
    "requests",
    "smallest_useful_reports",
]
_SHAPE, _FINITE = "shape-and-type", "finite"


@dataclass(frozen=True, slots=True)
class CheckProgress(Step[CheckResult]):
    """Reports asked for in "exam" and "trials"; the result holds whole clauses and rounds.

    Args:
        problem: why the mechanism could not be asked any more, in a sentence; with it the check is at its end.
    """

    problem: str = ""


def check(
    config: CheckConfig,
    subject: Subject,
    own: Mapping[str, GradientPair] | None = None,
    notice: str = "",
    maker: Maker | None = None,
) -> Generator[CheckProgress, None, None]:
    """Examine a mechanism, then test its claim; stop as soon as the claim is rejected, unless it is tested whole.

    ``own`` are the client's own pairs, see ``own_pairs``; the configuration holds their number and digest. ``notice``
    is a name in ``claims.NOTICES`` to be said with the verdict, unless the subject has one. ``maker`` makes the
    mechanism for other claims, to see that its noise follows them; without it, that is not asked.

    Whoever stops iterating stops the check; the last yielded result is valid. The caller closes the subject.

    Yields:
        The state after each chunk of reports, each clause and each round of trials, which alone change the result; the
        last one has ``result.completed`` or, if the mechanism cannot be reached any more, a ``problem``.

    Raises:
        LdpCoreError: if the mechanism cannot be reached any more, and there is nothing to show.
    """
    start = time.monotonic()
    result = CheckResult(config, (), (), 0, False, 0.0, subject.seeded, _versions(), notice=subject.notice or notice)

    def progress(stage: str, done: int, problem: str = "") -> CheckProgress:
        return CheckProgress(stage, done, config.reports, result, problem)

    yield progress("exam", 0)
    try:
        for examined in examine(config, subject, maker):
            used = examined.reports_used
            if examined.clause is not None:
                clauses, seconds = (*result.clauses, examined.clause), time.monotonic() - start
                result = replace(result, clauses=clauses, reports_used=used, seconds=seconds)
            yield progress("exam", used)
    except LdpCoreError as error:
        if not result.clauses:
            raise
        yield progress("exam", result.reports_used, str(error))
        return
    exam = asked = result.reports_used
    length = 0 if _dependent(result) else _counted(result, _SHAPE, "length")
    if subject.ordered and any(clause.name == "randomizes" and clause.passed is not True for clause in result.clauses):
        subject = Fresh(subject, config)  # one answer for each input, perhaps: then these alone are independent
    kept = {clause.name for clause in result.clauses if clause.passed}
    far = {"accepts-every-norm", "clip-invariance"} <= kept  # else it is told already
    examined_bad = _counted(result, _FINITE, "bad")
    try:
        for played in play(config, subject, length, own, far=far) if length else ():
            asked = exam + played.asked
            if played.asked > played.used:  # within a part, which counts only as a whole
                yield progress("trials", asked)
                continue
            seconds = time.monotonic() - start
            result = replace(result, looks=played.looks, pairs=played.pairs, reports_used=asked, seconds=seconds)
            if played.bad:
                values = {"reports": asked, "bad": examined_bad + played.bad}
                result = _changed(result, Clause(_FINITE, False, "broken", values))
            yield progress("trials", asked)
            if result.verdict == CLAIM_REJECTED and not config.whole:
                break
    except MechanismContractError as error:  # what it returned while it was examined was in order
        result = _changed(result, Clause(_SHAPE, False, "broken", {"problem": str(error)}))
    except LdpCoreError as error:  # the whole rounds before it are judged
        result = replace(result, seconds=time.monotonic() - start)
        yield progress("trials", asked, str(error))
        return
    result = replace(result, completed=True, seconds=time.monotonic() - start)
    yield progress("trials", asked)


def requests(
    config: CheckConfig, own: Mapping[str, GradientPair] | None = None
) -> list[tuple[NDArray[np.float32], int]]:
    """Return what a check asks of a mechanism that answers by file: inputs of shape (d,), and the number of reports."""
    made, trials = pairs(config, own), list[tuple[NDArray[np.float32], int]]()
    for name, learning, judging in trial_requests(config, own):
        for side, vector in enumerate((made[name].first, made[name].second)):
            trials.append((vector.numpy().astype(np.float32), learning[side] + judging[side]))
    return exam_requests(config) + trials


def _dependent(result: CheckResult) -> bool:
    """Return whether reports are no independent draws, of which alone a bound on epsilon holds.

    Answers that are kept are judged with fresh inputs, which a file does not have.
    """
    names = DEPENDENT if result.config.adaptive else (*DEPENDENT, "randomizes")
    return any(clause.name in names and clause.finding not in ("always", "useless") for clause in result.failed)


def _counted(result: CheckResult, name: str, value: str) -> int:
    """Return a number that a clause states; 0 if it does not."""
    return int(next(clause for clause in result.clauses if clause.name == name).values.get(value, 0))


def _changed(result: CheckResult, found: Clause) -> CheckResult:
    """Return a check in which the privacy test found out more about a clause of the exam."""
    clauses = (found if clause.name == found.name else clause for clause in result.clauses)
    return replace(result, clauses=tuple(clauses))


@lru_cache
def _versions() -> dict[str, str]:
    found = {"ldp-core": VERSION, "python": platform.python_version()}
    return found | {package: version(package) for package in ("torch", "numpy", "scipy", "scikit-learn")}
