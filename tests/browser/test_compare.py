"""The page that compares, in a real Chromium: deep link, run, sections, upload, phone, keyboard."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pages._shared.text import en as t
from tests.app.test_compare import pictures_zip
from tests.browser.test_flows import _fits, ready, visit
from tests.helpers.server import running_app

pytestmark = pytest.mark.browser
FEW = "training=none&attacks=benign,dummy&epsilons=1,2&trials=400&measurements=2&seed=5"


def run(page: Page) -> None:
    page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
    expect(page.get_by_role("button", name=t.CMP_CSV)).to_be_visible(timeout=60_000)
    ready(page)


def look_at(page: Page, section: str) -> None:
    page.get_by_role("radio", name=t.CMP_SECTIONS[section], exact=True).click()
    ready(page)


def test_first_request_of_a_fresh_server_is_a_deep_link(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = browser.new_page()
        visit(page, f"{address}/compare?{FEW}")
        expect(page.locator("h1")).to_have_text(t.COMPARE_TITLE)
        expect(page.get_by_text("4 cells: about")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


def test_run_look_at_every_section_and_keep_the_result(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}&tests=white,black")
    run(page)
    expect(page.locator(".ldp-head")).to_have_text(t.CMP_HEADLINES["none"])
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=t.CMP_CSV).click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == 2 * 2 * 2 * 2
    for section in ("curves", "map", "lengths", "clients", "papers", "errors"):
        look_at(page, section)
        expect(page.locator(".js-plotly-plot")).to_have_count(1)
    text = page.locator("[class*=st-key-found_]").inner_text()
    page.reload()
    expect(page.locator("[class*=st-key-found_]")).to_have_text(text, use_inner_text=True)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 390])
def test_phone_has_no_sideways_scroll(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    visit(page, f"{address}/compare?{FEW}&tests=white,black")
    _fits(page)
    run(page)
    for section in ("attacks", "curves", "map", "clients", "papers", "errors"):
        look_at(page, section)
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        _fits(page)


def test_cancel_and_continue(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW.replace('trials=400&measurements=2', 'trials=60000&measurements=6')}")
    page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)  # what was found so far
    page.get_by_role("button", name=t.CANCEL).click()
    again = page.get_by_role("button", name=t.CMP_CONTINUE)
    expect(again).to_be_visible()
    stopped = page.get_by_text(re.compile(r"You stopped after \d+ of 24 parts"))
    before = int(re.search(r"after (\d+)", stopped.inner_text()).group(1))  # type: ignore[union-attr]
    assert 0 < before < 24
    again.click()
    expect(again).to_be_hidden()
    line = page.get_by_text(re.compile(r"^\d+ of 24 parts done"))
    expect(line).to_be_visible(timeout=30_000)
    assert int(line.inner_text().split()[0]) >= before
    page.get_by_role("button", name=t.CANCEL).click()
    expect(again).to_be_visible()


def test_upload_own_images(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}&datasets=own")
    expect(page.get_by_text(t.OWN_MISSING)).to_be_visible()
    content = {"name": "mine.zip", "mimeType": "application/zip", "buffer": pictures_zip()}
    page.locator("input[type=file]").set_input_files(files=[content])  # type: ignore[list-item]
    expect(page.get_by_text(t.OWN_MISSING)).to_be_hidden()
    ready(page)
    run(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)


def test_keyboard_alone(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}")

    def tab_to(js: str) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate(f"(() => {{ const e = document.activeElement; return Boolean({js}); }})()"):
                return
        raise AssertionError(f"no {js} on the way of the Tab key")

    tab_to("e.type === 'checkbox'")
    page.keyboard.press("Space")
    expect(page.get_by_text("2 cells: about")).to_be_visible()
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === '{t.CMP_RUN}'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=t.CMP_CSV)).to_be_visible(timeout=60_000)
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === '{t.CMP_SECTIONS['attacks']}'")
    page.keyboard.press("ArrowRight")
    if page.get_by_role("radio", name=t.CMP_SECTIONS["curves"], exact=True).get_attribute("aria-checked") != "true":
        page.keyboard.press("Enter")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
