"""The main job of each study's page, once in a real Chromium; what it finds fits a phone, too."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_flows import take, unfold, visit, whole
from tests.helpers.access import sideways
from tests.helpers.words import en

pytestmark = pytest.mark.browser
JOBS = {
    "reconstruction": ("run_rebuilt", "counts=1,10&pictures=10&seed=3", "ldp-reconstruct/1"),
    "utility": ("run_cost", "cost_clients=500&cost_rounds=3&cost_epsilons=4&seed=3", "ldp-utility/2"),
    "trust": ("run_trust", "whom=shuffled&honest=100&games=2000&seed=3", "ldp-trust/1"),
    "central": ("run_central", "central_law=1&central_games=400&seed=3", "ldp-central/1"),
}
"""Folder of the page -> its button, settings of a small run, and the schema of what it found."""


@pytest.mark.few(1)
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
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('[data-testid=stMain]').clientWidth <= 390")
    whole(page)
    assert sideways(page) == [0, 0]
