"""The command ``compare``: attacks by epsilons by tests by data sets, kept in a file and continued from it."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import record
from ldp_core.adversaries import ATTACKS
from ldp_core.distinguishers import DISTINGUISHERS, LINEAR
from ldp_core.game.backends import check_backend
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import PAPER, TESTS, CompareConfig, CompareResult
from ldp_core.mechanisms import DEMONSTRATION, HONEST, LDP_SGD_FAMILY
from ldp_core.presentation import tables
from ldp_core.reports import repeat
from ldp_core.studies.compare.exports import to_csv, to_json
from ldp_core.studies.compare.report import report
from ldp_core.studies.compare.store import Store
from ldp_core.studies.reading import english
from ldp_core.terminal import (
    add_wording,
    check_writable,
    follow,
    is_stream,
    opened_cache,
    say,
    stage_line,
    values_of,
    words_of,
    write,
    write_latex,
)
from ldp_core.terminal.numbers import (
    LABEL_HELP,
    STEP_HELP,
    check_threads,
    dataset_help,
    range_help,
    training_help,
    whole,
)
from ldp_core.terminal.study_command import StudyCommand, check_files, finish, settings_of
from ldp_core.types import TRAINING_WORDS, AuditConfig, server_step

if TYPE_CHECKING:
    from ldp_core.studies.compare.run import CompareProgress

_EXPORTS = (".csv", ".json")


def _export(name: str | None, result: CompareResult, notes: tuple[str, ...]) -> None:
    if name is not None:
        as_json = Path(name).suffix.lower() == ".json"
        write("--export", name, to_json(result, notes) + "\n" if as_json else to_csv(result))


def _check_distinct(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` if two options name one file, or if one names standard output that cannot go there."""
    for option in ("--export", "--store", "--latex"):
        if getattr(options, option[2:]) == "-":
            raise ValueError(f"{option} must name a file, got '-', which only --json knows")
    named = [
        os.path.realpath(name)
        for name in (options.json, options.export, options.store, options.html, options.latex)
        if name not in (None, "-")
    ]
    if len(set(named)) < len(named):
        raise ValueError(
            f"--json, --export, --store, --html and --latex must name different files, got {', '.join(named)}"
        )


def _saying_notes(steps: Generator[CompareProgress, None, None]) -> Generator[CompareProgress, None, None]:
    """Pass a comparison on, and say each of its notes as it comes."""
    count, unkept = 0, ""
    with closing(steps):
        for progress in steps:
            for note in progress.notes[count:]:
                say(note, end="\n")
            count = len(progress.notes)
            if progress.unkept and not unkept:
                say(f"the run goes on and tries again after each pass: {progress.unkept}", end="\n")
            unkept = progress.unkept
            yield progress


def _stopped(progress: CompareProgress) -> str:
    if not progress.cells_done:
        return ""
    return (
        f"stopped with {progress.cells_done} of {progress.cells_total} measurements of cells finished; bounds that are "
        "shown now and again later spend the significance twice, unless the run is watched"
    )


def _progress_line(progress: CompareProgress) -> str:
    """Describe the state; what is found is shown only in a watched run, whose bounds allow for looking."""
    if progress.stage in ("data", "download", "training"):
        return stage_line(progress.stage, progress.dataset, progress.done, progress.total)
    kept = f"{progress.cells_done:,} of {progress.cells_total:,} measurements of cells kept"
    if progress.result.config.watch:
        kept += _closest(progress.result)
    if progress.stage == "passes":
        return f"{progress.dataset}: pass {progress.done:,} of {progress.total:,}; {kept}"
    if progress.stage == "crafting":
        return f"{progress.dataset}: crafting pairs; {kept}"
    return f"{progress.dataset}: trial {progress.done:,} of {progress.total:,} of this pass; {kept}"


def _closest(result: CompareResult) -> str:
    """Name the cell whose bound has come closest to its promise so far."""
    shares = [(summarize(cell).epsilon.lower / cell.config.epsilon, cell.config) for cell in result.cells]
    share, config = max(shares, key=lambda item: item[0])
    return f"; closest: {config.attack} by {config.distinguisher}, {100 * share:.0f} % of epsilon {config.epsilon:g}"


def text_of(result: CompareResult, notes: tuple[str, ...], data_dir: Path | None = None) -> str:
    """Return the papers' tables beside theirs, what follows, and how to repeat it (see ``repeat``)."""
    parts = []
    for dataset in result.config.datasets:
        name = f"{dataset}, training {result.config.training}"
        if data := result.data(dataset):
            parts.append(data.sentence(dataset, result.config.training))
        for rule in result.config.white_rules if "white" in result.config.tests else ():
            for strength in result.config.strengths:
                view = tables.View(white_rule=rule, strength=strength)
                label = f"{rule}, strength {strength:g}, {name}"
                if white := tables.identification_table(result, dataset, "white", view):
                    parts.append(f"White box (sees the report), {label}\n" + tables.identification_text(white))
        heading = tables.published_heading(result, dataset)
        if heading and (beside := tables.published_table(result, dataset)):
            parts.append(f"{heading}\n" + tables.published_text(beside))
        if black := tables.clients_table(result, dataset):
            parts.append(f"Black box (sees the model before and after), {name}\n" + tables.clients_text(black))
    parts.append(
        "Cells of one measurement share their random directions: each is right by itself, comparisons are sharper, and "
        "their errors are not independent."
    )
    study_report = report(result, english())
    parts += [f"Left out: {line}" for line in study_report.sections[-1].parts]
    training = result.config.training
    parts.append(f"Training {training}: {TRAINING_WORDS[training]}.")
    sentences = [sentence.replace("**", "") for sentence in study_report.findings]
    again = repeat(record.command(result.config, result.device), result.config.datasets, data_dir)
    return "\n".join([*parts, *notes, *sentences, again])


def _mechanisms() -> str:
    honest = ", ".join(name for name in LDP_SGD_FAMILY if name in HONEST)
    return f"{honest}, or {DEMONSTRATION}: it breaks its promise on purpose"


class _Compare(StudyCommand):
    """Runs what the store lacks; prints the papers' tables; has files of its own."""

    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        parser = super().add_to(commands)
        add = parser.add_argument
        add("--dataset", default="digits", help=f"some of {dataset_help()}")
        add("--store", metavar="FILE", help="SQLite file that keeps each cell as it finishes; run again to continue")
        add("--export", metavar="FILE", help="write one row per cell and measurement as .csv, or all as .json")
        add_wording(parser)
        add(
            "--latex",
            metavar="FILE",
            help="write tables for a paper: each cell with its interval, published rows beside ours",
        )
        add("--backend", default="here", help="here, or through joblib loky (processes), dask or ray")
        add("--cluster", metavar="ADDRESS", help="address of a running dask or ray cluster")
        add("--workers", type=whole, help="passes at a time with loky, ray or an own dask; without it, all it has")
        return parser

    def run(self, options: argparse.Namespace) -> int:
        check_files(options)
        for option in ("--export", "--store", "--latex"):
            check_writable(option, getattr(options, option[2:]))
        _check_distinct(options)
        words_of(options.wording)
        path = Path(options.export or "")
        if options.export and not is_stream(path) and path.suffix.lower() not in _EXPORTS:  # a device or a pipe: CSV
            raise ValueError(f"--export must name a file that ends in {' or '.join(_EXPORTS)}, got {options.export!r}")
        config = self.config_of(options)
        check_threads(options.threads)
        check_backend(options.backend, options.cluster, options.workers)
        waits = partial(say, "waiting for another program that holds the store ...", end="\n")
        store = Store(Path(options.store) if options.store else None, waits)
        known = store.seed_for(config)
        if options.seed is None:
            config = dataclasses.replace(config, seed=known)
        say("loading torch ...")
        from ldp_core.studies.compare.run import compare

        names = ("device", "threads", "data_dir", "download", "backend", "cluster", "workers")
        steps = compare(config, opened_cache(), store, **{name: getattr(options, name) for name in names})
        try:
            last = follow(_saying_notes(steps), _progress_line, _stopped)
        except KeyboardInterrupt:
            if options.store:
                say(f"nothing was finished now; what {options.store} keeps of earlier runs stays", end="\n")
            raise
        result, notes = last.result, last.notes
        if notes and not any(cell.measurements for cell in result.cells):
            raise ValueError(notes[-1])
        text = text_of(result, notes, None if options.json == "-" else options.data_dir)  # standard error may be a log

        def check_kept() -> None:
            if last.unkept:
                raise ValueError(f"what was counted is in the result, and some of it not in the store: {last.unkept}")

        more = (
            check_kept,
            lambda: _export(options.export, result, notes),
            lambda: write_latex(options.latex, result),
            lambda: say(text, end="\n") if options.json == "-" else None,
        )
        return finish(options, result, lambda: text, *more, notes=notes)

    def config_of(self, options: argparse.Namespace) -> CompareConfig:
        lists = {
            "attacks": ATTACKS if options.attacks == "all" else values_of("attacks", options.attacks, str),
            "server_steps": values_of("server-steps", options.server_steps, server_step),
            "datasets": values_of("dataset", options.dataset, str),
        }
        return CompareConfig(**settings_of(options, CompareConfig, **lists))


_RULES = "\n".join(f"  {name:16}  knows {rule.access}" for name, rule in DISTINGUISHERS.items() if rule.view == "black")
COMMAND = _Compare(
    default=CompareConfig(ATTACKS, (0.5, 1.0, 2.0, 4.0), 0),
    description="Run many cells in one pass of randomness each, and print the papers' tables beside theirs.\n"
    "Lists are separated by commas.",
    epilog=Path(__file__).with_name("help.txt").read_text(encoding="utf-8").replace("{rules}", _RULES),
    told={
        "attacks": "",
        "epsilons": f"claimed privacy parameters, {range_help(AuditConfig, 'epsilon')}",
        "tests": f"some of {', '.join(TESTS)}: by the report, by the model only",
        "white_rules": f"some of {', '.join(LINEAR)}",
        "black_rules": "paper (their rule for each attack) or black-box rules of audit --distinguisher",
        "clients": f"clients per round of the black-box test, each {range_help(AuditConfig, 'clients')}",
        "radius": "norm of the server's ball; without it, three times that of the model sent",
        "server_steps": f"each {STEP_HELP}; of the black-box test",
        "wrong_label": LABEL_HELP,
        "strengths": "of the attacks that have one, see audit --strength",
        "training": f"how far the global model is trained: {training_help()}",
        "num_trials": "trials of one measurement, both gradients together",
        "num_measurements": "measurements, each with pairs of its own",
        "significance": "of each stated bound",
        "clip_norm": "L2 bound L on a gradient",
        "mechanism": _mechanisms(),
        "curves": "count trade-off curves too",
        "watch": "show what is found during the run, and pay for looking",
    },
    known={"attacks": ATTACKS},
    more={"tests": {"default": "white"}, "white_rules": {"default": "cosine"}, "black_rules": {"default": PAPER}},
    shared=("json", "html", "device"),
    helps={
        "data_dir": "folder that holds torchvision's data; for own, a folder with one subfolder per label, or a .zip "
        "of it",
        "download": "allow missing data sets to be downloaded",
        "seed": "of all random streams; without it, that of an earlier run with these settings in the store, else from "
        "the operating system; printed",
        "figures": "save the papers' figures as SVG, PDF and PNG",
        "threads": "worker threads of one pass; without it, all cores (1 with a backend)",
    },
    lines={},
)
