"""Open the dashboard: ``streamlit run app.py``. Starts and stops the worker; everything shown is in ``pages/``."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import plotly.graph_objects  # noqa: F401  # loaded before the first visitor comes, not while one waits
import streamlit as st
from starlette.middleware import Middleware

from pages._shared import check_files, files, jobs, own_page, quiet, takeaway, uploads, views  # noqa: F401
from pages._shared.door import Door
from pages._shared.early import Styled
from pages._shared.order import InOrder


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any] | None]:
    asyncio.get_running_loop().set_exception_handler(quiet.in_task)
    manager = jobs.manager()
    manager.warm_up()
    try:
        yield None
    finally:
        manager.shutdown()


quiet.install()
own_page.install()
uploads.install()
app = st.App(
    "pages/_shared/main.py",
    lifespan=lifespan,
    routes=[files.route(takeaway.FILES | check_files.FILES)],
    middleware=[Middleware(Door), Middleware(Styled), Middleware(InOrder)],
)
