"""What the papers and this tool say of each item, a paper at a time."""

import re
from collections.abc import Mapping, Sequence

from ldp_core.presentation.figures.described import Axis, Series
from ldp_core.presentation.figures.described import Chart as Described
from ldp_core.presentation.report import Chart, Part, Report, Section, Table, Teller, exact
from ldp_core.studies.reproduce.items import PAPERS, Item
from ldp_core.studies.reproduce.result import Found, ItemFound, ReproduceResult

Words = Mapping[str, str]
_PLACE = re.compile(r"\b(fig|table|eq|def|alg|thm|prop|lemma|attack|picture|distinguisher)(\d\w*)")
"""A place in a paper as the list of items writes it: "fig1b"."""
_COLUMNS = ("quantity", "published", "tolerance", "ours", "difference", "judged")
_NAMES = ("name", "data", "plane", "by", "capacity_line")
"""What the names of attacks, data sets, channels, rules and lines of charts begin with among the words."""
_MOST_DIGITS = 5
"""Of a number that is printed in a paper."""
_OURS, _THEIRS = "#0072B2", "#D55E00"


def report(result: ReproduceResult, tell: Teller) -> Report:
    """Tell each paper's verdicts in a table, then each item's numbers."""
    counts = [
        tell("reproduce_counted", verdict=tell(f"reproduce_{name}"), count=count)
        for name, count in result.verdicts.items()
    ]
    summary = tell(
        "reproduce_said",
        done=len(result.items),
        total=len(result.config.chosen),
        counts=tell.listed(counts),
        prepared=sum(finding.state == "prepared" for finding in result.items),
    )
    sections = []
    for paper in PAPERS:
        cited, findings = tell(f"reproduce_paper_{paper}"), result.of(paper)
        head = [tell(f"reproduce_{name}") for name in ("item", "what", "verdict", "numbers")]
        rows = [
            [named(item, tell), _what(item, tell), _verdict(finding, tell), _beside(finding, tell)]
            for item, finding in findings
        ]
        sections.append(Section(cited, [Table(cited, head, rows)]))
        sections += [Section(_title(item, tell), _parts(item, finding, tell), aside=True) for item, finding in findings]
    ran = tell("run_reproduce", scale=result.config.scale, dataset=tell.dataset(result.config.dataset))
    return Report([summary], ran, sections)


def _title(item: Item, tell: Teller) -> str:
    return f"{item.paper} {named(item, tell)}"


def named(item: Item, tell: Teller) -> str:
    """Return an item's name as a paper writes it: "Figure 1b", "Equation 4, Equation 5"."""
    parted = (
        re.sub(rf"(?<=\d|[a-z]) (?={_PLACE.pattern})", ", ", item.title) if _PLACE.match(item.title) else item.title
    )
    return _PLACE.sub(lambda match: tell(f"reproduce_place_{match[1]}", number=match[2]), parted)


def _what(item: Item, tell: Teller) -> str:
    return tell(f"reproduce_what_{item.name.replace('-', '_').replace('.', '_')}")


def _parts(item: Item, finding: ItemFound, tell: Teller) -> list[Part]:
    parts: list[Part] = [f"{_what(item, tell)}: **{_verdict(finding, tell)}**. {_why(item, finding, tell)}".strip()]
    head, rows = [tell(f"reproduce_{name}") for name in _COLUMNS], [_cells(row, tell) for row in finding.rows]
    parts.append(Table(_title(item, tell), head, rows))
    shown = [row for row in finding.rows if row.quantity.split(":")[0] == _kind(finding) and row.ours is not None]
    if len(shown) > 2:
        labels = [_of(row.quantity, tell) for row in shown]
        title = tell.chart_words[f"reproduce_q_{_kind(finding)}"]
        items = [f"{label} {_ours(row, tell)}" for row, label in zip(shown, labels, strict=True)]
        alt = tell.chart_words["alt_reproduce"].format(kind=title, items=", ".join(items))
        parts.append(Chart(finding.item, title, lambda words: chart(shown, labels, words), alt))
    return [*parts, *dict.fromkeys(row.command for row in finding.rows)]


def _verdict(finding: ItemFound, tell: Teller) -> str:
    verdict = tell(f"reproduce_{finding.verdict}")
    return tell("reproduce_prepared", verdict=verdict) if finding.state == "prepared" else verdict


def _why(item: Item, finding: ItemFound, tell: Teller) -> str:
    """Return why an item differs or is out of reach, and whether files of it are missing."""
    if any(row.agrees is False for row in finding.rows):
        return tell(f"reproduce_why_{item.why}") if item.why else tell("reproduce_unknown")
    if finding.verdict == "out":
        return tell(f"reproduce_why_{finding.why}")
    return tell("reproduce_files") if finding.why else ""


def _kind(finding: ItemFound) -> str:
    """Return the quantity that an item has most of."""
    kinds = [row.quantity.split(":")[0] for row in finding.rows if row.ours is not None]
    return max(kinds, key=kinds.count, default="")


def _of(quantity: str, tell: Teller) -> str:
    """Return of what a quantity is, with the names of what has one in words."""
    known, parts = {**tell.words, **tell.chart_words}, quantity.partition(":")[2].split(", ")
    named = (next((known[f"{start}_{part}"] for start in _NAMES if f"{start}_{part}" in known), part) for part in parts)
    return ", ".join(map(str, named))


def _cells(row: Found, tell: Teller) -> list[str]:
    judged = "–" if row.agrees is None else tell("completed_yes" if row.agrees else "no")
    difference = "–" if row.difference is None else f"{row.difference:+.3g}"
    tolerance = exact(row.tolerance) if row.published else "–"
    return [_quantity(row, tell), _published(row, tell) or "–", tolerance, _ours(row, tell), difference, judged]


def _quantity(row: Found, tell: Teller) -> str:
    of = _of(row.quantity, tell)
    return tell.chart_words[f"reproduce_q_{row.quantity.split(':')[0]}"] + (f" ({of})" if of else "")


def _published(row: Found, tell: Teller) -> str:
    order, _, number = row.published.lstrip("~").rpartition(" ")
    if len(number.replace(".", "").lstrip("-0")) > _MOST_DIGITS:  # not printed, but another number that was measured
        number = _digits(float(number))
    text = f"{order} {number}".strip()
    return tell("reproduce_drawn", order=text) if row.published.startswith("~") else text


def _ours(row: Found, tell: Teller) -> str:
    if row.ours is None:
        return "–"
    if row.lower is None or row.upper is None:
        return _digits(row.ours)
    return tell("plane_range", point=_digits(row.ours), lower=_digits(row.lower), upper=_digits(row.upper))


def _digits(value: float) -> str:
    """Write a number with four digits, a large one without an exponent."""
    return f"{value:.4g}" if abs(value) < 9_999.5 else f"{value:.0f}"


def _beside(finding: ItemFound, tell: Teller) -> str:
    """Return an item's published numbers with ours; those that differ first, three at most."""
    rows = sorted((row for row in finding.rows if row.published), key=lambda row: row.agrees is True)
    pairs = [
        tell("reproduce_beside", quantity=_quantity(row, tell), published=_published(row, tell), ours=_ours(row, tell))
        for row in rows[:3]
    ]
    return "; ".join(pairs) or "–"


def chart(shown: Sequence[Found], labels: Sequence[str], words: Words) -> Described:
    """Describe an item: a row for each quantity, ours with its interval, and the published number."""
    places = range(len(shown))
    values = [row.ours or 0.0 for row in shown]
    ends = [(_end(row.lower, row), _end(row.upper, row)) for row in shown]
    ours = Series(words["reproduce_chart_ours"], values, places, _OURS, symbol="circle", x_ends=ends)
    printed = [(float(row.published), place) for place, row in enumerate(shown) if row.difference is not None]
    name, x, y = words["reproduce_chart_published"], [number for number, _ in printed], [place for _, place in printed]
    theirs = [Series(name, x, y, _THEIRS, symbol="x")] if printed else []
    beside = Axis("", (len(shown) - 0.5, -0.5), ticks=[(float(place), labels[place]) for place in places])
    title = words[f"reproduce_q_{shown[0].quantity.split(':')[0]}"]
    return Described([ours, *theirs], Axis(title), beside, 120 + 34 * len(shown), 0.7 + 0.24 * len(shown))


def _end(end: float | None, row: Found) -> float:
    return end if end is not None else row.ours or 0.0
