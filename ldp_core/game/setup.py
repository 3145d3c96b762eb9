"""What a test needs before its first trial: data, model, pairs, cells. It sees all registries."""

import platform
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import torch

from ldp_core._version import VERSION
from ldp_core.adversaries import adversary
from ldp_core.cache import Cache
from ldp_core.datasets import ImageData, digest, fetch, load_dataset
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import DeviceUnavailableError
from ldp_core.facts import DataFacts
from ldp_core.game.cells import OTHERS, Cell, run_cells
from ldp_core.game.counts import Tallies
from ldp_core.game.trials import CRAFTING
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters, global_model
from ldp_core.learning.server import DEFAULT_RADIUS, HonestClients, ModelTrainer, check_radius, honest_clients, step_of
from ldp_core.mechanisms import MECHANISMS
from ldp_core.private import ClientState, GradientPair
from ldp_core.randomness.coins import coin_stream
from ldp_core.randomness.streams import stream_generator
from ldp_core.types import AuditConfig

_State = TypeVar("_State")
Tell = Callable[[str, int, int], _State]
"""Returns the state of a run, given its stage, the units that are done, and all of them."""
_DEVICE = r"auto|cpu|cuda(:\d{1,3})?"


def resolve_device(device: str) -> str:
    """Return "cpu", "cuda" (every card) or one card, such as "cuda:1"; "auto" takes every card, or the processor.

    Raises ``ValueError`` for an unknown name, ``DeviceUnavailableError`` if this machine has no such card.
    """
    if not isinstance(device, str) or not re.fullmatch(_DEVICE, device):
        raise ValueError(f"device must be auto, cpu, cuda or one card such as cuda:1, got {device!r}")
    kind, _, number = device.partition(":")
    cards = torch.cuda.device_count() if kind != "cpu" and torch.cuda.is_available() else 0
    if kind == "cuda" and int(number or 0) >= cards:
        raise DeviceUnavailableError(f"device must exist on this machine, which has {cards} CUDA devices, got {device}")
    return "cpu" if not cards else "cuda" if kind == "auto" else device


def kind_of(device: str) -> str:
    """Return "cpu" or "cuda", which decides the counts: those of one card or several, alike, are the same.

    >>> kind_of("cuda:1")
    'cuda'
    """
    return device.partition(":")[0]


def devices_of(device: str) -> tuple[str, ...]:
    """Return the devices of a resolved name: for "cuda" every card of this machine, in order."""
    return tuple(f"cuda:{number}" for number in range(torch.cuda.device_count())) if device == "cuda" else (device,)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The images (perhaps private), the global model trained on them, and what may be published of both."""

    data: ImageData
    model: ThreeLayerCnn
    facts: DataFacts


def loaded(
    tell: Tell[_State], dataset: str, data_dir: Path | None, download: bool
) -> Generator[_State, None, ImageData]:
    """Load a data set, downloaded before if that is allowed; yield what ``tell`` makes of "download", in bytes.

    Arguments and errors as those of ``datasets.load_dataset``.
    """
    for done, total in fetch(dataset, data_dir) if download else ():
        yield tell("download", done, total)
    return load_dataset(dataset, data_dir)


def prepare(
    tell: Tell[_State],
    dataset: str,
    training: str,
    cache: Cache,
    *,
    data: ImageData | None = None,
    data_dir: Path | None = None,
    download: bool = False,
) -> Generator[_State, None, Prepared]:
    """Load a data set, or take ``data`` in its place, and train the global model on it; return both.

    ``training`` is none, light or full; trained models are kept in the cache; ``data_dir`` and ``download`` are as in
    ``datasets.load_dataset``.
    Yields what ``tell`` makes of the stages "download" (bytes) and "training" (passes).
    """
    if data is None:
        data = yield from loaded(tell, dataset, data_dir, download)
    for done, total, checkpoint in global_model(data, training, cache):
        yield tell("training", done, total)
        trained = checkpoint
    assert trained is not None
    return Prepared(data, trained.model, trained.facts(data, digest(data) if data.public else None))


def ended(steps: Generator[object, None, _State]) -> _State:
    """Carry out all steps and return what they return."""
    while True:
        try:
            next(steps)
        except StopIteration as last:
            value: _State = last.value
            return value


def craft_pair(config: AuditConfig, client: ClientState, measurement: int, device: str = "cpu") -> GradientPair:
    """Return a measurement's pair; it depends on seed, measurement, attack, strength and client alone."""
    generator = stream_generator(config.seed, measurement, 0, CRAFTING)
    pair = adversary(config.attack, config.strength, config.wrong_label).craft(client, generator)
    return pair if device == "cpu" else pair.to(device)


def craft_others(seed: int, client: ClientState, pair: GradientPair, count: int, measurement: int) -> HonestClients:
    """Return the other clients of a measurement's round, under the model that the server sent."""
    assert pair.model is not None
    generator = stream_generator(seed, measurement, 0, OTHERS - 1)
    device = str(pair.first.device)
    images, labels = client.server_images.to(device), client.server_labels.to(device)
    return honest_clients(pair.model, images, labels, count, generator)


def tallied(
    cells: Sequence[tuple[AuditConfig, GradientPair]],
    client: ClientState,
    measurement: int,
    device: str,
    threads: int,
    *,
    curves: bool = False,
    pool: ThreadPoolExecutor | None = None,
) -> Generator[Tallies, None, None]:
    """Run the trials of cells that share a measurement and a test, as ``run_cells`` does.

    The other clients of a round have the same images under every model that was sent.
    """
    first, most = cells[0][0], max(config.clients for config, _ in cells)
    models = {id(pair.model): pair for _, pair in cells if most > 1}
    others = {model: craft_others(first.seed, client, pair, most - 1, measurement) for model, pair in models.items()}
    return run_cells(
        [cell_of(config, pair, others.get(id(pair.model))) for config, pair in cells],
        first.num_trials,
        seed=first.seed,
        measurement=measurement,
        sampling=first.sampling,
        threads=threads,
        curves=curves,
        pool=pool,
        more_devices=devices_of(device)[1:],
    )


def check_pair(config: AuditConfig, pair: GradientPair) -> None:
    """Raise ``ValueError`` if a black box's ball is too small for the model that was sent."""
    if DISTINGUISHERS[config.distinguisher].view == "black" and config.radius is not None and pair.model is not None:
        check_radius(config.radius, pair.model)


def cell_of(config: AuditConfig, pair: GradientPair, others: HonestClients | None) -> Cell:
    """Return the cell that counts what a configuration asks for.

    Raises ``UnsupportedCombinationError`` if the distinguisher means nothing here.
    """
    mechanism = MECHANISMS[config.mechanism](config.epsilon, config.clip_norm)
    rule, stream = DISTINGUISHERS[config.distinguisher], coin_stream(config.attack, config.epsilon)
    if rule.view == "white":
        return Cell(mechanism, rule, pair, stream)
    assert pair.model is not None
    norm = flat_parameters(pair.model).norm().item()
    radius = config.radius or DEFAULT_RADIUS * norm
    step = step_of(config.server_step, pair.dimension, radius, norm)
    return Cell(mechanism, rule, pair, stream, ModelTrainer(pair.dimension, radius, config.clients, step), others)


def versions(device: str = "cpu") -> dict[str, str]:
    """Return the versions of what produced the numbers."""
    return dict(_versions(device))


@lru_cache
def _versions(device: str) -> dict[str, str]:
    numbers = {"ldp-core": VERSION, "python": platform.python_version()}
    numbers |= {package: version(package) for package in ("torch", "torchvision", "numpy", "scipy", "scikit-learn")}
    if kind_of(device) == "cuda":
        numbers["cuda"] = str(torch.version.cuda)
        numbers["gpu"] = torch.cuda.get_device_name(device)
    return numbers


@contextmanager
def one_thread_per_operation() -> Iterator[None]:
    """Let torch compute on one thread, so that training gives the same weights whatever the number of cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def client_state(
    data: ImageData, model: torch.nn.Module, clip_norm: float, halted: Callable[[], bool] = bool
) -> ClientState:
    """Return what is on the device of a client who holds the data's held-out images."""
    return ClientState(
        model, data.images, data.labels, data.train_images, data.train_labels, data.num_classes, clip_norm, halted
    )
