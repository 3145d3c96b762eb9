"""What ε costs: the settings of a federated training, its progress, and its curves."""

from functools import partial
from typing import Any

from ldp_core import record, workload
from ldp_core.studies import study_of
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.registry import StudyPage, plain_row
from pages.state.current_run import Start
from pages.widgets import inputs, sources, stage, told, views

COST = "cost"
_OPEN = 3
"""Sentences that stand open."""


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the bar, and below it a run or what was measured in advance."""
    stage.show(t, manager, "utility", COST, _settings, _measured, partial(told.show, open_ones=_OPEN))


def _settings(t: Words, manager: jobs.JobManager, job: Job | None) -> UtilityConfig | None:
    problem, line, config, source = "", "", None, dict[str, Any]()
    bar = stage.bar(t, (4, 3, 2))
    left, middle, right = bar.controls
    try:
        with left:
            epsilons = inputs.numbers(
                t, t.COST_EPSILONS, "cost_epsilons", "0.5, 1, 2, 4", float, inputs.epsilon_help(t.CMP_EPSILONS_HELP)
            )
        with middle:
            clients = _whole(t, "clients", t.COST_CLIENTS, 10_000, t.COST_CLIENTS_HELP)
        with right:
            rounds = _whole(t, "rounds", t.COST_ROUNDS, 20, t.COST_ROUNDS_HELP)
        with bar.more:
            repeats = _whole(t, "repeats", t.COST_REPEATS, 1, t.COST_REPEATS_HELP)
            dataset = inputs.select(t.COST_DATASET, "cost_dataset", inputs.titles(t.DATASETS), t.DATASET_HELP)
            source = sources.images_from(t, (dataset,), "cost_")
            seed = inputs.fresh_or_given(t)
        config = UtilityConfig(epsilons, seed, dataset, clients, rounds, repeats=repeats)
        study_of(config).check_size(config)
        seconds = study_of(config).seconds(config, manager.values_per_second)
        line = t.COST_PLAN.format(seconds=wording.duration(t, seconds))
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    begin = Start(config, **source, key=COST) if config else None
    stage.action(t, manager, job, begin, t.COST_RUN, "run_cost", bar, problem, line)
    return config


def _whole(t: Words, field: str, label: str, usual: int, text: str) -> int:
    return int(inputs.of_field(t, label, UtilityConfig, field, text, usual, f"cost_{field}"))


def _measured(t: Words) -> None:
    """Show what was measured in advance, before anything is run."""
    known = record.measured(UtilityResult)
    terms.prose(t, t.COST_MEASURED.format(dataset=t.DATASETS[known.config.dataset].title), small=True)
    told.show(t, known, open_ones=_OPEN)


_ROW = plain_row(lambda t, job: str(t.DATASETS[job.config.dataset].title))
PAGE = StudyPage(key=COST, title="NAV_UTILITY", row=_ROW)
