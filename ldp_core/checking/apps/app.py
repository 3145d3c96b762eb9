"""An app whose client is asked again and again: for whose data, in how many rounds, and what is kept of its reply."""

import random
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.apps import _flower
from ldp_core.checking.subjects._child import imported
from ldp_core.checking.subjects._words import described
from ldp_core.checking.subjects.calls import aside
from ldp_core.errors import MechanismContractError, MechanismUnavailableError

NEIGHBOURS = ("partitions", "labels-turned", "one-class", "empty")
MOST_WHOLE, SUMS, _LEARN = 1_000, " in sums", 8


class FlowerApp:
    """An app whose client answers the server's first message for training, for the data of one of two partitions.

    Attributes:
        mods: that a reply passes, the outermost first, once it was started.
        fixed: libraries whose shared generator the app sets to the same state in every reply.

    Args:
        folder: with the app's ``pyproject.toml``.
        rounds: in which it replies to that message, one after the other in one context.
        loader: the app's ``module:function`` that loads its data, where that is changed.
        data: a ``module:function`` in place of it; it is called as the loader is.
        neighbours: what the second data set is, in ``NEIGHBOURS``.
        message_file: an ``.npz`` of the message (``ldp_core.flower.message_arrays``) in place of the server's own.

    Raises:
        MechanismUnavailableError: if Flower is missing, or the app cannot be loaded or sends no such message.
    """

    def __init__(
        self, folder: str, rounds: int = 1, loader: str = "", data: str = "", neighbours: str = NEIGHBOURS[0],
        message_file: str = "",
    ) -> None:  # fmt: skip
        self.version = _flower.prepared()
        self._rounds, self._loader, self._data, self._neighbours = rounds, loader, data, neighbours
        self._world, self._loaded = 0, {0: not loader, 1: not loader}
        try:
            with aside():
                self._load(Path(folder), message_file)
        except MechanismUnavailableError:
            raise
        except (Exception, SystemExit) as error:
            raise MechanismUnavailableError(
                f"the app must be one that Flower {self.version} loads (tried with {_flower.TRIED}), "
                f"got {described(error)}"
            ) from error
        self.mods, self.fixed = list[str](), list[str]()
        self._names: list[str] = []
        self._metrics: list[str] = []
        self._along: NDArray[np.float64] | None = None

    def _load(self, folder: Path, message_file: str) -> None:
        settings = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["flwr"]["app"]
        self._config = dict(_flat(settings.get("config", {})))
        parts = settings["components"]
        if self._loader:
            sys.path.insert(0, str(folder))
            self._replace_loader()
        if message_file:
            self._message = _message(message_file)
        else:
            self._message = _flower.first_message(_flower.loaded(parts["serverapp"], folder), self._config)
        self._client = _flower.loaded(parts["clientapp"], folder)

    def reply(self, world: int, seed: int = 0) -> NDArray[np.float64]:
        """Return what leaves the device for a data set (0 or 1), shape (m,): arrays less those that the server sent.

        With a ``seed`` above 0 it is made with one state of the generators that all programs share, which get their own
        back.

        Raises:
            MechanismContractError: if it has other columns than those before.
        """
        with _same_numbers(seed) if seed else nullcontext():
            numbers = self._numbers(world)
        return numbers if self._along is None else np.concatenate([part for _, part in self._kept(numbers)])

    def start(self) -> None:
        """Have it reply once for each data set, and watch it; where it sends many numbers, learn what becomes of them.

        Of an array of many numbers are kept: sums of those so many places apart, and the product with its part of the
        difference of the two updates, of length 1, as some replies tell that were made with the same random numbers
        for both data sets.
        """
        replies, states, (mods, _) = zip(*(self._watched(world) for world in (0, 1)), strict=True)
        self.mods = mods[: len(mods) // self._rounds]
        self.fixed = [name for name in states[0] if states[0][name] == states[1].get(name)]
        size = max(reply.size for reply in replies)
        if size > MOST_WHOLE:
            along = np.zeros(size)
            for seed in range(1, _LEARN + 1):
                for world, sign in ((0, 1.0), (1, -1.0)):
                    with _same_numbers(seed):
                        along += sign * self._numbers(world)
            self._along = along

    def _watched(self, world: int) -> tuple[NDArray[np.float64], dict[str, object], list[str]]:
        """Return a reply, in what state it leaves the generators that the data set sets, and the mods of its rounds."""
        mods = list[str]()

        def watch(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and (name := _flower.mod(frame)):
                mods.append(name)

        with _same_numbers(1 + world):
            sys.setprofile(watch)
            try:
                return self._numbers(world), _states(), mods
            finally:
                sys.setprofile(None)

    @property
    def names(self) -> list[str]:
        """Of what is returned, with the number of its columns: ``arrays.0 (20)``."""
        return self._names if self._along is None else [name for name, _ in self._kept(np.zeros(self._along.size))]

    @property
    def metrics(self) -> list[str]:
        """Names of columns that are no part of the update: metrics, and sums of an array that is kept otherwise."""
        sums = (name.rpartition(" (")[0] for name in self.names)
        return [*self._metrics, *(name for name in sums if name.endswith(SUMS))]

    def _replace_loader(self) -> None:
        """Put a function in the place of the app's loader; what imports it later gets that."""
        original, (module, _, name) = imported(self._loader), self._loader.partition(":")
        load = imported(self._data) if self._data else original

        def loader(*words: Any, **named: Any) -> Any:
            self._loaded[self._world] = True
            data = load(*words, **named)
            return _CHANGED[self._neighbours](data) if self._world else data

        setattr(sys.modules[module], name, loader)

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
        node = {"partition-id": partition, "num-partitions": _flower.PARTITIONS}
        with aside():
            names, numbers, metrics = _flower.reply(self._client, self._message, node, self._config, self._rounds)
        if not self._loaded[world]:
            raise MechanismUnavailableError(f"the client must load its data by {self._loader}, got no call of it")
        self._names, self._metrics = self._names or names, self._metrics or metrics
        if names != self._names:
            pairs = zip_longest(names, self._names, fillvalue="nothing")
            got, before = next((new, old) for new, old in pairs if new != old)
            raise MechanismContractError(
                f"all replies must hold the same names and sizes, got {got!r} where one before had {before!r}"
            )
        return numbers


def _message(file: str) -> Any:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return _flower.message_of(dict(arrays))
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise MechanismUnavailableError(
            f"the message file must be an .npz of KIND/RECORD/KEY arrays, got {error}"
        ) from error


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


def _states() -> dict[str, object]:
    """Return the state of the generators that all programs share, by the name of their library."""
    numpy_state, torch = np.random.get_state(legacy=False), sys.modules.get("torch")  # noqa: NPY002
    states: dict[str, object] = {"NumPy": repr(numpy_state["state"]["key"].tolist()), "random": random.getstate()}
    return states | ({"torch": torch.get_rng_state().tolist()} if torch else {})


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
