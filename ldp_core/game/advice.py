"""What a client can do after a test: a stronger one, a longer one, and what each state of a result leads to."""

from dataclasses import replace

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import planned_trials_needed, sees_report, summarize
from ldp_core.mechanisms import HONEST, LDP_SGD_FAMILY
from ldp_core.statistics.promise import ADVISED
from ldp_core.types import AuditConfig, AuditResult

ACTIONS = ("repeat", "stop", "tell", "honest", "more", "lower", "ask", "stronger", "vendor", "again")
"""Repeat with a new seed; send no more; tell the maker; test an honest mechanism; take more trials; turn epsilon down;
ask the maker; try a stronger attack; check the maker's own program; run again."""
_WORST = "dummy"
MOST_TRIALS = 10**9
"""More trials of one measurement than this are not advised."""


def actions(result: AuditResult) -> tuple[str, ...]:
    """Return what a client can do after a test, the most useful first; each is one of ``ACTIONS``."""
    if not result.counts.num_trials:
        return ("again",)
    state = summarize(result).state
    if state == "above":
        return ("honest", "vendor") if result.config.mechanism not in HONEST else ("repeat", "stop", "tell")
    if state == "too_few":
        return ("more", "ask") if longer(result.config) else ("lower", "ask")
    if state == "at":
        return "lower", "ask", "vendor"
    further = ("stronger",) if stronger(result.config) else ()
    return (*further, "ask") if state == "coin" else (*further, "ask", "vendor")


def stronger(config: AuditConfig) -> AuditConfig | None:
    """Return a test of the same promise by an attack that comes closer to it; None where none of ours does.

    A server that sees the report knows more than one that sees the model only. The selective rule uses all that epsilon
    allows where two long updates are not opposite; the made-up update is as long and as opposite as can be.
    """
    if not sees_report(config):
        return _by("cosine", replace(config, clients=1, radius=None))
    worst = config.attack == _WORST and config.strength >= 1.0
    if not DISTINGUISHERS[config.distinguisher].abstains and config.mechanism in LDP_SGD_FAMILY and not worst:
        return _by("selective", replace(config, clients=1, radius=None))
    if not worst:
        return _by("cosine", replace(config, attack=_WORST, strength=1.0))
    return None


def longer(config: AuditConfig) -> AuditConfig | None:
    """Return the same test with as many trials as can show the claimed epsilon; None where that is impractical."""
    needed = planned_trials_needed(config)
    return replace(config, num_trials=needed) if needed is not None and needed <= MOST_TRIALS else None


def _by(rule: str, config: AuditConfig) -> AuditConfig:
    return replace(config, distinguisher=rule, bound=DISTINGUISHERS[rule].bound)


def lowered(epsilon: float) -> float:
    """Return the setting that is suggested in place of one: half of it in two digits, and never a weak promise.

    >>> [lowered(value) for value in (1.0, 8.0, 0.25)]
    [0.5, 1.0, 0.12]
    """
    return max(0.01, min(ADVISED, float(f"{epsilon / 2:.2g}")))
