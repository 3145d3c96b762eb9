"""The switch of language as a visitor has it: by the link, from the browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Watched
from tests.browser.test_flows import visit
from tests.helpers.patience import patient
from tests.helpers.words import en, ja

pytestmark = pytest.mark.browser


@pytest.fixture
def japanese(browser: Browser, watched: Watched) -> Iterator[Page]:
    """A page of a browser that asks for Japanese."""
    context = browser.new_context(locale="ja-JP", viewport={"width": 1280, "height": 900})
    patient(context)
    watched.watch(context)
    yield context.new_page()
    context.close()
    assert watched.outside == []
    assert watched.complaints == []


def other(page: Page) -> Locator:
    return page.locator(".st-key-other_language a")


def speaks(page: Page, language: str, title: str) -> None:
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_japanese_browser_gets_japanese(japanese: Page, address: str) -> None:
    visit(japanese, f"{address}/audit?epsilon=2")
    speaks(japanese, "ja", ja.AUDIT_TITLE)
    expect(japanese).to_have_title(ja.NAV_AUDIT)
    expect(other(japanese)).to_have_text("English")
    expect(other(japanese)).to_have_attribute("hreflang", "en")
    expect(other(japanese)).to_have_attribute("lang", "en")
    expect(japanese.locator(".ldp-charts").get_by_text(ja.FIGURES["coin"])).to_be_visible()
    visit(japanese, f"{address}/audit?lang=en")
    speaks(japanese, "en", en.AUDIT_TITLE)
