"""Files to take away: each has an address, which answers whatever the page that links to it does meanwhile.

A file that Streamlit makes at a click is asked for by the page, over its own connection. So it would not come where the
page is being drawn anew, has just been left, or is just back from a lost connection.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ldp_core import words
from ldp_core.words import Words

LONGEST = 30.0
"""Seconds for which a file waits for its turn at most."""
_PLACE = "take"
_log = logging.getLogger(__name__)
_maker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ldp-files")
"""Matplotlib draws the charts of a report; it opens its fonts anew in each thread, and keeps them open."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent: its name in letters, digits, points and hyphens, its media type, and what it holds."""

    name: str
    kind: str
    content: str | bytes


Make = Callable[[Words, str], File | None]
"""Makes a file in a visitor's language of what a token stands for; None where that is gone or has no such file."""


def link(t: Words, label: str, token: str, name: str, help_text: str) -> None:
    """Show a link to a file, named by a token that nobody can guess; nothing is made before it is followed."""
    st.link_button(label, address(t, token, name), help=help_text)


def address(t: Words, token: str, name: str) -> str:
    """Return the address of a file below the app's own; see ``link``."""
    return f"{_PLACE}/{token}/{name}?lang={t.LANGUAGE_CODE}"


def route(makers: Mapping[str, Make]) -> Route:
    """Return what answers the addresses of files.

    Args:
        makers: by the name at the end of the address. They run one at a time, in a thread beside the pages'; none runs
            for a visitor who has gone while waiting, or has waited too long.
    """
    turn = asyncio.Lock()

    async def answer(request: Request) -> Response:
        language = request.query_params.get("lang", "")
        t = words.of(language if language in words.LANGUAGES else words.DEFAULT)
        make = makers.get(request.path_params["name"])
        headers = {"cache-control": "no-store"}
        file = None
        if make is not None:
            try:
                async with asyncio.timeout(LONGEST):
                    await turn.acquire()
            except TimeoutError:
                return PlainTextResponse(t.TAKE_BUSY.format(seconds=f"{LONGEST:g}"), 503, headers)
            try:
                if not await request.is_disconnected():
                    token = request.path_params["token"]
                    file = await asyncio.get_running_loop().run_in_executor(_maker, make, t, token)
            except Exception:
                _log.exception("a file ended in a bug")
                return PlainTextResponse(t.BUG, 500, headers)
            finally:
                turn.release()
        if file is None:
            return PlainTextResponse(t.TAKE_GONE, 404, headers)
        headers |= {"content-disposition": f'attachment; filename="{file.name}"', "content-encoding": "identity"}
        return Response(file.content, headers=headers, media_type=file.kind)

    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return Route("/".join(("", *filter(None, (base, _PLACE)), "{token}", "{name}")), answer)
