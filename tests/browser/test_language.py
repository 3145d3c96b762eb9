"""The switch of language as a visitor has it: by the link, from the browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_flows import visit
from tests.helpers.words import en, ja

pytestmark = pytest.mark.browser


def other(page: Page) -> Locator:
    return page.locator(".st-key-other_language a")


def speaks(page: Page, language: str, title: str) -> None:
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("look", [{"locale": "ja-JP"}])
def test_japanese_browser_gets_page(page: Page, address: str, look: dict[str, str]) -> None:
    visit(page, f"{address}/audit?epsilon=2")
    speaks(page, "ja", ja.AUDIT_TITLE)
    expect(page).to_have_title(ja.NAV_AUDIT)
    expect(other(page)).to_have_text("English")
    expect(other(page)).to_have_attribute("hreflang", "en")
    expect(other(page)).to_have_attribute("lang", "en")
    expect(page.locator(".ldp-charts").get_by_text(ja.FIGURES["coin"])).to_be_visible()
    visit(page, f"{address}/audit?lang=en")
    speaks(page, "en", en.AUDIT_TITLE)
