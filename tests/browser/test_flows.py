"""What a visitor does, in a real Chromium against a real server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.helpers.patience import until
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
SMALL = "training=none&attack=dummy&trials=2000&measurements=2&seed=5"
LONG = "training=none&attack=dummy&trials=1000000&measurements=3&seed=5"


_WHOLE = """() => document.querySelector('.stMain hr') && !document.querySelector('[data-testid=stSkeleton]')
    && [...document.querySelectorAll('.st-key-stage_drawn')].every(e => e.querySelector('.ldp-stage'))
    && [...document.querySelectorAll('.stPlotlyChart')].every(e => e.querySelector('.main-svg'))"""


_STILL = """() => document.getAnimations().every(
    one => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""


def ready(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def visit(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator("h1")).to_be_visible()
    whole(page)


def whole(page: Page) -> None:
    """Wait until the page is drawn to its end."""
    ready(page)
    page.wait_for_function(_WHOLE)


def ended(page: Page) -> None:
    """Wait until the run has ended, too: until then the page is drawn anew every second or two."""
    expect(page.locator("[class*=st-key-progress], [class*=st-key-cancel_]")).to_have_count(0)
    whole(page)


def run(page: Page) -> None:
    page.locator(".st-key-run").get_by_role("button").click()


def attack(page: Page) -> Locator:
    """Return the list that shows the chosen attack."""
    return page.get_by_role("combobox", name=t.ATTACK, exact=True).first


def stop_button(page: Page) -> Locator:
    """Return the page's own: while it is drawn, Streamlit shows another one in its header."""
    return page.get_by_test_id("stMain").get_by_role("button", name=t.CANCEL)


def verdict(page: Page) -> str:
    line = page.locator(".ldp-verdict[data-state]")
    expect(line).to_be_visible()
    whole(page)
    return line.inner_text()


def unfold(title: Locator) -> None:
    """Unfold a box by its title, and wait until it has slid open: who presses a button while it moves may miss it."""
    title.click()
    title.page.wait_for_function(_STILL)


def keep(page: Page) -> None:
    """Open what holds the files of a result, where it has such a part, once the run has ended."""
    ended(page)
    tab = page.get_by_role("tab", name=t.TABS_AFTER[-1], exact=True)
    if tab.count():  # a result within a tab has tabs of its own
        tab.last.click()
    fold = page.locator(".st-key-keep details:not([open]) > summary")
    if fold.count():
        unfold(fold.first)


def take(page: Page, folder: Path, label: str) -> Path:
    """Follow the link to a file, whose tab closes by itself; return where it lies, under the name it came with."""
    keep(page)
    pages = len(page.context.pages)
    with page.expect_download() as waiting:
        page.get_by_role("link", name=label.replace("`", ""), exact=True).click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    until(lambda: page.wait_for_timeout(50) or len(page.context.pages) == pages)
    return file


def progress(page: Page) -> int:
    """Return the guesses that the progress line counts, once there are any."""
    line = page.locator(".ldp-going").get_by_text(re.compile(r"^[1-9][\d,]* of 3,000,000 guesses"))
    expect(line).to_be_visible()
    return int(line.inner_text().split(" ")[0].replace(",", ""))


def test_from_the_overview_to_a_verdict(page: Page, address: str) -> None:
    visit(page, address)
    for element in (page.locator(".ldp-asked img"), page.locator(".ldp-marks").last, page.get_by_role("slider").first):
        expect(element).to_be_visible()
        box = element.bounding_box()
        assert box["y"] + box["height"] < 900, "on the first screen"
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_text("at most 88.08 times")).to_be_visible()
    page.get_by_role("link", name=t.OVERVIEW_GO).first.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.get_by_text("at most 88.08 times")).to_be_visible()
    run(page)
    text = verdict(page)
    assert "right about one report 88.08 times of 100" in text
    expect(page.locator(".ldp-charts").get_by_text(re.compile("^measured ")).first).to_be_visible()
    expect(page.locator(".ldp-pair img")).to_have_count(6)
    lower = re.search(r"Leak shown: at least ε = (\d(?:\.\d+)?)\.", text)
    assert 0 < float(lower[1]) < 2
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_run_survives_another_page_a_widget_and_a_reload(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    before = progress(page)
    expect(page).to_have_url(re.compile("job="))
    job = re.search(r"job=(\w+)", page.url).group(1)  # type: ignore[union-attr]
    page.get_by_role("button", name="4", exact=True).click()
    page.get_by_role("link", name=t.NAV_OVERVIEW).first.click()
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    expect(page.locator("h4")).to_contain_text("at most 98.21 times")
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)(?=.*attack=dummy)"))
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)"))
    expect(attack(page)).to_have_value(re.compile(re.escape(t.ATTACKS["dummy"].title)))
    stop_button(page).click()
    assert "right about one report 88.08 times of 100" in verdict(page)


def test_the_page_follows_the_hand_and_learns_the_value_on_release(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    slider, said = page.get_by_role("slider"), page.locator(".ldp-verdict")
    box = slider.bounding_box()
    before = said.inner_text()
    page.mouse.move(box["x"] + box["width"] * 3 / 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=5)
    expect(page.locator(".ldp-hand output")).to_have_text("8")
    expect(said).not_to_have_text(before)
    expect(slider).to_have_attribute("aria-valuetext", "8")
    assert "epsilon=" not in page.url
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"epsilon=8\b"))
    whole(page)
    expect(page.locator(".ldp-hand output")).to_have_text("8")
