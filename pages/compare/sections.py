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
from ldp_core.presentation.report import Chart
from ldp_core.presentation.tables import View
from ldp_core.studies.compare.report import charts_of
from ldp_core.words import Words
from pages import jobs, registry
from pages.compare import words as compare_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import prepared
from pages.state.look import ComparisonView
from pages.widgets import inputs, told, views
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


def look(t: Words, manager: jobs.JobManager, job: Job, result: CompareResult) -> ComparisonView:
    """Return a look at a result as it is picked, here or in another section."""
    picked = {name: _picked(name, options) for name, options in _options(result.config).items()}
    dataset, epsilon = picked.pop("dataset"), picked.pop("epsilon")
    view = View(*(picked.get(name) for name in ("white", "black", "clients", "strength", "step")))
    return ComparisonView(t, manager, job, result, dataset, epsilon, view)


def show(look: ComparisonView) -> Numbers | None:
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
                    label_visibility="collapsed" if name == "epsilon" else "visible",
                )  # fmt: skip
    placed = {name: show for page in registry.placed("compare").values() for name, show in page.sections.items()}
    return (_SECTIONS | placed)[str(section)](look)


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
    st.session_state[key] = next((value for value in wanted if value in options), options[0])
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


def _charts(look: ComparisonView, kind: str, view: View | None = None) -> list[Chart]:
    """Return the charts of one kind, see ``report.charts_of``, as they are picked."""
    given = (kind, look.result, look.dataset, look.epsilon, told.teller(look.t), view or look.view)
    return look.once(f"charts {kind}", lambda: list(charts_of(*given)))


def _draw(look: ComparisonView, charts: Sequence[Chart], *, titled: bool = False) -> None:
    for chart in charts:
        told.chart(look.t, chart, chart.name, titled=titled, noted=chart is charts[-1])


def _attacks(look: ComparisonView) -> Numbers | None:
    t = look.t
    if not (charts := _charts(look, "attacks")):
        return None
    example = look.job.id in prepared.IDS  # before a run a page has few words
    rows = compare_words.rows_of(t, tables.attacks_at(look.result, look.dataset, look.epsilon, look.view))
    left, right = st.columns(2, gap="large")
    for column, chart in zip((left, right), charts, strict=True):
        with column:
            told.chart(t, chart, chart.name, noted=not example)
    if example:
        return partial(table, t, t.CMP_COLUMNS, rows, t.CMP_TABLE)
    if look.view.white_rule and DISTINGUISHERS[look.view.white_rule].abstains:
        with right:
            terms.prose(t, t.CMP_LOWER_SELECTIVE, small=True)
    return _numbers(look, t.CMP_COLUMNS, rows)


def _curves(look: ComparisonView) -> Numbers | None:
    if not (charts := _charts(look, "curves")):
        return None
    _draw(look, charts)
    curves = tables.curves_of(look.result, look.dataset, view=look.view)
    rows = compare_words.rows_of(look.t, [row for curve in curves for row in curve])
    return _numbers(look, look.t.CMP_COLUMNS, rows)


def _lengths(look: ComparisonView) -> Numbers | None:
    t = look.t
    if not (charts := _charts(look, "norms")):
        st.info(t.CMP_LENGTHS_NONE)
        return None
    _draw(look, charts)
    rule = look.view.white_rule or "cosine"
    effect = look.once("lengths", lambda: tables.norm_effect(look.result, look.dataset, look.epsilon, rule))
    if not any(point.norm < 1 - 1e-6 for point in effect.points):
        terms.prose(t, t.CMP_LENGTHS_LONG, small=True)
    terms.prose(t, t.CMP_BASIS_ONE.format(trials=wording.count(look.result.config.num_trials)), small=True)
    return None


def _datasets(look: ComparisonView) -> Numbers | None:
    _draw(look, _charts(look, "datasets"), titled=True)
    make = partial(tables.datasets_at, look.result, look.epsilon, view=look.view)
    rows = compare_words.rows_of(look.t, [row for test in look.result.config.tests for row in make(test)])
    return _numbers(look, look.t.CMP_COLUMNS, rows)


def _clients(look: ComparisonView) -> Numbers | None:
    t = look.t
    here = [item for item in tables.clients_table(look.result, look.dataset) if item.row.epsilon == look.epsilon]
    if not here:
        return None
    _draw(look, _charts(look, "clients"))
    if len(look.result.config.server_steps) > 1:
        _draw(look, _charts(look, "steps"))
    if reasons := dict.fromkeys(reason for item in here for reason in item.reasons):
        named = t.SEMICOLON.join(map(t.CMP_REASONS.get, reasons))
        terms.prose(t, t.CMP_CLIENTS_NOTE.format(reasons=named), small=True)
    return _numbers(look, t.CMP_CLIENTS_COLUMNS, compare_words.clients_rows(t, here))


def _papers(look: ComparisonView) -> Numbers | None:
    t, view = look.t, replace(look.view, white_rule="cosine")
    images = tables.images_of(look.result, look.dataset)
    charts = _charts(look, "published", view)
    if not charts:
        st.info(t.CMP_PAPERS_OTHERS if images == "others" else t.CMP_PAPERS_NONE)
        return None
    st.markdown(f"**{t.CMP_PAPERS_TITLES[images]}**")
    _draw(look, charts)
    rows = tables.published_table(look.result, look.dataset, view)
    names = dict.fromkeys(t.ATTACKS[item.row.attack].title for item in rows)
    terms.prose(t, t.CMP_PAPERS_NAMES.format(names=t.COMMA.join(names)), small=True)
    return _numbers(look, t.CMP_PAPERS_COLUMNS, compare_words.published_rows(t, rows))


def _errors(look: ComparisonView) -> Numbers | None:
    t, tests = look.t, look.result.config.tests

    make = partial(tables.tradeoffs, look.result, look.dataset, look.epsilon, tests, look.view)
    curves = {f"{curve.attack} {curve.test}": curve for curve in look.once("errors", make)}
    if not curves:
        st.info(t.CMP_ERRORS_NONE)
        return None

    def label(name: str) -> str:
        attack, _, test = name.partition(" ")
        seen = f" ({t.CMP_TEST_SHORT[test]})" if len(tests) > 1 else ""
        return compare_words.name(t, attack) + seen

    same = [name for name in curves if name.endswith(next(iter(curves)).partition(" ")[2])]
    usual = list(dict.fromkeys((same[0], same[-1])))
    picked = st.pills(
        t.CMP_ERRORS_PICK, list(curves), selection_mode="multi", default=usual, format_func=label, key="errors",
    ) or usual  # fmt: skip
    cells = [curves[name] for name in picked if name in curves] or [curves[name] for name in usual]
    views.chart(t, figures.tradeoff_chart(cells, t.FIGURES), "errors", figures.tradeoff_alt(cells, t.FIGURES))
    confidence = wording.number(100.0 * (1.0 - look.result.config.significance))
    terms.prose(t, t.REPORT["note_tradeoff"])
    terms.prose(t, t.CMP_ERRORS_MARKS.format(confidence=confidence), small=True)
    terms.prose(t, compare_words.basis(t, look.result.config), small=True)
    return None


def _numbers(look: ComparisonView, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Numbers:
    """Say what stands behind a chart; return what shows its numbers."""
    terms.prose(look.t, compare_words.basis(look.t, look.result.config), small=True)
    return partial(table, look.t, names, rows, look.t.CMP_TABLE)


_SECTIONS: dict[str, Callable[[ComparisonView], Numbers | None]] = {
    "attacks": _attacks,
    "curves": _curves,
    "lengths": _lengths,
    "datasets": _datasets,
    "clients": _clients,
    "papers": _papers,
    "errors": _errors,
}
