"""What a client has set stays set, whatever the browser still says, and goes back with the browser's history."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.line import Line
from tests.browser.test_flows import LONG, SMALL, progress, ready, run, verdict, visit, whole
from tests.browser.test_flows import attack as attack_list
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser


def click_4(page: Page) -> None:
    page.get_by_role("button", name="4", exact=True).click()


def slide_to_4(page: Page) -> None:
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("slider").press("ArrowRight")


def stop(page: Page) -> None:
    page.locator(".st-key-cancel_audit button").click()


def shows(page: Page, epsilon: str) -> None:
    expect(page.locator(".ldp-hand output").first).to_have_text(epsilon)


@pytest.mark.nightly
def test_field_that_can_be_empty_keeps_its_value_where_the_device_is_slow(page: Page, address: str) -> None:
    line, device = Line(page), page.context.new_cdp_session(page)
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    progress(page)
    guess = page.get_by_role("textbox", name=t.EXPECT)
    guess.fill("70")
    line.next_ask(partial(guess.press, "Enter"))
    line.hold()
    line.next_ask(page.get_by_role("link", name=t.NAV_OVERVIEW).first.click)
    line.next_ask(partial(slide_to_4, page))  # on a page that the server has left: it is not heard
    line.next_ask(partial(click_4, page))  # draws the page twice, of which the device shows the second
    page.wait_for_timeout(1500)
    device.send("Emulation.setCPUThrottlingRate", {"rate": 20})
    line.let()
    expect(page).to_have_url(re.compile("(?=.*epsilon=4)(?=.*job=)"))
    shows(page, "4")
    device.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    progress(page)
    page.get_by_role("button", name="1", exact=True).click()
    expect(page).to_have_url(re.compile(r"^(?!.*epsilon=).*seed=5"))
    expect(guess).to_have_value("70")
    stop(page)
    verdict(page)


def pick_attack(page: Page, attack: str) -> None:
    """Choose an attack in the folded list."""
    attack_list(page).click()
    page.get_by_role("option", name=re.compile(re.escape(t.ATTACKS[attack].title))).click()
    expect(attack_list(page)).to_have_value(re.compile(re.escape(t.ATTACKS[attack].title)))


def test_back_and_forward_undo_and_redo_what_was_set(page: Page, address: str) -> None:
    def attack(name: str) -> None:
        expect(attack_list(page)).to_have_value(re.compile(re.escape(t.ATTACKS[name].title)))

    visit(page, f"{address}/audit?{SMALL}")
    click_4(page)
    expect(page).to_have_url(re.compile("epsilon=4"))
    pick_attack(page, "benign")
    expect(page).to_have_url(re.compile("attack=benign"))
    for back, epsilon, name in (
        (True, "4", "dummy"),
        (True, "1", "dummy"),
        (False, "4", "dummy"),
        (False, "4", "benign"),
    ):
        page.go_back() if back else page.go_forward()
        attack(name)
        shows(page, epsilon)
        ready(page)
    whole(page)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_number_is_read_as_it_was_meant_or_nothing_is_run(page: Page, address: str, language: str) -> None:
    w = LANGUAGES[language]
    visit(page, f"{address}/audit?{SMALL}&lang={language}")
    page.get_by_role("button", name=w.ADVANCED, exact=True).click()
    field = page.get_by_role("textbox", name=w.EPSILON_EXACT)
    button = page.get_by_role("button", name=w.RUN, exact=True)
    for typed, epsilon in (("0,5", "0.5"), ("４", "4")):
        field.fill(typed)
        field.press("Enter")
        expect(page).to_have_url(re.compile(rf"epsilon={re.escape(epsilon)}(&|$)"))
        expect(button).to_be_enabled()
        expect(field).to_have_value(typed)
    for typed in ("50", "", "1,000"):
        field.fill(typed)
        field.press("Enter")
        expect(page.get_by_test_id("stAlert").filter(has_text=typed or w.EPSILON_EXACT)).to_be_visible()
        expect(button).to_be_disabled()
        expect(field).to_have_value(typed)
    field.fill("3")
    field.press("Enter")
    expect(button).to_be_enabled()
    expect(page).to_have_url(re.compile(r"epsilon=3(&|$)"))
