"""Settings: what the client has set, one value for each name, kept in the session and named in the URL.

What a visitor set is found at the beginning of a page: it is what a widget says and was not drawn with. A browser
repeats what every widget shows with whatever it asks of the server, and so may still repeat the old value of a widget
that the server has just written. A value that is written therefore goes into a new widget, and what the one before only
repeats is not heard.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.state import history

_HELD, _TURNS, _SAID, _NAMES, _MENTIONED = (
    f"settings_{part}" for part in ("held", "turns", "said", "names", "mentioned")
)
_REFUSED = "settings_refused"
_WRONG = "settings_wrong"
EXPECTED = "expect"
_REMEMBERED = 200  # widgets: those of some pages
_PAGE, _LEFT, _BETWEEN = "settings_page", "settings_left", "settings_between"
_PLACE, _SHOWN, _ADDRESSES = "settings_place", "settings_shown", "settings_addresses"


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that the client sets.

    Attributes:
        name: its name in the URL; its widget's key begins with it.
        default: its value where the client has set none; not in the URL.
        parse: makes a value of a link's text, or raises ValueError.
        fits: whether a value is allowed here; one that is not counts as none.
        spell: makes a link's text of a value.
        held_as: its name in the session, where another page means something else by the name.
        linked: whether it is in the URL.
        reads: makes a value of what is typed into its widget, or returns the text that is none; None where the
            widget holds the value itself.
    """

    name: str
    default: Any
    parse: Callable[[str], Any]
    fits: Callable[[Any], bool]
    spell: Callable[[Any], str] = str
    held_as: str = ""
    linked: bool = True
    reads: Callable[[str], Any] | None = None

    def value(self) -> Any:
        """Return what the client set, else what the link says, else the default.

        Where the client went through the browser's history, the link alone counts.
        """
        known, key = _kept(_HELD), self.held_as or self.name
        if self.linked:
            self._follow_link(known, key)
        return self.allowed(known.get(key, self.default))

    def allowed(self, value: Any) -> Any:
        """Return a value, or the default in the place of one that is not allowed."""
        return value if value == self.default or self.fits(value) else self.default

    def show(
        self, draw: Callable[..., Any], widget: str = "", holds: Callable[[Any], Any] = lambda value: value
    ) -> Any:
        """Show a widget that holds the setting; return the value.

        Args:
            draw: draws the widget with what it is given: a value to begin with, or its text where text is read, and a
                key. Streamlit tells the browser of a key's value once, which a slow device may miss.
            widget: the widget's name, where a setting has more than one.
            holds: returns what the widget holds for a value: None where it offers other values only.
        """
        key, widget = self.held_as or self.name, widget or self.name
        value = self.value()
        turns = _kept(_TURNS).setdefault(key, {})
        turn = turns.setdefault(widget, 0)
        shown = holds(value) if self.reads is None else self.text()
        there = st.session_state.get(_key(widget, turn), shown)
        if self.reads is not None and isinstance(there, str) and self.reads(there) == self.reads(shown):
            shown = there  # it stays as it was typed
        if there != shown:
            turn = turns[widget] = turn + 1
        drawn = _key(widget, turn)
        if drawn not in st.session_state:
            st.session_state[drawn] = shown
        widgets = _kept(_SAID)
        widgets.pop(drawn, None)
        widgets[drawn] = _Said(key, widget, shown, self.reads)
        if len(widgets) > _REMEMBERED:
            widgets.pop(next(iter(widgets)))
        draw(value if self.reads is None else shown, key=drawn)
        if self.linked:
            _kept(_NAMES)[self.name] = True
            _kept(_SHOWN).setdefault(st.session_state.get(_PLACE, ""), {})[self.name] = self
            mention(self.name, "" if value is None or value == self.default else self.spell(value))
        return value

    def text(self) -> str:
        """Return what a field for text shows: the value, or what was typed and is none."""
        value, typed = self.value(), _kept(_HELD).get(self.held_as or self.name, self.default)
        if typed is not None and typed != value:
            value = typed
        return "" if value is None else value if isinstance(value, str) else self.spell(value)

    def _follow_link(self, known: dict[str, Any], key: str) -> None:
        link_value = self._asked()
        if through_history() and known.get(key, self.default) != link_value:
            write(key, link_value)
        if link_value != self.default:
            known.setdefault(key, link_value)
        elif through_history():
            known.pop(key, None)

    def _asked(self) -> Any:
        if self.name not in st.query_params:
            return self.default
        text = str(st.query_params[self.name])
        try:
            value = self.parse(text)
        except ValueError:
            value = self.default
            refuse(self.name, text)
        if not self.fits(value) and value != self.default:
            refuse(self.name, text)
            return self.default
        return value


@dataclass(frozen=True, slots=True)
class Box(Setting):
    """Whether one of several is ticked: all that are have one name in the URL, which the page writes.

    Attributes:
        named: whether that name names it, or is not there and it is ticked by default.
    """

    named: bool = False

    def _asked(self) -> bool:
        return self.named


def box(name: str, *, default: bool, named: bool) -> Box:
    """Return a tick box; a link has no name of its own for it."""
    return Box(name, default, bool, lambda held: isinstance(held, bool), lambda _: "", named=named)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a widget was drawn with, or has said since, and the setting that it holds."""

    name: str
    widget: str
    value: Any
    reads: Callable[[str], Any] | None


def write(name: str, value: Any, widget: str = "") -> None:
    """Set a setting; all its widgets but the one that said so are replaced when they are shown again."""
    puts({name: value}, widget)()


def puts(values: Mapping[str, Any], widget: str = "") -> Callable[[], None]:
    """Return what sets settings as ``write`` does, for a button: it touches nothing of Streamlit."""
    known, of_all = _kept(_HELD), _kept(_TURNS)

    def put() -> None:
        for name, value in values.items():
            known[name] = value
            turns = of_all.get(name, {})
            turns |= {other: turn + 1 for other, turn in turns.items() if other != widget}

    return put


def shown() -> list[Setting]:
    """Return the settings that this page has shown so far, or before, and that a link names."""
    return list(_kept(_SHOWN).get(st.session_state.get(_PLACE, ""), {}).values())


def held(name: str) -> Any:
    """Return what the client set on any page; None for nothing."""
    return _kept(_HELD).get(name)


def mention(key: str, text: str) -> None:
    """Let the next ``link`` name something in the URL; nothing for an empty text."""
    _kept(_MENTIONED)[key] = text


def refuse(name: str, text: str) -> None:
    """Remember that a link names a value that is not possible here, so that the page says it."""
    _kept(_REFUSED)[name] = text


def refused() -> dict[str, str]:
    """Return what the link named and what is not possible here, by the settings' names."""
    return dict(_kept(_REFUSED))


def wrong(sentence: str = "") -> str:
    """Remember that a field of this page holds what is no value, so that nothing is run; return the first sentence."""
    sentences = _kept(_WRONG)
    if sentence:
        sentences.setdefault("first", sentence)
    return str(sentences.get("first", ""))


def begin(place: str) -> None:
    """Begin a run of the whole page, named by its place in the URL, before anything of it is shown.

    What the visitor has set since the last one is heard, be it on another page; what an interrupted run mentioned is
    forgotten. On another page all widgets are new: those of the page before may have the same keys.
    """
    page, _ = history.request()
    for drawn in list(_kept(_SAID)):
        _hear(drawn)
    _kept(_MENTIONED).clear()
    _kept(_REFUSED).clear()
    _kept(_WRONG).clear()
    st.session_state[_PLACE] = place
    left = st.session_state.setdefault(_PAGE, page)
    if left != page:
        st.session_state[_PAGE] = page
        for turns in _kept(_TURNS).values():
            turns |= {widget: turn + 1 for widget, turn in turns.items()}
        if not through_history():
            st.session_state[_LEFT] = left


def address(place: str, shares: Sequence[str]) -> dict[str, str]:
    """Return what a link to a page names: what its URL named last, and settings it shares with pages seen since."""
    named: dict[str, str] = dict(_kept(_ADDRESSES).get(place, {}))
    everywhere = {name: setting for shown in _kept(_SHOWN).values() for name, setting in shown.items()}
    first = {name: everywhere[name] for name in shares if name in everywhere}
    for name, setting in _kept(_SHOWN).get(place, first).items():
        value = setting.allowed(_kept(_HELD).get(setting.held_as or name, setting.default))
        named[name] = "" if value is None or value == setting.default else setting.spell(value)
    return {name: text for name, text in named.items() if text}


def link(*, anew: bool = False) -> None:
    """Name in the URL what was mentioned, and nothing of what is no longer shown.

    At the end of a page: each change of the URL is an entry in the browser's history, and one that is made while the
    page still comes goes to the page before.

    ``anew``: tell the browser even if it asked with these names: a link that stays on its page leaves the URL alone.
    """
    mentioned = dict.fromkeys(_kept(_NAMES), "") | _kept(_MENTIONED)
    there = st.query_params.to_dict()
    named = {key: text for key, text in (there | mentioned).items() if text or key not in mentioned}
    _kept(_MENTIONED).clear()
    _kept(_ADDRESSES)[st.session_state.get(_PLACE, "")] = named
    between, (page, _) = _kept(_BETWEEN), history.request()
    left = st.session_state.pop(_LEFT, "")
    if left and named != there:
        between[_place(page, there)] = between[_place(left, named)] = True
    else:
        between.pop(_place(page, named), None)
    if anew or named != there:
        st.query_params.from_dict(named)


def through_history() -> bool:
    """Return whether the client went back or forward in the browser, to a URL that says what was set.

    Where a page is left for one whose link does not name all that is set, the history has URLs that do not either: the
    new page's until ``link``; and the old page's with the new one's names, where the browser heard of those before it
    had left. There all stays as it is.
    """
    page, back = history.request()
    return back and _place(page, st.query_params.to_dict()) not in _kept(_BETWEEN)


def _hear(drawn: str) -> None:
    """Take what a widget says, unless it was drawn with that or has said it before."""
    widgets = _kept(_SAID)
    name, widget, before, reads = widgets[drawn].name, widgets[drawn].widget, widgets[drawn].value, widgets[drawn].reads
    value = st.session_state.get(drawn, before)
    if value != before:
        known = value if reads is None else reads(value)
        write(name, known, widget if drawn == _key(widget, _kept(_TURNS)[name][widget]) else "")
        widgets[drawn] = _Said(name, widget, value, reads)


def _place(page: str, names: dict[str, str]) -> str:
    return f"{page}?{urlencode(sorted(names.items()))}"


def _key(widget: str, turn: int) -> str:
    return f"{widget}_{turn}" if turn else widget


def _kept(name: str) -> dict[str, Any]:
    store: dict[str, Any] = st.session_state.setdefault(name, {})
    return store
