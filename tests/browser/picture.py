"""Take the README's picture of the first page: ``python -m tests.browser.picture [FILE]`` in the project's root."""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.helpers.patience import PAGE_PATIENCE, patient
from tests.helpers.server import CHROMIUM_FLAGS, chromium, running_app

FILE = Path(__file__).with_name("first_page.png")


def main(file: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder) / "cache") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        page = patient(browser.new_page(viewport={"width": 1280, "height": 900}, locale="en"))
        page.goto(address)
        drawn = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        expect(drawn).to_be_visible(timeout=1000 * PAGE_PATIENCE)
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("."), timeout=1000 * PAGE_PATIENCE)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=file, animations="disabled")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
