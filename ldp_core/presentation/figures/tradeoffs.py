"""The trade-off of the two errors at every threshold, inside or outside of what epsilon allows."""

from collections.abc import Mapping, Sequence

from ldp_core.presentation.figures._styles import SHADED, WRONG, attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, capital
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.presentation.tables import Tradeoff


def tradeoff_chart(cells: Sequence[Tradeoff], words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe the measured bands of several cells over the rates that epsilon allows, and the guesses really made.

    Guesses that are worse than a coin's tell as much as the same guesses turned round, so the half of the region beyond
    the coin's line is shaded only if a cell's whole band gets there.

    ``cells``: from ``tables.tradeoff``, at least one; all at one epsilon. One that leaves the region is outlined in
    vermillion.
    """
    region, allowed = shown_region(cells), words["allowed"].format(epsilon=cells[0].epsilon)
    x, y = ([100 * corner[side] for corner in (*region, region[0])] for side in (0, 1))
    edge, coin = len(cells[0].region) // 2 + 1, words["coin"].partition(":")[0]
    promise = words["promise_epsilon"].format(epsilon=cells[0].epsilon)
    series = [
        Series(allowed, x, y, SHADED, fill=0.18),
        Series(promise, x[:edge], y[:edge], stroke="promise", noted=True),
        Series(coin, [0, 100], [100, 0], stroke="coin", noted=True),
    ]
    for cell in cells:
        series += _band(cell, _name(cell, cells, words), words)
    return Chart(
        series, Axis(words["positive_axis"], (-2, 102)), Axis(words["negative_axis"], (-2, 108)), 460, 3.0, square=True,
        notes=[Note(22, 78, coin, shift=(8, 4)), Note(0, 101, promise)],
        order=[*(_name(cell, cells, words) for cell in cells), words["outside"], allowed],
    )  # fmt: skip


def tradeoff_alt(cells: Sequence[Tradeoff], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``tradeoff_chart`` shows, in one sentence."""
    items = []
    for cell in cells:
        first, second = cell.own or (float("nan"), float("nan"))
        text = words["alt_tradeoff_outside" if cell.leaves else "alt_tradeoff_inside"]
        items.append(text.format(attack=_name(cell, cells, words), first=100 * first, second=100 * second))
    return words["alt_tradeoff"].format(epsilon=cells[0].epsilon, items=words["and"].join(items))


def shown_region(cells: Sequence[Tradeoff]) -> tuple[tuple[float, float], ...]:
    """Return the corners of what is shaded: without the half beyond the coin's line unless a band gets there."""
    region = cells[0].region
    bands = [band for cell in cells for band in zip(cell.false_positives, cell.false_negatives, strict=True)]
    return region if any(x.lower + y.lower > 1.0 for x, y in bands) else region[: len(region) // 2 + 1]


def _band(cell: Tradeoff, name: str, words: Mapping[str, str]) -> list[Series]:
    (colour, symbol), both = attack_style(cell.attack), (cell.false_positives, cell.false_negatives)
    hover = words["hover_tradeoff"].format(name=capital(name), epsilon=cell.epsilon)
    across, up = ([100 * rate.point for rate in rates] for rates in both)
    x, y = (  # a closed line: lower corners from left to right, upper ones back
        [
            100 * end
            for end in (*(rate.lower for rate in rates), *(rate.upper for rate in reversed(rates)), rates[0].lower)
        ]
        for rates in both
    )
    stroke, mark = ("line", symbol) if cell.test == "white" else ("dot", f"{symbol}-open")
    series = [
        Series(name, x, y, colour, "" if cell.leaves else "line", 1, fill=0.3),
        Series(name, across, up, colour, stroke, 2, hover=hover),
    ]
    if cell.leaves:
        series.insert(1, Series(words["outside"], x, y, WRONG, "line", 2))
    if cell.own is not None:
        own_rates = [100 * cell.own[0]], [100 * cell.own[1]]
        series.append(Series(name, *own_rates, colour, symbol=mark, size=11, hover=hover))
    return series


def _name(cell: Tradeoff, cells: Sequence[Tradeoff], words: Mapping[str, str]) -> str:
    """Return the attack's name, with the rule where the attack is there twice."""
    name = attack_name(words, cell.attack)
    return f"{name} ({cell.rule})" if sum(other.attack == cell.attack for other in cells) > 1 else name
