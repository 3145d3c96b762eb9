"""What every adversary reaches at several epsilons: the command ``central-table``, and the table that comes with us."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from ldp_core import record
from ldp_core.cache import write_atomically
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.game.backends import carry_out, check_backend
from ldp_core.studies.central.result import MODELS, CentralConfig, CentralResult, ceilings, claimed
from ldp_core.study import Step
from ldp_core.terminal import NOT_REJECTED, check_writable, conclude, deliver, follow, say, values_of
from ldp_core.terminal.numbers import check_threads, dataset_help, whole
from ldp_core.terminal.study_command import add_command, add_shared
from ldp_core.types import TrialCounts

NAME = "central-table"
SCHEMA = "ldp-central-table/1"
EPSILONS = (1.0, 2.0, 4.0, 10.0)
QUICK = ("logistic", "mlp")
"""Models of the table that comes with us."""
GAMES, SEED = 500, 1
COMMAND = f"python -m ldp_core {NAME} --games {GAMES} --seed {SEED} --json table.json --resume table.part"
SHOWN = CentralConfig("malicious-data", SEED, epsilon=4.0, games=GAMES)
"""Setting of the cells that are shown before anything is run."""
PAPER = (
    ("api", 4.0, "CIFAR-10", 0.31),
    ("intermediate", 2.0, "Purchase", 0.25),
    ("adaptive-poison", 2.0, "Purchase", 0.37),
    ("gradient", 1.0, "", 0.3),
    ("malicious-data", 4.0, "", 3.6),
)
"""Bounds that Nasr et al. 2021 state: adversary, claimed epsilon, data ("" where our source names none), epsilon."""
_CELL = attrgetter("adversary", "model", "epsilon")
"""What tells the cells of a table apart."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one adversary reached in ``games`` of each world: the share of right guesses with its limits.

    ``ceiling`` is the share of the best attacker by the exact law, ``clopper_pearson`` a lower bound on epsilon of any
    program, ``curve`` one among DP-SGD of this setting; ``counts`` are as in ``CentralResult``, empty where not kept.
    """

    adversary: str
    model: str
    epsilon: float
    games: int
    right: float
    low: float
    high: float
    ceiling: float
    clopper_pearson: float
    curve: float
    counts: TrialCounts


@cache
def measured() -> tuple[Row, ...]:
    """Return the table that was measured in advance."""
    return tuple(_rows(record.measured_in_advance(Row)))


def _rows(report: Any) -> list[Row]:
    return list(record.of_json(tuple[Row, ...], report["rows"], "rows"))


def beside_paper(model: str) -> list[tuple[str, float, str, float, Row]]:
    """Return each of ``PAPER`` with our row of the same adversary and claim."""
    ours = {(row.adversary, row.epsilon): row for row in measured() if row.model == model}
    return [(*paper_row, ours[paper_row[:2]]) for paper_row in PAPER if paper_row[:2] in ours]


def reached(model: str, epsilon: float) -> dict[str, TrialCounts]:
    """Return the judged games of each adversary in the table that was measured in advance."""
    rows = [row for row in measured() if (row.model, row.epsilon) == (model, epsilon)]
    return {row.adversary: row.counts for row in rows if row.counts.num_trials}


def row_of(result: CentralResult) -> Row:
    """Return the row of a result that has games."""
    config, interval = result.config, result.identification
    assert interval is not None
    claim = claimed(config)
    ceiling = ceilings(claim.sampling_rate, claim.noise, claim.steps)[0]
    numbers = [round(value, 5) for value in (*interval, ceiling, result.clopper_pearson, result.curve)]
    right, low, high, most, point, curve = numbers
    return Row(
        config.adversary, config.model, config.epsilon, config.games, right, low, high, most, point, curve,
        result.counts,
    )  # fmt: skip


def configs(
    games: int, seed: int, epsilons: tuple[float, ...], models: tuple[str, ...] = QUICK, dataset: str = "digits"
) -> Iterator[CentralConfig]:
    """Yield every cell of the table."""
    for model in models:
        for adversary in ADVERSARIES:
            for epsilon in epsilons:
                yield CentralConfig(adversary, seed, epsilon=epsilon, model=model, games=games, dataset=dataset)


def run(options: argparse.Namespace) -> int:
    """Play every cell; cells that a file of an earlier run holds are not played again."""
    check_writable("--json", options.json)
    check_writable("--resume", None if options.resume is None else str(options.resume))
    check_threads(options.threads)
    check_backend(options.backend, options.cluster, options.workers)
    claims, models = values_of("epsilons", options.epsilons, float), values_of("models", options.models, str)
    cells = list(configs(options.games, options.seed, claims, models, options.dataset))
    key: dict[str, Any] = {"schema": SCHEMA, "games": options.games, "seed": options.seed}
    if options.dataset != "digits":
        key["dataset"] = options.dataset

    def json_of(rows: list[Row], indent: int | None = None) -> str:
        return json.dumps(key | {"rows": [asdict(row) for row in rows]}, indent=indent, allow_nan=False)

    rows = _kept(options.resume, key)
    say("loading torch ...")
    steps = _steps(cells, rows, options, json_of)
    rows = follow(steps, lambda state: state.line, lambda _: "stopped: what is finished follows").rows
    return conclude(NOT_REJECTED, lambda: deliver(options.json, text_of(rows), lambda: json_of(rows, 1)))


def _kept(path: Path | None, key: dict[str, Any]) -> list[Row]:
    """Return the rows of an earlier run of the same games.

    Raises ``ValueError`` if the file is none of ours, or of other games.
    """
    if path is None or not path.exists():
        return []
    try:
        report = json.loads(path.read_text())
        rows = _rows(report)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"--resume must name a file that this command wrote, got {str(path)!r}") from error
    if report != key | {"rows": report["rows"]}:
        raise ValueError(f"--resume must name a file of the same games, seed and data set, got {str(path)!r}")
    return rows


@dataclass(frozen=True, slots=True)
class _State:
    """Where a table stands: how it is told, and the rows that are finished, in the order of the cells."""

    stage: str
    line: str
    rows: list[Row]


def _steps(
    cells: list[CentralConfig], rows: list[Row], options: argparse.Namespace, json_of: Callable[[list[Row]], str]
) -> Generator[_State, None, None]:
    """Play the cells that no row has yet, and keep each as soon as it ends."""
    places = {_CELL(cell): place for place, cell in enumerate(cells)}
    kept = set(map(_CELL, rows))
    missing = [cell for cell in cells if _CELL(cell) not in kept]
    yield _State("cells", f"{len(rows)} of {len(cells)} cells", rows)
    for played in _played(missing, options):
        if isinstance(played, Row):
            rows = sorted([*rows, played], key=lambda row: places.get(_CELL(row), len(places)))
            if options.resume is not None:
                write_atomically(options.resume, json_of(rows).encode())
            yield _State("cells", f"{len(rows)} of {len(cells)} cells", rows)
        else:
            head = f"cell {len(rows) + 1} of {len(cells)}"
            yield _State(head, f"{head}, game {played.done:,} of {played.total:,}", rows)


def _played(cells: list[CentralConfig], options: argparse.Namespace) -> Iterator[Row | Step[CentralResult]]:
    """Yield the rows of cells: one after another with the steps between, or from other processes or a cluster."""
    if options.backend != "here":
        play = partial(cell, threads=options.threads or 1, data_dir=options.data_dir)
        yield from carry_out(play, cells, options.backend, options.cluster, options.workers)
        return
    from ldp_core.studies.central.run import central

    for config in cells:
        for step in central(config, threads=options.threads, data_dir=options.data_dir):
            yield step
        yield row_of(step.result)


def cell(config: CentralConfig, threads: int, data_dir: Path | None) -> Row:
    """Play one cell to its end, in whatever process this is."""
    from ldp_core.studies.central.run import central

    *_, last = central(config, threads=threads, data_dir=data_dir)
    return row_of(last.result)


def read(text: bytes) -> list[Row] | None:
    """Read a table back; None where the file is of another kind; raises ``ValueError`` if it is a damaged table."""
    try:
        report = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        return None
    with record.reading("a table must be what central-table wrote"):
        return _rows(report)


def text_of(rows: list[Row]) -> str:
    """Return the table as text."""
    lines = [f"{'attacker':<18}{'model':<10}{'epsilon':>8}{'right of 100':>22}{'ceiling':>9}{'any':>7}{'curve':>7}"]
    lines += [
        f"{row.adversary:<18}{row.model:<10}{row.epsilon:>8g}"
        f"{f'{100 * row.right:.1f} ({100 * row.low:.1f}-{100 * row.high:.1f})':>22}"
        f"{100 * row.ceiling:>9.1f}{row.clopper_pearson:>7.2f}{row.curve:>7.2f}"
        for row in rows
    ]
    return "\n".join(lines)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, NAME, run, "Play every adversary with several models at several epsilons.")
    add = parser.add_argument
    add("--models", default=",".join(QUICK), help=f"of {', '.join(MODELS)}; cnn takes about ten hours on two cores")
    add("--dataset", default="digits", help=f"one of {dataset_help(own_images=False)}")
    add_shared(parser, "data_dir")
    add("--epsilons", default=",".join(f"{epsilon:g}" for epsilon in EPSILONS), help="claims, separated by commas")
    add("--games", type=whole, default=GAMES, help="judged games in each world; as many others choose the threshold")
    add("--seed", type=whole, default=SEED, help="of all random streams")
    add("--threads", type=whole, help="worker threads of one cell; without it, all cores (1 with a backend)")
    add("--backend", default="here", help="here, or through joblib loky (processes), dask or ray")
    add("--cluster", metavar="ADDRESS", help="address of a running dask or ray cluster")
    add("--workers", type=whole, help="cells at a time with loky, ray or an own dask; without it, all it has")
    add("--resume", type=Path, metavar="FILE", help="keep finished cells in a file, and go on from it")
    add("--json", metavar="FILE", help="write the table as JSON to a file, or - for standard output")
