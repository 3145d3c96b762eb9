"""What was asked stands on the screen: verdict and charts, before, during and after a run, and few words."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_flows import LONG, SMALL, verdict, visit, whole
from tests.helpers.words import LANGUAGES

pytestmark = pytest.mark.browser
ENGLISH_BY_DAY = [pytest.param(name, marks=() if name == "en" else pytest.mark.nightly) for name in LANGUAGES]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
_BOXES = """() => [...document.querySelectorAll('.ldp-charts .ldp-drawn')].map(e => {
    const box = e.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom].map(Math.round);
})"""
_JUMPS = """() => {
    window.seen = new Set();
    const look = () => {
        const svg = document.querySelector('.ldp-charts .ldp-drawn');
        window.seen.add(svg ? Math.round(svg.getBoundingClientRect().top) : -1);
        window.looks = requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.parametrize("language", ENGLISH_BY_DAY)
def test_both_charts_stand_still_on_a_desktop(page: Page, address: str, language: str) -> None:
    visit(page, f"{address}/audit?{LONG}&lang={language}")
    before = page.evaluate(_BOXES)
    assert len(before) == 2
    for left, top, right, bottom in before:
        assert right - left >= 480
        assert left >= 0 <= top < bottom <= 900
        assert right <= 1280
    assert before[0][1] == before[1][1], "side by side"
    page.evaluate(_JUMPS)
    page.locator(".st-key-run button").click()
    expect(page.locator(".ldp-going + .ldp-charts .point").first).to_be_visible()
    assert page.evaluate(_BOXES) == before
    page.locator(".st-key-cancel_audit button").click()
    verdict(page)
    assert page.evaluate(_BOXES) == before
    assert page.evaluate("[...window.seen]") == [before[0][1]], "in every frame"


@pytest.mark.parametrize("look", [{"viewport": PHONE}])
@pytest.mark.parametrize("language", ENGLISH_BY_DAY)
def test_verdict_and_first_chart_stand_on_a_phone(
    page: Page, address: str, look: dict[str, Any], language: str
) -> None:
    visit(page, f"{address}/audit?{SMALL}&lang={language}")
    page.locator(".st-key-run button").click()
    verdict(page)
    page.wait_for_timeout(2_500)  # for as long a result is brought into view
    line, chart, again = (
        page.locator(part).first.bounding_box() for part in (".ldp-verdict", ".ldp-charts .ldp-drawn", ".st-key-run")
    )
    menu = page.locator(".st-key-menu").bounding_box()
    assert 0 <= line["y"] < chart["y"] + chart["height"] <= menu["y"]
    assert chart["width"] >= 350
    assert abs(again["y"] - line["y"]) <= 844, "the next test is within one screen"


LETTERS_OF_A_WORD = {"en": None, "ja": 2.2}
"""A language without spaces is counted by its letters."""
_TEXTS = """() => {
    const seen = [], walk = document.createTreeWalker(document.querySelector('[data-testid=stApp]'), 4);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const place = node.parentElement;
        if (place.closest('style, script, title, desc, [data-testid=stIconMaterial]')) continue;
        if (place.checkVisibility({visibilityProperty: true}) && node.data.trim()) seen.push(node.data);
    }
    return seen.join(' ');
}"""
"""All text that is laid out, that of charts and of the menu included; names of icons are no words."""
_HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


_FOUND = "a[href*='result.json']"


@dataclass(frozen=True, slots=True)
class Budget:
    """A page: its address, how many words it may have, and where it has a run, its button, result and words then."""

    address: str
    before: int
    button: str = ""
    found: str = ""
    after: int = 0


BUDGETS = {
    "overview": Budget("overview?epsilon=1", 700),
    "audit": Budget("audit?epsilon=1&seed=5&training=none", 180, "run", ".ldp-verdict[data-state]", 320),
    "compare": Budget("compare?epsilons=1,2&trials=1000&seed=5&training=none", 250, "run_compare", _FOUND, 450),
    "check": Budget("check?reports=40000&dimension=8&seed=5", 300, "run", _FOUND, 500),
    "utility": Budget("utility?cost_clients=500&cost_rounds=3&cost_epsilons=4&seed=3", 250, "run_cost", _FOUND, 450),
    "trust": Budget("trust?games=2000&seed=3", 250, "run_trust", _FOUND, 450),
    "shuffled": Budget("trust?whom=shuffled&games=2000&seed=3", 250, "run_trust", _FOUND, 450),
    "central": Budget("central?central_law=1&central_games=400&seed=3", 250, "run_central", _FOUND, 450),
    "reconstruction": Budget("reconstruction?seed=3", 250),
}
"""Address, words before a run, and button, what is found, words after it, as issue 37 has them."""


def words(page: Page, language: str) -> int:
    """Return how many words are laid out on a page."""
    text, letters = page.evaluate(_TEXTS), LETTERS_OF_A_WORD[language]
    return len(text.split()) if letters is None else round(len(re.sub(r"\s", "", text)) / letters)


@pytest.mark.nightly  # by day test_access.py counts those of three pages
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_begins_with_more_words_than_it_may(page: Page, address: str, language: str) -> None:
    found = {}
    for name, budget in BUDGETS.items():
        visit(page, f"{address}/{budget.address}&lang={language}")
        found[name] = words(page, language)
        if name == "overview":
            assert page.evaluate(_HEIGHT) <= 3_200
            page.set_viewport_size(PHONE)
            assert page.evaluate(_HEIGHT) <= 7 * PHONE["height"]
            page.set_viewport_size(DESKTOP)
    assert {name: count for name, count in found.items() if count > BUDGETS[name].before} == {}
    assert all(count > 40 for count in found.values()), "and the words were there"


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name, budget in BUDGETS.items() if budget.button])
def test_no_result_adds_more_words_than_it_may(page: Page, address: str, name: str) -> None:
    budget = BUDGETS[name]
    visit(page, f"{address}/{budget.address}&lang=en")
    page.locator(f".st-key-{budget.button} button").click()
    expect(page.locator(budget.found).first).to_be_attached()
    whole(page)
    for language in reversed(LANGUAGES):  # the same run, first in the other language
        visit(page, re.sub(r"([?&])lang=\w+", rf"\1lang={language}", page.url))
        expect(page.locator(budget.found).first).to_be_attached()
        assert words(page, language) <= budget.after, language
