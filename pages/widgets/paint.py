"""A map of importance that is painted over a picture; the page learns it when the hand is lifted."""

from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import streamlit as st

from ldp_core.channels import EYES, is_map
from pages.state.settings import Setting
from pages.widgets import hand

_SCRIPT = Path(__file__).with_name("paint.js").read_text(encoding="utf-8")
_DRAWN = Setting("painted", EYES, str, is_map)


@cache
def _component() -> Any:
    return st.components.v2.component("ldp_paint", js=_SCRIPT, isolate_styles=False)


def squares(label: str, square: str, picture: str) -> None:
    """Show squares over a picture.

    ``label``: of all; ``square``: of one, with places for ``row`` and ``column``; ``picture``: a data URI.
    """
    turns = st.session_state.setdefault("hand_turns", {})

    def draw(value: str, key: str) -> None:
        data = {"drawn": value, "number": turns.get("paint", 0), "label": label, "square": square, "picture": picture}
        _component()(
            key="paint", data=data, on_set_change=partial(hand.heard, "paint", key, itemgetter("drawn"), turns)
        )

    _DRAWN.show(draw)


def drawn() -> str:
    """Return the map that is painted."""
    return str(_DRAWN.value())
