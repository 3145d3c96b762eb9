"""What breaks a rule of the protocol, or the independence of reports, is told as that, and is no leak."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ldp_core.checking.claims import NOT_TESTED, CheckConfig, CheckResult
from ldp_core.checking.exam import Fresh, check
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.checking.subjects.files import Recorded, make_challenge
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from tests.cli.commands import Run

CONFIG = CheckConfig("kept answers", 1.0, 5, dimension=2, reports=10_000)


def kept_answers(real: float) -> Callable[[Any], Any]:
    """Return Laplace noise of so large an epsilon, drawn once for every input, by which RAPPOR keeps its promise."""
    random, kept = np.random.default_rng(), dict[bytes, Any]()

    def randomize(gradient: Any) -> Any:
        short = gradient / max(1.0, float(np.linalg.norm(gradient)))
        if gradient.tobytes() not in kept:
            kept[gradient.tobytes()] = short + random.laplace(scale=2.0 * np.sqrt(2.0) / real, size=2)
        return np.round(kept[gradient.tobytes()], 3)

    return randomize


def subject_of(make: Callable[[], Callable[[Any], Any]]) -> CalledSubject:
    return CalledSubject(make(), "numpy", lambda: subject_of(make))


def checked(subject: Any, config: CheckConfig = CONFIG) -> CheckResult:
    return list(check(config, subject))[-1].result


def failed(result: CheckResult) -> set[str]:
    return {clause.name for clause in result.failed}


@pytest.mark.law
def test_answers_that_are_kept_are_no_leak_and_are_judged_with_fresh_inputs() -> None:
    honest = subject_of(lambda: kept_answers(1.0))
    unasked = checked(honest)
    assert failed(unasked) == {"randomizes", "repeats"}
    assert unasked.verdict == CLAIM_NOT_REJECTED
    assert unasked.epsilon_lower < 1.0
    fresh = checked(Fresh(subject_of(lambda: kept_answers(1.0)), CONFIG))
    assert failed(fresh) == set()
    assert fresh.verdict == CLAIM_NOT_REJECTED
    assert fresh.notice == "fresh-inputs"
    liar = checked(Fresh(subject_of(lambda: kept_answers(4.0)), CONFIG))
    assert liar.verdict == CLAIM_REJECTED


def test_what_draws_nothing_is_still_rejected() -> None:
    result = checked(subject_of(lambda: lambda gradient: np.sign(gradient)))
    assert result.verdict == CLAIM_REJECTED
    assert {"randomizes", "repeats"} <= failed(result)


@pytest.mark.law
def test_a_counter_beside_an_honest_report_is_an_order_and_no_trace_of_a_length() -> None:
    def make() -> Callable[[Any], Any]:
        random, count = np.random.default_rng(), [0.0]

        def randomize(gradient: Any) -> Any:
            count[0] += 1.0
            odds = 1.0 / (1.0 + np.exp(-1.0))
            bit = (gradient[0] >= 0.0) == (random.random() < odds)
            return np.array([float(bit), count[0]])

        return randomize

    result = checked(subject_of(make))
    assert result.verdict == NOT_TESTED
    assert {"repeats", "state"} & failed(result)
    assert failed(result) <= {"repeats", "state", "shared-noise", "restart"}
    assert result.epsilon_lower == 0.0


@pytest.mark.few(1)
@pytest.mark.parametrize("of_type", [True, False])
def test_answers_of_several_types_or_lengths_break_that_rule_alone(of_type: bool) -> None:
    random = np.random.default_rng(3)

    def randomize(gradient: Any) -> Any:
        if of_type:
            return np.array([0] if random.random() < 0.5 else [1.5])
        return np.zeros(int(random.integers(1, 9)))

    result = checked(subject_of(lambda: randomize))
    assert failed(result) == {"shape-and-type"}
    assert result.verdict == NOT_TESTED


def test_the_command_asks_with_fresh_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    (tmp_path / "keeper.py").write_text(_KEEPER)
    monkeypatch.chdir(tmp_path)
    words = ["check", "keeper:randomize", "--epsilon", "1", "--dimension", "2", "--reports", "5000"]
    code, told, _ = run(*words)
    assert (code, "a mechanism that keeps answers is asked with --memoizes" in told) == (1, True)
    code, told, _ = run(*words, "--memoizes")
    assert code == 0
    assert "with an update of its own" in told
    assert " --memoizes " in told.splitlines()[-1]
    assert run("check", "--responses", "a.npz", "--key", "b.json", "--memoizes")[0] == 2


_KEEPER = """\
import numpy as np
kept, random = {}, np.random.default_rng()
def randomize(gradient):
    short = gradient / max(1.0, float(np.linalg.norm(gradient)))
    noise = random.laplace(scale=2.0 * np.sqrt(2.0), size=2)
    return kept.setdefault(gradient.tobytes(), np.round(short + noise, 3))
"""


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("what", "clauses"),
    [("honest", set()), ("counter", {"repeats"}), ("kept", {"randomizes"}), ("bit", {"randomizes"})],
)
def test_what_breaks_independence_in_a_file_is_told_as_that_alone(what: str, clauses: set[str]) -> None:
    """Answers that are kept for an input, of noise or of a bit, and a counter: no bound holds, and none is stated."""
    config = CheckConfig("a file", 1.0, 5, dimension=2, reports=13_000, adaptive=False)
    challenge, random = make_challenge(config), np.random.default_rng(3)
    lengths = np.maximum(1.0, np.linalg.norm(challenge.gradients, axis=1))[:, np.newaxis]
    noise = random.laplace(scale=2.0 * np.sqrt(2.0), size=(len(challenge.order), 2))
    if what in ("kept", "bit"):
        noise = noise[challenge.order]
    reports = np.round(challenge.gradients[challenge.order] / lengths[challenge.order] + noise, 3)
    if what == "bit":
        reports = np.sign(reports[:, :1])
    if what == "counter":
        reports = np.column_stack([reports, np.arange(len(reports))])
    result = checked(Recorded(challenge, reports), config)
    assert failed(result) == clauses
    assert result.verdict == (NOT_TESTED if clauses else CLAIM_NOT_REJECTED)
    assert result.epsilon_lower < 1.0
