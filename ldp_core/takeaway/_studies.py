"""The reports of a federated training and of a training path."""

import statistics

from ldp_core import studies, tables
from ldp_core.figures import inline
from ldp_core.studies import TrainingLevel, TrainingPathResult, UtilityCurve, UtilityResult, place
from ldp_core.takeaway import _page
from ldp_core.takeaway._context import Context, count, exact

PATH_EPSILON = 4.0
"""Epsilon of a path's map unless another one is asked for: the papers' largest, where lines lie closest."""


def finding(result: UtilityResult | TrainingPathResult, context: Context) -> list[str]:
    """Return what a study found, in one sentence; none before there is something to say."""
    if isinstance(result, UtilityResult):
        return [chart.alt for chart in _charts(result, context)]
    whole = [level for level in result.levels if min(level.made.values()) == result.config.num_measurements]
    if len(whole) < 2:
        return [chart.alt for chart in _charts(result, context)]
    first, last, attack = whole[0], whole[-1], result.config.attacks[0]
    ends = [_mean(level, attack, result.config.clip_norm) for level in (first, last)]
    if ends[0] is None or ends[1] is None:
        return []
    return [
        context.words["finding_path"].format(
            before=round(100 * first.accuracy),
            after=round(100 * last.accuracy),
            attack=context.attack(attack),
            first_angle=round(ends[0][0]),
            first_norm=f"{ends[0][1]:.2f}",
            last_angle=round(ends[1][0]),
            last_norm=f"{ends[1][1]:.2f}",
        )
    ]


def utility_parts(result: UtilityResult, context: Context) -> list[str]:
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
    drawn = [_page.figure(words["chart_utility"], chart.svg, words["note_utility"]) for chart in charts]
    rows = [
        (words["a_epsilon"], context.listed([exact(value) for value in config.epsilons])),
        (words["a_delta"], words["delta_zero"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_mechanism"], words["mechanism_ldp-sgd"]),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_clients"], count(config.clients)),
        (words["a_rounds"], count(config.rounds)),
        (words["a_learning_rate"], exact(config.learning_rate)),
        (words["a_radius"], exact(config.radius)),
    ]
    return [
        _page.section(words["run"], _page.paragraph(run), _page.paragraph(stopped)),
        _page.section(words["charts"], _page.charts(drawn)),
        _accuracies(result, context),
        context.limits("limits_utility"),
        context.assumed(
            rows, seed=config.seed, completed=result.completed, seconds=result.seconds, device=None,
            versions=result.versions,
        ),
        context.repeat(studies.command(config), (config.dataset,)),
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
        rows.append([words["spent"], *("–" if curve.spent is None else exact(curve.spent) for curve in result.curves)])
    return context.table_section("numbers", words["chart_utility"], head, rows)


def _name(curve: UtilityCurve, context: Context) -> str:
    return context.words["no_privacy"] if curve.epsilon is None else f"ε = {exact(curve.epsilon)}"


def _accuracy(curve: UtilityCurve, number: int) -> str:
    return f"{100 * curve.accuracy[number]:.1f}" if number < len(curve.accuracy) else ""


def path_parts(result: TrainingPathResult, context: Context) -> list[str]:
    """Return the sections of a training path that follow its finding."""
    config, words = result.config, context.words
    attacks = context.listed([context.attack(name) for name in config.attacks])
    run = words["run_path"].format(
        levels=context.several("levels", len(result.levels)),
        pairs=context.several("pairs", config.num_measurements),
        attacks=attacks,
        dataset=context.dataset(config.dataset),
    )
    title = words["chart_map"].format(epsilon=exact(context.epsilon or PATH_EPSILON))
    note = words["note_map_path"].format(most=inline.MOST_PAIRS)
    drawn = [_page.figure(title, chart.svg, note) for chart in _charts(result, context)]
    rows = [
        (words["a_attack"], attacks),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_passes"], context.listed([str(value) for value in config.passes])),
        (words["a_measurements"], count(config.num_measurements)),
    ]
    stopped = "" if result.completed else words["stopped_study"]
    return [
        _page.section(words["run"], _page.paragraph(run), _page.paragraph(stopped)),
        _page.section(words["charts"], _page.charts(drawn)),
        _places(result, context),
        context.limits("limits_path"),
        context.assumed(
            rows, seed=config.seed, completed=result.completed, seconds=result.seconds, device=None,
            versions=result.versions,
        ),
        context.repeat(studies.command(config), (config.dataset,)),
    ]  # fmt: skip


def _places(result: TrainingPathResult, context: Context) -> str:
    """Return the mean place of each attack's pairs at each level."""
    config, words = result.config, context.words
    rows = []
    for level in result.levels:
        row = [str(level.passes), f"{100 * level.accuracy:.1f}"]
        for attack in config.attacks:
            mean = _mean(level, attack, config.clip_norm)
            row.append("–" if mean is None else f"{mean[0]:.0f}°, {mean[1]:.2f}")
        rows.append(row)
    head = [words["level_passes"], words["level_right"], *(context.attack(name) for name in config.attacks)]
    return context.table_section("numbers", words["table_path"], head, rows)


def _mean(level: TrainingLevel, attack: str, clip_norm: float) -> tuple[float, float] | None:
    """Return the mean angle and clipped norm of an attack's pairs at a level; None without any."""
    found = [place(pair, clip_norm) for pair in level.pairs[attack]]
    if not found:
        return None
    return statistics.fmean(angle for angle, _ in found), statistics.fmean(norm for _, norm in found)


def _charts(result: UtilityResult | TrainingPathResult, context: Context) -> list[inline.Chart]:
    if isinstance(result, UtilityResult):
        curves = [(curve.epsilon, curve.accuracy) for curve in result.curves]
        return inline.utility_charts(curves, context.chart_words)
    epsilon, clip_norm = context.epsilon or PATH_EPSILON, result.config.clip_norm
    steps = [tables.level_points(level, epsilon, clip_norm) for level in result.levels]
    return inline.path_charts(epsilon, clip_norm, steps, context.chart_words)
