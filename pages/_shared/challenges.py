"""The challenges that were made, in memory only: whoever has one's configuration can draw its key again."""

import secrets
from collections import OrderedDict
from threading import Lock

import streamlit as st

from ldp_core.claims import CheckConfig

MOST = 2_000


class Challenges:
    """The files of the last challenges of all visitors, each under a name of its own that nobody can guess.

    So the name of what a maker gets leads to no key.
    """

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, str], CheckConfig] = OrderedDict()
        self._lock = Lock()

    def keep(self, config: CheckConfig, file: str) -> str:
        """Keep what a file is made of and return its name; the oldest makes room where there are too many."""
        name = secrets.token_hex(16)
        with self._lock:
            self._made[name, file] = config
            if len(self._made) > MOST:
                self._made.popitem(last=False)
        return name

    def get(self, name: str, file: str) -> CheckConfig | None:
        """Return what a file is made of; None if it is gone, or the name is another file's."""
        return self._made.get((name, file))


@st.cache_resource(show_spinner=False)
def challenges() -> Challenges:
    """Return the challenges of this server."""
    return Challenges()
