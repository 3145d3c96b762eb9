"""One update's reports on the sphere, to turn around."""

import math
from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldp_core.illustrate import SentReports
from ldp_core.presentation.figures._parts import frame
from ldp_core.presentation.figures._styles import COIN, FIRST, RIGHT
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.story.shares import LIGHT, SIDES, roundings

_RINGS, _SPOKES = 8, 24


def sphere_figure(
    sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Mapping[str, str] = ENGLISH
) -> go.Figure:
    """Draw ``drawn.half_circle_svg`` in space; it needs WebGL. Arguments as there, with reports of shape (n, 3)."""
    figure = frame()
    _dome(figure)
    turn = np.linspace(0.0, 2.0 * math.pi, 61)
    rings = np.cos(turn), np.sin(turn), np.zeros_like(turn)
    for order in ((0, 1, 2), (0, 2, 1), (2, 0, 1)):
        _line(figure, np.stack([rings[axis] for axis in order], axis=1), COIN, 2)
    length = min(norm / clip_norm, 1.0)
    for tip, width, opacity in (
        *((tip, 14, opacity) for tip, opacity in roundings(sent, norm, clip_norm)),
        (length, 6, 1.0),
    ):
        _line(figure, np.array([[0.0, 0.0, 0.0], [0.0, 0.0, tip]]), FIRST, width, opacity)
    if length > 0.02:
        head = {"sizemode": "absolute", "sizeref": 0.16, "anchor": "tip", "colorscale": [[0, FIRST], [1, FIRST]]}
        figure.add_cone(x=[0], y=[0], z=[length], u=[0], v=[0], w=[1], showscale=False, hoverinfo="skip", **head)
    else:
        _line(figure, np.array([[0.0, 0.0, -0.03], [0.0, 0.0, 0.03]]), FIRST, 14)
    for near, colour, symbol, name in SIDES:
        draw = _dots if near else _crosses
        label = words[name].format(count=int((sent.near == near).sum()))
        draw(figure, sent.points[:-1][sent.near[:-1] == near], colour, 1.0)
        figure.add_scatter3d(
            x=[None], y=[None], z=[None], mode="markers", name=label, marker={"color": colour, "symbol": symbol}
        )
        if len(sent.points) and sent.near[-1] == near:
            _line(figure, np.stack((np.zeros(3), sent.points[-1])), colour, 6)
            draw(figure, sent.points[-1:], colour, 2.5)
    update = words["clipped" if norm > clip_norm else "your_update"]
    for name, colour in ((update, FIRST), *([(words["rounded"], LIGHT)] if norm < clip_norm else [])):
        look = {"color": colour, "symbol": "diamond"}
        figure.add_scatter3d(x=[None], y=[None], z=[None], mode="markers", name=name, marker=look)
    hidden = {"visible": False, "range": [-1.05, 1.05]}
    camera = {"eye": {"x": 1.25, "y": 0.75, "z": 0.55}}
    scene = {"xaxis": hidden, "yaxis": hidden, "zaxis": hidden, "aspectmode": "cube", "camera": camera}
    place = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": 0.0, "yanchor": "top", "itemsizing": "constant"}
    figure.update_layout(scene=scene | {"dragmode": "turntable"}, height=400, margin={"l": 0, "r": 0, "t": 0, "b": 4})
    figure.update_layout(showlegend=True, legend=place | {"itemclick": False, "itemdoubleclick": False})
    return figure


def _dome(figure: go.Figure) -> None:
    """Shade the upper half of the sphere."""
    up, around = np.meshgrid(np.linspace(0.0, math.pi / 2, _RINGS), np.linspace(0.0, 2.0 * math.pi, _SPOKES + 1))
    look = {"opacity": 0.2, "showscale": False, "colorscale": [[0, RIGHT], [1, RIGHT]], "hoverinfo": "skip"}
    lit = {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0}
    figure.add_surface(x=np.cos(up) * np.cos(around), y=np.cos(up) * np.sin(around), z=np.sin(up), lighting=lit, **look)


def _line(figure: go.Figure, points: NDArray[np.float64], colour: str, width: float, opacity: float = 1.0) -> None:
    """Draw a line through points of shape (n, 3)."""
    style = {"mode": "lines", "line": {"color": colour, "width": width}, "opacity": opacity}
    x, y, z = points.T.astype(np.float32)
    figure.add_scatter3d(x=x, y=y, z=z, hoverinfo="skip", showlegend=False, **style)


def _dots(figure: go.Figure, points: NDArray[np.float64], colour: str, size: float) -> None:
    """Draw dots at points of shape (n, 3)."""
    mark = {"color": colour, "size": 4 * size, "line": {"width": 0}}
    x, y, z = points.T.astype(np.float32)
    figure.add_scatter3d(x=x, y=y, z=z, mode="markers", marker=mark, hoverinfo="skip", showlegend=False)


def _crosses(figure: go.Figure, points: NDArray[np.float64], colour: str, size: float) -> None:
    """Draw crosses of three strokes at points of shape (n, 3); plotly's own need a font that not all systems have."""
    gap = np.full_like(points, np.nan)
    strokes = [end for axis in 0.04 * size * np.eye(3) for end in (points - axis, points + axis, gap)]
    _line(figure, np.stack(strokes, axis=1).reshape(-1, 3), colour, 2 + size)
