"""A table of texts; where it is too wide it scrolls on its own, by keyboard too, and on a phone each row is a card."""

import html
from collections.abc import Mapping, Sequence

import streamlit as st


def table(rows: Sequence[Mapping[str, str]], label: str) -> None:
    """Show rows that share their columns; ``label`` names the table for those who do not see it."""
    if rows:
        st.html(markup(rows, label))


def markup(rows: Sequence[Mapping[str, str]], label: str) -> str:
    """Return the table as HTML: the first cell of each row is its heading."""
    names = [html.escape(name) for name in rows[0]]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    body = ""
    for row in rows:
        first, *others = map(html.escape, row.values())
        cells = "".join(f'<td data-label="{name}">{text}</td>' for name, text in zip(names[1:], others, strict=True))
        body += f'<tr><th scope="row" data-label="{names[0]}">{first}</th>{cells}</tr>'
    return (
        f'<div class="ldp-table" role="region" aria-label="{html.escape(label)}" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
