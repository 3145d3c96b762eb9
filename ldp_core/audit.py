"""Steps 1 to 5 for one configuration. The only module that sees all registries."""

from __future__ import annotations

import platform
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import torch

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.datasets import DATASETS, ImageData, load_dataset
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.distinguishers.white_box import CosineSimilarity
from ldp_core.errors import DeviceUnavailableError
from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.models import global_model
from ldp_core.streams import stream_generator
from ldp_core.summary import expected_identification
from ldp_core.trials import CRAFTING, coin_stream, run_trials, sampling_threads
from ldp_core.types import AuditConfig, AuditResult, ClientState, GradientPair, MeasurementResult, TrialCounts

DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """Where a run stands.

    Args:
        stage: "data", "training", "crafting" or "trials".
        done: passes (training), measurements (crafting) or trials done.
        total: passes, measurements or trials planned; 0 where it is not known.
        result: the counts so far, a valid result at every moment.
        pair: the pair in work. Private: it is shown on the client's own screen, and never kept.
    """

    stage: str
    done: int
    total: int
    result: AuditResult
    pair: GradientPair | None = field(default=None, repr=False, compare=False)


def make_config(*, seed: int | None = None, bound: str | None = None, **options: object) -> AuditConfig:
    """Return a checked configuration, with what the caller left out.

    Args:
        seed: of all streams; without one, 53 bits from the operating system.
        bound: the stated bound; without one, the distinguisher's own.
        options: the other fields of ``AuditConfig``.

    Raises:
        ValueError: if a name is unknown or a value is out of range.
    """
    distinguisher = str(options.get("distinguisher", "cosine"))
    _validate.choice("distinguisher", distinguisher, DISTINGUISHERS)
    config = AuditConfig(
        seed=secrets.randbits(53) if seed is None else seed,
        bound=bound or DISTINGUISHERS[distinguisher].bound,
        **options,  # type: ignore[arg-type]
    )
    _validate.choice("attack", config.attack, ADVERSARIES)
    _validate.choice("mechanism", config.mechanism, MECHANISMS)
    _validate.choice("dataset", config.dataset, DATASETS)
    return config


def resolve_device(device: str) -> str:
    """Return "cpu" or "cuda"; "auto" takes CUDA where there is one.

    Raises:
        ValueError: if the name is unknown.
        DeviceUnavailableError: if CUDA was asked for and this machine has none.
    """
    _validate.choice("device", device, DEVICES)
    available = torch.cuda.is_available()
    if device == "cuda" and not available:
        raise DeviceUnavailableError("device must exist on this machine, got cuda without a usable CUDA device")
    return "cuda" if available and device != "cpu" else "cpu"


def audit(
    config: AuditConfig,
    cache: Cache,
    *,
    device: str = "cpu",
    threads: int | None = None,
    data_dir: Path | None = None,
    download: bool = False,
) -> Iterator[AuditProgress]:
    """Run a test: load, train, and for each measurement craft a pair and run its trials.

    Whoever stops iterating stops the run; the last yielded result is valid.

    Args:
        config: what to run.
        cache: keeps trained models.
        device: where reports are computed: "cpu", "cuda" or "auto".
        threads: worker threads; without a number, all cores.
        data_dir: where torchvision's data sets lie.
        download: whether a missing data set may be downloaded.

    Yields:
        The state after each step; the last one has ``result.completed``.

    Raises:
        ValueError: if an argument is wrong or a pair cannot be made.
        LdpCoreError: if data, cache or device fail.
    """
    start = time.monotonic()
    device = resolve_device(device)
    threads = sampling_threads() if threads is None else _validate.integer("threads", threads, 1, 1024)
    if config.sampling == "projected":
        device = "cpu"
    packages = versions(device)
    planned = config.num_trials * config.num_measurements
    finished: list[MeasurementResult] = []

    def progress(
        stage: str, done: int, total: int, current: MeasurementResult | None = None, pair: GradientPair | None = None
    ) -> AuditProgress:
        measurements = (*finished, current) if current else tuple(finished)
        completed = sum(item.counts.num_trials for item in measurements) == planned
        seconds = time.monotonic() - start
        result = AuditResult(config, measurements, completed, seconds, device, packages)
        return AuditProgress(stage, done, total, result, pair)

    with _one_thread_per_operation():
        yield progress("data", 0, 0)
        data = load_dataset(config.dataset, data_dir, download=download)
        client = None
        for done, total, model in global_model(data, config.training, cache):
            yield progress("training", done, total)
            if model is not None:
                client = _client_state(data, model, config)
        assert client is not None
        mechanism = MECHANISMS[config.mechanism](config.epsilon, config.clip_norm)
        distinguisher = DISTINGUISHERS[config.distinguisher]()
        for measurement in range(config.num_measurements):
            yield progress("crafting", measurement, config.num_measurements)
            generator = stream_generator(config.seed, measurement, 0, CRAFTING)
            pair = ADVERSARIES[config.attack].craft(client, generator)
            if device != "cpu":
                pair = pair.to(device)
            current = MeasurementResult(pair.geometry, TrialCounts(), expected_identification(config, pair.geometry))
            for counts in run_trials(
                mechanism,
                distinguisher,
                pair,
                config.num_trials,
                seed=config.seed,
                measurement=measurement,
                stream=coin_stream(config.attack, config.epsilon),
                sampling=config.sampling,
                threads=threads,
            ):
                current = MeasurementResult(current.pair, counts, current.expected_identification)
                done = measurement * config.num_trials + counts.num_trials
                yield progress("trials", done, planned, current, pair)
            finished.append(current)


def values_per_second(threads: int, seconds: float = 0.1) -> float:
    """Probe how many values of reports this machine randomizes per second, to foretell a run's time."""
    gradient = torch.ones(10_000)
    pair = GradientPair(gradient, -gradient)
    done, start = 0, time.perf_counter()
    for counts in run_trials(LdpSgd(1.0), CosineSimilarity(), pair, 10**6, seed=0, threads=threads):
        done = counts.num_trials
        elapsed = time.perf_counter() - start
        if elapsed > seconds:
            break
    return done * pair.dimension / elapsed


def versions(device: str = "cpu") -> Mapping[str, str]:
    """Return the versions of what produced the numbers."""
    found = {"python": platform.python_version()}
    found |= {package: version(package) for package in ("torch", "torchvision", "numpy", "scipy", "scikit-learn")}
    if device == "cuda":
        found["cuda"] = str(torch.version.cuda)
        found["gpu"] = torch.cuda.get_device_name()
    return found


@contextmanager
def _one_thread_per_operation() -> Iterator[None]:
    """Let torch compute on one thread, so that training gives the same weights whatever the number of cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _client_state(data: ImageData, model: torch.nn.Module, config: AuditConfig) -> ClientState:
    return ClientState(
        model, data.images, data.labels, data.train_images, data.train_labels, data.num_classes, config.clip_norm
    )
