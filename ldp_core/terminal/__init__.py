"""What all commands share: progress and failures on standard error, results on standard output or to a file."""

import argparse
import contextlib
import errno
import math
import os
import re
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Protocol, TypeVar

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.cache import Cache, write_atomically
from ldp_core.terminal.numbers import whole
from ldp_core.types import AuditConfig

NOT_REJECTED, REJECTED, FAILED = 0, 1, 2
_REDRAW_SECONDS, _LINE_SECONDS = 0.25, 2.0
_CLEANING_SECONDS, _HELD_SECONDS = 10.0, 0.1
_IMPORTER = "<frozen importlib._bootstrap>"
STREAM_SECONDS = 30.0
"""The longest that a pipe may keep a result from being written on."""
_T = TypeVar("_T")


class _HasStage(Protocol):
    @property
    def stage(self) -> str: ...


_State = TypeVar("_State", bound=_HasStage)


def say(text: str, end: str = "") -> None:
    """Write to standard error: on a terminal over the last line, else one line each."""
    with contextlib.suppress(OSError):  # nobody reads it: no reason to stop
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[2K" + text + end)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()


def fail(sentence: str) -> int:
    """Print one sentence and return the exit code of a failure."""
    say(f"error: {sentence}", end="\n")
    return FAILED


def ignore_interrupts() -> None:
    """Let the result be printed whole, however often Ctrl-C is pressed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def heed_interrupts() -> None:
    """Let Ctrl-C or a termination request stop a command once: a second one would stop what ends its processes.

    After some seconds one counts again, should the first be lost where nothing can be raised. While something is
    imported it waits, for some seconds at most: what is raised inside the C++ of a package such as torch ends the
    process by SIGABRT.
    """
    heard, held = -math.inf, -math.inf

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal heard, held
        now = time.monotonic()
        if now - heard <= _CLEANING_SECONDS:
            return
        if _importing(frame):
            held = now if held < 0.0 else held
            if now - held <= _CLEANING_SECONDS:
                again = threading.Timer(_HELD_SECONDS, os.kill, (os.getpid(), number))
                again.daemon = True
                again.start()
                return
        heard, held = now, -math.inf
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, interrupt)


def _importing(frame: FrameType | None) -> bool:
    """Return whether a frame or one that called it imports a module."""
    while frame is not None and frame.f_code.co_filename != _IMPORTER:
        frame = frame.f_back
    return frame is not None


class Parser(argparse.ArgumentParser):
    """Raises what it has to complain about, and says an option's default where there is one."""

    def add_argument(self, *names: Any, **how: Any) -> argparse.Action:
        """Add an argument as argparse does; its help ends in its default unless that is nothing."""
        help_text, default = how.get("help"), how.get("default")
        if help_text and not (
            default is None or default is False or "default" in help_text or default == argparse.SUPPRESS
        ):
            how["help"] = f"{help_text} (default: %(default)s)"
        return super().add_argument(*names, **how)

    def error(self, message: str) -> NoReturn:
        """Raise ``ValueError`` instead of printing the usage."""
        message = re.sub(r"^argument (\S+): must ", r"\1 must ", message)
        raise ValueError(f"{message}; see {self.prog} --help")


class Progress:
    """Says where a run stands, at most four times a second (in a file every 2 s), and whenever the stage changes."""

    def __init__(self) -> None:
        self._shown, self._stage = 0.0, ""
        self._pause = _REDRAW_SECONDS if sys.stderr.isatty() else _LINE_SECONDS

    def show(self, stage: str, line: Callable[[], str]) -> None:
        """Say a line, which is made only then, if it is time for one."""
        if stage != self._stage or time.monotonic() - self._shown > self._pause:
            self._shown, self._stage = time.monotonic(), stage
            say(line())


def follow(
    steps: Generator[_State | None, None, None], line: Callable[[_State], str], stopped: Callable[[_State], str]
) -> _State:
    """Carry out a run, say where it stands, and return its last state, also after Ctrl-C.

    ``steps``: None where there is nothing new; ``stopped``: says what is shown of a run that was interrupted in this
    state, "" if there is nothing to show.
    Raises ``KeyboardInterrupt`` if there is nothing to show.
    """
    last: _State | None = None
    shown = Progress()
    try:
        for step in steps:
            if step is not None:
                last = step
                shown.show(last.stage, partial(line, last))
    except KeyboardInterrupt:
        ignore_interrupts()
        steps.close()
        sentence = "" if last is None else stopped(last)
        if not sentence:
            raise
        say(sentence, end="\n")
    else:
        ignore_interrupts()
        say("done", end="\n")
    assert last is not None
    return last


def deliver(json_file: str | None, text: str, as_json: Callable[[], str]) -> None:
    """Write a result as JSON to a file, if one is named; then print it for people, or as JSON if the file is "-".

    Raises ``ValueError`` if the file cannot be written; the result was printed all the same; ``OSError`` if standard
    output does not take it; the file is whole, or why it is not was said.
    """
    try:
        if json_file not in (None, "-"):
            write("--json", str(json_file), as_json() + "\n")
    finally:
        emit(as_json() if json_file == "-" else text)


def emit(text: str) -> None:
    """Print to standard output, to its last letter; raise ``OSError`` if it is closed or full."""
    if sys.stdout is None:  # it was closed before we began
        raise OSError(errno.EBADF, "it is closed")
    print(text)
    sys.stdout.flush()


def conclude(code: int, *steps: Callable[[], None]) -> int:
    """Take the last steps of a command, files first, each whatever became of those before; return the exit code.

    A step that fails is told in a sentence. Then the code is 2, but a rejection stays one.
    """
    failed = False
    for step in steps:
        try:
            step()
        except ValueError as error:
            failed = True
            fail(str(error))
        except OSError as error:
            failed = True
            silence()
            fail(f"standard output must take the result, got: {error.strerror or type(error).__name__}")
    return FAILED if failed and code != REJECTED else code


def silence() -> None:
    """Give up standard output: what is left in its buffer would fail once more at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def hold_streams() -> None:
    """Let no file that is opened later pass for a standard stream that was closed before we began."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def opened_cache() -> Cache:
    """Return the cache; say so if it keeps things in memory only."""
    cache = Cache()
    if cache.notice:
        say(cache.notice, end="\n")
    return cache


def stage_line(stage: str, dataset: str, done: int, total: int) -> str:
    """Describe the stages before the first trial."""
    if stage == "download":
        return f"downloading {dataset}: {done / 1e6:.1f} of {total / 1e6:.1f} MB"
    if stage == "training":
        return "model ready" if done == total else f"training the model: pass {done} of at most {total}"
    return f"loading {dataset} ..."


_FILES: dict[str, Path] = {}
"""Where a name of a file led when it was looked at first: a program that is checked may put something in its place."""


def check_writable(option: str, name: str | None) -> None:
    """Raise ``ValueError`` unless an option's file can be written; "-" is standard output.

    What is a file or nothing now is later written as a file, whatever stands there then.
    """
    if name in (None, "-"):
        return
    try:
        if is_stream(Path(str(name))):
            possible = os.access(str(name), os.W_OK)
            _FILES.pop(str(name), None)
        else:
            target = _FILES[str(name)] = Path(os.path.realpath(str(name)))
            possible = not target.is_dir() and _takes_files(target.parent)
    except OSError:  # such as a name that is too long
        possible = False
    if not possible:
        raise ValueError(f"{option} must name a file in an existing folder that can be written, got {name!r}")


def check_html(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless ``--html`` names a file of its own that can be written."""
    check_writable("--html", options.html)
    if options.html == "-":
        raise ValueError("--html must name a file, got '-', which only --json knows")
    if options.html and options.json and os.path.realpath(options.html) == os.path.realpath(options.json):
        raise ValueError(f"--html and --json must name different files, got {options.html}")


def check_folder(option: str, folder: Path | None) -> None:
    """Raise ``ValueError`` unless an option's folder is there, or can be made in one that can be written."""
    if folder is None:
        return
    try:
        there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
        possible = _takes_files(there)
    except OSError:
        possible = False
    if not possible:
        raise ValueError(f"{option} must name a folder that can be written, got {str(folder)!r}")


def _takes_files(folder: Path) -> bool:
    """Say whether files can be made in a folder, by making one: not all that keeps them out is in the folder's mode."""
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=".tmp")
    except OSError:
        return False
    os.close(handle)
    os.unlink(name)
    return True


def is_stream(path: Path) -> bool:
    """Say whether a path is a device or a pipe, which is written to and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def write(option: str, name: str, content: str | bytes) -> None:
    """Write to a file, whole or not at all, or to a device or a pipe."""
    content = content.encode() if isinstance(content, str) else content
    try:
        if name not in _FILES and is_stream(Path(name)):
            _write_stream(name, memoryview(content))
        else:
            write_atomically(_FILES.get(name) or Path(os.path.realpath(name)), content)
    except OSError as error:
        raise ValueError(f"{option} must name a file that can be written, got {name!r}: {error.strerror}") from error


def _write_stream(name: str, content: memoryview) -> None:
    """Write to a device or a pipe; raise ``OSError`` if nobody reads on for so many seconds: a program hangs nothing.

    A program that is checked could put a pipe in a file's place.
    """
    deadline = time.monotonic() + STREAM_SECONDS
    while True:
        try:
            stream = os.open(name, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:  # a pipe that nobody has opened yet
            if error.errno != errno.ENXIO or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    try:
        while content:
            if not select.select([], [stream], [], STREAM_SECONDS)[1]:
                raise OSError(errno.ETIMEDOUT, f"nobody read on for {STREAM_SECONDS:g} seconds")
            with contextlib.suppress(BlockingIOError):
                content = content[os.write(stream, content) :]
    finally:
        os.close(stream)


def write_html(name: str | None, result: Any, **more: Any) -> None:
    """Write a result as one page to a file, if one is named; ``results.html`` says what ``more`` may be."""
    if name is not None:
        from ldp_core.results import html

        write("--html", name, html(result, **more))


def write_latex(name: str | None, result: Any) -> None:
    """Write a comparison's tables for a paper to a file, if one is named."""
    if name is not None:
        from ldp_core.presentation.figures.latex import to_latex

        write("--latex", name, to_latex(result))


def add_wording(parser: argparse.ArgumentParser) -> None:
    """Add the option that says in which words saved figures speak."""
    parser.add_argument(
        "--wording",
        default="plain",
        help="of the saved figures: plain, or paper for the papers' terms, such as empirical epsilon",
    )


def words_of(wording: str) -> Mapping[str, str]:
    """Return the words of figures that an option names; raise ``ValueError`` if there are none of that name."""
    from ldp_core.presentation.figures import WORDINGS

    _validate.choice("--wording", wording, tuple(WORDINGS))
    return WORDINGS[wording]


def pictures(folder: Path | None, save: Callable[[Path], Sequence[Path]]) -> None:
    """Save figures in a folder, if one is named, and say so; raise ``ValueError`` if it cannot be written."""
    if folder is None:
        return
    try:
        saved = save(folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"--figures must name a folder that can be written, got {str(folder)!r}: {reason}") from error
    say(f"{len(saved)} pictures are in {folder}", end="\n")


def significance_of(confidence: float) -> float:
    """Return the significance that a confidence leaves."""
    least, most = limits(AuditConfig, "significance")
    if not 1.0 - most <= confidence <= 1.0 - least:
        raise ValueError(f"confidence must be a number from {1.0 - most:g} to {1.0 - least:.9g}, got {confidence!r}")
    return round(1.0 - confidence, 12)


def values_of(name: str, text: str, kind: Callable[[str], _T]) -> tuple[_T, ...]:
    """Read a list of values separated by commas."""
    try:
        return tuple(kind(word.strip()) for word in text.split(","))
    except (ValueError, argparse.ArgumentTypeError) as error:
        wanted = "whole numbers" if kind is whole else "numbers"
        raise ValueError(f"--{name} must be {wanted} separated by commas, got {text!r}") from error
