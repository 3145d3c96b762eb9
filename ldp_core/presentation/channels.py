"""What several studies say of a channel: the capacity that keeps a goal, and where a map of importance lies."""

from ldp_core.channels import goal_of, squares_of
from ldp_core.presentation.report import Rows, Teller


def goal_sentence(goal: str, capacity: float, sigma: float | None, rounds: int, tell: Teller) -> str:
    """Return which capacity, in nats, and which noise keep a goal.

    ``sigma``: None where directions have their own; ``rounds``: those of a budget.
    """
    kind, value = goal_of(goal)
    reached = tell(f"channels_goal_{kind}", value=value, share=100.0 * value, rounds=rounds)
    name = "channels_goal" if sigma is None else "channels_goal_sigma"
    return tell(name, reached=reached, capacity=capacity, sigma=sigma)


def importance_rows(drawn: str | None, used: bool, tell: Teller) -> Rows:
    """Return the row of "everything assumed" on a map of importance; none for a run that had no use for one."""
    if not used:
        return []
    text = tell("importance_square") if drawn is None else tell("importance_squares", squares=squares_of(drawn))
    return [(tell("a_importance_map"), text)]
