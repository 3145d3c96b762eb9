"""Everything of Flower's interface: an app's folder, the server's first message, and what a client replies to it.

Tried with Flower 1.42. ``TaskIdentity`` and ``load_app`` are private there; another version may need other lines here,
and nowhere else.
"""

from __future__ import annotations

import copy
import logging
import os
import random
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects._child import found
from ldp_core.checking.subjects._words import described
from ldp_core.checking.subjects.calls import aside
from ldp_core.errors import MechanismContractError, MechanismUnavailableError

TRIED = "1.42"
_RUN, _NODE, _PARTITIONS = 1, 1, 2
NEIGHBOURS = ("partitions", "labels-turned", "one-class", "empty")
MOST_WHOLE, SUMS, _LEARN = 1_000, " in sums", 8
_INSTALL = "flwr must be installed to check a Flower app (pip install flwr)"


class _Enough(BaseException):
    """Ends the server; no handler of an app's takes it for an error."""


class FlowerApp:
    """An app whose client answers the server's first message for training, for the data of one of two partitions.

    Args:
        folder: with the app's ``pyproject.toml``.
        rounds: in which it replies to that message, one after the other in one context.
        loader: the app's ``module:function`` that loads its data, where that is changed.
        data: a ``module:function`` in place of it; it is called as the loader is.
        neighbours: what the second data set is, in ``NEIGHBOURS``.

    Raises:
        MechanismUnavailableError: if Flower is missing, or the app cannot be loaded or sends no such message.
    """

    def __init__(
        self, folder: str, rounds: int = 1, loader: str = "", data: str = "", neighbours: str = NEIGHBOURS[0]
    ) -> None:
        self.version = prepared()
        self._rounds, self._loader, self._data, self._neighbours = rounds, loader, data, neighbours
        self._world, self._loaded = 0, {0: not loader, 1: not loader}
        try:
            with aside():
                self._load(Path(folder))
        except MechanismUnavailableError:
            raise
        except (Exception, SystemExit) as error:
            raise MechanismUnavailableError(
                f"the app must be one that Flower {self.version} loads (tried with {TRIED}), got {described(error)}"
            ) from error
        self._names: list[str] = []
        self._along: NDArray[np.float64] | None = None

    def _load(self, folder: Path) -> None:
        from flwr.supercore.object_ref import load_app

        settings = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["flwr"]["app"]
        self._config = dict(_flat(settings.get("config", {})))
        parts = settings["components"]
        if self._loader:
            sys.path.insert(0, str(folder))
            self._replace_loader()
        server = load_app(parts["serverapp"], MechanismUnavailableError, folder)
        self._message = first_message(server, self._config)
        self._client = load_app(parts["clientapp"], MechanismUnavailableError, folder)

    def replies(self, partition: int, count: int, seed: int = 0) -> NDArray[np.float64]:
        """Return what leaves the device, a row each: shape (count, m), arrays less those that the server sent.

        With a ``seed`` above 0 each is made with the same state of the generators that all programs share, which get
        their own back.
        Raises ``MechanismContractError`` if a reply has other columns than those before.
        """
        with _same_numbers(seed) if seed else nullcontext():
            return np.stack([self._reply(partition) for _ in range(count)])

    def start(self) -> None:
        """Have it reply once for each data set; where it sends many numbers, learn what becomes of them.

        Of an array of many numbers are kept: sums of those so many places apart, and the product with its part of the
        difference of the two updates, of length 1, as some replies tell that were made with the same random numbers
        for both data sets.
        """
        size = max(self._numbers(world).size for world in (0, 1))
        if size > MOST_WHOLE:
            along = np.zeros(size)
            for seed in range(1, _LEARN + 1):
                for world, sign in ((0, 1.0), (1, -1.0)):
                    with _same_numbers(seed):
                        along += sign * self._numbers(world)
            self._along = along

    @property
    def names(self) -> list[str]:
        """Of what is returned, with the number of its columns: ``arrays.0 (20)``."""
        return self._names if self._along is None else [name for name, _ in self._kept(np.zeros(self._along.size))]

    def _replace_loader(self) -> None:
        """Put a function in the place of the app's loader; what imports it later gets that."""
        own, (module, _, name) = found(self._loader), self._loader.partition(":")
        load = found(self._data) if self._data else own

        def loader(*words: Any, **named: Any) -> Any:
            self._loaded[self._world] = True
            data = load(*words, **named)
            return _CHANGED[self._neighbours](data) if self._world else data

        setattr(sys.modules[module], name, loader)

    def _reply(self, world: int) -> NDArray[np.float64]:
        numbers = self._numbers(world)
        return numbers if self._along is None else np.concatenate([part for _, part in self._kept(numbers)])

    def _kept(self, numbers: NDArray[np.float64]) -> Iterator[tuple[str, NDArray[np.float64]]]:
        assert self._along is not None
        start, most = 0, max(1, MOST_WHOLE // len(self._names) - 1)
        for words in self._names:
            name, _, size = words.rpartition(" (")
            end = start + int(size[:-1])
            part, along = numbers[start:end], self._along[start:end]
            start = end
            if part.size <= most:
                yield words, part
                continue
            yield f"{name}{SUMS} ({most})", np.pad(part, (0, -part.size % most)).reshape(-1, most).sum(axis=0)
            yield f"{name} along the difference (1)", np.atleast_1d(part @ along / (np.linalg.norm(along) or 1.0))

    def _numbers(self, world: int) -> NDArray[np.float64]:
        self._world = world
        partition = world if self._neighbours == NEIGHBOURS[0] else 0
        node = {"partition-id": partition, "num-partitions": _PARTITIONS}
        with aside():
            names, numbers = reply(self._client, self._message, node, self._config, self._rounds)
        if not self._loaded[world]:
            raise MechanismUnavailableError(f"the client must load its data by {self._loader}, got no call of it")
        self._names = self._names or names
        if names != self._names:
            raise MechanismContractError("all replies must hold the same names and sizes, got others")
        return numbers


def prepared() -> str:
    """Load Flower, quietly and without telemetry, and return its version.

    Raises ``MechanismUnavailableError`` if it is not installed.
    """
    os.environ["FLWR_TELEMETRY_ENABLED"] = "0"
    try:
        import flwr
        from flwr.supercore.task_identity import TaskIdentity
    except ImportError as error:
        raise MechanismUnavailableError(_INSTALL) from error
    logging.getLogger("flwr").setLevel(logging.CRITICAL)
    TaskIdentity.task_id, TaskIdentity.run_id, TaskIdentity.node_id = 1, _RUN, _NODE
    return str(flwr.__version__)


def reply(
    client: Any, message: Any, node: Mapping[str, Any], config: Mapping[str, Any], rounds: int = 1
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the names and sizes of what a client replies to a message, and all its numbers.

    ``node`` is the configuration of the node, which says whose data it has; ``config`` that of the run. In several
    rounds the message is the same and the context goes on.
    Raises ``MechanismUnavailableError`` if it replies with an error, or with what is neither numbers nor words.
    """
    context, sent = _context(node, config), {name: one for name, one in _numbers(message.content) if one.ndim}
    names, parts = list[str](), list[NDArray[np.float64]]()
    for number in range(1, rounds + 1):
        answer = client(copy.deepcopy(message), context)
        if not answer.has_content():
            raise MechanismUnavailableError("the client must reply with content, got an error")
        for name, array in _numbers(answer.content):
            before = sent.get(name)
            change = array - before if before is not None and before.shape == array.shape else array
            names.append(f"{name} ({change.size})" if rounds == 1 else f"round {number} {name} ({change.size})")
            parts.append(np.atleast_1d(change).ravel())
    return names, np.concatenate(parts)


def columns(names: Sequence[str]) -> list[str]:
    """Return the name of each column, of names with sizes such as ``arrays.0 (20)``."""
    parts = [name.rpartition(" (") for name in names]
    return [name for name, _, size in parts for _ in range(int(size[:-1]))]


def _context(node: Mapping[str, Any], config: Mapping[str, Any]) -> Any:
    from flwr.app import Context, RecordDict

    return Context(_RUN, _NODE, dict(node), RecordDict(), dict(config))


def first_message(server: Any, config: Mapping[str, Any]) -> Any:
    """Run the server until it sends its first message for training, and return that.

    Raises ``MechanismUnavailableError`` if it sends none.
    """
    from flwr.app import Message, RecordDict
    from flwr.serverapp import Grid
    from flwr.supercore.run import Run

    caught = list[Any]()

    class Recorder(Grid):  # type: ignore[misc]  # Flower is not among our packages
        """A grid of two clients that nobody hears of; the older interface asks it from several threads."""

        def set_run(self, run: Any) -> None: ...

        @property
        def run(self) -> Any:
            return Run.create_empty(_RUN)

        def create_message(
            self, content: Any, message_type: str, dst_node_id: int, group_id: str, ttl: float | None = None
        ) -> Any:
            return Message(content, dst_node_id, message_type, ttl=ttl, group_id=group_id)

        def get_node_ids(self) -> list[int]:
            return list(range(1, _PARTITIONS + 1))

        def push_messages(self, messages: Any) -> list[str]:
            list(self.send_and_receive(messages))
            return []

        def pull_messages(self, message_ids: Any) -> list[Any]:
            return []

        def send_and_receive(self, messages: Any, *, timeout: float | None = None) -> list[Any]:
            sent = list(messages)
            for message in sent:
                if message.metadata.message_type.partition(".")[0] == "train":
                    caught.append(message)
                    raise _Enough
            return [Message(RecordDict(), reply_to=message) for message in sent]

    problem: BaseException | None = None
    try:
        server(Recorder(), _context({"partition-id": 0, "num-partitions": _PARTITIONS}, config))
    except _Enough:
        pass
    except Exception as error:  # without replies, a server may fail after its message
        problem = error
    if not caught:
        got = described(problem) if problem else "none before its end"
        raise MechanismUnavailableError(f"the server must send a message for training, got {got}")
    caught[0].metadata.dst_node_id = _NODE
    return caught[0]


def _numbers(content: Any) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield all numbers of the records of a message, by their names.

    Raises ``MechanismUnavailableError`` for what is neither numbers nor words.
    """
    from flwr.app import ArrayRecord

    for name, record in content.items():
        for key, value in record.items():
            if isinstance(value, str | bytes):  # words are compared by their checksum
                value = zlib.crc32(value.encode() if isinstance(value, str) else value)
            array = np.asarray(value.numpy() if isinstance(record, ArrayRecord) else value)
            if array.dtype.kind not in "fiub":
                raise MechanismUnavailableError(f"{name}.{key} must be numbers to be compared, got {array.dtype}")
            yield f"{name}.{key}", array.astype(np.float64)


@contextmanager
def _same_numbers(seed: int) -> Iterator[None]:
    """Set the generators that all programs share to a state; afterwards they go on as if nothing had been drawn."""
    numpy_state, state, torch = np.random.get_state(), random.getstate(), sys.modules.get("torch")  # noqa: NPY002
    with torch.random.fork_rng() if torch else nullcontext():  # its generators of every device
        np.random.seed(seed)  # noqa: NPY002, TID251  # the app's noise is to be the same for both data sets
        random.seed(seed)  # noqa: TID251
        if torch:
            torch.manual_seed(seed)
        try:
            yield
        finally:
            np.random.set_state(numpy_state)  # noqa: NPY002
            random.setstate(state)


def _of_one_class(data: Any) -> tuple[Any, ...]:
    chosen = data[-1] == data[-1][0]
    return tuple(part[chosen] for part in data)


_CHANGED: dict[str, Callable[[Any], Any]] = {
    "partitions": lambda data: data,
    "labels-turned": lambda data: (*data[:-1], data[-1].max() + data[-1].min() - data[-1]),
    "one-class": _of_one_class,
    "empty": lambda data: tuple(part[:0] for part in data),
}
"""What is made of a loader's arrays, of which the labels are the last, for the second data set."""


def _flat(settings: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
