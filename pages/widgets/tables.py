"""A table of texts; where it is too wide it scrolls on its own, by keyboard too, and on a phone each row is a card."""

import html
from collections.abc import Iterable, Sequence

import streamlit as st

from ldp_core.words import Words, numbers

_MOST = 4
"""Columns that a phone shows side by side."""


def table(t: Words, names: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> None:
    """Show rows below the names of their columns; ``label`` names the table for those who do not see it."""
    if rows:
        st.html(markup(t, names, rows, label))


def values(t: Words, rows: Sequence[tuple[str, str]], label: str) -> None:
    """Show names and their values."""
    table(t, t.ASSUMED_COLUMNS, rows, label)


def markup(t: Words, names: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> str:
    """Return the table as HTML: the first cell of each row is its heading."""
    names = [html.escape(name) for name in names]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    body = ""
    for row in rows:
        first, *others = (html.escape(numbers.written(cell, t.SEPARATORS)) for cell in row)
        cells = "".join(f'<td data-name="{name}">{text}</td>' for name, text in zip(names[1:], others, strict=True))
        body += f'<tr><th scope="row">{first}</th>{cells}</tr>'
    wide = " ldp-wide" if len(names) > _MOST else ""
    return (
        f'<div class="ldp-table{wide}" role="region" aria-label="{html.escape(label)}" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def columns(t: Words, names: Sequence[str], rows: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    """Return a table of Streamlit's own: each column with its cells, whose numbers are written as the language does."""
    cells = zip(*rows, strict=True)
    return {
        name: [numbers.written(cell, t.SEPARATORS) for cell in column]
        for name, column in zip(names, cells, strict=True)
    }
