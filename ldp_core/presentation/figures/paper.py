"""Charts for papers and talks: SVG, PDF and PNG files, drawn by matplotlib from what is described for the screen too.

Imported by whoever saves, and by nothing on start: matplotlib takes a second to load.
"""

import io
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
from ldp_core.cache import write_atomically
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Chart, printed

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


def save_chart(
    describe: Callable[[Mapping[str, str]], Chart],
    folder: Path,
    name: str,
    formats: Sequence[str] = FORMATS,
    words: Mapping[str, str] = ENGLISH,
) -> list[Path]:
    """Save a chart that is described from words, in files of a name; return them in the order of the formats.

    ``folder``: made if missing; files of the same name are replaced whole; ``formats``: of ``FORMATS``.
    Raises ``ValueError`` if a format is unknown and ``OSError`` if a file cannot be written.
    """
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
        write_atomically(path, memory.getvalue())
        path.chmod(0o644)
        written.append(path)
    return written
