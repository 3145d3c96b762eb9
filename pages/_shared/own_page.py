"""Each run draws the page that it was asked for, though the run before it has not quite ended.

Streamlit keeps the page to draw in one place for all runs of a session. A page that begins to draw itself again
(``st.rerun``, when a test ends) just as the client leaves it would set that place back, and the next run would draw the
old page under the new address.
"""

import threading
from typing import Any

from streamlit.runtime.pages_manager import PagesManager

_FIELDS = ("_intended_page_script_hash", "_intended_page_name", "_current_page_script_hash")


def install() -> None:
    """Let each run have a page of its own; before the first session begins."""
    for field in _FIELDS:
        setattr(PagesManager, field, _OfEachThread(field))


class _OfEachThread:
    """A field that a thread reads as it set it itself, and a thread that has not, as it was set last.

    Of two runs at one time each has its thread. A new object's first value is no thread's own.
    """

    def __init__(self, name: str) -> None:
        self._name, self._own = name, f"{name}_of_each_thread"

    def __get__(self, holder: Any, _: type) -> Any:
        return getattr(vars(holder)[self._own], "value", vars(holder)[self._name])

    def __set__(self, holder: Any, value: Any) -> None:
        if self._own in vars(holder):
            vars(holder)[self._own].value = value
        else:
            vars(holder)[self._own] = threading.local()
        vars(holder)[self._name] = value
