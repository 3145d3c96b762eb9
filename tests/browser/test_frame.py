"""What stands around every page: the menu, the title's place, and the browser's own Back."""

import re

import pytest
from playwright.sync_api import Page, expect

from ldp_core.studies import STUDIES
from pages import registry
from tests.browser.test_flows import ready, visit
from tests.helpers.words import en as t

PATHS = ["", *(STUDIES[name].folder for name, page in registry.pages().items() if page.title)]
"""The address of each page in the menu."""
_WATCH = """
window.tops = [];
const look = () => {
  const title = document.querySelector('h1');
  const top = title && Math.round(title.getBoundingClientRect().top);
  if (title && window.tops.at(-1) !== top) window.tops.push(top);
  requestAnimationFrame(look);
};
look();
"""


@pytest.mark.nightly
def test_menu_of_a_phone_is_named_and_within_the_thumb_s_reach(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, f"{address}/audit")
    for name, title in ((t.NAV_CHECK, t.CHECK_TITLE), (t.NAV_OVERVIEW, t.OVERVIEW_TITLE), (t.NAV_AUDIT, t.AUDIT_TITLE)):
        link = page.locator(".st-key-menu").get_by_role("link", name=name)
        box = link.bounding_box()
        assert box is not None
        assert box["y"] > 370
        assert box["y"] + box["height"] <= 740
        assert min(box["width"], box["height"]) >= 44
        link.click()
        expect(page.locator("h1")).to_have_text(title)
        ready(page)


@pytest.mark.nightly  # by day tests/browser/test_settings.py goes back
def test_back_takes_one_press_for_each_step(page: Page, address: str) -> None:
    def menu(name: str, title: str) -> None:
        page.locator(".st-key-menu").get_by_role("link", name=name).click()
        expect(page.locator("h1")).to_have_text(title)
        ready(page)

    visit(page, f"{address}/audit")
    page.get_by_role("button", name="2", exact=True).click()
    expect(page).to_have_url(re.compile("/audit.epsilon=2"))
    menu(t.NAV_OVERVIEW, t.OVERVIEW_TITLE)
    page.get_by_role("button", name="4", exact=True).first.click()
    expect(page).to_have_url(re.compile("epsilon=4"))
    menu(t.NAV_CHECK, t.CHECK_TITLE)
    menu(t.NAV_AUDIT, t.AUDIT_TITLE)
    ends = (
        (r"/check.epsilon=4$", t.CHECK_TITLE),
        (r"/.epsilon=4$", t.OVERVIEW_TITLE),
        (r"/.epsilon=2$", t.OVERVIEW_TITLE),
        (r"/audit.epsilon=2$", t.AUDIT_TITLE),
        (r"/audit$", t.AUDIT_TITLE),
    )
    for url, title in ends:
        page.go_back()
        expect(page).to_have_url(re.compile(url))
        expect(page.locator("h1")).to_have_text(title)
        ready(page)
        expect(page).to_have_url(re.compile(url))


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
def test_run_stands_above_the_fold(page: Page, address: str, language: str) -> None:
    visit(page, f"{address}/audit?lang={language}")
    ready(page)
    box = page.locator(".st-key-run button").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
def test_menu_of_a_wide_screen_shows_every_page(page: Page, address: str, language: str) -> None:
    visit(page, f"{address}/check?lang={language}")
    last = page.locator(".st-key-menu a").nth(len(PATHS) - 1).bounding_box()
    other = page.locator(".st-key-other_language").bounding_box()
    assert last is not None
    assert other is not None
    assert page.locator(".st-key-menu").evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    assert last["x"] + last["width"] <= other["x"]


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
@pytest.mark.parametrize("look", [PHONE])
def test_menu_of_a_phone_fills_the_width_and_cuts_no_word(page: Page, address: str, language: str) -> None:
    visit(page, f"{address}/?lang={language}")
    ready(page)
    places = page.locator(".st-key-menu a").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(e => [e.left, e.right, e.top, e.bottom])"
    )
    assert len(places) == len(PATHS)
    for number, (left, right, top, bottom) in enumerate(places):
        column = number % 4
        assert abs(left - 90 * column) < 1, number
        assert abs(right - 90 * (column + 1)) < 1, number
        assert bottom - top >= 44, number
        assert bottom <= page.evaluate("innerHeight") + 1, number
    wide = page.locator(".st-key-menu a p").evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth).length")
    assert wide == 0


@pytest.mark.nightly
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
@pytest.mark.parametrize("look", [PHONE, pytest.param({}, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("paths", [PATHS[:3], pytest.param(PATHS, marks=pytest.mark.nightly)], ids=["some", "all"])
def test_titles_stay_where_they_are_first_drawn_and_nothing_is_smaller_than_twelve_pixels(
    page: Page, address: str, language: str, paths: list[str]
) -> None:
    page.add_init_script(_WATCH)
    titles = set()
    for path in paths:
        visit(page, f"{address}/{path}?lang={language}")
        titles.add(page.locator("h1").inner_text())
        assert len(page.evaluate("window.tops")) == 1, path
        assert page.evaluate(_SMALL) == [], path
    assert len(titles) == len(paths), "each is a page of its own"


_SMALL = """() => {
  const found = [], walk = document.createTreeWalker(document.querySelector('.stMain'), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const of = node.parentElement, svg = of.closest('svg[viewBox]');
    if (!/[\\p{L}\\p{N}]/u.test(node.data) || !of.getBoundingClientRect().width) continue;
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(of).fontSize);  // none at all: replaced by words of ours
    if (size && size * scale < 12) found.push(node.data.trim());
  }
  return found;
}"""
