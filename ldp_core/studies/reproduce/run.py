"""Carry out the runs that the chosen items need, once each, and read the items from them."""

import json
import re
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ldp_core import _validate, record
from ldp_core.cache import Cache, write_atomically
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.errors import DatasetUnavailableError
from ldp_core.game.setup import versions
from ldp_core.studies.reproduce import readings
from ldp_core.studies.reproduce.items import FOLDER, LAW, RUNS, Item, Quantity, Run
from ldp_core.studies.reproduce.readings import Reading
from ldp_core.studies.reproduce.result import Found, ItemFound, ReproduceConfig, ReproduceResult
from ldp_core.study import CommandRun, Step
from ldp_core.terminal import Parser

_NUMBER = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Progress(Step[ReproduceResult]):
    """How many "items" are done, and about how many seconds are ``left``.

    ``item``: the one that the run in work serves first; "" at the end.
    """

    item: str = ""
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class _Report:
    """A run's JSON, and how it is repeated; ``why`` says why there is none."""

    report: Any
    seconds: float = 0.0
    command: str = ""
    why: str = ""
    prepared: bool = False


def reproduce(
    config: ReproduceConfig,
    *,
    cache: Cache | None = None,
    data_dir: Path | None = None,
    download: bool = False,
    threads: int | None = None,
    device: str = "cpu",
    keep: Path | None = None,
    resume: Path | None = None,
) -> Generator[Progress, None, None]:
    """Carry out run after run; an item is done with the last of its runs.

    ``keep``: folder in which each run's result is kept when it is done, made if missing; ``resume``: one in which an
    earlier run kept them: those of the same settings are read and not run again.
    Yields the state at each step of a run, and whenever items are done.
    """
    _validate.choice("dataset", config.dataset, PUBLIC_DATASETS)
    start, reports, findings = time.monotonic(), dict[str, _Report](), dict[str, ItemFound]()
    needed_runs = {quantity.run for item in config.chosen for quantity in item.quantities} - {LAW}
    waiting = [name for name in RUNS if name in needed_runs]
    planned = sum(_seconds(name, config) for name in waiting)

    def progress(item: str = "") -> Progress:
        every = tuple(findings[chosen_item.name] for chosen_item in config.chosen if chosen_item.name in findings)
        completed, elapsed = len(every) == len(config.chosen), time.monotonic() - start
        ahead = sum(_seconds(name, config) for name in waiting)
        left = ahead * (elapsed / (planned - ahead) if planned > ahead else 1.0)
        result = ReproduceResult(config, every, completed, elapsed, versions(device))
        return Progress("items", len(every), len(config.chosen), result, item, left)

    while True:
        for item in config.chosen:
            if item.name not in findings and not {number.run for number in item.quantities} & set(waiting):
                findings[item.name] = _item(config, item, reports, data_dir)
        state = progress(
            next((chosen_item.name for chosen_item in config.chosen if chosen_item.name not in findings), "")
        )
        yield state
        if not waiting:
            return
        request = CommandRun(None, data_dir, download, device=device)
        for report in _run(config, waiting[0], request, cache or Cache(), threads, resume, keep):
            if report is None:
                yield state
            else:
                reports[waiting[0]] = report
        del waiting[0]


def config_of(run: Run, config: ReproduceConfig) -> Any:
    """Return the configuration of a run at a scale, read as the command line reads its words."""
    from ldp_core.studies import COMMANDS
    from ldp_core.studies import STUDIES as KNOWN

    words = words_of(run, config)
    command = next(candidate for candidate in KNOWN[COMMANDS[words[0]]].commands if words[0] == candidate.NAME)
    parser = Parser()
    command.add_to(parser.add_subparsers(parser_class=Parser))
    return command.config_of(parser.parse_args(words))


def words_of(run: Run, config: ReproduceConfig) -> list[str]:
    """Return a run's words on the command line."""
    more = dict(run.more).get(config.scale, "")
    return [*f"{run.words} {more}".format(dataset=config.dataset).split(), "--seed", str(config.seed)]


def _run(
    config: ReproduceConfig, name: str, request: CommandRun, cache: Cache, threads: int | None, resume: Path | None,
    keep: Path | None,
) -> Iterator[_Report | None]:  # fmt: skip
    """Yield None at each step of a run, and at last its report."""
    from ldp_core.studies import study_of

    run = RUNS[name]
    if run.prepared:
        prepared, settings = _prepared(run)
        if settings is None or config.scale == "quick" or settings.dataset != config.dataset:
            yield prepared
            return
        wanted = replace(settings, seed=config.seed)
        command = record.command(wanted)
    else:
        wanted, words = config_of(run, config), words_of(run, config)
        command = f"python -m ldp_core {' '.join(words)}"
    study, file = study_of(wanted), f"{name}.json"
    result: Any = _kept(study, resume / file, wanted) if resume else None
    try:
        steps = study.run(replace(request, config=wanted), cache, threads) if result is None else ()
        for step in steps:
            result = step.result if step is not None else result
            yield None
    except DatasetUnavailableError:
        if not run.needs:
            raise
        yield _Report(None, why="files")
        return
    text = study.to_json(result)
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        write_atomically(keep / file, text.encode() + b"\n")
    report = json.loads(text)
    device = report.get("device", "cpu")
    yield _Report(report, float(result.seconds), command + f" --device {device}" * (device != "cpu"))


def _kept(study: Any, file: Path, wanted: Any) -> Any:
    """Return a whole result of these settings that an earlier run kept; None without one."""
    if not file.is_file():
        return None
    content = file.read_bytes()
    result, _ = study.read(content, json.loads(content))
    return result if result.config == wanted and result.completed else None


def _seconds(name: str, config: ReproduceConfig) -> float:
    return 0.0 if RUNS[name].prepared and config.scale == "quick" else RUNS[name].seconds


def _prepared(run: Run) -> tuple[_Report, Any]:
    """Return what was measured in advance, and the configuration that repeats it, where one does."""
    from ldp_core.studies import STUDIES as KNOWN

    content = (FOLDER / run.prepared).read_bytes()
    report = json.loads(content)
    if run.command:
        return _Report(report, command=run.command, prepared=True), None
    study = next(candidate for candidate in KNOWN.values() if report["schema"] in candidate.schemas)
    settings = study.read(content, report)[0].config
    return _Report(report, report["seconds"], record.command(settings), prepared=True), settings


def _item(config: ReproduceConfig, item: Item, reports: Mapping[str, _Report], data_dir: Path | None) -> ItemFound:
    """Read an item from the runs that it needs; it is out of reach where no number of it can be had."""
    used = [reports[quantity.run] for quantity in item.quantities if quantity.run != LAW]
    why = next((report.why for report in used if report.why), "")
    try:
        rows = tuple(
            _row(config, item, quantity, reports, data_dir)
            for quantity in item.quantities
            if quantity.run == LAW or not reports[quantity.run].why
        )
    except DatasetUnavailableError:
        rows, why = (), "files"
    if not rows:
        return ItemFound(item.name, "out", why or item.why, ())
    return ItemFound(item.name, "prepared" if any(report.prepared for report in used) else "done", why, rows)


def _row(
    config: ReproduceConfig, item: Item, quantity: Quantity, reports: Mapping[str, _Report], data_dir: Path | None
) -> Found:
    """Read one quantity, and what is published of it."""

    def number(path: str) -> Reading | None:
        name, between, rest = path.partition(":")
        if not between or name not in (*RUNS, LAW):
            name, rest = quantity.run, path
        return readings.law(rest, data_dir) if name == LAW else readings.read(reports[name].report, rest)

    published, ours = quantity.published, number(quantity.read)
    order, _, other = published.partition(" ")
    if order.strip("~") in ("<", ">", "=") and not _NUMBER.fullmatch(other):
        against = number(other)
        published = f"{order} {against[0]:.6g}".removeprefix("= ") if against else ""
    alone = ReproduceConfig(config.seed, config.dataset, items=(item.name,), scale=config.scale)
    command, seconds = record.command(alone), 0.0
    if quantity.run != LAW:
        command, seconds = reports[quantity.run].command, reports[quantity.run].seconds
    point, lower, upper = ours or (None, None, None)
    return Found(quantity.name, published, quantity.tolerance, point, lower, upper, seconds, command)
