"""The way of a report as a picture: from your device to the server, with an eye wherever somebody looks."""

import html
from collections.abc import Mapping

from ldp_core.words import Words
from pages.widgets import pictures

STATIONS = {
    "local": ("device", "server"),
    "shuffled": ("device", "shuffler", "server"),
    "aggregated": ("device", "adder", "server"),
    "server": ("device", "server", "people"),
}
"""Whom one trusts -> who handles the report, in this order."""
_INK, _LOOK = "#7a7f87", "#C2571A"
_SHAPES = {
    "device": '<rect x="14" y="4" width="20" height="40" rx="4"/><path d="M21 38h6"/>',
    "shuffler": '<path d="M4 14h9L33 34h10M4 34h9L33 14h10M37 8l6 6-6 6M37 28l6 6-6 6"/>',
    "adder": '<path d="M34 12V7H12l13 17L12 41h22v-5"/>',
    "server": '<rect x="8" y="5" width="32" height="16" rx="3"/><rect x="8" y="27" width="32" height="16" rx="3"/>'
    '<path d="M15 13h.1M15 35h.1"/>',
    "people": '<circle cx="16" cy="15" r="7"/><circle cx="33" cy="17" r="6"/>'
    '<path d="M4 41q1-16 12-16t12 16M28 27q13-2 15 13"/>',
}
_EYE = '<path d="M3 24q21-26 42 0q-21 26-42 0z"/><circle cx="24" cy="24" r="6"/>'


def picture(t: Words, whom: str, seen: Mapping[str, str]) -> str:
    """Return the picture as HTML; ``seen``: station -> how often who looks there is right, as text."""
    *rows, trusted = t.TRUST_SEES[whom]
    shown = []
    for station, (who, what) in zip(STATIONS[whom], rows, strict=True):
        look = f"<em>{_drawn(_EYE, _LOOK)}{html.escape(seen[station])}</em>" if station in seen else ""
        icon = _drawn(_SHAPES[station], _INK)
        shown.append(
            f'<div role="listitem">{icon}<b>{html.escape(who)}</b><span>{html.escape(what)}</span>{look}</div>'
        )
    way = '<i aria-hidden="true">→</i>'.join(shown)
    need = f'<p class="ldp-need"><b>{html.escape(trusted[0])}</b> {html.escape(trusted[1])}</p>'
    return f'<div class="ldp-way" role="list" aria-label="{html.escape(t.WHO_SEES_TITLE)}">{way}</div>{need}'


def _drawn(shape: str, colour: str) -> str:
    """Return a symbol as an image without words: the text beside it says what it shows."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" fill="none" stroke="{colour}" stroke-width="3.4"'
    )
    svg += f' stroke-linecap="round" stroke-linejoin="round">{shape}</svg>'
    return f'<img src="{pictures.uri(svg.encode(), "svg+xml")}" alt="">'
