"""Taking a result away and opening it again, in one process."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ldp_core import results
from ldp_core.game.summary import STATES
from ldp_core.presentation.documents.words import WORDS
from ldp_core.reports import to_json
from ldp_core.studies.compare import exports
from ldp_core.studies.utility.result import to_json as utility_to_json
from ldp_core.words.plurals import Plural
from pages import jobs
from pages.jobs.job import Job
from pages.widgets import downloads as page
from tests.app.conftest import SMALL
from tests.app.frame.test_wording import CASES
from tests.app.taken import links, taken
from tests.app.test_pages import finish, start
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t
from tests.presentation.test_takeaway import PNG, WRITERS, audit, reaches_out

OpenPage = Callable[..., AppTest]
ENCODED = "iVBORw0KGgpub3QgcmVhbGx5"


def job_of(result: Any, **more: Any) -> Job:
    return Job("0" * 32, result.config, state="done", result=result, **more)


@pytest.mark.parametrize("kind", WRITERS)
def test_no_image_leaves_a_job_unless_it_is_asked_for(kind: str) -> None:
    result = WRITERS[kind][0]()
    job, kind = job_of(result, pictures=[(PNG, PNG)]), kind.split()[0]
    document = page.html(t, job)
    assert ENCODED not in document
    assert reaches_out(document) == []
    assert ENCODED not in job.written()


def test_the_check_sees_an_image_that_leaves() -> None:
    assert page.html(t, job_of(audit(), pictures=[(PNG, PNG)]), images=True).count(ENCODED) == 2


@pytest.mark.parametrize("state", STATES)
def test_the_report_says_what_the_screen_says(state: str) -> None:
    document = page.html(t, job_of(CASES[state]))
    first = re.search(r'<div class="verdict"[^>]*><p>(.*?)</p>', document)
    assert first is not None
    assert first[1] == t.HEADLINES[state]
    assert "**" not in re.sub(r"<svg.*?</svg>", "", document, flags=re.DOTALL)


@pytest.mark.parametrize(
    "language", [name if name == "ja" else pytest.param(name, marks=pytest.mark.nightly) for name in LANGUAGES]
)
def test_every_language_writes_every_report(language: str) -> None:
    for make, _ in WRITERS.values():
        assert f'<html lang="{language}">' in page.html(LANGUAGES[language], job_of(make()))
    assert set(LANGUAGES[language].REPORT) == set(WORDS)
    for name, text in LANGUAGES[language].REPORT.items():
        assert fields_of(text) == fields_of(WORDS[name]), name


def fields_of(text: str | Plural) -> set[str]:
    """Return the placeholders of a text, of all forms together where it counts."""
    return set(re.findall(r"\{\w+\}", text if isinstance(text, str) else " ".join((*text.forms, "{count}"))))


def test_a_finished_test_offers_a_report_and_its_json(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"attack": "benign"}))))
    plain = links(at)
    assert list(plain) == [t.TAKE_HTML, t.DOWNLOAD_JSON]
    box = next(element for element in at.checkbox if element.label == t.TAKE_IMAGES)
    assert not box.value
    box.check().run()
    assert not at.exception
    assert links(at) == plain | {t.TAKE_PICTURED: mock.ANY}
    images = {label: taken(address).content.count(b"data:image/png") for label, address in links(at).items()}
    assert images == {t.TAKE_HTML: 0, t.DOWNLOAD_JSON: 0, t.TAKE_PICTURED: 4}
    box.uncheck().run()
    assert links(at) == plain


@pytest.mark.parametrize(
    ("kind", "key"), [("audit", "job"), ("compare", "comparison"), ("utility", "cost"), ("path", "path")]
)
def test_what_was_saved_is_opened_and_marked(open_page: OpenPage, kind: str, key: str) -> None:
    make, write = WRITERS[kind]
    found = jobs.manager().open(results.read(write(make()).encode()))
    assert (found.kind, found.opened, found.restored, found.state) == (kind, True, True, "done")
    at = open_page("audit" if kind == "audit" else "compare", **{key: found.id})
    assert not at.exception
    said = "".join(str(element.value) for element in at.markdown)
    assert t.OPENED_TITLE in said
    assert [taken(address).status for address in links(at).values()] == [200] * (3 if kind == "compare" else 2)
    assert not [button for button in at.button if button.label in (t.NEW_SEED, t.CMP_CONTINUE)]
    assert WORDS["opened"] in page.html(t, found)


def test_what_was_opened_is_gone_after_a_restart(cache_dir: Path) -> None:
    found = jobs.manager().open(results.read(to_json(audit()).encode()))
    assert jobs.manager().get(found.id) is found
    jobs.manager().shutdown()
    st.cache_resource.clear()
    assert jobs.manager().get(found.id) is None
    assert not list(cache_dir.rglob(f"{found.id}*"))


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


def test_an_opened_study_keeps_its_json(tmp_path: Path) -> None:
    result = WRITERS["utility"][0]()
    found = jobs.manager().open(results.read(utility_to_json(result).encode()))
    assert found.written() == utility_to_json(result)
