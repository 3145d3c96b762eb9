"""A Chromium and a server for all files, a fresh context for every test, and what none of them may do."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.helpers.patience import PAGE_PATIENCE, patient
from tests.helpers.server import CHROMIUM_FLAGS, chromium, running_app

SIZE = {"width": 1280, "height": 900}
expect.set_options(timeout=1000 * PAGE_PATIENCE)
_HARMLESS = ("_stcore/health", "_stcore/host-config")  # looked for below the page's path first, then found at the root


class Watched:
    """What pages asked for and complained about."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.outside: list[str] = []
        self.complaints: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))

    def _request(self, request: Request) -> None:
        own = (self.address, self.address.replace("http", "ws"), "data:", "blob:")
        if not request.url.startswith(own):
            self.outside.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        harmless = any(part in str(message.location.get("url", "")) for part in _HARMLESS)
        if message.type == "error" and not harmless:
            self.complaints.append(message.text)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start a Chromium that ends with this folder's tests: while it runs, no test here can use asyncio."""
    path = chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium must be there when CI is set: install it or name it with LDP_CHROMIUM")
        pytest.skip("Chromium is not on this machine; name it with LDP_CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app for all that need none of their own; who leaves a run in its queue holds up the next one's."""
    with running_app(tmp_path_factory.mktemp("server") / "cache") as found:
        yield found


@pytest.fixture
def watched(address: str) -> Watched:
    return Watched(address)


@pytest.fixture
def look() -> dict[str, Any]:
    """Return how the browser differs from the usual one; a test says it by parametrizing ``look``."""
    return {}


@pytest.fixture
def context(browser: Browser, watched: Watched, look: dict[str, Any]) -> Iterator[BrowserContext]:
    made = browser.new_context(**({"viewport": SIZE, "accept_downloads": True} | look))
    patient(made)
    watched.watch(made)
    yield made
    made.close()
    assert watched.outside == []
    assert watched.complaints == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
