"""Charts of one question each: the norm, the number of clients, and the published numbers beside ours."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ldp_core.figures._parts import SHADE, dashes, frame, key, legend_below, line, marker, note
from ldp_core.figures._styles import COIN, NEUTRAL, attack_style
from ldp_core.figures._words import ENGLISH, attack_name, group_name
from ldp_core.tables import ClientsRow, NormEffect, PairPoint, PublishedRow


def norms_figure(effect: NormEffect, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw right guesses of opposite updates against their clipped length, on the exact law ([M] Figure 3).

    Updates of the clipping length stand beside each other, to the right of it: any longer ones are cut to it.

    Args:
        effect: from ``tables.norm_effect``.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure, law = frame(), [100 * share for share in effect.law]
    places = norm_places(effect)
    right = max([1.0, *places.values()]) + 0.04
    line(figure, [0, right], [50, 50], COIN, 2, dash="dot", hoverinfo="skip")
    line(figure, [*effect.norms, right], [*law, law[-1]], NEUTRAL, 3)
    dashes(figure, [0, right], [law[-1]] * 2, hoverinfo="skip")
    for attack in dict.fromkeys(point.attack for point in effect.points):
        colour, symbol = attack_style(attack)
        points = [point for point in effect.points if point.attack == attack]
        for point in points:
            ends = [100 * point.share.lower, 100 * point.share.upper]
            line(figure, [places[point]] * 2, ends, colour, 5, opacity=0.6, hoverinfo="skip")
        shares = [100 * point.share.point for point in points]
        marker(figure, [places[point] for point in points], shares, colour, symbol, 10)
        key(figure, attack_name(words, attack), colour, symbol)
    span = law[-1] - 50
    note(figure, 0.02, law[-1], words["promise_epsilon"].format(epsilon=effect.epsilon), "left", "bottom")
    note(figure, 0.3, 50, words["coin"], "left", "bottom")
    note(figure, effect.norms[10], law[10], words["law"], "right", "bottom", (-4, 2))
    ends = [100 * end for point in effect.points for end in (point.share.lower, point.share.upper)]
    low, high = min(50.0, *ends, 50.0), max(law[-1], *ends, 50.0)
    if right > 1.04:
        line(figure, [1, 1], [low - 0.08 * span, high + 0.12 * span], NEUTRAL, 1, dash="dot", hoverinfo="skip")
        note(figure, right, 50 + 0.06 * span, words["as_long"], "right", "bottom")
    figure.update_xaxes(title_text=words["norm_axis"], range=[0, right], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(title_text=words["share_axis"], range=[low - 0.08 * span, high + 0.12 * span])
    legend_below(figure)
    return figure


def norms_alt(effect: NormEffect, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``norms_figure`` shows, in one sentence: each attack's shortest and longest updates."""
    items = []
    for attack in dict.fromkeys(point.attack for point in effect.points):
        points = sorted((point.norm, 100 * point.share.point) for point in effect.points if point.attack == attack)
        (norm, share), (norm_last, share_last) = points[0], points[-1]
        values = {"norm": norm, "norm_last": norm_last, "point": share, "point_last": share_last}
        items.append(words["alt_norms_item"].format(attack=attack_name(words, attack), **values))
    top, text = 100 * effect.law[-1], words["and"].join(items)
    return words["alt_norms"].format(epsilon=effect.epsilon, top=top, items=text)


def norm_places(effect: NormEffect) -> dict[PairPoint, float]:
    """Return where each point stands: at its length, or at the clipping length beside those before it."""
    full = [point for point in effect.points if point.norm > 1.0 - 1e-6]
    return {point: point.norm for point in effect.points} | {
        point: 1.0 + 0.06 * index for index, point in enumerate(full)
    }


def clients_figure(
    rows: Sequence[ClientsRow], epsilon: float | None = None, words: Mapping[str, str] = ENGLISH
) -> go.Figure:
    """Draw right guesses of 100 against the number of clients in a round, for each attack and rule.

    Args:
        rows: from ``tables.clients_table``, at least one.
        epsilon: in nats; None for the largest.
        words: texts on the chart, see ``ENGLISH``.
    """
    groups, figure = _client_groups(rows, epsilon), frame()
    clients = sorted({item.row.clients for group in groups.values() for item in group})
    line(figure, [clients[0] / 1.4, clients[-1] * 1.4], [50, 50], COIN, 2, dash="dot", hoverinfo="skip")
    note(figure, 1, 50, words["coin"], "right", "top", xref="paper")
    for number, (name, group) in enumerate(groups.items()):
        colour, symbol = attack_style(name[0])
        shift = 0.88 + 0.24 * (number + 0.5) / len(groups)
        places = [item.row.clients * shift for item in group]
        shares = [item.row.identification for item in group]
        for x, share in zip(places, shares, strict=True):
            line(figure, [x, x], [100 * share.lower, 100 * share.upper], colour, 5, opacity=0.6, hoverinfo="skip")
        dash = ("solid", "dash", "dot", "dashdot")[[key[1:] for key in groups if key[0] == name[0]].index(name[1:]) % 4]
        line(figure, places, [100 * share.point for share in shares], colour, 1.5, dash=dash, hoverinfo="skip")
        marker(figure, places, [100 * share.point for share in shares], colour, f"{symbol}-open", 10)
        key(figure, group_name(words, *name), colour, f"{symbol}-open")
    figure.update_xaxes(type="log", tickvals=clients, ticktext=[str(count) for count in clients])
    figure.update_xaxes(title_text=words["clients_axis"])
    figure.update_yaxes(title_text=words["share_axis"])
    legend_below(figure)
    return figure


def clients_alt(rows: Sequence[ClientsRow], epsilon: float | None = None, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``clients_figure`` shows, in one sentence."""
    groups = _client_groups(rows, epsilon)
    chosen = [item.row for group in groups.values() for item in group]
    items = [
        words["alt_clients_item"].format(
            attack=group_name(words, row.attack, row.rule, row.strength),
            clients=row.clients,
            point=100 * row.identification.point,
            lower=100 * row.identification.lower,
            upper=100 * row.identification.upper,
        )
        for row in chosen
    ]
    return words["alt_clients"].format(epsilon=chosen[0].epsilon, items=words["and"].join(items))


def published_figure(rows: Sequence[PublishedRow], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw our shares minus those of [J] Table 1, with what sampling explains of each difference shaded.

    Args:
        rows: from ``tables.published_table``, at least one.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure = frame()
    for place, item in enumerate(rows):
        colour, symbol = attack_style(item.row.attack)
        line(figure, [-item.error, item.error], [place, place], NEUTRAL, 9, opacity=0.35, hoverinfo="skip")
        hover = f"{item.difference:+.2f} (±{item.error:.2f})<extra></extra>"
        shown = symbol if item.explained else f"{symbol}-open"
        marker(figure, [item.difference], [place], colour, shown, 10, hovertemplate=hover)
    line(figure, [0, 0], [-0.7, len(rows) - 0.3], NEUTRAL, 1.5, hoverinfo="skip")
    texts = [_row_name(item, words) for item in rows]
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=texts, range=[len(rows) - 0.3, -0.7])
    figure.update_yaxes(automargin=True, ticks="", tickfont={"size": 12})
    figure.update_xaxes(title_text=words["difference_axis"], gridcolor=SHADE)
    figure.update_layout(height=24 * len(rows) + 130)
    key(figure, words["sampling"], NEUTRAL, "circle")
    key(figure, words["unexplained"], NEUTRAL, "circle-open")
    legend_below(figure)
    return figure


def published_alt(rows: Sequence[PublishedRow], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``published_figure`` shows, in one sentence."""
    worst = max(rows, key=lambda item: abs(item.difference))
    return words["alt_published"].format(
        explained=sum(item.explained for item in rows),
        total=len(rows),
        difference=worst.difference,
        attack=attack_name(words, worst.row.attack),
        epsilon=worst.row.epsilon,
    )


def _row_name(item: PublishedRow, words: Mapping[str, str]) -> str:
    return words["row"].format(attack=attack_name(words, item.row.attack), epsilon=item.row.epsilon)


def _client_groups(rows: Sequence[ClientsRow], epsilon: float | None) -> dict[tuple[str, str, float], list[ClientsRow]]:
    """Return the rows of one epsilon by attack, rule and strength."""
    wanted = max(item.row.epsilon for item in rows) if epsilon is None else epsilon
    groups: dict[tuple[str, str, float], list[ClientsRow]] = {}
    for item in rows:
        if item.row.epsilon == wanted:
            groups.setdefault((item.row.attack, item.row.rule, item.row.strength), []).append(item)
    return groups
