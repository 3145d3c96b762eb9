"""The document of an audit of DP-SGD, and its figures for print."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.documents.words import WORDS
from ldp_core.presentation.figures import ENGLISH, inline, paper
from ldp_core.presentation.report import count, exact
from ldp_core.studies.central.chart import claim_alt, claim_chart
from ldp_core.studies.central.result import CentralResult, claimed
from ldp_core.studies.central.text import plane


def parts(result: CentralResult, context: Context) -> list[str]:
    """Return the sections of an audit that follow its finding."""
    config, words = result.config, context.words
    run = words["run_central_law" if config.law else "run_central"].format(
        adversary=words[f"adversary_{config.adversary}"],
        games=count(config.games),
        others=count(config.threshold_games),
        model=words[f"model_{config.model}"],
        records=count(config.records),
        steps=count(config.steps),
        rate=exact(config.sampling_rate),
        dataset=context.dataset(config.dataset),
    )
    drawn = []
    if result.counts.num_trials:
        shown = plane(config, {config.adversary: result.counts}, words)
        alt = claim_alt(shown, context.chart_words)
        chart = inline.chart("central", partial(claim_chart, shown), alt, context.chart_words)
        drawn.append(page.figure(words["chart_central"], chart.svg, words["note_central"]))
    trained = [
        (words["a_central_model"], words[f"model_{config.model}"]),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_records"], count(config.records)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_learning_rate"], exact(config.learning_rate)),
    ]
    rows = [
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_delta"], exact(config.delta)),
        (words["a_central_noise"], context.listed([exact(claimed(config).noise), exact(config.noise_factor)])),
        (words["a_sampling_rate"], exact(config.sampling_rate)),
        (words["a_central_steps"], count(config.steps)),
        (words["a_adversary"], words[f"adversary_{config.adversary}"]),
        (words["a_central_rule"], words[f"look_{config.distinguisher}"]),
        (words["a_games"], count(config.games)),
        (words["a_threshold_games"], count(config.threshold_games)),
        *([] if config.law else trained),
    ]
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)) if drawn else "",
        _counts(result, context),
        context.limits("limits_central"),
        context.assumed(rows, result),
        context.repeat(record.command(config, result.device), ("digits",) if config.law else (config.dataset,)),
    ]  # fmt: skip


def save(result: CentralResult, folder: Path, words: Mapping[str, str] = ENGLISH) -> list[Path]:
    """Save the claimed curve with what was reached, and return the files."""
    shown = plane(result.config, {result.config.adversary: result.counts}, WORDS)
    return paper.save_chart(partial(claim_chart, shown), folder, "central", words=words)


def _counts(result: CentralResult, context: Context) -> str:
    words, counts = context.words, result.counts
    if not counts.num_trials:
        return ""
    head = ["", words["central_guessed_in"], words["central_guessed_out"]]
    rows = [
        [words["central_in"], count(counts.first_as_first), count(counts.first_as_second)],
        [words["central_out"], count(counts.second_as_first), count(counts.second_as_second)],
    ]
    return context.table_section("counts", "", head, rows)
