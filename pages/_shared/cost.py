"""What ε costs: the settings of a federated training, its progress, and its curves."""

from types import ModuleType
from typing import Any

import streamlit as st

from ldp_core import figures
from ldp_core._validate import limits
from ldp_core.studies import UtilityConfig, UtilityResult
from pages._shared import (
    compare_plan,
    jobs,
    plan,
    progress,
    settings,
    sources,
    takeaway,
    terms,
    viewed,
    views,
    widgets,
    wording,
)
from pages._shared.job import Job

COST = "cost"


def section(t: ModuleType, manager: jobs.JobManager) -> None:
    """Show the whole part of the page."""
    st.subheader(t.COST_TITLE)
    terms.prose(t, t.COST_LEAD)
    job, _ = viewed.find_job(manager, "utility", COST)
    left, right = st.columns([4, 8], gap="large")
    with left:
        _settings(t, manager, job)
    with right:
        if job is not None:
            _job(t, manager, job)


def _settings(t: ModuleType, manager: jobs.JobManager, job: Job | None) -> None:
    problem, config, source = "", None, dict[str, Any]()
    names = [name for name in t.DATASETS if name != "own"]
    try:
        epsilons = widgets.numbers(
            t, t.COST_EPSILONS, "cost_epsilons", "0.5, 1, 2, 4", float, widgets.epsilon_help(t.CMP_EPSILONS_HELP)
        )
        clients = widgets.integer(
            t.COST_CLIENTS, "cost_clients", *limits(UtilityConfig, "clients"), 10_000, 1_000, t.COST_CLIENTS_HELP
        )
        rounds = widgets.integer(
            t.COST_ROUNDS, "cost_rounds", *limits(UtilityConfig, "rounds"), 20, 5, t.COST_ROUNDS_HELP
        )
        texts = {name: t.DATASETS[name].title for name in names}
        dataset = widgets.select(t.COST_DATASET, "cost_dataset", texts, t.DATASET_HELP)
        source = sources.images_from(t, (dataset,), "cost_")
        seed = settings.held("seed")
        seed = plan.fresh_seed() if seed is None else int(seed)
        config = UtilityConfig(epsilons=epsilons, seed=seed, dataset=dataset, clients=clients, rounds=rounds)
        compare_plan.check_size(config)
        seconds = compare_plan.utility_seconds(config, manager.values_per_second)
        st.caption(t.COST_PLAN.format(seconds=wording.duration(t, seconds)), help=t.PLAN_TIME_HELP)
    except plan.TooLargeError as error:
        problem = views.problem_sentence(t, error)
    except ValueError as error:
        problem = str(error)
    label = t.COST_RUN if job is None else t.COST_AGAIN
    if st.button(label, key="run_cost", width="stretch", disabled=bool(problem)) and config is not None:
        try:
            viewed.start_job(manager, config, source["data_dir"], download=source["download"], key=COST)
            st.rerun()
        except jobs.QueueFullError:
            problem = t.QUEUE_FULL
    if problem:
        st.error(problem)


def _job(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
    if not job.finished:
        progress.watch(t, manager, job)
        st.fragment(lambda: _curves(t, job), run_every=2.0)()
    else:
        takeaway.opened_note(t, job)
        progress.left(t, job)
        _curves(t, job)
        if job.result is not None and job.result.curves[0].accuracy:
            takeaway.downloads(t, job)


def _curves(t: ModuleType, job: Job) -> None:
    result: UtilityResult | None = job.result
    if result is None or not result.curves[0].accuracy:
        return
    curves = [(curve.epsilon, curve.accuracy) for curve in result.curves]
    figure = figures.utility_figure(curves, t.FIGURES, result.config.rounds)
    views.chart(figure, "cost", figures.utility_alt(curves, t.FIGURES))
    config, rounds = result.config, result.curves[0].rounds
    items = [
        (t.COST_LAST_NONE if curve.epsilon is None else t.COST_LAST_ITEM).format(
            right=round(100 * curve.accuracy[-1]), epsilon=wording.number(curve.epsilon or 0.0)
        )
        for curve in result.curves
    ]
    terms.prose(t, t.COST_LAST.format(rounds=wording.several(t.ROUNDS_COUNT, rounds), items=t.COMMA.join(items)))
    if result.unlearned and rounds == config.rounds:  # before the end nobody knows whether it will learn
        epsilons = t.COMMA.join(map(wording.number, result.unlearned))
        terms.prose(t, t.COST_UNLEARNED.format(epsilons=epsilons, clients=wording.count(config.clients)))
    terms.prose(t, t.COST_NOTE.format(clients=wording.count(config.clients), seed=config.seed), small=True)
    if rounds:
        spent = result.curves[-1]
        terms.prose(
            t,
            t.COST_SPENT.format(
                rounds=wording.count(rounds),
                epsilon=wording.number(spent.epsilon or 0.0),
                spent=wording.number(spent.spent or 0.0),
            ),
        )
