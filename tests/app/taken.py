"""What the address of a file answers behind the app's own door, without a server."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit.testing.v1 import AppTest

from pages.check import files as check_files
from pages.server import events, files
from pages.server.origin_guard import Door
from pages.widgets import downloads, progress


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its status, its headers, and what it holds."""

    status: int
    headers: dict[str, str]
    content: bytes


def links(at: AppTest) -> dict[str, str]:
    """Return the addresses of a page's files by what their links say."""
    return {element.proto.label: element.proto.url for element in at.get("link_button")}


def server() -> Starlette:
    """Return what answers: the app's own files behind its own door."""
    served = downloads.served() | check_files.FILES
    return Starlette(routes=[files.route(served), events.route(progress.told)], middleware=[Middleware(Door)])


def taken(address: str, **more: str) -> Answer:
    """Return what the app answers to whoever follows a link; further headers have _ for -."""
    return asyncio.run(ask(server(), address, **more))


async def ask(app: Starlette, address: str, *, gone: bool = False, **more: str) -> Answer:
    """Follow a link; ``gone`` for one who does not wait for the answer."""
    parts, said = urlsplit(address), []
    headers = {"host": "localhost", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect" if gone else "http.request"}

    async def send(message: Any) -> None:
        said.append(message)

    path, sent = unquote(f"/{parts.path}"), [(name.encode(), value.encode()) for name, value in headers.items()]
    asked = {"type": "http", "method": "GET", "path": path, "query_string": parts.query.encode(), "headers": sent}
    await app(asked, receive, send)
    start, body = said
    return Answer(start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body["body"])
