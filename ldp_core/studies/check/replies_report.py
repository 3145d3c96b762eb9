"""What replies for two data sets showed, as a table of the columns and as a document. No torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.report import Table, Teller, count
from ldp_core.words import document, figures

if TYPE_CHECKING:
    from ldp_core.checking.apps.verdict import Found

_SHOWN = 12


def columns(found: Found, tell: Teller) -> Table:
    """Return what columns of each name show: those without noise first, then those that differ most."""
    rows = [
        (one.name, count(one.numbers), f"{one.spread:.3g}", f"{one.distance:.3g}", tell("app_without") * one.bare)
        for one in found.columns[:_SHOWN]
    ]
    left = len(found.columns[_SHOWN:])
    note = tell("app_left", count=count(left)) if left else ""
    return Table(tell("app_columns_title"), tell("app_columns").split("\n"), rows, note)


def html(found: Found, command: str) -> str:
    """Return it as one page in English; ``command`` repeats it."""
    tell = Context(document("en"), figures("en"))
    table, title = columns(found, tell), tell("title_replies")
    parts = [
        page.heading(title),
        page.verdict(tell("verdict"), found.sentences(tell.words)),
        page.paragraph(tell("about_replies")),
        page.section(table.title, page.paragraph(table.note), tell.table(table.title, table.head, table.rows)),
        page.section(tell("app_asked_title"), page.bullets(tell("app_asked").split("\n"))),
        tell.limits("limits_check"),
        page.section(tell("repeat"), page.command(command)),
    ]
    return page.page("en", title, parts)
