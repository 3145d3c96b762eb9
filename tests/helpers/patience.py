"""How long a test waits for what must come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

_Waits = TypeVar("_Waits", "Page", "BrowserContext")
PATIENCE = 120.0
"""Seconds: so many that only a fault takes as long, also on a machine that is slow or busy."""
PAGE_PATIENCE = 30.0
"""Seconds that a page may take to show what must come: nobody would wait longer."""
LONGEST_END = 60.0
"""Seconds that a server takes to end at most, there too: it does not wait for its runs."""


def until(happened: Callable[[], object]) -> None:
    """Wait for something that happens elsewhere."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"it did not happen within {PATIENCE:g} seconds"
        time.sleep(0.01)


def patient(waits: _Waits) -> _Waits:
    """Have a page, or all of a context, wait as long, too."""
    waits.set_default_timeout(1000 * PAGE_PATIENCE)
    return waits
