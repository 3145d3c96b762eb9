"""How strong a promise is by itself, whether or not a test finds it kept."""

from collections.abc import Mapping

from ldp_core.statistics import theory

STRENGTHS: Mapping[str, float] = {"strong": 1.0, "moderate": 2.0, "weak": 4.0}
"""Word for a promise -> the largest epsilon that deserves it, in nats; beyond the last one it is ``VERY_WEAK``.

With a delta, or for several reports, the word is that of the epsilon under which the best attacker is right as often.
"""
VERY_WEAK = "very_weak"


def identification(epsilon: float, delta: float = 0.0, reports: int = 1) -> float:
    """Return how often the best attacker is right about a worst-case pair, as a share in [1/2, 1].

    ``epsilon`` (nats) and ``delta`` are promised for one report, of ``reports`` about the same update.
    """
    if reports == 1:
        return theory.worst_case_identification(epsilon, delta)
    return min(1.0, theory.rounds_identification(epsilon, reports) + reports * delta)


def strength(epsilon: float, delta: float = 0.0, reports: int = 1) -> str:
    """Return a word for a promise, of ``STRENGTHS`` or ``VERY_WEAK``; arguments as in ``identification``.

    >>> [strength(value) for value in (1.0, 1.5, 4.0, 8.0)]
    ['strong', 'moderate', 'weak', 'very_weak']
    >>> strength(0.1, delta=0.5)
    'moderate'
    """
    share = identification(epsilon, delta, reports)
    limits = ((word, theory.worst_case_identification(limit)) for word, limit in STRENGTHS.items())
    return next((word for word, limit in limits if share <= limit), VERY_WEAK)


def to_dict(epsilon: float, delta: float = 0.0) -> dict[str, float | str]:
    """Return what a report says of a promise: ``promise_identification`` and ``promise_strength``."""
    return {"promise_identification": identification(epsilon, delta), "promise_strength": strength(epsilon, delta)}
