"""The process that runs a Python mechanism: it imports it, says what it states, and answers requests.

It knows the target, the claim that the mechanism may ask for, and the inputs as they come; neither the check's seed
nor what will be asked.
"""

import contextlib
import importlib
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._words import described, no_memory, out_of_memory
from ldp_core.checking.subjects.calls import CalledSubject, aside, made, stated, varied
from ldp_core.errors import LdpCoreError, MechanismContractError, MechanismUnavailableError

Answer = Callable[[bytes], NDArray[Any]]
"""Returns the numbers of an answer, given the content of a request."""


def main(descriptor: int) -> None:
    """Serve the mechanism that the first frame names, over an inherited socket, until that ends."""
    channel, settings = opened(descriptor)

    def make() -> tuple[Answer, dict[str, Any]]:
        thing = imported(settings["target"])
        mechanism = made(thing, settings["values"], settings["given"])
        return reporting(mechanism, settings["arrays"], settings["dimension"], takes=varied(thing))

    serve(channel, make)


def opened(descriptor: int) -> tuple[socket.socket, dict[str, Any]]:
    """Return an inherited socket and the settings that come first on it, and search for modules where they say."""
    channel = socket.socket(fileno=descriptor)
    channel.set_inheritable(False)
    head, content = next_frame(channel)
    if head != _frames.SETTINGS:
        raise SystemExit
    import json

    settings: dict[str, Any] = json.loads(content)
    sys.path[:] = settings["path"]
    return channel, settings


def reporting(mechanism: Any, arrays: str, dimension: int, **more: Any) -> tuple[Answer, dict[str, Any]]:
    """Return what answers requests for a mechanism's reports, and what it states, with what else is told of it."""
    subject = CalledSubject(function_of(mechanism), arrays)
    return lambda content: subject.randomize(*_frames.request_of(content)), more | stated(mechanism, dimension)


def serve(channel: socket.socket, make: Callable[[], tuple[Answer, dict[str, Any]]]) -> None:
    """Make what answers, say what is told of it, and let it answer until the socket ends."""
    with contextlib.suppress(OSError, EOFError):
        try:
            answer, about = make()
        except ValueError as error:
            channel.sendall(_frames.words(_frames.WRONG, str(error)))
            return
        except LdpCoreError as error:
            channel.sendall(_frames.words(_frames.UNAVAILABLE, str(error)))
            return
        except BaseException as error:
            channel.sendall(_frames.words(_frames.UNAVAILABLE, _escaped(error)))
            return
        channel.sendall(_frames.words(_frames.STATED, about))
        while True:
            _, content = next_frame(channel)
            parts: tuple[bytes | memoryview, ...]
            try:
                parts = _frames.answer(answer(content))
            except MechanismContractError as error:
                parts = (_frames.words(_frames.BROKEN, str(error)),)
            except LdpCoreError as error:
                parts = (_frames.words(_frames.UNAVAILABLE, str(error)),)
            except BaseException as error:
                parts = (_frames.words(_frames.UNAVAILABLE, _escaped(error)),)
            for part in parts:
                channel.sendall(part)


def imported(target: str) -> Any:
    """Import what a target names; the current folder is searched first, as with ``python -m``.

    Raises ``MechanismUnavailableError`` if it cannot be imported.
    """
    module, _, path = target.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with aside():
            thing = importlib.import_module(module)
            for part in path.split("."):
                thing = getattr(thing, part)
    except (Exception, SystemExit) as error:
        raise MechanismUnavailableError(f"{target} must be importable, got {described(error)}") from error
    return thing


def function_of(mechanism: Any) -> Callable[..., Any]:
    """Return the function that randomizes; raises ``MechanismUnavailableError`` if there is none."""
    randomize = getattr(mechanism, "randomize", mechanism)
    if not callable(randomize):
        raise MechanismUnavailableError(
            f"the mechanism must have a method randomize or be a function, got {type(mechanism).__name__}"
        )
    return randomize  # type: ignore[no-any-return]


def _escaped(error: BaseException) -> str:
    if out_of_memory(error):
        return no_memory(error)
    return f"the mechanism must answer or raise an exception, got {type(error).__name__[:40]!r}"


def next_frame(channel: socket.socket) -> tuple[bytes, bytes]:
    """Return the kind and the content of the next frame; raise ``EOFError`` at the end."""
    kind, length = _frames.HEADER.unpack(_read(channel, _frames.HEADER.size))
    return kind, _read(channel, length)


def _read(channel: socket.socket, length: int) -> bytes:
    content, filled = bytearray(length), 0
    while filled < length:
        if not (got := channel.recv_into(memoryview(content)[filled:])):
            raise EOFError
        filled += got
    return bytes(content)
