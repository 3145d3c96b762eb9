"""The charts of a result as SVG that can stand in one page together: no outside reference, no two equal ids.

Imported by whoever writes a page, and by nothing on start, like ``paper``.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ldp_core import tables
from ldp_core.claims import CheckResult
from ldp_core.figures import _print_check, _print_curves, _print_planes, _print_rows, _print_single
from ldp_core.figures._words import ENGLISH
from ldp_core.figures.check import check_alt
from ldp_core.figures.comparison import attacks_alt, curves_alt, datasets_alt, shares_alt
from ldp_core.figures.details import clients_alt, norms_alt, published_alt
from ldp_core.figures.mapping import map_alt
from ldp_core.figures.paper import settings
from ldp_core.figures.single import epsilon_alt, identification_alt
from ldp_core.figures.tradeoffs import tradeoff_alt
from ldp_core.figures.utility import UtilityCurves, utility_alt
from ldp_core.grid import TESTS, CompareResult
from ldp_core.tables import PairPoint, Tradeoff
from ldp_core.types import AuditResult

MOST_PAIRS = 50
"""Pairs of one attack on a map; more would only hide each other."""
_Words = Mapping[str, str]


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
        _Drawing("identification", partial(_print_single.identification, result, words), share),
        _Drawing("epsilon", partial(_print_single.epsilon, result, words), epsilon),
    ]
    return _drawn(drawings, words)


def check_charts(result: CheckResult, words: _Words = ENGLISH) -> list[Chart]:
    """Return what a check's rules show on each pair; none before the first report was judged."""
    if not any(look.trials for look in result.looks):
        return []
    return _drawn([_Drawing("check", partial(_print_check.check, result, words), check_alt(result, words))], words)


def compare_charts(result: CompareResult, epsilon: float, words: _Words = ENGLISH) -> list[Chart]:
    """Return the charts of a comparison: those over all epsilons, and the others at one of them.

    Args:
        result: a comparison, finished or not.
        epsilon: one of the comparison's.
        words: texts on the charts, see ``figures.ENGLISH``.
    """
    drawings = list(_across(result, epsilon, words))
    several = len(result.config.datasets) > 1
    for dataset in result.config.datasets:
        drawings += [
            replace(drawing, dataset=dataset if several else "")
            for drawing in _of_dataset(result, dataset, epsilon, words)
        ]
    return _drawn(drawings, words)


def utility_charts(curves: UtilityCurves, words: _Words = ENGLISH) -> list[Chart]:
    """Return the accuracies by round; none before the first one."""
    if not all(values for _, values in curves):
        return []
    alt = utility_alt(curves, words)
    return _drawn([_Drawing("utility", partial(_print_planes.utility, curves, words), alt)], words)


def path_charts(
    epsilon: float, clip_norm: float, steps: Sequence[Sequence[PairPoint]], words: _Words = ENGLISH
) -> list[Chart]:
    """Return the map with the pairs of a model in training; arguments as in ``paper.save_training_path``."""
    if not any(steps):
        return []
    few = [_few(points) for points in steps]
    return _drawn([_map(epsilon, clip_norm, few[-1], words, few[:-1])], words)


def _across(result: CompareResult, epsilon: float, words: _Words) -> Iterator[_Drawing]:
    if len(result.config.datasets) > 1:
        for test in TESTS:
            if rows := tables.datasets_at(result, epsilon, test):
                yield _Drawing(
                    f"datasets-{test}", partial(_print_rows.datasets, rows, words), datasets_alt(rows, words)
                )


def _of_dataset(result: CompareResult, dataset: str, epsilon: float, words: _Words) -> Iterator[_Drawing]:
    if rows := tables.attacks_at(result, dataset, epsilon):
        yield _Drawing("shares", partial(_print_rows.shares, rows, words), shares_alt(rows, words))
        yield _Drawing("attacks", partial(_print_rows.attacks, rows, words), attacks_alt(rows, words))
    curves = [
        curve
        for attack in tables.attacks_of(result)
        for test in TESTS
        if (curve := tables.epsilon_curves(result, dataset, attack, test))
    ]
    if curves and len(result.config.epsilons) > 1:
        yield _Drawing("curves", partial(_print_curves.curves, curves, words), curves_alt(curves, words))
    if points := _few(tables.pair_points(result, dataset, epsilon)):
        yield _map(epsilon, result.config.clip_norm, points, words)
    effect = tables.norm_effect(result, dataset, epsilon)
    if effect.points:
        yield _Drawing("norms", partial(_print_rows.norms, effect, words), norms_alt(effect, words))
    counted = tables.clients_table(result, dataset)
    here = [item for item in counted if item.row.epsilon == epsilon]
    if here and len(result.config.clients) > 1:
        yield _Drawing("clients", partial(_print_rows.clients, here, words), clients_alt(counted, epsilon, words))
    for test in TESTS:
        if cells := _tradeoffs(result, dataset, epsilon, test):
            yield _Drawing(
                f"tradeoff-{test}", partial(_print_planes.tradeoff, cells, words), tradeoff_alt(cells, words)
            )
    if tables.published_heading(result, dataset) and (compared := tables.published_table(result, dataset)):
        yield _Drawing("published", partial(_print_rows.published, compared, words), published_alt(compared, words))


def _tradeoffs(result: CompareResult, dataset: str, epsilon: float, test: str) -> list[Tradeoff]:
    cells = [
        tables.tradeoff(cell)
        for attack in tables.attacks_of(result)
        for cell in tables.chosen(result, dataset, attack, test)
        if cell.config.epsilon == epsilon
    ]
    return [cell for cell in cells if cell is not None]


def _map(
    epsilon: float,
    clip_norm: float,
    points: Sequence[PairPoint],
    words: _Words,
    trail: Sequence[Sequence[PairPoint]] = (),
) -> _Drawing:
    draw = partial(_print_planes.pairs, epsilon, clip_norm, points, words, trail=trail)
    return _Drawing("map", draw, map_alt(epsilon, points, words))


def _few(points: Sequence[PairPoint]) -> list[PairPoint]:
    """Return the first pairs of each attack."""
    groups: dict[str, list[PairPoint]] = {}
    for point in points:
        groups.setdefault(point.attack, []).append(point)
    return [point for group in groups.values() for point in group[:MOST_PAIRS]]


def _drawn(drawings: Sequence[_Drawing], words: _Words) -> list[Chart]:
    charts = []
    for number, drawing in enumerate(drawings, start=1):
        with settings(words):
            figure = drawing.draw()
            FigureCanvasSVG(figure)
            memory = io.StringIO()
            figure.savefig(memory, format="svg", metadata={"Date": None, "Creator": None})
        svg = _inlined(memory.getvalue(), f"c{number}-", drawing.alt)
        charts.append(Chart(drawing.name, svg, drawing.alt, drawing.dataset))
    return charts


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
