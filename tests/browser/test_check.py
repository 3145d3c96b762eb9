"""The page that checks a mechanism, in a real Chromium: one caught, upload to verdict, and a phone."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from ldp_core.checking.claims import FIXED_PAIRS, from_json
from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.faulty import FAULTY
from pages.widgets.sources import MOST_UPLOAD_MB
from tests.browser.line import Line
from tests.browser.test_flows import _fits, ready, take, visit, whole
from tests.helpers.patience import patient
from tests.helpers.server import running_app
from tests.helpers.words import en as t
from tests.helpers.words import ja

pytestmark = pytest.mark.browser
QUICK = "reports=40000&dimension=8&seed=3"


def verdict(page: Page) -> str:
    box = page.locator("[class*=st-key-check_]")
    expect(box.locator(".ldp-head")).to_be_visible()
    ready(page)
    return box.inner_text()


def upload(page: Page, line: Line, field: Locator, file: FilePayload) -> None:
    """Give a file and wait until it counts: of two within some milliseconds one may be lost (see tests/README.md)."""
    line.next_ask(lambda: field.set_input_files(file))
    whole(page)


@pytest.mark.nightly  # by day tests/browser/test_flows.py, with a test
def test_first_request_of_a_fresh_server_is_a_deep_link(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "cache") as address:
        page = patient(browser.new_page())
        visit(page, f"{address}/check?subject=faulty-memory&epsilon=2")
        expect(page.locator("h1")).to_have_text(t.CHECK_TITLE)
        expect(page.locator(".st-key-subject_note")).to_contain_text("mixes your update with the one before")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


@pytest.mark.nightly  # by day tests/app/test_check.py, and tests/browser/test_clicks.py with a test
def test_a_check_is_followed_live_and_stopped(page: Page, address: str) -> None:
    visit(page, f"{address}/check?subject=ldp-sgd&reports=1500000&seed=3")
    page.get_by_role("button", name=t.CHECK_RUN, exact=True).click()
    expect(page.locator(".st-key-progress_check")).to_be_visible()
    expect(page.locator(".ldp-exam li").first).to_contain_text(t.CHECK_ANSWERS["kept"])
    expect(page.get_by_text(re.compile("^So far the leak is"))).to_be_visible()
    expect(page.locator(".ldp-progress figure img")).to_be_visible()
    page.reload()  # it goes on
    expect(page.locator(".st-key-progress_check")).to_be_visible()
    page.locator(".st-key-cancel_check button").click()
    assert "Stopped after" in verdict(page)


def test_a_faulty_one_is_caught(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, f"{address}/check?{QUICK}")
    page.get_by_role("button", name=t.CHECK_RUN, exact=True).click()
    assert t.CHECK_HEADLINES["rejected"] in verdict(page)
    expect(page.locator("[class*=st-key-check_rejected]")).to_contain_text("The check found it")
    expect(page.locator(".ldp-exam li")).to_have_count(len(t.CHECK_CLAUSES))
    page.locator("summary").filter(has_text=t.CHECK_LOOKS_TITLE).click()
    expect(page.get_by_role("region", name=t.CHECK_LOOKS_TITLE)).to_be_visible()
    page.locator("summary").filter(has_text=t.CHECK_TRIED_TITLE).click()
    pairs = page.get_by_role("region", name=t.CHECK_TRIED_TITLE).locator("tbody tr")
    assert pairs.count() >= len(FIXED_PAIRS)
    expect(pairs.filter(has_text=t.CHECK_PAIRS["half-flip"])).to_have_count(1)
    content = take(page, tmp_path, t.DOWNLOAD_JSON).read_text(encoding="utf-8")
    assert json.loads(content)["verdict"] == "claim_rejected"
    assert from_json(content).config.subject == "faulty-twice-epsilon"


@pytest.mark.parametrize(
    ("name", "state"),
    [pytest.param("ldp-sgd", "kept", marks=pytest.mark.nightly), ("faulty-twice-epsilon", "rejected")],
)
def test_from_a_challenge_over_an_upload_to_a_verdict(
    page: Page, address: str, tmp_path: Path, name: str, state: str
) -> None:
    line = Line(page)
    visit(page, f"{address}/check?way=files&{QUICK}&confidence=99.99")
    page.get_by_role("button", name=t.CHECK_MAKE, exact=True).click()
    challenge, secret = (take(page, tmp_path, label) for label in (t.CHECK_CHALLENGE, t.CHECK_KEY))
    given = np.load(challenge)  # what the vendor does, anywhere
    kind = ({**MECHANISMS, **FAULTY})[name]
    mechanism = kind(float(given["epsilon"]), float(given["clip_norm"]))
    gradients, order = torch.from_numpy(given["gradients"]), given["order"]
    generator, reports = torch.Generator().manual_seed(7), np.empty((len(order), gradients.shape[1]), np.float32)
    for index, gradient in enumerate(gradients):
        rows = np.flatnonzero(order == index)
        reports[rows] = mechanism.randomize(gradient, len(rows), generator).numpy()
    answers = io.BytesIO()
    np.savez(answers, reports=reports)

    octets = "application/octet-stream"
    inputs = page.locator("[data-testid=stFileUploader] input[type=file]")
    upload(page, line, inputs.nth(0), {"name": "private-name.npz", "mimeType": octets, "buffer": answers.getvalue()})
    expect(page.get_by_text("private-name.npz")).to_be_visible()
    inputs.nth(1).set_input_files({"name": "key.json", "mimeType": "application/json", "buffer": secret.read_bytes()})
    expect(page.get_by_role("button", name=t.CHECK_JUDGE, exact=True)).to_be_enabled()
    page.get_by_role("button", name=t.CHECK_JUDGE, exact=True).click()
    text = verdict(page)
    assert t.CHECK_HEADLINES[state] in text
    assert t.CHECK_FILE_SUBJECT in text
    assert "private-name" not in page.url
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.nightly
def test_the_button_waits_for_no_plan_and_moves_for_none(page: Page, address: str) -> None:
    """What the planned check would catch takes a second to work out, and stands where its place was kept."""
    visit(page, f"{address}/check?reports=35000&dimension=4")
    button = page.locator(".st-key-run button")
    before = button.bounding_box()
    said = page.get_by_text("would be caught with 95 % chance")
    expect(said).to_be_visible()
    page.locator("summary").filter(has_text=t.ADVANCED).click()
    field = page.get_by_role("spinbutton", name=t.CHECK_REPORTS)
    first = said.inner_text()
    field.fill("36000")
    field.press("Enter")
    expect(field).to_have_value("36000")
    expect(said).not_to_have_text(first)
    after = button.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 30  # a line more or less, never a jump


@pytest.mark.nightly  # by day tests/app/test_check.py
def test_hostile_answers_are_one_sentence(page: Page, address: str, tmp_path: Path) -> None:
    line = Line(page)
    visit(page, f"{address}/check?way=files&reports=10000&dimension=4&lang=ja")
    page.locator(".st-key-make button").click()
    key = take(page, tmp_path, ja.CHECK_KEY).read_bytes()
    inputs = page.locator("[data-testid=stFileUploader] input[type=file]")
    octets = "application/octet-stream"
    upload(page, line, inputs.nth(0), {"name": "x.npz", "mimeType": octets, "buffer": b"PK\x03\x04 not an archive"})
    expect(page.get_by_text("x.npz")).to_be_visible()
    inputs.nth(1).set_input_files({"name": "key.json", "mimeType": "application/json", "buffer": key})
    page.locator(".st-key-judge_run button").click()
    shown = re.sub(r"`", "", ja.CHECK_FILE_ERRORS["responses"].format(limit=MOST_UPLOAD_MB))
    expect(page.get_by_test_id("stAlert")).to_have_text(shown)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize("look", [{"viewport": {"width": 360, "height": 740}}])
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
def test_phone_shows_the_result_first_and_scrolls_down_only(page: Page, address: str, language: str) -> None:
    for way in ("files", "builtin"):
        visit(page, f"{address}/check?{QUICK}&lang={language}&way={way}")
        _fits(page)
    page.locator(".st-key-run button").click()
    verdict(page)
    whole(page)
    _fits(page)
    result, settings = page.locator("[class*=st-key-check_]"), page.locator(".st-key-run")
    boxes = result.bounding_box(), settings.bounding_box()
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] < boxes[1]["y"]
