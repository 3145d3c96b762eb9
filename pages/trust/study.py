"""Whom must you trust: the answer moves the eyes on a report's way; below, the laws, and games about them."""

import html
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core._validate import limits
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.studies import study_of
from ldp_core.studies.trust import chart, report
from ldp_core.studies.trust.config import MOST_BUILT, TrustConfig, sampling_of
from ldp_core.studies.trust.result import TrustResult, summarize
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state.current_run import Start
from pages.widgets import inputs, pictures, sources, stage, told, views

STATIONS = {
    "local": ("device", "server"),
    "shuffled": ("device", "shuffler", "server"),
    "aggregated": ("device", "adder", "server"),
    "server": ("device", "server", "people"),
}
"""Whom one trusts -> who handles the report, in this order."""
_INK, _LOOK = "#7a7f87", "#C2571A"
_SHAPES = {
    "device": '<rect x="14" y="4" width="20" height="40" rx="4"/><path d="M21 38h6"/>',
    "shuffler": '<path d="M4 14h9L33 34h10M4 34h9L33 14h10M37 8l6 6-6 6M37 28l6 6-6 6"/>',
    "adder": '<path d="M34 12V7H12l13 17L12 41h22v-5"/>',
    "server": '<rect x="8" y="5" width="32" height="16" rx="3"/><rect x="8" y="27" width="32" height="16" rx="3"/>'
    '<path d="M15 13h.1M15 35h.1"/>',
    "people": '<circle cx="16" cy="15" r="7"/><circle cx="33" cy="17" r="6"/>'
    '<path d="M4 41q1-16 12-16t12 16M28 27q13-2 15 13"/>',
}
_EYE = '<path d="M3 24q21-26 42 0q-21 26-42 0z"/><circle cx="24" cy="24" r="6"/>'


def picture(t: Words, whom: str, seen: Mapping[str, str]) -> str:
    """Return the picture as HTML; ``seen``: station -> how often who looks there is right, as text."""
    *rows, trusted = t.TRUST_SEES[whom]
    shown = []
    for station, (who, view) in zip(STATIONS[whom], rows, strict=True):
        look = f"<em>{_drawn(_EYE, _LOOK)}{html.escape(seen[station])}</em>" if station in seen else ""
        icon = _drawn(_SHAPES[station], _INK)
        shown.append(
            f'<div role="listitem">{icon}<b>{html.escape(who)}</b><span>{html.escape(view)}</span>{look}</div>'
        )
    way = '<i aria-hidden="true">→</i>'.join(shown)
    need = f'<p class="ldp-need"><b>{html.escape(trusted[0])}</b> {html.escape(trusted[1])}</p>'
    return f'<div class="ldp-way" role="list" aria-label="{html.escape(t.WHO_SEES_TITLE)}">{way}</div>{need}'


def _drawn(shape: str, colour: str) -> str:
    """Return a symbol as an image without words: the text beside it says what it shows."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" fill="none" stroke="{colour}" stroke-width="3.4"'
    )
    svg += f' stroke-linecap="round" stroke-linejoin="round">{shape}</svg>'
    return f'<img src="{pictures.uri(svg.encode(), "svg+xml")}" alt="">'


TRUST = "trust"
_EXAMPLE_SEED = 0
_SERVER, _CENTRAL = "server", "central"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the question, and what follows from the answer."""
    job = stage.in_view(t, manager, "trust", TRUST)
    bar = stage.bar(t, (3.4, 3, 2, 3))
    first, second, third, fourth = bar.controls
    with first:
        whom = inputs.select(t.TRUST_WHOM, "whom", t.TRUST_WHOM_ANSWERS, t.TRUST_WHOM_HELP)
    with second:
        inputs.epsilon_slider(t, inputs.epsilon_value(), "epsilon_trust")
    with third:
        most = limits(TrustConfig, "clients")[1]
        clients = inputs.number(
            t, t.TRUST_CLIENTS, "honest", 2, most, 100, t.TRUST_CLIENTS_HELP, held_as="honest clients"
        )
    with fourth:
        attack = inputs.attack_picker(t)
    view = "local" if whom in ("nobody", _SERVER) else whom
    config = None
    if whom != _SERVER:
        config = _play(t, manager, job, bar, attack, view, clients if view != "local" else 1)
    rows = chart.prospect(TrustConfig("dummy", inputs.epsilon_value(), _EXAMPLE_SEED, view="shuffled", clients=clients))
    with st.container(key="stage"):
        st.html(picture(t, _SERVER if whom == _SERVER else view, _seen(t, whom, rows)))
        if whom == _SERVER:
            _server(t)
        else:
            stage.run(t, manager, job, _result, config, lambda t: _before(t, view, clients, rows))


def _seen(t: Words, whom: str, rows: list[chart.ViewRow]) -> dict[str, str]:
    """Return how often whoever looks at a station of a report's way is right."""
    shares = {row.name: str(t.TRUST_EYE.format(share=chart.ends(row, t.FIGURES))) for row in rows}
    server = t.TRUST_EYE_ALL if whom == _SERVER else shares.get(whom, shares["local"])
    return {"server": str(server), "shuffler": shares["local"], "adder": shares["local"]}


def _before(t: Words, view: str, clients: int, rows: list[chart.ViewRow]) -> None:
    """Show what the exact laws say of the pair that shows all of ε, before anything is played."""
    row = {row.name: row for row in rows}["shuffled" if view == "local" else view]
    alone, others = chart.ends(rows[0], t.FIGURES), wording.count(clients - 1)
    text = t.TRUST_LOCAL if view == "local" else t.TRUST_RANGE
    low, high = chart.written(row.low), chart.written(row.high)
    told.verdict(t, [text.format(share=alone, others=others, low=low, high=high)], headline=False)
    promised = rows[0].high
    views.chart(
        t, chart.views_chart(rows, promised, t.FIGURES), "trust_law", chart.views_alt(rows, promised, t.FIGURES)
    )
    do = partial(registry.show_ends, t, jobs.manager(), TRUST)  # what other studies say of what a client can do
    told.tabs(t, do, partial(_why, t, view), partial(_claims, t))


def _why(t: Words, view: str) -> None:
    if view in t.TRUST_WHY:
        terms.prose(t, t.TRUST_WHY[view].format(**report.example()))
    terms.prose(t, t.TRUST_LAW_NOTE, small=True)


def _claims(t: Words) -> None:
    """Show the paper's claims beside the exact law and what we measured."""
    st.markdown(f"**{t.TRUST_CLAIMS_TITLE}**")
    told.parts(t, [report.claimed(told.teller(t))], TRUST)


def _server(t: Words) -> None:
    terms.prose(t, t.TRUST_SERVER)
    if _CENTRAL in registry.pages():
        st.page_link(registry.script(_CENTRAL), label=t.TRUST_SERVER_LINK)


def _play(
    t: Words, manager: jobs.JobManager, job: Job | None, bar: stage.Bar, attack: str, view: str, clients: int
) -> TrustConfig | None:
    """Show the other settings and the button; return what is set, None where that cannot be played."""
    problem, line, config, source = "", "", None, dict[str, Any]()
    values: dict[str, Any] = {"attack": attack, "epsilon": inputs.epsilon_value(), "view": view, "clients": clients}
    try:
        with bar.more:
            if view != "local":
                values["others"] = inputs.select(t.TRUST_OTHERS, "others", t.TRUST_OTHERS_ANSWERS, t.TRUST_OTHERS_HELP)
            values["games"] = inputs.number(t, t.TRUST_GAMES, "games", 100, 10**7, 20_000, t.TRUST_GAMES_HELP)
            values["rule"] = inputs.select(t.TRUST_RULE, "trust_rule", t.TRUST_RULES, t.TRUST_RULE_HELP)
            values["training"] = inputs.select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
            names = {name: words.title for name, words in t.DATASETS.items()}
            values["dataset"] = inputs.select(t.DATASET, "dataset", names, t.DATASET_HELP)
            source = sources.images_from(t, (values["dataset"],))
            titles = inputs.titles(t.MECHANISMS)
            values["mechanism"] = inputs.select(t.MECHANISM, "mechanism", titles, t.MECHANISM_HELP)
            values["sampling"] = sampling_of(values["mechanism"])
            values["seed"] = inputs.fresh_or_given(t)
        config = TrustConfig(**values)
        study_of(config).check_size(config)
        seconds = study_of(config).seconds(config, manager.values_per_second)
        line = t.COST_PLAN.format(seconds=wording.duration(t, seconds))
    except UnsupportedCombinationError as error:
        known = {"clients": wording.count(MOST_BUILT), "rule": t.TRUST_RULES["cosine"], "more": t.ADVANCED}
        problem = str(t.TRUST_UNFIT[error.reason].format(**known))
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    begin = Start(config, **source, key=TRUST) if config else None
    stage.action(t, manager, job, begin, t.TRUST_RUN, "run_trust", bar, problem, line)
    return config


def _result(t: Words, result: TrustResult, keep: told.Show | None) -> None:
    told.show(t, result, keep, open_ones=3, why=partial(_why, t, result.config.view), numbers=partial(_claims, t))


def _row(t: Words, job: Job) -> Row:
    attack, result = str(t.FIGURES[f"name_{job.config.attack}"]), job.result
    identification = None if not job.finished or result is None else summarize(result).identification
    if identification is None:
        return Row(attack, str(t.HEADLINES["none"]))
    return Row(
        attack,
        str(t.RUNS_SEE),
        wording.run_share(t, (identification.point, identification.lower, identification.upper)),
    )


PAGE = StudyPage(key=TRUST, title="NAV_TRUST", shares=("epsilon", "attack"), row=_row)
