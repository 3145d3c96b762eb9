"""What ε costs: the settings of a federated training, its progress, and its curves."""

from typing import Any

import streamlit as st

from ldp_core import record, workload
from ldp_core._validate import limits
from ldp_core.presentation import figures
from ldp_core.randomness import streams
from ldp_core.studies.utility import workload as utility_plan
from ldp_core.studies.utility.measured import chance_sentence, drawn, measured
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state.viewed import Start
from pages.widgets import inputs, outcome, sources, start, views

COST = "cost"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the settings beside the result."""
    outcome.beside(t, manager, "utility", COST, _settings, _curves, _measured)


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


def so_far_alt(t: Words, result: UtilityResult) -> str:
    """Return what the picture of ``so_far`` shows; "" before the first round."""
    curves = drawn(result)
    return figures.utility_alt(curves, t.FIGURES) if curves else ""


def so_far(t: Words, result: UtilityResult) -> str:
    """Return the curves so far, drawn."""
    from ldp_core.presentation.figures import inline

    return next((chart.svg for chart in inline.utility_charts(drawn(result), t.FIGURES, result.config.rounds)), "")


def _measured(t: Words) -> None:
    """Show what was measured in advance, before anything is run."""
    result = measured()
    dataset = t.DATASETS[result.config.dataset].title
    terms.prose(t, t.COST_MEASURED.format(dataset=dataset))
    _curves(t, result)
    with st.expander(t.COST_COMMAND):
        st.code(record.command(result.config), language="bash", wrap_lines=True)


def _curves(t: Words, result: UtilityResult) -> None:
    curves = drawn(result)
    figure = figures.utility_figure(curves, t.FIGURES, result.config.rounds)
    views.chart(t, figure, "cost", figures.utility_alt(curves, t.FIGURES))
    config, rounds = result.config, result.curves[0].rounds
    items = [
        (t.COST_LAST_NONE if curve.epsilon is None else t.COST_LAST_ITEM).format(
            right=round(100 * curve.accuracy[-1]), epsilon=wording.number(curve.epsilon or 0.0)
        )
        for curve in result.curves
    ]
    if rounds:
        terms.prose(t, t.COST_LAST.format(rounds=wording.several(t.ROUNDS_COUNT, rounds), items=t.COMMA.join(items)))
    if result.unlearned and rounds == config.rounds:  # before the end nobody knows whether it will learn
        epsilons = t.COMMA.join(map(wording.number, result.unlearned))
        terms.prose(t, t.COST_UNLEARNED.format(epsilons=epsilons, clients=wording.count(config.clients)))
    note = t.COST_NOTE.format(clients=wording.count(config.clients))
    terms.prose(t, f"{note} {chance_sentence(result, t.REPORT)}", small=True)
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
    views.limits(t, t.REPORT["limits"], t.REPORT["limits_utility"].split("\n"))
