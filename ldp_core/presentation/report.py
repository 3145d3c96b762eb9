"""What a result says, once: plain parts, which a terminal, a document and a page each write in their way.

A study's ``report`` makes a ``Report`` of a result in the words of a ``Teller``. No part knows who shows it. No torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from ldp_core.words import numbers

if TYPE_CHECKING:
    from ldp_core.facts import DataFacts
    from ldp_core.presentation.figures.described import Chart as Described

Rows = Sequence[tuple[str, str]]
_LONGEST_NUMBER = 26
"""Letters of a cell with a number, its range included."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Names and their values."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts, the first cell of a row naming it; without rows it is shown nowhere.

    ``note``: what the cells are.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: the name of its files, its title, and what returns it, given the words on it.

    ``alt`` is its finding in one sentence, ``note`` stands below it, ``broad`` says whether it needs the width of a
    page.
    """

    name: str
    title: str
    describe: Callable[[Mapping[str, str]], Described]
    alt: str
    note: str = ""
    broad: bool = False


Part = str | Numbers | Table | Chart
"""A paragraph, in which ``**words**`` are bold, or one of the others."""


@dataclass(frozen=True, slots=True)
class Section:
    """Parts under a title.

    ``name``: of a chapter, of which a page shows one at a time; "" for what stands beside all chapters. ``aside``:
    whether it is about more than this run: no terminal shows it.
    """

    title: str
    parts: Sequence[Part]
    name: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a result says: what was found, the verdict first, what was run, and what follows, in order.

    Args:
        rejected: whether what was found contradicts a claim.
        assumed: rows of "everything assumed" beside the settings: names and values.
        unused: settings that this run had no use for.
        limits: name of the text on what the result does not tell; "" for that of the study.
        command: repeats the run; "" for that of the configuration.
        again: sentences on what the command repeats.
        advice: sentences on what a client can do now.
        stop_told: whether the sentences say what holds of a run that was cut short.
    """

    sentences: Sequence[str]
    ran: str
    sections: Sequence[Section]
    rejected: bool = False
    assumed: Rows = ()
    unused: Sequence[str] = field(default=())
    limits: str = ""
    command: str = ""
    again: Sequence[str] = ()
    advice: Sequence[str] = ()
    stop_told: bool = False

    @property
    def findings(self) -> Sequence[str]:
        """What was found and what follows, the verdict first."""
        return (*self.sentences, *self.advice)

    @property
    def charts(self) -> list[Chart]:
        """All charts, in order."""
        return [part for section in self.sections for part in section.parts if isinstance(part, Chart)]


@dataclass(frozen=True, slots=True)
class Teller:
    """The words of one language: of documents, see ``words.document``, and of charts and names, see ``words.figures``.

    ``epsilon``: of the charts that are drawn at one; None for the usual one.
    """

    words: Mapping[str, str]
    chart_words: Mapping[str, str]
    epsilon: float | None = None

    def __call__(self, name: str, /, **values: object) -> str:
        """Return a text with values in it."""
        return self.words[name].format(**values) if values else self.words[name]

    def attack(self, name: str) -> str:
        """Return an attack's name."""
        return self.chart_words.get(f"name_{name}", name)

    def dataset(self, name: str) -> str:
        """Return a data set's name."""
        return self.chart_words.get(f"data_{name}", name)

    def listed(self, values: Sequence[str]) -> str:
        """Return several values in a row."""
        return self.words["and"].join(values)

    def plural(self, name: str, how_many: int) -> str:
        """Return "one pair of updates" or "3 pairs of updates"."""
        counted: Any = self.words[name]
        return str(counted.of(how_many, count(how_many)))

    def server_step(self, step: float | str) -> str:
        """Return what a server's step is."""
        return self(f"server_step_{step}") if isinstance(step, str) else self("server_step_number", step=exact(step))

    def of_hundred(self, share: float | None, *, at_most: bool = False) -> str:
        """Return a share of 100, rounded up where it is a limit; never "100" for less than all."""
        if share is None:
            return self("unknown")
        text = numbers.ceiled(100 * share, 2) if at_most else f"{100 * share:.2f}"
        return self("below_all") if float(text) == 100.0 and share < 1.0 else text

    def chart(self, name: str, describe: Callable[..., Described], alt: Callable[..., str], *given: Any) -> Chart:
        """Return a chart whose description and finding are made of the same values and of words on charts.

        Its title is ``chart_NAME``, its note ``note_NAME`` or "", with underscores for dashes.
        """
        key = name.replace("-", "_")
        says, note = alt(*given, self.chart_words), str(self.words.get(f"note_{key}", ""))
        return Chart(name, self(f"chart_{key}"), partial(describe, *given), says, note)

    def value(self, setting: str, value: Any, study: str = "") -> str:
        """Return a setting's value: ``STUDY_SETTING_VALUE`` or ``SETTING_VALUE`` in words, or a number as it is."""
        if isinstance(value, tuple):
            return self.listed([self.value(setting, part, study) for part in value])
        if isinstance(value, bool):
            return self("completed_yes" if value else "no")
        if isinstance(value, str):
            names = {"dataset": self.dataset, "datasets": self.dataset, "attack": self.attack, "attacks": self.attack}
            key = f"{setting}_{value}"
            text = self.words.get(f"{study}_{key}") or self.words.get(key, value)
            return names[setting](value) if setting in names else text
        if isinstance(value, int):
            return count(value)
        return "–" if value is None else exact(value)

    def settings(self, study: str, config: Any, unused: Sequence[str] = ()) -> list[tuple[str, str]]:
        """Return a row for each setting but the seed, named ``STUDY_a_SETTING`` or ``a_SETTING``."""
        rows = []
        for setting in fields(config):
            value, name = getattr(config, setting.name), f"a_{setting.name.removeprefix('num_')}"
            if setting.name == "significance":
                rows.append((self("a_confidence"), f"{100 * (1 - value):.6g} %"))
            elif setting.name != "seed" and setting.name not in unused:
                label = self.words.get(f"{study}_{name}") or self.words[name]
                rows.append((label, self.value(setting.name, value, study)))
        return rows

    def assumed(self, report: Report, study: str, result: Any, datasets: Sequence[str]) -> list[tuple[str, str]]:
        """Return everything that was assumed: a study's settings, what it rests on, and what all results have."""
        data = getattr(result, "data", None)
        facts = [(name, data(name) if callable(data) else data) for name in datasets]
        settings = [] if report.command else self.settings(study, result.config, report.unused)
        device, versions = getattr(result, "device", None), getattr(result, "versions", {})
        return [
            *settings,
            *report.assumed,
            *self.basis(facts),
            (self("a_seed"), str(result.config.seed)),
            (self("a_completed"), self("completed_yes" if result.completed else "completed_no")),
            *([(self("a_device"), device)] if device else []),
            (self("a_versions"), self.listed([f"{name} {value}" for name, value in versions.items()]) or "–"),
            (self("a_seconds"), self("seconds", seconds=f"{result.seconds:,.1f}")),
            (self("a_date"), self("date_none")),
        ]

    def basis(self, facts: Sequence[tuple[str, DataFacts | None]]) -> list[tuple[str, str]]:
        """Return the rows on which data and which training a result rests; none where it does not say so."""
        images, reached = [], []
        for name, data in facts:
            if data is not None:
                dataset, share = self.dataset(name), f"{100 * data.accuracy:.2f}"
                sizes = {"training": count(data.num_training), "held_out": count(data.num_held_out)}
                used = self("images_used", dataset=dataset, **sizes, whose=self._whose(name, data))
                images.append((self("a_images"), used))
                reached.append((self("a_reached"), self("reached", dataset=dataset, share=share, passes=data.passes)))
        return images + reached

    def _whose(self, dataset: str, data: DataFacts) -> str:
        known = data.known
        if data.digest is None:
            return self.words["images_own"]
        if known is None:
            return self("images_doubtful" if data.doubtful(dataset) else "images_other", digest=data.digest)
        name = "images_whole" if known.whole else "images_subset"
        return self(name, known=self.dataset(known.dataset), digest=data.digest)


def is_text(column: Sequence[str]) -> bool:
    """Return whether the cells of a column are read as text, from the left, and not as numbers."""
    numbers = sum(not cell or cell[0] in "–-+−." or cell[0].isdigit() for cell in column)
    return 2 * numbers < len(column) or max(map(len, column), default=0) > _LONGEST_NUMBER


def exact(value: float) -> str:
    """Return a number as it was set."""
    return f"{value:.12g}"


def count(value: int) -> str:
    """Return a whole number with thousands separators."""
    return f"{value:,}"
