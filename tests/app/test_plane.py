"""The planes on the page on rebuilt pictures: what was measured in advance, and a run, in both languages."""

import pytest

from ldp_core import record, results
from ldp_core.studies.plane import report
from ldp_core.studies.plane.result import PlaneResult
from pages import jobs
from tests.app.conftest import said
from tests.app.frame.test_language import OpenPage
from tests.helpers.words import LANGUAGES, en, teller


def test_what_was_measured_in_advance_is_shown_on_request_with_its_command(open_page: OpenPage) -> None:
    at = open_page("reconstruction")
    assert en.PLANE_MEASURED not in said(at)
    at.toggle(key="plane_shown").set_value(True).run()
    assert not at.exception
    assert en.PLANE_MEASURED in said(at)
    assert report.ranged(record.measured(PlaneResult).summaries[0].area, 3, teller()) in said(at)
    assert any(record.command(record.measured(PlaneResult).config) == code.value for code in at.code)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", [*reversed(LANGUAGES)])
def test_a_result_that_is_opened_is_shown(open_page: OpenPage, language: str) -> None:
    t = LANGUAGES[language]
    opened = jobs.manager().open(results.read(record.to_json(record.measured(PlaneResult)).encode()))
    at = open_page("reconstruction", plane=opened.id, lang=language)
    assert not at.exception
    assert report.ranged(record.measured(PlaneResult).summaries[0].area, 3, teller(language)) in said(at)
    assert t.PLANE_MEASURED not in said(at)
