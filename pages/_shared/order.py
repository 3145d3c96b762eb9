"""What a page asks reaches Streamlit in order: no click is overtaken, and none is answered on another page.

Streamlit keeps a click on a part of a page that it cannot serve at once, and drops it when the next request is for a
whole page. A click on a part of a page that has just been left would leave the next page empty: the browser takes the
answer for a return to the old page, of which it gets no more than the part.
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

    It has been when what it asked for is being drawn: the callbacks of what was clicked have then run. What a page asks
    by itself while it counts is neither held nor waited for.
    """

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        line = _Line()

        async def next_request() -> Message:
            message = await receive()
            request = _request(message)
            if request is None or request.rerun_script.is_auto_rerun:
                return message
            line.make_whole(request.rerun_script)
            await line.wait(request.rerun_script)
            message["bytes"] = request.SerializeToString()
            return message

        async def answer(message: Message) -> None:
            line.hear(message.get("bytes") or b"")
            await send(message)

        await self._app(scope, next_request, answer)


class _Line:
    """The line to one page: what it asked last, and whether that was heard."""

    def __init__(self) -> None:
        self._page, self._arrived = "", True
        self._heard = asyncio.Event()
        self._heard.set()
        self._part, self._since, self._begun = "", 0.0, False

    def make_whole(self, asked: ClientState) -> None:
        """Have a click on a part of a page that was left ask for that whole page: what was done last counts."""
        page = asked.page_script_hash
        if asked.fragment_id and page != self._page and not self._arrived:
            asked.fragment_id = ""
        self._arrived = bool(asked.fragment_id) or page in ("", self._page)
        self._page = page

    async def wait(self, asked: ClientState) -> None:
        """Wait until what was asked last is heard; then this is the last."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._since + LONGEST):
                await self._heard.wait()
        self._heard.clear()
        self._part, self._since, self._begun = asked.fragment_id, asyncio.get_running_loop().time(), False

    def hear(self, answer: bytes) -> None:
        """Note an answer: that a run of what was asked begins, or what that run draws."""
        if self._heard.is_set():
            return
        message = ForwardMsg.FromString(answer)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            parts = message.metadata.run.fragment_ids
            self._begun = self._begun or (self._part in parts if self._part else not parts)
        elif self._begun and kind != "session_status_changed":
            self._heard.set()


def _request(message: Message) -> BackMsg | None:
    """Return what a message asks of the page's script; None for all else, and for what Streamlit will refuse."""
    try:
        request = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return None
    return request if request.WhichOneof("type") == "rerun_script" else None
