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

from ldp_core.cli import main

RANDOM = np.random.default_rng(21)
NOISE = RANDOM.normal(size=(2, 500, 3))


def saved(folder: Path, **arrays: Any) -> str:
    path = folder / "replies.npz"
    np.savez(path, **arrays)
    return str(path)


CLAIM = ("--gaussian", "1:4", "--seed", "1")


@pytest.mark.parametrize(
    ("second", "code", "said"),
    [
        (NOISE[1], 0, "Not rejected"),
        (NOISE[1] + 2.0, 1, "mu at least"),
        (np.repeat(NOISE[1][:250], 2, axis=0), 1, "come again"),
    ],
)
def test_two_samples_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: Any, code: int, said: str
) -> None:
    assert main(["check", "--replies", saved(tmp_path, first=NOISE[0], second=second), *CLAIM]) == code
    assert said in capsys.readouterr().out


def test_the_sign_of_zero_is_a_number_without_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (
        np.column_stack((noise, np.full(500, zero))) for noise, zero in zip(NOISE, (0.0, -0.0), strict=True)
    )
    assert main(["check", "--replies", saved(tmp_path, first=first, second=second), *CLAIM]) == 1
    assert "two data sets: column 3." in capsys.readouterr().out


def test_a_column_without_noise_is_named_and_may_be_public(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = NOISE[0].copy(), NOISE[1].copy()
    first[:, 1], second[:, 1] = 0.25, 0.75
    words = ["check", "--replies", saved(tmp_path, first=first, second=second, names=["size", "loss", "norm"])]
    report, page = tmp_path / "found.json", tmp_path / "found.html"
    assert main([*words, "--epsilon", "1", "--json", str(report), "--html", str(page)]) == 1
    shown, repeated = page.read_text(), re.search("Repeat: (.*)", capsys.readouterr().out)
    assert repeated is not None
    assert html.escape(repeated[1]) in shown
    assert re.findall('<th scope="row"[^>]*>([a-z]*)<', shown)[0] == "loss", "what has no noise stands first"
    assert "The claim is rejected." in shown
    found = json.loads(report.read_text())
    assert (found["bare"], found["rejected"], found["schema"]) == (["loss"], True, "ldp-check-replies/1")
    assert main([*words, "--epsilon", "1", "--public", "loss", "--seed", "2", "--must-detect", "3"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1].startswith("Repeat: python -m ldp_core check --replies")
    assert main([*words, "--epsilon", "1", "--public", "lost"]) == 2
    assert "--public must name" in capsys.readouterr().err
    everything = [word for name in ("size", "loss", "norm") for word in ("--public", name)]
    assert main([*words, "--epsilon", "1", *everything]) == 2
    assert "--public must leave something" in capsys.readouterr().err


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
def test_anything_else_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arrays: dict[str, Any], said: str
) -> None:
    assert main(["check", "--replies", saved(tmp_path, **arrays), *CLAIM]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("error: ") == 1
    assert told.out == ""


def test_what_is_no_archive_or_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, buffer = tmp_path / "replies.npz", io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("first.npy", b"\x93NUMPY\x01\x00 cut off")
    for content in (b"", b"no archive", buffer.getvalue()):
        path.write_bytes(content)
        assert main(["check", "--replies", str(path), *CLAIM]) == 2
        assert " must " in capsys.readouterr().err
    assert main(["check", "--replies", str(tmp_path / "none.npz"), *CLAIM]) == 2


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
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    path = saved(tmp_path, first=NOISE[0], second=NOISE[1])
    assert main(["check", "--replies", path, *words]) == 2
    assert said in capsys.readouterr().err


def test_options_of_replies_are_refused_without_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nothing:There", "--epsilon", "1", "--gaussian", "1:4"]) == 2
    assert "--replies" in capsys.readouterr().err
