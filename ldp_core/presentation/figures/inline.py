"""A chart of a result as SVG that can stand in one page with others: no outside reference, no two equal ids.

Imported by whoever writes a page, and by nothing on start, like ``paper``.
"""

import io
import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.ticker import Formatter

from ldp_core.presentation.figures import described
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import printed
from ldp_core.presentation.figures.paper import settings
from ldp_core.words import numbers

_Words = Mapping[str, str]


def chart(name: str, describe: Callable[[_Words], described.Chart], alt: str, words: _Words = ENGLISH) -> str:
    """Return a chart that is described from words as an ``<svg>`` element with its finding in a sentence.

    ``name``: of the chart among those of its page.
    """
    with settings(words):
        figure = printed.drawn(describe(words))
        if words["separators"] != numbers.ENGLISH:
            for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
                axis.set_major_formatter(_Numbers(axis.get_major_formatter(), words["separators"]))
        FigureCanvasSVG(figure)
        memory = io.StringIO()
        figure.savefig(memory, format="svg", metadata={"Date": None, "Creator": None})
    return _inlined(memory.getvalue(), f"{name}-", alt)


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
