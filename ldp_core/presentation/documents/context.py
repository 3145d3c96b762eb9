"""What the reports of all kinds share: words, numbers as text, and the lines that every report has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ldp_core.facts import DataFacts
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.words import several
from ldp_core.words import numbers


@dataclass(frozen=True, slots=True)
class Context:
    """How a report is to be written.

    Args:
        words: of the report, see ``WORDS``.
        chart_words: of the charts, see ``figures.ENGLISH``.
        epsilon: of the charts that are drawn at one; None for the usual one.
        notes: sentences on what could not be made.
        images: PNG images of each measurement's pair; empty unless the client asked for them.
    """

    words: Mapping[str, str]
    chart_words: Mapping[str, str]
    epsilon: float | None = None
    notes: tuple[str, ...] = ()
    images: tuple[tuple[bytes, ...], ...] = ()

    def attack(self, name: str) -> str:
        """Return an attack's name."""
        return self.chart_words.get(f"name_{name}", name)

    def dataset(self, name: str) -> str:
        """Return a data set's name."""
        return self.chart_words.get(f"data_{name}", name)

    def listed(self, values: Sequence[str]) -> str:
        """Return several values in a row."""
        return self.words["and"].join(values)

    def several(self, name: str, how_many: int) -> str:
        """Return "one pair of updates" or "3 pairs of updates"."""
        return several(self.words, name, how_many)

    def server_step(self, step: float | str) -> str:
        """Return what a server's step is."""
        if isinstance(step, str):
            return self.words[f"server_step_{step}"]
        return self.words["server_step_number"].format(step=exact(step))

    def of_hundred(self, share: float | None, digits: int = 2) -> str:
        """Return a share of 100; never "100" for less than all."""
        if share is None:
            return self.words["unknown"]
        text = f"{100 * share:.{digits}f}"
        return self.words["below_all"] if float(text) == 100.0 and share < 1.0 else text

    def table_section(self, title: str, note: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Return a section with one table; "" without rows."""
        if not rows:
            return ""
        return page.section(self.words[title], page.paragraph(note), self.table(self.words[title], head, rows))

    def table(self, name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Return a table of numbers; see ``page.table``."""
        return page.table(name, self._written([head])[0], self._written(rows))

    def facts(self, rows: Sequence[tuple[str, str]]) -> str:
        """Return a table of names and values."""
        return page.facts([(name, self._written([[value]])[0][0]) for name, value in rows])

    def _written(self, rows: Sequence[Sequence[str]]) -> list[list[str]]:
        return [[numbers.written(cell, self.words["separators"]) for cell in row] for row in rows]

    def basis(self, facts: Sequence[tuple[str, DataFacts | None]]) -> list[tuple[str, str]]:
        """Return the rows on which data and which training a result rests; none where it does not say so."""
        found = [(name, data) for name, data in facts if data is not None]
        images = [
            self.words["images_used"].format(
                dataset=self.dataset(name),
                training=count(data.num_training),
                held_out=count(data.num_held_out),
                whose=self._whose(name, data),
            )
            for name, data in found
        ]
        reached = [
            self.words["reached"].format(
                dataset=self.dataset(name), share=f"{100 * data.accuracy:.2f}", passes=data.passes
            )
            for name, data in found
        ]
        rows = [(self.words["a_images"], text) for text in images]
        return rows + [(self.words["a_reached"], text) for text in reached]

    def _whose(self, dataset: str, data: DataFacts) -> str:
        known = data.known
        if data.digest is None:
            return self.words["images_own"]
        if known is None:
            name = "images_doubtful" if data.doubtful(dataset) else "images_other"
            return self.words[name].format(digest=data.digest)
        name = "images_whole" if known.whole else "images_subset"
        return self.words[name].format(known=self.dataset(known.dataset), digest=data.digest)

    def limits(self, name: str) -> str:
        """Return what a result of this kind does not tell."""
        return page.section(self.words["limits"], page.bullets(self.words[name].split("\n")))

    def assumed(self, rows: Sequence[tuple[str, str]], result: Any, *, ran: Any = None) -> str:
        """Return the table of everything that was assumed: what a kind has, then what all have.

        Args:
            rows: of this kind.
            result: what was found.
            ran: what names device and versions, where the result does not.
        """
        words, ran = self.words, ran or result
        device, versions = getattr(ran, "device", None), getattr(ran, "versions", {})
        where = [(words["a_device"], device)] if device else []
        common = [
            (words["a_seed"], str(result.config.seed)),
            (words["a_completed"], words["completed_yes" if result.completed else "completed_no"]),
            *where,
            (words["a_versions"], self.listed([f"{name} {value}" for name, value in versions.items()]) or "–"),
            (words["a_seconds"], words["seconds"].format(seconds=f"{result.seconds:,.1f}")),
            (words["a_date"], words["date_none"]),
        ]
        return page.section(words["assumed"], self.facts([*rows, *common]))

    def repeat(self, command: str, datasets: Sequence[str]) -> str:
        """Return the command that repeats a run."""
        words = self.words
        folder = "" if set(datasets) == {"digits"} else page.paragraph(words["repeat_folder"])
        return page.section(
            words["repeat"], page.paragraph(words["repeat_text"]), page.command(command), folder
        )  # fmt: skip


def exact(value: float) -> str:
    """Return a number as it was set."""
    return f"{value:.12g}"


def floor(value: float) -> str:
    """Return what is "at least", rounded down."""
    return numbers.floored(value, 3)


def count(value: int) -> str:
    """Return a whole number with thousands separators."""
    return f"{value:,}"
