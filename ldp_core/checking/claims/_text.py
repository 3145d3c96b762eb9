"""A check as a short text for a terminal, as the command that repeats it, and what it comes to."""

from __future__ import annotations

from collections.abc import Collection

from ldp_core.checking.claims._plan import fewest_judged
from ldp_core.checking.claims._result import NOT_TESTED, CheckResult
from ldp_core.checking.claims._shown import shows_inputs
from ldp_core.checking.claims._subject import FAR, FIXED_PAIRS, LEAKS, CheckConfig, PairFacts
from ldp_core.record import shortest
from ldp_core.types import CLAIM_NOT_REJECTED
from ldp_core.words import document

WORSE = 1.34
"""How many times the claimed epsilon the leak has for which the reports needed are told."""


def kept(result: CheckResult) -> bool:
    """Return whether a whole test ended with nothing against the mechanism: not rejected, no clause broken."""
    return result.completed and result.verdict == CLAIM_NOT_REJECTED and not result.failed


def detectable_epsilons(result: CheckResult) -> dict[str, float | None]:
    """Return for each kind of leak the smallest true epsilon that this check would have caught, with 95 % chance.

    Returns:
        By the names in ``LEAKS``, in nats; None where no epsilon up to 30 would have been, or it is not known: for
        a check that did not come to its end, for reports of another length than the inputs, or too long to learn a
        region, and for those of a file that do not show that they depend on the inputs.
    """
    if not result.ended or shows_inputs(result) is False:
        return dict.fromkeys(LEAKS)
    from ldp_core.checking.claims.power import smallest_detectable_epsilon

    return {kind: smallest_detectable_epsilon(result.config, kind, _length(result)) for kind in LEAKS}


def needed_reports(result: CheckResult) -> tuple[float, dict[str, int | None]]:
    """Return a true epsilon a third above the claimed one, and the reports that it takes to catch it, by kind of leak.

    Returns the epsilon, and for each of ``LEAKS`` about how many reports give 95 % chance; None where it is not known.
    """
    from ldp_core.checking.claims.power import reports_needed

    config, epsilon = result.config, float(f"{WORSE * result.config.epsilon:.3g}")
    return epsilon, {kind: reports_needed(config, kind, epsilon, _length(result)) for kind in LEAKS}


def pair_sentence(known: PairFacts) -> str:
    """Return what a pair of inputs is, in English words."""
    words, (kind, _, number) = document("en"), known.name.rpartition("-")
    text: str = words[f"pair_text_{known.name if known.name in (*FIXED_PAIRS, FAR) else kind}"]
    return text.format(number=number, parent=known.parent)


def enough_to_judge(result: CheckResult) -> int | None:
    """Return with how many reports a whole check would have judged some, if it had too few to learn a rule from.

    Returns a number for ``--reports``; None unless it came to its end without a judged report for this reason.
    """
    config, fewest = result.config, fewest_judged(result.config)
    other = _length(result) not in (None, config.dimension)
    untold = result.completed and result.verdict == NOT_TESTED and other and config.reports < fewest
    return fewest if untold else None


def _length(result: CheckResult) -> int | None:
    """Return how many numbers a report has, as the exam saw it."""
    for clause in result.clauses:
        if "length" in clause.values and clause.name == "shape-and-type":
            return int(clause.values["length"])
    return None


def command(config: CheckConfig, way: str = "MECHANISM", omit: Collection[str] = ()) -> str:
    """Return the command line that repeats a check.

    ``way``: to what was checked, as words of a shell; without it, MECHANISM stands for it. ``omit``: options left to
    their defaults.
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
    given += ["--whole"] * config.whole
    return " ".join(("python -m ldp_core check", way, *given))


def plain(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
