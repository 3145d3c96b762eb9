"""How strong a promise is by itself, whether or not a test finds it kept."""

from collections.abc import Mapping

from ldp_core.statistics import theory

STRENGTHS: Mapping[str, float] = {"strong": 0.5, "fair": 1.0, "weak": 2.0, "very_weak": 4.0}
"""Word for a promise -> the largest epsilon that deserves it, in nats; beyond the last one it is ``HARDLY_ANY``.

With a delta, or for several reports, the word is that of the epsilon under which the best attacker is right as often.
"""
HARDLY_ANY = "hardly_any"
ADVISED = STRENGTHS["fair"]
"""The largest epsilon that a client is advised to accept: the best attacker is right 73 times of 100."""


def identification(epsilon: float, delta: float = 0.0, reports: int = 1) -> float:
    """Return how often the best attacker is right about a worst-case pair, as a share in [1/2, 1].

    ``epsilon`` (nats) and ``delta`` are promised for one report, of ``reports`` about the same update.
    """
    if reports == 1:
        return theory.worst_case_identification(epsilon, delta)
    return min(1.0, theory.rounds_identification(epsilon, reports) + reports * delta)


def strength(epsilon: float, delta: float = 0.0, reports: int = 1) -> str:
    """Return a word for a promise, of ``STRENGTHS`` or ``HARDLY_ANY``; arguments as in ``identification``.

    >>> [strength(value) for value in (0.5, 1.0, 2.0, 4.0, 8.0)]
    ['strong', 'fair', 'weak', 'very_weak', 'hardly_any']
    >>> strength(0.1, delta=0.5)
    'weak'
    """
    share = identification(epsilon, delta, reports)
    limits = ((word, theory.worst_case_identification(limit)) for word, limit in STRENGTHS.items())
    return next((word for word, limit in limits if share <= limit), HARDLY_ANY)


def advised(epsilon: float, delta: float = 0.0) -> bool:
    """Return whether a promise is at least as strong as a client is advised to ask for."""
    return identification(epsilon, delta) <= theory.worst_case_identification(ADVISED)


def to_dict(epsilon: float, delta: float = 0.0) -> dict[str, float | str]:
    """Return what a report says of a promise: ``promise_identification`` and ``promise_strength``."""
    return {"promise_identification": identification(epsilon, delta), "promise_strength": strength(epsilon, delta)}
