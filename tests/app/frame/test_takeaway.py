"""Taking a result away and opening it again, in one process."""

import io
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
import streamlit as st

from ldp_core import results
from ldp_core.presentation.documents.context import WORDS
from ldp_core.studies.compare import exports
from pages import jobs
from pages.jobs.job import Job
from pages.widgets import downloads as page
from pages.widgets import told
from tests.app.conftest import SMALL, OpenPage, finish, start
from tests.app.taken import links, taken
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t
from tests.presentation.test_takeaway import PNG, WRITERS, audit, reaches_out

ENCODED = "iVBORw0KGgpub3QgcmVhbGx5"


def job_of(result: Any, **more: Any) -> Job:
    return Job("0" * 32, result.config, state="done", result=result, **more)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", WRITERS)
def test_no_image_leaves_a_job_unless_it_is_asked_for(kind: str) -> None:
    job = job_of(WRITERS[kind][0](), pictures=[(PNG, PNG)])
    for language, texts in LANGUAGES.items():
        document = page.html(texts, job)
        assert f'<html lang="{language}">' in document
        assert ENCODED not in document
        assert reaches_out(document) == []
    assert ENCODED not in job.written()
    assert page.html(t, job_of(audit(), pictures=[(PNG, PNG)]), images=True).count(ENCODED) == 2, "else it saw none"


def test_a_finished_test_offers_a_report_and_its_json(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"attack": "benign"}))))
    plain = links(at)
    assert list(plain) == [t.TAKE_HTML, t.TAKE_CHARTS, t.DOWNLOAD_JSON]
    drawn = pictures(taken(plain[t.TAKE_CHARTS]).content)
    assert list(drawn) == ["shares.svg", "epsilon.svg"]
    assert all(one.find(".//*[@class='point']") is not None for one in drawn.values())
    box = next(element for element in at.checkbox if element.label == t.TAKE_IMAGES)
    assert not box.value
    box.check().run()
    assert not at.exception
    assert links(at) == plain | {t.TAKE_PICTURED: mock.ANY}
    images = {label: taken(address).content.count(b"data:image/png") for label, address in links(at).items()}
    assert images == {t.TAKE_HTML: 0, t.TAKE_CHARTS: 0, t.DOWNLOAD_JSON: 0, t.TAKE_PICTURED: 4}
    box.uncheck().run()
    assert links(at) == plain


def pictures(packed: bytes) -> dict[str, ElementTree.Element]:
    """Return the pictures of a packed folder by their names, each one by itself."""
    with ZipFile(io.BytesIO(packed)) as folder:
        found = {name: ElementTree.fromstring(folder.read(name)) for name in folder.namelist()}
    assert {one.tag for one in found.values()} == {"{http://www.w3.org/2000/svg}svg"}
    return found


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", WRITERS)
def test_every_chart_of_a_result_is_a_picture_of_its_own(open_page: OpenPage, kind: str) -> None:
    assert not open_page("audit").exception
    found = jobs.manager().open(results.read(job_of(WRITERS[kind][0]()).written().encode()))
    file = page.served()["charts.zip"](t, found.id)
    charts = page.registry.pages()[kind].charts
    assert len(pictures(file.content)) == (2 if charts else len(told.report(t, found.result).charts)) > 0


def test_notes_of_a_file_are_shown_as_letters(open_page: OpenPage) -> None:
    hostile = "![x](http://a.test/x.png) <img src=x onerror=alert(1)>"
    content = exports.to_json(WRITERS["compare"][0](), (hostile,)).encode()
    found = jobs.manager().open(results.read(content))
    at = open_page("compare", comparison=found.id)
    assert not at.exception
    assert not any("a.test" in str(element.value) for element in at.markdown)
    (shown,) = (element.proto.body for element in at.get("html") if "a.test" in element.proto.body)
    assert "<img" not in shown
    assert "&lt;img" in shown


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "key"), [("audit", "job"), ("compare", "comparison"), ("utility", "cost"), ("path", "path")]
)
def test_what_was_saved_is_opened_marked_and_gone_after_a_restart(
    open_page: OpenPage, cache_dir: Path, kind: str, key: str
) -> None:
    make, write = WRITERS[kind]
    found = jobs.manager().open(results.read(write(make()).encode()))
    assert (found.kind, found.opened, found.state) == (kind, True, "done")
    at = open_page(kind if kind in ("audit", "utility") else "compare", **{key: found.id})
    assert not at.exception
    assert t.OPENED_TITLE in "".join(str(element.value) for element in at.markdown)
    assert {taken(address).status for address in links(at).values()} == {200}
    assert not [button for button in at.button if button.label in (t.NEW_SEED, t.CMP_CONTINUE)]
    assert WORDS["opened"] in page.html(t, found)
    jobs.manager().shutdown()
    st.cache_resource.clear()
    assert jobs.manager().get(found.id) is None
    assert not list(cache_dir.rglob(f"{found.id}*"))
