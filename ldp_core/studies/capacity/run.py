"""The figures of a capacity, part by part."""

import math
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

from ldp_core import _validate
from ldp_core.datasets import DATASETS
from ldp_core.game.setup import loaded, one_thread_per_operation, versions
from ldp_core.studies.capacity import batches, server, similar, theorems
from ldp_core.studies.capacity.result import DIRECTIONS, NAMED_AT, NOISES, SHARES, CapacityConfig, CapacityResult, Kept
from ldp_core.studies.capacity.setting import Setting
from ldp_core.study import Step

_PARTS: dict[str, Callable[[Setting], Iterator[None]]] = {
    "server": server.server,
    "batch": batches.batch,
    "direction": batches.direction,
    "compression": batches.compression,
    "similarity": similar.similarity,
    "inversion": similar.inversion,
    "reports": theorems.reports,
    "gaussian": theorems.gaussian,
    "noise": theorems.noise,
}


def steps(config: CapacityConfig) -> int:
    """Return in how many steps the parts are done."""
    channels = 3 * len(config.capacities)
    counts = {
        "server": config.rounds, "batch": len(config.batches), "direction": 1 + len(DIRECTIONS),
        "compression": 1 + len(SHARES), "similarity": channels, "inversion": 1 + channels,
        "reports": math.ceil(theorems.games(config) / theorems.TOGETHER),
        "gaussian": len(config.capacities) + len(NAMED_AT), "noise": len(NOISES),
    }  # fmt: skip
    return sum(counts[part] for part in config.parts)


def capacity(
    config: CapacityConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    halted: Callable[[], bool] = bool,
) -> Generator[Step[CapacityResult], None, None]:
    """Measure each part.

    The numbers depend on the configuration and the data alone.
    Yields the state after each step: "data", "download" or "figures"; the last one has ``result.completed``.
    Raises ``ValueError`` if an argument is wrong, or no noise reaches a capacity or keeps the goal; ``LdpCoreError`` if
    the data fail.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    result = CapacityResult(config, None, (), False, 0.0, versions())
    total, done = steps(config), 0

    def progress(stage: str, part: int, whole: int) -> Step[CapacityResult]:
        return Step(stage, part, whole, replace(result, seconds=time.monotonic() - start))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        setting = Setting(config, (yield from loaded(progress, config.dataset, data_dir, download)))
        if config.goal:
            fit = theorems.kept(setting)
            assert fit.sigma is not None
            setting.capacity = fit.capacity()
            result = replace(result, kept=Kept(setting.capacity, fit.sigma))
        for part in config.parts:
            yield progress("figures", done, total)
            if halted():
                return
            for _ in _PARTS[part](setting):
                done += 1
                yield progress("figures", done, total)
                if halted():
                    return
            panels = (*result.panels, *setting.panels(part))
            result = replace(result, panels=panels, completed=len(panels) == len(config.panels))
        yield progress("figures", total, total)
