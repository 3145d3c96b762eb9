"""Twenty who press Run at once, 18 of them without a browser, which would be what is measured; and a full queue."""

import json
import os
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ldp_core import reports
from ldp_core.cache import Cache
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.types import TrialCounts
from pages import jobs
from pages.audit import words as audit_words
from tests.browser.test_flows import LONG, verdict, visit
from tests.helpers.server import running_app
from tests.helpers.words import en as t
from tests.soak.process import Watch
from tests.soak.visitor import Visitor

pytestmark = [pytest.mark.soak, pytest.mark.browser]
SESSIONS, REAL = 20, 2
MOST_MEGABYTES = 1_000.0
MOST_ANSWER = 0.5
MOST_FREED = 30.0
TEST = make_config(
    significance=0.05, watch=True, seed=0, attack="dummy", epsilon=1.0, num_trials=5_000, num_measurements=1,
    training="none",
)  # fmt: skip
QUERY = "training=none&attack=dummy&trials=5000&measurements=1&epsilon=1&seed={seed}"
_NOTE_PROGRESS = """() => {
    const look = () => { window.ldpSeen ||= Boolean(document.querySelector(".ldp-going")) };
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
}"""
_ANSWER = """([label, words]) => new Promise(answered => {
    const buttons = [...document.querySelectorAll("button")];
    const start = performance.now();
    const look = () => [...document.querySelectorAll("h4")].some(sentence => sentence.textContent.includes(words))
        ? requestAnimationFrame(() => answered(performance.now() - start))
        : setTimeout(look, 5);
    buttons.find(button => button.innerText.trim() === label).click();
    look();
})"""
"""Playwright's own click and wait ask the page many times, and would be most of what is measured."""


@dataclass(frozen=True, slots=True)
class View:
    """One look at the queue: when it was asked for, when it was there, and the place that it showed."""

    asked: float
    there: float
    place: int


class Asker(Visitor):
    """A tab that presses Run and writes down what it sees."""

    def __init__(self, address: str, seed: int) -> None:
        super().__init__(address, "audit", QUERY.format(seed=seed))
        self.until(self.still)
        self.views: list[View] = []
        self.pressed = self.first = self.end = 0.0

    def run(self, together: threading.Barrier) -> None:
        together.wait()
        self.pressed = time.monotonic()
        self.press("run")
        self.end = self.until(lambda: self._look() and self.still())

    def _look(self) -> bool:
        """Write down the place in the queue, and when it or progress was first seen; return whether all is over."""
        now = time.monotonic()
        going = [e.bidi_component for e in self.elements.values() if e.WhichOneof("type") == "bidi_component"]
        shown = [told["first"]["text"] for each in going if "first" in (told := json.loads(each.json))]
        done = any('class="ldp-verdict"' in element.html.body for element in self.elements.values())
        if shown and not self.first:
            self.first = now
        place = next((place for place in range(1, 40) if t.STAGES["queued"].format(position=place) in shown), 0)
        if place and (not self.views or self.views[-1].place != place):
            self.views.append(View(self.sent, now, place))
        return done


def warm(address: str) -> None:
    """Run one test, so that torch is loaded, as it is a few seconds after a start."""
    one = Visitor(address, "audit", QUERY.format(seed=99))
    one.until(one.still)
    one.press("run")
    one.until(lambda: t.WHY in one.text)
    one.close()


def ahead(one: Asker, other: Asker) -> bool:
    """Return whether what was seen proves that one stood before the other: a smaller place, not seen later."""
    return any(
        mine.there <= theirs.asked and mine.place <= theirs.place for mine in one.views for theirs in other.views
    )


def counted(folder: Path, job: str) -> TrialCounts:
    return reports.from_json((folder / "results" / f"{job}.json").read_bytes()).counts


def answers(page: Page, going: threading.Event) -> Iterator[float]:
    """Change ε until all have ended; yield the seconds until the frame that shows the sentence."""
    while not going.is_set():
        for value, words in (("2", "at most 88.08 times"), ("1", "at most 73.11 times")):
            yield page.evaluate(_ANSWER, [value, words]) / 1_000.0
            page.wait_for_timeout(500)


def test_twenty_press_run_at_once(browser: Browser, tmp_path: Path) -> None:
    expect.set_options(timeout=120_000)
    with running_app(tmp_path / "cache") as address:
        watch = Watch(address)
        warm(address)
        idle, *real = (browser.new_context().new_page() for _ in range(1 + REAL))
        for page in (idle, *real):
            page.set_default_timeout(120_000)
        visit(idle, address)
        for seed, page in enumerate(real):
            visit(page, f"{address}/audit?{QUERY.format(seed=seed)}")
            page.evaluate(_NOTE_PROGRESS)
        askers = [Asker(address, seed) for seed in range(REAL, SESSIONS)]
        before = watch.now().memory
        together, ended = threading.Barrier(len(askers) + 1), threading.Event()
        asking = [threading.Thread(target=asker.run, args=(together,)) for asker in askers]
        for thread in asking:
            thread.start()
        together.wait()
        for page in real:
            page.get_by_role("button", name=t.RUN, exact=True).click(no_wait_after=True)

        def wait() -> None:
            for thread in asking:
                thread.join()
            ended.set()

        threading.Thread(target=wait, daemon=True).start()
        durations = list(answers(idle, ended))
        shown = [verdict(page) for page in real]
        ids = [page.url.partition("job=")[2].partition("&")[0] for page in real] + [asker.job for asker in askers]
        time.sleep(2.0)
        watch.close()
    folder = tmp_path / "cache"
    found = {seed: counted(folder, job) for seed, job in enumerate(ids)}
    written = {asker: (folder / "results" / f"{asker.job}.json").stat().st_mtime_ns for asker in askers}
    order = [(one, other) for one in askers for other in askers if one is not other and ahead(one, other)]
    ends = sorted(asker.end - asker.pressed for asker in askers)
    firsts = [asker.first - asker.pressed for asker in askers]
    print(
        f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        f"place or progress: median {statistics.median(firsts):.2f} s, last {max(firsts):.2f} s",
        f"result: first {ends[0]:.1f} s, median {statistics.median(ends):.1f} s, last {ends[-1]:.1f} s",
        f"idle session, {len(durations)} clicks: median {statistics.median(durations):.2f} s, "
        f"slowest {max(durations):.2f} s",
        f"memory: {before:.0f} MB before, at most {max(taken.memory for taken in watch.seen):.0f} MB",
        f"pairs of sessions whose order was seen: {len(order)} of {len(askers) * (len(askers) - 1) // 2}",
        sep="\n",
    )
    for seed, counts in found.items():
        *_, last = audit(replace(TEST, seed=seed), Cache(tmp_path / "own"), threads=1)
        assert counts == last.result.counts
        text = shown[seed] if seed < REAL else askers[seed - REAL].text
        assert audit_words.headline(t, last.result) in text
    assert all(asker.first for asker in askers), "one saw neither a place nor progress"
    assert all(page.evaluate("window.ldpSeen") for page in real)
    assert len(order) >= len(askers)
    assert all(written[one] < written[other] for one, other in order)
    assert statistics.median(durations) < MOST_ANSWER
    assert max(taken.memory for taken in watch.seen) < MOST_MEGABYTES


def test_a_full_queue_says_so_and_closed_tabs_free_it(tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        warm(address)
        tabs = []
        for _ in range(jobs.MAX_WAITING + 1):
            tab = Visitor(address, "audit", LONG)
            tab.until(tab.still)
            tab.press("run")
            tab.until(lambda tab=tab: bool(tab.job))
            tabs.append(tab)
        late = Visitor(address, "audit", QUERY.format(seed=1))
        late.until(late.still)
        late.press("run")
        late.until(lambda: t.QUEUE_FULL in late.text)
        for tab in tabs:
            tab.close()
        closed = time.monotonic()
        while not late.job:
            late.press("run")
            late.until(late.still)
        freed = late.until(lambda: t.WHY in late.text, 120.0) - closed
        late.close()
    print(f"load average {os.getloadavg()[0]:.1f}; {len(tabs)} tabs closed, the next test was done {freed:.1f} s later")
    assert freed < MOST_FREED
