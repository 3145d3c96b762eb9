"""What a check of a training function found."""

import math

from ldp_core.presentation.report import Report, Section, Table, Teller, count
from ldp_core.record import shortest
from ldp_core.studies.training_check.result import BEYOND, EPSILON_BROKEN, TrainingCheckResult, claimed_epsilon
from ldp_core.words import numbers

_MOST_NAMED = 8


def report(result: TrainingCheckResult, tell: Teller) -> Report:
    """Tell whether the function is the DP-SGD that is claimed."""
    config = result.config
    ran = tell(
        "run_training",
        games=count(config.games),
        others=count(config.threshold_games),
        canary=tell(f"canary_{result.canary}"),
        rule=tell(f"look_{result.rule}"),
        access=tell(f"access_{result.access}"),
        other=tell(f"neighbours_{config.neighbours}"),
    )
    sections = [Section(tell("counts"), [_counts(result, tell)])]
    return Report(_sentences(result, tell), ran, sections, bool(result.rejected_by), limits="limits_training")


def _counts(result: TrainingCheckResult, tell: Teller) -> Table:
    """Return the judged games: what was so, and what was guessed."""
    counts, out = result.counts, "training_changed" if result.config.changed else "central_out"
    head = ["", tell("central_guessed_in"), tell("central_guessed_out")]
    rows = [
        [tell("central_in"), count(counts.first_as_first), count(counts.first_as_second)],
        [tell(out), count(counts.second_as_first), count(counts.second_as_second)],
    ]
    return Table(tell("counts"), head, rows if counts.num_trials else [])


def _sentences(result: TrainingCheckResult, tell: Teller) -> list[str]:
    config, identification = result.config, result.identification
    if identification is None:
        return [tell("finding_training_none")]
    epsilon = claimed_epsilon(config.claim, config.delta)
    claim = {
        "noise": shortest(config.noise),
        "rate": shortest(config.sampling_rate),
        "steps": f"{config.steps:,}",
        "epsilon": f"{epsilon:.2f}" if math.isfinite(epsilon) else "∞",
        "delta": f"{config.delta:g}",
    }
    name = "rejected" if result.rejected_by else "kept"
    lines = [tell(f"finding_training_{name}", **claim)]
    if EPSILON_BROKEN in result.rejected_by:
        lines.append(tell("finding_training_broken", **claim))
    if result.bare_columns:
        columns = ", ".join(str(column + 1) for column in result.bare_columns[:_MOST_NAMED])
        more = " …" if len(result.bare_columns) > _MOST_NAMED else ""
        lines.append(tell("finding_training_bare", columns=columns + more))
    right, low, high = (f"{100 * value:.1f}" for value in identification)
    lines.append(tell("finding_training_right", right=right, low=low, high=high))
    bounds = {"point": _down(result.clopper_pearson), "curve": _down(result.curve)}
    lines.append(tell("finding_training_bounds", **bounds))
    caught = result.caught_noise
    name = "changed" if config.changed else "nothing" if caught is None else "power"
    games = f"{result.counts.num_first:,}"
    lines.append(tell(f"finding_training_{name}", share=f"{100 * (caught or 0):.0f}", games=games))
    if not result.rejected_by:
        lies = tell.listed([tell(f"lie_{lie}") for lie in BEYOND[result.access]])
        lines.append(tell(f"finding_training_beyond_{result.access}", hidden=lies))
    if config.warnings:
        lines.append(tell("finding_central_delta"))
    return lines


def _down(value: float) -> str:
    return numbers.floored(value, 2)
