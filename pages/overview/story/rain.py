"""Many guesses as dots that fall into two columns, right and wrong, beside the dashed line of the promise."""

import html

from ldp_core.presentation.figures import RIGHT, WRONG
from ldp_core.words import Words
from pages.frame import wording

_DOTS, _ACROSS, _STEP = 100, 5, 9
_FLOOR = 190


def picture(t: Words, share: float, promise: float) -> str:
    """Return the picture as SVG: the share of right guesses, and the most allowed on average, both in [0, 1]."""
    right = round(_DOTS * share)
    drawn = [
        _dot(index, left, colour)
        for left, colour, count in ((20, RIGHT, right), (130, WRONG, _DOTS - right))
        for index in range(count)
    ]
    level = _FLOOR - _STEP * _DOTS * promise / _ACROSS
    line = f'<path d="M10 {level:.1f}h70" stroke="currentColor" stroke-width="2" stroke-dasharray="6 4"/>'
    labels = "".join(
        f'<text x="{x}" y="{_FLOOR + 18}" text-anchor="middle">{html.escape(text)}</text>'
        for x, text in zip((38, 148), t.OVERVIEW_LEGEND, strict=True)
    )
    alt = html.escape(t.OVERVIEW_ALT.format(title=t.OVERVIEW_BEST, share=wording.share(t, share)), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 215" role="img" aria-label="{alt}" font-size="12" '
        f'fill="currentColor" class="ldp-rain">{"".join(drawn)}{line}{labels}</svg>'
    )


def _dot(index: int, left: float, colour: str) -> str:
    row, column = divmod(index, _ACROSS)
    place = f'cx="{left + _STEP * column}" cy="{_FLOOR - 5 - _STEP * row}"'
    return f'<circle {place} r="3.6" fill="{colour}" style="animation-delay:{15 * index}ms"/>'
