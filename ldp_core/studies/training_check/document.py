"""The document of a check of a training function."""

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.report import count, exact
from ldp_core.studies.training_check.result import TrainingCheckResult


def parts(result: TrainingCheckResult, context: Context) -> list[str]:
    """Return the sections of a check that follow its finding."""
    config, words, counts = result.config, context.words, result.counts
    run = words["run_training"].format(
        games=count(config.games),
        others=count(config.threshold_games),
        canary=words[f"canary_{result.canary}"],
        rule=words[f"look_{result.rule}"],
        access=words[f"access_{result.access}"],
    )
    head = ["", words["central_guessed_in"], words["central_guessed_out"]]
    table = [
        [words["central_in"], count(counts.first_as_first), count(counts.first_as_second)],
        [words["central_out"], count(counts.second_as_first), count(counts.second_as_second)],
    ]
    rows = [
        (words["a_training"], config.subject),
        (words["a_training_noise"], exact(config.noise)),
        (words["a_sampling_rate"], exact(config.sampling_rate)),
        (words["a_central_steps"], count(config.steps)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_delta"], exact(config.delta)),
        (words["a_records"], count(config.records)),
        (words["a_games"], count(config.games)),
        (words["a_threshold_games"], count(config.threshold_games)),
    ]
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        context.table_section("counts", "", head, table) if counts.num_trials else "",
        context.limits("limits_training"),
        context.assumed(rows, result),
        context.repeat(record.command(config), ()),
    ]  # fmt: skip
