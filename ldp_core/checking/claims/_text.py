"""What a check comes to, what its reports show of their inputs at all, and the command that repeats it."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ldp_core.checking.claims._plan import fewest_judged, plan_of
from ldp_core.checking.claims._result import NOT_TESTED, CheckResult, Look
from ldp_core.checking.claims._subject import DEFAULT, FAR, FIXED_PAIRS, LEAKS, CheckConfig, PairFacts
from ldp_core.record import spelled
from ldp_core.types import CLAIM_NOT_REJECTED
from ldp_core.words import document

_NEARLY, _FEWEST = 0.99, 100
_MOST_REPORTS = 10**12
_SHOWN = (("unbiased", "tells"), ("unbiased", "kept"))
"""Findings of the exam that come only where reports depend on their inputs."""


@dataclass(frozen=True, slots=True)
class Named:
    """How often reports named their input on a pair, in a check that did not reject the claim.

    Args:
        pair: name of the pair.
        reports: of it that were judged, silent ones included.
        right: those whose input was named.
        allowed: in so many guesses, to three digits, the claim allows one wrong one.
        decides: about how many reports a whole check needs to reject the claim, with two digits, if errors stay as
            rare; None if they are not rarer than the claim allows, or it is above 10^12.
    """

    pair: str
    reports: int
    right: int
    allowed: float
    decides: int | None


def named_inputs(result: CheckResult) -> Named | None:
    """Return what is known if at least 99 of 100 reports of a pair named their input and the claim stands; else None.

    The claim may be kept even so: e^10 right names for a wrong one are what a claim of 10 allows.
    """
    looks = [look for look in result.looks if look.trials >= _FEWEST and look.counts.num_right >= _NEARLY * look.trials]
    if not looks or result.verdict != CLAIM_NOT_REJECTED:
        return None
    best = max(looks, key=lambda look: look.counts.num_right)
    allowed = float(f"{1.0 + math.exp(result.config.epsilon):.3g}")
    return Named(best.pair, best.trials, best.counts.num_right, allowed, _decides(result.config, best))


def depends_on_inputs(result: CheckResult) -> bool | None:
    """Return whether the reports of a file depend on the inputs they are said to be of, as far as was counted.

    Where they do not, the rows may be out of order, or be no answers to these inputs, and a leak would not show; or the
    noise hides the inputs from so few reports. A rule's guesses about fair coins are then right half the time: an exact
    binomial test of each look, at its share of the check's significance.
    Returns None where that is not asked: for reports that came while they were asked for, and before any was judged.
    """
    config = result.config
    looks = [look for look in result.looks if look.counts.num_trials]
    if config.adaptive or not looks:
        return None
    if any((clause.name, clause.finding) in _SHOWN for clause in result.clauses):
        return True
    from scipy.stats import binom

    chances = (float(binom.sf(look.counts.num_right - 1, look.counts.num_trials, 0.5)) for look in looks)
    return min(chances) < config.significance / len(looks)


def _decides(config: CheckConfig, look: Look) -> int | None:
    """Return how many reports of a check are enough if errors stay as rare as in a look."""
    from ldp_core.statistics.estimates import ANYTIME_SHARE, joint_lower_bound

    rate = (look.counts.num_trials - look.counts.num_right) / look.counts.num_trials
    if rate * (1.0 + math.exp(config.epsilon)) >= 1.0:
        return None

    def enough(reports: int) -> bool:
        last = plan_of(config, reports).rounds[-1]
        wrong = math.ceil(rate * last.judged)
        level = (1.0 - ANYTIME_SHARE) * last.significance
        return joint_lower_bound(last.judged - wrong, wrong, last.judged, level, delta=config.delta) > config.epsilon

    reports = config.reports
    while not enough(reports):
        reports *= 2
        if reports > _MOST_REPORTS:
            return None
    fewest = reports // 2
    while reports - fewest > 0.02 * reports:
        middle = (fewest + reports) // 2
        fewest, reports = (fewest, middle) if enough(middle) else (middle, reports)
    unit: int = 10 ** (len(str(reports)) - 2)
    return math.ceil(reports / unit) * unit


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
    if not result.ended or depends_on_inputs(result) is False:
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
    options: dict[str, Any] = {
        "epsilon": config.epsilon,
        "delta": config.delta or None,
        "dimension": config.dimension,
        "clip-norm": config.clip_norm,
        "clip-order": None if config.clip_order == DEFAULT.clip_order else config.clip_order,
        "reports": config.reports,
        "confidence": f"{1.0 - config.significance:.12g}",
        "scale": config.scale,
        "report-norm": config.report_norm,
        "inputs": "FILE" if config.inputs_digest and "--inputs" not in way else None,
        "seed": config.seed,
    }
    given = [f"--{name} {spelled(value)}" for name, value in options.items() if value is not None and name not in omit]
    given += ["--whole"] * config.whole
    return " ".join(("python -m ldp_core check", way, *given))


def plain(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
