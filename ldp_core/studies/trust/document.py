"""The document of a run about whom one must trust."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.figures import ENGLISH, inline, paper
from ldp_core.presentation.report import count, exact
from ldp_core.studies.trust import told
from ldp_core.studies.trust.chart import views_alt, views_chart
from ldp_core.studies.trust.result import TrustResult
from ldp_core.studies.trust.told import promise, rows


def save(result: TrustResult, folder: Path, words: Mapping[str, str]) -> list[Path]:
    """Save the figure for print; none without a law."""
    drawn = rows(result)
    chart = partial(views_chart, drawn, promise(result.config))
    return paper.save_chart(chart, folder, "views", words=words or ENGLISH) if drawn else []


def finding(result: TrustResult, context: Context) -> list[str]:
    """Return what was measured, and both ends of what the others may do."""
    return told.finding(result, context.words, context.chart_words)


def parts(result: TrustResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    config, words = result.config, context.words
    run = words["run_trust"].format(
        games=count(result.counts.num_trials),
        attack=context.attack(config.attack),
        epsilon=exact(config.epsilon),
        view=words[f"trust_view_{config.view}"],
        others=words[f"trust_others_{config.others}"],
        clients=count(config.honest),
        dataset=context.dataset(config.dataset),
    )
    stopped = "" if result.completed else words["stopped_study"]
    drawn = rows(result)
    figures = []
    if drawn:
        alt = views_alt(drawn, promise(result.config), context.chart_words)
        described = partial(views_chart, drawn, promise(result.config))
        chart = inline.chart("views", described, alt, context.chart_words)
        figures.append(page.figure(words["chart_trust"], chart.svg, words["note_trust"]))
    settings = [
        (words["a_attack"], context.attack(config.attack)),
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_delta"], exact(config.delta)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_mechanism"], words[f"mechanism_{config.mechanism}"]),
        (words["trust_a_rule"], words[f"trust_rule_{config.rule}"]),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["trust_a_clients"], count(config.honest)),
        (words["trust_a_games"], count(config.games)),
        *context.basis([(config.dataset, result.data)]),
    ]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(figures)) if figures else "",
        _numbers(result, context),
        _promised(result, context),
        _claims(context),
        context.limits("limits_trust"),
        context.assumed(settings, result),
        context.repeat(record.command(config, result.device), (config.dataset,)),
    ]  # fmt: skip


def _numbers(result: TrustResult, context: Context) -> str:
    words = context.words
    head, rows = told.laws(result, words)
    table = context.table(words["numbers"], head, rows) if rows else ""
    return page.section(words["numbers"], context.facts(told.numbers(result, words)), table)


def _promised(result: TrustResult, context: Context) -> str:
    words = context.words
    note = page.paragraph(words["trust_bounds_note"])
    return page.section(words["trust_bounds"], note, context.facts(told.bounds(result, words)))


def _claims(context: Context) -> str:
    words = context.words
    head, rows = told.claimed(words)
    note = page.paragraph(words["trust_claims_note"])
    return page.section(words["trust_claims"], note, context.table(words["trust_claims"], head, rows))
