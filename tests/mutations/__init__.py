"""Faults put in on purpose (mutations): each is one exact edit of the product, and the test that must fail with it."""

import os
import shutil
import signal
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.places import ROOT

FILE = Path(__file__).with_name("mutations.toml")
AREAS = ("exit codes", "privacy", "system")
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "test-artifacts")
_MOST_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Mutation:
    """One fault: one edit of a file, from the repository's root, and the id of the default test that must then fail."""

    name: str
    area: str
    wrong: str
    file: str
    old: str
    new: str
    test: str

    def edited(self, text: str) -> str:
        """Return the file's text with the fault in it; the text to be replaced must stand there exactly once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name} must match once in {self.file}, got {text.count(self.old)} matches")
        return text.replace(self.old, self.new)


def mutations() -> dict[str, Mutation]:
    """Return all faults by name."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Mutation(name, **fields) for name, fields in found.items()}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of tests ended: pytest's exit code, None if it took too long, and ids of tests without parameters."""

    code: int | None
    passed: frozenset[str]
    failed: frozenset[str]
    text: str


class Scratch:
    """A copy of the working tree in an empty folder, in which faults are put one after another."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        shutil.copytree(ROOT, self.tree, ignore=_LEFT_OUT)
        shared = ROOT.parent / "shared"
        if shared.exists():
            (folder / "shared").symlink_to(shared.resolve())

    @contextmanager
    def fault(self, mutation: Mutation) -> Iterator[None]:
        """Put a fault in, and take it out again."""
        path = self.tree / mutation.file
        before, times = path.read_bytes(), path.stat()
        path.write_text(mutation.edited(before.decode()), encoding="utf-8")
        os.utime(path, (0, 0))  # kept bytecode is told by time and size, and the time of a copy may be this second
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, tests: Sequence[str], *options: str, keep_bytecode: bool = False) -> Outcome:
        """Run tests of the copy in one process."""
        report = self.tree.with_name("report.xml")
        report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"--junitxml={report}"]
        code: int | None
        with subprocess.Popen(
            [*command, "-o", "junit_family=xunit1", *options, *tests], cwd=self.tree, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env=os.environ | ({} if keep_bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}),
        ) as running:  # fmt: skip
            try:
                text, _ = running.communicate(timeout=_MOST_SECONDS * max(1, len(tests)))
                code = running.returncode
            except subprocess.TimeoutExpired as late:
                code, text = None, f"it was ended after {late.timeout:g} seconds"
            finally:  # also what a fault has left behind
                with suppress(ProcessLookupError):
                    os.killpg(running.pid, signal.SIGKILL)
        passed, failed = set[str](), set[str]()
        for case in ET.parse(report).iter("testcase") if report.exists() else ():
            node = f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}"
            if case.find("failure") is not None or case.find("error") is not None:
                failed.add(node)
            elif case.find("skipped") is None:
                passed.add(node)
        return Outcome(code, frozenset(passed - failed), frozenset(failed), text)


def verdict(mutation: Mutation, before: Outcome, after: Outcome) -> str:
    """Say why a fault was not caught, from the runs without it and with it; "" if it was."""
    if mutation.test not in before.passed:
        return f"{mutation.test} must pass without the fault:\n{before.text[-3_000:]}"
    if after.code is None or mutation.test not in after.failed:
        return f"{mutation.test} must fail with the fault {mutation.name}:\n{after.text[-3_000:]}"
    return ""
