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
"""Seconds after which a request goes on though the one before was not heard: the server may have no use for that one,
where it came from a part of the page that is gone."""


class InOrder:
    """Hand each request of a page to Streamlit once the one before has been heard.

    A request is heard once what it asked for is being drawn, for the callbacks have run before; one that says that a
    button was pressed, once all is drawn. Nothing waits for what a page asks by itself while it counts.
    """

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        line = _Line()

        async def next_request() -> Message:
            while True:
                message = await receive()
                request = _request(message)
                if request is None:
                    return message
                asked = request.rerun_script
                if not asked.is_auto_rerun:
                    await line.wait(asked, whole=line.make_whole(asked))
                    message["bytes"] = request.SerializeToString()
                elif not line.lets_count(asked):
                    continue
                return message

        async def answer(message: Message) -> None:
            line.hear(message.get("bytes") or b"")
            await send(message)

        await self._app(scope, next_request, answer)


class _Line:
    """The line to one page: what it asked last, and whether that was heard."""

    def __init__(self) -> None:
        # The page that was asked for; whether a part of it has asked since; whether it is left for the old one again.
        self._page, self._arrived, self._returns = "", True, False
        self._heard = asyncio.Event()
        self._heard.set()
        self._part, self._run, self._since, self._to_its_end = "", "", 0.0, False

    def lets_count(self, asked: ClientState) -> bool:
        """Say whether what a page asks by itself may go on: not from a page that was just left for good."""
        if self._has_left(asked):
            if not self._returns and asyncio.get_running_loop().time() < self._since + LONGEST:
                return False
            self._page, self._arrived = asked.page_script_hash, True
        return True

    def make_whole(self, asked: ClientState) -> bool:
        """Have a click on a part of a page that was left ask for that whole page, for what was done last counts.

        Return whether it was one.
        """
        self._returns = self._has_left(asked)
        if self._returns:
            asked.fragment_id = ""
        else:
            page = asked.page_script_hash
            self._arrived = bool(asked.fragment_id) or not page or (page == self._page and self._arrived)
            self._page = page
        return self._returns

    async def wait(self, asked: ClientState, *, whole: bool) -> None:
        """Wait until what was asked last is heard; then this is the last. One made whole is heard at its end."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._since + LONGEST):
                await self._heard.wait()
        self._heard.clear()
        self._part, self._run, self._since = asked.fragment_id, "", asyncio.get_running_loop().time()
        self._to_its_end = whole or any(widget.trigger_value for widget in asked.widget_states.widgets)

    def hear(self, answer: bytes) -> None:
        """Note an answer: that a run of what was asked begins, what it draws, and its end."""
        if self._heard.is_set():
            return
        message = ForwardMsg.FromString(answer)
        kind, run = message.WhichOneof("type"), message.metadata.run
        if kind == "new_session":
            if not self._run and (not run.fragment_ids or self._part in run.fragment_ids):
                self._run = run.script_run_id
        elif self._run and kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            # The page is drawn once more. Until that begins, Streamlit could draw it in place of the next page.
            self._run, self._to_its_end = "", False
        elif self._run and kind != "session_status_changed":
            ended = kind == "script_finished" and run.script_run_id == self._run
            if ended or not self._to_its_end:
                self._heard.set()

    def _has_left(self, asked: ClientState) -> bool:
        return bool(asked.fragment_id) and asked.page_script_hash != self._page and not self._arrived


def _request(message: Message) -> BackMsg | None:
    """Return what a message asks of the page's script; None for all else, and for what Streamlit will refuse."""
    try:
        request = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return None
    return request if request.WhichOneof("type") == "rerun_script" else None
