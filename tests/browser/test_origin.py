"""Nobody else's page gets in: other ports, other names, other sites, files that are too large, words that are HTML."""

import html
import http.client
import http.server
import io
import re
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from ldp_core.checking import claims
from pages.widgets.sources import MOST_UPLOAD_MB
from tests.browser.test_flows import keep, ready, take, visit, whole
from tests.helpers import marks
from tests.helpers.claimed import checked
from tests.helpers.patience import PATIENCE, patient
from tests.helpers.server import CHROMIUM_FLAGS, chromium, free_port
from tests.helpers.words import en as t

pytestmark = pytest.mark.browser
HTML = """<img src=x onerror="document.title='entered'">"""
_PROBE = """async ([app, script]) => {
    const settled = (start) => Promise.race([
        new Promise(start).then(() => "loaded", () => "refused"),
        new Promise((done) => setTimeout(done, 60000, "silence")),
    ]);
    const loads = (tag, more) => settled((done, fail) => {
        document.body.append(Object.assign(document.createElement(tag), {onload: done, onerror: fail}, more));
    });
    return {
        socket: await settled((done, fail) => {
            const socket = new WebSocket(app.replace("http", "ws") + "/_stcore/stream", ["streamlit"]);
            socket.onopen = () => done(socket.close());
            socket.onerror = fail;
        }),
        read: await settled((done, fail) => fetch(app + "/_stcore/host-config").then(done, fail)),
        write: await settled((done, fail) => fetch(app + "/_stcore/upload_file/a/b", {method: "PUT"}).then(done, fail)),
        script: await loads("script", {src: script}),
        image: await loads("img", {src: app + "/favicon.png"}),
    };
}"""

_REACHES = "(other) => fetch(other, {mode: 'no-cors'}).then(() => 'loaded', () => 'refused')"
_MAKES_CODE = """() => new Promise(done => setTimeout(() => {
    try { done(new Function("return 'made'")()); } catch { done("refused"); }
}))"""
"""Later, by the page itself: what a test has a page evaluate may make code wherever it is."""

_FOREIGN_IMAGE = "img[src=x], img[src*=':9']"
_FRAME = "(app) => { document.body.append(Object.assign(document.createElement('iframe'), {src: app})); }"


class _Foreign(http.server.BaseHTTPRequestHandler):
    """A page of another program on this device."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>foreign</title><body></body>")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def foreign_port() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), _Foreign) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def elsewhere(browser: Browser) -> Iterator[Browser]:
    """Return a browser in which every name that ends in .test leads to this device."""
    rule = "--host-resolver-rules=MAP *.test 127.0.0.1"
    started = browser.browser_type.launch(executable_path=chromium(), args=[*CHROMIUM_FLAGS, rule])
    yield started
    started.close()


@pytest.fixture(scope="module")
def script(address: str) -> str:
    """Return the path of the script that the app's page begins with."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        found = re.search(r'src="\./(static/js/[^"]+)"', answer.read().decode())
    return found[1]


def probe(page: Page, address: str, script: str) -> dict[str, str]:
    """Return what a page got of a server in the ways that pages have."""
    return page.evaluate(_PROBE, [address, f"{address}/{script}"])


def test_own_page_gets_in_under_both_of_its_names(browser: Browser, address: str, script: str) -> None:
    """Without this, the refusals below would prove nothing."""
    for name in ("127.0.0.1", "localhost"):
        page = patient(browser.new_page())
        own = address.replace("127.0.0.1", name)
        page.goto(f"{own}/_stcore/health")
        assert set(probe(page, own, script).values()) == {"loaded"}
        page.close()


@pytest.mark.parametrize("host", [pytest.param("127.0.0.1", marks=pytest.mark.nightly), "other.test"])
def test_a_foreign_page_can_open_a_link_and_nothing_else(
    elsewhere: Browser, address: str, script: str, foreign_port: int, host: str
) -> None:
    page = patient(elsewhere.new_page())
    page.goto(f"http://{host}:{foreign_port}/")
    assert set(probe(page, address, script).values()) == {"refused"}
    with page.expect_response(f"{address}/") as framed:
        page.evaluate(_FRAME, f"{address}/")
    assert framed.value.status == 403
    with page.expect_popup() as opened:
        page.evaluate("(app) => { window.handle = open(app); }", f"{address}/check")
    expect(opened.value.locator("h1")).to_have_text(t.CHECK_TITLE)
    assert page.evaluate("handle.closed || handle.length === 0")
    page.close()


def test_own_page_reaches_nothing_but_its_server_and_makes_no_code(
    browser: Browser, address: str, foreign_port: int
) -> None:
    page = patient(browser.new_page())
    here, other = (f"http://{host}:{foreign_port}/" for host in ("127.0.0.1", "localhost"))
    page.goto(here)  # a page without our policy; else the refusals would prove nothing
    assert (page.evaluate(_REACHES, other), page.evaluate(_MAKES_CODE)) == ("loaded", "made")
    visit(page, address)
    assert (page.evaluate(_REACHES, other), page.evaluate(_MAKES_CODE)) == ("refused", "refused")
    assert page.evaluate(_REACHES, f"{address}/_stcore/health") == "loaded"
    page.close()


def test_a_name_that_only_leads_here_is_refused(elsewhere: Browser, address: str) -> None:
    """The page of another site that has its own name point to this device (DNS rebinding) is of the same origin."""
    page = patient(elsewhere.new_page())
    rebound = address.replace("127.0.0.1", "rebound.test")
    answer = page.goto(rebound)
    assert answer.status == 403
    assert probe(page, rebound, "")["socket"] == "refused"
    page.close()


@pytest.mark.nightly
def test_a_file_too_large_or_of_another_kind_is_refused(page: Page, address: str) -> None:
    puts: list[Request] = []
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    visit(page, f"{address}/audit?dataset=own&training=none")
    page.get_by_text(t.ADVANCED, exact=True).click()
    field = page.get_by_test_id("stPopoverBody").locator("input[type=file]").first
    program: Any = {"name": "program.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"}
    field.set_input_files(files=[program])
    expect(page.get_by_text("application/octet-stream files are not allowed")).to_be_visible()
    images: Any = {"name": "mine.zip", "mimeType": "application/zip", "buffer": marks.archive()}
    field.set_input_files(files=[images])
    expect(page.get_by_text(t.OWN_MISSING)).to_be_hidden()
    assert [request.response().status for request in puts] == [204]  # type: ignore[union-attr]

    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
    connection.putrequest("PUT", puts[0].url.removeprefix(address))
    for name, value in (puts[0].all_headers() | {"content-length": str(MOST_UPLOAD_MB * 2**20 + 1)}).items():
        if name not in ("host", "accept-encoding"):
            connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "taken"), [("program.exe", False), ("other.zip", True)])
def test_the_server_takes_no_file_of_another_kind_past_the_browser(
    page: Page, address: str, name: str, taken: bool
) -> None:
    """Streamlit keeps whatever a session sends it, and looks at its name when the page wants to have it."""
    puts: list[Request] = []
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    visit(page, f"{address}/audit?dataset=own&training=none&attack=benign&trials=300&measurements=1&seed=5")
    page.get_by_text(t.ADVANCED, exact=True).click()
    images: Any = {"name": "mine.zip", "mimeType": "application/zip", "buffer": marks.archive()}
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").first.set_input_files(files=[images])
    expect(page.get_by_text(t.OWN_MISSING)).to_be_hidden()
    ready(page)
    assert put_again(puts[0], name, marks.archive()) == 204
    page.get_by_role("button", name=t.RUN, exact=True).click()
    verdict, refusal = page.locator(".ldp-verdict[data-state]"), page.get_by_test_id("stException")
    expect(verdict.or_(refusal)).to_be_visible()
    ready(page)
    assert ("job=" in page.url, verdict.count(), refusal.count()) == ((True, 1, 0) if taken else (False, 0, 1))
    if not taken:
        assert refusal.inner_text().startswith("streamlit.errors.StreamlitAPIException")


def put_again(request: Request, name: str, content: bytes) -> int:
    """Send another file in the place of one that the page sent; return the status."""
    place, line = urlsplit(request.url), "an-end-of-a-part"
    head = f'--{line}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    sent = {key: value for key, value in request.all_headers().items() if key in ("cookie", "origin", "x-xsrftoken")}
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    body = head.encode() + content + f"\r\n--{line}--\r\n".encode()
    connection.request("PUT", place.path, body, {**sent, "Content-Type": f"multipart/form-data; boundary={line}"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_html_in_names_and_labels_is_text(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/audit?dataset=own&training=none&attack=benign&trials=300&measurements=1&seed=5&job={HTML}")
    page.get_by_text(t.ADVANCED, exact=True).click()
    images = io.BytesIO()
    with zipfile.ZipFile(images, "w") as archive:
        for number in range(24):
            archive.writestr(f"{HTML}{number % 2}/{HTML}{number}.png", marks.picture(number))
    name = f"{HTML}.zip"
    upload: Any = {"name": name, "mimeType": "application/zip", "buffer": images.getvalue()}
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").first.set_input_files(files=[upload])
    expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()  # beside it the name is shortened
    ready(page)
    page.get_by_role("button", name=t.RUN, exact=True).click()
    expect(page.locator(".ldp-verdict[data-state]")).to_be_visible()
    ready(page)
    expect(page.locator(".ldp-pair img")).to_have_count(2)
    page.get_by_role("button", name=t.ADVANCED, exact=True).click()
    expect(page.get_by_test_id("stFileChipName")).to_have_attribute("title", name)
    page.keyboard.press("Escape")
    assert page.locator(_FOREIGN_IMAGE).count() == 0
    assert page.title() == t.NAV_AUDIT
    whole(page)  # a click within the milliseconds in which a page begins to be drawn may be lost
    keep(page)
    page.get_by_text(t.TAKE_IMAGES).click()
    report = take(page, tmp_path, t.TAKE_PICTURED).read_text(encoding="utf-8")
    assert "data:image/png" in report
    assert "onerror" not in report, "no label and no name is told at all"
    assert page.title() == t.NAV_AUDIT


@pytest.mark.nightly  # by day tests/app/test_check.py opens one, and tests/presentation/test_takeaway.py writes it down
def test_html_in_an_opened_result_is_text(page: Page, address: str, tmp_path: Path) -> None:
    mark = f"{HTML} ![x](http://127.0.0.1:9/x.png) **b**"
    result = replace(checked(3.0, subject=mark), versions={"python": HTML})
    saved: Any = {"name": "saved.json", "mimeType": "application/json", "buffer": claims.to_json(result).encode()}
    visit(page, f"{address}/check?subject={HTML}")
    page.get_by_text(t.OPEN_TITLE).click()
    page.locator("input[type=file]").last.set_input_files(files=[saved])
    expect(page.get_by_text(t.OPENED_TITLE)).to_be_visible()
    expect(page.get_by_text(HTML).first).to_be_visible()
    ready(page)
    assert page.locator(_FOREIGN_IMAGE).count() == 0
    assert page.title() == t.NAV_CHECK
    report = take(page, tmp_path, t.TAKE_HTML).read_text(encoding="utf-8")
    assert html.escape(HTML) in report
    assert HTML not in report
    assert "entered" not in page.title()
