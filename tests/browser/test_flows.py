"""What a visitor does, in a real Chromium against a real server."""

import http.client
import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pages._shared.text import en as t
from tests.helpers.server import running_app

pytestmark = pytest.mark.browser
SMALL = "training=none&attack=dummy&trials=2000&measurements=2&seed=5"
LONG = "training=none&attack=dummy&trials=1000000&measurements=3&seed=5"


def ready(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def visit(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator("h1")).to_be_visible()
    ready(page)


def run(page: Page) -> None:
    page.get_by_role("button", name=t.RUN, exact=True).click()


def verdict(page: Page) -> str:
    box = page.locator("[class*=st-key-verdict_]")
    expect(box.locator(".ldp-head")).to_be_visible(timeout=60_000)
    ready(page)
    return box.inner_text()


def progress(page: Page) -> int:
    """Return the guesses that the progress line counts."""
    line = page.get_by_text(re.compile(r"^[\d,]+ of 3,000,000 guesses"))
    expect(line).to_be_visible(timeout=60_000)
    return int(line.inner_text().split(" ")[0].replace(",", ""))


def test_first_request_of_a_fresh_server_is_a_deep_link(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = browser.new_page()
        visit(page, f"{address}/audit?epsilon=2&attack=benign")
        expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
        expect(page.get_by_text("at most 88 times")).to_be_visible()
        expect(page.get_by_role("radio", name=re.compile(re.escape(t.ATTACKS["benign"][0])))).to_be_checked()
        expect(page.get_by_role("dialog")).to_have_count(0)
        visit(page, f"{address}/overview?epsilon=4")
        expect(page.get_by_text("at most 98 times")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


def test_from_the_overview_to_a_verdict_and_a_download(page: Page, address: str) -> None:
    visit(page, address)
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_text("at most 88 times")).to_be_visible()
    page.get_by_role("link", name=t.OVERVIEW_GO).click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    expect(page.get_by_text("at most 88 times")).to_be_visible()
    run(page)
    text = verdict(page)
    assert "the promise allows at most 88" in text
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    expect(page.get_by_text("measured", exact=False).first).to_be_visible()
    expect(page.locator(".ldp-pair img")).to_have_count(6)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=t.DOWNLOAD_JSON).click()
    report = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert report["schema"] == "ldp-audit/1"
    assert report["config"]["epsilon"] == 2.0
    assert report["completed"]
    assert f"--seed {report['seed']}" in page.locator("code").first.inner_text()
    page.get_by_role("tab", name=t.TAB_EPSILON).click()
    expect(page.get_by_text(re.compile(r"^at least \d")).first).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_cancel_midway_keeps_the_counts(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{LONG}")
    run(page)
    assert progress(page) > 0
    page.get_by_role("button", name=t.CANCEL).click()
    text = verdict(page)
    counted = int(re.search(r"You stopped after ([\d,]+) of 3,000,000", text).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert 0 < counted < 3_000_000
    page.reload()
    assert verdict(page) == text


def test_run_survives_another_page_a_widget_and_a_reload(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{LONG}&epsilon=2")
    run(page)
    before = progress(page)
    job = re.search(r"job=(\w+)", page.url).group(1)  # type: ignore[union-attr]
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("4")
    assert progress(page) >= before
    page.get_by_role("link", name=t.NAV_OVERVIEW).click()
    expect(page.locator("h1")).to_have_text(t.OVERVIEW_TITLE)
    expect(page.get_by_text("at most 98 times")).to_be_visible()
    page.get_by_role("link", name=t.NAV_AUDIT).click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)(?=.*attack=dummy)"))
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    assert progress(page) >= before
    expect(page).to_have_url(re.compile(f"(?=.*{job})(?=.*epsilon=4)"))
    expect(page.get_by_role("radio", name=re.compile(re.escape(t.ATTACKS["dummy"][0])))).to_be_checked()
    page.get_by_role("button", name=t.CANCEL).click()
    assert "the promise allows at most 88" in verdict(page)


def test_keyboard_alone(page: Page, address: str) -> None:
    visit(page, f"{address}/audit?{SMALL}")
    expect(page.get_by_text("at most 73 times")).to_be_visible()

    def tab_to(js: str) -> None:
        for _ in range(120):  # three times round, should a redrawn page have dropped the focus
            page.keyboard.press("Tab")
            if page.evaluate(f"(() => {{ const e = document.activeElement; return Boolean({js}); }})()"):
                return
        raise AssertionError(f"no {js} on the way of the Tab key")

    tab_to("e.type === 'radio'")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name=re.compile(re.escape(t.ATTACKS["collusion"][0])))).to_be_checked()
    ready(page)
    tab_to("e.type === 'range' || e.getAttribute('role') === 'slider'")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("at most 82 times")).to_be_visible()
    ready(page)
    tab_to(f"e.innerText && e.innerText.trim() === {json.dumps(t.RUN)}")
    page.keyboard.press("Enter")
    assert "the promise allows at most" in verdict(page)


def test_phone_has_no_sideways_scroll(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, address)
    _fits(page)
    visit(page, f"{address}/audit?{SMALL.replace('dummy', 'benign')}&epsilon=8")
    _fits(page)
    run(page)
    verdict(page)
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    _fits(page)


def test_first_screen_holds_the_sentence_and_a_picture(page: Page, address: str) -> None:
    visit(page, address)
    for element in (page.get_by_text("at most 73 times"), page.locator(".ldp-arrays img").last):
        expect(element).to_be_visible()
        box = element.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900


def test_closed_tab_frees_the_worker(browser: Browser, page: Page, address: str) -> None:
    other = browser.new_context()
    left = other.new_page()
    visit(left, f"{address}/audit?{LONG}")
    run(left)
    assert progress(left) > 0
    visit(page, f"{address}/audit?{SMALL}")
    run(page)
    expect(page.get_by_text(t.STAGES["queued"].format(position=1))).to_be_visible()
    other.close()
    assert "guesses" in verdict(page) or "times in" in verdict(page)


def test_stops_within_five_seconds_during_a_run(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = browser.new_page()
        visit(page, f"{address}/audit?{LONG}")
        run(page)
        assert progress(page) > 0
        page.close()
        asked = time.monotonic()
    assert time.monotonic() - asked < 5.0
    log = (tmp_path / "cache.log").read_text()
    assert "Traceback" not in log
    assert "terminate called" not in log


@pytest.mark.parametrize(("host", "origin"), [("evil.test", "http://evil.test"), ("", "http://evil.test")])
def test_other_names_and_other_sites_are_refused(address: str, host: str, origin: str) -> None:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
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


def _fits(page: Page) -> None:
    wide = page.evaluate(
        """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
        .map(e => e.scrollWidth - e.clientWidth)"""
    )
    assert wide == [0, 0]
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.stPlotlyChart .annotation-text')].map(e => e.getBoundingClientRect())
        .filter(r => r.left < 0 || r.right > innerWidth).length"""
    )
    assert cut == 0
