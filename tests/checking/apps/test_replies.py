"""``check --replies``: two samples from a file are judged; whatever else is in a file is a sentence, exit code 2."""

import html
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commands import Refused, Run

RANDOM = np.random.default_rng(21)
NOISE = RANDOM.normal(size=(2, 500, 3))
ZEROS = [np.column_stack((noise, np.full(500, zero))) for noise, zero in zip(NOISE, (0.0, -0.0), strict=True)]


def saved(folder: Path, **arrays: Any) -> str:
    path = folder / "replies.npz"
    np.savez(path, **arrays)
    return str(path)


CLAIM = ("--gaussian", "1:4", "--seed", "1")


@pytest.mark.parametrize(
    ("first", "second", "code", "said"),
    [
        (NOISE[0], NOISE[1], 0, "Not rejected"),
        (NOISE[0], NOISE[1] + 2.0, 1, "mu at least"),
        (NOISE[0], np.repeat(NOISE[1][:250], 2, axis=0), 1, "come again"),
        (*ZEROS, 1, "two data sets: column 3."),
    ],
)
def test_two_samples_are_judged(tmp_path: Path, run: Run, first: Any, second: Any, code: int, said: str) -> None:
    found, out, _ = run("check", "--replies", saved(tmp_path, first=first, second=second), *CLAIM)
    assert (found, said in out) == (code, True)


def test_a_column_without_noise_is_named_and_may_be_public(tmp_path: Path, run: Run, refused: Refused) -> None:
    first, second = NOISE[0].copy(), NOISE[1].copy()
    first[:, 1], second[:, 1] = 0.25, 0.75
    words = ["check", "--replies", saved(tmp_path, first=first, second=second, names=["size", "loss", "norm"])]
    report, page = tmp_path / "found.json", tmp_path / "found.html"
    code, out, _ = run(*words, "--epsilon", "1", "--json", report, "--html", page)
    shown, repeated = page.read_text(), re.search("Repeat: (.*)", out)
    assert code == 1
    assert html.escape(repeated[1]) in shown
    assert re.findall('<th scope="row"[^>]*>([a-z]*)<', shown)[0] == "loss", "what has no noise stands first"
    assert "The claim is rejected." in shown
    found = json.loads(report.read_text())
    assert (found["bare"], found["rejected"], found["schema"]) == (["loss"], True, "ldp-check-replies/1")
    code, out, _ = run(*words, "--epsilon", "1", "--public", "loss", "--seed", "2", "--must-detect", "3")
    assert code == 0
    assert out.splitlines()[-1].startswith("Repeat: python -m ldp_core check --replies")
    assert "--public must name" in refused(*words, "--epsilon", "1", "--public", "lost")
    everything = [word for name in ("size", "loss", "norm") for word in ("--public", name)]
    assert "--public must leave something" in refused(*words, "--epsilon", "1", *everything)


def pickled() -> Any:
    array = np.empty((60, 1), object)
    array[:] = 1.0
    return array


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"first": NOISE[0]}, "one array named second"),
        ({"first": NOISE[0], "second": NOISE[1][:, :2]}, "must have one shape"),
        ({"first": NOISE[0], "second": NOISE[1][:400]}, "must have one shape"),
        ({"first": NOISE[0][:49], "second": NOISE[1][:49]}, "k from 50"),
        ({"first": NOISE[0].reshape(500, 3, 1), "second": NOISE[1]}, "must have shape"),
        ({"first": NOISE[0], "second": np.where(NOISE[1] > 3.0, np.nan, NOISE[1])}, "must hold finite numbers"),
        ({"first": NOISE[0], "second": np.where(NOISE[1] > 3.0, np.inf, NOISE[1])}, "must hold finite numbers"),
        ({"first": pickled(), "second": pickled()}, "must hold real numbers"),
        ({"first": NOISE[0] + 1j, "second": NOISE[1]}, "must hold real numbers"),
        ({"first": NOISE[0], "second": NOISE[1], "names": ["a", "b"]}, "names must be a row of 3 words"),
        ({"first": NOISE[0], "second": NOISE[1], "names": np.array(["a", 1, None], object)}, "names must be a row"),
        ({"first": NOISE[0], "second": NOISE[1], "names": ["a" * 121, "b", "c"]}, "names must be a row"),
    ],
)
def test_anything_else_is_one_sentence(tmp_path: Path, refused: Refused, arrays: dict[str, Any], said: str) -> None:
    assert said in refused("check", "--replies", saved(tmp_path, **arrays), *CLAIM)


def test_what_is_no_archive_or_not_there_is_one_sentence(tmp_path: Path, refused: Refused) -> None:
    path, buffer = tmp_path / "replies.npz", io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("first.npy", b"\x93NUMPY\x01\x00 cut off")
    for content in (b"", b"no archive", buffer.getvalue()):
        path.write_bytes(content)
        assert " must " in refused("check", "--replies", path, *CLAIM)
    assert refused("check", "--replies", tmp_path / "none.npz", *CLAIM)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "one of --epsilon and --gaussian"),
        (("--epsilon", "1", "--gaussian", "1:4"), "one of --epsilon and --gaussian"),
        (("--gaussian", "1"), "CLIP:SIGMA"),
        (("--gaussian", "1:0"), "CLIP:SIGMA"),
        (("--gaussian", "1:4", "--delta", "1e-5"), "--delta"),
        (("--epsilon", "1", "--delta", "0.7"), "delta"),
        (("--epsilon", "1", "--reports", "1000"), "--reports"),
        (("--epsilon", "1", "--must-detect", "1.1"), "1,000 replies catch"),
        (("--epsilon", "1", "--must-detect", "2:side"), "--must-detect"),
        (("--epsilon", "1", "--workers", "2"), "--workers"),
        (("--epsilon", "1", "--key", "key.json"), "--key"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, refused: Refused, words: tuple[str, ...], said: str) -> None:
    path = saved(tmp_path, first=NOISE[0], second=NOISE[1])
    assert said in refused("check", "--replies", path, *words)


def test_options_of_replies_are_refused_without_them(refused: Refused) -> None:
    assert "--replies" in refused("check", "nothing:There", "--epsilon", "1", "--gaussian", "1:4")
