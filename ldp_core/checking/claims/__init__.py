"""A claim under examination: what is asked about a mechanism, and what was found.

Plain numbers and words; nothing here loads torch, and only ``claims.power`` loads SciPy at import.
"""

from ldp_core.checking.claims._plan import HOPED, REFINED, Round, fewest_judged, num_pairs, plan_of
from ldp_core.checking.claims._report import SCHEMA, from_json, to_dict, to_json
from ldp_core.checking.claims._result import NOT_TESTED, CheckResult, Clause, Look, look_lower
from ldp_core.checking.claims._subject import (
    CLAUSES,
    CLIP_ORDERS,
    DEFAULT,
    FAR,
    FAR_LENGTH,
    FIXED_PAIRS,
    LADDER,
    LEAKS,
    MOST_OWN,
    MOST_REFINED,
    NOTICES,
    OWN,
    REFINED_NAME,
    RULES,
    CheckConfig,
    Maker,
    PairFacts,
    Subject,
    taken,
)
from ldp_core.checking.claims._text import (
    command,
    depends_on_inputs,
    detectable_epsilons,
    enough_to_judge,
    kept,
    named_inputs,
    needed_reports,
    plain,
)
