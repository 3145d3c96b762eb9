"""What the reports of all kinds share: words, numbers as text, and the lines that every report has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.report import Chart, Numbers, Report, Section, Table, Teller
from ldp_core.words import document, numbers

WORDS: dict[str, Any] = document("en")
"""Every text of a document; another language has the same names."""


@dataclass(frozen=True, slots=True)
class Context(Teller):
    """How a document is to be written, beside what a ``Teller`` knows.

    ``notes``: sentences on what could not be made; ``images``: PNG images of each measurement's pair, empty unless the
    client asked for them.
    """

    notes: tuple[str, ...] = ()
    images: tuple[tuple[bytes, ...], ...] = ()

    def table(self, name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Return a table of numbers; see ``page.table``."""
        return page.table(name, self._written([head])[0], self._written(rows))

    def facts(self, rows: Sequence[tuple[str, str]]) -> str:
        """Return a table of names and values."""
        return page.facts([(name, self._written([[value]])[0][0]) for name, value in rows])

    def _written(self, rows: Sequence[Sequence[str]]) -> list[list[str]]:
        return [[numbers.written(cell, self.words["separators"]) for cell in row] for row in rows]

    def limits(self, name: str) -> str:
        """Return what a result of this kind does not tell."""
        return page.section(self.words["limits"], page.bullets(self.words[name].split("\n")))

    def told(self, report: Report, study: str, result: Any, datasets: Sequence[str]) -> list[str]:
        """Return the sections of a document that follow what was found, from what a study reports of a result."""
        words, config = self.words, result.config
        stopped = "" if result.completed or report.stop_told else words["stopped_study"]
        command = report.command or record.command(config, getattr(result, "device", "cpu"))
        return [
            page.section(words["run"], page.paragraph(report.ran), page.paragraph(stopped)),
            *map(self._section, report.sections),
            page.section(words["images"], self._pictures()),
            page.section(words["notes"], page.bullets(self.notes)),
            self.limits(report.limits or f"limits_{study}"),
            page.section(words["assumed"], self.facts(self.assumed(report, study, result, datasets))),
            self.repeat(command, datasets, report.again),
        ]  # fmt: skip

    def _pictures(self) -> str:
        words, blocks = self.words, []
        for number, images in enumerate(self.images, start=1):
            shown = "".join(
                page.picture(image, words["image_alt"].format(side=side, number=number))
                for side, image in zip("AB", images, strict=False)
            )
            blocks.append(page.block(f"{words['pair']} {number}", shown))
        return page.pairs(blocks)

    def _section(self, section: Section) -> str:
        charts = [self._figure(part) for part in section.parts if isinstance(part, Chart)]
        others = [self._part(part, section.title) for part in section.parts if not isinstance(part, Chart)]
        return page.section(section.title, page.charts(charts), *others)

    def _figure(self, chart: Chart) -> str:
        from ldp_core.presentation.figures import inline

        drawn = inline.chart(chart.name, chart.describe, chart.alt, self.chart_words)
        return page.figure(chart.title, drawn, chart.note, broad=chart.broad)

    def _part(self, part: str | Numbers | Table, title: str) -> str:
        if isinstance(part, str):
            return page.paragraph(part)
        if isinstance(part, Numbers):
            return self.facts(part.rows)
        if not part.rows:
            return ""
        table = page.paragraph(part.note) + self.table(part.title, part.head, part.rows)
        return table if part.title == title else page.block(part.title, table)

    def repeat(self, command: str, datasets: Sequence[str], again: Sequence[str] = ()) -> str:
        """Return the command that repeats a run; ``again`` says what it repeats, the first sentence before it."""
        words = self.words
        first, *rest = again or (words["repeat_text"],)
        if not again and set(datasets) - {"digits"}:
            rest.append(words["repeat_folder"])
        return page.section(
            words["repeat"], page.paragraph(first), page.command(command), *map(page.paragraph, rest)
        )  # fmt: skip
