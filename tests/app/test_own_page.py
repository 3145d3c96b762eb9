"""A run draws its own page, whatever the run before it still does."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime.pages_manager import PagesManager

from pages._shared import own_page

PAGES = {name: {"page_script_hash": name, "script_path": ""} for name in ("old", "new")}


@pytest.mark.parametrize(("installed", "drawn"), [(True, "new"), (False, "old")])  # without: Streamlit's own fault
def test_page_that_draws_itself_again_does_not_take_the_next_one_s_place(
    monkeypatch: pytest.MonkeyPatch, installed: bool, drawn: str
) -> None:
    if installed:
        for field in own_page._FIELDS:
            monkeypatch.setattr(PagesManager, field, None, raising=False)
        own_page.install()
    pages = PagesManager("main.py")

    def begin(page: str) -> None:
        pages.set_script_intent(page, "")
        pages.set_current_page_script_hash(page)

    def draw() -> tuple[str, str]:
        found = pages.set_pages_and_resolve(PAGES)
        assert found is not None
        return found["page_script_hash"], pages.current_page_script_hash

    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        first.submit(begin, "old").result()
        assert first.submit(draw).result() == ("old", "old")
        assert pages.current_page_script_hash == second.submit(lambda: pages.current_page_script_hash).result() == "old"
        second.submit(begin, "new").result()
        first.submit(begin, "old").result()
        assert second.submit(draw).result() == (drawn, drawn)
