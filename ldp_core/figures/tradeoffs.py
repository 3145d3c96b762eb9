"""The trade-off of the two errors at every threshold, inside or outside of what epsilon allows."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ldp_core.figures._parts import dashes, frame, key, legend_below, line, marker, note
from ldp_core.figures._styles import COIN, WRONG, attack_style
from ldp_core.figures._words import ENGLISH, attack_name
from ldp_core.tables import Tradeoff


def tradeoff_figure(cells: Sequence[Tradeoff], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the measured bands of several cells over the rates that epsilon allows.

    Guesses that are worse than a coin's tell as much as the same guesses turned round, so the half of the region beyond
    the coin's line is shaded only if a cell's whole band gets there.

    Args:
        cells: from ``tables.tradeoff``, at least one; all at one epsilon. One that leaves the region is outlined in
            vermillion.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure = frame()
    region = shown_region(cells)
    corners = [(100 * x, 100 * y) for x, y in (*region, region[0])]
    inside = {"fill": "toself", "fillcolor": "rgba(128,128,128,0.18)", "line": {"width": 0}, "mode": "lines"}
    figure.add_scatter(
        x=[x for x, _ in corners], y=[y for _, y in corners], hoverinfo="skip", showlegend=False, **inside
    )
    edge = corners[: len(cells[0].region) // 2 + 1]
    dashes(figure, [x for x, _ in edge], [y for _, y in edge], hoverinfo="skip")
    line(figure, [0, 100], [100, 0], COIN, 2, dash="dot", hoverinfo="skip")
    for cell in cells:
        _band(figure, cell)
        colour, symbol = attack_style(cell.attack)
        key(figure, _name(cell, cells, words), colour, symbol if cell.test == "white" else f"{symbol}-open")
    if any(cell.leaves for cell in cells):
        key(figure, words["outside"], WRONG)
    key(figure, words["allowed"].format(epsilon=cells[0].epsilon), COIN, "square")
    note(figure, 22, 78, words["coin"].partition(":")[0], "left", "bottom", (4, 0))
    figure.update_xaxes(title_text=words["positive_axis"], range=[-2, 102])
    figure.update_yaxes(title_text=words["negative_axis"], range=[-2, 102])
    figure.update_layout(height=460)
    legend_below(figure)
    return figure


def tradeoff_alt(cells: Sequence[Tradeoff], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``tradeoff_figure`` shows, in one sentence."""
    items = []
    for cell in cells:
        first, second = cell.own or (float("nan"), float("nan"))
        text = words["alt_tradeoff_outside" if cell.leaves else "alt_tradeoff_inside"]
        items.append(text.format(attack=_name(cell, cells, words), first=100 * first, second=100 * second))
    return words["alt_tradeoff"].format(epsilon=cells[0].epsilon, items=words["and"].join(items))


def shown_region(cells: Sequence[Tradeoff]) -> tuple[tuple[float, float], ...]:
    """Return the corners of what is shaded: without the half beyond the coin's line unless a band gets there."""
    region = cells[0].region
    return region if any(map(_worse_than_a_coin, cells)) else region[: len(region) // 2 + 1]


def band_outline(cell: Tradeoff) -> tuple[list[float], list[float]]:
    """Return the band as a closed line, in errors of 100: lower corners from left to right, upper ones back."""
    first, second = cell.false_positives, cell.false_negatives
    x = [rate.lower for rate in first] + [rate.upper for rate in reversed(first)]
    y = [rate.lower for rate in second] + [rate.upper for rate in reversed(second)]
    return [100 * value for value in (*x, x[0])], [100 * value for value in (*y, y[0])]


def _band(figure: go.Figure, cell: Tradeoff) -> None:
    colour, symbol = attack_style(cell.attack)
    x, y = band_outline(cell)
    edge = {"color": WRONG if cell.leaves else colour, "width": 2 if cell.leaves else 1}
    figure.add_scatter(
        x=x, y=y, mode="lines", fill="toself", fillcolor=_faded(colour), line=edge, hoverinfo="skip", showlegend=False
    )
    middle_x = [100 * rate.point for rate in cell.false_positives]
    middle_y = [100 * rate.point for rate in cell.false_negatives]
    hover = {"hovertemplate": "%{x:.2f}, %{y:.2f}<extra></extra>"}
    line(figure, middle_x, middle_y, colour, 2, dash="" if cell.test == "white" else "dot", **hover)
    if cell.own is not None:
        shown = symbol if cell.test == "white" else f"{symbol}-open"
        marker(figure, [100 * cell.own[0]], [100 * cell.own[1]], colour, shown, 11, **hover)


def _worse_than_a_coin(cell: Tradeoff) -> bool:
    """Return whether the whole band is beyond the coin's line at some threshold."""
    return any(x.lower + y.lower > 1.0 for x, y in zip(cell.false_positives, cell.false_negatives, strict=True))


def _faded(colour: str) -> str:
    return f"rgba({int(colour[1:3], 16)},{int(colour[3:5], 16)},{int(colour[5:], 16)},0.3)"


def _name(cell: Tradeoff, cells: Sequence[Tradeoff], words: Mapping[str, str]) -> str:
    """Return the attack's name, with the rule where the attack is there twice."""
    name = attack_name(words, cell.attack)
    return f"{name} ({cell.rule})" if sum(other.attack == cell.attack for other in cells) > 1 else name
