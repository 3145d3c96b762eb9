"""The overview's story in a real Chromium: walked to its end, played by keyboard, on a phone too."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from ldp_core import illustrate
from pages.overview.story import game
from tests.browser.test_flows import _fits, ready, visit
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_story_is_walked(page: Page, address: str) -> None:
    visit(page, address)
    row = page.locator(".ldp-path").first
    expect(row.get_by_alt_text(t.DEVICE_IMAGE_ALT.format(label=3))).to_be_visible()
    page.get_by_role("radio", name="8", exact=True).click()
    expect(row.get_by_alt_text(t.DEVICE_IMAGE_ALT.format(label=8))).to_be_visible()
    report = row.get_by_alt_text(t.DEVICE_REPORT_ALT.format(count="10,650"))
    before = report.get_attribute("src")
    press(page, t.DEVICE_AGAIN)
    expect(report).not_to_have_attribute("src", str(before))
    for text in t.DEVICE_ZONES:
        expect(row.get_by_text(text, exact=True)).to_be_visible()

    expect(page.get_by_text("7 of 10 reports fall on your update's side")).to_be_visible()
    press(page, t.RANDOMIZER_ONE)
    expect(page.get_by_text(re.compile(r"^\d of 11 reports fall"))).to_be_visible()
    press(page, t.RANDOMIZER_MANY)
    expect(page.get_by_text(re.compile(r"^\d+ of 211 reports fall"))).to_be_visible()
    page.get_by_text(t.RANDOMIZER_MORE).click()
    page.get_by_role("slider", name=t.RANDOMIZER_LENGTH).press("ArrowLeft")
    expect(page.get_by_text("In the long run it is 72 of 100.")).to_be_visible()
    page.get_by_role("slider", name=t.EPSILON).nth(1).press("ArrowRight")
    expect(page.get_by_text("In the long run it is 80 of 100.")).to_be_visible()
    expect(page.get_by_text("at most 82 times")).to_be_visible()
    expect(page).to_have_url(re.compile("epsilon=1.5"))
    page.get_by_text(t.RANDOMIZER_SPHERE).click()
    expect(page.locator(".st-key-chart_sphere canvas").first).to_be_attached()
    press(page, t.RANDOMIZER_RESET)
    expect(page.get_by_text("No report is made yet.")).to_be_visible()

    press(page, t.GAME_MANY)
    expect(page.get_by_text(re.compile(r"In 1,000 guesses the best attacker was right in \d"))).to_be_visible()
    page.get_by_role("slider", name=t.BELIEF_SLIDER).press("End")
    expect(page.get_by_text("95 of 100 sure. After one report: at most 98.8 %.")).to_be_visible()
    expect(page.get_by_role("region", name=t.VALUES_TITLE).get_by_text("99.97 %")).to_be_visible()
    page.get_by_text(t.STORY_FORMULA, exact=True).click()
    expect(page.locator(".katex:visible").first).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    page.get_by_role("link", name=t.NAV_AUDIT).first.last.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.get_by_text("at most 82 times")).to_be_visible()


def test_words_at_a_slider_s_ends_stand_alone(page: Page, address: str) -> None:
    """Streamlit writes the first and the last value there while the pointer is over the slider."""
    visit(page, address)
    for number in range(2):
        slider = page.get_by_test_id("stSlider").filter(has=page.get_by_role("slider", name=t.EPSILON)).nth(number)
        slider.hover()
        expect(slider.get_by_test_id("stSliderTickBar")).to_be_hidden()
    expect(page.get_by_text(t.EPSILON_ENDS[0], exact=True)).to_have_count(2)


def test_a_curve_tells_the_point_under_the_pointer(page: Page, address: str) -> None:
    visit(page, address)
    told = page.get_by_text("ε = 4: at most 98.2 %")
    expect(told).to_be_hidden()
    page.locator(".ldp-hit").nth(5).hover()  # the sixth of 0.1, 0.25, 0.5, 1, 2, 4, 8
    expect(told).to_be_visible()


@pytest.mark.parametrize("number_played", [2, pytest.param(game.ROUNDS, marks=pytest.mark.nightly)])
def test_game_is_played_by_keyboard_alone(page: Page, address: str, number_played: int) -> None:
    """From a guess the button that leads on is at most two steps of Tab away, and back; by night to the game's end."""
    visit(page, address)
    rounds = illustrate.play(1.0, game.ROUNDS, game._FIRST_SEED)

    def step(key: str, most: int, name: str) -> None:
        for _ in range(most):
            page.keyboard.press(key)
            if page.evaluate("document.activeElement.innerText") == name:
                return
        raise AssertionError(f"{name} is not within {most} times {key}")

    step("Tab", 200, t.GAME_GUESS["A"])
    for number, played in enumerate(rounds[:number_played], start=1):
        expect(page.get_by_text(t.GAME_ROUND.format(number=number, total=game.ROUNDS), exact=True)).to_be_visible()
        page.keyboard.press("Enter")
        result = t.GAME_RESULT["right" if played.sent == "A" else "wrong"].format(sent=played.sent)
        expect(page.get_by_role("status").get_by_text(result)).to_be_visible()
        ready(page)
        if number < game.ROUNDS:
            step("Tab", 2, t.GAME_NEXT)
            page.keyboard.press("Enter")
            expect(page.get_by_text(result)).to_have_count(0)
            ready(page)
            step("Shift+Tab", 2, t.GAME_GUESS["A"])
    if number_played < game.ROUNDS:
        return
    you = sum(played.sent == "A" for played in rounds)
    best = sum(played.attacker == played.sent for played in rounds)
    expect(page.get_by_text(f"You were right {you} times of 10, the best attacker {best} times.")).to_be_visible()
    step("Tab", 2, t.GAME_AGAIN)
    page.keyboard.press("Enter")
    expect(page.get_by_text(t.GAME_ROUND.format(number=1, total=game.ROUNDS), exact=True)).to_be_visible()


@pytest.mark.nightly
def test_phone_has_room_for_the_story(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, f"{address}/?epsilon=8")
    expect(page.locator(".ldp-drawn")).to_have_count(6)
    _fits(page)
    press(page, t.RANDOMIZER_MANY)
    page.get_by_text(t.RANDOMIZER_SPHERE).click()
    press(page, t.GAME_GUESS["B"])
    expect(page.get_by_role("button", name=t.GAME_NEXT)).to_be_enabled()
    for fold in page.locator("[data-testid=stExpander] summary").all():
        fold.click()
    ready(page)
    _fits(page)


@pytest.mark.nightly  # by day tests/browser/test_offline.py shows one
def test_own_picture_is_shown_with_its_update(page: Page, address: str) -> None:
    visit(page, address)
    page.get_by_text(t.GLIMPSE_TITLE).click()
    content = io.BytesIO()
    Image.linear_gradient("L").save(content, "PNG")
    picture = {"name": "mine.png", "mimeType": "image/png", "buffer": content.getvalue()}
    page.locator("input[type=file]").set_input_files(picture)
    press(page, t.GLIMPSE_START)
    expect(page.locator(".ldp-path").nth(1).get_by_alt_text(re.compile("^Your own picture"))).to_be_visible()
    expect(page.get_by_text(re.compile("^The model takes it for"))).to_be_visible()
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    ready(page)
    expect(page.locator(".ldp-path")).to_have_count(1)
