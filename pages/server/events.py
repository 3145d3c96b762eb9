"""How a run gets on, told by the server as it happens: one stream of events (SSE) for each page that looks.

A page that asked for this itself would be drawn anew each time, and stop or forget what its visitor just did.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from ldp_core import words
from ldp_core.words import Words

STEP = 0.5
"""Seconds between two looks at a run; also how long a stream outlives its page at most."""
_ALIVE = 20
"""Looks without news after which a word is sent all the same."""
_PLACE = "jobs"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunView:
    """One look at a run: what the page shows of it, and whether it has ended."""

    shown: dict[str, str | float]
    ended: bool


Tell = Callable[[Words, str, str], RunView | None]
"""Looks at a run in a visitor's language, given its id and the name of the session that asks; None where the run is
gone or that session does not look at it any more."""


def address(t: Words, token: str, viewer: str) -> str:
    """Return the address of a run's events, below the app's own; nobody can guess its token or its viewer."""
    return f"{_PLACE}/{token}/events?{urlencode({'lang': t.LANGUAGE_CODE, 'viewer': viewer})}"


def route(tell: Tell) -> Route:
    """Return what answers the addresses of runs.

    A stream ends with its run, with the connection, or with the session that asked: so none holds up a server that is
    to stop, for that ends its sessions.
    """

    async def answer(request: Request) -> Response:
        language = request.query_params.get("lang", "")
        t = words.of(language if language in words.LANGUAGES else words.DEFAULT)
        token, viewer = request.path_params["token"], request.query_params.get("viewer", "")
        headers = {"cache-control": "no-store", "content-encoding": "identity"}
        if await asyncio.to_thread(tell, t, token, viewer) is None:
            return PlainTextResponse(t.TAKE_GONE, 404, headers)

        async def events() -> AsyncIterator[str]:
            before, silent = "", 0
            while not await request.is_disconnected():
                try:
                    look = await asyncio.to_thread(tell, t, token, viewer)
                except Exception:
                    _log.exception("a look at a run ended in a bug")
                    return
                if look is None:
                    return
                now = json.dumps(look.shown | {"ended": look.ended})
                silent += 1
                if now != before or silent > _ALIVE:
                    yield f"retry: 1000\ndata: {now}\n\n"
                    before, silent = now, 0
                if look.ended:
                    return
                await asyncio.sleep(STEP)

        return StreamingResponse(events(), headers=headers, media_type="text/event-stream")

    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return Route("/".join(("", *filter(None, (base, _PLACE)), "{token}", "events")), answer)
