"""Charts that set attacks side by side; they draw rows of ``ldp_core.tables`` and nothing else.

White box is a filled marker on a solid line, black box a hollow one on a dotted line.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from ldp_core.figures._parts import DOT, compared_digits, dashes, frame, key, legend_below, line, marker, note, panels
from ldp_core.figures._styles import COIN, NEUTRAL, attack_style, shelf
from ldp_core.figures._words import ENGLISH, attack_name, dataset_name
from ldp_core.tables import Row

_DASH = {"white": "solid", "black": "dot"}


def attacks_figure(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw what each attack shows of epsilon: lower bound, estimate, exact law, and the promise ([M] Figure 1(b)).

    Args:
        rows: from ``tables.attacks_at``, at least one; all at one epsilon.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure, places = _list_figure([row.attack for row in rows], lambda name: attack_name(words, name))
    epsilon = rows[0].epsilon
    top = 1.1 * max(epsilon, *(max(row.lower, row.point or 0.0) for row in rows))
    bottom = min(0.0, *(row.point or 0.0 for row in rows))
    _vertical_promise(figure, epsilon, words["promise_epsilon"].format(epsilon=epsilon), places, epsilon > 0.6 * top)
    for row in rows:
        colour, y = attack_style(row.attack)[0], places[row.attack] + shelf(row, rows)
        if row.expected_epsilon is not None:
            _tick(figure, row.expected_epsilon, y)
        if row.point is not None:
            line(figure, [row.lower, row.point], [y, y], colour, 3, opacity=0.6, hoverinfo="skip")
            marker(figure, [row.point], [y], colour, "circle", DOT, hovertemplate="%{x:.2f}<extra></extra>")
        marker(figure, [row.lower], [y], *_style(row), hovertemplate="%{x:.2f}<extra></extra>")
    figure.update_xaxes(title_text=words["shown"], range=[bottom - 0.03 * top, top])
    _begin_legend(figure, rows, words)
    if any(row.point is not None for row in rows):
        key(figure, words["estimate"], NEUTRAL, "circle", size=DOT)
    _end_legend(figure, any(row.expected_epsilon is not None for row in rows), words)
    return figure


def attacks_alt(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``attacks_figure`` shows, in one sentence."""
    items = [
        words["alt_attacks_item"].format(attack=attack_name(words, row.attack), test=words[row.test], lower=row.lower)
        for row in rows
    ]
    return words["alt_attacks"].format(epsilon=rows[0].epsilon, items=words["and"].join(items))


def shares_figure(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw each attack's right guesses of 100 with its interval, the exact law and the promise ([J] Figure 1(b)).

    Arguments as in ``attacks_figure``.
    """
    figure, places = _list_figure([row.attack for row in rows], lambda name: attack_name(words, name))
    line(figure, [50, 50], [-0.6, len(places) - 0.4], COIN, 2, dash="dot", hoverinfo="skip")
    promise = 100 * rows[0].promise
    text = words["promise_share"].format(share=promise, digits=compared_digits(promise))
    low = min(48.0, *(100 * row.identification.lower for row in rows))
    high = max(promise, *(100 * row.identification.upper for row in rows))
    _vertical_promise(figure, promise, text, places, promise - low > 0.6 * (high - low))
    for row in rows:
        colour, y, share = attack_style(row.attack)[0], places[row.attack] + shelf(row, rows), row.identification
        if row.expected is not None:
            _tick(figure, 100 * row.expected, y)
        line(figure, [100 * share.lower, 100 * share.upper], [y, y], colour, 5, opacity=0.6, hoverinfo="skip")
        marker(figure, [100 * share.point], [y], *_style(row), hovertemplate="%{x:.2f}<extra></extra>")
    figure.update_xaxes(title_text=words["share_axis"], range=[low - 0.05 * (high - low), high + 0.08 * (high - low)])
    _begin_legend(figure, rows, words)
    _end_legend(figure, any(row.expected is not None for row in rows), words)
    return figure


def shares_alt(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``shares_figure`` shows, in one sentence."""
    items = [
        words["alt_shares_item"].format(
            attack=attack_name(words, row.attack),
            test=words[row.test],
            point=100 * row.identification.point,
            lower=100 * row.identification.lower,
            upper=100 * row.identification.upper,
        )
        for row in rows
    ]
    return words["alt_shares"].format(
        epsilon=rows[0].epsilon, promise=100 * rows[0].promise, items=words["and"].join(items)
    )


def curves_figure(curves: Sequence[Sequence[Row]], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw measured against promised epsilon, one small panel for each attack ([M] Figures 2, 5, 6 and 7).

    Args:
        curves: from ``tables.epsilon_curves``, one for each attack and test; empty ones are left out.
        words: texts on the chart, see ``ENGLISH``.
    """
    rows = [row for curve in curves for row in curve]
    attacks = list(dict.fromkeys(row.attack for row in rows))
    columns = min(2, len(attacks))
    lines = -(-len(attacks) // columns)
    figure = panels([attack_name(words, attack) for attack in attacks], columns, 190 * lines + 130)
    top = 1.1 * max(max(row.epsilon, row.lower, row.point or 0.0) for row in rows)
    for number, attack in enumerate(attacks):
        place = {"row": number // columns + 1, "col": number % columns + 1}
        here = [curve for curve in curves if curve and curve[0].attack == attack]
        for curve in here:
            _law(figure, curve, place)
        dashes(figure, [0, top], [0, top], **place, hoverinfo="skip")
        for curve in here:
            _curve(figure, curve, place)
    low = min(0.0, *(row.point or 0.0 for row in rows)) - 0.04 * top
    figure.update_xaxes(range=[0, top], nticks=6)
    figure.update_yaxes(range=[low, top], nticks=6)
    figure.update_yaxes(title_text=words["shown"], col=1)
    for column in range(1, columns + 1):
        last = lines if column <= len(attacks) - columns * (lines - 1) else lines - 1
        figure.update_xaxes(title_text=words["claimed_axis"], showticklabels=True, row=last, col=column)
    figure.update_layout(margin={"t": 30})
    _begin_legend(figure, rows, words)
    if any(row.point is not None for row in rows):
        key(figure, words["estimate"], NEUTRAL, "circle", size=DOT)
    if any(row.expected_epsilon is not None for row in rows):
        key(figure, words["predicted"], NEUTRAL)
    key(figure, words["promise"], NEUTRAL, dash="dash")
    legend_below(figure)
    return figure


def curves_alt(curves: Sequence[Sequence[Row]], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``curves_figure`` shows at the largest epsilon of each curve, in one sentence."""
    items = [
        words["alt_curves_item"].format(
            attack=attack_name(words, curve[-1].attack),
            test=words[curve[-1].test],
            lower=curve[-1].lower,
            epsilon=curve[-1].epsilon,
        )
        for curve in curves
        if curve
    ]
    return words["alt_curves"].format(items=words["and"].join(items))


def datasets_figure(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw what each attack shows of epsilon on each data set ([M] Figure 4).

    Args:
        rows: from ``tables.datasets_at``, at least one; all at one epsilon and of one test.
        words: texts on the chart, see ``ENGLISH``.
    """
    attacks = list(dict.fromkeys(row.attack for row in rows))
    figure, places = _list_figure([row.dataset for row in rows], lambda name: dataset_name(words, name), 40, 18)
    epsilon, step = rows[0].epsilon, 0.8 / len(attacks)
    figure.update_layout(height=figure.layout.height + 18 * len(places) * max(0, len(attacks) - 3))
    top = 1.1 * max(epsilon, *(max(row.lower, row.point or 0.0) for row in rows))
    _vertical_promise(figure, epsilon, words["promise_epsilon"].format(epsilon=epsilon), places, epsilon > 0.6 * top)
    for row in rows:
        colour = attack_style(row.attack)[0]
        y = places[row.dataset] - 0.4 + step * (attacks.index(row.attack) + 0.5)
        if row.point is not None:
            line(figure, [row.lower, row.point], [y, y], colour, 3, opacity=0.6, hoverinfo="skip")
            marker(figure, [row.point], [y], colour, "circle", DOT, hovertemplate="%{x:.2f}<extra></extra>")
        marker(figure, [row.lower], [y], *_style(row), hovertemplate="%{x:.2f}<extra></extra>")
    low = min(0.0, *(row.point or 0.0 for row in rows)) - 0.03 * top
    figure.update_xaxes(title_text=words["shown"], range=[low, top])
    for attack in attacks:
        style = next(_style(row) for row in rows if row.attack == attack)
        key(figure, attack_name(words, attack), style[0], style[1])
    key(figure, words["estimate"], NEUTRAL, "circle", size=DOT)
    legend_below(figure)
    return figure


def datasets_alt(rows: Sequence[Row], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``datasets_figure`` shows, in one sentence."""
    items = [
        words["alt_datasets_item"].format(
            dataset=dataset_name(words, row.dataset), attack=attack_name(words, row.attack), lower=row.lower
        )
        for row in rows
    ]
    return words["alt_datasets"].format(
        epsilon=rows[0].epsilon, test=words[rows[0].test], items=words["and"].join(items)
    )


def _style(row: Row) -> tuple[str, str, float]:
    """Return colour, symbol and size: filled for the white box, hollow for the black."""
    colour, symbol = attack_style(row.attack)
    return colour, symbol if row.test == "white" else f"{symbol}-open", 11 if row.test == "white" else 10


def _list_figure(
    names: Sequence[str], title: Callable[[str], str], each: int = 44, rest: int = 20
) -> tuple[go.Figure, dict[str, int]]:
    """Return a chart with one line for each name, from top to bottom, and the names' places."""
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    figure = frame()
    texts = [_broken(title(name)) for name in places]
    figure.update_yaxes(
        tickvals=list(places.values()), ticktext=texts, range=[len(places) - 0.4, -0.9], automargin=True, ticks=""
    )
    figure.update_layout(height=each * len(places) + rest + 150)
    return figure, places


def _broken(name: str) -> str:
    """Break a long name in two lines, so that it leaves room on a narrow screen."""
    return name.replace(" ", "<br>", 1) if len(name) > 14 else name


def _tick(figure: go.Figure, x: float, y: float) -> None:
    marker(figure, [x], [y], NEUTRAL, "line-ns-open", 24, hovertemplate="%{x:.2f}<extra></extra>")


def _vertical_promise(figure: go.Figure, x: float, text: str, places: Mapping[str, int], left: bool) -> None:
    dashes(figure, [x, x], [-0.6, len(places) - 0.4], hoverinfo="skip")
    note(figure, x, -0.62, text, "right" if left else "left", "middle", (-6 if left else 6, 0))


def _law(figure: go.Figure, curve: Sequence[Row], place: Mapping[str, Any]) -> None:
    """Draw what the law says of one attack in its panel, below the promise, which it may follow."""
    law = [(row.epsilon, row.expected_epsilon) for row in curve if row.expected_epsilon is not None]
    if law:
        line(figure, [0.0, *(x for x, _ in law)], [0.0, *(y for _, y in law)], NEUTRAL, 2, **place)


def _curve(figure: go.Figure, curve: Sequence[Row], place: Mapping[str, Any]) -> None:
    """Draw one attack's curve of one test in its panel: estimates and lower bounds."""
    colour, symbol, _ = _style(curve[0])
    epsilons = [row.epsilon for row in curve]
    points = [(row.epsilon, row.point) for row in curve if row.point is not None]
    marker(figure, [x for x, _ in points], [y for _, y in points], colour, "circle", DOT, **place)
    line(figure, epsilons, [row.lower for row in curve], colour, 3, dash=_DASH[curve[0].test], **place)
    marker(figure, epsilons, [row.lower for row in curve], colour, symbol, 9, **place)


def _begin_legend(figure: go.Figure, rows: Sequence[Row], words: Mapping[str, str]) -> None:
    present = {row.test for row in rows}
    for test, symbol in (("white", "circle"), ("black", "circle-open")):
        if test in present:
            key(figure, words[test], NEUTRAL, symbol)


def _end_legend(figure: go.Figure, known: bool, words: Mapping[str, str]) -> None:
    if known:
        key(figure, words["predicted"], NEUTRAL, "line-ns-open", size=16)
    legend_below(figure)
