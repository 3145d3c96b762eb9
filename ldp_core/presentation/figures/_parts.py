"""What every chart is made of: the frame, lines, markers and notes."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ldp_core.presentation.figures._styles import COIN
from ldp_core.words import numbers

OUTLINE, SHADE = "#5f6670", "rgba(128,128,128,0.13)"
SHARES = {"l": 68, "r": 14, "t": 14, "b": 61}
"""Margins of a chart with shares of 100 on its left and a title below."""
DOT = 5
"""Size of the dots that stand for estimates; they alone have no outline."""


def frame(margin: Mapping[str, int] | None = None) -> go.Figure:
    """Return an empty chart in our frame: small, transparent, without a legend.

    Built in one go, because plotly takes milliseconds for each later update of a layout.

    ``margin``: in pixels, where labels never grow. Without it Streamlit's theme has the browser draw the axes over and
    over, to find what they need.
    """
    axis: dict[str, Any] = {"gridcolor": SHADE, "zeroline": False, "linecolor": COIN, "showline": True}
    axis |= {"ticks": "outside", "ticklen": 4} | ({"automargin": False} if margin else {})
    layout = {
        "template": "none",
        "showlegend": False,
        "height": 380,
        "margin": {"l": 52, "r": 14, "t": 14, "b": 48} | dict(margin or {}),
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 13},
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": axis | {"title": {"standoff": 8}},
        "yaxis": axis | {"title": {"standoff": 6}},
    }
    return go.Figure(layout=layout)


def in_language(figure: go.Figure, words: Mapping[str, str]) -> go.Figure:
    """Have a chart write its numbers as the language of ``words`` does."""
    separators = words["separators"]
    if separators != numbers.ENGLISH:
        figure.update_layout(separators=separators)
        for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
            axis.ticktext = [numbers.written(str(tick), separators) for tick in axis.ticktext or ()] or None
    return figure


def panels(titles: Sequence[str], columns: int, height: int) -> go.Figure:
    """Return small charts with the same axes, one for each title, in our frame."""
    rows = -(-len(titles) // columns)
    blank = frame()
    figure = make_subplots(
        rows=rows,
        cols=columns,
        subplot_titles=titles,
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.05,
        vertical_spacing=min(0.12, 52 / height) if rows > 1 else 0.0,
    )
    figure.update_layout({name: value for name, value in blank.layout.to_plotly_json().items() if "axis" not in name})
    figure.update_xaxes(blank.layout.xaxis.to_plotly_json())
    figure.update_yaxes(blank.layout.yaxis.to_plotly_json())
    figure.update_layout(height=height)
    figure.update_annotations(font_size=13)
    return figure


def dashes(figure: go.Figure, x: Sequence[float], y: Sequence[float], **place: Any) -> None:
    """Draw the promise so that it shows on white and on black: black dashes on a thin white line."""
    line(figure, x, y, "#ffffff", 3, **place)
    line(figure, x, y, "#000000", 2.4, dash="dash", **place)


def line(
    figure: go.Figure, x: Sequence[float], y: Sequence[float], colour: str, width: float, dash: str = "", **place: Any
) -> None:
    """Draw a line; ``place`` may hold an opacity, the row and column of a panel, and other settings of the trace."""
    style = {"color": colour, "width": width, "dash": dash or "solid"}
    given: dict[str, Any] = {"hovertemplate": "%{y:.2f}<extra></extra>", "showlegend": False}
    figure.add_scatter(x=x, y=y, mode="lines", line=style, **(given | place))


def marker(
    figure: go.Figure,
    x: Sequence[float],
    y: Sequence[float],
    colour: str,
    symbol: str,
    size: float | Sequence[float],
    **place: Any,
) -> None:
    """Draw markers, hollow ones with a thick outline; ``place`` as in ``line``."""
    outline = {"width": 2} if symbol.endswith("-open") else {"color": OUTLINE, "width": 0 if size == DOT else 1}
    style = {"size": size, "symbol": symbol, "color": colour, "line": outline, "opacity": 1}
    given: dict[str, Any] = {"hovertemplate": "%{y:.2f}<extra></extra>", "showlegend": False}
    figure.add_scatter(x=x, y=y, mode="markers", marker=style, **(given | place))


def key(figure: go.Figure, name: str, colour: str, symbol: str = "", dash: str = "", size: float = 10) -> None:
    """Add a line to the legend that stands for marks drawn already: a marker, a line, or with both a joined marker."""
    figure.add_scatter(
        x=[None],
        y=[None],
        name=name,
        mode="lines" if not symbol else "lines+markers" if dash else "markers",
        marker={
            "symbol": symbol or "circle",
            "color": colour,
            "size": size,
            "line": {"width": 2 if "open" in symbol else 1},
        },
        line={"color": colour, "dash": dash or "solid", "width": 2.4},
        showlegend=True,
        hoverinfo="skip",
    )


def legend_below(figure: go.Figure) -> None:
    """Show the legend in rows below the chart, where it fits on a narrow screen too; call it last.

    Its empty title, a line longer below ticks of two lines, keeps it clear of the axis, and lets the chart shrink by as
    much as the rows need.
    Plotly gives a legend half of the height at most, so the chart is made twice as high as one item in each row needs.
    """
    items = sum(bool(trace.showlegend) for trace in figure.data)
    figure.update_layout(height=max(figure.layout.height, 2 * (20 * items + 64)))
    place = {"orientation": "h", "x": 0.0, "xanchor": "left", "y": 0.0, "yanchor": "top"}
    lines = 4 if any("<br>" in text for text in figure.layout.xaxis.ticktext or ()) else 3
    space = {"text": "<br>".join(["&nbsp;"] * lines), "side": "top", "font": {"size": 13}}
    figure.update_layout(showlegend=True, legend=place | {"title": space, "itemclick": False, "itemdoubleclick": False})


def note(
    figure: go.Figure,
    x: float,
    y: float,
    text: str,
    xanchor: str,
    yanchor: str,
    shift: tuple[int, int] = (0, 0),
    **more: Any,
) -> None:
    """Write at a point; ``more`` holds other settings of plotly's annotation."""
    place = {"x": x, "y": y, "xanchor": xanchor, "yanchor": yanchor, "xshift": shift[0], "yshift": shift[1]}
    figure.add_annotation(**place, text=text, showarrow=False, **({"font": {"size": 13}} | more))


def digits(share: float) -> int:
    """Return how many decimals a share of 100 is written with alone: from 90 up, whole numbers would hide too much."""
    return 0 if share < 89.5 or share == 100.0 else compared_digits(share)


def compared_digits(share: float) -> int:
    """Return how many decimals a share of 100 is written with beside another one."""
    return 1 if share < 99.85 or share == 100.0 else 2


def most_of_100(share: float, words: Mapping[str, str]) -> str:
    """Write the most of 100 that is allowed, without its unit: rounded up, the same wherever it stands."""
    return words["nearly"] if opens(share) else numbers.limit_of_100(share / 100.0).removesuffix(".00")


def opens(share: float) -> bool:
    """Return whether a share of 100 is too close to 100 to be written."""
    return 99.995 <= share < 100.0 + 1e-9
