"""The charts of a result as SVG that can stand in one page together: no outside reference, no two equal ids.

Imported by whoever writes a page, and by nothing on start, like ``paper``.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Any, ParamSpec

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter

from ldp_core.game.sweep import TESTS, CompareResult
from ldp_core.presentation import tables
from ldp_core.presentation.figures import described
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.comparison import (
    attacks_alt,
    attacks_chart,
    curves_alt,
    datasets_alt,
    datasets_chart,
    shares_alt,
    shares_chart,
)
from ldp_core.presentation.figures.described import printed
from ldp_core.presentation.figures.details import (
    clients_alt,
    clients_chart,
    norms_alt,
    norms_chart,
    published_alt,
    published_chart,
    steps_alt,
    steps_chart,
)
from ldp_core.presentation.figures.mapping import few, map_alt, map_chart
from ldp_core.presentation.figures.paper import settings
from ldp_core.presentation.figures.print import curves as print_curves
from ldp_core.presentation.figures.single import (
    epsilon_alt,
    epsilon_chart,
    identification_alt,
    identification_chart,
)
from ldp_core.presentation.figures.tradeoffs import tradeoff_alt, tradeoff_chart
from ldp_core.presentation.tables import PairPoint
from ldp_core.types import AuditResult
from ldp_core.words import numbers

_Words = Mapping[str, str]
_Given = ParamSpec("_Given")


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart.

    Args:
        name: what it shows, such as "shares".
        svg: an ``<svg>`` element.
        alt: its finding in one sentence, which the element carries too.
        dataset: of a comparison of several data sets, the one it shows; else "".
    """

    name: str
    svg: str
    alt: str
    dataset: str = ""


@dataclass(frozen=True, slots=True)
class _Drawing:
    name: str
    draw: Callable[[], Figure]
    alt: str
    dataset: str = ""


def audit_charts(result: AuditResult, words: _Words = ENGLISH) -> list[Chart]:
    """Return a run's right guesses and its measured epsilon; none without trials."""
    if not result.counts.num_trials:
        return []
    share, epsilon = identification_alt(result, words), epsilon_alt(result, words)
    drawings = [
        _Drawing("identification", _of(identification_chart, result, words), share),
        _Drawing("epsilon", _of(epsilon_chart, result, words), epsilon),
    ]
    return _drawn(drawings, words)


def compare_charts(result: CompareResult, epsilon: float, words: _Words = ENGLISH) -> list[Chart]:
    """Return the charts of a comparison: those over all epsilons, and the others at one of them.

    ``epsilon``: one of the comparison's.
    """
    drawings = list(_across(result, epsilon, words))
    several = len(result.config.datasets) > 1
    for dataset in result.config.datasets:
        drawings += [
            replace(drawing, dataset=dataset if several else "")
            for drawing in _of_dataset(result, dataset, epsilon, words)
        ]
    return _drawn(drawings, words)


def chart(name: str, describe: Callable[[_Words], described.Chart], alt: str, words: _Words = ENGLISH) -> Chart:
    """Return a chart that is described from words, named ``name`` and with its finding in a sentence."""
    return _drawn([_Drawing(name, _of(describe, words), alt)], words)[0]


def _across(result: CompareResult, epsilon: float, words: _Words) -> Iterator[_Drawing]:
    if len(result.config.datasets) > 1:
        for test in TESTS:
            if rows := tables.datasets_at(result, epsilon, test):
                yield _Drawing(f"datasets-{test}", _of(datasets_chart, rows, words), datasets_alt(rows, words))


def _of_dataset(result: CompareResult, dataset: str, epsilon: float, words: _Words) -> Iterator[_Drawing]:
    if rows := tables.attacks_at(result, dataset, epsilon):
        yield _Drawing("shares", _of(shares_chart, rows, words), shares_alt(rows, words))
        yield _Drawing("attacks", _of(attacks_chart, rows, words), attacks_alt(rows, words))
    curves = tables.curves_of(result, dataset)
    if curves and len(result.config.epsilons) > 1:
        yield _Drawing("curves", partial(print_curves.curves, curves, words), curves_alt(curves, words))
    if points := few(tables.pair_points(result, dataset, epsilon)):
        yield _map(epsilon, result.config.clip_norm, points, words)
    effect = tables.norm_effect(result, dataset, epsilon)
    if effect.points:
        yield _Drawing("norms", _of(norms_chart, effect, words), norms_alt(effect, words))
    counted = tables.clients_table(result, dataset)
    here = [item for item in counted if item.row.epsilon == epsilon]
    if here and len(result.config.clients) > 1:
        yield _Drawing("clients", _of(clients_chart, counted, epsilon, words), clients_alt(counted, epsilon, words))
    if here and len(result.config.server_steps) > 1:
        yield _Drawing("steps", _of(steps_chart, counted, epsilon, words), steps_alt(counted, epsilon, words))
    for test in TESTS:
        if cells := tables.tradeoffs(result, dataset, epsilon, test):
            yield _Drawing(f"tradeoff-{test}", _of(tradeoff_chart, cells, words), tradeoff_alt(cells, words))
    if tables.published_heading(result, dataset) and (compared := tables.published_table(result, dataset)):
        yield _Drawing("published", _of(published_chart, compared, words), published_alt(compared, words))


def _map(
    epsilon: float,
    clip_norm: float,
    points: Sequence[PairPoint],
    words: _Words,
    trail: Sequence[Sequence[PairPoint]] = (),
) -> _Drawing:
    draw = _of(map_chart, epsilon, clip_norm, points, words, trail=trail)
    return _Drawing("map", draw, map_alt(epsilon, points, words))


def _of(
    describe: Callable[_Given, described.Chart], *given: _Given.args, **named: _Given.kwargs
) -> Callable[[], Figure]:
    """Return what draws the chart that is described from these arguments."""
    return lambda: printed.drawn(describe(*given, **named))


def _drawn(drawings: Sequence[_Drawing], words: _Words) -> list[Chart]:
    charts = []
    for number, drawing in enumerate(drawings, start=1):
        with settings(words):
            figure = drawing.draw()
            _in_language(figure, words)
            FigureCanvasSVG(figure)
            memory = io.StringIO()
            figure.savefig(memory, format="svg", metadata={"Date": None, "Creator": None})
        svg = _inlined(memory.getvalue(), f"c{number}-", drawing.alt)
        charts.append(Chart(drawing.name, svg, drawing.alt, drawing.dataset))
    return charts


class _Numbers(Formatter):
    """Writes the numbers of an axis as a language does."""

    def __init__(self, english: Formatter, separators: str) -> None:
        self._english, self._separators = english, separators

    def set_axis(self, axis: Any) -> None:
        super().set_axis(axis)
        self._english.set_axis(axis)

    def set_locs(self, locs: Any) -> None:
        self._english.set_locs(locs)

    def __call__(self, x: float, pos: int | None = None) -> str:
        return numbers.written(self._english(x, pos), self._separators)


def _in_language(figure: Figure, words: _Words) -> None:
    if words["separators"] != numbers.ENGLISH:
        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
            axis.set_major_formatter(_Numbers(axis.get_major_formatter(), words["separators"]))


def _inlined(document: str, prefix: str, alt: str) -> str:
    """Return the picture of an SVG document that matplotlib wrote, with ids of its own, as one element of a page.

    The document's own style sheet is left out: in a page it would hold for everything. Letters are text.
    """
    body = document[document.index("<svg") : document.rindex("</svg>") + len("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>|<style\b.*?</style>|<!--.*?-->", "", body, flags=re.DOTALL)
    box = re.search(r'viewBox="([\d. -]+)"', body)
    assert box is not None
    head = f'<svg viewBox="{box[1]}" role="img" aria-label="{escape(alt)}">'
    body = head + body[body.index(">") + 1 :]
    body = re.sub(r'\bid="', f'id="{prefix}', body)
    body = re.sub(r'\b(?:xlink:)?href="#', f'href="#{prefix}', body)
    body = re.sub(r"url\(#", f"url(#{prefix}", body)
    return re.sub(r"\n\s*", "\n", body)
