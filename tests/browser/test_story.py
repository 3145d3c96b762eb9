"""The overview's story in a real Chromium: walked to its end, played by keyboard, on a phone too."""

import re

import pytest
from playwright.sync_api import Page, expect

from ldp_core import illustrate
from pages.overview.story import game
from tests.browser.test_flows import ready, visit
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_story_is_walked(page: Page, address: str) -> None:
    visit(page, address)
    row = page.locator(".ldp-path").first
    page.get_by_role("radio", name="8", exact=True).click()
    expect(row.get_by_alt_text(t.DEVICE_IMAGE_ALT.format(label=8))).to_be_visible()
    report = row.get_by_alt_text(t.DEVICE_REPORT_ALT.format(count="10,650"))
    before = report.get_attribute("src")
    press(page, t.DEVICE_AGAIN)
    expect(report).not_to_have_attribute("src", str(before))

    press(page, t.RANDOMIZER_MANY)
    expect(page.get_by_text(re.compile(r"^\d+ of 210 reports fall"))).to_be_visible()
    page.get_by_text(t.RANDOMIZER_MORE, exact=True).click()
    page.get_by_role("slider", name=t.EPSILON).press("ArrowRight")
    expect(page.get_by_text("in the long run, 81.76 of 100.")).to_be_visible()
    expect(page.get_by_text("at most 81.76 times")).to_be_visible()
    expect(page).to_have_url(re.compile("epsilon=1.5"))

    press(page, t.GAME_MANY)
    expect(page.get_by_text(re.compile(r"In 1,000 guesses the best attacker was right in \d"))).to_be_visible()
    page.get_by_role("tab", name=t.BELIEF_TITLE).click()
    page.get_by_role("slider", name=t.BELIEF_SLIDER).press("End")
    expect(page.get_by_text("95 of 100 sure. After one report: at most 98.84 of 100.")).to_be_visible()
    page.get_by_role("tab", name=t.OVERVIEW_CURVE).click()
    page.get_by_text(t.STORY_FORMULA, exact=True).click()
    expect(page.locator(".katex:visible").first).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    page.get_by_role("link", name=t.NAV_AUDIT).first.last.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.get_by_text("at most 81.76 times")).to_be_visible()


@pytest.mark.nightly
def test_game_is_played_by_keyboard_alone(page: Page, address: str) -> None:
    """One press a guess: the next report comes by itself, and the focus stays where it is."""
    visit(page, address)

    def step(key: str, most: int, name: str) -> None:
        for _ in range(most):
            page.keyboard.press(key)
            if page.evaluate("document.activeElement.innerText") == name:
                return
        raise AssertionError(f"{name} is not within {most} times {key}")

    step("Tab", 200, t.GAME_GUESS["A"])
    for number, played in enumerate(illustrate.play(1.0, 2, game._FIRST_SEED), start=1):
        expect(page.get_by_text(t.GAME_ROUND.format(number=number, total=game.ROUNDS), exact=True)).to_be_visible()
        page.keyboard.press("Enter")
        said = t.GAME_RESULT["right" if played.sent == "A" else "wrong"]
        result = said.format(number=number, sent=t.GAME_LABELS[played.sent])
        expect(page.get_by_role("status").get_by_text(result)).to_be_visible()
        ready(page)
        assert page.evaluate("document.activeElement.innerText") == t.GAME_GUESS["A"], "the focus stays"


@pytest.mark.nightly
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
