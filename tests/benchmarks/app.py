"""How fast the pages are in a real Chromium, cold and on a warm server. Prints a table; asserts nothing.

python -m tests.benchmarks.app
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.helpers.server import CHROMIUM_FLAGS, chromium, running_app
from tests.helpers.words import en as t

ROUNDS = 7
_CLICK = """async ([name, signs]) => {
    const named = () => [...document.querySelectorAll("button")].find(e => e.innerText.trim() === name);
    while (!named()) await new Promise(requestAnimationFrame);
    const button = named();
    const there = ([place, words]) => [...document.querySelectorAll(place)].some(
        e => (e.textContent + (e.getAttribute("alt") ?? "")).replace(/\\s/g, " ").includes(words));
    const start = performance.now();
    button.click();
    while (!signs.every(there)) {
        if (performance.now() > start + 30000) throw new Error("no answer: " + signs.filter(e => !there(e)));
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - start;
}"""
"""Click a button, and return the milliseconds until every place holds its words."""
_OVERVIEW_SIGNS = (  # the sentence, the grids, each step's picture or chart that shows a number, and the tables
    ("h4", "at most {right} times"),
    (".ldp-arrays img", "{right} of 100"),
    (".ldp-drawn", "settles at {right} of 100"),
    (".ldp-drawn", "ε = {value}: at most {right} of 100"),
    (".ldp-drawn", "at most {belief} of 100"),
    (".ldp-drawn", "95 % right: from report {until}"),
    (".ldp-table", "ε = {total}"),
)
_AUDIT_SIGNS = (
    (".ldp-verdict p", "at most {right} times"),
    (".ldp-charts .ldp-drawn", "up to {right}"),
)
_SECTION_TEXTS = {
    "curves": t.REPORT["note_curves"],
    "map": t.CMP_MAP_NOTE,
    "errors": t.REPORT["note_tradeoff"],
    "attacks": t.REPORT["note_shares"],
}
_FIRST = ".js-plotly-plot .main-svg, .stMain img, .st-key-run_compare button, h1:has-text('Empty')"
_READY = "[data-testid=stApp][data-test-script-state=notRunning]"


def main() -> None:
    """Measure starts, then first paints and widget changes, before and after torch is loaded."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        starts(playwright, Path(folder))
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder) / "cache") as address,
        sync_playwright() as playwright,
    ):
        browser = _browser(playwright)
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        report("very first load of a fresh server", [first_paint(page, f"{address}/overview")])
        page.wait_for_timeout(8_000)  # torch warms up
        first_paints(page, address, Path(folder))
        page.goto(f"{address}/overview")
        page.wait_for_selector(_READY)
        changes(
            page, "overview: a click on an epsilon (torch loaded), sentence, grids, pictures, charts", _OVERVIEW_SIGNS
        )
        page.goto(f"{address}/audit?training=none&trials=2000&measurements=1")
        page.wait_for_selector(_READY)
        changes(page, "audit: a click on an epsilon (torch loaded), sentence and chart", _AUDIT_SIGNS)
        page.get_by_role("button", name=t.RUN, exact=True).click()
        page.locator(".ldp-verdict[data-state]").wait_for(timeout=60_000)
        comparison(page, f"{address}/compare?seed=1")
        browser.close()


def starts(playwright: Playwright, folder: Path) -> None:
    """From the command to the first page's grids, and from Run to the first point, beside the least of such things."""
    (folder / "empty.py").write_text("import streamlit as st\nst.title('Empty')\n")
    alone = statistics.median(_imports_torch() for _ in range(3))
    line("import torch (s)", alone, "")
    bare, first = (
        statistics.median(_start(playwright, folder / f"{name}-{turn}", script, place) for turn in range(3))
        for name, script, place in (("bare", folder / "empty.py", "h1:has-text('Empty')"), ("app", None, _GRIDS))
    )
    line("a bare Streamlit page, from the command to its title, empty caches (s)", bare, "")
    line("this app, from the command to the first page's grids, empty caches: times a bare page", first / bare, "")
    again = _start(playwright, folder / "app-0", None, _GRIDS)
    line("  the same with a kept model: times a bare page", again / bare, "")
    for cache, name in (("run-0", "empty caches"), ("run-0", "a kept model")):
        with running_app(folder / cache) as address:
            page = _browser(playwright).new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{address}/audit")
            page.wait_for_selector(_READY)
            start = time.perf_counter()
            page.get_by_role("button", name=t.RUN, exact=True).click()
            page.locator(".ldp-charts .point").first.wait_for(timeout=120_000)
            took = time.perf_counter() - start
        line(f"test page, {name}: from Run to the first point, times import torch", took / alone, "")


_GRIDS = ".ldp-arrays img"


def _start(playwright: Playwright, cache: Path, script: Path | None, place: str) -> float:
    """Return the seconds from starting a server to what a page shows in a fresh browser, which is started before."""
    page = _browser(playwright).new_page(viewport={"width": 1280, "height": 900})
    start = time.perf_counter()
    with running_app(cache, script=script or "app.py") as address:
        page.goto(address)
        page.locator(place).first.wait_for(timeout=120_000)
        took = time.perf_counter() - start
    page.context.close()
    return took


def _browser(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))


def _imports_torch() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    return time.perf_counter() - start


def comparison(page: Page, url: str) -> None:
    """Run the comparison with its defaults, then change section and ε."""
    page.goto(url)
    page.wait_for_selector(_READY)
    start = time.perf_counter()
    page.get_by_role("button", name=t.CMP_RUN).click()
    page.locator("[class*=st-key-found_]").wait_for(timeout=120_000)
    line("compare: 7 attacks at 4 epsilons, 3 x 2,000 guesses, click to result (s)", time.perf_counter() - start, "< 5")
    for section in ("curves", "map", "errors", "attacks"):
        start = time.perf_counter()
        page.get_by_role("radio", name=t.CMP_SECTIONS[section], exact=True).click()
        page.get_by_text(_read(_SECTION_TEXTS[section])).first.wait_for()
        line(f"compare: section {section} (ms)", 1000 * (time.perf_counter() - start), "< 500")


def first_paints(page: Page, address: str, folder: Path) -> None:
    """Load every page in turn, each time beside an empty Streamlit page, so that a busy machine is seen to be one."""
    (folder / "empty.py").write_text("import streamlit as st\nst.title('Empty')\n")
    paints: dict[str, list[tuple[float, float]]] = {name: [] for name in ("overview", "audit", "compare")}
    empty = []
    with running_app(folder / "empty", script=folder / "empty.py") as bare:
        for turn in range(ROUNDS + 1):
            title = first_paint(page, bare)[0]
            found = {name: first_paint(page, f"{address}/{name}") for name in paints}
            if turn:  # the first turn fills the browser's cache
                empty.append(title)
                for name, paint in found.items():
                    paints[name].append(paint)
    line("an empty Streamlit page: warm load, title (s)", statistics.median(empty), "")
    for name, measured in paints.items():
        report(f"{name}: warm load", measured)


def first_paint(page: Page, url: str) -> tuple[float, float]:
    """Return the seconds until the title and until the first picture is there; else the button that runs a test."""
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator("h1").first.wait_for()
    title = time.perf_counter() - start
    page.locator(_FIRST).filter(visible=True).first.wait_for()
    return title, time.perf_counter() - start


def changes(page: Page, name: str, signs: Sequence[tuple[str, str]]) -> None:
    """Click on an ε, to and fro, and wait each time until all that shows it shows the new one."""
    durations = []
    for index in range(2 * ROUNDS):
        numbers = (
            {"value": "0.5", "right": "62.25", "belief": "15.49", "total": "50", "until": "45"},
            {"value": "1", "right": "73.11", "belief": "23.20", "total": "100", "until": "11"},
        )[index % 2]
        expected = [(place, words.format(**numbers)) for place, words in signs]
        durations.append(page.evaluate(_CLICK, [numbers["value"], expected]))
        page.wait_for_selector(_READY)
    line(name + ", median (ms)", statistics.median(durations), "< 200")
    line(name + ", slowest (ms)", max(durations), "")


def _read(text: str) -> str:
    """Return how a text of ours begins on the screen, where Markdown has taken the asterisks away."""
    return text.replace("*", "")[:40]


def report(name: str, paints: list[tuple[float, float]]) -> None:
    middle: Callable[[int], float] = lambda part: statistics.median(paint[part] for paint in paints)  # noqa: E731
    line(f"{name}: title (s)", middle(0), "< 1" if len(paints) > 1 else "")
    line(f"{name}: picture (s)", middle(1), "< 2" if len(paints) > 1 else "")


def line(name: str, value: float, target: str) -> None:
    print(f"{name:<88} {value:>9.2f}  {target}", flush=True)


if __name__ == "__main__":
    main()
