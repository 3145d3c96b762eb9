"""What the commands of studies share: options with their help, which files are looked at first, and the last steps."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from textwrap import fill
from typing import Any

from ldp_core import record
from ldp_core.randomness.streams import fresh_seed
from ldp_core.terminal import (
    HelpFormatter,
    check_folder,
    check_html,
    check_writable,
    conclude,
    deliver,
    pictures,
    significance_of,
    values_of,
    words_of,
    write_html,
)
from ldp_core.terminal.numbers import dataset_help, range_help, whole

OWN_DATA_DIR = "folder with torchvision's data; for own, a folder (or .zip) of one per label, or a .npz"
CHARTS = "save the charts for print in a folder"
_SHARED: dict[str, dict[str, Any]] = {
    "data_dir": {"type": Path, "help": "folder that holds torchvision's data"},
    "download": {"action": "store_true", "help": "allow a missing data set to be downloaded"},
    "seed": {"type": whole, "help": "of all random streams; without it, from the operating system, and printed"},
    "device": {"default": "cpu", "help": "cpu, cuda (every card; central: the first), one card as in cuda:1, or auto"},
    "threads": {"type": whole, "help": "worker threads; without it, all cores"},
    "json": {"metavar": "FILE", "help": "write the result as JSON to a file, or - for standard output"},
    "html": {"metavar": "FILE", "help": "write the result as one page that opens and prints without internet"},
    "figures": {"type": Path, "metavar": "FOLDER", "help": "save the figure as SVG, PDF and PNG"},
}
"""Option, written with underscores -> how argparse reads it, and its help."""


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], description: str, epilog: str | None = None
) -> argparse.ArgumentParser:
    """Add a command to the parser; its help has the defaults, and keeps the lines of a text that has several."""
    shown = HelpFormatter if "\n" in f"{description}{epilog}" else argparse.ArgumentDefaultsHelpFormatter
    parser: argparse.ArgumentParser = commands.add_parser(
        name, description=description, epilog=epilog, formatter_class=shown
    )
    parser.set_defaults(run=run)
    return parser


def json_fields(schema: str, own: str) -> str:
    """Return what a help says of the fields of a report: ``own``, between those that every report has."""
    return fill(f"JSON (schema {schema}): config (what was asked for), {own}, completed, seconds, versions.", 118)


def add_shared(parser: argparse.ArgumentParser, *names: str, **told: str) -> None:
    """Add options that several commands have, in the order given; those in ``told`` last, with a help of their own."""
    for name in (*names, *told):
        how = _SHARED[name] | ({"help": told[name]} if name in told else {})
        parser.add_argument(_option(name), **how)


def add_env(add: Any) -> None:
    """Add the option that hands a variable of the environment over to the code of others."""
    text = "variable of the environment that the code of others gets, too; may be given several times"
    add("--env", action="append", metavar="NAME", help=text)


def add_public_data(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the options of a command that takes every data set but the client's own images."""
    parser.add_argument("--dataset", default=default, help=f"one of {dataset_help(own=False)}")
    add_shared(parser, "data_dir", "download")


def add_field(parser: argparse.ArgumentParser, default: Any, field: str, kind: Callable[[str], Any], text: str) -> None:
    """Add the option of a field of a configuration, whose value in ``default`` is the option's."""
    parser.add_argument(_option(field), type=kind, default=getattr(default, field), help=text)


def add_ranged(
    parser: argparse.ArgumentParser, default: Any, field: str, kind: Callable[[str], Any], text: str
) -> None:
    """Add the option of a field as ``add_field`` does, with the field's range in the help."""
    add_field(parser, default, field, kind, f"{text}; {range_help(type(default), field)}")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def check_files(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless the files and the folder that a study's command is to write can be written."""
    resume = getattr(options, "resume", None)
    check_writable("--json", options.json)
    check_writable("--resume", None if resume is None else str(resume))
    check_html(options)
    check_folder("--figures", getattr(options, "figures", None))


def seed_of(options: argparse.Namespace) -> int:
    """Return the seed that was given, or a fresh one."""
    return fresh_seed() if options.seed is None else options.seed


def settings_of(options: argparse.Namespace, config: type[Any], **told: Any) -> dict[str, Any]:
    """Return the options that are fields of a configuration and were given, a seed in any case, and those in ``told``.

    The field of ``--trials`` may be ``num_trials``; ``--confidence`` gives the field ``significance``. A field that is
    a tuple is read from values separated by commas; "all" stands for its default.
    """
    given = {one.name: getattr(options, one.name.removeprefix("num_"), None) for one in fields(config)}
    if "significance" in given:
        given["significance"] = significance_of(options.confidence)
    found = {name: value for name, value in given.items() if value is not None and name not in told}
    for name, kind in record.lists(config).items():
        if isinstance(found.get(name), str):
            found[name] = _default(config, name) if found[name] == "all" else values_of(name, found[name], _READ[kind])
    return found | {"seed": seed_of(options)} | told


_READ: dict[type[Any], Callable[[str], Any]] = {str: str, int: whole, float: float}


def _default(config: type[Any], name: str) -> Any:
    return next(one.default for one in fields(config) if one.name == name)


def finish(
    options: argparse.Namespace, result: Any, text: Callable[[], str] | None = None, *, epsilon: float | None = None
) -> int:
    """Write a study's result to the page, the figures and the JSON that were asked for, print it, return the exit code.

    Args:
        options: of the command.
        result: of a study, which says how it is written, and whether a claim was rejected.
        text: returns what people read, where the study's ``report`` does not say it.
        epsilon: of charts that are drawn at one.
    """
    from ldp_core.studies import study_of

    study = study_of(result.config)

    def printed() -> str:
        return text() if text else str(study.printed(result, getattr(options, "data_dir", None)))  # type: ignore[attr-defined]

    def save(folder: Path) -> list[Path]:
        return study.save_figures(result, folder, words_of("plain"), epsilon)

    return conclude(
        study.code(result),
        lambda: write_html(options.html, result, epsilon=epsilon),
        lambda: pictures(getattr(options, "figures", None), save),
        lambda: deliver(options.json, printed(), lambda: study.to_json(result)),
    )
