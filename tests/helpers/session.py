"""One visitor with images of their own, who meets every kind of mistake, for ``tests/browser/test_offline.py``.

``python -m tests.helpers.session PART FOLDER HOST ...`` leaves there what the server said and kept, what was
downloaded, and ``session.json``. PART is ``day`` for two pages and both kinds of mistake, ``whole`` for all.
"""

import json
import socket
import sys
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect, sync_playwright

from tests.browser.test_flows import keep, ready, take, unfold, visit
from tests.helpers import marks
from tests.helpers.patience import PAGE_PATIENCE, PATIENCE, patient
from tests.helpers.server import CHROMIUM_FLAGS, ROOT, chromium, free_port, running_app
from tests.helpers.words import en as t

expect.set_options(timeout=1000 * PAGE_PATIENCE)
OWN = "&".join(
    f"{name}={marks.SETTINGS[key]}"
    for name, key in (
        ("dataset", "dataset"), ("training", "training"), ("attack", "attack"), ("trials", "num_trials"),
        ("measurements", "num_measurements"), ("seed", "seed"),
    )
)  # fmt: skip
FEW = "datasets=own&training=none&attacks=benign,dummy&epsilons=1&trials=300&measurements=1&seed=5"
_WATCHED = """
import os, sys
_written = open("{notes}", "a", buffering=1)


def _note(event, arguments):
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        _written.write(f"{{arguments[0]!r}}\\n")


sys.addaudithook(_note)
"""
_MISTAKES = f"""

def _ends_in_a_bug(job, cache, threads):
    try:
        open("/nowhere/{marks.WORD}.png")
    except OSError as error:
        raise RuntimeError("{marks.WORD}") from error


def _shows_a_bug(*arguments):
    if "bug" in st.query_params:
        raise RuntimeError("{marks.WORD}")
    _footer(*arguments)


import streamlit as st

from ldp_core.studies import STUDIES
from pages.widgets import views

type(STUDIES["utility"]).run = lambda self, job, cache, threads: _ends_in_a_bug(job, cache, threads)
_footer, views.footer = views.footer, _shows_a_bug
"""


def app_with_mistakes(folder: Path) -> Path:
    """Write the app with two bugs that quote the client, in the worker and on a page; it notes what is written."""
    script = folder / "app.py"
    text = (ROOT / "app.py").read_text(encoding="utf-8")
    text = text.replace('"pages/', f'"{ROOT}/pages/') + _WATCHED.format(notes=folder / "written.txt") + _MISTAKES
    script.write_text(text, encoding="utf-8")
    return script


class Visitor:
    """A page of the app, and a folder for what comes of it."""

    def __init__(self, page: Page, address: str, folder: Path) -> None:
        self.page, self.address, self.folder = page, address, folder
        self.addresses: set[str] = set()
        self.outcries: list[str] = []
        context = page.context
        context.on("request", lambda request: self.addresses.add(request.url))
        context.on("console", lambda message: self.outcries.append(message.text))
        page.on("websocket", lambda socket: self.addresses.add(socket.url))
        page.on("framenavigated", lambda frame: self.addresses.add(frame.url))

    def visit(self, place: str) -> None:
        visit(self.page, f"{self.address}/{place}")

    def press(self, label: str) -> None:
        self.page.get_by_role("button", name=label, exact=True).click()

    def pick(self, name: str, content: bytes, place: int = 0) -> None:
        file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        over = self.page.get_by_test_id("stPopoverBody").locator("input[type=file]")
        (over if over.count() else self.page.locator("input[type=file]")).nth(place).set_input_files(files=[file])
        expect(self.page.get_by_text(name).first).to_be_visible()
        ready(self.page)

    def wait_for(self, selector: str, text: str = "") -> None:
        found = self.page.locator(selector).filter(has_text=text).first
        expect(found).to_be_visible()
        ready(self.page)
        self.addresses.add(self.page.url)

    def take(self, *labels: str) -> None:
        for label in labels:
            take(self.page, self.folder / "downloads", label)


def finds(visitor: Visitor) -> None:
    """Give own pictures to the first page and to an audit, and take its results away."""
    page = visitor.page
    visitor.visit("")
    unfold(page.get_by_text(t.GLIMPSE_TITLE))
    visitor.pick(f"{marks.WORD}.png", marks.picture() + bytes(3_000_000))  # what stands behind an image is not read
    visitor.press(t.GLIMPSE_START)
    visitor.wait_for(".ldp-path >> nth=1")

    visitor.visit(f"audit?{OWN}")
    page.get_by_text(t.ADVANCED, exact=True).click()
    visitor.pick(f"{marks.WORD}.zip", marks.archive())
    visitor.press(t.RUN)
    visitor.wait_for(".ldp-verdict[data-state]")
    keep(page)
    page.get_by_text(t.TAKE_IMAGES).click()
    visitor.take(t.TAKE_HTML, t.DOWNLOAD_JSON, t.TAKE_PICTURED)


def more(visitor: Visitor) -> None:
    """Run what else there is to run, and take the results away."""
    visitor.visit(f"compare?{FEW}&tests=white,black")
    name_folder(visitor, marks.folder(visitor.folder))
    visitor.press(t.CMP_RUN)
    visitor.wait_for("[role=tab]", t.TABS_AFTER[-1])
    visitor.take(t.TAKE_HTML, t.TAKE_FILES["table.csv"], t.DOWNLOAD_JSON)

    visitor.visit("check?subject=faulty-twice-epsilon&reports=8000&dimension=8&seed=3")
    visitor.press(t.CHECK_RUN)
    visitor.wait_for("[class*=st-key-check_] .ldp-verdict")
    visitor.take(t.TAKE_HTML)

    visitor.visit("check?way=files&reports=10000&dimension=4")
    visitor.press(t.CHECK_MAKE)
    visitor.take(t.CHECK_CHALLENGE, t.CHECK_KEY)

    whole = marks.folder(visitor.folder)
    (whole / marks.names()[0]).write_bytes(marks.picture()[:200])
    visitor.visit(f"compare?{FEW}")
    name_folder(visitor, whole)
    visitor.press(t.CMP_RUN)
    visitor.wait_for("[data-testid=stAlert]", "1 that cannot be read")


def mistakes(visitor: Visitor) -> None:
    """Name a folder that is not there, and meet a bug in the worker and one on a page."""
    page = visitor.page
    visitor.visit(f"compare?{FEW}")
    name_folder(visitor, visitor.folder / f"{marks.WORD}-nowhere")
    visitor.press(t.CMP_RUN)
    visitor.wait_for("[data-testid=stAlert]", "cannot be read")

    visitor.visit("utility?cost_rounds=1&cost_clients=10")
    visitor.press(t.COST_RUN)
    visitor.wait_for("[data-testid=stAlert]", t.BUG[:20])

    page.goto(f"{visitor.address}/check?bug=1")
    visitor.wait_for("[data-testid=stException]", "RuntimeError")
    assert marks.WORD not in page.inner_text("body")


def name_folder(visitor: Visitor, folder: Path) -> None:
    """Type the folder of one's own images."""
    visitor.page.get_by_text(t.ADVANCED, exact=True).click()
    field = visitor.page.get_by_role("textbox", name=t.OWN_FOLDER)
    field.fill(str(folder))
    field.press("Enter")
    expect(visitor.page.get_by_text(t.OWN_MISSING)).to_be_hidden()
    ready(visitor.page)


def answer(host: str, port: int) -> str:
    """Return whether somebody answers there, or what is said instead."""
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        return type(error).__name__
    return "answers"


def main() -> None:
    """Serve the app, visit it, and write down what the browser saw."""
    part, folder = sys.argv[1], Path(sys.argv[2])
    (folder / "downloads").mkdir()
    script = app_with_mistakes(folder)
    port = free_port()
    with (
        running_app(folder / "cache", port=port, log=folder / "server.log", script=script) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
        patient(context)
        visitor = Visitor(context.new_page(), address, folder)
        try:
            finds(visitor)
            if part == "whole":
                more(visitor)
            mistakes(visitor)
        finally:
            visitor.page.screenshot(path=folder / "last.png")
        answers = {host: answer(host, port) for host in sys.argv[3:]}
        browser.close()
    seen = {"port": port, "answers": answers, "addresses": sorted(visitor.addresses), "outcries": visitor.outcries}
    (folder / "session.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main()
