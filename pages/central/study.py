"""The settings of an audit of DP-SGD, its progress, and what it found."""

from functools import partial
from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.statistics import theory
from ldp_core.studies import study_of
from ldp_core.studies.central import chart, table
from ldp_core.studies.central.result import MODELS, CentralConfig, CentralResult, ceilings, claimed
from ldp_core.studies.central.table import SHOWN
from ldp_core.studies.training_check.faulty_trainings import FAULTY_TRAININGS
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state.current_run import Start
from pages.state.settings import Setting
from pages.widgets import inputs, sources, stage, tables, told, views


def banner(t: Words) -> None:
    """Say that this is another epsilon than a device's, with the two numbers that would be confused."""
    shown = (table.SHOWN.model, table.SHOWN.epsilon)
    ceiling = max(row.ceiling for row in table.measured() if (row.model, row.epsilon) == shown)
    local = wording.at_most(t, theory.worst_case_identification(table.SHOWN.epsilon))
    values = {"epsilon": wording.number(table.SHOWN.epsilon), "ceiling": wording.at_most(t, ceiling)}
    told.verdict(t, [t.CENTRAL_BANNER.format(local=local, **values)], headline=False)


def why(t: Words) -> None:
    """Show who must cheat and what each can reach, and why this epsilon is not the device's."""
    shown = (table.SHOWN.model, table.SHOWN.epsilon)
    reached = {row.adversary: row for row in table.measured() if (row.model, row.epsilon) == shown}
    names = list(ADVERSARIES)
    for row in (names[:3], names[3:]):
        for name, column in zip(row, st.columns(3), strict=True):
            with column, st.container(border=True, height="stretch"):
                number = names.index(name) + 1
                terms.prose(t, f"**{number}. {t.REPORT[f'adversary_{name}']}**\n\n{t.CENTRAL_WHO[name]}")
                measurement = reached.get(name)
                st.caption(
                    t.CENTRAL_CARD_NONE if measurement is None else t.CENTRAL_CARD.format(**_shares(measurement))
                )
    st.markdown(f"**{t.CENTRAL_LOCAL_TITLE}**")
    terms.prose(t, t.CENTRAL_LOCAL)
    st.table(tables.columns(t, t.CENTRAL_BESIDE[0], t.CENTRAL_BESIDE[1:]))


def numbers(t: Words) -> None:
    """Show, folded, the table that was measured in advance, the paper's figures, and the cabinet of liars."""
    measured(t)
    paper(t)
    liars(t)


def measured(t: Words) -> None:
    """Show the table that was measured in advance."""
    rows = table.measured()
    with st.expander(t.CENTRAL_TABLE_TITLE):
        terms.prose(t, t.CENTRAL_TABLE_NOTE.format(games=wording.count(rows[0].games)))
        cells = [
            (
                t.REPORT[f"adversary_{row.adversary}"],
                t.REPORT[f"model_{row.model}"],
                wording.number(row.epsilon),
                t.CENTRAL_RANGE.format(
                    **{name if name != "right" else "point": value for name, value in _shares(row).items()}
                ),
                f"{100 * row.ceiling:.1f}",
                wording.floor_number(row.clopper_pearson),
                wording.floor_number(row.curve),
            )
            for row in rows
        ]
        st.dataframe(tables.columns(t, t.CENTRAL_TABLE_COLUMNS, cells), hide_index=True)
        st.caption(t.CENTRAL_TABLE_REPEAT)
        st.code(table.COMMAND, language="sh", wrap_lines=True)


def paper(t: Words) -> None:
    """Show the paper's figures beside ours, what differs, and where notes on it mislead."""
    cells = [
        (
            t.REPORT[f"adversary_{name}"],
            wording.number(epsilon),
            data or "–",
            f"{shown:g}",
            wording.floor_number(row.clopper_pearson),
            wording.floor_number(row.curve),
        )
        for name, epsilon, data, shown, row in table.beside_paper(table.SHOWN.model)
    ]
    with st.expander(t.CENTRAL_PAPER_TITLE):
        terms.prose(t, t.CENTRAL_PAPER.format(games=wording.count(table.GAMES)))
        st.table(tables.columns(t, t.CENTRAL_PAPER_COLUMNS, cells))
        terms.prose(t, t.CENTRAL_PAPER_MOST)
    with st.expander(t.CENTRAL_SLIPS_TITLE):
        terms.prose(t, "\n\n".join(t.CENTRAL_SLIPS.split("\n")))


def liars(t: Words) -> None:
    """Show the cabinet of training functions that cheat, with how many trainings catch each."""
    with st.expander(t.CENTRAL_LIARS_TITLE):
        terms.prose(t, t.CENTRAL_LIARS_NOTE)
        cells = [(t.CENTRAL_LIARS[name], name, wording.count(liar.games)) for name, liar in FAULTY_TRAININGS.items()]
        st.table(tables.columns(t, t.CENTRAL_LIARS_COLUMNS, cells))


def _shares(row: table.Row) -> dict[str, str]:
    return {name: f"{100 * value:.0f}" for name, value in (("right", row.right), ("low", row.low), ("high", row.high))}


JOB = "central"
_LAW = Setting("central_law", False, lambda text: text == "1", lambda value: isinstance(value, bool), lambda value: "1")


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
            given = t.CENTRAL_EPSILON_HELP, 4.0, "central_epsilon"
            epsilon = inputs.of_field(t, t.CENTRAL_EPSILON, CentralConfig, "epsilon", *given)
        with third:
            models = {name: t.REPORT[f"model_{name}"] for name in MODELS}
            model = inputs.select(t.CENTRAL_MODEL, "central_model", models, t.CENTRAL_MODEL_HELP)
        with bar.more:
            given = t.CENTRAL_GAMES_HELP, 500, "central_games"
            games = inputs.of_field(t, t.CENTRAL_GAMES, CentralConfig, "games", *given)
            if ADVERSARIES[adversary].exact:
                law = bool(
                    _LAW.show(lambda value, **bound: st.checkbox(t.CENTRAL_LAW, help=t.CENTRAL_LAW_HELP, **bound))
                )
            names = {name: t.DATASETS[name].title for name in t.DATASETS if name != "own"}
            dataset = inputs.select(t.COST_DATASET, "central_dataset", names, t.DATASET_HELP)
            source = sources.images_from(t, (dataset,), "central_")
        config = CentralConfig(
            adversary=adversary,
            seed=inputs.held_seed(),
            epsilon=epsilon,
            model=model,
            games=games,
            law=law,
            dataset=dataset,
        )
        study_of(config).check_size(config)
        played = wording.count(2 * (config.games + config.threshold_games))
        seconds = wording.duration(t, study_of(config).seconds(config, None))
        line = (t.CENTRAL_PLAN_LAW if law else t.CENTRAL_PLAN).format(seconds=seconds, models=played)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    begin = Start(config, **source, key=JOB) if config else None
    stage.action(t, manager, job, begin, t.CENTRAL_RUN, "run_central", bar, problem, line)
    return config


def _measured(t: Words) -> None:
    """Show where the attackers came to, as measured in advance, before anything is run."""
    banner(t)
    if reached := table.reached(SHOWN.model, SHOWN.epsilon):
        plane = chart.claim_plane(SHOWN, reached, t.REPORT)
        views.chart(t, chart.claim_chart(plane, t.FIGURES), "central_measured", chart.claim_alt(plane, t.FIGURES))
        terms.prose(t, t.SPACE.join((t.CENTRAL_MEASURED, t.CENTRAL_MEASURED_NOTE)), small=True)
    told.tabs(t, why=partial(why, t), numbers=partial(numbers, t), first=2)


def _result(t: Words, result: CentralResult, keep: told.Show | None) -> None:
    told.show(t, result, keep, why=partial(why, t), numbers=partial(numbers, t))


def _row(t: Words, job: Job) -> Row:
    adversary, result = str(t.REPORT[f"adversary_{job.config.adversary}"]), job.result
    if not job.finished or result is None or result.identification is None:
        return Row(adversary, str(t.HEADLINES["none"]))
    claim = claimed(result.config)
    most, _ = ceilings(claim.sampling_rate, claim.noise, claim.steps)
    promise = wording.run_promise(t, most)
    return Row(adversary, str(t.RUNS_SEE), wording.run_share(t, result.identification), promise)


PAGE = StudyPage(key=JOB, title="NAV_CENTRAL", row=_row)
