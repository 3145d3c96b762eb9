"""One pass of a comparison: the cells that share a data set, a measurement and a test."""

import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ldp_core.datasets import load_dataset
from ldp_core.errors import BackendUnavailableError
from ldp_core.game.counts import Tallies
from ldp_core.game.setup import (
    check_pair,
    client_state,
    craft_pair,
    devices_of,
    kind_of,
    one_thread_per_operation,
    tallied,
    versions,
)
from ldp_core.game.summary import expected_identification
from ldp_core.learning.models import fingerprint, from_bytes
from ldp_core.private import ClientState, GradientPair
from ldp_core.studies.compare.store import Finding
from ldp_core.types import AuditConfig, MeasurementResult

Pairs = dict[tuple[str, float], GradientPair | str]
"""Attack and strength -> its pair in a measurement, or a sentence on why there is none."""


Steps = Generator[tuple[int, tuple[list[Finding], list[str]] | None], None, None]
"""Trials done, and at the end what was found and the notes."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Cells that share a data set, a measurement and a test; nothing in it is private but the weights of the model.

    Args:
        curves: whether trade-off curves are counted.
        weights: the trained global model as a safetensors file.
        fingerprint: of the data set, which must be the same where the pass runs.
        data_dir: where the data set lies there.
        device: "cpu", "cuda" (every card of that machine) or one card.
    """

    configs: tuple[AuditConfig, ...]
    measurement: int
    curves: bool
    weights: bytes = field(repr=False)
    fingerprint: str = field(repr=False)
    data_dir: str | None = None
    threads: int = 1
    device: str = "cpu"


def run_pass(pass_: Pass) -> tuple[list[Finding], list[str]]:
    """Run a pass from its description alone, in whatever process; used through joblib."""
    with one_thread_per_operation():
        config = pass_.configs[0]
        client = _client(config.dataset, pass_.data_dir, pass_.weights, pass_.fingerprint, config.clip_norm)
        *_, (_, outcome) = pass_steps(pass_, client, crafted(pass_, client))
        assert outcome is not None
        return outcome


@lru_cache(maxsize=2)
def _client(dataset: str, data_dir: str | None, weights: bytes, known: str, clip_norm: float) -> ClientState:
    data = load_dataset(dataset, Path(data_dir) if data_dir else None)
    if fingerprint(data) != known:
        raise BackendUnavailableError(
            f"every worker must find the same {dataset} images as this process, got others in {data_dir!r}"
        )
    return client_state(data, from_bytes(weights, data), clip_norm)


def pass_steps(pass_: Pass, client: ClientState, pairs: Pairs, pool: ThreadPoolExecutor | None = None) -> Steps:
    """Run the trials and yield how many are done: 0 when the first are in work; at last with findings and notes."""
    configs = []
    notes = [pair for pair in pairs.values() if isinstance(pair, str)]
    for config in pass_.configs:
        pair = pairs[config.attack, config.strength]
        if isinstance(pair, str):
            continue
        try:
            check_pair(config, pair)
            configs.append((config, pair))
        except ValueError as error:
            note = _left_out(config, pass_.measurement, error)
            notes += [] if note in notes else [note]
    if not configs:
        yield 0, None
        yield 0, ([], notes)
        return
    tallies: Tallies | None = None
    where = (pass_.measurement, pass_.device, pass_.threads)
    steps = tallied(configs, client, *where, curves=pass_.curves, pool=pool)
    with closing(steps):
        yield next(steps).done, None
        start = time.monotonic()  # now that the pass before this one has ended
        for tallies in steps:
            yield tallies.done, None
    assert tallies is not None
    seconds, packages = (time.monotonic() - start) / len(configs), versions(pass_.device)
    findings = []
    for number, (config, pair) in enumerate(configs):
        expected = expected_identification(config, pair.geometry)
        result = MeasurementResult(pair.geometry, tallies.counts(number), expected, tallies.curve(number))
        findings.append(Finding(config, pass_.measurement, result, kind_of(pass_.device), packages, seconds))
    yield tallies.done, (findings, notes)


def crafted(pass_: Pass, client: ClientState, known: Pass | None = None, pairs: Pairs | None = None) -> Pairs:
    """Return a pass's pairs, or sentences on why there is none; those of a pass of the same measurement serve again."""
    pass_pairs: Pairs = {}
    for config in pass_.configs:
        key = (config.attack, config.strength)
        if known and pairs and known.measurement == pass_.measurement and key in pairs:
            pass_pairs[key] = pairs[key]
        elif key not in pass_pairs:
            pass_pairs[key] = _pair(config, client, pass_.measurement, devices_of(pass_.device)[0])
    return pass_pairs


def _pair(config: AuditConfig, client: ClientState, measurement: int, device: str) -> GradientPair | str:
    """Return the pair, or a sentence on why there is none."""
    try:
        return craft_pair(config, client, measurement, device)
    except ValueError as error:
        return _left_out(config, measurement, error)


def _left_out(config: AuditConfig, measurement: int, error: ValueError) -> str:
    return f"measurement {measurement} of {config.attack} on {config.dataset} was left out: {error}"
