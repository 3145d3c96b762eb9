"""Every page for everyone: axe-core's findings, both themes, both languages, a phone, the keyboard, and no motion."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ldp_core.words import Words
from tests.browser.test_flows import ended, ready, visit, whole
from tests.browser.test_in_sight import BUDGETS, words
from tests.helpers.access import faint, grave, sideways, without_words
from tests.helpers.words import LANGUAGES

pytestmark = pytest.mark.browser
PATHS = {
    "overview": "overview?epsilon=1",
    "audit": "audit?training=none&attack=dummy&trials=2000&measurements=2&seed=5",
    "compare": "compare?training=none&attacks=benign,dummy&epsilons=1,2&trials=400&measurements=2&seed=5"
    "&tests=white,black&datasets=digits",
    "check": "check?reports=40000&dimension=8&seed=5",
    "check-files": "check?way=files&reports=40000&dimension=8",
}
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
WALKS = [
    pytest.param({"color_scheme": theme, "viewport": size, "reduced_motion": "reduce"}, LANGUAGES[language], id=name)
    for name, theme, size, language in (
        ("light-desktop-en", "light", DESKTOP, "en"),
        ("light-phone-ja", "light", PHONE, "ja"),
        ("dark-desktop-ja", "dark", DESKTOP, "ja"),
        ("dark-phone-en", "dark", PHONE, "en"),
    )
]
"""Each theme with each size and each language, and each size with each language; nothing moves while axe looks."""
_UNFOLDED = """() => {
    const shut = [...document.querySelectorAll('[data-testid=stExpander] details:not([open]) > summary')];
    const now = performance.now(), long = e => now - (e.dataset.pressed ?? -1e9) > 1500;
    shut.filter(long).forEach(e => { e.dataset.pressed = now; e.click(); });
    return shut.length === 0;
}"""
"""Presses every fold that is shut, and leaves it time to open; one that a redrawn page has shut is pressed again."""


def check(page: Page) -> None:
    whole(page)
    found = grave(page)
    for seconds in (0.5, 0.5, 1, 2, 4, 8, 16):  # a part just drawn anew is faint for a moment; only what stays counts
        if not found:
            break
        page.wait_for_timeout(1000 * seconds)
        whole(page)
        found = grave(page)
    assert found == []
    assert faint(page) == []
    assert without_words(page) == []
    assert sideways(page) == [0, 0]


def unfold(page: Page) -> None:
    whole(page)
    page.wait_for_function(_UNFOLDED)
    whole(page)


def press(page: Page, key: str) -> None:
    """Press the button with a key of ours."""
    page.locator(f".st-key-{key} button").click()


@pytest.mark.parametrize("look", [{"color_scheme": "light", "viewport": DESKTOP}])
def test_no_page_begins_with_a_serious_finding(page: Page, address: str, look: dict[str, Any]) -> None:
    """Before anything is unfolded or run, by day three pages, whose words are counted too; by night the walk below."""
    for budget in (BUDGETS[name] for name in ("overview", "audit", "compare")):
        visit(page, f"{address}/{budget.address}&lang=en")
        assert 40 < words(page, "en") <= budget.before, budget.address
        check(page)


@pytest.mark.nightly
@pytest.mark.parametrize(("look", "t"), WALKS)
def test_no_page_has_a_serious_finding(page: Page, address: str, t: Words) -> None:
    language = f"&lang={next(name for name, words in LANGUAGES.items() if words is t)}"
    visit(page, f"{address}/{PATHS['overview']}{language}")
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    unfold(page)
    press(page, "story_guess_A")
    press(page, "story_many")
    check(page)

    visit(page, f"{address}/{PATHS['audit']}{language}")
    unfold(page)
    check(page)
    press(page, "run")
    expect(page.locator(".ldp-verdict[data-state]")).to_be_visible()
    ended(page)
    unfold(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
        check(page)

    visit(page, f"{address}/{PATHS['compare']}{language}")
    unfold(page)
    check(page)
    press(page, "run_compare")
    expect(page.locator("[class*=st-key-found_]")).to_be_visible()
    ended(page)
    for section in page.locator(".st-key-section [role=radio]").all():
        section.click()
        ready(page)
        unfold(page)
        check(page)

    visit(page, f"{address}/{PATHS['check-files']}{language}")
    press(page, "make")
    expect(page.get_by_test_id("stLinkButton")).to_have_count(2)
    unfold(page)
    check(page)

    visit(page, f"{address}/{PATHS['check']}{language}")
    unfold(page)
    check(page)
    press(page, "run")
    expect(page.locator("[class*=st-key-check_]")).to_be_visible()
    ended(page)
    unfold(page)
    check(page)


@pytest.mark.nightly
def test_a_fault_is_caught(page: Page, address: str) -> None:
    visit(page, f"{address}/{PATHS['overview']}")
    check(page)
    page.evaluate(
        """() => document.querySelector('.stMain .stVerticalBlock').insertAdjacentHTML('beforeend',
        '<p style="color: #999">pale words</p><img src="data:,"><input><p style="min-width: 3000px">wide')"""
    )
    found = " ".join(grave(page))
    assert all(rule in found for rule in ("color-contrast", "image-alt", "label"))
    assert len(without_words(page)) == 1
    assert max(sideways(page)) > 0
