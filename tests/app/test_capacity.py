"""The figures of a capacity on the page on rebuilt pictures: measured in advance, and a result that is opened."""

import re

import pytest

from ldp_core import record, results
from ldp_core.studies.capacity.result import PARTS, CapacityResult
from pages import jobs
from tests.app.conftest import said
from tests.app.frame.test_language import OpenPage
from tests.helpers.words import LANGUAGES, en, report_of


def test_each_question_is_answered_on_request_with_its_command(open_page: OpenPage) -> None:
    at = open_page("reconstruction")
    at.toggle(key="capacity_shown").set_value(True).run()
    said_of = {section.name: str(section.parts[0]) for section in report_of(record.measured(CapacityResult)).sections}
    for part in PARTS:
        (question,) = (one for one in at.selectbox if one.label == en.REPORT["capacity_chapter"])
        question.set_value(part).run()
        assert not at.exception
        for number in re.findall(r"\d+\.?\d*", said_of[part]):
            assert number in said(at)  # between them, terms have a mark
        for panel in PARTS[part]:
            assert en.REPORT[f"chart_capacity_{panel}"] in said(at)
    assert any(record.command(record.measured(CapacityResult).config) == code.value for code in at.code)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", [*reversed(LANGUAGES)])
def test_a_result_that_is_opened_is_shown(open_page: OpenPage, language: str) -> None:
    t = LANGUAGES[language]
    opened = jobs.manager().open(results.read(record.to_json(record.measured(CapacityResult)).encode()))
    at = open_page("reconstruction", capacity_figures=opened.id, lang=language)
    assert not at.exception
    assert t.REPORT["chart_capacity_server_told"] in said(at)
    assert t.CAPACITY_MEASURED not in said(at)
