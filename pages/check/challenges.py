"""The challenges that were made, in memory only: whoever has what one is made of can make its key again."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from ldp_core.checking.claims import CheckConfig

MOST = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What both files of a challenge are made of; the salt is in the key alone.

    Args:
        config: of the check.
        salt: see ``ldp_core.checking.subjects.new_salt``.
    """

    config: CheckConfig
    salt: str = field(repr=False)


class Challenges:
    """The files of the last challenges of all visitors, each under a name of its own that nobody can guess.

    So the name of what a maker gets leads to no key.
    """

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, str], Asked] = OrderedDict()
        self._lock = Lock()

    def keep(self, asked: Asked, file: str) -> str:
        """Keep what a file is made of and return its name; the oldest makes room where there are too many."""
        name = secrets.token_hex(16)
        with self._lock:
            self._made[name, file] = asked
            if len(self._made) > MOST:
                self._made.popitem(last=False)
        return name

    def get(self, name: str, file: str) -> Asked | None:
        """Return what a file is made of; None if it is gone, or the name is another file's."""
        return self._made.get((name, file))


@st.cache_resource(show_spinner=False)
def challenges() -> Challenges:
    """Return the challenges of this server."""
    return Challenges()
