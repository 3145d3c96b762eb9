"""What a visitor sees when the line, the server, the disk or the clock fails: finished work, and no wrong number."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_flows import LONG, SMALL, ended, progress, run, take, verdict, visit, whole
from tests.helpers.faults import Cable, Server, outcries
from tests.helpers.patience import patient
from tests.helpers.server import free_port
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page of which nobody expects that it finds its server at every moment."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    patient(context)
    yield context.new_page()
    context.close()


def unharmed(page: Page, server: Server) -> None:
    """No error is shown and none is in the log."""
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    expect(page.get_by_text(t.BUG)).to_have_count(0)
    assert outcries(server.log.read_text()) == []


def test_lost_connection_keeps_a_run(page: Page, tmp_path: Path) -> None:
    """Both ends are cut for a moment."""
    with Server(tmp_path / "cache", free_port()) as server, Cable(server.port) as cable:
        visit(page, f"http://127.0.0.1:{cable.port}/audit?{LONG}")
        run(page)
        before = progress(page)
        cable.pull()
        page.wait_for_timeout(1_000)
        cable.plug()
        page.wait_for_function(f"() => {_COUNTED} > {before}")
        unharmed(page, server)


@pytest.mark.nightly
def test_long_lost_connection_leaves_a_part_and_a_button(page: Page, tmp_path: Path) -> None:
    """Both ends are cut, as when a laptop sleeps; after 20 seconds without a page the run gives the worker back."""
    with Server(tmp_path / "cache", free_port()) as server, Cable(server.port) as cable:
        visit(page, f"http://127.0.0.1:{cable.port}/audit?{LONG}")
        run(page)
        before = progress(page)
        cable.pull()
        page.wait_for_timeout(23_000)
        cable.plug()
        said = verdict(page)
        counted = int(re.search(r"Stopped after ([\d,]+) of 3,000,000", said).group(1).replace(",", ""))  # type: ignore[union-attr]
        assert before < counted < 3_000_000
        note = page.locator(".st-key-left_audit")
        expect(note).to_contain_text("so the run stopped by itself")
        unharmed(page, server)
        note.get_by_role("button", name=t.LEFT_AGAIN).click()
        progress(page)
        expect(note).to_have_count(0)


_COUNTED = """Number(([...document.querySelectorAll('.ldp-going p')].map(e => e.innerText)
    .join().match(/^[\\d,]+ of 3,000,000/) || ['0'])[0].split(' ')[0].replaceAll(',', ''))"""


@pytest.mark.nightly  # by day tests/app/test_pages.py starts anew in one process
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_page_finds_its_results_again_after_a_restart(page: Page, tmp_path: Path, sent: signal.Signals) -> None:
    cache, port = tmp_path / "cache", free_port()
    with Server(cache, port) as server:
        visit(page, f"{server.address}/audit?{SMALL}")
        run(page)
        finished, link = verdict(page), page.url
        visit(page, f"{server.address}/audit?{LONG}")
        run(page)
        progress(page)
        whole(page)
        code = server.end(sent)
        assert code == {signal.SIGINT: 1}.get(sent, -sent), "1 is Streamlit's own code for Ctrl-C"
    assert not list(cache.rglob("*.tmp"))
    with Server(cache, port) as again:
        if sent == signal.SIGKILL:  # nothing had time to keep a part
            expect(page.get_by_text(t.UNKNOWN_JOB)).to_be_visible()
        else:
            assert re.search(r"Stopped after [\d,]+ of 3,000,000 guesses", verdict(page))
        visit(page, link)
        assert verdict(page) == finished
        with Server(cache, free_port()) as beside:
            visit(page, link.replace(again.address, beside.address))
            assert verdict(page) == finished
            unharmed(page, beside)
        unharmed(page, again)


@pytest.mark.nightly
def test_page_that_is_on_the_screen_is_in_use_again_after_a_restart(page: Page, tmp_path: Path) -> None:
    """It is not drawn by the new server unless it asks for that, which Streamlit's own page does not always do."""
    cache, port = tmp_path / "cache", free_port()
    found = page.locator("[class*=st-key-found_]")
    link = page.get_by_role("link", name=t.DOWNLOAD_JSON, exact=True)
    with Server(cache, port) as server:
        visit(page, f"{server.address}/compare?training=none&attacks=benign&epsilons=1&trials=400&measurements=1")
        page.get_by_role("button", name=t.CMP_RUN, exact=True).click()
        expect(page).to_have_url(re.compile("comparison="))
        ended(page)
        visit(page, page.url)  # nothing on it was clicked
        said = found.inner_text()
    with Server(cache, port) as again:
        assert json.loads(take(page, tmp_path, t.DOWNLOAD_JSON).read_text(encoding="utf-8"))["completed"]
        page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]")
        file = f"{again.address}/{link.get_attribute('href')}"
        page.locator(".st-key-section").get_by_text(t.CMP_SECTIONS["errors"]).click()
        expect(page.locator(".st-key-chart_errors")).to_be_visible()
        assert found.inner_text() == said
        unharmed(page, again)
    with Server(tmp_path / "empty", port) as other:
        expect(page.get_by_text(t.UNKNOWN_JOB)).to_be_visible()
        page.goto(file)
        expect(page.get_by_text(t.TAKE_GONE)).to_be_visible()
        unharmed(page, other)
