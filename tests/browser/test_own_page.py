"""A page that is left just as it draws itself again: the next one comes, and not the old one under its address."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from pages._shared.text import en as t
from tests.browser.test_flows import SMALL, leave, run, verdict, visit
from tests.helpers.line import Line
from tests.helpers.server import running_app

pytestmark = pytest.mark.browser

SLOW = """
import threading, time
from streamlit.runtime.pages_manager import PagesManager

asked, began, drawn = threading.local(), PagesManager.set_script_intent, PagesManager.set_pages_and_resolve

def begin_late_if_again(*given):
    time.sleep(0.3 * getattr(asked, "before", 0))
    asked.before = 1
    began(*given)

def draw_later(*given, **more):
    time.sleep(0.5)
    return drawn(*given, **more)

PagesManager.set_script_intent, PagesManager.set_pages_and_resolve = begin_late_if_again, draw_later
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server on which a page that draws itself again is slow to begin."""
    folder = tmp_path_factory.mktemp("slow")
    (folder / "sitecustomize.py").write_text(SLOW, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with running_app(folder / "cache") as found:
            yield found


def test_page_that_is_left_while_it_begins_to_draw_itself_again(page: Page, address: str) -> None:
    line = Line(page)
    visit(page, f"{address}/audit?{SMALL}")
    line.hold("page")
    run(page)  # queues the test, and draws the page anew
    leave(page, line)
    page.get_by_role("link", name=t.NAV_AUDIT).first.click()
    verdict(page)
