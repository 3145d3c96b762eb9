"""An hour (`LDP_SOAK_MINUTES`) of one visitor after another, of which the first sixth warms up: README.md."""

import os
import re
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.test_compare import look_at
from tests.browser.test_compare import run as compared
from tests.browser.test_flows import ready, stop_button, take, verdict, visit
from tests.helpers.faults import outcries
from tests.helpers.patience import PAGE_PATIENCE, patient
from tests.helpers.server import running_app
from tests.helpers.words import en as t
from tests.helpers.words import ja
from tests.soak.process import Taken, Watch, middle

pytestmark = [pytest.mark.soak, pytest.mark.browser]
MINUTES = float(os.environ.get("LDP_SOAK_MINUTES", "60"))
GROWTH = 0.05
QUIET_SECONDS = 125.0
"""Streamlit keeps a closed tab's session, and its event loop's three files, for two minutes, until another one ends."""
TEST = "training=light&attack=benign&trials=2000&measurements=2"
LONG = "training=none&attack=dummy&trials=1000000&measurements=3"
COMPARISON = "training=none&attacks=benign,dummy&epsilons=1,2&trials=1000&measurements=2&tests=white,black"
CHECK = "reports=40000&dimension=8"


def go(page: Page, name: str, title: str) -> None:
    """Change the page as a visitor does, by the navigation."""
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.locator("h1")).to_have_text(title)
    ready(page)


def audit(page: Page, address: str, query: str) -> str:
    visit(page, f"{address}/audit?{query}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    return verdict(page)


def one_visit(page: Page, address: str, number: int, folder: Path) -> str:
    """Look at every page, run every kind of test, take every kind of file away, switch the language.

    Return the verdict of the same test again.
    """

    def take_away(*labels: str) -> None:
        for label in labels:
            file = take(page, folder, label)
            assert file.stat().st_size > 100, "an empty file"
            file.unlink()

    visit(page, address)
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_text("at most 88.08 times")).to_be_visible()
    same = audit(page, address, f"{TEST}&seed=5")
    go(page, t.NAV_COMPARE, t.COMPARE_TITLE)
    go(page, t.NAV_OVERVIEW, t.OVERVIEW_TITLE)
    audit(page, address, f"{TEST}&seed={number}&epsilon=2")
    page.get_by_text(t.TAKE_IMAGES).click()
    take_away(t.TAKE_HTML, t.TAKE_PICTURED, t.DOWNLOAD_JSON)
    page.locator(".st-key-other_language a").click()
    expect(page.locator("h1")).to_have_text(ja.AUDIT_TITLE)
    verdict(page)
    page.locator(".st-key-other_language a").click()
    expect(page.locator("h1")).to_have_text(t.AUDIT_TITLE)
    visit(page, f"{address}/compare?{COMPARISON}&seed={number}")
    compared(page)
    for section in ("curves", "map", "errors"):
        look_at(page, section)
    take_away(t.TAKE_HTML, t.TAKE_FILES["table.csv"], t.DOWNLOAD_JSON)
    visit(page, f"{address}/check?{CHECK}&seed={number}")
    page.get_by_role("button", name=t.CHECK_RUN, exact=True).click()
    expect(page.locator("[class*=st-key-check_]")).to_contain_text(t.REPORT["check_headline_rejected"])
    ready(page)
    take_away(t.TAKE_HTML)
    visit(page, f"{address}/check?way=files&{CHECK}")
    page.get_by_role("button", name=t.CHECK_MAKE, exact=True).click()
    take_away(t.CHECK_CHALLENGE, t.CHECK_KEY)
    visit(page, f"{address}/audit?{LONG}&seed={number}")
    page.get_by_role("button", name=t.RUN, exact=True).click()
    going = page.get_by_text(re.compile(r"^[\d,]+ of 3,000,000 guesses"))
    expect(going).to_be_visible()
    page.reload()
    expect(going).to_be_visible()
    if number % 10:
        stop_button(page).click()
        assert "Stopped after" in verdict(page)  # else the tab is closed over a run
    return same


def test_an_hour_leaves_nothing_behind(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).with_name("site")), prepend=os.pathsep)
    monkeypatch.setenv("LDP_NAME_THREADS", str(tmp_path / "threads.json"))
    expect.set_options(timeout=1000 * PAGE_PATIENCE)
    warm_up, whole = 10.0 * MINUTES, 60.0 * MINUTES
    verdicts: set[str] = set()
    failures: list[str] = []
    numbers = count(1)
    with running_app(tmp_path / "cache") as address:
        watch = Watch(address)

        def visits(end: float) -> None:
            while watch.now().at < end:
                number = next(numbers)
                context = patient(browser.new_context(viewport={"width": 1280, "height": 900}))
                try:
                    verdicts.add(one_visit(context.new_page(), address, number, tmp_path))
                except (AssertionError, Error) as error:
                    failures.append(f"visit {number}: {error}")
                    with suppress(Error):
                        context.pages[0].screenshot(path=tmp_path / f"visit-{number}.png", timeout=30_000)
                context.close()

        def quiet() -> tuple[Taken, Counter[str], dict[str, int]]:
            time.sleep(QUIET_SECONDS)
            for _ in range(2):  # the first one's end drops the sessions that were kept, the second one looks in
                context = browser.new_context()
                visit(context.new_page(), address)
                time.sleep(QUIET_SECONDS / 10)
                with urllib.request.urlopen(address, timeout=60) as answer:  # so that the web server looks after its
                    answer.read()  # pool, and ends the threads that nobody needed for ten seconds
                time.sleep(2.0)  # until that request's own file and connection are closed
                found = watch.now(), watch.files(), watch.threads(tmp_path / "threads.json")
                context.close()
                time.sleep(QUIET_SECONDS / 10)
            return found

        visits(warm_up)
        before, opened, named = quiet()
        visits(whole)
        end = watch.now().at
        after, left, ended = quiet()
        watch.close()
    first, last = (middle(watch.between(start, start + warm_up)) for start in (before.at, end - warm_up))
    for line in (
        f"{next(numbers) - 1} visits in {whole / 60:.0f} minutes, load average {os.getloadavg()[2]:.1f}",
        f"memory, median of the second and of the last sixth: {first:.0f} and {last:.0f} MB ({last / first - 1:+.1%}); "
        f"most {max(taken.memory for taken in watch.seen):.0f} MB",
        f"open files with one tab: {before.handles} and {after.handles}; at most "
        f"{max(taken.handles for taken in watch.seen)}; {dict(opened)} and {dict(left)}",
        f"threads with one tab: {sum(named.values())} and {sum(ended.values())}, without those that poll Streamlit's "
        f"settings ({before.threads} and {after.threads} with them; at most "
        f"{max(taken.threads for taken in watch.seen)}): {named} and {ended}",
        *failures,
    ):
        print(line)
    (tmp_path / "seen.txt").write_text("\n".join(map(str, watch.seen)))
    log = (tmp_path / "cache.log").read_text()
    assert failures == []
    assert len(verdicts) == 1, "the same seed found something else"
    assert outcries(log) == []
    assert last < (1.0 + GROWTH) * first
    assert after.handles <= before.handles, left - opened
    assert sum(ended.values()) <= sum(named.values()), (named, ended)
