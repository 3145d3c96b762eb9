"""A check as a short text for a terminal, as the command that repeats it, and what it comes to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ldp_core.checking.claims._first import first_plan
from ldp_core.checking.claims._plan import fewest_judged, plan_of
from ldp_core.checking.claims._result import NOT_TESTED, CheckResult, look_lower
from ldp_core.checking.claims._shown import named_inputs, shows_inputs
from ldp_core.checking.claims._subject import LEAKS, OWN, PAIR_SETS, CheckConfig, PairFacts
from ldp_core.checking.claims._words import CLAUSES, NOTICES, OWN_PAIR, PAIRS, REFINED_PAIR
from ldp_core.record import shortest
from ldp_core.reports import strength_sentence
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import numbers

_SHOWN_LOOKS = 5
WORSE = 1.34
"""How many times the claimed epsilon the leak has for which the reports needed are told."""


def kept(result: CheckResult) -> bool:
    """Return whether a whole test ended with nothing against the mechanism: not rejected, no clause broken."""
    return result.completed and result.verdict == CLAIM_NOT_REJECTED and not result.failed


def detectable_epsilons(result: CheckResult) -> dict[str, float | None]:
    """Return for each kind of leak the smallest true epsilon that this check would have caught, with 95 % chance.

    Returns:
        By the names in ``LEAKS``, in nats; None where no epsilon up to 30 would have been, or it is not known: for
        a check that did not come to its end or is of the first version, for reports of another length than the
        inputs, or too long to learn a region, and for those of a file that do not show that they depend on the inputs.
    """
    if not result.ended or result.version == 1 or shows_inputs(result) is False:
        return dict.fromkeys(LEAKS)
    from ldp_core.checking.claims.power import smallest_detectable_epsilon

    return {kind: smallest_detectable_epsilon(result.config, kind, _length(result)) for kind in LEAKS}


def needed_reports(result: CheckResult) -> tuple[float, dict[str, int | None]]:
    """Return a true epsilon a third above the claimed one, and the reports that it takes to catch it, by kind of leak.

    Returns:
        The epsilon, and for each of ``LEAKS`` about how many reports give 95 % chance; None where it is not known.
    """
    from ldp_core.checking.claims.power import reports_needed

    config, epsilon = replace(result.config, pair_set=max(PAIR_SETS)), float(f"{WORSE * result.config.epsilon:.3g}")
    return epsilon, {kind: reports_needed(config, kind, epsilon, _length(result)) for kind in LEAKS}


def pair_sentence(known: PairFacts) -> str:
    """Return what a pair of inputs is, in words."""
    if known.name in PAIRS:
        return PAIRS[known.name]
    form = OWN_PAIR if known.name.startswith(OWN) else REFINED_PAIR
    return form.format(
        number=known.name.rpartition("-")[2],
        parent=known.parent,
        first=known.first_length,
        second=known.second_length,
        angle=known.angle_degrees,
    )


def enough_to_judge(result: CheckResult) -> int | None:
    """Return with how many reports a whole check would have judged some, if it had too few to learn a rule from.

    Returns:
        A number for ``--reports``; None unless it came to its end without a judged report for this reason.
    """
    config, fewest = result.config, fewest_judged(result.config)
    other = _length(result) not in (None, config.dimension)
    untold = result.completed and result.verdict == NOT_TESTED and other and config.reports < fewest
    return fewest if untold else None


def _untold(result: CheckResult) -> str:
    config, fewest = result.config, enough_to_judge(result)
    if fewest is None:
        return ""
    return (
        f", because a report has {_length(result):,} numbers and an input has {config.dimension:,}: what such reports "
        f"tell must be learned, for which {config.reports:,} are too few, and --reports {fewest} are enough"
    )


def _length(result: CheckResult) -> int | None:
    """Return how many numbers a report has, as the exam saw it."""
    for clause in result.clauses:
        if "length" in clause.values and clause.name == "shape-and-type":
            return int(clause.values["length"])
    return None


def command(config: CheckConfig, way: str = "MECHANISM", omit: Collection[str] = ()) -> str:
    """Return the command line that repeats a check.

    Args:
        config: of the check.
        way: to what was checked, as words of a shell; without it, MECHANISM stands for it.
        omit: options that are left to their defaults.
    """
    if way == "MECHANISM" and not config.adaptive:  # the key holds what was asked
        return "python -m ldp_core check --responses FILE --key FILE" + " --inputs FILE" * bool(config.inputs_digest)
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
    if config.inputs_digest and "--inputs" not in way:
        options["inputs"] = "FILE"
    options["seed"] = config.seed
    given = [f"--{name} {value}" for name, value in options.items() if name not in omit]
    return " ".join(("python -m ldp_core check", way, *given))


def to_text(result: CheckResult, repeat: str = "") -> str:
    """Return a short summary for a terminal.

    Args:
        result: of the check.
        repeat: the command line that repeats it; without it, one in which MECHANISM stands for the way.
    """
    config = result.config
    lines = [*sentences(result), _asked(config), "Exam:"]
    for clause in result.clauses:
        answer = {True: "kept", False: "BROKEN", None: "not asked"}[clause.passed]
        lines.append(f"  {answer:<9}  {CLAUSES[clause.name].title}: {_plain(clause.sentence)}")
    if not result.clauses:
        lines.append("  nothing was asked")
    lines.append(
        f"Strongest of {len(result.looks)} looks (planned: {_planned(result)}), each at its share of the significance:"
    )
    strongest = sorted(result.looks, key=lambda look: look_lower(config, look), reverse=True)
    for look in strongest[:_SHOWN_LOOKS]:
        counts = look.counts
        learned = f", chosen from {look.trained_on:,} others" if look.trained_on else ""
        silent = f" that it spoke about, of {look.trials:,}" if look.silent else ""
        lines.append(
            f"  {look.pair}, {look.rule}: epsilon at least {_floor(look_lower(config, look))} "
            f"({counts.num_trials - counts.num_right:,} wrong guesses of {counts.num_trials:,}{silent}{learned})"
        )
    if not result.looks:
        lines.append("  none")
    if result.pairs:
        lines.append("Pairs of inputs, and the reports of each; those that showed most were judged:")
    lines += [f"  {pair.name} ({pair.reports:,}): {pair_sentence(pair)}" for pair in result.pairs]
    again = "" if result.seeded else " The mechanism draws its own randomness, so counts differ each time."
    lines.append(
        f"Seed {config.seed}, {result.seconds:.1f} s, {result.reports_used:,} reports.{again}\n"
        f"Repeat: {repeat or command(config) + ('  (MECHANISM as before)' if config.adaptive else '')}"
    )
    return "\n".join(lines)


def sentences(result: CheckResult) -> tuple[str, ...]:
    """Return the verdict, and what a verdict that is no rejection leaves open, a sentence each."""
    strength = strength_sentence(result.config.epsilon, delta=result.config.delta)
    said = (verdict_sentence(result), strength, *((NOTICES[result.notice],) if result.notice else ()))
    if result.verdict != CLAIM_NOT_REJECTED:
        return said
    titles = ", ".join(CLAUSES[clause.name].title for clause in result.unjudged)
    unjudged = (f"Not judged, so it may be otherwise: {titles}.",) if titles else ()
    return (*said, *_named_sentences(result), *power_sentences(result), *unjudged)


def verdict_sentence(result: CheckResult) -> str:
    """Return what a check says about the claim, in one sentence."""
    config, strongest = result.config, result.strongest
    broken = ", ".join(CLAUSES[clause.name].title for clause in result.failed)
    confidence = f"{100 * (1 - config.significance):.12g} %"
    if result.verdict == NOT_TESTED:
        why = _untold(result) or ("" if not broken or not result.completed else _DEPENDENT)
        return f"Not tested: no report was judged{why}" + (f"; broken: {broken}." if broken else ".")
    if result.verdict == CLAIM_REJECTED and strongest is not None:
        lower = result.epsilon_lower
        shown = numbers.at_least(lower, config.epsilon, 3)
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


def _named_sentences(result: CheckResult) -> tuple[str, ...]:
    """Return that nearly every report named its input, and how many would decide, if it is so."""
    found, epsilon = named_inputs(result), result.config.epsilon
    if found is None:
        return ()
    how = f"all {found.reports:,}" if not found.wrong else f"{found.right:,} of {found.reports:,}"
    allows = f"the claimed {epsilon:g} allows that, but for one wrong name in about {found.allowed:,.0f}"
    said = [f"Reports name their input: {how} that were judged on the pair {found.pair} did; {allows}."]
    if found.decides is not None:
        rare = "no name is wrong" if not found.wrong else "wrong names stay as rare"
        said.append(
            f"So few reports cannot decide whether even this claim is kept: if {rare}, a check with about "
            f"{found.decides:,} reports rejects it."
        )
    return tuple(said)


def power_sentences(result: CheckResult) -> tuple[str, ...]:
    """Return how large a lie a check that did not reject could have missed, a sentence each."""
    if result.version == 1:
        return (
            "Not rejected is not proof: this result is of an earlier version, which stated too much about what it "
            "would have caught; repeat the check to know.",
        )
    if not result.ended:
        return (
            "Not rejected is not proof: the check did not come to its end, so even a large leak may have been missed.",
        )
    if shows_inputs(result) is False:
        return (_UNSEEN,)
    found = detectable_epsilons(result)
    caught = [f"{_ceil(value)} {_SHOWS[kind]}" for kind, value in found.items() if value is not None]
    unknown = [_SHOWS[kind] for kind, value in found.items() if value is None]
    said = ["Not rejected is not proof"]
    if caught:
        said[0] += f": with 95 % chance this check would have caught a true epsilon of at least {_and(caught)}"
    said[0] += "."
    if unknown:
        said.append(f"What it would have caught of a leak {_or(unknown)} is more than 30, or not known.")
    epsilon, needed = needed_reports(result)
    reports = [f"{number:,} {_SHOWS[kind]}" for kind, number in needed.items() if number is not None]
    if reports:
        said.append(f"To catch a true epsilon of {epsilon:g} takes about this many reports: {_and(reports)}.")
    said.append("About leaks that show otherwise, or for other inputs than the pairs that were tried, it says nothing.")
    return tuple(said)


_DEPENDENT = ", because a bound on epsilon takes valid reports that are drawn independently"
_UNSEEN = (
    "Not rejected is not proof: these reports do not show that they depend on the inputs of the challenge, so what the "
    "check would have caught is not stated. Row i must be a report of gradients[order[i]]: rows in another order, or "
    "reports of something else, look like this, and so does noise that hides the inputs from so few reports. More "
    "reports tell, or --scale, if the mechanism states one: then the exam asks whether reports give the input."
)
_SHOWS = {
    "side": "that shows on which side a report lies",
    "tail": "that shows in a tail of noise",
    "learned": "that shows in a region of few pieces, no fine comb, which must be learned",
}


def _and(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _or(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _planned(result: CheckResult) -> int:
    return first_plan(result.config).looks if result.version == 1 else plan_of(result.config).looks


def _ceil(value: float) -> str:
    """Return what holds from somewhere on, rounded up."""
    return numbers.ceiled(value, 2)


def _asked(config: CheckConfig) -> str:
    text = (
        f"Checked: {_plain(config.subject)}; claimed epsilon {config.epsilon:g}, delta {config.delta:g}, "
        f"dimension {config.dimension:,}, clipping norm {config.clip_norm:g} ({config.clip_order})"
    )
    text += f", scale {config.scale:g}" if config.scale is not None else ""
    return text + (f", norm of a report {config.report_norm:g}" if config.report_norm is not None else "")


def _floor(value: float) -> str:
    """Return what is "at least", rounded down."""
    return numbers.floored(value, 3)


def _plain(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
