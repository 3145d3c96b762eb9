"""How fast the app starts and compares in a real Chromium: `python -m tests.benchmarks.app`. It asserts nothing."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.helpers.server import CHROMIUM_FLAGS, chromium, running_app
from tests.helpers.words import en as t

_READY = "[data-testid=stApp][data-test-script-state=notRunning]"


def main() -> None:
    """Measure starts, and a comparison with its defaults on a server that has loaded torch."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        starts(playwright, Path(folder))
        with running_app(Path(folder) / "run-0") as address:
            page = _browser(playwright).new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{address}/compare?seed=1")
            page.wait_for_selector(_READY)
            page.wait_for_timeout(8_000)  # torch warms up
            start = time.perf_counter()
            page.get_by_role("button", name=t.CMP_RUN).click()
            page.locator("[class*=st-key-found_]").wait_for(timeout=120_000)
            took = time.perf_counter() - start
        line("compare: 7 attacks at 4 epsilons, 3 x 2,000 guesses, click to result (s)", took, "< 5")


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


def line(name: str, value: float, target: str) -> None:
    print(f"{name:<88} {value:>9.2f}  {target}", flush=True)


if __name__ == "__main__":
    main()
