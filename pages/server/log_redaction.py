"""The server's log: an error's kind and the lines of code that led to it, not its words, which may quote a file."""

import asyncio
import logging
import sys
import threading
import traceback
from typing import Any

LEFT_OUT = "its words are left out: they may quote a file"
_log = logging.getLogger(__name__)


def install() -> None:
    """Keep the words of all errors out of this process's log and its error output, Streamlit's included."""
    make = logging.getLogRecordFactory()

    def record(*given: Any, **more: Any) -> logging.LogRecord:
        made = make(*given, **more)
        if made.exc_info and made.exc_info[1]:
            made.exc_text, made.exc_info = described(made.exc_info[1]), None
        made.msg = _kind(made.msg)
        if isinstance(made.args, tuple):
            made.args = tuple(map(_kind, made.args))
        return made

    logging.setLogRecordFactory(record)
    threading.excepthook = lambda ended: _log.error("a thread ended in a bug", exc_info=ended.exc_value)
    sys.unraisablehook = lambda ended: _log.error("an end was not clean", exc_info=ended.exc_value)


def in_task(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say of an error in a task of the web server which kind it is; asyncio alone would quote it."""
    _log.error("a task ended in a bug", exc_info=context.get("exception"))


def described(error: BaseException) -> str:
    """Return an error and what led to it, without their words."""
    parts: list[str] = []
    seen: set[int] = set()
    now: BaseException | None = error
    while now is not None and id(now) not in seen:
        seen.add(id(now))
        lines = [
            f'  File "{frame.f_code.co_filename}", line {line}, in {frame.f_code.co_name}'
            for frame, line in traceback.walk_tb(now.__traceback__)
        ]
        parts.append("\n".join([*lines, f"{type(now).__qualname__} ({LEFT_OUT})"]))
        now = now.__cause__ or now.__context__
    return "\n".join(reversed(parts))


def _kind(value: Any) -> Any:
    return type(value).__qualname__ if isinstance(value, BaseException) else value
