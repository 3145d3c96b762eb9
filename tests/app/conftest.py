"""One page, in one process, with a manager of its own for every test."""

import gc
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget
from streamlit.util import calc_hash

from pages import jobs
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT

MAIN = "pages/frame/main.py"
SMALL = {"attack": "dummy", "training": "none", "trials": "200", "measurements": "2", "seed": "5"}


OpenPage = Callable[..., AppTest]


def holding(widgets: Sequence[Widget], name: str) -> Any:
    """Return the widget that holds a setting; its key is the name, counted on whenever the server wrote it."""
    return next(widget for widget in widgets if re.fullmatch(rf"{name}(_\d+)?", str(widget.key)))


def html_of(at: AppTest) -> list[str]:
    return [str(element.proto.body) for element in at.get("html")]


def html(at: AppTest) -> str:
    return "\n".join(html_of(at))


def stage(at: AppTest) -> str:
    """Return what stands on the page's stage, as HTML; "" for a page without one."""
    told = [json.loads(element.proto.json) for element in at.get("bidi_component") if element.key == "stage_drawn"]
    return str(told[0]["first"]["stage"]) if told else ""


def going(at: AppTest) -> dict[str, Any]:
    """Return what the page was drawn with of the one run that is on its way."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component") if element.key != "catch_up"]
    (told,) = [one["first"] for one in found if "first" in one]
    return dict(told)


def said(at: AppTest) -> str:
    """Return what stands on the page as text, without the marks of explained terms and of bold words."""
    shown = "\n".join(str(element.value) for element in (*at.markdown, *at.caption, *at.error))
    shown += "\n".join(element.proto.body for element in at.get("html") if "ldp-verdict" in element.proto.body)
    return re.sub(r"<[^>]+>|[*]", "", shown).replace("\u00a0=\u00a0", " = ")


def job_of(at: AppTest, key: str = "job") -> jobs.Job:
    """Return the run that the page's address names."""
    return jobs.manager().get(at.query_params[key])


def finish(at: AppTest, key: str = "job") -> AppTest:
    """Look again when the run in view has ended."""
    assert job_of(at, key).ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return at


def start(at: AppTest, button: str = "run") -> AppTest:
    at.button(key=button).click().run()
    assert not at.exception
    return at


def done(at: AppTest, button: str, key: str) -> jobs.Job:
    """Press a button, and return the run that it began, which must end well."""
    job = job_of(finish(start(at, button), key), key)
    assert job.state == "done", job.error
    return job


@pytest.fixture(autouse=True)
def _own_manager(cache_dir: Path) -> Iterator[None]:
    st.cache_resource.clear()
    yield
    jobs.manager().shutdown()
    st.cache_resource.clear()  # asks for a manager once more, to detach the sessions
    jobs.manager().shutdown()
    gc.collect()  # a page's session is a circle that holds up to 200 MB of gradients, and few objects


@pytest.fixture(autouse=True, scope="package")
def _modules_are_not_garbage() -> None:
    import torch  # noqa: F401

    gc.freeze()  # a collection looks at what tests made alone


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Return a function that opens a page with values in its URL, as a browser on this device does."""
    monkeypatch.setattr(ContextProxy, "ip_address", None)

    def open_(page: str = "audit", **query: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / MAIN), default_timeout=PATIENCE)
        if page != "overview":
            at._page_hash = calc_hash(page)  # ``switch_page`` knows a place in the URL only after a first run (1.67)
        for name, value in query.items():
            at.query_params[name] = value
        return at.run()

    return open_
