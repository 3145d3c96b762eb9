"""The switch of language as a visitor has it: by the link, from the browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Watched
from tests.browser.test_flows import ready, verdict, visit
from tests.helpers.patience import patient
from tests.helpers.words import LANGUAGES, en, ja

pytestmark = pytest.mark.browser
RUN = "training=light&attack=benign&trials=2000&measurements=2&seed=5&epsilon=2&distinguisher=selective"


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
    visit(japanese, address)
    speaks(japanese, "ja", ja.OVERVIEW_TITLE)
    expect(japanese).to_have_title(ja.NAV_OVERVIEW)
    expect(other(japanese)).to_have_text("English")
    expect(other(japanese)).to_have_attribute("hreflang", "en")
    expect(other(japanese)).to_have_attribute("lang", "en")
    visit(japanese, f"{address}/audit?epsilon=2")
    speaks(japanese, "ja", ja.AUDIT_TITLE)
    expect(japanese.locator(".js-plotly-plot").get_by_text(ja.FIGURES["coin"])).to_be_visible()
    visit(japanese, f"{address}/audit?lang=en")
    speaks(japanese, "en", en.AUDIT_TITLE)


_LATIN = r"""(place) => {
  const found = [], walk = document.createTreeWalker(document.querySelector(place), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const of = node.parentElement, style = getComputedStyle(of);
    if (!/[A-Za-z]{3}/.test(node.data) || /[\u3040-\u9fff]/.test(node.data)) continue;
    if (/Material/.test(of.dataset.testid ?? "")) continue;
    if (of.checkVisibility() && of.getBoundingClientRect().width && parseFloat(style.fontSize)) found.push(node.data);
  }
  return found;
}"""
"""What is seen at a place and holds no Japanese; names of symbols are drawn as such."""


def test_streamlit_s_own_words_are_japanese_too(japanese: Page, address: str) -> None:
    visit(japanese, address)
    japanese.get_by_test_id("stMainMenu").locator("button").click()
    expect(japanese.get_by_test_id("stMainMenuItem-about")).to_be_visible()
    assert japanese.evaluate(_LATIN, "[data-testid=stMainMenuPopover]") == []
    japanese.get_by_test_id("stMainMenuItem-about").click()
    expect(japanese.get_by_role("dialog")).to_contain_text(ja.ABOUT)
    assert japanese.evaluate(_LATIN, "[role=dialog]") == []
    japanese.keyboard.press("Escape")
    japanese.locator("summary").filter(has_text=ja.GLIMPSE_TITLE).click()
    expect(japanese.get_by_test_id("stFileUploaderDropzone")).to_be_visible()
    assert japanese.evaluate(_LATIN, "[data-testid=stFileUploader]") == []


@pytest.mark.nightly
@pytest.mark.parametrize("languages", [("ja",), pytest.param(("ja", "en", "ja"), marks=pytest.mark.nightly)])
def test_link_switches_and_keeps_the_run_and_the_choices(page: Page, address: str, languages: tuple[str, ...]) -> None:
    visit(page, f"{address}/audit?{RUN}")
    speaks(page, "en", en.AUDIT_TITLE)
    page.get_by_role("button", name=en.RUN, exact=True).click()
    verdict(page)
    (job,) = re.findall(r"job=(\w+)", page.url)
    for language in languages:
        texts = LANGUAGES[language]
        other(page).click()
        speaks(page, language, texts.AUDIT_TITLE)
        ready(page)
        assert any(headline in verdict(page) for headline in texts.HEADLINES.values())
        expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*lang={language})(?=.*epsilon=2)(?=.*attack=benign)"))
        expect(page.locator(".st-key-attack_chosen")).to_contain_text(texts.ATTACKS["benign"].title)
        page.get_by_text(texts.ADVANCED, exact=True).click()
        expect(page.get_by_role("combobox", name=re.compile(texts.DISTINGUISHER))).to_have_value(
            texts.DISTINGUISHERS["selective"].title
        )
    page.get_by_role("link", name=ja.NAV_COMPARE, exact=True).first.click()
    speaks(page, "ja", ja.COMPARE_TITLE)
    ready(page)
    expect(page).to_have_url(re.compile("lang=ja"))
    page.reload()
    speaks(page, "ja", ja.COMPARE_TITLE)
    page.get_by_role("link", name=ja.NAV_AUDIT, exact=True).first.click()
    speaks(page, "ja", ja.AUDIT_TITLE)
    expect(page).to_have_url(re.compile("lang=ja"))
