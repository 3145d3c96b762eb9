"""A claim under examination: what is asked about a mechanism, and what was found.

Plain numbers and words; nothing here loads torch.
"""

from ldp_core.claims._report import SCHEMA, from_json, to_dict, to_json
from ldp_core.claims._result import (
    NOT_TESTED,
    CheckResult,
    Clause,
    Look,
    TrialPlan,
    look_lower,
    plan_of,
    smallest_detectable_epsilon,
)
from ldp_core.claims._subject import CLIP_ORDERS, PAIRS, RULES, CheckConfig, Subject
from ldp_core.claims._text import (
    command,
    detectable_epsilon,
    kept,
    power_sentence,
    sentences,
    to_text,
    verdict_sentence,
)
from ldp_core.claims._words import CLAUSES, ClauseWords

__all__ = [
    "CLAUSES",
    "CLIP_ORDERS",
    "NOT_TESTED",
    "PAIRS",
    "RULES",
    "SCHEMA",
    "CheckConfig",
    "CheckResult",
    "Clause",
    "ClauseWords",
    "Look",
    "Subject",
    "TrialPlan",
    "command",
    "detectable_epsilon",
    "from_json",
    "kept",
    "look_lower",
    "plan_of",
    "power_sentence",
    "sentences",
    "smallest_detectable_epsilon",
    "to_dict",
    "to_json",
    "to_text",
    "verdict_sentence",
]
