"""A tab without a browser: speaks what Streamlit's page speaks, for tests that need many at a time."""

import contextlib
import html
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

_TEXTS = ("heading", "markdown", "html", "alert")


class Visitor:
    """One tab, at a page by its name in the address and with what stands behind the question mark."""

    def __init__(self, address: str, page: str, query: str = "") -> None:
        self.query = query
        self.elements: dict[tuple[int, ...], Any] = {}
        self.running = False
        self.sent = 0.0
        self._page, self._hash = page, ""
        self._fresh: set[tuple[int, ...]] = set()
        self._again: dict[str, tuple[float, float]] = {}
        self._open = contextlib.ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"{address.replace('http', 'ws')}/_stcore/stream", subprotocols=[Subprotocol("streamlit")],
                origin=Origin(address), max_size=None, max_queue=None, ping_interval=None, open_timeout=60,
            )
        )  # fmt: skip
        self._ask()

    @property
    def text(self) -> str:
        """What is to be read on the screen."""
        kinds = ((element, element.WhichOneof("type")) for element in self.elements.values())
        found = [getattr(element, kind).body for element, kind in kinds if kind in _TEXTS]
        return html.unescape(re.sub("<[^>]*>", "", "\n".join(found)))

    @property
    def job(self) -> str:
        """The id of the job in view, from the address."""
        return parse_qs(self.query).get("job", [""])[0]

    def press(self, key: str) -> None:
        """Press the button with a key."""
        buttons = (element.button for element in self.elements.values() if element.WhichOneof("type") == "button")
        self._ask(button=next(button.id for button in buttons if button.id.endswith(f"-{key}")))

    def until(self, condition: Callable[[], bool], seconds: float = 600.0) -> float:
        """Keep the tab going until something holds; return the moment, by the monotonic clock."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not within {seconds:g} seconds; the screen says: {self.text[:1_000]}")
            self._listen()
        return time.monotonic()

    def still(self) -> bool:
        """Return whether the page is drawn whole."""
        return not self.running

    def close(self) -> None:
        self._open.close()

    def _ask(self, button: str = "", fragment: str = "") -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_name, state.page_script_hash = self.query, self._page, self._hash
        state.context_info.locale, state.context_info.timezone = "en-US", "UTC"
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, True
        if button:
            pressed = state.widget_states.widgets.add()
            pressed.id, pressed.trigger_value = button, True
        self.running, self.sent = True, time.monotonic()
        self._socket.send(message.SerializeToString())

    def _listen(self) -> None:
        due = min((at for _, at in self._again.values()), default=time.monotonic() + 0.5)
        try:
            content = self._socket.recv(timeout=max(0.0, min(due - time.monotonic(), 0.5)) if not self.running else 0.5)
        except TimeoutError:
            content = None
        if content is not None:
            message = ForwardMsg()
            message.ParseFromString(content)  # type: ignore[arg-type]
            getattr(self, f"_{message.WhichOneof('type')}", lambda _: None)(message)
        if not self.running:
            for fragment, (interval, at) in self._again.items():
                if at <= time.monotonic():
                    self._again[fragment] = interval, time.monotonic() + interval
                    self._ask(fragment=fragment)
                    break

    def _new_session(self, message: ForwardMsg) -> None:
        self._fresh = set()
        if not message.metadata.run.fragment_ids:  # the whole page is drawn anew, and says again what is to run again
            self._again.clear()

    def _navigation(self, message: ForwardMsg) -> None:
        self._hash, self._page = message.navigation.page_script_hash, ""

    def _delta(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") == "new_element":
            place = tuple(message.metadata.delta_path)
            self.elements[place] = message.delta.new_element
            self._fresh.add(place)

    def _page_info_changed(self, message: ForwardMsg) -> None:
        self.query = message.page_info_changed.query_string

    def _auto_rerun(self, message: ForwardMsg) -> None:
        asked = message.auto_rerun
        self._again.setdefault(asked.fragment_id, (asked.interval, time.monotonic() + asked.interval))

    def _script_finished(self, message: ForwardMsg) -> None:
        if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.elements = {place: self.elements[place] for place in sorted(self._fresh)}
        self.running = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
