"""Charts of one question each: the norm, the number of clients, and the published numbers beside ours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ldp_core.presentation.figures._styles import NEUTRAL, attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, capital, group_name, right_of, sentence
from ldp_core.presentation.figures.described import TICK, Axis, Chart, Note, Series
from ldp_core.presentation.tables import ClientsRow, NormEffect, PublishedRow, Row

Words = Mapping[str, str]
Groups = dict[tuple[str, str, float], list[ClientsRow]]


def norms_chart(effect: NormEffect, words: Words = ENGLISH) -> Chart:
    """Describe right guesses of opposite updates against their clipped length, on the law ([M] Figure 3).

    Updates of the clipping length stand beside each other, to the right of it: any longer ones are cut to it.

    ``effect``: from ``tables.norm_effect``.
    """
    law, places = [100 * share for share in effect.law], {point: point.norm for point in effect.points}
    full = [point for point in effect.points if point.norm > 1.0 - 1e-6]
    places |= {point: 1.0 + 0.06 * index for index, point in enumerate(full)}
    right = max([1.0, *places.values()]) + 0.04
    promise, interval = words["promise_epsilon"].format(epsilon=effect.epsilon), words["interval"]
    span, ends = law[-1] - 50, [100 * end for pair in effect.points for end in (pair.share.lower, pair.share.upper)]
    low, high = min(50.0, *ends, 50.0) - 0.08 * span, max(law[-1], *ends, 50.0) + 0.12 * span
    series = [
        Series(words["coin"], [0, right], [50, 50], stroke="coin", noted=True),
        Series(words["law"], [*effect.norms, right], [*law, law[-1]], NEUTRAL, "line", 3, noted=True),
        Series(promise, [0, right], [law[-1]] * 2, stroke="promise", hover=promise, noted=True),
    ]
    notes = [
        Note(0.02, law[-1], promise),
        Note(0.3, 50, words["coin"]),
        Note(effect.norms[10], law[10], words["law"], "right", shift=(-4, 2)),
    ]
    if right > 1.04:
        series.append(Series(words["as_long"], [1, 1], [low, high], NEUTRAL, "dot", 1, noted=True))
    for attack in dict.fromkeys(point.attack for point in effect.points):
        colour, symbol = attack_style(attack)
        points = [point for point in effect.points if point.attack == attack]
        series += [
            _range(words, [places[point]] * 2, (100 * point.share.lower, 100 * point.share.upper), colour)
            for point in points
        ]
        across, up = [places[point] for point in points], [100 * point.share.point for point in points]
        name = attack_name(words, attack)
        values = {"name": capital(name), "epsilon": effect.epsilon}
        says = [words["hover_pair"].format(norm=point.norm, **values, **point.share.of_100) for point in points]
        series.append(Series(name, across, up, colour, symbol=symbol, size=10, hover="%{text}", texts=says))
    below = Axis(
        words["norm_axis"],
        (0, right),
        ticks=[*((tick, f"{tick:g}") for tick in (0, 0.25, 0.5, 0.75)), (1, words["full_tick"])],
    )
    return Chart(series, below, Axis(words["share_axis"], (low, high)), notes=notes, shared=[interval])


def norms_alt(effect: NormEffect, words: Words = ENGLISH) -> str:
    """Return what ``norms_chart`` shows, in one sentence: each attack's shortest and longest updates."""
    items = []
    for attack in dict.fromkeys(point.attack for point in effect.points):
        points = sorted((point.norm, 100 * point.share.point) for point in effect.points if point.attack == attack)
        (norm, share), (norm_last, share_last) = points[0], points[-1]
        values = {"norm": norm, "norm_last": norm_last, "point": share, "point_last": share_last}
        items.append({"attack": attack_name(words, attack), **values})
    return sentence(words, "norms", items, epsilon=effect.epsilon, top=100 * effect.law[-1])


def clients_chart(rows: Sequence[ClientsRow], epsilon: float | None = None, words: Words = ENGLISH) -> Chart:
    """Describe right guesses of 100 against the number of clients in a round, for each attack and rule.

    ``rows``: from ``tables.clients_table``, at least one; of several steps of the server those of the first;
    ``epsilon``: in nats; None for the largest.
    """
    groups = _client_groups(rows, epsilon)
    clients = sorted({item.row.clients for group in groups.values() for item in group})
    span = (clients[0] / 1.4, clients[-1] * 1.4)
    below = Axis(words["clients_axis"], span, log=True, ticks=[(count, str(count)) for count in clients])
    return _by_group(groups, lambda row: row.clients, span, below, words)


def steps_chart(rows: Sequence[ClientsRow], epsilon: float | None = None, words: Words = ENGLISH) -> Chart:
    """Describe right guesses of 100 against the length of the server's step, for each attack and rule.

    Steps stand side by side from short to long. Where a rule's exact law is known it is drawn, too. Arguments as in
    ``clients_chart``; of several numbers of clients those of the smallest.
    """
    groups = _step_groups(rows, epsilon)
    steps = sorted({item.row.server_step for group in groups.values() for item in group}, key=_length)
    span = (0.6, len(steps) + 0.4)

    def place(row: Row) -> float:
        return 1.0 + steps.index(row.server_step)

    below = Axis(
        words["steps_axis"], span, log=True, ticks=[(1 + at, _step(step, words)) for at, step in enumerate(steps)]
    )
    chart = _by_group(groups, place, span, below, words)
    law = [
        Series(words["predicted"], [place(item.row)], [100 * item.row.expected], NEUTRAL, symbol=TICK, size=24)
        for group in groups.values()
        for item in group
        if item.row.expected is not None
    ]
    return replace(chart, series=[*chart.series, *law])


def steps_alt(rows: Sequence[ClientsRow], epsilon: float | None = None, words: Words = ENGLISH) -> str:
    """Return what ``steps_chart`` shows, in one sentence."""
    chosen = [item.row for group in _step_groups(rows, epsilon).values() for item in group]
    items = [_group_facts(row, words) | {"step": _step(row.server_step, words)} for row in chosen]
    return sentence(words, "steps", items, epsilon=chosen[0].epsilon)


def _length(step: float | str) -> float:
    """Return about how long a step is, in norms of the model, for a network of the papers."""
    return {"unbiased": 3.75, "printed": 3.75e-4}[step] if isinstance(step, str) else step


def _step(step: float | str, words: Words) -> str:
    return words[f"step_{step}"] if isinstance(step, str) else f"{step:g}"


def _by_group(
    groups: Groups, where: Callable[[Row], float], span: tuple[float, float], below: Axis, words: Words
) -> Chart:
    """Describe the rows of each group at their places, beside each other, with the coin's line."""
    series = [Series(words["coin"], span, [50, 50], stroke="coin", noted=True)]
    for number, (name, group) in enumerate(groups.items()):
        (colour, symbol), title = attack_style(name[0]), group_name(words, *name)
        shift = 0.88 + 0.24 * (number + 0.5) / len(groups)
        places = [where(item.row) * shift for item in group]
        shares = [item.row.identification for item in group]
        series += [
            _range(words, [x, x], (100 * share.lower, 100 * share.upper), colour)
            for x, share in zip(places, shares, strict=True)
        ]
        stroke = ("line", "dash", "dot", "dashdot")[[key for key in groups if key[0] == name[0]].index(name) % 4]
        series.append(
            Series(
                title, places, [100 * share.point for share in shares], colour, stroke, 1.5, f"{symbol}-open", 10,
                hover="%{text}", texts=[right_of(item.row, words) for item in group],
            )
        )  # fmt: skip
    notes = [Note(span[1], 50, words["coin"], "right", "top")]
    return Chart(series, below, Axis(words["share_axis"]), notes=notes, shared=[words["interval"]])


def clients_alt(rows: Sequence[ClientsRow], epsilon: float | None = None, words: Words = ENGLISH) -> str:
    """Return what ``clients_chart`` shows, in one sentence."""
    groups = _client_groups(rows, epsilon)
    chosen = [item.row for group in groups.values() for item in group]
    items = [_group_facts(row, words) | {"clients": row.clients} for row in chosen]
    return sentence(words, "clients", items, epsilon=chosen[0].epsilon)


def _group_facts(row: Row, words: Words) -> dict[str, object]:
    return {"attack": group_name(words, row.attack, row.rule, row.strength), **row.identification.of_100}


def published_chart(rows: Sequence[PublishedRow], words: Words = ENGLISH) -> Chart:
    """Describe our shares minus those of [J] Table 1, with what sampling explains of each difference shaded.

    ``rows``: from ``tables.published_table``, at least one.
    """
    series = []
    for place, item in enumerate(rows):
        (colour, symbol), y = attack_style(item.row.attack), [place, place]
        series.append(
            Series(words["chance"], [-item.error, item.error], y, NEUTRAL, "line", 9, opacity=0.35, noted=True)
        )
        name, shown = (words["sampling"], symbol) if item.explained else (words["unexplained"], f"{symbol}-open")
        hover = words["hover_published"].format(
            name=_row_name(item, words), ours=100 * item.row.identification.point, theirs=item.published,
            difference=item.difference, error=item.error,
        )  # fmt: skip
        series.append(Series(name, [item.difference], [place], colour, symbol=shown, size=10, hover=hover))
    end = len(rows) - 0.3
    series.append(Series(words["no_difference"], [0, 0], [-0.7, end], NEUTRAL, "line", 1.5, noted=True))
    beside = Axis(
        "", (-0.7, end), ticks=[(place, _row_name(item, words)) for place, item in enumerate(rows)], reverse=True
    )
    return Chart(
        series, Axis(words["difference_axis"]), beside, 24 * len(rows) + 130, 0.16 * len(rows) + 0.6,
        shared=[words["sampling"], words["unexplained"]], order=[words["sampling"], words["unexplained"]],
    )  # fmt: skip


def published_alt(rows: Sequence[PublishedRow], words: Words = ENGLISH) -> str:
    """Return what ``published_chart`` shows, in one sentence."""
    worst = max(rows, key=lambda item: abs(item.difference))
    return words["alt_published"].format(
        explained=sum(item.explained for item in rows),
        total=len(rows),
        difference=worst.difference,
        attack=attack_name(words, worst.row.attack),
        epsilon=worst.row.epsilon,
    )


def _range(words: Words, x: Sequence[float], y: Sequence[float], colour: str) -> Series:
    return Series(words["interval"], x, y, colour, "line", 5, opacity=0.6, noted=True)


def _row_name(item: PublishedRow, words: Words) -> str:
    return words["row"].format(attack=attack_name(words, item.row.attack), epsilon=item.row.epsilon)


def _client_groups(rows: Sequence[ClientsRow], epsilon: float | None) -> Groups:
    """Return the rows of one epsilon and one step by attack, rule and strength."""
    return _groups([item for item in rows if item.row.server_step == rows[0].row.server_step], epsilon)


def _step_groups(rows: Sequence[ClientsRow], epsilon: float | None) -> Groups:
    """Return the rows of one epsilon and the fewest clients by attack, rule and strength, from short to long steps."""
    fewest = min(item.row.clients for item in rows)
    here = [item for item in rows if item.row.clients == fewest]
    return _groups(sorted(here, key=lambda item: _length(item.row.server_step)), epsilon)


def _groups(rows: Sequence[ClientsRow], epsilon: float | None) -> Groups:
    wanted = max(item.row.epsilon for item in rows) if epsilon is None else epsilon
    groups: Groups = {}
    for item in rows:
        if item.row.epsilon == wanted:
            groups.setdefault((item.row.attack, item.row.rule, item.row.strength), []).append(item)
    return groups
