"""The report as a client gets it: downloaded, opened without a network, printed; and a saved result opened again."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ldp_core import results
from ldp_core.presentation.documents.context import WORDS
from tests.browser.line import Line
from tests.browser.test_flows import SMALL, keep, ready, run, take, verdict, visit
from tests.helpers.patience import patient
from tests.helpers.words import en as t
from tests.presentation.test_takeaway import PNG, WRITERS, audit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", ["audit", pytest.param("compare", marks=pytest.mark.nightly)])
def test_the_report_opens_without_a_network_and_prints(browser: Browser, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "report.html"
    images = [(PNG, PNG)] if kind == "audit" else []
    file.write_text(results.html(WRITERS[kind][0](), ["What was found."], images=images), encoding="utf-8")
    for width in (900, 360):
        context = browser.new_context(viewport={"width": width, "height": 800}, offline=True)
        page, asked, said = context.new_page(), list[str](), list[str]()
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        page.goto(file.as_uri())
        expect(page.locator("h1")).to_have_text(WORDS[f"title_{kind.split()[0]}"])
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for chart in page.locator("svg").all():
            box = chart.bounding_box()
            assert box["width"] > 200
            assert box["height"] > 100
        assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
        assert said == []
        for paper in ("A4", "Letter"):
            content = page.pdf(format=paper)
            assert 2 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 12
        context.close()


def test_the_policy_stops_what_a_page_must_not_do(browser: Browser, tmp_path: Path) -> None:
    document = results.html(audit(), ["What was found."])
    liar = document.replace(
        "</main>", '<script>document.title = "run"</script><img src="http://127.0.0.1:9/x.png"></main>'
    )
    (tmp_path / "liar.html").write_text(liar, encoding="utf-8")
    page = patient(browser.new_page())
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "liar.html").as_uri())
    assert page.title() == WORDS["title_audit"]
    assert sum("Content Security Policy" in text for text in said) >= 2
    page.close()


def images(report: Path) -> int:
    return report.read_text(encoding="utf-8").count("data:image/png")


def test_download_a_report_with_and_without_images_and_open_the_json_again(
    page: Page, address: str, tmp_path: Path
) -> None:
    visit(page, f"{address}/audit?{SMALL.replace('dummy', 'benign')}")
    run(page)
    told = verdict(page)
    plain = take(page, tmp_path, t.TAKE_HTML)
    expect(page.get_by_role("link", name=t.TAKE_PICTURED)).to_have_count(0)
    page.get_by_text(t.TAKE_IMAGES).click()
    ready(page)
    pictured = take(page, tmp_path, t.TAKE_PICTURED)
    assert (images(plain), images(pictured)) == (0, 4)
    assert pictured.name == plain.name.replace(".html", "-with-images.html")
    saved = take(page, tmp_path, t.DOWNLOAD_JSON)
    assert images(saved) == 0
    before = page.url
    page.get_by_text(t.OPEN_TITLE).click()
    page.locator("input[type=file]").last.set_input_files(saved)
    expect(page.get_by_text(t.OPENED_TITLE)).to_be_visible()
    assert page.url != before
    assert verdict(page).splitlines()[0] == told.splitlines()[0]


@pytest.mark.nightly
def test_a_file_comes_while_the_page_is_drawn_anew_and_from_a_page_that_was_left(
    page: Page, address: str, tmp_path: Path
) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{SMALL.replace('dummy', 'benign')}")
    run(page)
    verdict(page)
    keep(page)
    expect(page.get_by_text(t.TAKE_IMAGES)).to_be_visible()
    ready(page)
    line.hold()
    page.get_by_text(t.TAKE_IMAGES).click()  # its answer does not come, so what the links say has not changed
    assert images(take(page, tmp_path, t.TAKE_HTML)) == 0
    line.let()
    expect(page.get_by_role("link", name=t.TAKE_PICTURED)).to_be_visible()
    ready(page)
    line.hold()
    line.hold("page")
    page.get_by_role("link", name=t.NAV_COMPARE, exact=True).click()
    assert images(take(page, tmp_path, t.TAKE_PICTURED)) == 4
    assert json.loads(take(page, tmp_path, t.DOWNLOAD_JSON).read_text(encoding="utf-8"))["completed"]
    line.let()
    expect(page.locator("h1")).to_have_text(t.COMPARE_TITLE)


@pytest.mark.nightly
def test_a_file_that_is_none_is_refused_in_one_sentence(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/compare")
    (tmp_path / "saved.json").write_text('{"schema": "![x](http://a.test/x.png)"}')
    page.get_by_text(t.OPEN_TITLE).click()
    page.locator("input[type=file]").last.set_input_files(tmp_path / "saved.json")
    expect(page.get_by_text(t.OPEN_ERRORS["schema"])).to_be_visible()
