"""The line between a page and its server, on which what either says can be held up."""

import re
from collections.abc import Callable
from functools import partial
from typing import Literal

from playwright.sync_api import Page, WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.helpers.patience import until


class Line:
    """Watches a page opened after this: ``ticks`` it asks for by itself, other ``asks``, the server's ``answers``."""

    def __init__(self, page: Page) -> None:
        self.ticks = self.asks = self.answers = 0
        self._page = page
        self._held: dict[str, list[str | bytes]] = {}
        self._to: dict[str, WebSocketRoute] = {}
        page.route_web_socket(re.compile("_stcore/stream"), self._open)

    def hold(self, speaker: Literal["page", "server"] = "server") -> None:
        """Keep back what one says from now on."""
        self._held[speaker] = []

    def let(self) -> None:
        """Hand over what was kept back, and what comes."""
        held, self._held = self._held, {}
        for speaker, messages in held.items():
            for message in messages:
                self._to[speaker].send(message)

    def next_ask(self, act: Callable[[], object]) -> None:
        """Do something on the page, and wait until it has asked for what that makes it ask for, and for no more."""
        before = self.asks
        act()
        until(lambda: self._page.wait_for_timeout(50) or self.asks > before)
        while before < self.asks:
            before = self.asks
            self._page.wait_for_timeout(500)

    def next_answer(self, act: Callable[[], object]) -> None:
        """Do something on the page, and wait until the server begins to answer what that makes it ask for."""
        before = self.answers
        act()
        until(lambda: self._page.wait_for_timeout(10) or self.answers > before)

    def _open(self, to_page: WebSocketRoute) -> None:
        self._to = {"server": to_page, "page": to_page.connect_to_server()}

        def said(speaker: str, message: str | bytes) -> None:
            if speaker == "page" and isinstance(message, bytes):
                asked = BackMsg.FromString(message)
                self.ticks += asked.rerun_script.is_auto_rerun
                self.asks += asked.HasField("rerun_script") and not asked.rerun_script.is_auto_rerun
            self.answers += speaker == "server"
            if speaker in self._held:
                self._held[speaker].append(message)
            else:
                self._to[speaker].send(message)

        self._to["server"].on_message(partial(said, "page"))
        self._to["page"].on_message(partial(said, "server"))
