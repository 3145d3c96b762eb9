"""Whom the server lets in: this app's own pages, programs, and links that are followed; no other site's page."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_FOREIGN = ("cross-site", "same-site")
_REFUSAL = b"This address answers only its own pages."
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""Streamlit gives the browser a component's script as a blob, which only this page's own scripts can make.

With these a browser lets the page load from and connect to this server alone, and no other page hold it."""


class Door:
    """Refuse requests and WebSockets of other sites, and those to other names, before Streamlit sees them.

    Streamlit alone lets in any page that comes from the same host name, whatever its port, and to judge another one it
    asks a service in the internet for this device's address.
    """

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app, self._names = app, _names()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        if scope["type"] == "websocket":
            if lets_in(scope, self._names):
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http" or lets_in(scope, self._names):
            await self._app(scope, receive, marked)
        else:
            plain = [(b"content-type", b"text/plain; charset=utf-8")]
            await marked({"type": "http.response.start", "status": 403, "headers": plain})
            await send({"type": "http.response.body", "body": _REFUSAL})


def lets_in(scope: Message, names: Iterable[str]) -> bool:
    """Say whether a request comes to this server's own name, and from its own page, a program, or a followed link.

    ``names``: host names of this server, in lower case. An address in numbers needs no name: a page of another site
    that has its name point here (DNS rebinding) still sends its name.
    """
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    host, origin = headers.get("host", ""), headers.get("origin")
    try:
        if not (_is_number(host) or (urlsplit(f"//{host}").hostname or "") in names):
            return False
        if origin is not None and urlsplit(origin).netloc != host:
            return False
    except ValueError:
        return False
    followed = scope.get("method") in ("GET", "HEAD") and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site") not in _FOREIGN or followed


def _is_number(host: str) -> bool:
    try:
        return bool(ip_address(urlsplit(f"//{host}").hostname or ""))
    except ValueError:
        return False


def _names() -> set[str]:
    options = ("server.address", "browser.serverAddress")
    named = {"localhost", *st.get_option("server.allowedHosts"), *(str(st.get_option(option)) for option in options)}
    return {name.lower() for name in named}


def on_this_device() -> bool:
    """Say whether the visitor's browser runs on this device: both ends of its connection have a loopback address."""
    host = urlsplit(f"//{st.context.headers.get('Host', 'localhost')}").hostname
    return st.context.ip_address is None and host in LOOPBACK
