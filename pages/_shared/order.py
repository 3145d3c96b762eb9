"""What a page asks reaches Streamlit in order: no click is dropped by the next, and none is answered on another page.

Streamlit keeps a click on a part of a page that it cannot serve at once, and drops it when the next request is for a
whole page; it stops the drawing of a page for the next one, and with it a button that is read where it is drawn. And a
click on a part of a page that has just been left would leave the next page empty: the browser takes the answer for a
return to the old page, of which it gets no more than the part. Nor does Streamlit serve a click on a part that has got
another place since. Where a whole page begins, it forgets what it has not yet told the browser, even where a file
may be sent to: that file would be lost without a word.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages._shared.door import Message, Receive, Send

LONGEST = 5.0
"""Seconds for which a request waits for one thing at most."""
_QUESTION, _ANSWER = "file_urls_request", "file_urls_response"
"""What a page asks beside its script: where to send a file."""
_BEFORE_ALL = (None, "session_status_changed", "page_info_changed")
"""Messages that may come before the callbacks have run."""


class InOrder:
    """Hand each request of a page to Streamlit once the one before has been heard.

    A request is heard once what it asked for is being drawn, for the callbacks have run before; one that says that a
    button was pressed, once all is drawn. What is asked beside the script, as where a file may go, waits for that too,
    and the next request for its answer. What a page asks by itself while it counts keeps its place in the line, and
    goes on at once, or not at all while more than that is asked or drawn.
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
                kind = request.WhichOneof("type")
                if kind == _QUESTION:
                    await line.heard()
                    await line.drawn(part=True)
                    line.question()
                if kind != "rerun_script":
                    return message
                asked = request.rerun_script
                if not asked.is_auto_rerun:
                    await line.heard()
                    if not place.leaves(asked):
                        await line.drawn(part=bool(asked.fragment_id))
                    whole = place.make_whole(asked) or line.make_whole(asked)
                    line.ask(asked, whole=whole)
                    message["bytes"] = request.SerializeToString()
                    return message
                if place.admit(asked) and line.admit(asked.fragment_id):
                    return message

        async def answer(message: Message) -> None:
            said = ForwardMsg.FromString(message.get("bytes") or b"")
            line.hear(said)
            if said.HasField("navigation"):
                place.hear(said.navigation.page_script_hash)
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


class _Asked(_Wait):
    """A request, which is heard once what it asked for is being drawn, or is drawn to its end."""

    def __init__(self, asked: ClientState, *, to_its_end: bool = False, over: bool = False) -> None:
        super().__init__(over=over)
        self._page, self._part, self._to_its_end = asked.page_script_hash, asked.fragment_id, to_its_end
        self._run = ""

    def hear(self, message: ForwardMsg) -> None:
        kind, run = message.WhichOneof("type"), message.metadata.run
        if kind == "new_session":
            own_page = self._page in ("", message.new_session.page_script_hash)
            if self._part in run.fragment_ids or (own_page and not run.fragment_ids):
                self._run = run.script_run_id
        elif kind == "script_finished":
            if run.script_run_id == self._run:
                self.end()
        elif self._run and not self._to_its_end and kind not in _BEFORE_ALL:
            self.end()


class _Line:
    """What a page asked last, what its parts asked by themselves, and what Streamlit does now."""

    def __init__(self) -> None:
        self._last, self._drawing = _Asked(ClientState(), over=True), _Wait(over=True)
        self._question = _Wait(over=True)
        self._whole = False  # whether a whole page is being drawn, or will be next
        self._asked_for = False  # whether it is the one asked for, and not what the page draws by itself
        self._by_itself: dict[str, _Wait] = {}
        self._drawn: set[str] = set()
        self._parts: set[str] | None = None  # those that the page has; not known before it is drawn to its end

    async def heard(self) -> None:
        """Wait until what was asked last is heard, and answered if it is not the script's."""
        await self._last.wait()
        await self._question.wait()

    async def drawn(self, *, part: bool) -> None:
        """Wait until all is drawn, else it could be taken for the answer to what is asked next.

        A choice on the whole page does not wait for a whole page that was asked for: Streamlit stops drawing that.
        """
        for asked in list(self._by_itself.values()):
            await asked.wait()
        while not self._drawing.is_over() and (part or not (self._whole and self._asked_for)):
            await self._drawing.wait()

    def question(self) -> None:
        """Note that something is asked which the script does not answer."""
        self._question = _Wait()

    def make_whole(self, asked: ClientState) -> bool:
        """Have a click on a part that the page no longer has ask for the whole page; return whether it was one."""
        gone = self._is_gone(asked.fragment_id)
        if gone:
            asked.fragment_id = ""
        return gone

    def ask(self, asked: ClientState, *, whole: bool) -> None:
        """Note what is asked now; one that was made whole is heard at its end."""
        pressed = any(widget.trigger_value for widget in asked.widget_states.widgets)
        self._last = _Asked(asked, to_its_end=whole or pressed)

    def admit(self, part: str) -> bool:
        """Let one thing that a part asks by itself go on, if nothing more is asked or drawn; return whether it may."""
        more = not self._last.is_over() or (self._whole and not self._drawing.is_over())
        if more or self._is_gone(part) or (part in self._by_itself and not self._by_itself[part].is_over()):
            return False
        self._by_itself[part] = _Wait()
        return True

    def hear(self, message: ForwardMsg) -> None:
        """Note an answer: that a run begins, what it draws, and its end."""
        self._last.hear(message)
        kind, run = message.WhichOneof("type"), message.metadata.run
        if kind == "new_session":
            self._begin(list(run.fragment_ids))
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._whole, self._asked_for = True, not self._last.is_over()  # it is drawn once more
        elif kind == "script_finished":
            self._drawing.end()
            if not run.fragment_ids:
                self._parts = self._drawn
        elif kind == _ANSWER:
            self._question.end()
        elif kind == "stop_auto_rerun":
            self._drawn.difference_update(message.stop_auto_rerun.fragment_ids)
            self._answered(message.stop_auto_rerun.fragment_ids)
        elif kind in ("auto_rerun", "delta"):
            self._drawn.add(getattr(message, kind).fragment_id)

    def _begin(self, parts: list[str]) -> None:
        if not parts:
            self._drawn, self._parts = set(), None
            self._drawing.end()
        self._answered(parts or list(self._by_itself))  # a whole page answers for all its parts
        if self._drawing.is_over():
            self._drawing = _Wait()
        self._whole, self._asked_for = not parts, not self._last.is_over()

    def _answered(self, parts: Iterable[str]) -> None:
        """Note that what parts asked by themselves is answered."""
        for part in parts:
            if part in self._by_itself:
                self._by_itself.pop(part).end()

    def _is_gone(self, part: str) -> bool:
        """Say whether a page no longer has a part: Streamlit drops what that asks."""
        return bool(part) and self._parts is not None and part not in self._parts


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
        """Note which page is being drawn."""
        if self._page in ("", page):
            self._page, self._begun = page, True
        elif self._begun and not self._returns:  # the server itself led on, to what was opened
            self._page, self._arrived = page, True

    def admit(self, asked: ClientState) -> bool:
        """Let what a page asks by itself go on, unless the page was just left for good; return whether it may."""
        if self.has_left(asked):
            if not self._returns and _now() < self._since + LONGEST:
                return False
            self._page, self._arrived = asked.page_script_hash, True
        return True

    def leaves(self, asked: ClientState) -> bool:
        """Say whether another page is asked for than was asked for last."""
        return self.has_left(asked) if asked.fragment_id else self._page not in ("", asked.page_script_hash)

    def has_left(self, asked: ClientState) -> bool:
        return bool(asked.fragment_id) and asked.page_script_hash != self._page and not self._arrived


def _now() -> float:
    return asyncio.get_running_loop().time()


def _request(message: Message) -> BackMsg:
    """Return what a message asks; nothing for what Streamlit will refuse."""
    try:
        request: BackMsg = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return BackMsg()
    return request
