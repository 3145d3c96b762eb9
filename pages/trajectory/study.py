"""Where pairs wander as the model learns: a section of the page that compares."""

from functools import partial

import streamlit as st

from ldp_core.presentation import figures, tables
from ldp_core.presentation.tables import PairPoint
from ldp_core.studies.trajectory.report import level_points
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.registry import StudyPage
from pages.state import current_run
from pages.state.current_run import Start
from pages.state.look import ComparisonView
from pages.widgets import downloads, inputs, progress, sources, start, views

PATH = "path"
MOST_PAIRS = 20
_TRAIL = 4


def path_job(manager: jobs.JobManager) -> Job | None:
    return current_run.find_job(manager, "path", PATH)[0]


def show(look: ComparisonView) -> None:
    """Show the map at any ε, with the measured pairs or with those at a level of training."""
    t, result, epsilon = look.t, look.result, look.epsilon
    terms.prose(t, t.TITLED.format(title=t.CMP_MAP_TITLE, text=t.CMP_MAP_NOTE))
    steps = sorted({*inputs.STEPS, *result.config.epsilons})
    if st.session_state.get("map_from") != epsilon:  # another ε was picked above
        st.session_state["map_from"] = st.session_state["map_epsilon"] = epsilon
    shown = st.select_slider(t.CMP_MAP_EPSILON, steps, format_func=partial(wording.label, t), key="map_epsilon")
    chart, below = st.container(), st.container()
    with below:
        level = _path(look)
    with chart:
        if level is None:
            measured = shown in result.config.epsilons
            points = tables.pair_points(result, look.dataset, shown if measured else epsilon, look.view)
            if not measured:
                points = tuple(tables.predicted(point, shown) for point in points)
                terms.prose(t, t.CMP_MAP_OTHER, small=True)
            trail: list[tuple[PairPoint, ...]] = []
            clip_norm = result.config.clip_norm
        else:
            path, index = level
            clip_norm = path.config.clip_norm
            points = level_points(path.levels[index], shown, clip_norm)
            trail = [
                level_points(past_level, shown, clip_norm) for past_level in path.levels[max(0, index - _TRAIL) : index]
            ]
        views.chart(
            t,
            figures.map_chart(shown, clip_norm, points, t.FIGURES, trail),
            "map",
            figures.map_alt(shown, points, t.FIGURES),
        )
        if hidden := tables.piled(points):
            st.caption(wording.piled(t, hidden))
        if tables.full_length(points):
            terms.prose(t, t.CMP_MAP_FULL, small=True)
        if level is None and shown in result.config.epsilons:
            terms.prose(t, t.CMP_BASIS_MAP.format(trials=wording.count(result.config.num_trials)), small=True)


def _path(look: ComparisonView) -> tuple[TrainingPathResult, int] | None:
    """Show the button that starts a training path, its progress, or the slider over its levels."""
    t, manager, job, result, dataset = look.t, look.manager, look.job, look.result, look.dataset
    path = path_job(manager)
    if path is not None and path.config.dataset == dataset and path.config.attacks == tables.attacks_of(result):
        if path.state == "failed":
            st.error(wording.failure(t, path.error))
        path_result: TrainingPathResult | None = path.result
        if not path.finished:
            progress.watch(t, manager, path)
        if path_result is not None and path_result.levels:
            index = _level(t, path_result)
            if path.finished:
                downloads.downloads(t, path)
            return path_result, index
        if not path.finished:
            return None
    if dataset == "own" and job.data_dir is None:
        terms.prose(t, t.CMP_PATH_OWN, small=True)
        return None
    config = TrainingPathConfig(
        attacks=tables.attacks_of(result),
        seed=result.config.seed,
        dataset=dataset,
        num_measurements=min(MOST_PAIRS, max(10, result.config.num_measurements)),
        clip_norm=result.config.clip_norm,
    )
    begin = Start(config, job.data_dir, sources.allowed(config), key=PATH)
    start.button(t, manager, begin, t.CMP_PATH_BUTTON, "path_button", help=t.CMP_PATH_HELP)
    return None


def _level(t: Words, path: TrainingPathResult) -> int:
    passes = [level.passes for level in path.levels]
    if len(passes) == 1:
        return 0
    if st.session_state.get("path_level") not in passes:
        st.session_state["path_level"] = passes[0]
    chosen = st.select_slider(t.CMP_PATH_LEVEL, passes, key="path_level")
    index = passes.index(chosen)
    level = path.levels[index]
    passed = wording.plural(t.CMP_PATH_PASSES, level.passes)
    terms.prose(t, t.CMP_PATH_NOTE.format(passes=passed, right=round(100 * level.accuracy)), small=True)
    return index


def opened(t: Words, manager: jobs.JobManager) -> None:
    """Show a training path from a file, which has no comparison to stand in."""
    job = path_job(manager)
    if job is None or not job.opened or not job.result.levels:
        return
    st.subheader(t.OPENED_PATH)
    downloads.opened_note(t, job)
    config = job.config
    epsilon = inputs.PAPERS[-1]
    steps = [level_points(level, epsilon, config.clip_norm) for level in job.result.levels]
    figure = figures.map_chart(epsilon, config.clip_norm, steps[-1], t.FIGURES, steps[:-1])
    views.chart(t, figure, "opened_path", figures.map_alt(epsilon, steps[-1], t.FIGURES))
    downloads.downloads(t, job)


PAGE = StudyPage(key=PATH, place="compare", sections={"map": show}, ends=opened)
