"""A report for a terminal: what was found and counted, and last the command that repeats it, on a line of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from ldp_core import record
from ldp_core.presentation.report import Numbers, Report, Section, Table, is_text
from ldp_core.reports import repeat
from ldp_core.words import document

_WIDTH, _NARROW = 150, 12
"""Characters of a line at most, and of a name that is not broken."""


def text(report: Report, result: Any, datasets: Sequence[str], data_dir: Path | None = None) -> str:
    """Return a report as lines; charts, paragraphs and what is aside are left to documents.

    ``data_dir``: of the data sets, where that is known and may be shown.
    """
    lines = [*report.findings, *(line for section in report.sections for line in _section(section))]
    facts = getattr(result, "data", None)
    if facts is not None and hasattr(result.config, "training"):
        lines.append(facts.sentence(result.config.dataset, result.config.training))
    if not (result.completed or report.stop_told):
        lines.append(document("en")["stopped_study"])
    device = getattr(result, "device", "cpu")
    where = f" on {device}" if device != "cpu" else ""
    lines.append(f"{report.ran} Seed {result.config.seed}, {result.seconds:.1f} s{where}.")
    if report.command:
        lines += [*report.again[1:], f"Repeat: {report.command}"]
    else:
        lines[-1] += f" {repeat(record.command(result.config, device), datasets, data_dir)}"
    return "\n".join(line.replace("**", "") for line in lines)


def _section(section: Section) -> Iterator[str]:
    for part in () if section.aside else section.parts:
        if isinstance(part, Numbers) and part.rows:
            width = max(len(name) for name, _ in part.rows)
            yield from (f"{section.title}:", *(f"  {name:<{width}}  {value}" for name, value in part.rows))
        elif isinstance(part, Table) and part.rows:
            yield from (f"{part.title}. {part.note}" if part.note else f"{part.title}:", *table(part.head, part.rows))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table in columns; where it would be too wide, the widest columns are broken into lines."""
    widths = [
        max(min(len(name), _NARROW), *map(len, name.split() or [""]), *map(len, cells))
        for name, *cells in zip(head, *rows, strict=True)
    ]
    room = _WIDTH - 2 * len(widths)
    while sum(widths) > room and max(widths) > _NARROW:
        widths[widths.index(max(widths))] -= 1
    right = [not is_text(column) for column in zip(*rows, strict=True)]
    for row in (head, *rows):
        broken = [wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
        deep = max(map(len, broken))
        for line in zip(*((_placed(lines, deep, row is head)) for lines in broken), strict=True):
            columns = zip(line, widths, right, strict=True)
            cells = [f"{cell:{'>' if to_right else '<'}{width}}" for cell, width, to_right in columns]
            yield "  ".join(["", *cells]).rstrip()


def _placed(lines: list[str], deep: int, low: bool) -> list[str]:
    """Return the lines of a cell and as many empty ones as make it ``deep``, above it if it stands low."""
    empty = [""] * (deep - len(lines))
    return empty + lines if low else lines + empty
