"""Presenting: arrow keys go from part to part, a class guesses by a show of hands, and the end brings the menu back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_flows import visit
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser


def test_a_class_plays_and_arrow_keys_go_through_the_story(page: Page, address: str) -> None:
    visit(page, f"{address}/?present=1")
    expect(page.locator(".st-key-menu")).to_be_hidden()
    hands = [page.get_by_label(t.GAME_HANDS.format(label=label)) for label in t.GAME_LABELS.values()]
    for field, count in zip(hands, ("12", "8"), strict=True):
        field.fill(count)
        field.press("Enter")
    page.get_by_role("button", name=t.GAME_COUNT).click()
    expect(page.get_by_text(t.GAME_CLASS)).to_be_visible()
    expect(page.locator(".ldp-sees")).to_contain_text("of 20 right")
    page.get_by_role("heading", level=1).click()
    heads = page.get_by_role("heading", level=2)
    page.keyboard.press("ArrowRight")
    expect(heads.first).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(heads.nth(1)).to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    expect(heads.first).to_be_in_viewport()
    page.get_by_role("link", name=t.PRESENT_END).click()
    expect(page.locator(".st-key-menu")).to_be_visible()
    expect(page.get_by_role("button", name=t.GAME_COUNT)).to_have_count(0)
