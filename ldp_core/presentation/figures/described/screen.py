"""A described chart on screen."""

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ldp_core.presentation.figures._parts import OUTLINE, dashes, frame, key, legend_below, line, marker, note, panels
from ldp_core.presentation.figures._styles import COIN, MAP_TINT, NEUTRAL
from ldp_core.presentation.figures.described import Axis, Chart, Ends, Field, Note, Series, sizes

_DASHES = {"line": "solid", "coin": "dot", "promise": "dash"}


def drawn(chart: Chart | go.Figure) -> go.Figure:
    """Draw a chart in our frame; one that is drawn already stays as it is."""
    if isinstance(chart, go.Figure):
        return chart
    if chart.panels:
        figure = _panels(chart)
    else:
        figure = frame(chart.margin)
        if chart.field:
            _field(figure, chart.field)
        for series in filter(lambda series: len(series.x), chart.series):
            _draw(figure, series, {}, cliponaxis=chart.clip)
        for item in chart.notes:
            _note(figure, item, chart)
        figure.update_xaxes(**_axis(chart.below))
        figure.update_yaxes(**_axis(chart.beside))
        figure.update_layout(height=chart.height)
    entries = [series for series in chart.legend() if not series.noted]
    for series in entries:
        colour = {"promise": NEUTRAL, "coin": COIN}.get(series.stroke, series.colour)
        symbol = series.symbol or ("square" if series.fill else "")
        key(figure, series.name, colour, symbol, _dash(series), sizes(series)[0])
    if entries:
        legend_below(figure)
    return figure


def _panels(chart: Chart) -> go.Figure:
    """Draw small charts, two in a row."""
    titles, columns = chart.panels, min(2, len(chart.panels))
    lines = -(-len(titles) // columns)
    figure = panels(titles, columns, chart.height * lines + 130)
    for series in chart.series:
        number = titles.index(series.panel)
        _draw(figure, series, {"row": number // columns + 1, "col": number % columns + 1})
    figure.update_xaxes(**_axis(chart.below) | {"title_text": "", "nticks": 6}, showticklabels=True)
    figure.update_yaxes(**_axis(chart.beside) | {"title_text": "", "nticks": 6})
    figure.update_yaxes(title_text=chart.beside.title, col=1)
    for column in range(1, columns + 1):
        last = lines if column <= len(titles) - columns * (lines - 1) else lines - 1
        figure.update_xaxes(title_text=chart.below.title, row=last, col=column)
    figure.update_layout(margin={"t": 30})
    return figure


def _draw(figure: go.Figure, series: Series, place: dict[str, int], **more: Any) -> None:
    """Draw a series; ``place``: row and column of its small chart."""
    more |= place
    hover: dict[str, Any] = {"hovertemplate": f"{series.hover}<extra></extra>"} if series.hover else {}
    hover |= {} if series.hover else {"hoverinfo": "skip", "hovertemplate": None}
    faded = {"opacity": series.opacity} if series.opacity < 1.0 else {}
    area = {}
    if series.fill:
        red, green, blue = (int(series.colour[start : start + 2], 16) for start in (1, 3, 5))
        area = {"fill": "toself", "fillcolor": f"rgba({red},{green},{blue},{series.fill:g})"}
    if series.stroke == "promise":
        dashes(figure, series.x, series.y, **hover, **place)
    elif series.stroke == "coin":
        line(figure, series.x, series.y, COIN, 2, "dot", **hover, **place)
    elif series.stroke or series.fill:
        width = series.width if series.stroke else 0
        line(figure, series.x, series.y, series.colour, width, _dash(series), **more, **hover, **faded, **area)
    if series.symbol:
        intervals = {
            name: _interval(points, ends, series.colour)
            for name, points, ends in (("error_x", series.x, series.x_ends), ("error_y", series.y, series.y_ends))
            if ends
        }
        texts = {"text": list(series.texts)} if series.texts else {}
        extras = more | hover | faded | intervals | texts
        marker(figure, series.x, series.y, series.colour, series.symbol, series.size, **extras)


def _field(figure: go.Figure, field: Field) -> None:
    form = ".0f" if field.step >= 1 else ".1f" if field.step >= 0.1 else ".2f"
    lines = {"start": field.start, "end": max(map(max, field.z)), "size": field.step, "showlabels": True}
    figure.add_contour(
        x=field.x, y=field.y, z=field.z, colorscale=[[0, MAP_TINT[0]], [1, MAP_TINT[1]]], showscale=False,
        contours=lines | {"labelfont": {"size": 12}, "labelformat": form}, line={"color": OUTLINE, "width": 1},
        hovertemplate="%{z:.1f}<extra></extra>",
    )  # fmt: skip
    title = {"text": field.name, "font": {"size": 13}, "x": 0.01, "xanchor": "left", "y": 0.99, "yanchor": "top"}
    figure.update_layout(title=title, margin={"t": 34})


def _dash(series: Series) -> str:
    return _DASHES.get(series.stroke, series.stroke)


def _interval(points: Sequence[float], ends: Ends, colour: str) -> dict[str, Any]:
    upper = [end - point for point, (_, end) in zip(points, ends, strict=True)]
    lower = [point - end for point, (end, _) in zip(points, ends, strict=True)]
    style = {"type": "data", "symmetric": False, "color": colour, "thickness": 1.5, "width": 2}
    return style | {"array": upper, "arrayminus": lower}


def _note(figure: go.Figure, item: Note, chart: Chart) -> None:
    x, y = (math.log10(place) if axis.log else place for place, axis in ((item.x, chart.below), (item.y, chart.beside)))
    note(figure, x, y, item.text, item.xanchor, item.yanchor, item.shift, align=item.xanchor)


def _axis(axis: Axis) -> dict[str, Any]:
    given: dict[str, Any] = {"title_text": axis.title} if axis.title else {"ticks": ""}
    if axis.log:
        given["type"] = "log"
    if axis.span is not None:
        span = [math.log10(end) for end in axis.span] if axis.log else list(axis.span)
        given["range"] = span[::-1] if axis.reverse else span
    elif axis.reverse:
        given["autorange"] = "reversed"
    if not axis.title and not axis.noted:
        given["automargin"] = True
    if axis.noted:
        given |= {"tickvals": [], "showgrid": False, "showline": False}
    elif not axis.title and not axis.ticks:
        given |= {"tickvals": [], "ticktext": []}
    elif axis.ticks:
        values, texts = zip(*axis.ticks, strict=True)
        given |= {"tickvals": list(values), "ticktext": [text.replace("\n", "<br>") for text in texts], "tickangle": 0}
        if axis.title and any("\n" in text for text in texts):
            given["title_standoff"] = 16
    elif axis.log:
        given |= {"dtick": "D2", "tickformat": ",~g"}
    return given
