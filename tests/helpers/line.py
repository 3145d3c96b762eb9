"""The line between a page and its server, on which what the server says can be held up."""

import re

from playwright.sync_api import Page, WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg


class Line:
    """Watches the connection of a page that is opened after this.

    Attributes:
        ticks: how often the page asked for something by itself.
    """

    def __init__(self, page: Page) -> None:
        self.ticks = 0
        self._page = page
        self._held: list[str | bytes] | None = None
        self._to_page: WebSocketRoute
        page.route_web_socket(re.compile("_stcore/stream"), self._open)

    def hold(self) -> None:
        """Keep back what the server says from now on."""
        self._held = []

    def let(self) -> None:
        """Hand over what was kept back, and what comes."""
        held, self._held = self._held or [], None
        for message in held:
            self._to_page.send(message)

    def next_tick(self) -> None:
        """Wait until the page asks for something by itself once more."""
        before = self.ticks
        for _ in range(600):
            if self.ticks > before:
                return
            self._page.wait_for_timeout(50)
        raise TimeoutError("the page asked for nothing by itself within 30 seconds")

    def _open(self, to_page: WebSocketRoute) -> None:
        self._to_page, to_server = to_page, to_page.connect_to_server()

        def up(message: str | bytes) -> None:
            if isinstance(message, bytes):
                self.ticks += BackMsg.FromString(message).rerun_script.is_auto_rerun
            to_server.send(message)

        def down(message: str | bytes) -> None:
            if self._held is None:
                to_page.send(message)
            else:
                self._held.append(message)

        to_page.on_message(up)
        to_server.on_message(down)
