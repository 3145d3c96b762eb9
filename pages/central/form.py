"""The settings of an audit of DP-SGD, its progress, and what it found."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core._validate import limits
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.randomness import streams
from ldp_core.studies import study_of
from ldp_core.studies.central import chart, table
from ldp_core.studies.central.result import MODELS, CentralConfig, CentralResult
from ldp_core.studies.central.table import SHOWN
from ldp_core.words import Words
from pages import jobs
from pages.central import explained
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import settings
from pages.state.settings import Setting
from pages.state.viewed import Start
from pages.widgets import inputs, sources, stage, told, views

JOB = "central"
_LAW = Setting("central_law", False, lambda text: text == "1", lambda value: isinstance(value, bool), lambda value: "1")


def _law_box(t: Words, value: bool, **bound: Any) -> None:
    st.checkbox(t.CENTRAL_LAW, help=t.CENTRAL_LAW_HELP, **bound)


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the bar, and below it a run or what was measured in advance."""
    stage.show(t, manager, "central", JOB, _settings, _measured, _result)


def _settings(t: Words, manager: jobs.JobManager, job: Job | None) -> CentralConfig | None:
    problem, line, config, source, law = "", "", None, dict[str, Any](), False
    bar = stage.bar(t, (4, 3, 3))
    first, second, third = bar.controls
    try:
        with first:
            titles = {name: t.REPORT[f"adversary_{name}"] for name in reversed(ADVERSARIES)}
            adversary = inputs.select(t.CENTRAL_ADVERSARY, "central_adversary", titles, t.CENTRAL_ADVERSARY_HELP)
        with second:
            low, high = limits(CentralConfig, "epsilon")
            epsilon = inputs.number(t, t.CENTRAL_EPSILON, "central_epsilon", low, high, 4.0, t.CENTRAL_EPSILON_HELP)
        with third:
            models = {name: t.REPORT[f"model_{name}"] for name in MODELS}
            model = inputs.select(t.CENTRAL_MODEL, "central_model", models, t.CENTRAL_MODEL_HELP)
        with bar.more:
            games = inputs.integer(
                t, t.CENTRAL_GAMES, "central_games", *limits(CentralConfig, "games"), 500, t.CENTRAL_GAMES_HELP
            )
            if ADVERSARIES[adversary].exact:
                law = bool(_LAW.show(partial(_law_box, t)))
            names = {name: t.DATASETS[name].title for name in t.DATASETS if name != "own"}
            dataset = inputs.select(t.COST_DATASET, "central_dataset", names, t.DATASET_HELP)
            source = sources.images_from(t, (dataset,), "central_")
        seed = settings.held("seed")
        seed = streams.fresh_seed() if seed is None else int(seed)
        config = CentralConfig(
            adversary=adversary, seed=seed, epsilon=epsilon, model=model, games=games, law=law, dataset=dataset
        )
        study_of(config).check_size(config)
        played = wording.count(2 * (config.games + config.threshold_games))
        seconds = wording.duration(t, study_of(config).seconds(config, None))
        line = (t.CENTRAL_PLAN_LAW if law else t.CENTRAL_PLAN).format(seconds=seconds, models=played)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    begin = Start(config, source["data_dir"], source["download"], key=JOB) if config else None
    stage.action(t, manager, job, begin, t.CENTRAL_RUN, "run_central", bar, problem, line)
    return config


def _measured(t: Words) -> None:
    """Show where the attackers came to, as measured in advance, before anything is run."""
    explained.banner(t)
    if reached := table.reached(SHOWN.model, SHOWN.epsilon):
        plane = chart.claim_plane(SHOWN, reached, t.REPORT)
        views.chart(t, chart.claim_chart(plane, t.FIGURES), "central_measured", chart.claim_alt(plane, t.FIGURES))
        terms.prose(t, t.SPACE.join((t.CENTRAL_MEASURED, t.CENTRAL_MEASURED_NOTE)), small=True)
    told.tabs(t, why=partial(explained.why, t), numbers=partial(explained.numbers, t), first=2)


def _result(t: Words, result: CentralResult, keep: Callable[[], None]) -> None:
    why, numbers = partial(explained.why, t), partial(explained.numbers, t)
    told.show(t, result, keep, why=why, numbers=numbers)
