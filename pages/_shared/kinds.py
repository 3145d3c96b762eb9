"""The kinds of jobs: how each is run, what counts as its progress, and how its result is kept."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import claims, exports, reports, studies
from ldp_core.cache import Cache
from ldp_core.claims import CheckConfig, Subject
from ldp_core.glimpse import GlimpseConfig
from ldp_core.grid import CompareConfig
from ldp_core.studies import TrainingPathConfig, UtilityConfig
from ldp_core.types import CLAIM_NOT_REJECTED, AuditConfig
from pages._shared import cells, check_plan, compare_plan, plan

if TYPE_CHECKING:
    from ldp_core.datasets import ImageData
    from pages._shared.job import Job


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job.

    Args:
        config: type of its configuration.
        run: returns the steps of a job, None where there is nothing new to show; imports torch only in the worker.
        place: returns a step's stage, units done and units in all.
        timed: the stage whose time is foretold.
        found: returns whether a result holds anything.
        write: returns a job's result as JSON.
        check_size: raises ``plan.TooLargeError`` for what would keep the worker too long; without it, all are small.
        work: returns which share of the timed stage's work is done; without it, its units take about equally long.
    """

    config: type
    run: Callable[[Job, Cache, int], Iterator[Any]]
    place: Callable[[Any], tuple[str, float, float]]
    timed: str
    found: Callable[[Any], bool]
    write: Callable[[Job], str]
    check_size: Callable[[Any], None] = lambda _: None
    work: Callable[[Any], float] | None = None


def _audit(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    from ldp_core.audits import audit

    images = yield from _own_images(job)
    where: dict[str, Any] = {"data_dir": job.data_dir, "download": job.download, "images": images}
    yield from audit(job.config, cache, threads=threads, halted=job.unwanted, **where)


def _compare(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    from ldp_core.comparisons import compare

    images = yield from _own_images(job)
    where: dict[str, Any] = {"data_dir": job.data_dir, "download": job.download, "images": images}
    yield from compare(job.config, cache, cells.of(cache).opened(), threads=threads, halted=job.unwanted, **where)


def _path(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    from ldp_core.training_path import training_path

    return training_path(job.config, data_dir=job.data_dir, download=job.download, halted=job.unwanted)


def _utility(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    from ldp_core.federated import utility

    return utility(job.config, threads=threads, data_dir=job.data_dir, download=job.download)


def _glimpse(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    from ldp_core.glimpse import glimpse

    if not isinstance(job.own, bytes):
        raise ValueError("a picture must be picked, got none: it is dropped when its update is computed")
    return glimpse(job.config, job.own, cache)


def _check(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
    """Check one of our mechanisms by what it states of itself, or a vendor's answers."""
    from ldp_core.checks import check
    from ldp_core.subjects import builtin, made, mechanism_class, stated

    config, own = job.config, job.own
    subject: Subject
    if callable(own):
        subject = own()
    else:
        names = ("epsilon", "clip_norm", "dimension")
        mechanism = made(mechanism_class(config.subject), {name: getattr(config, name) for name in names}, names)
        config = replace(config, **stated(mechanism, config.dimension))
        subject = builtin(config.subject, config)
    with closing(subject):
        for progress in check(config, subject):
            if progress.result.completed and progress.result.verdict == CLAIM_NOT_REJECTED:
                claims.detectable_epsilons(progress.result)  # takes seconds; it is kept for the page and the files
                claims.needed_reports(progress.result)
            yield progress


def _result(to_json: Callable[[Any], str]) -> Callable[[Job], str]:
    return lambda job: to_json(job.result)


def _never_kept(_: Job) -> str:
    raise ValueError("a picture and its update must stay in memory, got a kept one")


def _own_images(job: Job) -> Generator[None, None, ImageData | None]:
    """Read the client's own images into memory, one by one: the uploaded archive, or the folder that was named."""
    from ldp_core.datasets import reading

    if "own" not in getattr(job.config, "datasets", (getattr(job.config, "dataset", ""),)):
        return None
    if not isinstance(job.own, bytes | Path):
        raise ValueError("your own images must be named or picked, got none: they are dropped when a run ends")
    return (yield from reading(job.own))


def _as_told(progress: Any) -> tuple[str, float, float]:
    return progress.stage, progress.done, progress.total


def _cells(progress: Any) -> tuple[str, float, float]:
    """Count combinations; a measurement counts as its share of one, and so does what is done of the pass in work."""
    if progress.stage not in ("crafting", "trials"):
        return _as_told(progress)
    config = progress.result.config
    share = progress.done / progress.total if progress.total else 0.0
    batch = progress.cells_total / (config.num_measurements * len(config.tests) * len(config.datasets))
    whole = min(progress.cells_done + (share * batch if share < 1.0 else 0.0), progress.cells_total)
    return "cells", whole / config.num_measurements, progress.cells_total / config.num_measurements


def _cells_work(progress: Any) -> float:
    share = progress.done / progress.total if progress.stage == "trials" and progress.total else 0.0
    return compare_plan.compare_share(progress.result, share if share < 1.0 else 0.0)


def _asked(progress: Any) -> tuple[str, float, float]:
    return "privacy" if progress.stage == "trials" else progress.stage, progress.done, progress.total


def _levels(progress: Any) -> tuple[str, float, float]:
    if progress.stage == "data":
        return _as_told(progress)
    planned = len(progress.result.config.passes)
    return "levels", min(len(progress.result.levels), planned), planned


KINDS: dict[str, Kind] = {
    "audit": Kind(
        AuditConfig, _audit, _as_told, "trials", lambda result: bool(result.counts.num_trials),
        _result(reports.to_json), plan.check_size,
    ),
    "compare": Kind(
        CompareConfig, _compare, _cells, "cells", lambda result: any(cell.measurements for cell in result.cells),
        lambda job: exports.to_json(job.result, job.notes), compare_plan.check_size, _cells_work,
    ),
    "path": Kind(
        TrainingPathConfig, _path, _levels, "levels", lambda result: bool(result.levels), _result(studies.to_json),
    ),
    "utility": Kind(
        UtilityConfig, _utility, _as_told, "rounds", lambda result: any(curve.accuracy for curve in result.curves),
        _result(studies.to_json), compare_plan.check_size,
    ),
    "check": Kind(
        CheckConfig, _check, _asked, "privacy", lambda result: bool(result.clauses or result.looks),
        _result(claims.to_json), check_plan.check_size,
    ),
    "glimpse": Kind(GlimpseConfig, _glimpse, _as_told, "", lambda _: False, _never_kept),
}  # fmt: skip


def kind_of(config: object) -> str:
    """Return the kind of job that a configuration asks for."""
    return next(name for name, kind in KINDS.items() if isinstance(config, kind.config))
