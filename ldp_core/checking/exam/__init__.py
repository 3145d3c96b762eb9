"""The check of a mechanism that we did not write: an exam of single questions, then a privacy test.

It sees the mechanism only through ``claims.Subject``.
"""

import hashlib
import platform
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core._version import VERSION
from ldp_core.checking.claims import CheckConfig, CheckResult, Clause, Maker, Subject
from ldp_core.checking.claims.power import reports_needed, smallest_detectable_epsilon
from ldp_core.checking.exam._clauses import DEPENDENT
from ldp_core.checking.exam._exam import exam_requests, examine
from ldp_core.checking.exam._game import play, trial_requests
from ldp_core.checking.exam._pairs import own_pairs as own_pairs
from ldp_core.checking.exam._pairs import pairs as pairs
from ldp_core.errors import LdpCoreError, MechanismContractError, MechanismUnavailableError
from ldp_core.private import GradientPair, Private
from ldp_core.study import Step
from ldp_core.types import CLAIM_REJECTED, EPSILON_RANGE
from ldp_core.words import numbers

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
            if (sent := hashlib.blake2b(near.tobytes(), digest_size=16).digest()) not in self._sent:
                self._sent.add(sent)
                return near
        raise MechanismUnavailableError(
            "a mechanism that keeps its answers must get an input of its own for each report, got no more: take "
            f"fewer --reports or a --dimension above {len(gradient)}"
        )


_SHAPE, _FINITE = "shape-and-type", "finite"


@dataclass(frozen=True, slots=True)
class CheckProgress(Step[CheckResult]):
    """Reports asked for in "exam" and "trials"; the result holds whole clauses and rounds.

    ``problem``: why the mechanism could not be asked any more, in a sentence; with it the check is at its end.
    """

    problem: str = ""


def check(
    config: CheckConfig,
    subject: Subject,
    client_pairs: Mapping[str, GradientPair] | None = None,
    notice: str = "",
    maker: Maker | None = None,
) -> Generator[CheckProgress, None, None]:
    """Examine a mechanism, then test its claim; stop as soon as the claim is rejected, unless it is tested whole.

    ``client_pairs`` are the client's own pairs, see ``own_pairs``; the configuration holds their number and digest.
    ``notice`` is a name in ``claims.NOTICES`` to be said with the verdict, unless the subject has one. ``maker`` makes
    the mechanism for other claims, to see that its noise follows them; without it, that is not asked.

    Whoever stops iterating stops the check; the last yielded result is valid. The caller closes the subject.
    Yields the state after each chunk of reports, each clause and each round of trials, which alone change the result;
    the last one has ``result.completed`` or, if the mechanism cannot be reached any more, a ``problem``.
    Raises ``LdpCoreError`` if the mechanism cannot be reached any more, and there is nothing to show.
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
    exam = reports = result.reports_used
    length = 0 if _dependent(result) else _counted(result, _SHAPE, "length")
    if subject.ordered and any(clause.name == "randomizes" and clause.passed is not True for clause in result.clauses):
        subject = Fresh(subject, config)  # one answer for each input, perhaps: then these alone are independent
    kept = {clause.name for clause in result.clauses if clause.passed}
    far = {"accepts-every-norm", "clip-invariance"} <= kept  # else it is told already
    examined_bad = _counted(result, _FINITE, "bad")
    try:
        for played in play(config, subject, length, client_pairs, far=far) if length else ():
            reports = exam + played.asked
            if played.asked > played.used:  # within a part, which counts only as a whole
                yield progress("trials", reports)
                continue
            seconds = time.monotonic() - start
            result = replace(result, looks=played.looks, pairs=played.pairs, reports_used=reports, seconds=seconds)
            if played.bad:
                values = {"reports": reports, "bad": examined_bad + played.bad}
                result = _changed(result, Clause(_FINITE, False, "broken", values))
            yield progress("trials", reports)
            if result.verdict == CLAIM_REJECTED and not config.whole:
                break
    except MechanismContractError as error:  # what it returned while it was examined was in order
        result = _changed(result, Clause(_SHAPE, False, "broken", {"problem": str(error)}))
    except LdpCoreError as error:  # the whole rounds before it are judged
        result = replace(result, seconds=time.monotonic() - start)
        yield progress("trials", reports, str(error))
        return
    result = replace(result, completed=True, seconds=time.monotonic() - start)
    yield progress("trials", reports)


def requests(
    config: CheckConfig, client_pairs: Mapping[str, GradientPair] | None = None
) -> list[tuple[NDArray[np.float32], int]]:
    """Return what a check asks of a mechanism that answers by file: inputs of shape (d,), and the number of reports."""
    made, trials = pairs(config, client_pairs), list[tuple[NDArray[np.float32], int]]()
    for name, learning, judging in trial_requests(config, client_pairs):
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


def _changed(result: CheckResult, new_clause: Clause) -> CheckResult:
    """Return a check in which the privacy test found out more about a clause of the exam."""
    clauses = (new_clause if clause.name == new_clause.name else clause for clause in result.clauses)
    return replace(result, clauses=tuple(clauses))


@lru_cache
def _versions() -> dict[str, str]:
    versions = {"ldp-core": VERSION, "python": platform.python_version()}
    return versions | {package: version(package) for package in ("torch", "numpy", "scipy", "scikit-learn")}


_USEFUL = 2.0
"""A check is of use if it would catch a mechanism that leaks so many times what it claims, by the side of reports."""


def plan_sentences(config: CheckConfig, speed: float) -> str:
    """Return how long a check takes at so many reports a second, what it could catch, and how many are of use."""
    detectable, useful = smallest_detectable_epsilon(config), smallest_useful_reports(config)
    seconds = config.reports / speed
    pace = f"{speed:,.0f} a second" if speed >= 1.0 else f"one in {1.0 / speed:,.0f} seconds"
    text = f"plan: at most {config.reports:,} reports, which take about {_duration(seconds)} at the measured {pace}; "
    text += (
        f"a whole check catches a true epsilon of at least {numbers.ceiled(detectable, 2)} with 95 % chance, "
        "if it shows on which side a report lies"
        if detectable is not None
        else "so few catch no such leak with 95 % chance"
    )
    twice = f"{min(_USEFUL * config.epsilon, EPSILON_RANGE[1]):g}"
    if useful is None:
        return f"{text}; no number of reports catches {twice} as surely."
    return f"{text}; about {useful:,} reports are the fewest that catch {twice} as surely."


def smallest_useful_reports(config: CheckConfig) -> int | None:
    """Return about how many reports are the fewest with which a check catches twice the claimed epsilon (at most 30).

    Returns a number to two digits; None if no number would do.
    """
    return reports_needed(config, "side", min(_USEFUL * config.epsilon, EPSILON_RANGE[1]))


def _duration(seconds: float) -> str:
    if seconds < 100.0:
        return f"{max(1.0, seconds):.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 6_000.0 else f"{seconds / 3_600.0:.1f} h"
