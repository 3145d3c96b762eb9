"""The command ``reproduce``: every item of the papers beside what is found here."""

import argparse
import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

from ldp_core import record
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.reproduce.items import PAPERS, SCALES, items
from ldp_core.studies.reproduce.result import ReproduceConfig, ReproduceResult
from ldp_core.terminal import check_folder, emit, write
from ldp_core.terminal.study_command import StudyCommand, json_fields

KEPT, NUMBERS, RESULT = "runs", "numbers.csv", "reproduce.json"
COLUMNS = ("paper", "item", "quantity", "published", "ours", "lower", "upper", "scale", "seconds", "command")
_ABOUT = """\
Each item ends in one verdict: agrees (each published number lies in our interval, widened by half a unit of its last
digit or the tolerance that the row states; the interval contradicts no order that the paper states); differs, and why;
shape (no number is published, and no order of its chart is contradicted); out of reach, and why. The state "prepared"
says that some of its numbers were measured in advance, each with its command. A difference is no rejection: exit code
0. Intervals are over measurements at 95 % where an item is a mean over them. --out FOLDER gets report.html,
numbers.csv, reproduce.json, figures, and in runs what show opens. A command in numbers.csv wants the same
--data-dir."""


class _Reproduce(StudyCommand):
    """Keeps what is done in the folder of ``--out``."""

    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        parser = super().add_to(commands)
        add = parser.add_argument
        add("--out", type=Path, metavar="FOLDER", help="write the report, its numbers, its figures and all results")
        add("--resume", action="store_true", help="go on from what --out holds of the same settings, with its seed")
        add("--list", action="store_true", help="print the items' names and end")
        add("--seeds", dest="papers", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        return parser

    def run(self, options: argparse.Namespace) -> int:
        if options.list:
            emit("\n".join(item.name for item in self.config_of(options).chosen))
            return 0
        out = options.out
        if options.resume and out is None:
            raise ValueError("--resume must stand with --out, which names the folder to go on from, got it alone")
        options.html = options.figures = None
        if out is not None:
            check_folder("--out", out)
            out.mkdir(parents=True, exist_ok=True)
            options.html, options.figures = str(out / "report.html"), out / "figures"
        return super().run(options)

    def config_of(self, options: argparse.Namespace) -> ReproduceConfig:
        if options.dataset is None and options.data_dir is not None:
            options.dataset = "mnist"
        config: ReproduceConfig = super().config_of(options)
        earlier = options.out / RESULT if options.resume and options.out else None
        if options.seed is None and earlier is not None and earlier.is_file():
            return replace(config, seed=record.from_json(earlier.read_bytes(), ReproduceResult).seed)
        return config

    def steps(self, config: Any, options: argparse.Namespace, cache: Any) -> Any:
        from ldp_core.studies.reproduce.run import reproduce

        kept, done = options.out / KEPT if options.out else None, -1
        where = {"data_dir": options.data_dir, "download": options.download, "device": options.device}
        resume = kept if options.resume else None
        for step in reproduce(config, cache=cache, threads=options.threads, keep=kept, resume=resume, **where):
            if options.out and step.done != done:
                done = step.done
                write("--out", str(options.out / RESULT), record.to_json(step.result) + "\n")
                write("--out", str(options.out / NUMBERS), numbers(step.result))
            yield step

    def _line(self, config: Any, step: Any) -> str:
        line = f"{step.done} of {step.total} items"
        return f"{line}; now {step.item}, about {step.left:.0f} s left" if step.item else line


def numbers(result: ReproduceResult) -> str:
    """Return every quantity as CSV."""
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(COLUMNS)
    for finding in result.items:
        for row in finding.rows:
            ours = ("" if value is None else f"{value:.6g}" for value in (row.ours, row.lower, row.upper))
            named = (items()[finding.item].paper, finding.item, row.quantity, row.published)
            table.writerow((*named, *ours, result.config.scale, f"{row.seconds:.1f}", row.command))
    return lines.getvalue()


COMMAND = _Reproduce(
    default=ReproduceConfig(),
    description="Rebuild what the papers print, item by item, and say how it stands to it.",
    epilog=_ABOUT
    + "\n"
    + json_fields(
        ReproduceResult.SCHEMA,
        "items (item, state, why, rows (quantity, published, tolerance, ours, lower, upper, seconds, command, agrees, "
        "difference), verdict), verdicts (how many of each), seed",
    ),
    told={
        "papers": "",
        "items": "names that --list prints, separated by commas; all without it",
        "scale": "quick: at most 5 minutes on two cores; hour: what is prepared is run anew where its data set is "
        "chosen; paper: as the papers state",
        "dataset": "",
    },
    known={"papers": PAPERS, "scale": SCALES, "dataset": PUBLIC_DATASETS},
    more={"dataset": {"default": None}},
    shared=("data_dir", "download", "seed", "device", "threads", "json"),
    lines={},
    cached=True,
)
