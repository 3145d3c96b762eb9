"""One page, in one process, with a manager of its own for every test."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from pages._shared import jobs
from tests.helpers.patience import PATIENCE

MAIN = "pages/_shared/main.py"
SMALL = {"attack": "dummy", "training": "none", "trials": "200", "measurements": "2", "seed": "5"}


def holding(widgets: Sequence[Widget], name: str) -> Any:
    """Return the widget that holds a setting; its key is the name, counted on whenever the server wrote it."""
    return next(widget for widget in widgets if re.fullmatch(rf"{name}(_\d+)?", str(widget.key)))


@pytest.fixture(autouse=True)
def _own_manager(cache_dir: Path) -> Iterator[None]:
    st.cache_resource.clear()
    yield
    jobs.manager().shutdown()
    st.cache_resource.clear()


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Return a function that opens a page with values in its URL, as a browser on this device does."""
    monkeypatch.setattr(ContextProxy, "ip_address", None)

    def open_(page: str = "audit", **query: str) -> AppTest:
        at = AppTest.from_file(str(Path(__file__).parents[2] / MAIN), default_timeout=PATIENCE)
        if page != "overview":
            at.switch_page(f"../{page}.py")
        for name, value in query.items():
            at.query_params[name] = value
        return at.run()

    return open_
