"""A study whose results are kept: reading its JSON back, what all results check, and where its modules say the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ldp_core import _validate, record, words, workload
from ldp_core.adversaries import ATTACKS, has_strength, has_wrong_label
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS, claimed_delta
from ldp_core.presentation.report import Report, Teller, exact
from ldp_core.study import Request, Study, data_of
from ldp_core.types import AuditResult

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context

_Result = TypeVar("_Result")


def check_list(name: str, values: Any) -> Any:
    """Return a list as it is; raise ``ValueError`` for anything else."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"{name} must be a list, got {str(values)[:40]!r}")
    return values


def check_each(record: Any, name: str, check: Callable[[str, Any], Any]) -> tuple[Any, ...]:
    """Return what becomes of a list of a record: a tuple of what ``check`` returns of each entry, given the name."""
    values = tuple(check(name, value) for value in check_list(name, getattr(record, name)))
    object.__setattr__(record, name, values)
    return values


def check_interval(measured: Any, middle: str, most: float) -> None:
    """Raise ``ValueError`` unless ``lower``, a number and ``upper`` of a record rise, both ends numbers or both None.

    They become floats, of at most ``most`` either way.
    """
    for name in (middle, "lower", "upper"):
        if getattr(measured, name) is not None:
            object.__setattr__(measured, name, _validate.number(name, getattr(measured, name), -most, most))
    lower, value, upper = measured.lower, getattr(measured, middle), measured.upper
    if (lower is None) != (upper is None):
        raise ValueError("lower and upper must both be numbers or both null")
    if lower is not None and not lower <= value <= upper:
        raise ValueError(f"lower, {middle} and upper must rise, got {lower}, {value}, {upper}")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over pictures with the ends of its 95 % interval; None where one picture gives none."""

    point: float
    lower: float | None
    upper: float | None

    def __post_init__(self) -> None:
        check_interval(self, "point", 1e12)


def check_completed(stated: bool, is_complete: bool) -> None:
    """Raise ``ValueError`` unless a report states truly whether it is whole."""
    if stated is not is_complete:
        raise ValueError(f"completed must be {is_complete} with what the report holds, got {stated!r}")


_NAMES: dict[str, Iterable[str]] = {
    "attack": ATTACKS,
    "distinguisher": DISTINGUISHERS,
    "dataset": DATASETS,
    "mechanism": MECHANISMS,
}


def check_known(**named: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for a name that is in no catalogue, given by field."""
    for field, values in named.items():
        for value in values:
            if value not in _NAMES[field]:
                raise ValueError(f"{field} must be one of {', '.join(_NAMES[field])}, got {value!r}")


def check_agrees(name: str, stated: object, derived: object) -> None:
    """Raise ``ValueError`` unless a file states what its counts give."""
    if stated != derived:
        raise ValueError(f"{name} must be what the counts of the file give, got something else")


def counts_of(result: AuditResult) -> dict[str, int]:
    """Return the counts of a test by name."""
    counts = result.counts
    return {name: getattr(counts, name) for name in type(counts).__slots__}


def english(epsilon: float | None = None) -> Teller:
    """Return the words of the command line."""
    return Teller(words.document("en"), words.figures("en") | words.printed_names(), epsilon)


def assumed_of_game(
    config: Any, tell: Teller, attacks: Sequence[str], rules: Mapping[str, Sequence[str]],
    steps: Sequence[float | str], more: Sequence[tuple[str, str]],
) -> tuple[list[tuple[str, str]], list[str]]:  # fmt: skip
    """Return what a game of guesses assumes beside its settings, and the settings that are told there or unused.

    ``rules``: test -> its distinguishers; ``steps``: of the server; ``more``: what it assumes beside that.
    """
    delta = claimed_delta(config.mechanism)
    rows = [
        (tell("a_delta"), exact(delta) if delta else tell("delta_zero")),
        (tell("a_prior"), tell("prior_coin")),
        (tell("a_sees"), tell.listed([tell(f"sees_{test}") for test in rules])),
        (tell("a_rule"), tell.listed([tell(f"rule_{rule}") for names in rules.values() for rule in names])),
        (tell("a_watch"), tell("yes" if config.watch else "no")),
        *more,
    ]
    unused = ["bound", "distinguisher", "tests", "white_rules", "black_rules", "watch", "radius", "server_step"]
    unused += ["server_steps", *([] if any(map(has_strength, attacks)) else ["strength", "strengths"])]
    unused += [] if any(map(has_wrong_label, attacks)) else ["wrong_label"]
    if "black" not in rules:
        return rows, [*unused, "clients"]
    radius = tell("radius_usual") if config.radius is None else exact(config.radius)
    stepped = tell.listed([tell.server_step(step) for step in steps])
    return [*rows, (tell("a_radius"), radius), (tell("a_server_step"), stepped)], unused


class ToldStudy(Study):
    """A study that is told by the function ``report`` in its folder's module of that name.

    It is run by the function of its command's name in its folder's module ``run``. That takes where data are found, of
    ``cache``, ``device``, ``halted``, ``resume`` and ``threads`` what it needs, and ``images`` for the client's own.

    Args:
        formats: of the files of its charts; without one, all.
        holds: attribute of a result that is empty or 0 until something is found.
    """

    formats: ClassVar[tuple[str, ...]] = ()
    holds: ClassVar[str] = "counts.num_trials"

    def has_data(self, result: Any) -> bool:
        return bool(attrgetter(self.holds)(result))

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        module = import_module(f"ldp_core.studies.{self.folder}.run")
        run = getattr(module, request.config.COMMAND.replace("-", "_"))
        takes = signature(run).parameters
        where = {"data_dir": request.data_dir, "download": request.download}
        if "images" in takes:
            where = yield from data_of(request, self.datasets(request.config))
        offered = {"cache": cache, "device": request.device, "resume": request.resume, "threads": threads}
        offered["halted"] = request.unwanted
        yield from run(request.config, **where, **{name: offered[name] for name in offered if name in takes})

    def values(self, config: Any, dimension: Callable[[str], int]) -> float:
        """Return as how many random values a run counts against the limit of the page; 0 for one that is small.

        ``dimension``: returns the length of an update on a data set's images.
        """
        return 0.0

    def check_size(self, config: Any) -> None:
        workload.check(self.name, self.values(config, workload.most_dimension), "own" in self.datasets(config))

    def seconds(self, config: Any, values_per_second: float | None) -> float:
        start = workload.start_seconds(self.datasets(config), getattr(config, "training", "none"))
        return start + self.values(config, workload.usual_dimension) / workload.speed(values_per_second)

    def check_head(self, result: Any, report: Mapping[str, Any]) -> None:
        """Raise ``ValueError`` unless catalogues have a result's names, and its report states its seed and its end."""
        config = result.config
        named = {name: (getattr(config, name),) for name in ("attack", "mechanism") if hasattr(config, name)}
        check_known(dataset=Study.datasets(self, config), **named)
        for name, value in (("completed", result.completed), ("seed", getattr(config, "seed", None))):
            if name in report:
                check_agrees(name, report[name], value)

    def report(self, result: Any, tell: Teller) -> Report:
        """Return what a result says in the words of ``tell``."""
        report: Report = import_module(f"ldp_core.studies.{self.folder}.report").report(result, tell)
        return report

    def text(self, result: Any, notes: Sequence[str] = ()) -> str:
        return self.printed(result)

    def printed(self, result: Any, data_dir: Path | None = None) -> str:
        """Return what the command prints; ``data_dir`` is where the data lie, where that may be shown."""
        from ldp_core.terminal.told import text

        return text(self.report(result, english()), result, self.datasets(result.config), data_dir)

    def code(self, result: Any) -> int:
        return int(self.report(result, english()).rejected)

    def finding(self, result: Any, context: Context) -> Sequence[str]:
        return self.report(result, context).findings

    def parts(self, result: Any, context: Context) -> list[str]:
        return context.told(self.report(result, context), self.name, result, self.datasets(result.config))

    def save_figures(self, result: Any, folder: Path, words: Mapping[str, str], epsilon: float | None) -> list[Path]:
        from ldp_core.presentation.figures import paper

        charts = self.report(result, english(epsilon)).charts
        files = [
            paper.save_chart(chart.describe, folder, chart.name, self.formats or paper.FORMATS, words)
            for chart in charts
        ]
        return [file for saved in files for file in saved]


class KeptStudy(ToldStudy):
    """A study whose results are kept as ``record`` writes them.

    ``result``: dataclass of the result; that of its field ``config`` is the configuration's.
    """

    result: ClassVar[type[Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.schemas = (cls.result.SCHEMA,)
        result: Any = cls.result
        cls.config = record.hints_of(result)["config"]

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
        result = record.from_json(content, self.result)
        self.check_head(result, report)
        self.check_stated(result, report)
        return result, ()

    def check_stated(self, result: Any, report: Mapping[str, Any]) -> None:
        """Raise ``ValueError`` for what else a report must not state."""

    def to_json(self, result: Any, notes: Sequence[str] = ()) -> str:
        return record.to_json(result)
