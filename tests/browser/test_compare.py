"""The page that compares, in a real Chromium: deep link, run, sections, upload, phone, keyboard."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.app.test_compare import pictures_zip
from tests.browser.test_flows import _fits, ready, stop_button, take, visit
from tests.helpers.patience import patient
from tests.helpers.server import running_app
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
FEW = "training=none&attacks=benign,dummy&epsilons=1,2&trials=400&measurements=2&seed=5"


def run(page: Page) -> None:
    page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
    expect(page.get_by_role("link", name=t.TAKE_FILES["table.csv"], exact=True)).to_be_visible()
    ready(page)


def look_at(page: Page, section: str) -> None:
    page.get_by_role("radio", name=t.CMP_SECTIONS[section], exact=True).click()
    ready(page)


@pytest.mark.nightly  # by day tests/browser/test_flows.py, with a test
def test_first_request_of_a_fresh_server_is_a_deep_link(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = patient(browser.new_page())
        visit(page, f"{address}/compare?{FEW}")
        expect(page.locator("h1")).to_have_text(t.COMPARE_TITLE)
        expect(page.get_by_text("4 combinations")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


def test_run_look_at_every_section_and_keep_the_result(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/compare?{FEW}&tests=white,black")
    run(page)
    expect(page.locator(".ldp-head")).to_have_text(t.CMP_HEADLINES["none"])
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    with take(page, tmp_path, t.TAKE_FILES["table.csv"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 2 * 2
    for section in ("curves", "map", "lengths", "clients", "errors"):
        look_at(page, section)
        expect(page.locator(".js-plotly-plot")).to_have_count(1)
    look_at(page, "papers")
    expect(page.get_by_text(t.CMP_PAPERS_OTHERS)).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    text = page.locator("[class*=st-key-found_]").inner_text()
    page.reload()
    expect(page.locator("[class*=st-key-found_]")).to_have_text(text, use_inner_text=True)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [360, pytest.param(390, marks=pytest.mark.nightly)])
def test_phone_has_no_sideways_scroll(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    visit(page, f"{address}/compare?{FEW}&tests=white,black")
    _fits(page)
    run(page)
    for section in ("attacks", "curves", "map", "clients", "errors"):
        look_at(page, section)
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        _fits(page)


@pytest.mark.nightly  # by day tests/app/test_compare.py
def test_cancel_and_continue(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW.replace('trials=400&measurements=2', 'trials=40000&measurements=6')}")
    page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
    expect(page.locator(".ldp-progress figure img")).to_be_visible()  # what was found so far
    stop_button(page).click()
    again = page.get_by_role("button", name=t.CMP_CONTINUE)
    expect(again).to_be_visible()
    ready(page)  # until then the sentence of the page before may stand beside its own
    stopped = page.get_by_text(re.compile(r"Stopped when \d+\s% of 4 combinations"))
    before = int(re.search(r"when (\d+)", stopped.inner_text()).group(1))  # type: ignore[union-attr]
    assert 0 < before < 100
    again.click()
    expect(again).to_be_hidden()
    line = page.get_by_text(re.compile(r"^4 combinations, \d+\s% done"))
    expect(line).to_be_visible()
    assert int(re.search(r"(\d+)\s%", line.inner_text()).group(1)) >= before  # type: ignore[union-attr]
    stop_button(page).click()
    expect(again).to_be_visible()


def tip(page: Page, number: int = 0) -> dict[str, str]:
    """Return what is drawn beside a term: its text, "none" while it is hidden, and its place."""
    found: dict[str, str] = (
        page.locator(".ldp-term")
        .nth(number)
        .evaluate("e => (({content, left, width}) => ({content, left, width}))(getComputedStyle(e, '::after'))")
    )
    return found


@pytest.mark.nightly
def test_term_tells_its_sentence_to_pointer_and_keyboard(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}")
    term = page.locator(".ldp-term").first
    sentence = t.GLOSSARY["attack"]
    expect(term).to_have_text("attack")
    expect(term).to_have_accessible_description(sentence)
    assert tip(page)["content"] == "none"
    term.hover()
    assert sentence in tip(page)["content"]
    page.mouse.move(0, 0)
    assert tip(page)["content"] == "none"
    ready(page)
    for _ in range(30):
        page.keyboard.press("Tab")
        if term.evaluate("e => e === document.activeElement"):
            break
    expect(term).to_be_focused()
    assert sentence in tip(page)["content"]
    page.keyboard.press("Tab")
    assert tip(page)["content"] == "none"
    following = page.locator(".ldp-term").nth(1)
    expect(following).to_have_text("the papers")
    expect(following).to_be_focused()
    assert t.GLOSSARY["the papers"] in tip(page, 1)["content"]


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}])
def test_no_tab_stands_alone_beside_an_empty_place(page: Page, address: str, language: str) -> None:
    visit(page, f"{address}/compare?{FEW}&tests=white,black&lang={language}")
    page.locator(".st-key-run_compare button").click()
    tabs = page.locator(".st-key-section [role=radio]")
    expect(tabs.first).to_be_visible()
    places = tabs.evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(r => [r.top, r.left, r.right])")
    rows: dict[int, list[tuple[float, float]]] = {}
    for top, left, right in places:
        rows.setdefault(round(top), []).append((left, right))
    assert len(places) == 7
    for row in rows.values():
        assert row[0][0] < 20
        assert row[-1][1] > 340


@pytest.mark.nightly  # by day to pointer and keyboard
@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}])
def test_term_tells_its_sentence_to_a_finger(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}")
    terms = page.locator(".ldp-term")
    expect(terms.first).to_be_visible()
    for number in range(terms.count()):
        terms.nth(number).tap()
        expect(terms.nth(number)).to_be_focused()
        shown = tip(page, number)
        assert shown["content"] != "none"
        left, width = (float(shown[name].removesuffix("px")) for name in ("left", "width"))
        assert left >= 0
        assert left + width <= 360
        _fits(page)
    page.locator("h1").tap()
    assert tip(page, number)["content"] == "none"


@pytest.mark.nightly  # by day tests/app/frame/test_runs.py
def test_runs_are_listed_repeated_and_opened(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?training=none&attack=dummy&trials=300&measurements=1&seed=5")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    expect(page.locator(".ldp-head")).to_be_visible()
    ready(page)
    page.get_by_role("link", name=t.NAV_COMPARE, exact=True).click()
    rows = page.get_by_role("region", name=t.RUNS_TITLE).get_by_role("row")
    expect(rows).to_have_count(2)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    page.get_by_role("button", name=t.RUNS_SAME_SEED).click()
    expect(rows).to_have_count(3)
    for column in (5, 8):
        first, second = (rows.nth(place).get_by_role("cell").nth(column - 2) for place in (1, 2))
        expect(first).to_have_text(second.inner_text())
    ready(page)
    page.get_by_role("link", name=t.RUNS_OPEN).click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.locator(".ldp-head")).to_be_visible()
    assert "job=" in page.url


@pytest.mark.nightly  # by day tests/browser/test_offline.py compares own images
def test_upload_own_images(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}&datasets=own")
    expect(page.get_by_text(t.OWN_MISSING)).to_be_visible()
    content = {"name": "mine.zip", "mimeType": "application/zip", "buffer": pictures_zip()}
    page.get_by_text(t.CMP_SETTINGS, exact=True).click()
    page.locator("input[type=file]").first.set_input_files(files=[content])  # type: ignore[list-item]
    expect(page.get_by_text(t.OWN_MISSING)).to_be_hidden()
    ready(page)
    run(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)


@pytest.mark.nightly  # by day the same of a test, and of the game
def test_keyboard_alone(page: Page, address: str) -> None:
    visit(page, f"{address}/compare?{FEW}")

    def tab_to(js: str, key: str = "Tab") -> None:
        for _ in range(120):
            page.keyboard.press(key)
            if page.evaluate(f"(() => {{ const e = document.activeElement; return Boolean({js}); }})()"):
                return
        raise AssertionError(f"no {js} on the way of the Tab key")

    tab_to(f"e.tagName === 'SUMMARY' && e.innerText.includes('{t.CMP_SETTINGS}')")
    page.keyboard.press("Enter")
    tab_to("e.type === 'checkbox'")
    page.keyboard.press("Space")
    expect(page.get_by_text("2 combinations")).to_be_visible()
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === '{t.CMP_RUN}'", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=t.TAKE_FILES["table.csv"], exact=True)).to_be_visible()
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === '{t.CMP_SECTIONS['attacks']}'")
    page.keyboard.press("ArrowRight")
    if page.get_by_role("radio", name=t.CMP_SECTIONS["curves"], exact=True).get_attribute("aria-checked") != "true":
        page.keyboard.press("Enter")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
