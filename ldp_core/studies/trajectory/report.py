"""Where pairs lie as the model learns."""

import statistics
from functools import partial

from ldp_core.presentation.figures.mapping import MOST_PAIRS, few, map_alt, map_chart
from ldp_core.presentation.report import Chart, Report, Section, Table, Teller, exact
from ldp_core.presentation.tables import PairPoint, place, predicted
from ldp_core.statistics.intervals import Interval
from ldp_core.studies.trajectory.result import TrainingLevel, TrainingPathResult

PATH_EPSILON = 4.0
"""Epsilon of the map unless another one is asked for: the papers' largest, where lines lie closest."""


def report(result: TrainingPathResult, tell: Teller) -> Report:
    """Tell how the first attack's pairs moved, and where those of all lie at each level."""
    config, charts = result.config, _charts(result, tell)
    ran = tell(
        "run_path",
        levels=tell.plural("levels", len(result.levels)),
        pairs=tell.plural("pairs", config.num_measurements),
        attacks=tell.value("attacks", config.attacks),
        dataset=tell.dataset(config.dataset),
    )
    rows = [[_level(level, result, tell), *_cells(level, result, tell)] for level in result.levels]
    head = [tell("level_passes"), tell("level_right"), *map(tell.attack, config.attacks)]
    table = Table(tell("numbers"), head, rows, tell("table_path"))
    sentences = _sentences(result, charts, tell)
    if result.levels and (fewest := min(result.levels[-1].made.values())) < config.num_measurements:
        sentences.append(tell("path_cut", fewest=fewest))
    return Report(sentences, ran, [Section(tell("charts"), charts), Section(tell("numbers"), [table])])


def _sentences(result: TrainingPathResult, charts: list[Chart], tell: Teller) -> list[str]:
    """Return what the path shows; none before there is something to say."""
    whole = [level for level in result.levels if min(level.made.values()) == result.config.num_measurements]
    if len(whole) < 2:
        return [chart.alt for chart in charts]
    first, last, attack = whole[0], whole[-1], result.config.attacks[0]
    ends = [_mean(level, attack, result.config.clip_norm) for level in (first, last)]
    if ends[0] is None or ends[1] is None:
        return []
    return [
        tell(
            "finding_path",
            before=round(100 * first.accuracy),
            after=round(100 * last.accuracy),
            attack=tell.attack(attack),
            first_angle=round(ends[0][0]),
            first_norm=f"{ends[0][1]:.2f}",
            last_angle=round(ends[1][0]),
            last_norm=f"{ends[1][1]:.2f}",
        )
    ]


def _charts(result: TrainingPathResult, tell: Teller) -> list[Chart]:
    """Return the map with the pairs of the last level in full, and those of earlier ones faded."""
    epsilon, clip_norm = tell.epsilon or PATH_EPSILON, result.config.clip_norm
    steps = [few(level_points(level, epsilon, clip_norm)) for level in result.levels]
    if not any(steps):
        return []
    describe = partial(map_chart, epsilon, clip_norm, steps[-1], trail=steps[:-1])
    alt, note = map_alt(epsilon, steps[-1], tell.chart_words), tell("note_map_path", most=MOST_PAIRS)
    return [Chart("training-path", tell("chart_map", epsilon=exact(epsilon)), describe, alt, note)]


def _level(level: TrainingLevel, result: TrainingPathResult, tell: Teller) -> str:
    passes = str(level.passes)
    return tell("level_light", passes=passes) if level.passes == result.light_passes else passes


def _cells(level: TrainingLevel, result: TrainingPathResult, tell: Teller) -> list[str]:
    cells = [f"{100 * level.accuracy:.1f}"]
    for attack in result.config.attacks:
        mean = _mean(level, attack, result.config.clip_norm)
        missing = "–" if level.made[attack] else tell("path_not_made")
        cells.append(missing if mean is None else f"{mean[0]:.0f}°, {mean[1]:.2f}")
    return cells


def _mean(level: TrainingLevel, attack: str, clip_norm: float) -> tuple[float, float] | None:
    """Return the mean angle and clipped norm of an attack's pairs at a level; None without any."""
    places = [place(pair, clip_norm) for pair in level.pairs[attack]]
    if not places:
        return None
    return statistics.fmean(angle for angle, _ in places), statistics.fmean(norm for _, norm in places)


def level_points(level: TrainingLevel, epsilon: float, clip_norm: float) -> tuple[PairPoint, ...]:
    """Return the pairs of a level of training, each where the exact law puts it; nothing was measured.

    ``level``: of a training path; ``clip_norm``: clipping norm L of the path.
    """
    unknown = Interval(0.5, 0.5, 0.5)
    places = [(attack, *place(pair, clip_norm)) for attack, pairs in level.pairs.items() for pair in pairs]
    return tuple(
        predicted(PairPoint(attack, epsilon, angle, norm / clip_norm, unknown, None), epsilon)
        for attack, angle, norm in places
    )
