"""Turns a check into the sentences of a language: its verdict, the answers of the exam, tables of looks and pairs."""

from dataclasses import dataclass
from typing import Any

from ldp_core.checking.claims import CheckConfig, CheckResult, Clause
from ldp_core.studies.check import report
from ldp_core.words import Words
from pages.frame import wording
from pages.widgets import told

FILES = "responses"
"""What ``CheckConfig.subject`` says of answers in a file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict: a state, its headline, Markdown sentences, and what a client can do now."""

    state: str
    headline: str
    sentences: tuple[str, ...]
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question of the exam: kept, broken, unasked or waiting."""

    state: str
    title: str
    question: str
    sentence: str


def subject(t: Words, name: str) -> str:
    """Return the name of what was checked; one that we do not know stays as it is."""
    return report.subject(name, told.teller(t))


def repeatable(t: Words, config: Any) -> bool:
    """Return whether this program can run a job again by itself: anything but a check of somebody else's mechanism."""
    return not isinstance(config, CheckConfig) or report.repeatable(config, told.teller(t))


def state(result: CheckResult | None) -> str:
    return "none" if result is None else report.state(result)


def finding(t: Words, result: CheckResult | None) -> Finding:
    """Return the verdict of a check, whole or stopped."""
    if result is None:
        return Finding("none", t.REPORT["check_headline_none"], (), (t.REPORT["check_next_none"],))
    document = report.report(result, told.teller(t))
    headline, *sentences = document.sentences
    return Finding(state(result), headline, tuple(sentences), tuple(document.advice))


def tested(t: Words, result: CheckResult) -> str:
    config = result.config
    template = t.CHECK_TESTED_DELTA if config.delta else t.CHECK_TESTED
    return str(
        template.format(
            subject=subject(t, config.subject),
            epsilon=wording.number(config.epsilon),
            delta=f"{config.delta:g}",
            reports=wording.count(result.reports_used),
        )
    )


def live(t: Words, result: CheckResult) -> str:
    """Return what was found so far: the leak, once a report was judged, and how many questions are answered how."""
    states = [answer.state for answer in answers(t, result, ended=False)]
    sentences = [t.CHECK_EXAM_COUNT.format(**{name: states.count(name) for name in ("kept", "broken", "unasked")})]
    if any(look.trials for look in result.looks):
        lower = wording.floor_number(result.epsilon_lower)
        sentences.insert(0, t.CHECK_LIVE.format(lower=lower, epsilon=wording.number(result.config.epsilon)))
    return str(t.SPACE.join(sentences))


def answers(t: Words, result: CheckResult | None, *, ended: bool) -> list[Answer]:
    """Return every question with its answer, or that it is still to come; in the end, what is broken first."""
    clauses: dict[str, Clause] = {clause.name: clause for clause in result.clauses} if result is not None else {}
    listed = []
    for name, texts in t.CHECK_CLAUSES.items():
        title, question, clause = texts.title, texts.question, clauses.get(name)
        if clause is None:
            listed.append(Answer("unasked" if ended else "waiting", title, question, t.CHECK_UNASKED if ended else ""))
        else:
            state = {True: "kept", False: "broken", None: "unasked"}[clause.passed]
            listed.append(Answer(state, title, question, texts.findings[clause.finding].format(**clause.values)))
    return sorted(listed, key=lambda answer: answer.state != "broken") if ended else listed
