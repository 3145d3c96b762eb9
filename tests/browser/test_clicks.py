"""What is clicked counts, at the speed of a human: no request is held back or put in order for it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.line import Line
from tests.browser.test_flows import LONG, SMALL, progress, stop_button, verdict, visit, whole
from tests.helpers.patience import until
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
GAPS = (50, 100, 200)
"""Milliseconds between the press and the link: a fast hand, a usual one, a slow one."""
FEW, SOME, MANY = 1, 4, 30
HOLD = 60
"""Milliseconds for which a hand keeps the mouse pressed."""


def middle(part: Locator) -> tuple[float, float]:
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Page, part: Locator, takes: Line | None = None) -> None:
    """Press and release; where the press ``takes`` a typed value, release once the server has begun with that."""
    page.mouse.move(*middle(part))
    if takes is None:
        page.mouse.down()
        page.wait_for_timeout(HOLD)
    else:
        takes.next_answer(page.mouse.down)
    page.mouse.up()


def press_and_leave(page: Page, part: Locator, gap: int, takes: Line | None = None) -> None:
    """Press what is there with the mouse, and follow a link so much later."""
    click(page, part, takes)
    page.wait_for_timeout(gap)
    click(page, page.get_by_role("link", name=t.NAV_OVERVIEW).first)
    has_left(page)


def type_and_leave(page: Page, field: Locator, gap: int, typed: str, line: Line) -> None:
    """Type a value, and follow a link so much later."""
    click(page, field)
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(typed)
    page.wait_for_timeout(gap)
    click(page, page.get_by_role("link", name=t.NAV_OVERVIEW).first, line)
    has_left(page)


def has_left(page: Page) -> None:
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    expect(page).not_to_have_url(re.compile("/audit"))


def back(page: Page) -> None:
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)


def runs(page: Page) -> int:
    """Return how many runs this session began."""
    page.get_by_role("link", name=t.NAV_COMPARE, exact=True).first.click()
    expect(page.locator("h1")).to_have_text(t.COMPARE_TITLE)
    whole(page)
    page.locator("summary").filter(has_text=t.RUNS_TITLE).click()
    expect(page.get_by_role("region", name=t.RUNS_TITLE)).to_be_visible()
    return page.get_by_role("region", name=t.RUNS_TITLE).get_by_role("row").count() - 1


def press_run_with_a_value_just_typed(page: Page, address: str, gap: int) -> None:
    """The button is pressed in the moment in which the page hears of the value, before it is drawn with that."""
    line = Line(page)
    visit(page, f"{address}/audit?{SMALL}")
    page.get_by_role("button", name=t.ADVANCED, exact=True).click()
    field = page.get_by_role("textbox", name=t.EPSILON_EXACT)
    middle(field)
    field.fill("4")
    press_and_leave(page, page.get_by_role("button", name=t.RUN, exact=True), gap, line)
    back(page)
    verdict(page)
    expect(page).to_have_url(re.compile(r"epsilon=4\b"))
    assert runs(page) == 1


def press_stop(page: Page, address: str, gap: int) -> None:
    visit(page, f"{address}/audit?{LONG}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    progress(page)
    whole(page)
    press_and_leave(page, stop_button(page), gap)
    back(page)
    assert "Stopped after" in verdict(page)


def type_during_a_run(page: Page, address: str, gap: int) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{LONG}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    progress(page)
    whole(page)
    page.get_by_role("button", name=t.ADVANCED, exact=True).click()
    field = page.locator("[class*=st-key-trials] input")
    type_and_leave(page, field, gap, "3000", line)
    back(page)
    expect(page).to_have_url(re.compile("trials=3000"))
    page.get_by_role("button", name=t.ADVANCED, exact=True).click()
    expect(field).to_have_value("3000")
    page.keyboard.press("Escape")
    progress(page)
    stop_button(page).click()
    verdict(page)


ACTS = (press_run_with_a_value_just_typed, press_stop, type_during_a_run)

CASES = [
    (press_run_with_a_value_just_typed, GAPS[0], FEW),
    *(pytest.param(act, gap, SOME, marks=pytest.mark.nightly) for act in ACTS for gap in GAPS),
    *(pytest.param(act, gap, MANY, marks=pytest.mark.soak) for act in ACTS for gap in GAPS),
]
"""What is done, the gap, and how often: by day what asks most, by the fastest hand, once."""


@pytest.mark.parametrize(("act", "gap", "times"), CASES)
def test_press_and_leave(page: Page, address: str, act: Callable[[Page, str, int], None], gap: int, times: int) -> None:
    for _ in range(times):
        act(page, address, gap)


@pytest.mark.nightly
def test_a_run_goes_on_without_a_request_of_its_own_and_no_value_reverts(page: Page, address: str) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{LONG}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    before = progress(page)
    whole(page)
    asked = line.asks
    page.wait_for_timeout(3_000)
    until(lambda: page.wait_for_timeout(50) or progress(page) > before)
    expect(page.locator(".ldp-going + .ldp-charts .point").first).to_be_visible()
    assert (line.asks, line.ticks) == (asked, 0), "the page asks for nothing by itself"
    slider = page.get_by_role("slider")
    for _ in range(3):
        page.keyboard.down("Shift")
        page.keyboard.up("Shift")
        slider.press("ArrowRight")
    expect(page.locator(".ldp-hand output").first).to_have_text("3")
    page.wait_for_timeout(1_000)
    expect(page.locator(".ldp-hand output").first).to_have_text("3")
    page.get_by_role("link", name=t.NAV_OVERVIEW).first.click()
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    expect(page).to_have_url(re.compile(r"epsilon=3\b"))
    back(page)
    expect(page.locator(".ldp-hand output").first).to_have_text("3")
    assert progress(page) > before
    stop_button(page).click()
    assert "Stopped after" in verdict(page)


def test_a_page_is_drawn_once_when_its_run_ends_and_its_stream_is_closed(page: Page, address: str) -> None:
    line, streams, closed = Line(page), list[str](), list[str]()
    for event, seen in (("request", streams), ("requestfinished", closed), ("requestfailed", closed)):
        page.on(event, lambda one, seen=seen: seen.append(one.url) if "/events?" in one.url else None)
    visit(page, f"{address}/audit?{SMALL.replace('2000', '12000')}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    expect(page.locator(".ldp-going")).to_be_visible()
    whole(page)
    asked = line.asks
    verdict(page)
    page.wait_for_timeout(1_500)
    assert line.asks == asked + 1
    assert line.ticks == 0
    assert len(streams) == len(closed) == 1
