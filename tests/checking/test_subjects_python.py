"""A mechanism that a Python program defines, what goes between it and us, and one of our own by its name."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._child import function_of, imported
from ldp_core.checking.subjects._frames import ANSWER, BROKEN, HEADER, STATED, Reader
from ldp_core.checking.subjects.builtin import builtin
from ldp_core.checking.subjects.calls import ARGUMENTS, CalledSubject, made
from ldp_core.checking.subjects.python import Limits, RemoteSubject, Workers, from_callable
from ldp_core.errors import LdpCoreError, MechanismContractError, MechanismUnavailableError
from tests.checking.test_subjects_command import gone
from tests.helpers.checking import load
from tests.helpers.patience import PATIENCE, until
from tests.helpers.processes import printed
from tests.helpers.vendor import mechanisms, tensors

CONFIG = CheckConfig("somebody's", 1.0, 3, dimension=8, clip_norm=2.0, delta=1e-5)
GRADIENT = np.linspace(-1, 1, 8, dtype=np.float32)
MODULE, LIGHT = "tests.helpers.vendor.mechanisms", "tests.helpers.vendor.light"
TENSORS = "tests.helpers.vendor.tensors"


def called(name: str, arrays: str = "auto") -> CalledSubject:
    """What the mechanism's process does, in this one."""
    values = {name: getattr(CONFIG, name) for name in ARGUMENTS}
    module = TENSORS if hasattr(tensors, name) else MODULE
    return CalledSubject(function_of(made(imported(f"{module}:{name}"), values, ARGUMENTS)), arrays)


def reports_of(name: str, count: int = 40, arrays: str = "auto") -> Any:
    return called(name, arrays).randomize(GRADIENT, count)


@contextmanager
def loaded(name: str, arrays: str = "auto", **limits: Any) -> Iterator[RemoteSubject]:
    with closing(load(f"{LIGHT}:{name}", CONFIG, arrays, limits=Limits(PATIENCE, **limits))) as subject:
        yield subject  # type: ignore[misc]


@pytest.mark.parametrize("error", [MemoryError("Unable to allocate 128. MiB"), OSError(12, "Cannot allocate memory"),
    RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"),
    ImportError("libtorch_cpu.so: failed to map segment from shared object")])  # fmt: skip
def test_too_little_memory_is_no_report_of_a_wrong_form(error: Exception) -> None:
    def randomize(gradient: Any, num_reports: int) -> Any:
        raise error

    with pytest.raises(MechanismUnavailableError, match="must get the memory that it asks for"):
        CalledSubject(randomize).randomize(GRADIENT, 3)


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *(("single", 1), ("batched", 1), ("by_name", 1), ("number", 1), ("torch_only", 8), ("torch_by_deed", 8)),
        *(("Laplace", 8), ("factory", 1), ("ready", 8), ("ready.randomize", 8), ("Server", 8), ("one_buffer", 4)),
    ],
)
def test_every_form_gives_rows_of_numbers(name: str, length: int) -> None:
    reports = reports_of(name)
    assert reports.shape == (40, length)
    assert reports.dtype.kind in "fiu"
    assert np.isfinite(reports).all()


def test_numbers_cross_the_border_as_they_are(capfd: pytest.CaptureFixture[str]) -> None:
    """To the last bit; what it prints is not among them."""
    with loaded("echoes") as subject:
        assert subject.stated == {"clip_norm": 2.0, "clip_order": "l2", "scale": 1.5}
        many = subject.randomize(GRADIENT, 70_000)
        assert many.dtype == np.float32
        assert (many == GRADIENT).all()
        assert many.shape == (70_000, 8)
    assert capfd.readouterr() == ("", "")


def test_a_sentence_leaves_it_running_and_a_mess_ends_it() -> None:
    with loaded("moody") as subject:
        one, two, three, four = (np.full(8, number, np.float32) for number in range(1, 5))
        with pytest.raises(MechanismContractError, match="KeyError: 'not today'"):
            subject.randomize(one, 2)
        assert subject.randomize(two, 2).shape == (2, 8)
        with pytest.raises(MechanismContractError, match="shape"):
            subject.randomize(three, 2)
        with pytest.raises(MechanismUnavailableError, match=r"exit code 9 after 0 of 2 reports; it said: enough"):
            subject.randomize(four, 2)
        until(lambda: gone(subject._process.pid))
        with pytest.raises(MechanismUnavailableError, match="cannot be asked again"):
            subject.randomize(GRADIENT, 1)


def test_a_restart_is_a_process_of_its_own_that_begins_anew() -> None:
    """A seed fixed at import gives the same reports again; an honest mechanism does not."""
    for name, repeats in (("seeded_at_import", True), ("honest", False)):
        with loaded(name) as first:
            before = first.randomize(GRADIENT, 16)
            with closing(first.restarted()) as again:
                after = again.randomize(GRADIENT, 16)
        assert after.shape == (16, 8)
        assert (before == after).all() == repeats


def test_several_at_a_time_split_the_reports_and_leave_nothing() -> None:
    files = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with closing(load(f"{LIGHT}:whoever", CONFIG, limits=Limits(PATIENCE, workers=3))) as subject:
        assert isinstance(subject, Workers)
        first = subject.randomize(GRADIENT, 300)[:, 0]
        assert [len(set(first[start : start + 100])) for start in (0, 100, 200)] == [1, 1, 1]
        assert len(set(first)) == 3
        assert subject.randomize(GRADIENT, 1)[0, 0] == first[0]
        assert len(set(subject.randomize(GRADIENT, 2)[:, 0])) == 2
        again = subject.restarted()
        assert not set(again.randomize(GRADIENT, 300)[:, 0]) & set(first)
        again.close()
    until(lambda: all(gone(int(pid)) for pid in set(first)))
    if files:
        assert len(os.listdir("/proc/self/fd")) == files


def test_a_function_of_this_program_runs_in_copies_that_cannot_change_it() -> None:
    """Also with torch, whose threads this process has used before, and which would not survive a fork."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    torch.randn(400, 400) @ torch.randn(400, 400)
    calls = []

    def randomize(gradient: torch.Tensor, num_reports: int) -> torch.Tensor:
        calls.append(num_reports)
        torch.randn(400, 400) @ torch.randn(400, 400)
        print("not an answer")
        return torch.cat([torch.full((num_reports, 1), float(os.getpid())), gradient.repeat(num_reports, 1)], 1)

    subject = from_callable(randomize, 8)
    try:
        reports = subject.randomize(GRADIENT, 40)
        assert (reports[:, 1:] == GRADIENT).all()
        starts = [subject.restarted()]
        starts.append(starts[0].restarted())
        assert starts[1].restarted() is None
        pids = {one.randomize(GRADIENT, 1)[0, 0] for one in starts if one is not None} | {reports[0, 0]}
        assert len(pids - {float(os.getpid())}) == 3
        for one in starts:
            one.close()  # type: ignore[union-attr]
    finally:
        subject.close()
        torch.set_num_threads(before)
    assert calls == []
    until(lambda: all(gone(int(pid)) for pid in pids))


@pytest.mark.nightly
def test_a_copy_that_ends_or_hangs_is_told_of_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    endings = (
        (lambda gradient: os._exit(0), "exit code 0 after 0 of 1 reports"),
        (lambda gradient: sys.exit(0), "SystemExit: 0"),
        (lambda gradient: time.sleep(PATIENCE), "within 0.5 seconds"),
        (lambda gradient: os.kill(os.getpid(), signal.SIGKILL), "signal 9"),
    )
    for function, words in endings:
        subject = from_callable(function, 8, limits=Limits(0.5 if "within" in words else PATIENCE))
        with pytest.raises(LdpCoreError) as raised:
            subject.randomize(GRADIENT, 1)
        subject.close()
        assert words in str(raised.value)
    with pytest.raises(ValueError, match="function must be a function or an object"):
        from_callable(mechanisms.Laplace, 8)
    monkeypatch.delattr(os, "fork")
    for start in (lambda: from_callable(endings[0][0], 8), lambda: load(f"{MODULE}:single", CONFIG)):
        with pytest.raises(MechanismUnavailableError, match="where a process can fork"):
            start()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("tests.no_such_module:f", "importable, got ModuleNotFoundError: No module named 'tests.no_such_module'"),
        (f"{MODULE}:NeedsAKey", "only epsilon, delta, clip_norm, dimension, got a parameter 'licence'"),
        (f"{MODULE}:Refuses", "without an error, got RuntimeError: no licence [2J for 1.0"),
    ],
)
def test_what_cannot_be_made_is_named(target: str, words: str) -> None:
    with pytest.raises(MechanismUnavailableError) as raised:
        called(target.removeprefix(f"{MODULE}:")) if target.startswith(MODULE) else imported(target)
    assert words in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "KeyError: \"the vendor's mistake\"|KeyError: 'the vendor"),
        ("quits", "SystemExit: 3"),
        ("growing", "all reports must have one length"),
        ("too_few", "shape (40, m), got shape (39, 3)"),
        ("imaginary", "real numbers, got the type complex128"),
    ],
)
def test_what_is_no_batch_of_reports_gets_one_sentence(name: str, words: str) -> None:
    with pytest.raises(MechanismContractError) as raised:
        reports_of(name)
    assert any(word in str(raised.value) for word in words.split("|")), raised.value
    assert str(raised.value).isprintable()


def test_a_report_that_is_too_long_for_us_is_no_fault_of_the_mechanism() -> None:
    with pytest.raises(
        MechanismUnavailableError, match=r"at most 1,000,016 numbers to be checked here.* got 1,000,017"
    ):
        reports_of("too_long")


def test_ours_repeat_with_the_seed_and_differ_after_a_restart() -> None:
    first, second = builtin("ldp-sgd", CONFIG), builtin("ldp-sgd", CONFIG)
    reports = first.randomize(GRADIENT, 5)
    assert (reports == second.randomize(GRADIENT, 5)).all()
    assert not (reports == first.randomize(GRADIENT, 5)).any()
    restarted = [subject.restarted() for subject in (first, second, first, second)]
    again = [subject.randomize(GRADIENT, 5) for subject in restarted if subject is not None]
    assert (again[0] == again[1]).all()
    assert (again[2] == again[3]).all()
    assert not (again[0] == reports).any()
    assert not (again[0] == again[2]).any()


def test_what_pages_may_import_cannot_run_a_stranger() -> None:
    """``subjects`` itself loads neither the way to a module nor the one to a program."""
    ways = "{'ldp_core.checking.subjects.python', 'ldp_core.checking.subjects.command'}"
    code = f"import ldp_core.checking.subjects, sys; print(sorted({ways} & set(sys.modules)))"
    assert printed(code) == "[]\n"


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
