"""The main job of each study's page, once in a real Chromium; what it finds fits a phone, too."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ldp_core.channels import EYES
from tests.browser.test_flows import take, unfold, visit, whole
from tests.helpers.access import sideways
from tests.helpers.words import LANGUAGES, en

pytestmark = pytest.mark.browser
JOBS = {
    "check": ("run", "reports=8000&dimension=8&seed=3", "ldp-check/3"),
    "reconstruction": ("run_rebuilt", "counts=1,10&pictures=10&seed=3", "ldp-reconstruct/1"),
    "utility": ("run_cost", "cost_clients=500&cost_rounds=3&cost_epsilons=4&seed=3", "ldp-utility/2"),
    "trust": ("run_trust", "whom=shuffled&honest=100&games=2000&seed=3", "ldp-trust/1"),
    "central": ("run_central", "central_law=1&central_games=400&seed=3", "ldp-central/1"),
}
"""Folder of the page -> its button, settings of a small run, and the schema of what it found."""


@pytest.mark.few(2)
@pytest.mark.parametrize("name", JOBS)
def test_a_page_does_its_main_job_and_shows_it_on_a_phone(page: Page, address: str, tmp_path: Path, name: str) -> None:
    button, settings, schema = JOBS[name]
    visit(page, f"{address}/{name}?{settings}")
    if name == "reconstruction":
        page.get_by_role("tab", name=en.TABS_AFTER[2], exact=True).click()
        unfold(page.locator(".st-key-measure details:not([open]) > summary"))
    page.locator(f".st-key-{button} button").click()
    expect(page.locator("a[href*='result.json']").first).to_be_attached()
    whole(page)
    expect(page.locator(".stPlotlyChart .main-svg").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    report = json.loads(take(page, tmp_path, en.DOWNLOAD_JSON).read_text(encoding="utf-8"))
    assert report["schema"] == schema
    if name == "check":
        assert report["verdict"] == "claim_rejected"
        expect(page.locator(".st-key-stage")).to_contain_text("The check found it")
        expect(page.locator(".ldp-exam li")).to_have_count(len(en.CHECK_CLAUSES))
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('[data-testid=stMain]').clientWidth <= 390")
    whole(page)
    assert sideways(page) == [0, 0]


ROWS = EYES.split("/")


def command(page: Page, drawn: str) -> None:
    """Wait until the line that repeats what is shown has a map."""
    line = page.locator("code", has_text="ldp_core channels")
    expect(line).to_contain_text(f"--importance-map {drawn} ")
    whole(page)


def test_what_is_painted_is_what_the_noise_follows(page: Page, address: str) -> None:
    visit(page, f"{address}/reconstruction?picture_channel=personalized")
    page.get_by_role("tab", name=en.TABS_AFTER[2], exact=True).click()
    page.locator(".st-key-picture_experts label").click()
    command(page, EYES)
    squares = page.get_by_role("group", name=en.PICTURE_PAINT).get_by_role("button")
    expect(squares).to_have_count(64)
    first, last = squares.nth(0), squares.nth(7)
    first.hover()
    page.mouse.down()
    last.hover()
    page.mouse.up()
    command(page, "/".join(["9" * 8, *ROWS[1:]]))
    expect(first).to_have_attribute("aria-pressed", "true")
    first.click()  # erases
    command(page, "/".join(["0" + "9" * 7, *ROWS[1:]]))
    first.focus()
    for key in ("ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight", "Space"):
        page.keyboard.press(key)
    expect(squares.nth(9)).to_be_focused()
    command(page, "/".join(["0" + "9" * 7, "01000000".replace("1", "9"), *ROWS[2:]]))
    expect(squares.nth(9)).to_have_attribute("aria-label", en.PICTURE_SQUARE.format(row=2, column=2))


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_is_painted_the_page_says_what_to_do_and_fits_a_phone(
    page: Page, address: str, language: str
) -> None:
    words = LANGUAGES[language]
    nothing = "/".join(["00"] * 2)
    visit(page, f"{address}/reconstruction?lang={language}&picture_channel=personalized&painted={nothing}")
    page.get_by_role("tab", name=words.TABS_AFTER[2], exact=True).click()
    page.locator(".st-key-picture_experts label").click()
    expect(page.get_by_text(words.PICTURE_PAINT_NONE)).to_be_visible()
    page.get_by_role("group", name=words.PICTURE_PAINT).get_by_role("button").nth(1).click()
    command(page, "09/00")
    page.set_viewport_size({"width": 390, "height": 844})
    whole(page)
    assert sideways(page) == [0, 0]
