"""The document of a federated training."""

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context, count, exact
from ldp_core.presentation.figures import inline
from ldp_core.studies.utility.measured import chance_sentence, drawn
from ldp_core.studies.utility.result import UtilityCurve, UtilityResult


def finding(result: UtilityResult, context: Context) -> list[str]:
    """Return what the chart shows, in one sentence; none before there is something to say."""
    return [chart.alt for chart in _charts(result, context)]


def parts(result: UtilityResult, context: Context) -> list[str]:
    """Return the sections of a training that follow its finding."""
    config, words = result.config, context.words
    run = words["run_utility"].format(
        rounds=context.several("rounds", result.curves[0].rounds),
        clients=context.several("clients", config.clients),
        epsilons=context.listed([exact(value) for value in config.epsilons]),
        dataset=context.dataset(config.dataset),
    )
    stopped = "" if result.completed else words["stopped_study"]
    charts = _charts(result, context)
    drawn = [page.figure(words["chart_utility"], chart.svg, chance_sentence(result, words)) for chart in charts]
    rows = [
        (words["a_epsilon"], context.listed([exact(value) for value in config.epsilons])),
        (words["a_delta"], words["delta_zero"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_mechanism"], words["mechanism_ldp-sgd"]),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_clients"], count(config.clients)),
        (words["a_rounds"], count(config.rounds)),
        (words["a_repeats_utility"], count(config.repeats)),
        (words["a_learning_rate"], exact(config.learning_rate)),
        (words["a_radius"], exact(config.radius)),
    ]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)),
        _accuracies(result, context),
        context.limits("limits_utility"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
    ]  # fmt: skip


def _accuracies(result: UtilityResult, context: Context) -> str:
    """Return the right labels of nine rounds or so, and what was spent."""
    words, rounds = context.words, result.curves[0].rounds
    shown = sorted({*range(0, rounds + 1, max(1, rounds // 8)), rounds})
    head = [words["round"], *(_name(curve, context) for curve in result.curves)]
    rows = [
        [str(number), *(_accuracy(curve, number) for curve in result.curves)]
        for number in shown
        if any(number < len(curve.accuracy) for curve in result.curves)
    ]
    if rows:
        if result.config.repeats > 1:
            ends = [f"{100 * curve.lowest[-1]:.1f}–{100 * curve.highest[-1]:.1f}" for curve in result.curves]
            rows.append([words["range_at_end"], *ends])
        rows.append([words["spent"], *("–" if curve.spent is None else exact(curve.spent) for curve in result.curves)])
    return context.table_section("numbers", words["chart_utility"], head, rows)


def _name(curve: UtilityCurve, context: Context) -> str:
    return context.words["no_privacy"] if curve.epsilon is None else f"ε = {exact(curve.epsilon)}"


def _accuracy(curve: UtilityCurve, number: int) -> str:
    return f"{100 * curve.accuracy[number]:.1f}" if number < len(curve.accuracy) else ""


def _charts(result: UtilityResult, context: Context) -> list[inline.Chart]:
    return inline.utility_charts(drawn(result), context.chart_words)
