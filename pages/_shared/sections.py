"""The charts of a comparison, one section at a time; each with what stands behind it and its numbers in a fold."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

import streamlit as st

from ldp_core import figures, tables
from ldp_core.grid import STRONG, CompareConfig, CompareResult
from ldp_core.tables import Row, View
from pages._shared import compare_words, jobs, map_view, views, wording
from pages._shared.job import Job
from pages._shared.map_view import path_job

__all__ = ["choose", "once", "path_job", "show"]

_Made = TypeVar("_Made")


def once(job: Job, key: Any, make: Callable[[], _Made]) -> _Made:
    """Return what was made of a job's present result; make it if it was not."""
    if job.drawn.get("of") is not job.result:
        job.drawn.clear()
        job.drawn["of"] = job.result
    if key not in job.drawn:
        job.drawn[key] = make()
    made: _Made = job.drawn[key]
    return made


def choose(t: ModuleType, result: CompareResult) -> tuple[str, float, View]:
    """Show what the charts are about: ε, and where there are several, data set, rule, clients and strength."""
    config = result.config
    with st.container(horizontal=True, gap="medium", key="show"):
        epsilon = _pick(t.CMP_SHOW, "show_epsilon", config.epsilons, lambda value: f"ε = {wording.number(value)}")
        dataset = _pick(t.CMP_VIEW_DATASET, "show_dataset", config.datasets, lambda name: t.FIGURES[f"data_{name}"])
        white, black, clients, strength = None, None, None, None
        if "white" in config.tests:
            white = _pick(t.CMP_VIEW_WHITE, "show_white", config.white_rules, t.DISTINGUISHERS.__getitem__)
        if "black" in config.tests:
            names = t.DISTINGUISHERS | {"paper": t.CMP_PAPER_RULE}
            black = _pick(t.CMP_VIEW_BLACK, "show_black", config.black_rules, names.__getitem__)
            clients = _pick(t.CMP_VIEW_CLIENTS, "show_clients", config.clients, wording.count)
        if set(config.attacks) & set(STRONG):
            strength = _pick(t.CMP_VIEW_STRENGTH, "show_strength", config.strengths, wording.number)
    return dataset, epsilon, View(white, black, clients, strength)


def show(
    t: ModuleType,
    manager: jobs.JobManager,
    job: Job,
    result: CompareResult,
    dataset: str,
    epsilon: float,
    view: View,
) -> None:
    """Show the chosen section."""
    names = [name for name in t.CMP_SECTIONS if _offered(name, result.config)]
    if st.session_state.get("section") not in names:
        st.session_state["section"] = names[0]
    section = st.segmented_control(
        t.CMP_SECTION, names, format_func=t.CMP_SECTIONS.__getitem__, key="section", required=True,
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    if section == "attacks":
        _attacks(t, job, result, dataset, epsilon, view)
    elif section == "curves":
        _curves(t, job, result, dataset, view)
    elif section == "map":
        map_view.show(t, manager, job, result, dataset, epsilon, view)
    elif section == "lengths":
        _lengths(t, job, result, dataset, epsilon, view)
    elif section == "datasets":
        _datasets(t, job, result, epsilon, view)
    elif section == "clients":
        _clients(t, job, result, dataset, epsilon)
    elif section == "papers":
        _papers(t, job, result, dataset, view)
    elif section == "errors":
        _errors(t, job, result, dataset, epsilon, view)


def _offered(section: str, config: CompareConfig) -> bool:
    if section in ("map", "lengths", "papers"):
        return "white" in config.tests
    return {
        "curves": len(config.epsilons) > 1,
        "datasets": len(config.datasets) > 1,
        "clients": "black" in config.tests,
    }.get(section, True)


def _attacks(t: ModuleType, job: Job, result: CompareResult, dataset: str, epsilon: float, view: View) -> None:
    key = ("attacks", dataset, epsilon, view)
    rows = once(job, key, lambda: tables.attacks_at(result, dataset, epsilon, view))
    if not rows:
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{t.CMP_SHARES_TITLE}**")
        views.chart(figures.shares_figure(rows, t.FIGURES), "shares", figures.shares_alt(rows, t.FIGURES))
        st.caption(t.CMP_SHARES_NOTE)
    with right:
        st.markdown(f"**{t.CMP_LOWER_TITLE}**")
        views.chart(figures.attacks_figure(rows, t.FIGURES), "lowers", figures.attacks_alt(rows, t.FIGURES))
        st.caption(t.CMP_LOWER_NOTE)
    _basis(t, result, rows)


def _curves(t: ModuleType, job: Job, result: CompareResult, dataset: str, view: View) -> None:
    def make() -> list[tuple[Row, ...]]:
        made = [
            tables.epsilon_curves(result, dataset, attack, test, view)
            for attack in tables.attacks_of(result)
            for test in result.config.tests
        ]
        return [curve for curve in made if curve]

    curves = once(job, ("curves", dataset, view), make)
    if not curves:
        return
    views.chart(figures.curves_figure(curves, t.FIGURES), "curves", figures.curves_alt(curves, t.FIGURES))
    st.caption(t.CMP_CURVES_NOTE)
    _basis(t, result, [row for curve in curves for row in curve])


def _lengths(t: ModuleType, job: Job, result: CompareResult, dataset: str, epsilon: float, view: View) -> None:
    rule = view.white_rule or "cosine"
    effect = once(job, ("lengths", dataset, epsilon, rule), lambda: tables.norm_effect(result, dataset, epsilon, rule))
    if not effect.points:
        st.info(t.CMP_LENGTHS_NONE)
        return
    views.chart(figures.norms_figure(effect, t.FIGURES), "lengths", figures.norms_alt(effect, t.FIGURES))
    st.caption(t.CMP_LENGTHS_NOTE)
    st.caption(t.CMP_BASIS_ONE.format(trials=wording.count(result.config.num_trials)))


def _datasets(t: ModuleType, job: Job, result: CompareResult, epsilon: float, view: View) -> None:
    shown: list[Row] = []
    for test in result.config.tests:
        make = partial(tables.datasets_at, result, epsilon, test, view)
        rows = once(job, ("datasets", test, epsilon, view), make)
        if rows:
            st.markdown(f"**{t.CMP_TEST_NAMES[test][0]}**")
            views.chart(
                figures.datasets_figure(rows, t.FIGURES), f"datasets_{test}", figures.datasets_alt(rows, t.FIGURES)
            )
            shown += rows
    st.caption(t.CMP_DATASETS_NOTE)
    _basis(t, result, shown)


def _clients(t: ModuleType, job: Job, result: CompareResult, dataset: str, epsilon: float) -> None:
    rows = once(job, ("clients", dataset), lambda: tables.clients_table(result, dataset))
    here = [item for item in rows if item.row.epsilon == epsilon]
    if not here:
        return
    views.chart(
        figures.clients_figure(rows, epsilon, t.FIGURES), "clients", figures.clients_alt(rows, epsilon, t.FIGURES)
    )
    st.caption(compare_words.clients_note(t, here))
    st.caption(compare_words.basis(t, result.config))
    with st.expander(t.CMP_TABLE, expanded=any(item.published is not None for item in here)):
        st.table(compare_words.clients_rows(t, here))


def _papers(t: ModuleType, job: Job, result: CompareResult, dataset: str, view: View) -> None:
    rows = once(
        job,
        ("papers", dataset, view),
        lambda: tables.published_table(result, dataset, replace(view, white_rule="cosine")),
    )
    if not rows:
        st.info(t.CMP_PAPERS_NONE)
        return
    views.chart(figures.published_figure(rows, t.FIGURES), "papers", figures.published_alt(rows, t.FIGURES))
    st.caption(t.CMP_PAPERS_NOTE.format(alarms=wording.number(100 * tables.SIGNIFICANCE)))
    st.caption(compare_words.basis(t, result.config))
    for sentence in compare_words.unexplained(t, rows):
        st.markdown(sentence)
    with st.expander(t.CMP_TABLE, expanded=True):
        st.table(compare_words.published_rows(t, rows))


def _errors(t: ModuleType, job: Job, result: CompareResult, dataset: str, epsilon: float, view: View) -> None:
    def make() -> dict[str, Any]:
        found = {}
        for attack in tables.attacks_of(result):
            for test in result.config.tests:
                for cell in tables.chosen(result, dataset, attack, test, view):
                    curve = tables.tradeoff(cell) if cell.config.epsilon == epsilon else None
                    if curve is not None:
                        found[f"{attack} {test}"] = curve
        return found

    found = once(job, ("errors", dataset, epsilon, view), make)
    if not found:
        st.info(t.CMP_ERRORS_NONE)
        return

    def label(name: str) -> str:
        attack, _, test = name.partition(" ")
        seen = f" ({t.CMP_TEST_SHORT[test]})" if len(result.config.tests) > 1 else ""
        return compare_words.name(t, attack) + seen

    same = [name for name in found if name.endswith(next(iter(found)).partition(" ")[2])]
    usual = list(dict.fromkeys((same[0], same[-1])))
    picked = st.pills(
        t.CMP_ERRORS_PICK, list(found), selection_mode="multi", default=usual, format_func=label, key="errors",
    ) or usual  # fmt: skip
    cells = [found[name] for name in picked if name in found] or [found[name] for name in usual]
    views.chart(figures.tradeoff_figure(cells, t.FIGURES), "errors", figures.tradeoff_alt(cells, t.FIGURES))
    confidence = wording.number(100.0 * (1.0 - result.config.significance))
    st.caption(t.CMP_ERRORS_NOTE.format(confidence=confidence))
    st.caption(compare_words.basis(t, result.config))


def _basis(t: ModuleType, result: CompareResult, rows: Sequence[Row]) -> None:
    st.caption(compare_words.basis(t, result.config))
    with st.expander(t.CMP_TABLE):
        st.table(compare_words.rows_of(t, rows))


def _pick(label: str, key: str, options: Sequence[Any], text: Callable[[Any], str]) -> Any:
    """Show the options as buttons where there are several; return the chosen one."""
    if len(options) == 1:
        return options[0]
    if st.session_state.get(key) not in options:
        usual = 1.0 if 1.0 in options else options[0]
        st.session_state[key] = usual
    return st.segmented_control(
        label, options, format_func=text, key=key, required=True, persist_state="session", wrap=True
    )
