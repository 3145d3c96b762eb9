"""What was asked stands on the screen: the verdict and both charts, before, during and after a run."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_flows import LONG, SMALL, verdict, visit, whole
from tests.helpers.words import LANGUAGES

pytestmark = pytest.mark.browser
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


@pytest.mark.parametrize("language", LANGUAGES)
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
    page.locator(".st-key-cancel button").click()
    verdict(page)
    assert page.evaluate(_BOXES) == before
    assert page.evaluate("[...window.seen]") == [before[0][1]], "in every frame"


@pytest.mark.parametrize("look", [{"viewport": PHONE}])
@pytest.mark.parametrize("language", LANGUAGES)
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
    assert line is not None
    assert chart is not None
    assert again is not None
    assert menu is not None
    assert 0 <= line["y"] < chart["y"] + chart["height"] <= menu["y"]
    assert chart["width"] >= 350
    assert abs(again["y"] - line["y"]) <= 844, "the next test is within one screen"


def test_an_earlier_run_stays_as_a_faint_point(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    page.locator(".st-key-run button").click()
    verdict(page)
    expect(page.locator(".ldp-charts .earlier")).to_have_count(0)
    page.get_by_role("button", name="2", exact=True).click()
    whole(page)
    page.locator(".st-key-run button").click()
    expect(page.locator(".ldp-charts .earlier")).to_have_count(2)
    expect(page.locator(".ldp-charts .point")).to_have_count(2)
    page.locator(".ldp-charts .earlier + .ldp-hit").first.hover()
    expect(page.locator(".ldp-tip text").filter(has_text="made-up update, ε = 1: ").first).to_be_visible()
