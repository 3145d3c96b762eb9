"""Everything of Flower's interface: an app's parts, the server's first message, and what a client replies to it.

Tried with Flower 1.42. ``TaskIdentity`` and ``load_app`` are private there; another version may need other lines here,
and nowhere else.
"""

import copy
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.columns import signed
from ldp_core.checking.subjects._words import described
from ldp_core.errors import MechanismUnavailableError

TRIED = "1.42"
_RUN, _NODE, PARTITIONS = 1, 1, 2
_MOST = 1e9
"""Of a mod's numbers that are told: a larger one may be a key."""
_EXACT = 2**53
"""Whole numbers up to this size are exact in float64, in which replies are compared."""
FORM = "types"
"""Name of the column that tells the form of a reply beside its numbers."""
_VERSION, _LENGTH, _HEADER = 6, 8, 10
"""Where an array in NumPy's format holds its version and its header's length, and where version 1 has that header."""
_TOLD = ("message_type", "group_id", "dst_node_id", "src_task_id", "dst_task_id")
"""What a mod may write about a reply, beside times."""
_INSTALL = "flwr must be installed to check a Flower app (pip install flwr)"


class _Enough(BaseException):
    """Ends the server; no handler of an app's takes it for an error."""


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


def loaded(component: str, folder: Path) -> Any:
    """Return a part of an app, such as ``practice.client_app:app``."""
    from flwr.supercore.object_ref import load_app

    return load_app(component, MechanismUnavailableError, folder)


def reply(
    client: Any, message: Any, node: Mapping[str, Any], config: Mapping[str, Any], rounds: int = 1
) -> tuple[list[str], NDArray[np.float64], list[str]]:
    """Return the names and sizes of what a client replies to a message, all its numbers, and the names of metrics.

    Metrics are all that stands in no ``ArrayRecord``, and the last number, a checksum of all types: what a reply tells
    beside its numbers may tell of the data, too. ``node`` is the configuration of the node, which says whose data it
    has; ``config`` that of the run. In several rounds the message is the same and the context goes on.
    Raises ``MechanismUnavailableError`` if it replies with an error, or with what is neither numbers nor words.
    """
    context, sent = (
        _context(node, config),
        {name: values for name, values, _ in _numbers(message.content) if values.ndim},
    )
    names, parts, forms, metrics = list[str](), list[NDArray[np.float64]](), list[object](), [FORM]
    for number in range(1, rounds + 1):
        answer = client(copy.deepcopy(message), context)
        if not answer.has_content():
            raise MechanismUnavailableError("the client must reply with content, got an error")
        forms += [[getattr(answer.metadata, name, None) for name in _TOLD], list(_forms(answer.content))]
        for name, array, is_metric in _numbers(answer.content):
            before = sent.get(name)
            change = array - before if before is not None and before.shape == array.shape else array
            column = name if rounds == 1 else f"round {number} {name}"
            names.append(f"{column} ({change.size})")
            metrics += [column] * is_metric
            parts.append(np.atleast_1d(signed(change, array)).ravel())
    names.append(f"{FORM} (1)")
    parts.append(np.array([_checksum(repr(forms).encode())]))
    return names, np.concatenate(parts), metrics


def mod(frame: FrameType) -> str:
    """Return the name of a mod that is being called, with numbers below 1e9 that it holds; "" for any other call.

    A mod takes a message, a context and what it calls in turn; Flower does not tell which ones an app has.
    """
    from flwr.app import Context, Message

    code = frame.f_code
    if code.co_argcount not in (3, 4):
        return ""
    *owner, message, context, call_next = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount])
    if not (isinstance(message, Message) and isinstance(context, Context) and callable(call_next)):
        return ""
    if not owner:
        return code.co_name
    held = getattr(owner[0], "__dict__", {}).items()
    small = ((name, value) for name, value in held if type(value) in (int, float) and abs(value) < _MOST)
    numbers = ", ".join(f"{name}={value:g}" for name, value in small)
    return f"{type(owner[0]).__name__}({numbers})"


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
            return list(range(1, PARTITIONS + 1))

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
        server(Recorder(), _context({"partition-id": 0, "num-partitions": PARTITIONS}, config))
    except _Enough:
        pass
    except Exception as error:  # without replies, a server may fail after its message
        problem = error
    if not caught:
        got = described(problem) if problem else "none before its end"
        raise MechanismUnavailableError(f"the server must send a message for training, got {got}")
    caught[0].metadata.dst_node_id = _NODE
    return caught[0]


def message_arrays(message: Any) -> dict[str, NDArray[Any]]:
    """Return the content of a message by ``KIND/RECORD/KEY``; a record without entries as ``KIND/RECORD/``.

    ``KIND`` is the name of the record's class, such as ``ArrayRecord``.
    """
    arrays = dict[str, NDArray[Any]]()
    for name, record in message.content.items():
        for key, value in record.items() or {"": []}.items():
            array = value.numpy() if hasattr(value, "numpy") else np.void(value) if isinstance(value, bytes) else value
            arrays[f"{type(record).__name__}/{name}/{key}"] = np.asarray(array)
    return arrays


def message_of(arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Return the message for training that ``message_arrays`` took apart.

    Raises:
        ValueError: if a name is not ``KIND/RECORD/KEY``, or an entry is none of that kind of record.
    """
    from flwr.app import Array, ArrayRecord, ConfigRecord, Message, MetricRecord, RecordDict

    kinds: dict[str, Any] = {kind.__name__: kind for kind in (ArrayRecord, ConfigRecord, MetricRecord)}
    content = RecordDict()
    for words, array in arrays.items():
        kind, name, key = [*words.split("/", 2), "", ""][:3]
        if kind not in kinds or not name:
            raise ValueError(f"names of its arrays must be KIND/RECORD/KEY, such as {_NAMED}, got {words!r}")
        record = content.setdefault(name, kinds[kind]())
        if key:
            try:
                record[key] = Array(array) if kind == ArrayRecord.__name__ else array.tolist()
            except TypeError as error:
                raise ValueError(f"{words} must be an entry of a {kind}, got {array.dtype}") from error
    return Message(content, _NODE, "train")


_NAMED = "ArrayRecord/arrays/0"


def _numbers(content: Any) -> Iterator[tuple[str, NDArray[np.float64], bool]]:
    """Yield all numbers of the records of a message with their names, and whether they stand in no ``ArrayRecord``.

    Of whole numbers that float64 cannot hold, what it leaves follows by a name of its own.
    Raises ``MechanismUnavailableError`` for what is neither numbers nor words.
    """
    from flwr.app import ArrayRecord

    for name, record in content.items():
        is_metric = not isinstance(record, ArrayRecord)
        for key, value in record.items():
            if isinstance(value, str | bytes):  # words are compared by their checksum
                value = _checksum(value.encode() if isinstance(value, str) else value)
            array = np.asarray(value if is_metric else value.numpy())
            if array.dtype.kind not in "fiub" or (array.dtype.kind == "f" and array.dtype.itemsize > 8):
                raise MechanismUnavailableError(f"{name}.{key} must be numbers to be compared, got {array.dtype}")
            floats = array.astype(np.float64)
            yield f"{name}.{key}", floats, is_metric
            if array.dtype.kind in "iu" and (np.abs(floats) >= _EXACT).any():
                left = [whole - int(held) for whole, held in zip(array.ravel().tolist(), floats.ravel(), strict=True)]
                yield f"{name}.{key} last digits", np.array(left, np.float64), is_metric


def _forms(content: Any) -> Iterator[tuple[object, ...]]:
    """Yield of each entry of a message what it tells beside its numbers: types, and bytes around those of an array."""
    from flwr.app import ArrayRecord

    for name, record in content.items():
        yield name, type(record).__name__
        for key, value in record.items():
            if isinstance(record, ArrayRecord):
                begin = _HEADER if value.data[_VERSION : _VERSION + 1] == b"\1" else _HEADER + 2
                start = begin + int.from_bytes(value.data[_LENGTH:begin], "little")
                around = value.data[:start], value.data[start + value.numpy().nbytes :]
                yield key, value.dtype, value.shape, value.stype, *around
            else:
                yield (
                    key,
                    type(value).__name__,
                    *(type(member).__name__ for member in (value if isinstance(value, list) else ())),
                )


def _checksum(content: bytes) -> float:
    """Return a number from 0 to 1, of 32 bits, so that sums of them are exact."""
    return int.from_bytes(blake2b(content, digest_size=4).digest(), "big") / 2.0**32
