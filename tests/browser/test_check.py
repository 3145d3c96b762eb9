"""The page that checks a mechanism, in a real Chromium: one caught, upload to verdict, and a phone."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ldp_core.checking.claims import FIXED_PAIRS, from_json
from tests.browser.test_flows import ready, take, visit
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
QUICK = "reports=8000&dimension=8&seed=3"


def verdict(page: Page) -> str:
    box = page.locator("[class*=st-key-check_]")
    expect(box.locator(".ldp-verdict")).to_be_visible()
    ready(page)
    return box.inner_text()


def test_a_faulty_one_is_caught(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/check?{QUICK}")
    page.get_by_role("button", name=t.CHECK_RUN, exact=True).click()
    assert t.REPORT["check_headline_rejected"] in verdict(page)
    expect(page.locator(".st-key-stage")).to_contain_text("The check found it")
    expect(page.locator(".ldp-exam li")).to_have_count(len(t.CHECK_CLAUSES))
    page.get_by_role("tab", name=t.TABS_AFTER[2], exact=True).click()
    expect(page.get_by_role("region", name=t.REPORT["counts"])).to_be_visible()
    pairs = page.get_by_role("region", name=t.REPORT["tried"]).locator("tbody tr")
    assert pairs.count() >= len(FIXED_PAIRS)
    expect(pairs.filter(has_text=t.REPORT["pair_text_half-flip"])).to_have_count(1)
    content = take(page, tmp_path, t.DOWNLOAD_JSON).read_text(encoding="utf-8")
    assert json.loads(content)["verdict"] == "claim_rejected"
    assert from_json(content).config.subject == "faulty-twice-epsilon"
