"""The page that checks a mechanism, in a real Chromium: one caught, upload to verdict, and a phone."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from ldp_core.checking.claims import FIXED_PAIRS, from_json
from tests.browser.line import Line
from tests.browser.test_flows import ready, take, visit, whole
from tests.helpers.checking import vendors_reports
from tests.helpers.words import en as t

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


@pytest.mark.nightly
def test_from_a_challenge_over_an_upload_to_a_verdict(page: Page, address: str, tmp_path: Path) -> None:
    line = Line(page)
    visit(page, f"{address}/check?way=files&{QUICK}&confidence=99.99")
    page.get_by_role("button", name=t.CHECK_MAKE, exact=True).click()
    challenge, secret = (take(page, tmp_path, label) for label in (t.CHECK_CHALLENGE, t.CHECK_KEY))
    given = np.load(challenge)  # what the vendor does, anywhere
    answers = io.BytesIO()
    np.savez(answers, reports=vendors_reports(given, "faulty-twice-epsilon", float(given["epsilon"])))

    octets = "application/octet-stream"
    inputs = page.locator("[data-testid=stFileUploader] input[type=file]")
    upload(page, line, inputs.nth(0), {"name": "private-name.npz", "mimeType": octets, "buffer": answers.getvalue()})
    expect(page.get_by_text("private-name.npz")).to_be_visible()
    inputs.nth(1).set_input_files({"name": "key.json", "mimeType": "application/json", "buffer": secret.read_bytes()})
    expect(page.get_by_role("button", name=t.CHECK_JUDGE, exact=True)).to_be_enabled()
    page.get_by_role("button", name=t.CHECK_JUDGE, exact=True).click()
    text = verdict(page)
    assert t.CHECK_HEADLINES["rejected"] in text
    assert t.CHECK_FILE_SUBJECT in text
    assert "private-name" not in page.url
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
