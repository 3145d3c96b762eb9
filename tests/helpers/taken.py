"""What the address of a file answers behind the app's own door, without a server."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit.testing.v1 import AppTest

from pages._shared import check_files, files, takeaway
from pages._shared.door import Door


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its status, its headers, and what it holds."""

    status: int
    headers: dict[str, str]
    content: bytes


def links(at: AppTest) -> dict[str, str]:
    """Return the addresses of a page's files by what their links say."""
    return {element.proto.label: element.proto.url for element in at.get("link_button")}


def taken(address: str, **more: str) -> Answer:
    """Return what the app answers to whoever follows a link; further headers have _ for -."""
    routes, parts, said = [files.route(takeaway.FILES | check_files.FILES)], urlsplit(address), []
    app = Starlette(routes=routes, middleware=[Middleware(Door)])
    headers = {"host": "localhost", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        said.append(message)

    path, sent = unquote(f"/{parts.path}"), [(name.encode(), value.encode()) for name, value in headers.items()]
    asked = {"type": "http", "method": "GET", "path": path, "query_string": parts.query.encode(), "headers": sent}
    asyncio.run(app(asked, receive, send))
    start, body = said
    return Answer(start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body["body"])
