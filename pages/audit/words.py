"""Turns a test of one attack into sentences: its plan, its verdict in a line, what a client can do then, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game import advice
from ldp_core.game.summary import (
    AuditSummary,
    has_exact_rates,
    judged_share,
    planned_max_provable,
    sees_report,
    silent_share,
    summarize,
)  # fmt: skip
from ldp_core.mechanisms import HONEST
from ldp_core.presentation import figures, tables
from ldp_core.statistics import promise, theory
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words, numbers, promises
from pages.frame import wording
from pages.state import prepared


@dataclass(frozen=True, slots=True)
class Step:
    """What a client can do: one of ``advice.ACTIONS``, a sentence, what its button says, and the test it sets up."""

    name: str
    sentence: str
    label: str = ""
    config: AuditConfig | None = None


def plan_sentences(t: Words, config: AuditConfig, seconds: float) -> tuple[str, str]:
    """Return what a run takes, and a warning ("" if the guesses suffice)."""
    number = guesses(t, config.num_trials * config.num_measurements)
    line = t.PLAN.format(guesses=number, seconds=wording.duration(t, seconds))
    if planned_max_provable(config) >= config.epsilon:
        return line, ""
    epsilon, longer = wording.number(config.epsilon), advice.longer(config)
    if longer is None:
        return line, t.PLAN_NEVER.format(epsilon=epsilon)
    return line, t.PLAN_TOO_FEW.format(epsilon=epsilon, needed=wording.count(wording.rounded_up(longer.num_trials)))


def headline(t: Words, result: AuditResult) -> str:
    """Return the verdict in a few words: no state in which the promise was not broken comforts more than another."""
    summary = summarize(result)
    if not summary.counts.num_trials:
        return str(t.HEADLINES["none"])
    if _missed(result):
        return str(t.STAGE_LIE)
    return str(t.HEADLINES.get(summary.state, t.HEADLINES["kept"]))


def named(t: Words, config: AuditConfig) -> str:
    """Return the attack's name, behind that of an app that cheats where it is one."""
    attack = figures.attack_name(t.FIGURES, config.attack)
    return attack if config.mechanism in HONEST else str(t.STAGE_LIAR).format(attack=attack)


def _missed(result: AuditResult) -> bool:
    """Return whether it was a demonstration of a lie that the test did not catch."""
    return result.config.mechanism not in HONEST and summarize(result).state != "above"


def in_a_line(t: Words, result: AuditResult) -> tuple[str, str, str]:
    """Return a verdict in a line: its state, its headline, and what was found in Markdown."""
    config, summary, share = result.config, summarize(result), judged_share(result)
    estimate = summary.epsilon
    point, limit = (share.point if share else 0.5), summary.theory_identification
    tells = {"above": ((0, 1),), "below": ((0, 1),)}.get(summary.state, ())
    written = [text.removesuffix(t.PERCENT.format(value="")) for text in wording.percents(t, (point, limit), tells)]
    silent = silent_share(result)
    facts = {
        "point": written[0],
        "tested": tested(t, result),
        "lower": numbers.at_least(estimate.lower, config.epsilon),
        "silent": f"{100 * silent:.1f}",
    }
    abstains = DISTINGUISHERS[config.distinguisher].abstains
    sentences = [promises.sentence(t.REPORT, summary.theory_epsilon, summary.theory_delta)]
    sentences += [(t.STAGE_SEEN_SELECTIVE if abstains else t.STAGE_SEEN).format(**facts)]
    if result.completed and _missed(result):
        sentences.append(t.STAGE_MISSED)
    elif result.completed:
        sentences += [t.STAGE_CHANCE] if point > limit and summary.state != "above" else []
        sentences.append(t.STAGE_MEANS[summary.state].format(provable=wording.floor_number(estimate.max_provable)))
        sentences.append(t.STAGE_OURS if config.mechanism in HONEST else t.STAGE_CHEAT)
    else:
        total = guesses(t, config.num_trials * config.num_measurements)
        sentences.append(t.STAGE_STOPPED.format(done=wording.count(summary.counts.num_trials), total=total))
    return summary.state, headline(t, result), t.SPACE.join(sentences)


def next_steps(t: Words, result: AuditResult | None) -> tuple[Step, ...]:
    """Return what the client can do now, a sentence each, the most useful first."""
    if result is None:
        return (Step("again", t.NEXT_STEPS["again"], t.NEXT_LABELS["again"]),)
    config = result.config
    lower, stronger, longer = advice.lowered(config.epsilon), advice.stronger(config), advice.longer(config)
    alarms = numbers.seldom(config.significance)
    facts = {
        "advised": wording.number(promise.ADVISED),
        "epsilon": wording.number(config.epsilon),
        "lower": wording.number(lower),
        "share": wording.at_most(t, theory.worst_case_identification(lower)),
        "alarms": wording.count(alarms[0]),
        "alarms_of": wording.count(alarms[1]),
        "needed": wording.count(wording.rounded_up(longer.num_trials)) if longer else "",
        "attack": t.ATTACKS[stronger.attack].title if stronger else "",
        "worst": worst(t, config.epsilon),
        "rule": t.DISTINGUISHERS[stronger.distinguisher].title if stronger else "",
    }
    tests = {
        "stronger": stronger,
        "lower": replace(config, epsilon=lower),
        "more": longer and replace(longer, num_trials=wording.rounded_up(longer.num_trials)),
        "honest": replace(config, mechanism="ldp-sgd"),
    }
    return tuple(
        Step(name, t.NEXT_STEPS[name].format(**facts).strip(), t.NEXT_LABELS.get(name, ""), tests.get(name))
        for name in advice.actions(result)
    )


def worst(t: Words, epsilon: float) -> str:
    """Return which attacks reach most at an ε, by the numbers of their cards, and why; "" where those are not known."""
    example = prepared.job(prepared.COMPARE)
    names, opposite = ((), False) if example is None else tables.worst(example.result, prepared.DATASET, epsilon)
    if not names:
        return ""
    attacks = t.COMMA.join(figures.attack_name(t.FIGURES, name) for name in names)
    why = t.WORST_WHY["opposite" if opposite else "apart"]
    form = t.WORST["one" if len(names) == 1 else "tie"]
    return str(form.format(epsilon=wording.number(epsilon), attacks=attacks, why=why))


def guesses(t: Words, how_many: int) -> str:
    """Write "one guess" or "30,000 guesses"."""
    return wording.plural(t.REPORT["guesses"], how_many)


def _shares(t: Words, summary: AuditSummary) -> list[str]:
    """Write the share of right guesses, the ends of its range, the promise and the law with the same decimals."""
    share = summary.identification
    assert share is not None
    expected = share.point if summary.expected_identification is None else summary.expected_identification
    chances = (share.point, share.lower, share.upper, summary.theory_identification, expected)
    tells = {"above": ((1, 3),), "below": ((2, 3),)}.get(summary.state, ())
    return wording.percents(t, chances, ((0, 1), (0, 2), *tells))


def tested(t: Words, result: AuditResult) -> str:
    """Return what a result is about, with the guessing rule where it decides what is judged."""
    config, number = result.config, guesses(t, result.counts.num_trials)
    text = t.TESTED_RULE if DISTINGUISHERS[config.distinguisher].abstains else t.TESTED
    names = {"attack": t.ATTACKS[config.attack].title, "rule": t.DISTINGUISHERS[config.distinguisher].title}
    return str(text.format(**names, epsilon=wording.number(config.epsilon), guesses=number))


def expectation(t: Words, result: AuditResult, expected: int | None) -> str:
    """Return what was expected, of 100, beside what was measured; "" if nothing was, or for the selective attacker."""
    summary = summarize(result)
    if expected is None or summary.identification is None or DISTINGUISHERS[result.config.distinguisher].abstains:
        return ""
    point, lower, upper, *_ = _shares(t, summary)
    given = wording.percent(t, str(expected))
    return str(t.EXPECTED.format(point=point, lower=lower, upper=upper, expected=given))


def live(t: Words, result: AuditResult) -> str:
    """Return the counts so far in one sentence; "" before the first guess."""
    summary = summarize(result)
    if summary.identification is None:
        return ""
    lower = numbers.at_least(summary.epsilon.lower, result.config.epsilon)
    epsilon = t.AS_EPSILON.format(lower=lower, epsilon=wording.number(result.config.epsilon))
    if DISTINGUISHERS[result.config.distinguisher].abstains:
        missed = summary.counts.false_negative_rate
        first, second = summary.counts.false_positive_rate or 0.0, 0.0 if missed is None else 1.0 - missed
        shares = wording.percents(t, (first, second))
        return str(t.LIVE_SELECTIVE.format(first=shares[0], second=shares[1]) + t.SPACE + epsilon)
    point, lower, upper, *_ = _shares(t, summary)
    text = str(t.LIVE.format(point=point, lower=lower, upper=upper))
    begun = sum(item.counts.num_trials > 0 for item in result.measurements)
    if begun < result.config.num_measurements:  # a leak of these pairs alone would seem to be taken back later
        return text + str(t.SPACE + t.LIVE_PAIRS.format(number=begun, total=result.config.num_measurements))
    return text + str(t.SPACE + epsilon)


def why(t: Words, result: AuditResult) -> str:
    """Return how angle and lengths explain a result."""
    summary, clip = summarize(result), result.config.clip_norm
    if not sees_report(result.config):
        return _why_black(t, result.config)
    if not has_exact_rates(result.config):
        return str(t.WHY_OTHER.format(mechanism=t.MECHANISMS[result.config.mechanism].title))
    pairs = [item.pair for item in result.measurements]
    angles = [pair.angle_degrees for pair in pairs]
    short = any(min(pair.norm_first, pair.norm_second) < clip * (1 - 1e-6) for pair in pairs)
    opposite = min(angles) > 179.5
    selective = DISTINGUISHERS[result.config.distinguisher].abstains
    case = t.WHY_WORST if opposite and not short else t.WHY_SHORT if opposite else t.WHY_BOTH if short else t.WHY_ANGLE
    case = t.WHY_SELECTIVE if selective and case == t.WHY_ANGLE else case
    sentences = [t.WHY_GEOMETRY.format(clip=wording.number(clip))]
    if summary.state != "above":
        sentences.append(case.format(angle=_angle(t, angles)))
    known = summary.expected_identification is not None and result.config.mechanism in HONEST
    if known and not selective:
        sentences.append(t.WHY_LAW.format(expected=_shares(t, summary)[-1]))
    return str(t.SPACE.join(sentences))


def _angle(t: Words, angles: Sequence[float]) -> str:
    """Return the angle of one pair, or of several that differ."""
    low, high, mean = round(min(angles)), round(max(angles)), round(sum(angles) / len(angles))
    return str(t.ANGLE_ONE.format(angle=mean) if low == high else t.ANGLES_MANY.format(angle=mean, low=low, high=high))


def length(t: Words, before: float, clip: float) -> str:
    """Write an update's length and, if it was longer than allowed, what it was cut down to."""
    if before <= clip * (1 + 1e-6):
        return wording.number(before)
    return str(t.LENGTH_CUT.format(length=wording.number(before), clip=wording.number(clip)))


def _why_black(t: Words, config: AuditConfig) -> str:
    few = t.WHY_BLACK_ONE if config.clients == 1 else t.WHY_BLACK_MANY
    clients = wording.plural(t.CLIENTS_COUNT, config.clients)
    return str(t.WHY_BLACK.format(clients=clients, rule=t.DISTINGUISHERS[config.distinguisher].title) + few)


def selective_note(t: Words, result: AuditResult) -> str:
    """Return what keeps a comfortable share of right guesses, so far or in the end, from being read as more privacy.

    "" where the share is not clearly below the promise, where the attacker is the one that the note tells of, and
    where that one would do no better: an attacker who sees the report of opposite updates. "" also for a mechanism
    without a law, of which the note would claim too much.
    """
    summary = summarize(result)
    share = summary.identification
    if (
        share is None
        or share.upper >= summary.theory_identification
        or DISTINGUISHERS[result.config.distinguisher].abstains
    ):
        return ""
    if not sees_report(result.config):
        return str(t.SELECTIVE_NOTE_BLACK)
    turned = has_exact_rates(result.config) and any(item.pair.angle_degrees < 179.5 for item in result.measurements)
    return str(t.SELECTIVE_NOTE) if turned else ""
