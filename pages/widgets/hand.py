"""A slider that the page follows while it is held: what each step shows is handed over once and swapped by the browser.

On release the page learns the value as from any other widget, and draws itself anew.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.state.settings import Setting


@cache
def component(name: str) -> Any:
    """Return what shows the component whose script has this name."""
    script = Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"ldp_{name}", js=script, isolate_styles=False)


def slider(
    setting: Setting, widget: str, steps: Mapping[Any, str], label: str, text: str, ends: tuple[str, str]
) -> Any:
    """Show a slider that holds a setting; return its value."""
    values, turns = list(steps), st.session_state.setdefault("hand_turns", {})

    def at(position: Mapping[str, int]) -> Any:
        return values[position["index"]]

    def draw(value: Any, key: str) -> None:
        name = f"hand_{widget}"
        data = {"steps": list(steps.values()), "index": values.index(value), "number": turns.get(name, 0)}
        data |= {"label": label, "help": text, "ends": ends, "frames": {}, "leader": setting.name}
        component("hand")(key=name, data=data, on_set_change=partial(heard, name, key, at, turns))

    return setting.show(draw, widget)


def follow(leader: str, name: str, frames: Mapping[str, Sequence[str]]) -> None:
    """Have parts of the page follow a slider while it is held.

    ``frames``: name of a part, an element of ``st.html`` with that ``data-hand`` -> its HTML at each step.
    """
    component("hand")(key=f"follow_{name}", data={"frames": dict(frames), "leader": leader}, on_set_change=lambda: None)


def heard(name: str, key: str, value_of: Callable[[Any], Any], turns: dict[str, int]) -> None:
    """Take over what a hand set: the value of what the component ``name`` tells becomes that of the widget ``key``."""
    moved = st.session_state.get(name)  # None: moved on a page that was left before it was gone from the screen
    if moved is not None and (position := moved.set) is not None:
        turns[name] = position["number"]
        st.session_state[key] = value_of(position)
