"""A study's report on screen: what was found and the charts first, the rest in tabs."""

import html
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.presentation.report import Chart, Numbers, Part, Report, Table, Teller
from ldp_core.statistics import promise
from ldp_core.studies import study_of
from ldp_core.studies.reading import ToldStudy
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.widgets import inputs, pictures, tables, views

Show = Callable[[], None]
_LIMITS = 3
"""Of what a result does not tell, so many come first."""


def teller(t: Words) -> Teller:
    """Return the words of reports in the page's language."""
    return Teller(t.REPORT, t.FIGURES)


def report(t: Words, result: Any) -> Report:
    study = study_of(result.config)
    assert isinstance(study, ToldStudy)
    return study.report(result, teller(t))


def show(
    t: Words, result: Any, keep: Show | None = lambda: None, *, open_ones: int = 2, why: Show | None = None,
    numbers: Show | None = None,
) -> None:  # fmt: skip
    """Show a result: so many sentences and the charts, and below them tabs, named as on every page.

    ``keep``: shows its files; None while the run goes on, which judges nothing yet. ``why`` and ``numbers``: show what
    a page adds to these tabs.
    """
    document, name = report(t, result), study_of(result.config).name
    sections, sentences = document.sections, list(document.sentences)
    if chapters := [section for section in sections if section.name]:
        titles = {section.name: section.title for section in chapters}
        chosen = inputs.select(t.REPORT[f"{name}_chapter"], f"{name}_part", titles, t.REPORT[f"{name}_chapter_help"])
        sections, sentences = [section for section in sections if section.name in ("", chosen)], []
    if keep is None:
        verdict(t, [t.STAGE_SO_FAR], headline=False)
    else:
        verdict(t, sentences[:open_ones], headline=bool(document.advice))
    drawn = [section for section in sections if any(isinstance(part, Chart) for part in section.parts)]
    for section in drawn:
        charts = [part for part in section.parts if isinstance(part, Chart)]
        parts(t, [part for part in section.parts if isinstance(part, str)], name)
        for pair in (charts[place : place + 2] for place in range(0, len(charts), 2)):
            for column, figure in zip(st.columns(len(pair), gap="large"), pair, strict=True):
                with column:
                    parts(t, [figure], name)
    counted = [
        part
        for section in sections
        for part in section.parts
        if not section.aside and (part.rows if isinstance(part, Numbers | Table) else section not in drawn)
    ]

    def explained() -> None:
        for sentence in sentences[open_ones:] if keep else ():
            terms.prose(t, sentence)
        if why:
            why()
        limits(t, document.limits or f"limits_{name}", whole=True)

    def figures() -> None:
        for part in counted:
            if isinstance(part, Table) and len(counted) > 1:
                st.markdown(f"**{part.title}**")
            parts(t, [part], name)
        if numbers:
            numbers()

    def kept(keep: Show) -> None:
        keep()
        terms.prose(t, document.ran, small=True)
        st.code(record.command(result.config, getattr(result, "device", "cpu")), language="bash", wrap_lines=True)

    advice = partial(advise, t, document.advice if keep else [t.STAGE_LATER]) if document.advice else None
    tabs(t, advice, explained, figures if counted or numbers else None, keep=partial(kept, keep) if keep else None)


def repeat(t: Words, config: Any) -> None:
    """Show the command that repeats a run count by count."""
    terms.prose(t, t.REPEAT_TEXT.format(seed=config.seed))
    st.code(record.command(config), language="bash", wrap_lines=True)
    if study_of(config).datasets(config) != ("digits",):
        st.caption(t.REPEAT_DIR)


def tabs(
    t: Words, do: Show | None = None, why: Show | None = None, numbers: Show | None = None, many: Show | None = None,
    keep: Show | None = None, first: int = 0,
) -> None:  # fmt: skip
    """Show tabs of the names and in the order that all pages have; one that holds nothing is left out.

    ``first`` is the place, among all names, of the one that is open at first, where that holds something.
    """
    held = {name: show for name, show in zip(t.TABS_AFTER, (do, why, numbers, many, keep), strict=True) if show}
    opened = t.TABS_AFTER[first] if t.TABS_AFTER[first] in held else None
    for tab, show in zip(st.tabs(list(held), default=opened), held.values(), strict=True):
        with tab:
            show()


def assumed(t: Words, result: Any) -> None:
    """Show everything that was assumed, as a document does."""
    study = study_of(result.config)
    rows = teller(t).assumed(report(t, result), study.name, result, study.datasets(result.config))
    tables.values(t, rows, t.ASSUMED_TITLE)


def ask(t: Words) -> str:
    """Return what to ask the maker of an app for."""
    return str(t.NEXT_STEPS["ask"].format(advised=wording.number(promise.ADVISED)))


def limits(t: Words, name: str, *, whole: bool = False) -> None:
    """Show what a result does not tell: the most important, or with ``whole`` all of it, as in a document."""
    st.markdown(f"**{t.REPORT['limits']}**")
    views.facts(t, t.REPORT[name].split("\n")[: None if whole else _LIMITS])


def advise(t: Words, sentences: Sequence[str]) -> None:
    for sentence in sentences:
        terms.prose(t, sentence)


def verdict(t: Words, sentences: Sequence[str], *, headline: bool, icon: str = "", worth: str = "") -> None:
    """Show what was found in one line, its first sentence large where it is a verdict, behind the symbol of a state.

    ``worth`` is a bar of how strong the promise itself is, see ``views.worth``.
    """
    first, *others = (terms.bold(html.escape(sentence)) for sentence in sentences or ("",))
    if first:
        line = t.SPACE.join((f"<b>{first}</b>" if headline else first, *others))
        symbol = f'<img src="{pictures.uri(views.icon(icon).encode(), "svg+xml")}" alt="">' if icon else ""
        st.html(f'<div class="ldp-verdict" role="status">{symbol}<p>{line}</p>{worth}</div>')


def parts(t: Words, shown: Sequence[Part], name: str) -> None:
    """Show parts of a report; ``name`` is of the study."""
    for part in shown:
        if isinstance(part, str):
            terms.prose(t, part)
        elif isinstance(part, Numbers):
            tables.values(t, part.rows, t.REPORT["numbers"])
        elif isinstance(part, Table):
            tables.table(t, part.head, part.rows, part.title)
            terms.prose(t, part.note, small=True)
        else:
            chart(t, part, f"{name}_{part.name}")


def chart(t: Words, shown: Chart, key: str, *, titled: bool = True, noted: bool = True) -> None:
    """Show a chart; ``key``: names it on the page; ``titled`` and ``noted``: whether with its title and its note."""
    if titled:
        st.markdown(f"**{shown.title}**")
    views.chart(t, shown.describe(t.FIGURES), key, shown.alt)
    if noted:
        terms.prose(t, shown.note, small=True)
