"""Turns a check into the sentences of a language: its verdict, the answers of the exam, tables of looks and pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ldp_core.checking.claims import (
    CheckConfig,
    CheckResult,
    Clause,
    Look,
    detectable_epsilons,
    enough_to_judge,
    look_lower,
    named_inputs,
    needed_reports,
    shows_inputs,
)
from ldp_core.mechanisms import HONEST
from ldp_core.presentation.figures import pair_name
from ldp_core.statistics.intervals import identification_interval
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import Words, numbers, promises
from pages.frame import wording

FILES = "responses"
"""What ``CheckConfig.subject`` says of answers in a file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What stands in the box: a key of ``CHECK_HEADLINES``, its headline, and Markdown sentences."""

    state: str
    headline: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question of the exam: kept, broken, unasked or waiting."""

    state: str
    title: str
    question: str
    sentence: str


def subject(t: Words, name: str) -> str:
    """Return the name of what was checked; one that we do not know stays as it is."""
    if name in t.CHECK_FAULTS:
        return str(t.CHECK_FAULTY.format(name=t.CHECK_FAULTS[name][0]))
    if name in HONEST:
        return str(t.MECHANISMS[name].title)
    return str(t.CHECK_FILE_SUBJECT if name == FILES else name)


def repeatable(t: Words, config: Any) -> bool:
    """Return whether this program can run a job again by itself: anything but a check of somebody else's mechanism."""
    return not isinstance(config, CheckConfig) or config.subject in (*HONEST, *t.CHECK_FAULTS)


def state(result: CheckResult | None) -> str:
    """Return which of the headlines fits."""
    if result is None:
        return "none"
    if result.verdict == CLAIM_REJECTED:
        return "rejected"
    if result.verdict == CLAIM_NOT_REJECTED:
        return "broken" if result.failed else "kept"
    return "unusable" if result.failed else "none"


def finding(t: Words, result: CheckResult | None) -> Finding:
    """Return the verdict of a check, whole or stopped."""
    name = state(result)
    sentences = (t.CHECK_NEXT["none"],) if result is None else tuple(filter(None, _sentences(t, result, name)))
    return Finding(name, t.CHECK_HEADLINES[name], sentences)


def tested(t: Words, result: CheckResult) -> str:
    """Return what a check is about."""
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
    """Return what was found so far in one sentence; "" before the first report was judged."""
    if not any(look.trials for look in result.looks):
        return ""
    lower = wording.floor_number(result.epsilon_lower)
    return str(t.CHECK_LIVE.format(lower=lower, epsilon=wording.number(result.config.epsilon)))


def answers(t: Words, result: CheckResult | None, *, ended: bool) -> list[Answer]:
    """Return every question with its answer, or that it is still to come; in the end, what is broken first."""
    found: dict[str, Clause] = {clause.name: clause for clause in result.clauses} if result is not None else {}
    listed = []
    for name, asked in t.CHECK_CLAUSES.items():
        title, question, clause = asked.title, asked.question, found.get(name)
        if clause is None:
            listed.append(Answer("unasked" if ended else "waiting", title, question, t.CHECK_UNASKED if ended else ""))
        else:
            state = {True: "kept", False: "broken", None: "unasked"}[clause.passed]
            listed.append(Answer(state, title, question, asked.findings[clause.finding].format(**clause.values)))
    return sorted(listed, key=lambda answer: answer.state != "broken") if ended else listed


def report_words(t: Words) -> dict[str, str]:
    """Return the exam's titles and sentences, and the pairs in words, by the names that a report looks for."""
    titles = {f"clause_{name}": clause.title for name, clause in t.CHECK_CLAUSES.items()}
    pairs = {f"pair_text_{name}": text for name, text in t.CHECK_PAIRS.items() if name not in ("own", "refined")}
    return (
        pairs
        | titles
        | {
            f"finding_{name}_{found}": text
            for name, clause in t.CHECK_CLAUSES.items()
            for found, text in clause.findings.items()
        }
    )


def exam_count(t: Words, listed: list[Answer]) -> str:
    """Return how many questions were answered how."""
    states = [answer.state for answer in listed]
    return str(t.CHECK_EXAM_COUNT.format(**{name: states.count(name) for name in ("kept", "broken", "unasked")}))


def look_rows(t: Words, result: CheckResult) -> list[dict[str, str]]:
    """Return the table of looks."""
    rows, first = [], result.version == 1
    for look in filter(lambda look: look.trials, result.looks):
        numbers = look.counts.num_right, look.counts.num_trials - look.counts.num_right
        learned = wording.count(look.trained_on) if look.trained_on else "–"
        turn, silent = ("–", "–") if first else (str(max(1, look.round)), wording.count(look.silent))
        lower = wording.floor_number(look_lower(result.config, look))
        names = pair_name(t.FIGURES, look.pair), t.FIGURES[f"rule_{look.rule}"]
        texts = (*names, turn, learned, *map(wording.count, numbers), silent, lower)
        rows.append(dict(zip(t.CHECK_LOOKS_COLUMNS, texts, strict=True)))
    return rows


def pair_rows(t: Words, result: CheckResult) -> list[dict[str, str]]:
    """Return the table of the pairs that were tried; nothing of a check of the first version."""
    rows = []
    for pair in result.pairs:
        lengths = t.COMMA.join(wording.number(value) for value in (pair.first_length, pair.second_length))
        angle, reports = wording.count(pair.angle_degrees), wording.count(pair.reports)
        texts = (pair_name(t.FIGURES, pair.name), pair_text(t, result, pair.name), lengths, angle, reports)
        rows.append(dict(zip(t.CHECK_TRIED_COLUMNS, texts, strict=True)))
    return rows


def pair_text(t: Words, result: CheckResult, name: str) -> str:
    """Return what a pair of updates is, in words."""
    if name in t.CHECK_PAIRS:
        return str(t.CHECK_PAIRS[name])
    kind, _, number = name.rpartition("-")
    parent = next((pair.parent for pair in result.pairs if pair.name == name), "")
    return str(t.CHECK_PAIRS[kind].format(number=number, parent=pair_name(t.FIGURES, parent) if parent else ""))


def _sentences(t: Words, result: CheckResult, name: str) -> Iterator[str]:
    yield promises.sentence(t.REPORT, result.config.epsilon, result.config.delta)
    if result.notice:
        yield t.CHECK_NOTICES[result.notice]
    if name == "rejected":
        yield from _rejected(t, result)
    if result.failed:
        yield wording.several(t.CHECK_FAILED, len(result.failed))
    if (enough := enough_to_judge(result)) is not None:
        yield t.CHECK_TOO_FEW.format(reports=wording.count(enough))
    if name == "unusable":
        yield t.CHECK_UNUSABLE
    yield from _named(t, result)
    if name in ("broken", "kept") and result.completed:
        yield from _catches(t, result)
    if name != "none":
        yield _meaning(t, result, name)
    if not result.completed:
        yield _stopped(t, result)
    yield t.CHECK_NEXT.get(_next(t, result, name), "")


def _named(t: Words, result: CheckResult) -> Iterator[str]:
    """Yield that nearly every report named its update, and how many would decide, if it is so."""
    found = named_inputs(result)
    if found is None:
        return
    yield t.CHECK_NAMED.format(
        pair=pair_text(t, result, found.pair),
        right=wording.count(found.right),
        reports=wording.count(found.reports),
        epsilon=wording.number(result.config.epsilon),
        allowed=wording.count(found.allowed),
    )
    if found.decides is not None:
        yield t.CHECK_NAMED_DECIDES.format(reports=wording.count(found.decides))


def _rejected(t: Words, result: CheckResult) -> Iterator[str]:
    look, config = result.strongest, result.config
    assert look is not None
    yield t.CHECK_REJECTED.format(
        rule=t.CHECK_RULES[look.rule],
        pair=pair_text(t, result, look.pair),
        lower=numbers.at_least(look_lower(config, look), config.epsilon),
        epsilon=wording.number(config.epsilon),
    )
    if look.rule == "cosine":
        yield _share(t, look, worst_case_identification(config.epsilon, config.delta), config.significance)
    elif result.version > 1 and not config.delta:
        yield _share(t, look, worst_case_identification(config.epsilon), config.significance)


def _share(t: Words, look: Look, allowed: float, significance: float) -> str:
    """Return how often a rule was right beside what the claim allows; "" where it was not right more often."""
    share = identification_interval(look.counts, significance)
    if share is None or share[0] <= allowed:
        return ""
    chances = (*share, allowed)
    written = [wording.in_percent(t, chance) for chance in chances]
    if share[2] < 0.9995 or written[1] == written[3]:  # else decimals that 100 alone needs would stand at all four
        written = wording.percents(t, chances, ((0, 3), (0, 1), (0, 2)))
    point, lower, upper, promise = written
    template = t.CHECK_SHARE_SPOKEN if look.silent else t.CHECK_SHARE
    return str(
        template.format(
            point=point,
            lower=lower,
            upper=upper,
            promise=promise,
            guesses=wording.count(look.counts.num_trials),
            reports=wording.count(look.trials),
        )
    )


def _catches(t: Words, result: CheckResult) -> Iterator[str]:
    """Yield what a whole check would have caught by kind of leak, and the reports that it takes to catch more."""
    if result.version == 1:
        yield t.CHECK_CATCHES_FIRST
        return
    if shows_inputs(result) is False:
        yield t.CHECK_CATCHES_UNSEEN
        return
    found = detectable_epsilons(result)
    caught = [
        t.CHECK_CATCHES_ITEM.format(epsilon=wording.ceil_number(value), leak=t.CHECK_LEAKS[kind])
        for kind, value in found.items()
        if value is not None
    ]
    unknown = [t.CHECK_LEAKS[kind] for kind, value in found.items() if value is None]
    yield t.CHECK_CATCHES.format(items=t.COMMA.join(caught)) if caught else t.CHECK_CATCHES_NOTHING
    if caught and unknown:
        yield t.CHECK_CATCHES_UNKNOWN.format(leaks=t.COMMA.join(unknown))
    epsilon, needed = needed_reports(result)
    reports = [
        t.CHECK_CATCHES_REPORTS.format(reports=wording.count(number), leak=t.CHECK_LEAKS[kind])
        for kind, number in needed.items()
        if number is not None
    ]
    if reports:
        yield t.CHECK_CATCHES_NEEDED.format(epsilon=f"{epsilon:g}", items=t.COMMA.join(reports))
    yield t.CHECK_CATCHES_REST


def _stopped(t: Words, result: CheckResult) -> str:
    numbers = {"done": wording.count(result.reports_used), "total": wording.count(result.config.reports)}
    missed = result.verdict == CLAIM_NOT_REJECTED
    return str((t.CHECK_STOPPED if missed else t.CHECK_STOPPED_NOTHING).format(**numbers))


def _next(t: Words, result: CheckResult, name: str) -> str:
    """Return which sentence of ``CHECK_NEXT`` says what to do now; other names where ``_meaning`` says it."""
    if name == "none" or (name == "kept" and not repeatable(t, result.config)):
        return name
    missed = result.config.subject in t.CHECK_FAULTS and name == "kept"
    blamed = result.config.subject in HONEST and name != "kept"
    return "ours" if repeatable(t, result.config) and not (missed or blamed) else ""


def _meaning(t: Words, result: CheckResult, name: str) -> str:
    """Return what to do about a finding; of our own mechanisms, what is known about them."""
    alarms, of = wording.seldom(result.config.significance)
    found = name != "kept"
    if result.config.subject in t.CHECK_FAULTS:
        template = t.CHECK_FOUND_FAULT if found else t.CHECK_MISSED_FAULT
        return str(template.format(fault=t.CHECK_FAULTS[result.config.subject][1]))
    if not found:
        return ""
    template = t.CHECK_BLAMED if result.config.subject in HONEST else t.CHECK_TODO
    return str(template.format(alarms=wording.count(alarms), alarms_of=wording.count(of)))
