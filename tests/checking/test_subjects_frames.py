"""The frames between the deciding process and a mechanism's: whatever comes, it is reports or one sentence."""

import json

import numpy as np
import pytest

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._frames import ANSWER, BROKEN, HEADER, STATED, Reader
from ldp_core.errors import MechanismContractError


def answer_of(reports: np.ndarray) -> bytes:
    return b"".join(bytes(part) for part in _frames.answer(reports))


@pytest.mark.parametrize("kind", ["?", "i1", "u1", ">i2", "u2", "i4", "u4", "i8", "u8", "f2", ">f4", "f8"])
def test_reports_of_every_type_arrive_in_pieces_of_every_size(kind: str) -> None:
    reports = np.arange(6).reshape(3, 2).astype(kind)
    frame = answer_of(reports)
    for size in (1, 7, len(frame)):
        reader = Reader(3, 10)
        ends = [reader.feed(frame[start : start + size]) for start in range(0, len(frame), size)]
        assert ends == [False] * (len(ends) - 1) + [True]
        assert (reader.reports() == reports).all()
        assert reader.reports().dtype.kind == reports.dtype.kind
        assert reader.reports().dtype.itemsize == reports.dtype.itemsize


def test_a_request_arrives() -> None:
    gradient = np.linspace(-1, 1, 7, dtype=np.float32)
    found, count = _frames.asked(_frames.request(gradient, 123_456_789_012)[HEADER.size :])
    assert (found == gradient).all()
    assert found.flags.writeable
    assert count == 123_456_789_012


def taken(frame: bytes) -> np.ndarray:
    reader = Reader(3, 10, 2)
    assert reader.feed(frame)
    return reader.reports()


REPORTS = answer_of(np.zeros((3, 2)))
HEAD = HEADER.size


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (b"x" * 40, "other bytes"),
        (HEADER.pack(b"R", 8) + bytes(8), "other bytes"),
        (HEADER.pack(BROKEN, 2**63), "other bytes"),
        (HEADER.pack(ANSWER, 2**63) + REPORTS[HEAD:], "other bytes"),
        (REPORTS + b"x", "more bytes"),
        (HEADER.pack(ANSWER, 21) + REPORTS[HEAD : HEAD + 21], "fewer"),
        (answer_of(np.zeros((4, 2))), "3 reports of 1 to 10 numbers, got 4 of 2"),
        (answer_of(np.zeros((3, 11))), "got 3 of 11"),
        (answer_of(np.zeros((3, 5))), "one length, got 2 and 5"),
        (REPORTS.replace(b"<f8", b"|O8"), "got 3 of 2"),
    ],
)
def test_what_is_no_answer_is_refused_before_it_is_taken(frame: bytes, words: str) -> None:
    with pytest.raises(MechanismContractError, match=words):
        taken(frame)


@pytest.mark.parametrize("words", [b"", b"{", b"[" * 60_000, b"\xff"])
def test_words_that_are_no_json_are_refused(words: bytes) -> None:
    reader = Reader()
    assert reader.feed(HEADER.pack(STATED, len(words)) + words)
    with pytest.raises(MechanismContractError, match="must be JSON"):
        reader.words()
    assert json.loads(_frames.words(STATED, {"epsilon": 1.0})[HEAD:]) == {"epsilon": 1.0}
