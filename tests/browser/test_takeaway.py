"""The report as a client gets it: downloaded, opened without a network, printed; and a saved result opened again."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ldp_core import takeaway
from pages._shared.text import en as t
from tests.browser.test_flows import SMALL, ready, run, verdict, visit
from tests.helpers.line import Line
from tests.helpers.patience import patient
from tests.test_takeaway import PNG, WRITERS, audit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", WRITERS)
def test_the_report_opens_without_a_network_and_prints(browser: Browser, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "report.html"
    images = [(PNG, PNG)] if kind == "audit" else []
    file.write_text(takeaway.html(WRITERS[kind][0](), ["What was found."], images=images), encoding="utf-8")
    for width in (900, 360):
        context = browser.new_context(viewport={"width": width, "height": 800}, offline=True)
        page, asked, said = context.new_page(), list[str](), list[str]()
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        page.goto(file.as_uri())
        expect(page.locator("h1")).to_have_text(takeaway.WORDS[f"title_{kind}"])
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for chart in page.locator("svg").all():
            box = chart.bounding_box()
            assert box is not None
            assert box["width"] > 200
            assert box["height"] > 100
        assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
        assert said == []
        for paper in ("A4", "Letter"):
            content = page.pdf(format=paper)
            assert 2 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 12
        context.close()


def test_the_policy_stops_what_a_page_must_not_do(browser: Browser, tmp_path: Path) -> None:
    document = takeaway.html(audit(), ["What was found."])
    liar = document.replace(
        "</main>", '<script>document.title = "run"</script><img src="http://127.0.0.1:9/x.png"></main>'
    )
    (tmp_path / "liar.html").write_text(liar, encoding="utf-8")
    page = patient(browser.new_page())
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "liar.html").as_uri())
    assert page.title() == takeaway.WORDS["title_audit"]
    assert sum("Content Security Policy" in text for text in said) >= 2
    page.close()


def test_download_a_report_with_and_without_images_and_open_the_json_again(
    page: Page, address: str, tmp_path: Path
) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{SMALL.replace('dummy', 'benign')}")
    run(page)
    told = verdict(page)

    def taken(label: str, then: Callable[[], None] = lambda: None) -> Path:
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label).click()
            then()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        return file

    def images(report: Path) -> int:
        return report.read_text(encoding="utf-8").count("data:image/png")

    assert images(taken(t.TAKE_HTML)) == 0
    line.hold()  # the page does not hear that the tick is noted, so it asks for the report as it was drawn before
    page.get_by_text(t.TAKE_IMAGES).click()
    page.wait_for_timeout(500)
    assert images(taken(t.TAKE_HTML, then=line.let)) == 4
    assert images(taken(t.TAKE_HTML)) == 4
    saved = taken(t.DOWNLOAD_JSON)
    assert "data:image" not in saved.read_text(encoding="utf-8")
    before = page.url
    page.get_by_text(t.OPEN_TITLE).click()
    page.locator("input[type=file]").last.set_input_files(saved)
    expect(page.get_by_text(t.OPENED_TITLE)).to_be_visible()
    assert page.url != before
    assert verdict(page).splitlines()[0] == told.splitlines()[0]


def test_a_file_that_is_none_is_refused_in_one_sentence(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/compare")
    for name, content, reason in (
        ("schema", '{"schema": "![x](http://a.test/x.png)"}', "schema"), ("text", "hello", "json"),
        ("content", '{"schema": "ldp-audit/1", "config": {}}', "content"),
    ):  # fmt: skip
        (tmp_path / f"{name}.json").write_text(content)
        page.reload()
        ready(page)
        page.get_by_text(t.OPEN_TITLE).click()
        page.locator("input[type=file]").last.set_input_files(tmp_path / f"{name}.json")
        expect(page.get_by_text(t.OPEN_ERRORS[reason])).to_be_visible()
