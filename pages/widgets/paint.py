"""A map of importance that is painted over a picture; the page learns it when the hand is lifted."""

from functools import partial
from operator import itemgetter

import streamlit as st

from ldp_core.channels import EYES, is_map
from pages.state.settings import Setting
from pages.widgets import hand

_DRAWN = Setting("painted", EYES, str, is_map)


def squares(label: str, square: str, picture: str) -> None:
    """Show squares over a picture.

    ``label``: of all; ``square``: of one, with places for ``row`` and ``column``; ``picture``: a data URI.
    """
    turns = st.session_state.setdefault("hand_turns", {})

    def draw(value: str, key: str) -> None:
        data = {"drawn": value, "number": turns.get("paint", 0), "label": label, "square": square, "picture": picture}
        heard = partial(hand.heard, "paint", key, itemgetter("drawn"), turns)
        hand.component("paint")(key="paint", data=data, on_set_change=heard)

    _DRAWN.show(draw)


def drawn() -> str:
    """Return the map that is painted."""
    return str(_DRAWN.value())
