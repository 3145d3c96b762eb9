"""The charts of a comparison, one section at a time; each with what stands behind it and its numbers in a fold."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldp_core.adversaries import has_strength
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.sweep import PAPER, CompareConfig, CompareResult
from ldp_core.presentation import figures, tables
from ldp_core.presentation.tables import Row, View
from ldp_core.words import Words
from pages import jobs, registry
from pages.compare import words as compare_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import prepared
from pages.state.look import Look
from pages.widgets import inputs, views
from pages.widgets.tables import table

Numbers = Callable[[], None]
_ALL = ("epsilon", "dataset", "white", "black", "clients", "strength", "step")
_USES = {
    "attacks": _ALL,
    "curves": ("dataset", "white", "black", "clients", "strength", "step"),
    "map": ("dataset", "white", "strength"),
    "lengths": ("epsilon", "dataset", "white"),
    "datasets": ("epsilon", "white", "black", "clients", "strength", "step"),
    "clients": ("epsilon", "dataset"),
    "papers": ("dataset", "strength"),
    "items": (),
    "errors": _ALL,
}
"""Section -> what of the picks changes it; the other picks are not shown beside it."""


def look(t: Words, manager: jobs.JobManager, job: Job, result: CompareResult) -> Look:
    """Return a look at a result as it is picked, here or in another section."""
    picked = {name: _picked(name, options) for name, options in _options(result.config).items()}
    dataset, epsilon = picked.pop("dataset"), picked.pop("epsilon")
    view = View(*(picked.get(name) for name in ("white", "black", "clients", "strength", "step")))
    return Look(t, manager, job, result, dataset, epsilon, view)


def show(look: Look) -> Numbers | None:
    """Show the chosen section, below the picks that change it; return what shows its numbers."""
    t, config = look.t, look.result.config
    names = [name for name in t.CMP_SECTIONS if _offered(name, look.result)]
    if st.session_state.get("section") not in names:
        st.session_state["section"] = names[0]
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="show")
    with row:
        section = st.segmented_control(
            t.CMP_SECTION, names, format_func=t.CMP_SECTIONS.__getitem__, key="section", required=True,
            persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
    options = _options(config)
    used = [name for name in _USES[str(section)] if len(options.get(name, ())) > 1]
    if used:
        with row:
            for name in used:
                st.segmented_control(
                    t.CMP_PICKS[name], options[name], format_func=partial(_pick_text, t, name), key=f"show_{name}",
                    required=True, persist_state="session", wrap=True,
                )  # fmt: skip
    shown = _SECTIONS | _placed_here()
    return shown[str(section)](look)


def _options(config: CompareConfig) -> dict[str, Sequence[Any]]:
    """Return what can be picked; a single option is picked already."""
    options: dict[str, Sequence[Any]] = {"epsilon": config.epsilons, "dataset": config.datasets}
    if "white" in config.tests:
        options["white"] = config.white_rules
    if "black" in config.tests:
        options |= {"black": config.black_rules, "clients": config.clients, "step": config.server_steps}
    if any(map(has_strength, config.attacks)):
        options["strength"] = config.strengths
    return options


def _picked(name: str, options: Sequence[Any]) -> Any:
    """Return the picked option; kept in the session while no button shows it."""
    if len(options) == 1:
        return options[0]
    key = f"show_{name}"
    wanted = (st.session_state.get(key), inputs.epsilon_value() if name == "epsilon" else None, 1.0)
    st.session_state[key] = next((one for one in wanted if one in options), options[0])
    return st.session_state[key]


def _pick_text(t: Words, name: str, option: Any) -> str:
    if name == "epsilon":
        return f"ε = {wording.number(option)}"
    if name == "dataset":
        return str(t.FIGURES[f"data_{option}"])
    if name in ("white", "black"):
        return str(t.CMP_PAPER_RULE if option == PAPER else t.DISTINGUISHERS[option].title)
    if name == "step":
        return compare_words.step(t, option)
    return wording.number(option)


def _offered(section: str, result: CompareResult) -> bool:
    config = result.config
    if section in ("map", "lengths"):
        return "white" in config.tests
    if section == "papers":  # nothing of other images may stand beside the papers' numbers
        known = [name for name in config.datasets if tables.images_of(result, name) != "others"]
        return "white" in config.tests and any(tables.published_table(result, name) for name in known)
    return {
        "curves": len(config.epsilons) > 1,
        "datasets": len(config.datasets) > 1,
        "clients": "black" in config.tests,
    }.get(section, True)


def _attacks(look: Look) -> Numbers | None:
    t = look.t
    rows = look.once("attacks", lambda: tables.attacks_at(look.result, look.dataset, look.epsilon, look.view))
    if not rows:
        return None
    example = look.job.id in prepared.IDS  # before a run a page has few words
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{t.CMP_SHARES_TITLE}**")
        views.chart(t, figures.shares_figure(rows, t.FIGURES), "shares", figures.shares_alt(rows, t.FIGURES))
        if not example:
            terms.prose(t, t.CMP_SHARES_NOTE, small=True)
    with right:
        st.markdown(f"**{t.CMP_LOWER_TITLE}**")
        views.chart(t, figures.attacks_figure(rows, t.FIGURES), "lowers", figures.attacks_alt(rows, t.FIGURES))
        if not example:
            terms.prose(t, t.CMP_LOWER_NOTE, small=True)
        if look.view.white_rule and DISTINGUISHERS[look.view.white_rule].cautious:
            terms.prose(t, t.CMP_LOWER_SELECTIVE, small=True)
    if example:
        return None
    return _numbers(look, compare_words.rows_of(t, rows))


def _curves(look: Look) -> Numbers | None:
    t, result = look.t, look.result
    curves = look.once("curves", lambda: tables.curves_of(result, look.dataset, result.config.tests, look.view))
    if not curves:
        return None
    views.chart(t, figures.curves_figure(curves, t.FIGURES), "curves", figures.curves_alt(curves, t.FIGURES))
    terms.prose(t, t.CMP_CURVES_NOTE, small=True)
    return _numbers(look, compare_words.rows_of(t, [row for curve in curves for row in curve]))


def _lengths(look: Look) -> Numbers | None:
    t, rule = look.t, look.view.white_rule or "cosine"
    effect = look.once("lengths", lambda: tables.norm_effect(look.result, look.dataset, look.epsilon, rule))
    if not effect.points:
        st.info(t.CMP_LENGTHS_NONE)
        return None
    views.chart(t, figures.norms_figure(effect, t.FIGURES), "lengths", figures.norms_alt(effect, t.FIGURES))
    shorter = any(point.norm < 1 - 1e-6 for point in effect.points)
    note = t.CMP_LENGTHS_NOTE if shorter else t.CMP_LENGTHS_NOTE + t.SPACE + t.CMP_LENGTHS_LONG
    terms.prose(t, note, small=True)
    _foot(look, t.CMP_BASIS_ONE.format(trials=wording.count(look.result.config.num_trials)))
    return None


def _datasets(look: Look) -> Numbers | None:
    t, shown = look.t, list[Row]()
    for test in look.result.config.tests:
        make = partial(tables.datasets_at, look.result, look.epsilon, test, look.view)
        rows = look.once(f"datasets {test}", make)
        if rows:
            st.markdown(f"**{t.CMP_TEST_NAMES[test][0]}**")
            views.chart(
                t, figures.datasets_figure(rows, t.FIGURES), f"datasets_{test}", figures.datasets_alt(rows, t.FIGURES)
            )
            shown += rows
    terms.prose(t, t.CMP_DATASETS_NOTE, small=True)
    return _numbers(look, compare_words.rows_of(t, shown))


def _clients(look: Look) -> Numbers | None:
    t = look.t
    rows = look.once("clients", lambda: tables.clients_table(look.result, look.dataset))
    here = [item for item in rows if item.row.epsilon == look.epsilon]
    if not here:
        return None
    views.chart(
        t,
        figures.clients_figure(rows, look.epsilon, t.FIGURES),
        "clients",
        figures.clients_alt(rows, look.epsilon, t.FIGURES),
    )
    if len(look.result.config.server_steps) > 1:
        alt = figures.steps_alt(rows, look.epsilon, t.FIGURES)
        views.chart(t, figures.steps_figure(rows, look.epsilon, t.FIGURES), "steps", alt)
        terms.prose(t, t.CMP_STEPS_NOTE, small=True)
    terms.prose(t, compare_words.clients_note(t, here), small=True)
    return _numbers(look, compare_words.clients_rows(t, here))


def _papers(look: Look) -> Numbers | None:
    t, view = look.t, replace(look.view, white_rule="cosine")
    images = tables.images_of(look.result, look.dataset)
    if images == "others":
        st.info(t.CMP_PAPERS_OTHERS)
        return None
    rows = look.once("papers", lambda: tables.published_table(look.result, look.dataset, view))
    if not rows:
        st.info(t.CMP_PAPERS_NONE)
        return None
    st.markdown(f"**{t.CMP_PAPERS_TITLES[images]}**")
    views.chart(t, figures.published_figure(rows, t.FIGURES), "papers", figures.published_alt(rows, t.FIGURES))
    terms.prose(t, compare_words.papers_names(t, rows), small=True)
    terms.prose(t, t.CMP_PAPERS_NOTE.format(alarms=wording.number(100 * tables.SIGNIFICANCE)), small=True)
    return _numbers(look, compare_words.published_rows(t, rows))


def _errors(look: Look) -> Numbers | None:
    t, tests = look.t, look.result.config.tests

    def make() -> dict[str, Any]:
        found = {}
        for attack in tables.attacks_of(look.result):
            for test in tests:
                for cell in tables.chosen(look.result, look.dataset, attack, test, look.view):
                    curve = tables.tradeoff(cell) if cell.config.epsilon == look.epsilon else None
                    if curve is not None:
                        found[f"{attack} {test}"] = curve
        return found

    found = look.once("errors", make)
    if not found:
        st.info(t.CMP_ERRORS_NONE)
        return None

    def label(name: str) -> str:
        attack, _, test = name.partition(" ")
        seen = f" ({t.CMP_TEST_SHORT[test]})" if len(tests) > 1 else ""
        return compare_words.name(t, attack) + seen

    same = [name for name in found if name.endswith(next(iter(found)).partition(" ")[2])]
    usual = list(dict.fromkeys((same[0], same[-1])))
    picked = st.pills(
        t.CMP_ERRORS_PICK, list(found), selection_mode="multi", default=usual, format_func=label, key="errors",
    ) or usual  # fmt: skip
    cells = [found[name] for name in picked if name in found] or [found[name] for name in usual]
    views.chart(t, figures.tradeoff_figure(cells, t.FIGURES), "errors", figures.tradeoff_alt(cells, t.FIGURES))
    confidence = wording.number(100.0 * (1.0 - look.result.config.significance))
    terms.prose(t, t.CMP_ERRORS_NOTE)
    terms.prose(t, t.CMP_ERRORS_MARKS.format(confidence=confidence), small=True)
    _foot(look, compare_words.basis(t, look.result.config))
    return None


def _numbers(look: Look, rows: list[dict[str, str]]) -> Numbers:
    """Say what stands behind a chart; return what shows its numbers."""
    _foot(look, compare_words.basis(look.t, look.result.config))
    return partial(table, look.t, rows, look.t.CMP_TABLE)


def _foot(look: Look, text: str) -> None:
    """Say what stands behind a chart."""
    terms.prose(look.t, text, small=True)


_SECTIONS: dict[str, Callable[[Look], Numbers | None]] = {
    "attacks": _attacks,
    "curves": _curves,
    "lengths": _lengths,
    "datasets": _datasets,
    "clients": _clients,
    "papers": _papers,
    "errors": _errors,
}


def _placed_here() -> dict[str, Callable[[Look], Numbers | None]]:
    """Return the sections that other studies have on this page."""
    return {name: show for page in registry.placed("compare").values() for name, show in page.sections.items()}
