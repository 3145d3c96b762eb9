"""The document of a training path."""

import statistics

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.figures import inline
from ldp_core.presentation.report import count, exact
from ldp_core.presentation.tables import place
from ldp_core.studies.trajectory.places import level_points
from ldp_core.studies.trajectory.result import TrainingLevel, TrainingPathResult
from ldp_core.studies.trajectory.study import PATH_EPSILON


def finding(result: TrainingPathResult, context: Context) -> list[str]:
    """Return what the path shows, in one sentence; none before there is something to say."""
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


def parts(result: TrainingPathResult, context: Context) -> list[str]:
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
    drawn = [page.figure(title, chart.svg, note) for chart in _charts(result, context)]
    rows = [
        (words["a_attack"], attacks),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_passes"], context.listed([str(value) for value in config.passes])),
        (words["a_measurements"], count(config.num_measurements)),
    ]
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)),
        _places(result, context),
        context.limits("limits_path"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
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


def _charts(result: TrainingPathResult, context: Context) -> list[inline.Chart]:
    epsilon, clip_norm = context.epsilon or PATH_EPSILON, result.config.clip_norm
    steps = [level_points(level, epsilon, clip_norm) for level in result.levels]
    return inline.path_charts(epsilon, clip_norm, steps, context.chart_words)
