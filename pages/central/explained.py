"""What an audit of DP-SGD means: who must cheat, what was measured in advance, the paper, and the ε of a device."""

import streamlit as st

from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.statistics import theory
from ldp_core.studies.central import table
from ldp_core.studies.training_check.cabinet import LIARS
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.widgets import tables, told


def banner(t: Words) -> None:
    """Say that this is another epsilon than a device's, with the two numbers that would be confused."""
    shown = (table.SHOWN.model, table.SHOWN.epsilon)
    ceilings = [row.ceiling for row in table.measured() if (row.model, row.epsilon) == shown]
    if ceilings:
        local = wording.at_most(t, theory.worst_case_identification(table.SHOWN.epsilon))
        values = {"epsilon": wording.number(table.SHOWN.epsilon), "ceiling": wording.at_most(t, max(ceilings))}
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
                found = reached.get(name)
                st.caption(t.CENTRAL_CARD_NONE if found is None else t.CENTRAL_CARD.format(**_shares(found)))
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
    if not rows:
        return
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
        if cells:
            st.table(tables.columns(t, t.CENTRAL_PAPER_COLUMNS, cells))
        terms.prose(t, t.CENTRAL_PAPER_MOST)
    with st.expander(t.CENTRAL_SLIPS_TITLE):
        terms.prose(t, "\n\n".join(t.CENTRAL_SLIPS.split("\n")))


def liars(t: Words) -> None:
    """Show the cabinet of training functions that cheat, with how many trainings catch each."""
    with st.expander(t.CENTRAL_LIARS_TITLE):
        terms.prose(t, t.CENTRAL_LIARS_NOTE)
        cells = [(t.CENTRAL_LIARS[name], name, wording.count(liar.games)) for name, liar in LIARS.items()]
        st.table(tables.columns(t, t.CENTRAL_LIARS_COLUMNS, cells))


def _shares(row: table.Row) -> dict[str, str]:
    return {name: f"{100 * value:.0f}" for name, value in (("right", row.right), ("low", row.low), ("high", row.high))}
