"""A check as a short text for a terminal, as the command that repeats it, and what it comes to."""

from __future__ import annotations

import math
from collections.abc import Collection

from ldp_core.claims._result import (
    NOT_TESTED,
    CheckResult,
    look_lower,
    plan_of,
    smallest_detectable_epsilon,
)
from ldp_core.claims._subject import RULES, CheckConfig
from ldp_core.claims._words import CLAUSES
from ldp_core.reports import shortest
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED

_SHOWN_LOOKS = 5
_LEARNED = RULES[-1]


def kept(result: CheckResult) -> bool:
    """Return whether a whole test ended with nothing against the mechanism: not rejected, no clause broken."""
    return result.completed and result.verdict == CLAIM_NOT_REJECTED and not result.failed


def detectable_epsilon(result: CheckResult) -> float | None:
    """Return the smallest true epsilon that this check would have caught with 95 % chance, in nats.

    Returns:
        See ``smallest_detectable_epsilon``; None also for a check that did not come to its end, or whose reports are
        not as long as the inputs, so that the closer-gradient rule, on which that number rests, could not judge them.
    """
    tested = any(look.rule == RULES[0] for look in result.looks)
    return smallest_detectable_epsilon(result.config) if tested and _ended(result) else None


def command(config: CheckConfig, way: str = "MECHANISM", omit: Collection[str] = ()) -> str:
    """Return the command line that repeats a check.

    Args:
        config: of the check.
        way: to what was checked, as words of a shell; without it, MECHANISM stands for it.
        omit: options that are left to their defaults.
    """
    default = CheckConfig("", 1.0, 0)
    options: dict[str, object] = {"epsilon": shortest(config.epsilon)}
    if config.delta != default.delta:
        options["delta"] = shortest(config.delta)
    options |= {"dimension": config.dimension, "clip-norm": shortest(config.clip_norm)}
    if config.clip_order != default.clip_order:
        options["clip-order"] = config.clip_order
    options |= {"reports": config.reports, "confidence": f"{1.0 - config.significance:.12g}"}
    if config.scale is not None:
        options["scale"] = shortest(config.scale)
    if config.report_norm is not None:
        options["report-norm"] = shortest(config.report_norm)
    options["seed"] = config.seed
    given = [f"--{name} {value}" for name, value in options.items() if name not in omit]
    return " ".join(("python -m ldp_core check", way, *given))


def to_text(result: CheckResult, repeat: str = "") -> str:
    """Return a short summary for a terminal.

    Args:
        result: of the check.
        repeat: the command line that repeats it; without it, one in which MECHANISM stands for the way.
    """
    config, plan = result.config, plan_of(result.config)
    lines = [*sentences(result), _asked(config), "Exam:"]
    for clause in result.clauses:
        answer = {True: "kept", False: "BROKEN", None: "not asked"}[clause.passed]
        lines.append(f"  {answer:<9}  {CLAUSES[clause.name].title}: {_plain(clause.sentence)}")
    if not result.clauses:
        lines.append("  nothing was asked")
    lines.append(
        f"Strongest of {len(result.looks)} looks (planned: {plan.looks}), each at its share of the significance:"
    )
    strongest = sorted(result.looks, key=lambda look: look_lower(config, look), reverse=True)
    for look in strongest[:_SHOWN_LOOKS]:
        counts = look.counts
        learned = f", learned from {look.trained_on:,}" if look.rule == _LEARNED else ""
        lines.append(
            f"  {look.pair}, {look.rule}: epsilon at least {_floor(look_lower(config, look))} "
            f"({counts.num_trials - counts.num_right:,} wrong guesses of {counts.num_trials:,}{learned})"
        )
    if not result.looks:
        lines.append("  none")
    again = "" if result.seeded else " The mechanism draws its own randomness, so counts differ each time."
    lines.append(
        f"Seed {config.seed}, {result.seconds:.1f} s, {result.reports_used:,} reports.{again}\n"
        f"Repeat: {repeat or command(config) + '  (MECHANISM as before)'}"
    )
    return "\n".join(lines)


def sentences(result: CheckResult) -> tuple[str, ...]:
    """Return the verdict, and what a verdict that is no rejection leaves open, a sentence each."""
    return (verdict_sentence(result), *([power_sentence(result)] if result.verdict == CLAIM_NOT_REJECTED else []))


def verdict_sentence(result: CheckResult) -> str:
    """Return what a check says about the claim, in one sentence."""
    config, strongest = result.config, result.strongest
    broken = ", ".join(CLAUSES[clause.name].title for clause in result.failed)
    confidence = f"{100 * (1 - config.significance):.12g} %"
    if result.verdict == NOT_TESTED:
        return "Not tested: no report was judged" + (f"; broken: {broken}." if broken else ".")
    if result.verdict == CLAIM_REJECTED and strongest is not None:
        lower = result.epsilon_lower
        shown = _floor(lower) if float(_floor(lower)) > config.epsilon else repr(lower)
        delta = f" at delta {config.delta:g}" if config.delta else ""
        return (
            f"Claim rejected: the mechanism leaks at least {shown}, more than the claimed {config.epsilon:g}{delta}, "
            f"at confidence {confidence}; after {result.reports_used:,} reports the rule {strongest.rule} showed it on "
            f"the pair {strongest.pair}" + (f"; also broken: {broken}." if broken else ".")
        )
    if broken:
        return f"Claim not rejected after {result.reports_used:,} reports, but something else is broken: {broken}."
    return (
        f"Claim not rejected: {result.reports_used:,} reports show no more than the claimed {config.epsilon:g} "
        f"at confidence {confidence}."
    )


def power_sentence(result: CheckResult) -> str:
    """Return how large a lie a check that did not reject could have missed, in one sentence."""
    found = detectable_epsilon(result)
    if found is not None:
        return (
            "Not rejected is not proof: with 95 % chance this check would have caught a true epsilon of at least "
            f"{math.ceil(1_000 * found) / 1_000:.3f} if it shows in full on one of the pairs."
        )
    if not _ended(result):
        return (
            "Not rejected is not proof: the check did not come to its end, so even a large leak may have been missed."
        )
    if any(look.rule == RULES[0] for look in result.looks):
        return "Not rejected is not proof: so few reports catch no leak with 95 % chance."
    return (
        "Not rejected is not proof: reports are not as long as the inputs, so only the learned rule judged them, and "
        "how large a leak it would have caught is not known."
    )


def _ended(result: CheckResult) -> bool:
    """Return whether a check ended with a rejection or at its plan's end; else something stopped it."""
    return result.completed and (result.verdict == CLAIM_REJECTED or all(look.completed for look in result.looks))


def _asked(config: CheckConfig) -> str:
    text = (
        f"Checked: {_plain(config.subject)}; claimed epsilon {config.epsilon:g}, delta {config.delta:g}, "
        f"dimension {config.dimension:,}, clipping norm {config.clip_norm:g} ({config.clip_order})"
    )
    text += f", scale {config.scale:g}" if config.scale is not None else ""
    return text + (f", norm of a report {config.report_norm:g}" if config.report_norm is not None else "")


def _floor(value: float) -> str:
    """Return what is "at least", rounded down."""
    return f"{math.floor(1_000 * value) / 1_000:.3f}"


def _plain(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
