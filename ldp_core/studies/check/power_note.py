"""What a check must be able to catch: ``--must-detect``."""

from __future__ import annotations

from dataclasses import dataclass

from ldp_core import _validate
from ldp_core.checking.claims import LEAKS, CheckConfig, CheckResult, detectable_epsilons
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import numbers


@dataclass(frozen=True, slots=True)
class Wanted:
    """A true epsilon that a check must catch. ``epsilon``: in nats; ``kind``: how it shows, in ``LEAKS``."""

    epsilon: float
    kind: str

    @property
    def words(self) -> str:
        """As on the command line."""
        return f"{self.epsilon:g}:{self.kind}"


def must_detect(text: str | None) -> Wanted | None:
    """Return what ``EPSILON`` or ``EPSILON:KIND`` asks for."""
    if text is None:
        return None
    number, colon, kind = text.partition(":")
    try:
        epsilon = float(number)
    except ValueError:
        raise ValueError(f"--must-detect must be a number such as 1.2 or 1.2:tail, got {text!r}") from None
    _validate.choice("kind of --must-detect", kind if colon else LEAKS[0], LEAKS)
    return Wanted(_validate.number("--must-detect", epsilon, *EPSILON_RANGE), kind if colon else LEAKS[0])


def refuse_too_little(config: CheckConfig, wanted: Wanted | None) -> None:
    """Raise ``ValueError`` if the planned check would not catch what is wanted with 95 % chance."""
    if wanted is None:
        return
    if wanted.epsilon <= config.epsilon:
        raise ValueError(f"--must-detect must be above the claimed {config.epsilon:g}, got {wanted.epsilon:g}")
    from ldp_core.checking.claims.power import reports_needed, smallest_detectable_epsilon

    found = smallest_detectable_epsilon(config, wanted.kind)
    if found is not None and found <= wanted.epsilon:
        return
    needed = reports_needed(config, wanted.kind, wanted.epsilon)
    if found is None:
        catches = f"which is not known or above 30 for this kind in {config.dimension:,} numbers"
    else:
        catches = f"which is a true epsilon of at least {numbers.ceiled(found, 2)}"
    raise ValueError(
        f"--must-detect {wanted.words} must be what a check with {config.reports:,} reports would catch, {catches}"
        + ("" if needed is None else f"; it takes about {needed:,} reports")
    )


def caught_as_wanted(result: CheckResult, wanted: Wanted) -> bool:
    """Return whether a check that ran would have caught what is wanted, for reports as they came."""
    found = detectable_epsilons(result)[wanted.kind]
    return found is not None and found <= wanted.epsilon
