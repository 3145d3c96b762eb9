"""The style sheet comes with the page itself, so that nothing moves when the rest of the page arrives.

Streamlit's pages are empty until its programs are loaded, and a style sheet that a script draws comes after the first
titles: those were seen at 152, 264 and 83 pixels in turn.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

STYLE = f"<style>\n{Path(__file__).with_name('style.css').read_text(encoding='utf-8')}</style>"
"""Sizes, the phone, both themes, focus, and no motion where none is wanted."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_CHANGED = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
"""Headers of a request that ask for less than the whole page as it is: the answer is another one than Streamlit's."""


class Styled:
    """Add the style sheet to every HTML page that is answered whole."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope.get("method") != "GET" or not _wants_page(scope):
            await self._app(scope, receive, send)
            return
        more = STYLE.encode()
        html = False

        async def styled(message: Message) -> None:
            nonlocal html
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                html = message["status"] == 200 and any(
                    name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers
                )
                if html:
                    message["headers"] = [(name, _longer(name, value, len(more))) for name, value in headers]
            elif message["type"] == "http.response.body" and html and not message.get("more_body", False):
                message["body"] = message.get("body", b"") + more
            await send(message)

        kept = [(name, value) for name, value in scope["headers"] if name.lower() not in _CHANGED]
        await self._app({**scope, "headers": kept, "extensions": {}}, receive, styled)


def _wants_page(scope: Message) -> bool:
    """Return whether a request is for something to read in a browser, and not for a file of a page."""
    return any(name.lower() == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _longer(name: bytes, value: bytes, by: int) -> bytes:
    return str(int(value) + by).encode() if name.lower() == b"content-length" else value
