"""Buttons whose press counts, whatever the page is doing: each acts in its callback, with plain objects.

A page that begins to draw is stopped where the next request comes, so what a button does must not wait until it is
drawn again. Its callback acts on what was set when it was drawn. If something has been set since, it is left to the
button's next drawing, which knows that; a page that comes instead of that drawing acts on what it knew.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

Act = Callable[[], None]
Problem = Callable[[Exception], str]
_BOARD, _PLACE = "press_board", "press_place"
_PLAIN = (bool, int, float, str, list, tuple, type(None))


@dataclass(slots=True)
class _Press:
    """A button as it was drawn last: what it does, and all that was set."""

    key: str
    act: Act | None
    problem: Problem
    shown: dict[str, Any]


@dataclass(slots=True)
class _Board:
    """What was pressed and waits, what could not be done, the keys, and whether the page shows less than is done."""

    waiting: list[_Press] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    buttons: set[str] = field(default_factory=set)
    behind: bool = False


def button(label: str, key: str, act: Act | None, problem: Problem = str, *, fixed: bool = False, **look: Any) -> str:
    """Show a button; return a sentence if what it does could not be done at the last press.

    ``act`` touches nothing of Streamlit; None for a button that is grey. ``problem``: returns a sentence for an error
    that it raises; ``fixed``: whether what it does follows from nothing that is set on the page; ``look``: as for
    ``st.button``.
    """
    board = _board()
    board.buttons.add(key)
    shown = {} if fixed else _set()
    press = _Press(key, act, problem, shown)
    st.button(label, key=key, disabled=act is None, on_click=_pressed, args=(board, press), **look)
    for waiting in [waiting for waiting in board.waiting if waiting.key == key]:
        board.waiting.remove(waiting)
        if act is not None:
            _do(board, _Press(key, act, problem, {}))
            board.behind = True
    return board.failures.pop(key, "")


def in_turn(*acts: Act) -> Act:
    """Return what does several things, one after another."""

    def act() -> None:
        for each in acts:
            each()

    return act


def begin(place: str) -> None:
    """Begin a page: do what was pressed on another page and still waits."""
    board = _board()
    left = st.session_state.get(_PLACE)
    st.session_state[_PLACE] = place
    if left is not None and left != place:
        for waiting in board.waiting:
            _do(board, waiting)
        board.waiting.clear()
    board.behind = False


def behind() -> bool:
    """Return whether the page that was just drawn shows less than has been done."""
    return _board().behind


def _pressed(board: _Board, press: _Press) -> None:
    now = _set() if press.shown else {}
    if any(now[key] != value for key, value in press.shown.items() if key in now and key not in board.buttons):
        board.waiting.append(press)
    else:
        _do(board, press)


def _do(board: _Board, press: _Press) -> None:
    if press.act is None:
        return
    try:
        press.act()
    except Exception as error:
        if not (failure := press.problem(error)):
            raise
        board.failures[press.key] = failure


def _set() -> dict[str, Any]:
    """Return what is set: the values of this session that are a widget's, or could be."""
    entries = st.session_state.to_dict().items()
    return {key: value for key, value in entries if isinstance(value, _PLAIN) or hasattr(value, "file_id")}


def _board() -> _Board:
    board: _Board = st.session_state.setdefault(_BOARD, _Board())
    return board
