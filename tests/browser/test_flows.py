"""What a visitor does, in a real Chromium against a real server."""

import http.client
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.line import Line
from tests.helpers.patience import PATIENCE, patient
from tests.helpers.server import running_app
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
SMALL = "training=none&attack=dummy&trials=2000&measurements=2&seed=5"
LONG = "training=none&attack=dummy&trials=1000000&measurements=3&seed=5"


_WHOLE = """() => document.querySelector('.stMain hr') && !document.querySelector('[data-testid=stSkeleton]')
    && [...document.querySelectorAll('.stPlotlyChart')].every(e => e.querySelector('.main-svg'))"""
_FITS = """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
    .every(e => e.scrollWidth === e.clientWidth)
    && [...document.querySelectorAll('.stPlotlyChart .annotation-text')].map(e => e.getBoundingClientRect())
    .every(r => r.left >= 0 && r.right <= innerWidth)"""


def ready(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def visit(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator("h1")).to_be_visible()
    whole(page)


def whole(page: Page) -> None:
    """Wait until the page is drawn to its end."""
    ready(page)
    page.wait_for_function(_WHOLE)


def ended(page: Page) -> None:
    """Wait until the run has ended, too: until then the page is drawn anew every second or two."""
    expect(page.locator("[class*=st-key-progress]")).to_have_count(0)
    whole(page)


def run(page: Page) -> None:
    page.get_by_role("button", name=t.RUN, exact=True).click()


def stop_button(page: Page) -> Locator:
    """Return the page's own: while it is drawn, Streamlit shows another one in its header."""
    return page.get_by_test_id("stMain").get_by_role("button", name=t.CANCEL)


def leave(page: Page, line: Line) -> None:
    """Go to the first page at once; what was held up on the line goes with it."""
    page.wait_for_timeout(100)
    line.next_ask(page.get_by_role("link", name=t.NAV_OVERVIEW).first.click)
    line.let()
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    whole(page)


def verdict(page: Page) -> str:
    box = page.locator("[class*=st-key-verdict_]")
    expect(box.locator(".ldp-head")).to_be_visible()
    whole(page)
    return box.inner_text()


def take(page: Page, folder: Path, label: str) -> Path:
    """Follow the link to a file (its label may have Markdown); return where it lies, under the name it came with."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name=label.replace("`", ""), exact=True).click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def progress(page: Page) -> int:
    """Return the guesses that the progress line counts, once there are any."""
    line = page.get_by_text(re.compile(r"^[1-9][\d,]* of 3,000,000 guesses"))
    expect(line).to_be_visible()
    return int(line.inner_text().split(" ")[0].replace(",", ""))


@pytest.mark.nightly
def test_first_request_of_a_fresh_server_is_a_deep_link(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = patient(browser.new_page())
        visit(page, f"{address}/audit?epsilon=2&attack=benign")
        expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
        expect(page.get_by_text("at most 88 times")).to_be_visible()
        expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS["benign"].title)
        expect(page.get_by_role("dialog")).to_have_count(0)
        visit(page, f"{address}/overview?epsilon=4")
        expect(page.locator("h4")).to_contain_text("at most 98.2 %")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


def test_from_the_overview_to_a_verdict_and_a_download(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, address)
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_text("at most 88 times")).to_be_visible()
    page.get_by_role("link", name=t.OVERVIEW_GO).first.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.get_by_text("at most 88 times")).to_be_visible()
    run(page)
    text = verdict(page)
    assert "the promise allows at most 88" in text
    expect(page.locator("[class*=st-key-chart_share_] .js-plotly-plot")).to_be_visible()
    expect(page.locator("[class*=st-key-chart_share_]").get_by_text("measured").first).to_be_visible()
    expect(page.locator(".ldp-pair img")).to_have_count(6)
    report = json.loads(take(page, tmp_path, t.DOWNLOAD_JSON).read_text(encoding="utf-8"))
    assert report["schema"] == "ldp-audit/1"
    assert report["config"]["epsilon"] == 2.0
    assert report["completed"]
    assert f"--seed {report['seed']}" in (page.locator("code").first.text_content() or "")
    expect(page.get_by_text(t.EPSILON_TITLE).first).to_be_visible()
    lower = re.search(r"The leak as an ε: at least (\d\.\d+)\. The promise: at most 2\.", text)
    assert lower is not None
    assert 0 < float(lower[1]) < 2
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.nightly
def test_prediction_then_verdict_first_numbers_second_statistics_third(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    field = page.get_by_role("spinbutton", name=t.EXPECT)
    expect(field).to_have_value("")
    field.fill("55")
    field.press("Enter")
    ready(page)
    assert "expect" not in page.url
    run(page)
    shown = verdict(page).replace("\u00a0", " ")
    told = re.search(r"You expected 55 %\. It was (\d+\.\d) % \((\d+\.\d) % to (\d+\.\d) %\)\.", shown)
    assert told is not None
    point, lower, upper = told.groups()
    assert f"in {point} % of 4,000 guesses (range {lower} % to {upper} %)" in shown, "the same as the verdict's"
    chart = page.locator("[class*=st-key-chart_share_]")
    parts = [
        page.locator("[class*=st-key-verdict_]"),
        chart,
        page.get_by_role("heading", name=t.WHY),
        page.get_by_text(t.RUN_LIMITS_TITLE),
        page.get_by_role("heading", name=t.STATISTICS),
        page.locator("summary").filter(has_text=t.ASSUMED_TITLE),
    ]
    tops = [_top(part) for part in parts]
    assert tops == sorted(tops)
    page.locator("summary").filter(has_text=t.FORMULA_TITLE).click()
    expect(page.locator(".katex").first).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.nightly  # by day tests/app/test_pages.py
def test_prepared_example_is_there_at_once_and_runs_for_real(page: Page, address: str) -> None:
    visit(page, f"{address}/audit")
    page.get_by_role("button", name=t.PREPARED_SHOW).click()
    expect(page.locator(".st-key-prepared_note")).to_contain_text(t.PREPARED_TITLE)
    shown = verdict(page)
    page.get_by_role("button", name=t.PREPARED_RUN).click()
    expect(page.locator(".st-key-prepared_note")).to_have_count(0)
    assert verdict(page) == shown


@pytest.mark.nightly
def test_attack_is_placed_in_the_picture_that_takes_the_page_s_colour(page: Page, address: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        visit(page, f"{address}/audit?attack=collusion")
        picture = page.locator(".st-key-card svg[role=img]")
        expect(picture).to_be_visible()
        fill = picture.evaluate("e => [getComputedStyle(e).fill, getComputedStyle(e.parentElement).color]")
        assert fill[0] == fill[1], scheme
        assert picture.locator("title").text_content() == t.BOUNDARY_TITLE
        assert t.BOUNDARY_PARTS["server"] in str(picture.locator("desc").text_content())
    page.set_viewport_size({"width": 320, "height": 740})
    ready(page)
    _fits(page)
    inside = picture.evaluate(
        """e => [...e.querySelectorAll('text')].every(x => x.getBoundingClientRect().right <= innerWidth)"""
    )
    assert inside


@pytest.mark.nightly
def test_result_stands_first_on_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, f"{address}/audit?job=prepared")
    verdict(page)
    assert _top(page.locator("[class*=st-key-verdict_]")) < _top(page.locator(".st-key-attack_chosen"))
    box = page.locator("[class*=st-key-verdict_]").bounding_box()
    fold = page.locator("summary").filter(has_text=t.GLOSSARY_TITLE).bounding_box()
    assert box is not None
    assert fold is not None
    assert abs(box["x"] + box["width"] - fold["x"] - fold["width"]) <= 2


@pytest.mark.nightly  # by day test_phone_has_no_sideways_scroll looks there after a run
@pytest.mark.parametrize("way", ["prepared", "run"])
def test_verdict_is_what_one_sees_next_on_a_phone(page: Page, address: str, way: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, f"{address}/audit?{SMALL}")
    button = page.get_by_role("button", name=t.PREPARED_SHOW if way == "prepared" else t.RUN, exact=True)
    button.scroll_into_view_if_needed()
    button.click()
    verdict(page)
    expect(page.locator(".ldp-head")).to_be_in_viewport()


@pytest.mark.nightly  # by day tests/browser/test_clicks.py stops a run, and tests/app/test_pages.py
def test_cancel_midway_keeps_the_counts(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{LONG}")
    run(page)
    progress(page)
    stop_button(page).click()
    verdict(page)
    ended(page)
    text = verdict(page)
    counted = int(re.search(r"Stopped after ([\d,]+) of 3,000,000", text).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert 0 < counted < 3_000_000
    page.reload()
    assert verdict(page) == text


def test_run_survives_another_page_a_widget_and_a_reload(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    before = progress(page)
    job = re.search(r"job=(\w+)", page.url).group(1)  # type: ignore[union-attr]
    page.get_by_role("button", name="4", exact=True).click()
    page.get_by_role("link", name=t.NAV_OVERVIEW).first.click()
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    expect(page.locator("h4")).to_contain_text("at most 98.2 %")
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)(?=.*attack=dummy)"))
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)"))
    expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS["dummy"].title)
    stop_button(page).click()
    assert "the promise allows at most 88" in verdict(page)


@pytest.mark.nightly
def test_keyboard_alone(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    expect(page.get_by_text("at most 73 times")).to_be_visible()

    def tab_to(js: str) -> None:
        for _ in range(120):  # three times round, should a redrawn page have dropped the focus
            page.keyboard.press("Tab")
            if page.evaluate(f"(() => {{ const e = document.activeElement; return Boolean({js}); }})()"):
                return
        raise AssertionError(f"no {js} on the way of the Tab key")

    tab_to("e.tagName === 'SUMMARY' && e.closest('.st-key-attacks')")
    page.keyboard.press("Enter")
    tab_to("e.type === 'radio' && e.closest('[class*=st-key-attack_both]')")
    page.keyboard.press("Space")
    expect(page.locator(".st-key-attack_chosen")).to_contain_text(t.ATTACKS["collusion"].title)
    ready(page)
    tab_to("e.type === 'range' || e.getAttribute('role') === 'slider'")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("at most 82 times")).to_be_visible()
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === {json.dumps(t.RUN)}")
    page.keyboard.press("Enter")
    assert "the promise allows at most" in verdict(page)


@pytest.mark.nightly
def test_phone_has_no_sideways_scroll(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, address)
    _fits(page)
    visit(page, f"{address}/audit?{SMALL.replace('dummy', 'benign')}&epsilon=8")
    _fits(page)
    run(page)
    verdict(page)
    expect(page.locator(".ldp-head")).to_be_in_viewport()
    expect(page.locator("[class*=st-key-chart_share_] .js-plotly-plot")).to_be_visible()
    _fits(page)


def test_first_screen_holds_the_sentence_and_a_picture(page: Page, address: str) -> None:
    visit(page, address)
    for element in (page.get_by_text("at most 73 times"), page.locator(".ldp-arrays img").last):
        expect(element).to_be_visible()
        box = element.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900


@pytest.mark.nightly  # by day tests/app/frame/test_limits.py closes one, without the 20 seconds
def test_closed_tab_frees_the_worker(browser: Browser, page: Page, address: str) -> None:
    other = browser.new_context()
    left = patient(other.new_page())
    visit(left, f"{address}/audit?{LONG}")
    run(left)
    assert progress(left) > 0
    visit(page, f"{address}/audit?{SMALL}")
    run(page)
    expect(page.get_by_text(t.STAGES["queued"].format(position=1))).to_be_visible()
    link = left.url
    other.close()
    assert "guesses" in verdict(page) or "times in" in verdict(page)
    visit(page, link)
    assert "Stopped after" in verdict(page), "else it only waited for the other's end"


@pytest.mark.parametrize(("host", "origin"), [("evil.test", "http://evil.test"), ("", "http://evil.test")])
def test_other_names_and_other_sites_are_refused(address: str, host: str, origin: str) -> None:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
    connection.request(
        "GET",
        "/_stcore/stream",
        headers={
            "Host": host or address.removeprefix("http://"),
            "Origin": origin,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        },
    )
    assert connection.getresponse().status == 403
    connection.close()


def _top(part: Locator) -> float:
    box = part.first.bounding_box()
    assert box is not None
    return box["y"]


def _fits(page: Page) -> None:
    """Wait until nothing scrolls sideways and no chart cuts its words: it takes a new width a little later."""
    page.wait_for_function(_FITS)


@pytest.mark.nightly  # by day tests/app/test_pages.py sets it up
@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}])
def test_a_test_that_is_set_up_from_a_verdict_comes_into_view(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?training=none&attack=benign&trials=2000&measurements=1&seed=5")
    run(page)
    verdict(page)
    page.locator(".st-key-next_stronger button").click()
    expect(page.get_by_text(t.DISTINGUISHERS["selective"].title).first).to_be_in_viewport()
    expect(page.get_by_role("button", name=t.RUN, exact=True)).to_be_in_viewport(ratio=1)
