"""Charts for papers and talks: SVG, PDF and PNG files, drawn by matplotlib from what is described for the screen too.

Imported by whoever saves, and by nothing on start: matplotlib takes a second to load.
"""

import io
import os
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from ldp_core import _validate
from ldp_core.adversaries import has_strength
from ldp_core.game.sweep import TESTS, CompareResult
from ldp_core.presentation import tables
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.comparison import attacks_chart, datasets_chart, shares_chart
from ldp_core.presentation.figures.described import Chart, printed
from ldp_core.presentation.figures.details import clients_chart, norms_chart, published_chart, steps_chart
from ldp_core.presentation.figures.mapping import map_chart
from ldp_core.presentation.figures.print import curves as print_curves
from ldp_core.presentation.figures.tradeoffs import tradeoff_chart

FORMATS = ("svg", "pdf", "png")
_CANVASES = {"svg": FigureCanvasSVG, "pdf": FigureCanvasPdf, "png": FigureCanvasAgg}
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}
_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "axes.linewidth": 0.6,
    "axes.unicode_minus": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "ldp",
    "pdf.fonttype": 42,
    "savefig.dpi": 300,
}
_JAPANESE = ("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Meiryo", "IPAexGothic", "MS Gothic")
"""Fonts for letters that DejaVu lacks; the first one that this device has is used."""
_LOCK = threading.Lock()
"""matplotlib's settings belong to the process: they are set and put back by one thread at a time."""


def save(
    result: CompareResult,
    folder: Path,
    formats: Sequence[str] = FORMATS,
    words: Mapping[str, str] = ENGLISH,
) -> list[Path]:
    """Save every chart for which a comparison has cells; the same comparison gives the same bytes.

    The files are called after the papers' figures: ``fig1b-m-*``, ``fig1b-j-*``, ``fig2-*``, ``fig3-*``, ``fig4-*``,
    ``table1-j-*`` (differences from the published shares), ``table3-m-*`` (clients), ``map-*`` and ``tradeoff-*``.

    ``folder``: where to put the files; made if missing. Files of the same name are replaced whole; ``formats``: of
    ``FORMATS``.

    Returns:
        The files written, in order.

    Raises:
        ValueError: if a format is unknown.
        OSError: if a file cannot be written.
    """
    with settings(words):
        return [path for name, figure in _charts(result, words) for path in _write(figure, Path(folder), name, formats)]


def save_chart(
    describe: Callable[[Mapping[str, str]], Chart],
    folder: Path,
    name: str,
    formats: Sequence[str] = FORMATS,
    words: Mapping[str, str] = ENGLISH,
) -> list[Path]:
    """Save a chart that is described from words; ``name`` is the files' name, other arguments as in ``save``."""
    with settings(words):
        return _write(printed.drawn(describe(words)), Path(folder), name, formats)


@contextmanager
def settings(words: Mapping[str, str] = ENGLISH) -> Iterator[None]:
    """Draw with matplotlib's own defaults and ours, whatever this device has configured.

    Where the words have letters that DejaVu lacks and this device has no font for them, the letters are measured by
    a stand-in; in an SVG they are text all the same.
    """
    defaults: dict[str, Any] = {
        name: value for name, value in matplotlib.rcParamsDefault.items() if "backend" not in name
    }
    chosen: Any = defaults | _SETTINGS
    if any(letter >= "\u2e80" for word in words.values() for letter in word):
        known = {font.name for font in fontManager.ttflist}
        chosen["font.family"] = [_SETTINGS["font.family"], *(name for name in _JAPANESE if name in known)][:2]
    with _LOCK, matplotlib.rc_context(chosen), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def _charts(result: CompareResult, words: Mapping[str, str]) -> Iterator[tuple[str, Figure]]:
    """Yield the name and the drawing of every chart that has something to show."""
    for epsilon in result.config.epsilons:
        if len(result.config.datasets) > 1:
            for test in TESTS:
                if rows := tables.datasets_at(result, epsilon, test):
                    yield f"fig4-{test}-eps{epsilon:g}", printed.drawn(datasets_chart(rows, words))
    for dataset in result.config.datasets:
        yield from _of_dataset(result, dataset, words)
        for epsilon in result.config.epsilons:
            yield from _of_epsilon(result, dataset, epsilon, words)


def _of_dataset(result: CompareResult, dataset: str, words: Mapping[str, str]) -> Iterator[tuple[str, Figure]]:
    curves = tables.curves_of(result, dataset)
    if curves and len(result.config.epsilons) > 1:
        yield f"fig2-{dataset}", print_curves.curves(curves, words)
    if tables.published_heading(result, dataset) and (compared := tables.published_table(result, dataset)):
        yield f"table1-j-{dataset}", printed.drawn(published_chart(compared, words))


def _of_epsilon(
    result: CompareResult, dataset: str, epsilon: float, words: Mapping[str, str]
) -> Iterator[tuple[str, Figure]]:
    name, clip_norm = f"{dataset}-eps{epsilon:g}", result.config.clip_norm
    if rows := tables.attacks_at(result, dataset, epsilon):
        yield f"fig1b-m-{name}", printed.drawn(attacks_chart(rows, words))
        yield f"fig1b-j-{name}", printed.drawn(shares_chart(rows, words))
    effect = tables.norm_effect(result, dataset, epsilon)
    if effect.points:
        yield f"fig3-{name}", printed.drawn(norms_chart(effect, words))
    strength = min(result.config.strengths, key=lambda value: abs(value - 1.0))
    clients = [
        item
        for item in tables.clients_table(result, dataset)
        if item.row.epsilon == epsilon and (item.row.strength == strength or not has_strength(item.row.attack))
    ]
    if len(result.config.clients) > 1 and clients:
        yield f"table3-m-{name}", printed.drawn(clients_chart(clients, words=words))
    if len(result.config.server_steps) > 1 and clients:
        yield f"steps-{name}", printed.drawn(steps_chart(clients, words=words))
    if points := tables.pair_points(result, dataset, epsilon):
        yield f"map-{name}", printed.drawn(map_chart(epsilon, clip_norm, points, words))
    for test in TESTS:
        if shown := tables.tradeoffs(result, dataset, epsilon, test):
            yield f"tradeoff-{test}-{name}", printed.drawn(tradeoff_chart(shown, words))


def _write(figure: Figure, folder: Path, name: str, formats: Sequence[str]) -> list[Path]:
    """Write a drawing in each format; a reader sees the old file or the new one, never a part."""
    for suffix in formats:
        _validate.choice("format", suffix, FORMATS)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for suffix in formats:
        memory = io.BytesIO()
        _CANVASES[suffix](figure)
        figure.savefig(memory, format=suffix, metadata=_METADATA[suffix])
        path = folder / f"{name}.{suffix}"
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(memory.getvalue())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        written.append(path)
    return written
