"""Turns results into the sentences of a language: counts with one denominator, times, and the verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from ldp_core import figures, theory
from ldp_core.grid import test_of
from ldp_core.summary import AuditSummary, has_law, planned_trials_needed, sees_report, summarize
from ldp_core.types import AuditConfig, AuditResult
from pages._shared.plan import Plan

DENOMINATORS = (100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise in natural frequencies; ``open`` if fewer than one guess in ``of`` has to be wrong."""

    right: int
    of: int
    coin: int
    open: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stands in the box: a state of ``summary.STATES`` or "none", and Markdown sentences."""

    state: str
    headline: str
    seen: str
    meaning: str
    todo: str
    stopped: str


def promise(epsilon: float) -> Promise:
    """Return the promise of 100 guesses, above ε 4 of 1,000, above ε 6 of 10,000; never "100 of 100"."""
    return frequency(theory.worst_case_identification(epsilon))


def frequency(chance: float) -> Promise:
    """Return a chance in the same denominators as the promise."""
    limits = (theory.worst_case_identification(epsilon) for epsilon in (4.0, 6.0))
    of = next((of for of, limit in zip(DENOMINATORS, limits, strict=False) if chance <= limit), DENOMINATORS[-1])
    right = round(chance * of)
    return Promise(min(right, of - 1), of, of // 2, right >= of)


def share(t: ModuleType, chance: float) -> str:
    """Write a chance as "73 of 100", and from 90 up as a percentage, "98.2 %"."""
    return figures.share_of_100(100.0 * chance, t.FIGURES)


def at_most(t: ModuleType, chance: float) -> str:
    """Write a limit as "at most 73 of 100"."""
    return str(t.SHARE_OPEN if figures.opens(100.0 * chance) else t.AT_MOST.format(share=share(t, chance)))


def coin(t: ModuleType, beside: float) -> str:
    """Write a coin's chance in the unit of the chance that it stands beside."""
    return str(t.FIGURES["of_100" if figures.in_hundreds(100.0 * beside) else "percent"].format(share=50))


def promise_sentence(t: ModuleType, epsilon: float, texts: Mapping[str, str] | None = None) -> str:
    """Return the promise in one sentence: ``PROMISE``, or other texts with the same keys and placeholders."""
    chance = theory.worst_case_identification(epsilon)
    kind = "open" if figures.opens(100.0 * chance) else "times" if figures.in_hundreds(100.0 * chance) else "percent"
    limit = figures.of_100(100.0 * chance, t.FIGURES)
    return str((texts or t.PROMISE)[kind].format(right=limit if kind == "times" else percent(t, limit)))


def band(t: ModuleType, epsilon: float) -> str:
    """Return what an ε means for a person; only the leaky side is called leaky."""
    name = "small" if epsilon <= 0.25 else "middle" if epsilon < 2.0 else "large" if epsilon < 5.0 else "huge"
    text: str = t.BANDS[name]
    return text


def count(number: float) -> str:
    """Write a whole number with thousands separators."""
    return f"{round(number):,}"


def duration(t: ModuleType, seconds: float) -> str:
    """Write a time as a person would say it."""
    if seconds < 1.5:
        text: str = t.LESS
        return text
    if seconds < 90:
        return str(t.SECONDS.format(count=round(seconds) if seconds < 10 else 5 * round(seconds / 5)))
    return str(t.MINUTES.format(count=round(seconds / 60)))


def number(value: float) -> str:
    """Write an ε or a length: three digits where they matter, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value < 100 else f"{value:,.0f}"


def percent(t: ModuleType, value: str) -> str:
    return str(t.PERCENT.format(value=value))


def failure(t: ModuleType, message: str) -> str:
    """Return what a job or a setting failed with: the core's sentence, which is English, or that it is a bug."""
    return str(t.FROM_CORE.format(message=message) if message else t.BUG)


def floor_number(value: float) -> str:
    """Write what is "at least": rounded down, so that the sentence stays true."""
    return number(math.floor(100.0 * value) / 100.0)


def ceil_number(value: float) -> str:
    """Write what holds from somewhere on: rounded up, so that the sentence stays true."""
    return number(math.ceil(100.0 * value) / 100.0)


def plan_sentences(t: ModuleType, config: AuditConfig, facts: Plan) -> tuple[str, str]:
    """Return what a run takes and whether it can show enough, and a warning ("" if the guesses suffice)."""
    guesses = count(config.num_trials * config.num_measurements)
    line = t.PLAN.format(guesses=guesses, seconds=duration(t, facts.seconds))
    if facts.enough:
        return line + t.PLAN_ENOUGH.format(epsilon=number(config.epsilon)), ""
    if facts.needed is None or facts.needed > 10**9:
        return line, t.PLAN_NEVER.format(epsilon=number(config.epsilon))
    return line, t.PLAN_TOO_FEW.format(epsilon=number(config.epsilon), needed=count(_rounded_up(facts.needed)))


def verdict(t: ModuleType, result: AuditResult) -> Verdict:
    """Return the verdict of a run, whole or stopped."""
    config, summary = result.config, summarize(result)
    done, total = summary.counts.num_trials, config.num_trials * config.num_measurements
    if not done:
        return Verdict("none", t.HEADLINES["none"], "", t.MEANING["none"], "", "")
    meaning = t.MEANING[summary.state].format(
        lower=floor_number(summary.epsilon.lower),
        provable=floor_number(summary.epsilon.max_provable),
        epsilon=number(config.epsilon),
    )
    if summary.state == "too_few":
        needed = planned_trials_needed(config)
        meaning += t.RUN_AT_LEAST.format(needed=count(_rounded_up(needed))) if needed and needed <= 10**9 else ""
    todo = ""
    if summary.state == "above":
        alarms = seldom(config.significance)
        todo = t.ABOVE_TODO.format(alarms=count(alarms[0]), alarms_of=count(alarms[1]))
        todo = t.ABOVE_DEMO if config.mechanism == "overclaiming" else todo
    stopped = "" if result.completed else t.STOPPED.format(done=count(done), total=count(total))
    return Verdict(summary.state, t.HEADLINES[summary.state], seen(t, result, summary), meaning, todo, stopped)


def seen(t: ModuleType, result: AuditResult, summary: AuditSummary) -> str:
    """Return what was seen, in natural frequencies; for the selective attacker in its two rates."""
    if result.config.distinguisher == "selective":
        return _seen_selective(t, summary)
    share, fact = summary.identification, promise(result.config.epsilon)
    assert share is not None
    of, sees = _telling_denominator(summary), t.SEES[test_of(result.config.distinguisher)]
    promised = round(summary.theory_identification * of)
    point = min(round(share.point * of), of - 1)
    if summary.counts.num_right == summary.counts.num_trials:
        return str(t.SEEN_ALL.format(sees=sees, done=count(summary.counts.num_trials)))
    template: str = t.SEEN_OPEN if fact.open or promised >= of else t.SEEN
    return template.format(
        sees=sees,
        point=count(point),
        of=count(of),
        lower=count(share.lower * of),
        upper=count(share.upper * of),
        coin=count(of / 2),
        promise=count(promised),
    )


def tested(t: ModuleType, result: AuditResult) -> str:
    """Return what a result is about."""
    config, guesses = result.config, count(result.counts.num_trials)
    return str(t.TESTED.format(attack=t.ATTACKS[config.attack][0], epsilon=number(config.epsilon), guesses=guesses))


def expectation(t: ModuleType, result: AuditResult, expected: int | None) -> str:
    """Return what was expected, of 100, beside what was measured; "" if nothing was, or for the selective attacker."""
    share = summarize(result).identification
    if expected is None or share is None or result.config.distinguisher == "selective":
        return ""
    if share.point == 1.0:
        return str(t.EXPECTED_ALL.format(expected=expected))
    values = (_of_100(value) for value in (share.point, share.lower, share.upper))
    return str(t.EXPECTED.format(**dict(zip(("point", "lower", "upper"), values, strict=True)), expected=expected))


def confidence(config: AuditConfig) -> str:
    """Write a run's confidence in %."""
    return number(100.0 * (1.0 - config.significance))


def live(t: ModuleType, result: AuditResult) -> str:
    """Return the counts so far in one sentence; "" before the first guess."""
    summary = summarize(result)
    if summary.identification is None:
        return ""
    if result.config.distinguisher == "selective":
        first, second = (rate or 0.0 for rate in _spoken(summary))
        return str(
            t.LIVE_SELECTIVE.format(second=percent(t, f"{100 * second:.1f}"), first=percent(t, f"{100 * first:.1f}"))
        )
    of, share = promise(result.config.epsilon).of, summary.identification
    return str(
        t.LIVE.format(
            point=count(share.point * of), of=count(of), lower=count(share.lower * of), upper=count(share.upper * of)
        )
    )


def why(t: ModuleType, result: AuditResult) -> str:
    """Return how angle and lengths explain a result."""
    summary, clip = summarize(result), result.config.clip_norm
    if not sees_report(result.config):
        return _why_black(t, result.config)
    if not has_law(result.config):
        return str(t.WHY_OTHER.format(mechanism=t.MECHANISMS[result.config.mechanism]))
    pairs = [item.pair for item in result.measurements]
    angles = [pair.angle_degrees for pair in pairs]
    short = any(min(pair.norm_first, pair.norm_second) < clip * (1 - 1e-6) for pair in pairs)
    opposite = min(angles) > 179.5
    case = t.WHY_WORST if opposite and not short else t.WHY_SHORT if opposite else t.WHY_BOTH if short else t.WHY_ANGLE
    sentences = [t.WHY_GEOMETRY.format(clip=number(clip))]
    if summary.state != "above":
        sentences.append(case.format(angle=_angle(t, angles)))
    if summary.expected_identification is not None and result.config.mechanism != "overclaiming":
        of = max(_telling_denominator(summary), promise(result.config.epsilon).of)
        expected = round(summary.expected_identification * of)
        template = t.WHY_LAW if expected < of else t.WHY_LAW_OPEN
        sentences.append(template.format(expected=count(expected), of=count(of)))
    return str(t.SPACE.join(sentences))


def _angle(t: ModuleType, angles: Sequence[float]) -> str:
    """Return the angle of one pair, or of several that differ."""
    low, high, mean = round(min(angles)), round(max(angles)), round(sum(angles) / len(angles))
    return str(t.ANGLE_ONE.format(angle=mean) if low == high else t.ANGLES_MANY.format(angle=mean, low=low, high=high))


def length(t: ModuleType, before: float, clip: float) -> str:
    """Write an update's length and, if it was longer than allowed, what it was cut down to."""
    if before <= clip * (1 + 1e-6):
        return number(before)
    return str(t.LENGTH_CUT.format(length=number(before), clip=number(clip)))


def _why_black(t: ModuleType, config: AuditConfig) -> str:
    few = t.WHY_BLACK_ONE if config.clients == 1 else t.WHY_BLACK_MANY
    clients = several(t.CLIENTS_COUNT, config.clients)
    return str(t.WHY_BLACK.format(clients=clients, rule=t.DISTINGUISHERS[config.distinguisher]) + few)


def several(forms: tuple[str, str], how_many: float) -> str:
    """Write "one pair" or "3 pairs"."""
    return forms[0] if how_many == 1 else forms[1].format(count=count(how_many))


def missing_points(t: ModuleType, result: AuditResult) -> str:
    """Return why the papers' estimate is missing for some pairs; "" if it is not."""
    missing = summarize(result).epsilon.point_infinite
    return str(t.POINT_MISSING.format(count=missing, total=len(result.measurements))) if missing else ""


def selective_note(t: ModuleType, result: AuditResult) -> str:
    """Return what keeps a comfortable share of right guesses, so far or in the end, from being read as more privacy.

    "" where the share is not clearly below the promise, where the attacker is the one that the note tells of, and
    where that one would do no better: an attacker who sees the report of opposite updates. "" also for a mechanism
    without a law, of which the note would claim too much.
    """
    summary = summarize(result)
    share = summary.identification
    if share is None or share.upper >= summary.theory_identification or result.config.distinguisher == "selective":
        return ""
    if not sees_report(result.config):
        return str(t.SELECTIVE_NOTE_BLACK)
    turned = has_law(result.config) and any(item.pair.angle_degrees < 179.5 for item in result.measurements)
    return str(t.SELECTIVE_NOTE) if turned else ""


def count_rows(t: ModuleType, result: AuditResult) -> list[dict[str, str]]:
    """Return the table of raw counts, with a last row for all of them."""
    summary = summarize(result)
    lines = [
        (str(index), item.counts, item.expected_identification)
        for index, item in enumerate(result.measurements, start=1)
        if item.counts.num_trials
    ]
    lines.append((t.COUNTS_TOTAL, summary.counts, summary.expected_identification))
    rows = []
    for name, counts, expected in lines:
        numbers = (counts.first_as_first, counts.first_as_second, counts.second_as_first, counts.second_as_second)
        right = f"{100 * counts.num_right / counts.num_trials:.2f}"
        law = "–" if expected is None else f"{100 * expected:.2f}"
        rows.append(dict(zip(t.COUNTS_COLUMNS, (name, *map(count, numbers), right, law), strict=True)))
    return rows


def _seen_selective(t: ModuleType, summary: AuditSummary) -> str:
    first, second = (rate or 0.0 for rate in _spoken(summary))
    small = min(rate for rate in (first, second, 1.0) if rate > 0.0)
    of = next((of for of in DENOMINATORS if small * of >= 3), DENOMINATORS[-1])
    return str(
        t.SEEN_SELECTIVE.format(
            second=count(second * of),
            first=count(first * of),
            of=count(of),
            lower=floor_number(summary.epsilon.lower),
            epsilon=number(summary.theory_epsilon),
        )
    )


def _spoken(summary: AuditSummary) -> tuple[float | None, float | None]:
    """Return how often "B" was said of reports of A and of B."""
    rate = summary.counts.false_negative_rate
    return summary.counts.false_positive_rate, None if rate is None else 1.0 - rate


def _telling_denominator(summary: AuditSummary) -> int:
    """Return the smallest denominator in which the rounded numbers still tell the state."""
    share = summary.identification
    assert share is not None
    limit = summary.theory_identification
    for of in DENOMINATORS[DENOMINATORS.index(promise(summary.theory_epsilon).of) :]:
        separate = {
            "above": round(share.lower * of) > round(limit * of),
            "below": round(share.upper * of) < round(limit * of),
        }
        visible = round(share.lower * of) < round(share.upper * of)
        if visible and separate.get(summary.state, True) and round(share.point * of) < of:
            return of
    return DENOMINATORS[-1]


def _of_100(share: float) -> str:
    """Write a share of 100, with decimals where it would read as all."""
    return f"{100.0 * share:.0f}" if share < 0.985 else floor_number(100.0 * share)


def _rounded_up(number: int) -> int:
    """Return a whole number rounded up to three digits."""
    step = int(10 ** max(0, len(str(number)) - 3))
    return -(-number // step) * step


def seldom(share: float) -> tuple[int, int]:
    """Return a small share as "n of N", rounded up."""
    for of in (*DENOMINATORS, 100_000, 1_000_000):
        if share * of >= 0.999:
            return math.ceil(share * of - 1e-9), of
    return 1, 1_000_000
