"""The page that compares, in a real Chromium: deep link, run, sections, upload, phone, keyboard."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_flows import ready, take, visit
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
FEW = "training=none&attacks=benign,dummy&epsilons=1,2&trials=400&measurements=2&seed=5"


def run(page: Page) -> None:
    page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
    expect(page.locator("[class*=st-key-found_]")).to_be_visible()
    ready(page)


def look_at(page: Page, section: str) -> None:
    page.get_by_role("radio", name=t.CMP_SECTIONS[section], exact=True).click()
    ready(page)


def test_run_look_at_every_section_and_keep_the_result(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/compare?{FEW}&tests=white,black")
    run(page)
    expect(page.get_by_role("tab", name=t.TABS_AFTER[-1], exact=True)).to_be_visible()
    expect(page.locator(".ldp-verdict b").first).to_have_text(t.CMP_HEADLINES["none"])
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    with take(page, tmp_path, t.TAKE_FILES["table.csv"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 2 * 2
    for section in ("curves", "map", "lengths", "clients", "errors"):
        look_at(page, section)
        expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page.get_by_role("radio", name=t.CMP_SECTIONS["papers"], exact=True)).to_have_count(0)
    text = page.locator("[class*=st-key-found_]").inner_text()
    page.reload()
    expect(page.locator("[class*=st-key-found_]")).to_have_text(text, use_inner_text=True)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
