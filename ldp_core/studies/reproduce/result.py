"""The papers beside this tool: the configuration, what is found, and the verdicts; nothing here loads torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.studies.reading import check_completed, check_list
from ldp_core.studies.reproduce.items import PAPERS, SCALES, Item, items

VERDICTS = ("agrees", "differs", "order", "measured", "out")
STATES = ("done", "prepared", "out")


@dataclass(frozen=True, slots=True)
class ReproduceConfig:
    """Everything that determines the numbers.

    ``dataset`` is of the runs that take one; the papers' numbers are of MNIST. No ``items`` stand for all of the
    papers.
    """

    COMMAND: ClassVar[str] = "reproduce"
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    papers: tuple[str, ...] = PAPERS
    items: tuple[str, ...] = ()
    scale: str = "quick"

    def __post_init__(self) -> None:
        _validate.check_limits(self)
        _validate.name("dataset", self.dataset)
        _validate.choice("scale", self.scale, SCALES)
        for name, known in (("papers", PAPERS), ("items", tuple(items()))):
            values = check_list(name, getattr(self, name))
            for value in values:
                if value not in known:
                    listed = ", ".join(known) if len(known) < 10 else "names that --list prints"
                    raise ValueError(f"{name} must be some of {listed}, got {str(value)[:60]!r}")
            if len(set(values)) < len(values):
                raise ValueError(f"{name} must be named once each, got {', '.join(values)}")
        if not self.chosen:
            raise ValueError(f"items must be of the papers {', '.join(self.papers)}, got {', '.join(self.items)}")

    @property
    def chosen(self) -> tuple[Item, ...]:
        """The items, in the papers' order."""
        return tuple(
            item
            for name, item in items().items()
            if item.paper.lower() in self.papers and (not self.items or name in self.items)
        )


@dataclass(frozen=True, slots=True)
class Found:
    """One quantity.

    Args:
        quantity: word for what is measured, and after ":" of what.
        published: a number; "< 66.9", "> 50" for an order that is stated; the same behind "~" for one that a chart
            shows; or "".
        tolerance: by which our interval is widened.
        ours: None where nothing could be measured.
        lower: end of our interval; None where there is none.
        upper: likewise.
        seconds: of the run that it was read from, which may serve others.
        command: repeats it.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("agrees", "difference")
    quantity: str
    published: str
    tolerance: float
    ours: float | None
    lower: float | None
    upper: float | None
    seconds: float
    command: str

    def __post_init__(self) -> None:
        for name, longest in (("quantity", 80), ("published", 40), ("command", 1_000)):
            _validate.text(name, getattr(self, name), longest)
        if self.published:
            _validate.number("published", float(self.published.lstrip("~<> ")), -1e12, 1e12)
        _validate.number("tolerance", self.tolerance, 0.0, 1e6)
        _validate.number("seconds", self.seconds, 0.0, 1e9)
        for name in ("ours", "lower", "upper"):
            if getattr(self, name) is not None:
                _validate.number(name, getattr(self, name), -1e12, 1e12)

    @property
    def agrees(self) -> bool | None:
        """Whether it is as published; None where nothing is.

        A number must lie in our interval widened by the tolerance; an order fails where the interval, so widened, is
        wholly on the other side.
        """
        if not self.published:
            return None
        if self.ours is None:
            return False
        order, number = self.published.lstrip("~")[0], float(self.published.lstrip("~<> "))
        lower = (self.ours if self.lower is None else self.lower) - self.tolerance
        upper = (self.ours if self.upper is None else self.upper) + self.tolerance
        return lower < number if order == "<" else upper > number if order == ">" else lower <= number <= upper

    @property
    def difference(self) -> float | None:
        """Ours minus the published number; None for an order or where one of them is missing."""
        if self.ours is None or not self.published or self.published[0] in "~<>":
            return None
        return self.ours - float(self.published)


@dataclass(frozen=True, slots=True)
class ItemFound:
    """One item that is done.

    ``state``: "done"; "prepared" where a number of it was measured in advance; "out" where none can be had here, and
    then ``why`` is the key of the reason.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("verdict",)
    item: str
    state: str
    why: str
    rows: tuple[Found, ...]

    def __post_init__(self) -> None:
        _validate.choice("item", self.item, tuple(items()))
        _validate.choice("state", self.state, STATES)
        _validate.choice("why", self.why, ("", "files", *(item.why for item in items().values())))

    @property
    def verdict(self) -> str:
        """One of ``VERDICTS``: "order" where only what a chart shows holds, "measured" where nothing is printed."""
        if self.state == "out":
            return self.state
        judged = [(row.published.startswith("~"), row.agrees) for row in self.rows if row.agrees is not None]
        if not all(agrees for _, agrees in judged):
            return "differs"
        if not judged:
            return "measured"
        return "order" if all(drawn for drawn, _ in judged) else "agrees"


@dataclass(frozen=True, slots=True)
class ReproduceResult:
    """What was found so far; the items stand in the papers' order. ``items``: those that are done."""

    SCHEMA: ClassVar[str] = "ldp-reproduce/2"
    DERIVED: ClassVar[tuple[str, ...]] = ("verdicts", "seed")
    config: ReproduceConfig
    items: tuple[ItemFound, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        names = [entry.name for entry in self.config.chosen]
        done = [entry.item for entry in self.items]
        if done != [name for name in names if name in done]:
            raise ValueError(f"items must be some of those asked for, each once and in order, got {', '.join(done)}")
        check_completed(self.completed, done == names)

    @property
    def seed(self) -> int:
        """Seed of the random streams."""
        return self.config.seed

    @property
    def verdicts(self) -> dict[str, int]:
        """How many items have each verdict."""
        verdicts = [finding.verdict for finding in self.items]
        return {name: verdicts.count(name) for name in VERDICTS}

    def of(self, paper: str) -> list[tuple[Item, ItemFound]]:
        """Return what is done of a paper, with its items."""
        known: dict[str, Any] = items()
        return [(known[finding.item], finding) for finding in self.items if known[finding.item].paper.lower() == paper]
