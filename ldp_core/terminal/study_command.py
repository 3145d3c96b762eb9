"""What the commands of studies share: options with their help, which files are looked at first, and the last steps."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, get_args

from ldp_core import _validate, record
from ldp_core.randomness.streams import fresh_seed
from ldp_core.study import CommandRun
from ldp_core.terminal import (
    check_folder,
    check_html,
    check_writable,
    conclude,
    deliver,
    follow,
    opened_cache,
    pictures,
    say,
    significance_of,
    stage_line,
    values_of,
    words_of,
    write_html,
)
from ldp_core.terminal.numbers import MAP_OPTION, check_threads, dataset_help, number, range_help, size, whole

if TYPE_CHECKING:
    from ldp_core.checking.subjects.python import Limits

_OWN_DATA_DIR = "folder with torchvision's data; for own, a folder (or .zip) of one per label, or a .npz"
CHARTS = "save the charts for print in a folder"
_SHARED: dict[str, dict[str, Any]] = {
    "data_dir": {"type": Path, "help": "folder that holds torchvision's data"},
    "download": {"action": "store_true", "help": "allow a missing data set to be downloaded"},
    "seed": {"type": whole, "help": "of all random streams; without it, from the operating system, and printed"},
    "device": {"default": "cpu", "help": "cpu, cuda (every card; central: the first), one card as in cuda:1, or auto"},
    "threads": {"type": whole, "help": "worker threads; without it, all cores"},
    "timeout": {"type": number, "default": 60.0},
    "workers": {"type": whole, "metavar": "N", "default": 1},
    "memory_limit": {"metavar": "SIZE", "help": "data that each process may hold, such as 2GB; without it, no limit"},
    "env": {
        "action": "append",
        "metavar": "NAME",
        "help": "variable of the environment that the code of others gets, too; may be given several times",
    },
    "json": {"metavar": "FILE", "help": "write the result as JSON to a file, or - for standard output"},
    "html": {"metavar": "FILE", "help": "write the result as one page that opens and prints without internet"},
    "resume": {"type": Path, "metavar": "FILE", "help": "keep what is done in a file, and go on from it"},
    "figures": {"type": Path, "metavar": "FOLDER", "help": "save the figure as SVG, PDF and PNG"},
}
"""Option, written with underscores -> how argparse reads it, and its help."""


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], description: str, epilog: str | None = None
) -> argparse.ArgumentParser:
    """Add a command to the parser; its help has the defaults, and keeps the lines of a text that has several."""
    shown = argparse.RawDescriptionHelpFormatter if "\n" in f"{description}{epilog}" else argparse.HelpFormatter
    parser: argparse.ArgumentParser = commands.add_parser(
        name, description=description, epilog=epilog, formatter_class=shown
    )
    parser.set_defaults(run=run)
    return parser


def json_fields(schema: str, own_fields: str) -> str:
    """Return what a help says of the fields of a report: ``own_fields``, between those that every report has."""
    return fill(
        f"JSON (schema {schema}): config (what was asked for), {own_fields}, completed, seconds, versions.", 118
    )


def add_shared(parser: argparse.ArgumentParser, *names: str, **helps: str) -> None:
    """Add options that several commands have, in the order given; those in ``helps`` last, with a help of their own."""
    for name in (*names, *helps):
        how = _SHARED[name] | ({"help": helps[name]} if name in helps else {})
        parser.add_argument(_option(name), **how)


def limits_of(options: argparse.Namespace, **more: Any) -> Limits:
    """Return what ``--timeout``, ``--memory-limit``, ``--workers`` and ``--env`` let the code of others take."""
    from ldp_core.checking.subjects.python import Limits

    memory = None if options.memory_limit is None else size("--memory-limit", options.memory_limit)
    given = {name: getattr(options, name) for name in ("timeout", "workers") if getattr(options, name) is not None}
    return Limits(memory=memory, env=tuple(options.env or ()), **given, **more)


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


def settings_of(options: argparse.Namespace, config: type[Any], **overrides: Any) -> dict[str, Any]:
    """Return the options that are fields of a configuration and were given, a seed in any case, and ``overrides``.

    The field of ``--trials`` may be ``num_trials``; ``--confidence`` gives the field ``significance``. A field that is
    a tuple is read from values separated by commas; of names, "all" stands for its default.
    """
    given = {setting.name: getattr(options, setting.name.removeprefix("num_"), None) for setting in fields(config)}
    if "significance" in given:
        given["significance"] = significance_of(options.confidence)
    settings = {name: value for name, value in given.items() if value is not None and name not in overrides}
    for name, kind in record.lists(config).items():
        if isinstance(settings.get(name), str):
            usual = kind is str and settings[name] == "all"
            default = next(setting.default for setting in fields(config) if setting.name == name)
            settings[name] = default if usual else values_of(name, settings[name], _READ[kind])
    return settings | {"seed": seed_of(options)} | overrides


_READ: dict[type[Any], Callable[[str], Any]] = {str: str, int: whole, float: float}


@dataclass(frozen=True, kw_only=True)
class StudyCommand:
    """The command of a study: its options are the fields of a configuration, and it runs what the page's queue runs.

    Args:
        default: a configuration with the options' defaults.
        description: of the command.
        epilog: what stands below the options in the help.
        told: field -> help of its option, in order; the field's limits stand behind it. Empty for a field in ``known``.
        known: field -> the names that it may have, or each name in it if it is a list.
        more: field -> what argparse is told beside what follows from the field's type.
        shared: options that several commands have.
        helps: likewise, with a help of their own.
        begins: said before the first step.
        lines: stage -> what is said of it, with places for ``done``, ``total`` and ``percent``.
        cached: whether the run reads or keeps models.
    """

    default: Any
    description: str
    told: Mapping[str, str]
    lines: Mapping[str, str]
    epilog: str | None = None
    known: Mapping[str, Collection[str]] = field(default_factory=dict)
    more: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    shared: tuple[str, ...] = ("data_dir", "download", "seed", "json", "html", "figures")
    helps: Mapping[str, str] = field(default_factory=dict)
    begins: str = "loading torch ..."
    cached: bool = False

    @property
    def NAME(self) -> str:
        """Name of the command."""
        return str(self.default.COMMAND)

    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        """Add the command to the parser."""
        parser = add_command(commands, self.NAME, self.run, self.description, self.epilog)
        for name, text in self.told.items():
            option = "--confidence" if name == "significance" else _option(name.removeprefix("num_"))
            parser.add_argument(option, **self._read(name) | {"help": self._help(name, text)} | self.more.get(name, {}))
        has_own = "own" in self.known.get("dataset", ()) and "data_dir" in self.shared
        helps = {**self.helps, **({"data_dir": _OWN_DATA_DIR} if has_own else {})}
        add_shared(parser, *(name for name in self.shared if name not in helps), **helps)
        return parser

    def config_of(self, options: argparse.Namespace) -> Any:
        """Return the configuration that parsed options ask for, checked as far as that can be done without torch."""
        kind = type(self.default)
        settings = settings_of(options, kind)
        for name, names in self.known.items():
            value = settings.get(name, ())
            for choice in (value,) if isinstance(value, str) else value:
                _validate.choice(name if isinstance(value, str) else name.removesuffix("s"), choice, names)
        return kind(**settings)

    def run(self, options: argparse.Namespace) -> int:
        """Run the study, print progress on standard error and the result on standard output or to a file."""
        check_files(options)
        config, epsilon = self.config_of(options), self.epsilon_of(options)
        check_threads(getattr(options, "threads", None))
        for warning in self._warnings(config):
            say(f"note: {warning}", end="\n")
        cache = opened_cache() if self.cached else None
        steps = self.steps(config, options, cache)
        say(self.begins)
        last = follow(steps, partial(self._line, config), partial(self._stopped, config))
        return finish(options, getattr(last, "so_far", last.result), epsilon=epsilon)

    def steps(self, config: Any, options: argparse.Namespace, cache: Any) -> Any:
        """Return the steps of the run; torch is imported by the first."""
        from ldp_core.studies import study_of

        where = {
            name: getattr(options, name) for name in ("data_dir", "download", "device", "resume") if name in options
        }
        own_data = options.data_dir if getattr(config, "dataset", "") == "own" else None
        return study_of(config).run(CommandRun(config, own=own_data, **where), cache, getattr(options, "threads", None))

    def epsilon_of(self, options: argparse.Namespace) -> float | None:
        """Return the epsilon of charts that are drawn at one."""
        return None

    def _read(self, name: str) -> dict[str, Any]:
        config: Any = type(self.default)
        kind, default = record.hints_of(config)[name], getattr(self.default, name)
        if name == "significance":
            return {"type": number, "default": 1.0 - default}
        if name == "importance_map":
            return {"default": default, **MAP_OPTION}
        if kind is bool:
            return {"action": "store_true"}
        if isinstance(default, tuple):
            return {"default": "all" if name in self.known or kind == tuple[str, ...] else record.spelled(default)}
        reader = next(
            (
                {int: whole, float: number}[numeric_type]
                for numeric_type in (kind, *get_args(kind))
                if numeric_type in (int, float)
            ),
            None,
        )
        return {"default": default} if reader is None else {"default": default, "type": reader}

    def _help(self, name: str, text: str) -> str:
        """Return the help of a field's option."""
        if name == "dataset":
            return f"one of {dataset_help(own_images='own' in self.known[name])}"
        if name in self.known:
            names = ", ".join(self.known[name])
            text += "; " * bool(text) + (
                f"all, or some of {names}" if isinstance(getattr(self.default, name), tuple) else f"one of {names}"
            )
        metadata = {setting.name: setting.metadata for setting in fields(self.default)}[name]
        return f"{text}; {range_help(type(self.default), name)}" if metadata and name != "significance" else text

    def _warnings(self, config: Any) -> Sequence[str]:
        """Return what is said of a configuration before it is run."""
        warnings: Sequence[str] = getattr(config, "warnings", ())
        return warnings

    def _line(self, config: Any, step: Any) -> str:
        if step.stage not in self.lines:
            return stage_line(step.stage, config.dataset, step.done, step.total)
        percent = 100 * step.done // max(1, step.total)
        return self.lines[step.stage].format(done=step.done, total=step.total, percent=percent)

    def _stopped(self, config: Any, step: Any) -> str:
        from ldp_core.studies import study_of

        has_findings = study_of(config).has_data(getattr(step, "so_far", step.result))
        return f"stopped after {self._line(config, step)}; what was found is valid and shown" if has_findings else ""


def finish(
    options: argparse.Namespace,
    result: Any,
    text: Callable[[], str] | None = None,
    *more: Callable[[], None],
    epsilon: float | None = None,
    notes: Sequence[str] = (),
    **page: Any,
) -> int:
    """Write a study's result to the page, the figures and the JSON that were asked for, print it, return the exit code.

    ``text``: returns what people read, where the study's ``report`` does not say it; ``more``: what is done first;
    ``epsilon``: of charts that are drawn at one; ``notes``: on what could not be made; ``page``: what ``results.html``
    takes besides.
    """
    from ldp_core.studies import study_of

    study = study_of(result.config)

    def printed() -> str:
        return text() if text else str(study.printed(result, getattr(options, "data_dir", None)))  # type: ignore[attr-defined]

    def save(folder: Path) -> list[Path]:
        return study.save_figures(result, folder, words_of(getattr(options, "wording", "plain")), epsilon)

    return conclude(
        study.code(result),
        *more,
        lambda: write_html(options.html, result, epsilon=epsilon, notes=notes, **page),
        lambda: pictures(getattr(options, "figures", None), save),
        lambda: deliver(options.json, printed(), lambda: study.to_json(result, notes)),
    )
