"""Open the dashboard: ``streamlit run app.py``. Starts and stops the worker; everything shown is in ``pages/``."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import plotly.graph_objects  # noqa: F401  # loaded before the first visitor comes, not while one waits
import streamlit as st
from starlette.middleware import Middleware

from pages import jobs
from pages.check import files as check_files
from pages.frame.inline_css import Styled
from pages.server import events, files, log_redaction, uploads
from pages.server.origin_guard import Door
from pages.widgets import downloads, progress


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any] | None]:
    asyncio.get_running_loop().set_exception_handler(log_redaction.in_task)
    manager = jobs.manager()
    manager.warm_up()
    try:
        yield None
    finally:
        manager.shutdown()


log_redaction.install()
uploads.install()
app = st.App(
    "pages/frame/main.py",
    lifespan=lifespan,
    routes=[files.route(downloads.served() | check_files.FILES), events.route(progress.told)],
    middleware=[Middleware(Door), Middleware(Styled)],
)
