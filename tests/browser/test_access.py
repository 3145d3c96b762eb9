"""Every page for everyone: axe-core's findings, both themes, both languages, a phone, the keyboard, and no motion."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from ldp_core.words import Words
from tests.browser.access import faint, grave, hexadecimal, sideways, without_words
from tests.browser.test_flows import ended, ready, visit, whole
from tests.helpers.colours import contrast
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
_STOP = """() => {
    const e = document.activeElement, around = [];
    window.stops ??= [];
    if (window.stops.includes(e)) return null;
    window.stops.push(e);
    for (let at = e; at && around.length < 5; at = at.parentElement) around.push(getComputedStyle(at));
    const ring = around.find(s => s.outlineStyle === 'solid' && parseFloat(s.outlineWidth) >= 2);
    return [e === document.body ? 'rgb(0, 0, 0)' : ring ? ring.outlineColor : '', e.outerHTML.slice(0, 200)];
}"""
"""Where Tab has come to: the colour of its ring and what it is; null once it comes round."""
_MISSED = """() => {
    const group = e => e.closest('[role=radiogroup], [role=tablist]') ?? e, reached = new Set(window.stops.map(group));
    return [...document.querySelectorAll('a[href], button, input, textarea, summary, [tabindex="0"]')].filter(
        e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.tabIndex >= 0
        && !e.closest('[inert], [aria-hidden=true]') && !reached.has(group(e))).map(e => e.outerHTML.slice(0, 200));
}"""
"""Controls that Tab did not come to; within a group the arrow keys lead on."""
_UPWARDS = """() => window.stops.filter((e, at, all) => at && e !== document.body && all[at - 1] !== document.body
    && e.compareDocumentPosition(all[at - 1]) & Node.DOCUMENT_POSITION_FOLLOWING).map(e => e.outerHTML.slice(0, 200))"""
"""Stops that lie above the one before."""
_MOVING = """() => [...document.querySelectorAll('*')].filter(e => {
    const s = getComputedStyle(e);
    return s.animationName !== 'none' || s.transitionDuration.split(', ').some(d => parseFloat(d) > 0);
}).length"""
_HEIGHTS = """async summary => {
    const found = new Set(), end = performance.now() + 400;
    summary.click();
    while (performance.now() < end) {
        await new Promise(requestAnimationFrame);
        found.add(summary.parentElement.offsetHeight);
    }
    return found.size;
}"""
"""How many heights a fold takes on its way from shut to open."""


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


@pytest.mark.parametrize(
    "look",
    [
        {"color_scheme": "light", "viewport": DESKTOP},
        pytest.param({"color_scheme": "dark", "viewport": PHONE}, marks=pytest.mark.nightly),
    ],
)
def test_no_page_begins_with_a_serious_finding(page: Page, address: str, look: dict[str, Any]) -> None:
    """Before anything is unfolded or run, by day three pages; by night the walk below."""
    language = "&lang=ja" if look["viewport"] == PHONE else ""
    by_day = ("overview", "audit", "compare")
    for name in by_day if look["viewport"] == DESKTOP else PATHS:
        visit(page, f"{address}/{PATHS[name]}{language}")
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
    expect(page.locator("[class*=st-key-verdict_]")).to_be_visible()
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


@pytest.mark.nightly
@pytest.mark.parametrize("look", [{"color_scheme": "light"}])
def test_theme_is_switched_on_screen_and_no_key_clears_the_runs(page: Page, address: str) -> None:
    visit(page, f"{address}/{PATHS['overview']}")
    app, note = page.get_by_test_id("stApp"), page.locator(".ldp-drawn text").first
    colour = "e => getComputedStyle(e).backgroundColor", "e => getComputedStyle(e).fill"
    light = app.evaluate(colour[0]), note.evaluate(colour[1])
    page.get_by_test_id("stMainMenuButton").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(app).not_to_have_css("background-color", light[0])
    page.keyboard.press("Escape")
    for _ in range(2):
        assert contrast(hexadecimal(app.evaluate(colour[0])), "#ffffff") > 15
        assert contrast(hexadecimal(note.evaluate(colour[1])), "#000000") > 12
        page.reload()  # what was chosen stays
        expect(page.locator("h1")).to_be_visible()
        ready(page)
        expect(note).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "look", [{"reduced_motion": "reduce"}, pytest.param({"reduced_motion": "no-preference"}, marks=pytest.mark.nightly)]
)
def test_nothing_moves_where_motion_is_unwanted(page: Page, address: str, look: dict[str, Any]) -> None:
    visit(page, f"{address}/{PATHS['overview']}")
    still = look["reduced_motion"] == "reduce"
    assert (page.evaluate(_MOVING) == 0) == still
    assert (page.locator("[data-testid=stExpander] summary").first.evaluate(_HEIGHTS) <= 2) == still
    visit(page, f"{address}/{PATHS['audit']}")
    durations = "() => [...document.querySelectorAll('.js-plotly-plot')].map(e => e.layout.transition?.duration ?? 0)"
    assert set(page.evaluate(durations)) == {0}


@pytest.mark.nightly
@pytest.mark.parametrize("look", [{"reduced_motion": "reduce"}])  # what shows on focus shows at once
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "audit" else pytest.mark.nightly) for name in PATHS]
)
def test_tab_goes_down_the_page_and_shows_where_it_is(page: Page, address: str, name: str) -> None:
    visit(page, f"{address}/{PATHS[name]}")
    unfold(page)
    page.locator("h1").click()
    page.evaluate("() => { document.activeElement.blur(); getSelection().removeAllRanges(); }")
    faint = []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop = page.evaluate(_STOP)
        if stop is None:
            break
        ring, what = stop
        if not ring or contrast(hexadecimal(ring), "#ffffff") < 3:
            faint.append(what)
    assert stop is None
    assert faint == []
    assert page.evaluate(_MISSED) == []
    assert len(page.evaluate(_UPWARDS)) <= 1  # from the end of the page to its top


@pytest.mark.parametrize("look", [{"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2}])
@pytest.mark.nightly
def test_twice_as_large_has_no_sideways_scroll(page: Page, address: str) -> None:
    for path in PATHS.values():
        visit(page, f"{address}/{path}")
        unfold(page)
        assert sideways(page) == [0, 0]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "look", [pytest.param({"color_scheme": "light"}, marks=pytest.mark.nightly), {"color_scheme": "dark"}]
)
def test_right_and_wrong_are_told_apart_in_grey(page: Page, address: str) -> None:
    visit(page, f"{address}/{PATHS['overview']}")
    for picture, right in zip(page.locator(".ldp-arrays img").all(), (50, 73), strict=True):
        grey = Image.open(io.BytesIO(picture.screenshot())).convert("L").resize((200, 200))
        page_tone = max(grey.getcolors(), key=lambda item: item[0])[1]  # type: ignore[type-var, arg-type, return-value]
        full = [
            sum(
                abs(grey.getpixel((x, y)) - page_tone) > 30
                for x in range(left, left + 20)
                for y in range(top, top + 20)
            )  # type: ignore[operator]
            for left in range(0, 200, 20)
            for top in range(0, 200, 20)
        ]
        assert sum(covered > 0.4 * 400 for covered in full) == right  # a dot covers half of its place, a cross a third
