"""What a client has set stays set, whatever the browser still says, and goes back with the browser's history."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.line import Line
from tests.browser.test_flows import LONG, SMALL, progress, ready, run, verdict, visit, whole
from tests.helpers.words import en as t
from tests.helpers.words import ja

pytestmark = pytest.mark.browser


def go(page: Page, name: str, title: str) -> None:
    """Follow a link of the navigation, and wait for its page."""
    page.get_by_role("link", name=name).first.click()
    expect(page.locator("h1")).to_have_text(title)


def click_4(page: Page) -> None:
    page.get_by_role("button", name="4", exact=True).click()


def slide_to_4(page: Page) -> None:
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("slider").press("ArrowRight")


def type_4(page: Page) -> None:
    page.locator("summary").filter(has_text=t.ADVANCED).click()
    page.get_by_role("spinbutton", name=t.EPSILON_EXACT).fill("4")
    page.get_by_role("spinbutton", name=t.EPSILON_EXACT).press("Enter")


def stop(page: Page) -> None:
    page.locator(".st-key-cancel button").click()


def shows(page: Page, epsilon: str) -> None:
    expect(page.get_by_test_id("stSliderThumbValue").first).to_have_text(epsilon)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "way", [click_4, *(pytest.param(way, marks=pytest.mark.nightly) for way in (slide_to_4, type_4))]
)
def test_late_answer_does_not_bring_the_old_epsilon_back(page: Page, address: str, way: Callable[[Page], None]) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    progress(page)
    line.hold()
    line.next_ask(partial(way, page))
    guess = page.get_by_role("spinbutton", name=t.EXPECT)
    guess.fill("70")
    line.next_ask(partial(guess.press, "Enter"))  # says all that the page shows, which was not told of the new value
    line.let()
    shows(page, "4")
    page.get_by_role("link", name=t.NAV_OVERVIEW).first.click()
    expect(page.locator("h4")).to_contain_text("at most 98.2 %")
    expect(page).to_have_url(re.compile(r"epsilon=4\b"))
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    shows(page, "4")
    stop(page)
    verdict(page)


@pytest.mark.nightly  # by day the tests of late answers before and of a last word below
@pytest.mark.parametrize("way", [click_4, slide_to_4])
def test_what_is_set_on_a_page_that_was_just_left_leads_back_to_it(
    page: Page, address: str, way: Callable[[Page], None]
) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    progress(page)
    for act in (way, click_4):  # at the second time nothing is new but the page
        line.hold()
        line.next_ask(page.get_by_role("link", name=t.NAV_OVERVIEW).first.click)
        line.next_ask(partial(act, page))
        line.let()
        expect(page).to_have_url(re.compile("/audit(?=.*seed=5)(?=.*epsilon=4)(?=.*job=)"))
        expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
        shows(page, "4")
        progress(page)
    stop(page)
    verdict(page)


@pytest.mark.nightly
def test_field_that_can_be_empty_keeps_its_value_where_the_device_is_slow(page: Page, address: str) -> None:
    line, device = Line(page), page.context.new_cdp_session(page)
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    progress(page)
    guess = page.get_by_role("spinbutton", name=t.EXPECT)
    guess.fill("70")
    line.next_ask(partial(guess.press, "Enter"))
    line.hold()
    line.next_ask(page.get_by_role("link", name=t.NAV_OVERVIEW).first.click)
    line.next_ask(partial(slide_to_4, page))  # draws the page twice, of which the device shows the second
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


@pytest.mark.nightly
def test_late_answer_does_not_undo_the_settings_of_a_result(page: Page, address: str) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    progress(page)
    prepared = page.get_by_role("button", name=t.PREPARED_SHOW)
    expect(prepared).to_be_visible()  # what is drawn after the hold never comes
    line.hold()
    line.next_ask(prepared.click)
    line.next_ask(partial(slide_to_4, page))
    line.let()
    expect(page.locator(".st-key-prepared_note")).to_be_visible()
    go(page, t.NAV_OVERVIEW, t.OVERVIEW_TITLE)
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    shows(page, "4")  # what was set while the example was asked for stays
    expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS["dummy"].title)


def pick_attack(page: Page, attack: str) -> None:
    """Choose an attack in the folded list."""
    page.locator(".st-key-attacks summary").click()
    page.locator(".st-key-attacks label").filter(has_text=t.ATTACKS[attack].title).first.click()
    expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS[attack].title)


@pytest.mark.nightly
def test_last_word_counts_also_of_a_widget_that_is_being_replaced(page: Page, address: str) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{SMALL}&epsilon=2")
    line.hold()
    line.next_ask(partial(click_4, page))
    line.next_ask(partial(page.get_by_role("slider").press, "ArrowLeft"))
    line.let()
    shows(page, "1.5")
    expect(page).to_have_url(re.compile(r"epsilon=1\.5"))


def test_settings_are_shown_on_the_next_page_and_can_be_emptied(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}&strength=2")
    field = page.locator("[class*=st-key-seed] input")
    for name, title in ((t.NAV_COMPARE, t.COMPARE_TITLE), (t.NAV_AUDIT, t.AUDIT_TITLE)):
        go(page, name, title)
        whole(page)
        expect(field).to_have_value("5")
        expect(page).to_have_url(re.compile("seed=5"))
    page.locator("summary").filter(has_text=t.ADVANCED).click()
    field.fill("")
    field.press("Enter")
    expect(page).not_to_have_url(re.compile("seed="))
    expect(page).to_have_url(re.compile("strength=2"))
    page.locator(".st-key-papers button").first.click()
    shows(page, "0.5")
    expect(field).to_have_value("")
    pick_attack(page, "benign")
    expect(page).not_to_have_url(re.compile("strength="))  # no longer shown


def test_back_and_forward_undo_and_redo_what_was_set(page: Page, address: str) -> None:
    def attack(name: str) -> None:
        expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS[name].title)

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


@pytest.mark.nightly
def test_back_from_a_result_shows_the_settings_again(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    run(page)
    verdict(page)
    page.go_back()
    expect(page.locator("[class*=st-key-verdict_]")).to_have_count(0)
    page.go_forward()
    verdict(page)


@pytest.mark.nightly
def test_back_from_the_other_language(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    page.locator(".st-key-other_language a").click()
    expect(page.locator("h1")).to_have_text(ja.AUDIT_TITLE)
    ready(page)
    page.go_back()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    page.go_forward()
    expect(page.locator("h1")).to_have_text(ja.AUDIT_TITLE)


@pytest.mark.nightly
def test_each_step_back_over_pages_shows_what_was_set(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}&epsilon=4&lang=ja")
    start = page.url
    for name, title in ((ja.NAV_OVERVIEW, ja.OVERVIEW_TITLE), (ja.NAV_COMPARE, ja.COMPARE_TITLE)):
        go(page, name, title)
        expect(page).to_have_url(re.compile("lang=ja"))
        whole(page)
    titles = [ja.COMPARE_TITLE]
    for _ in range(8):
        page.go_back()
        page.wait_for_timeout(500)
        whole(page)
        titles.append(page.locator("h1").inner_text())
        assert "lang=ja" in page.url
        if titles[-1] != ja.COMPARE_TITLE:
            shows(page, "4")
        if page.url == start:
            break
    assert list(dict.fromkeys(titles)) == [ja.COMPARE_TITLE, ja.OVERVIEW_TITLE, ja.AUDIT_TITLE]
    expect(page.locator(".st-key-attack_chosen")).to_contain_text(ja.ATTACKS["dummy"].title)
    expect(page).to_have_url(start)


@pytest.mark.nightly
def test_back_does_not_hand_a_page_s_defaults_to_another(page: Page, address: str) -> None:
    visit(page, f"{address}/compare")
    page.locator("summary").filter(has_text=t.CMP_SETTINGS).click()
    field = page.locator("[class*=st-key-trials] input")
    field.fill("5000")
    field.press("Enter")
    expect(page).to_have_url(re.compile("trials=5000"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("trials="))
    ready(page)
    go(page, t.NAV_AUDIT, t.AUDIT_TITLE)
    whole(page)
    expect(field).to_have_value("10000")
