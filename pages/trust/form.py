"""Whom must you trust: the question first, then who sees what, then what an attacker makes of it, and games."""

import html
from dataclasses import replace
from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core._validate import limits
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.presentation.report import Teller
from ldp_core.randomness import streams
from ldp_core.studies.trust import chart, report
from ldp_core.studies.trust import workload as plan
from ldp_core.studies.trust.config import MOST_BUILT, TrustConfig, sampling_of
from ldp_core.studies.trust.result import TrustResult
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import settings, viewed
from pages.state.viewed import Start
from pages.widgets import inputs, outcome, sources, start, told, views

TRUST = "trust"
_EXAMPLE_SEED = 0
_CENTRAL = "central"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the question and what follows from the answer; below, games about it."""
    job, gone = viewed.find_job(manager, TRUST, TRUST)
    if gone:
        st.error(t.UNKNOWN_JOB)
    left, right = st.columns([4, 8], gap="large")
    with left:
        whom = inputs.radio(t.TRUST_WHOM, "whom", t.TRUST_WHOM_ANSWERS)
        view, clients = whom if whom == "server" else "local", 1
        if whom != "server":
            inputs.epsilon_slider(t, inputs.epsilon_value(), "epsilon_trust")
        if whom == "others":
            view = inputs.radio(
                t.TRUST_BETWEEN,
                "between",
                t.TRUST_BETWEEN_ANSWERS,
            )
            most = limits(TrustConfig, "clients")[1]
            clients = inputs.integer(
                t, t.TRUST_CLIENTS, "honest", 2, most, 100, t.TRUST_CLIENTS_HELP, held_as="honest clients"
            )
    with right:
        _sees(t, view)
        if whom == "server":
            _server(t)
            return
        _prospect(t, TrustConfig("dummy", inputs.epsilon_value(), _EXAMPLE_SEED, view=view, clients=clients))
    if whom == "others":
        with st.expander(t.TRUST_WHY_TITLES[view]):
            terms.prose(t, t.TRUST_WHY[view].format(**report.example()))
            terms.prose(t, t.TRUST_LAW_NOTE, small=True)
        with st.expander(t.TRUST_CLAIMS_TITLE):
            _claims(t)
    st.subheader(t.TRUST_PLAY_TITLE)
    left, right = st.columns([4, 8], gap="large")
    with left:
        _play(t, manager, job, view, clients)
    with right:
        if job is not None:
            outcome.show(t, manager, job, _result)


def _sees(t: Words, view: str) -> None:
    """Show who sees what."""
    rows = t.TRUST_SEES[view]
    cells = "".join(f"<strong>{html.escape(who)}</strong><span>{html.escape(what)}</span>" for who, what in rows)
    with st.container(border=True, key="trust_sees"):
        st.markdown(f"**{t.WHO_SEES_TITLE}**")
        st.html(f'<div class="ldp-sees">{cells}</div>')


def _prospect(t: Words, config: TrustConfig) -> None:
    """Show what the exact laws say of the pair that shows all of ε."""
    rows = chart.prospect(config)
    row = next(row for row in rows if row.name == config.view)
    if config.view == "local":
        other = next(
            row for row in chart.prospect(replace(config, view="shuffled", clients=100)) if row.name == "shuffled"
        )
        between = {"low": chart.written(other.low), "high": chart.written(other.high)}
        terms.prose(t, t.TRUST_LOCAL.format(share=chart.written(row.high), **between))
        return
    clients = wording.count(config.clients - 1)
    terms.prose(t, t.TRUST_RANGE.format(others=clients, low=chart.written(row.low), high=chart.written(row.high)))
    figure = chart.views_figure(rows, chart.promise(config), t.FIGURES)
    views.chart(t, figure, "trust_law", chart.views_alt(rows, chart.promise(config), t.FIGURES))


def _server(t: Words) -> None:
    terms.prose(t, t.TRUST_SERVER)
    if _CENTRAL in registry.pages():
        st.page_link(registry.script(_CENTRAL), label=t.TRUST_SERVER_LINK)


def _play(t: Words, manager: jobs.JobManager, job: Job | None, view: str, clients: int) -> None:
    problem, config, source = "", None, dict[str, Any]()
    try:
        values: dict[str, Any] = {"epsilon": inputs.epsilon_value(), "view": view, "clients": clients}
        values["attack"] = inputs.attack_picker(t)
        if view != "local":
            values["others"] = inputs.select(t.TRUST_OTHERS, "others", t.TRUST_OTHERS_ANSWERS, t.TRUST_OTHERS_HELP)
        values["games"] = inputs.integer(t, t.TRUST_GAMES, "games", 100, 10**7, 20_000, t.TRUST_GAMES_HELP)
        with st.expander(t.TRUST_MORE):
            values["rule"] = inputs.select(t.TRUST_RULE, "trust_rule", t.TRUST_RULES, t.TRUST_RULE_HELP)
            values["training"] = inputs.select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
            names = {name: words.title for name, words in t.DATASETS.items()}
            values["dataset"] = inputs.select(t.DATASET, "dataset", names, t.DATASET_HELP)
            source = sources.images_from(t, (values["dataset"],))
            titles = inputs.titles(t.MECHANISMS)
            values["mechanism"] = inputs.select(t.MECHANISM, "mechanism", titles, t.MECHANISM_HELP)
            values["sampling"] = sampling_of(values["mechanism"])
            seed = inputs.seed(t, t.SEED_HELP)
        config = TrustConfig(seed=streams.fresh_seed() if seed is None else seed, **values)
        plan.check_size(config)
        seconds = plan.seconds(config, manager.values_per_second)
        st.caption(t.COST_PLAN.format(seconds=wording.duration(t, seconds)), help=t.PLAN_TIME_HELP)
    except UnsupportedCombinationError as error:
        problem = _unfit(t, error.reason)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    label = t.TRUST_RUN if job is None else t.TRUST_AGAIN
    begin = Start(config, source["data_dir"], source["download"], source["own"], key=TRUST) if config else None
    start.button(t, manager, begin, label, "run_trust", problem=problem, type="primary", width="stretch")


def _unfit(t: Words, reason: str) -> str:
    """Say what cannot be combined."""
    return str(
        t.TRUST_UNFIT[reason].format(clients=wording.count(MOST_BUILT), rule=t.TRUST_RULES["cosine"], more=t.TRUST_MORE)
    )


def _result(t: Words, result: TrustResult) -> None:
    told.show(t, result)
    held = settings.held("epsilon")
    if held is not None and float(held) != result.config.epsilon:
        terms.prose(t, t.TRUST_OTHER_EPSILON.format(epsilon=wording.number(result.config.epsilon)), small=True)


def _claims(t: Words) -> None:
    """Show the paper's claims beside the exact law and what we measured."""
    told.parts(t, [report.claimed(Teller(t.REPORT, t.FIGURES))], "trust")
