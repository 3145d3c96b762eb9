"""What a page asks reaches Streamlit in order: no click is dropped by the next, and none is answered on another page.

Streamlit keeps a click on a part of a page that it cannot serve at once, and drops it when the next request is for a
whole page; it stops the drawing of a page for the next one, and with it a button that is read where it is drawn. And a
click on a part of a page that has just been left would leave the next page empty: the browser takes the answer for a
return to the old page, of which it gets no more than the part.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages._shared.door import Message, Receive, Send

LONGEST = 5.0
"""Seconds for which a request waits for one thing at most: the server may have had no use for the request before, where
it came from a part of the page that is gone."""


class InOrder:
    """Hand each request of a page to Streamlit once the one before has been heard.

    A request is heard once what it asked for is being drawn, for the callbacks have run before; one that says that a
    button was pressed, once all is drawn. What a page asks by itself while it counts keeps its place in the line, and
    goes on at once.
    """

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        line, place = _Line(), _Place()

        async def next_request() -> Message:
            while True:
                message = await receive()
                request = _request(message)
                if request is None:
                    return message
                asked = request.rerun_script
                if not asked.is_auto_rerun:
                    await line.turn(part=bool(asked.fragment_id) and not place.has_left(asked))
                    line.ask(asked, whole=place.make_whole(asked))
                    message["bytes"] = request.SerializeToString()
                    return message
                if place.lets_count(asked) and line.lets_count(asked.fragment_id):
                    return message

        async def answer(message: Message) -> None:
            said = ForwardMsg.FromString(message.get("bytes") or b"")
            line.hear(said)
            if said.HasField("new_session") and not said.metadata.run.fragment_ids:
                place.hear(said.new_session.page_script_hash)
            await send(message)

        await self._app(scope, next_request, answer)


class _Wait:
    """Wait for something that is under way, but no longer than ``LONGEST`` from now."""

    def __init__(self, *, over: bool = False) -> None:
        self._over, self._until = asyncio.Event(), _now() + LONGEST
        if over:
            self.end()

    def end(self) -> None:
        self._over.set()

    def is_over(self) -> bool:
        return self._over.is_set() or _now() >= self._until

    async def wait(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._until):
                await self._over.wait()


class _Line:
    """What a page asked last, what its parts asked by themselves, and what Streamlit does now."""

    def __init__(self) -> None:
        self._last, self._drawing = _Wait(over=True), _Wait(over=True)
        self._by_itself: dict[str, _Wait] = {}
        self._part, self._run, self._to_its_end = "", "", False

    async def turn(self, *, part: bool) -> None:
        """Wait until what was asked last is heard.

        What is clicked on a part waits until all is drawn, as it would in Streamlit; else what is under way could be
        taken for the answer to it.
        """
        await self._last.wait()
        if part:
            for asked in list(self._by_itself.values()):
                await asked.wait()
            await self._drawing.wait()

    def ask(self, asked: ClientState, *, whole: bool) -> None:
        """Note what is asked now; one that was made whole is heard at its end."""
        self._last = _Wait()
        self._part, self._run = asked.fragment_id, ""
        self._to_its_end = whole or any(widget.trigger_value for widget in asked.widget_states.widgets)
        if not asked.fragment_id:
            self._by_itself.clear()  # Streamlit drops it

    def lets_count(self, part: str) -> bool:
        """Say whether what a part asks by itself may go on: not while it has asked and nothing came of it."""
        if part in self._by_itself and not self._by_itself[part].is_over():
            return False
        self._by_itself[part] = _Wait()
        return True

    def hear(self, message: ForwardMsg) -> None:
        """Note an answer: that a run begins, what it draws, and its end."""
        kind, run = message.WhichOneof("type"), message.metadata.run
        if kind == "new_session":
            for part in list(run.fragment_ids or self._by_itself):  # a whole page answers for all its parts
                if part in self._by_itself:
                    self._by_itself.pop(part).end()
            if self._drawing.is_over():
                self._drawing = _Wait()
            if not run.fragment_ids or self._part in run.fragment_ids:
                self._run = run.script_run_id
        elif kind == "script_finished":
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:  # else it is drawn once more
                self._drawing.end()
            if run.script_run_id == self._run:
                self._last.end()
        elif self._run and not self._to_its_end and kind not in (None, "session_status_changed"):
            self._last.end()


class _Place:
    """Which page was asked for last, and whether a part of it has asked since."""

    def __init__(self) -> None:
        self._page, self._begun, self._arrived, self._since = "", False, True, 0.0
        self._returns = False  # a click led back to the page that was left

    def make_whole(self, asked: ClientState) -> bool:
        """Have a click on a part of a page that was left ask for that whole page, for what was done last counts.

        Return whether it was one.
        """
        self._since = _now()
        self._returns = self.has_left(asked)
        if self._returns:
            asked.fragment_id = ""
        else:
            page = asked.page_script_hash
            self._arrived = bool(asked.fragment_id) or not page or (page == self._page and self._arrived)
            self._page, self._begun = page, False
        return self._returns

    def hear(self, page: str) -> None:
        """Note that a run of a whole page begins."""
        if page == self._page:
            self._begun = True
        elif self._begun and not self._returns:  # the server itself led on, to what was opened
            self._page, self._arrived = page, True

    def lets_count(self, asked: ClientState) -> bool:
        """Say whether what a page asks by itself may go on: not from a page that was just left for good."""
        if self.has_left(asked):
            if not self._returns and _now() < self._since + LONGEST:
                return False
            self._page, self._arrived = asked.page_script_hash, True
        return True

    def has_left(self, asked: ClientState) -> bool:
        return bool(asked.fragment_id) and asked.page_script_hash != self._page and not self._arrived


def _now() -> float:
    return asyncio.get_running_loop().time()


def _request(message: Message) -> BackMsg | None:
    """Return what a message asks of the page's script; None for all else, and for what Streamlit will refuse."""
    try:
        request = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return None
    return request if request.WhichOneof("type") == "rerun_script" else None
