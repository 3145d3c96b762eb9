"""A thousand spoiled files of answers through each way in: `pytest -m soak -s tests/soak/test_hostile_files.py`."""

import contextlib
import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects import challenge_bytes
from ldp_core.cli import main
from pages import jobs
from pages.server.uploads import MOST_UPLOAD_MB
from tests.app.conftest import _own_manager, open_page  # noqa: F401
from tests.helpers.spoiled import npz, spoiled
from tests.helpers.words import en as t

pytestmark = pytest.mark.soak
FILES = 1_000
CONFIG = CheckConfig("somebody's", 1.0, 7, dimension=2, reports=10_000, adaptive=False)
CHALLENGE, KEY = challenge_bytes(CONFIG)


def answers(seed: int) -> Iterator[bytes]:
    """Yield spoiled files; one in forty is whole and has strange numbers alone."""
    draw = random.Random(seed)
    with np.load(io.BytesIO(CHALLENGE)) as given:
        rows = len(given["order"])
    reports = np.random.default_rng(seed).standard_normal((rows, 2)).astype(np.float32)
    right = npz(reports=reports)
    for number in range(FILES):
        strange = reports.copy()
        strange[draw.randrange(rows) :: 500] = draw.choice([np.nan, np.inf, 0.0, 1e-45, 3e38])
        yield spoiled(right, draw) if number % 40 else npz(reports=strange)


def test_a_thousand_files_through_the_command_line(tmp_path: Path) -> None:
    given, key = tmp_path / "answers.npz", tmp_path / "key.json"
    key.write_bytes(KEY)
    codes: Counter[int] = Counter()
    for content in answers(1):
        given.write_bytes(content)
        said, failed = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(failed):
            code = main(["check", "--responses", str(given), "--key", str(key), "--json", "-"])
        codes[code] += 1
        assert "Traceback" not in failed.getvalue()
        if code == 2:
            assert said.getvalue() == ""
            sentence = failed.getvalue().splitlines()[-1]
            assert sentence.startswith("error: ")
            assert sentence.isprintable()
            assert len(sentence) < 600
        else:
            assert json.loads(said.getvalue())["schema"] == "ldp-check/2"
    print(f"{FILES} files through the command line, exit codes: {dict(codes)}")
    assert set(codes) <= {0, 1, 2}
    assert codes[2] > 0.8 * FILES


def test_a_thousand_files_through_the_page(open_page: Callable[..., AppTest], caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    at = open_page("check", way="files")
    shown: Counter[str] = Counter()
    for content in answers(2):
        at.file_uploader(key="responses").upload("answers.npz", content, "application/octet-stream")
        at.file_uploader(key="key").upload("key.json", KEY, "application/json").run()
        at.button(key="judge_run").click().run()
        assert not at.exception
        if "check" in at.query_params:
            job_id = at.query_params["check"]
            job = jobs.manager().get(job_id)
            assert job is not None
            assert job.ended.wait(120.0)
            shown[job.state] += 1
            at = open_page("check", way="files")
        else:
            (error,) = at.error
            shown[error.value] += 1
    print(f"{FILES} files through the page: {dict(shown)}")
    refused = t.CHECK_FILE_ERRORS["responses"].format(limit=MOST_UPLOAD_MB)
    assert set(shown) <= {refused, "done"}
    assert shown[refused] > 0.8 * FILES
    assert "Traceback" not in caplog.text
