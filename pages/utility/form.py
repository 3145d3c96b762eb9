"""What ε costs: the settings of a federated training, its progress, and its curves."""

from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core._validate import limits
from ldp_core.randomness import streams
from ldp_core.studies.utility import workload as utility_plan
from ldp_core.studies.utility.measured import measured
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state.viewed import Start
from pages.widgets import inputs, outcome, sources, start, told, views

COST = "cost"
_OPEN = 9
"""Sentences that stand open: all."""


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the settings beside the result."""
    outcome.beside(t, manager, "utility", COST, _settings, _result, _measured)


def _settings(t: Words, manager: jobs.JobManager, job: Job | None) -> None:
    problem, config, source = "", None, dict[str, Any]()
    names = [name for name in t.DATASETS if name != "own"]
    try:
        epsilons = inputs.numbers(
            t, t.COST_EPSILONS, "cost_epsilons", "0.5, 1, 2, 4", float, inputs.epsilon_help(t.CMP_EPSILONS_HELP)
        )
        clients = inputs.integer(
            t, t.COST_CLIENTS, "cost_clients", *limits(UtilityConfig, "clients"), 10_000, t.COST_CLIENTS_HELP
        )
        rounds = inputs.integer(
            t, t.COST_ROUNDS, "cost_rounds", *limits(UtilityConfig, "rounds"), 20, t.COST_ROUNDS_HELP
        )
        repeats = inputs.integer(
            t, t.COST_REPEATS, "cost_repeats", *limits(UtilityConfig, "repeats"), 1, t.COST_REPEATS_HELP
        )
        texts = {name: t.DATASETS[name].title for name in names}
        dataset = inputs.select(t.COST_DATASET, "cost_dataset", texts, t.DATASET_HELP)
        source = sources.images_from(t, (dataset,), "cost_")
        seed = inputs.seed(t, t.SEED_HELP)
        seed = streams.fresh_seed() if seed is None else seed
        config = UtilityConfig(epsilons, seed, dataset, clients, rounds, repeats=repeats)
        utility_plan.check_size(config)
        seconds = utility_plan.utility_seconds(config, manager.values_per_second)
        st.caption(t.COST_PLAN.format(seconds=wording.duration(t, seconds)), help=t.PLAN_TIME_HELP)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    label = t.COST_RUN if job is None else t.COST_AGAIN
    begin = Start(config, source["data_dir"], source["download"], key=COST) if config else None
    start.button(t, manager, begin, label, "run_cost", problem=problem, type="primary", width="stretch")


def _measured(t: Words) -> None:
    """Show what was measured in advance, before anything is run."""
    terms.prose(t, t.COST_MEASURED.format(dataset=t.DATASETS[measured().config.dataset].title))
    told.show(t, measured(), _OPEN)


def _result(t: Words, result: UtilityResult) -> None:
    told.show(t, result, _OPEN)
