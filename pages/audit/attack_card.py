"""The card of the chosen attack: who must take part, what it changes, how realistic it is, how close it comes."""

import html
from collections.abc import Collection

import streamlit as st

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.presentation.figures import RIGHT
from ldp_core.statistics import published, theory
from ldp_core.types import AuditConfig
from ldp_core.words import Words
from pages.frame import terms, wording

BOXES = {
    "images": (6, 32, 50, 30),
    "labels": (63, 32, 50, 30),
    "parameters": (120, 32, 50, 30),
    "gradient": (51, 90, 74, 30),
    "randomness": (10, 144, 156, 36),
    "reports": (261, 144, 97, 36),
    "server": (261, 32, 97, 30),
}
"""Part, by the core's names of what an adversary must have access to -> left, top, width and height."""
_ARROWS = ((31, 62, 70, 88), (88, 62, 88, 88), (145, 62, 106, 88), (88, 120, 88, 142), (166, 162, 259, 162),
           (309, 144, 309, 64), (261, 47, 172, 47))  # fmt: skip
_EYES = {"white": (213, 178), "black": (213, 63)}
_CHANGED = "#cc2f8e"


def picture(t: Words, touched: Collection[str] = (), watched: str = "") -> str:
    """Return the picture as SVG for ``st.markdown`` with ``unsafe_allow_html`` (``st.html`` drops it).

    Texts take the page's colour.

    ``touched``: parts that an attack changes, see ``Adversary.access``, with a thick dashed edge and a "!";
    ``watched``: "white" (the report), "black" (the shared model), or "" for no mark.
    """
    marks = [_zones(t), *(_arrow(*ends) for ends in _ARROWS)]
    marks += [_box(name, t.BOUNDARY_PARTS[name], changed=name in touched) for name in BOXES]
    marks.append(_text(213, 153, t.BOUNDARY_REPORT))
    keys = []
    if watched:
        marks.append(_eye(*_EYES[watched]))
        keys.append((_eye, t.BOUNDARY_WATCHED[watched]))
    if touched:
        keys.insert(0, (_badge, t.BOUNDARY_TOUCHED))
    for row, (symbol, text) in enumerate(keys):
        marks.append(symbol(17, 206 + 24 * row) + _text(36, 211 + 24 * row, text, "start"))
    changed = [t.BOUNDARY_PARTS[name] for name in BOXES if name in touched]
    sentences = [t.BOUNDARY_ALT]
    if changed:
        sentences.append(t.BOUNDARY_ALT_TOUCHED.format(parts=t.BOUNDARY_AND.join(changed).replace("\n", " ")))
    if watched:
        sentences.append(f"{t.BOUNDARY_WATCHED[watched]}.")
    height = 188 + 24 * len(keys) + 6 * bool(keys)
    words = f"<title>{html.escape(t.BOUNDARY_TITLE)}</title><desc>{html.escape(t.SPACE.join(sentences))}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 368 {height}" role="img" font-size="15" '
        'style="width:100%;max-width:30rem;display:block;margin:0 auto" fill="currentColor">'
        f"{words}{''.join(marks)}</svg>"
    )


def _zones(t: Words) -> str:
    titles = "".join(
        _text(x, 17, name, more='font-weight="700"') for x, name in zip((88, 213, 309), t.BOUNDARY_ZONES, strict=True)
    )
    lines = "".join(
        f'<path d="M{x} 4V184" stroke="currentColor" stroke-width="{width}" stroke-dasharray="2 4" opacity=".75"/>'
        for x, width in ((172, 3), (255, 1.5))
    )
    return titles + lines


def _box(name: str, text: str, *, changed: bool) -> str:
    left, top, width, height = BOXES[name]
    edge = 'stroke="currentColor" stroke-opacity=".65" fill="none"'
    if name == "randomness":
        edge = f'stroke="{RIGHT}" stroke-width="3" fill="{RIGHT}" fill-opacity=".16"'
    if changed:
        edge = f'stroke="{_CHANGED}" stroke-width="3" stroke-dasharray="6 3" fill="{_CHANGED}" fill-opacity=".14"'
    lines = text.split("\n")
    middle = top + height / 2 + 5 - 8 * (len(lines) - 1)
    words = "".join(_text(left + width / 2, middle + 16 * row, line) for row, line in enumerate(lines))
    shape = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="5" {edge}/>{words}'
    return shape + (_badge(left + width - 3, top + 1) if changed else "")


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {more}>{html.escape(text)}</text>'


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Draw a line with a head at its end."""
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (to_x - x) / length, (to_y - y) / length
    back = (to_x - 7 * across, to_y - 7 * down)
    head = f"{to_x:.1f} {to_y:.1f}L{back[0] - 4 * down:.1f} {back[1] + 4 * across:.1f}"
    head += f"L{back[0] + 4 * down:.1f} {back[1] - 4 * across:.1f}Z"
    return (
        f'<path d="M{x} {y}L{back[0]:.1f} {back[1]:.1f}" stroke="currentColor" stroke-width="1.5"/><path d="M{head}"/>'
    )


def _badge(x: float, y: float) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="8" fill="{_CHANGED}"/>'
        f'<path d="M{x} {y - 5}v6M{x} {y + 3.6}v1.6" stroke="#fff" stroke-width="2.4"/>'
    )


def _eye(x: float, y: float) -> str:
    return (
        f'<path d="M{x - 11} {y}q11 -13 22 0q-11 13 -22 0z" fill="none" stroke="currentColor" stroke-width="1.8"/>'
        f'<circle cx="{x}" cy="{y}" r="3.6"/>'
    )


def show(t: Words, config: AuditConfig) -> None:
    """Show the card and, beside it, where the attack sits between device and server."""
    left, place = st.columns([5, 6], vertical_alignment="center")
    words = t.ATTACKS[config.attack]
    with left:
        st.markdown(f"**{words.title}** `{config.attack}`")
        facts = (words.who, words.changes, words.realism, closeness(t, config))
        for title, text in zip(t.CARD_ROWS, facts, strict=True):
            terms.prose(t, f"**{title}**  \n{text}")
    with place:
        view = DISTINGUISHERS[config.distinguisher].view
        st.markdown(picture(t, ADVERSARIES[config.attack].access, view), unsafe_allow_html=True)


def closeness(t: Words, config: AuditConfig) -> str:
    """Return how close an attack comes to the promise: by the formula where the pair is known, else from the papers."""
    if DISTINGUISHERS[config.distinguisher].abstains:
        return str(t.CARD_SELECTIVE)
    if DISTINGUISHERS[config.distinguisher].view == "black":
        return str(t.CARD_BLACK)
    length = config.strength * config.clip_norm
    law = theory.cosine_identification(config.epsilon, 180.0, length, length, config.clip_norm)
    promise = wording.limit(t, theory.worst_case_identification(config.epsilon))
    text: str = t.ATTACKS[config.attack].closeness.format(share=wording.limit(t, law), promise=promise)
    if not ADVERSARIES[config.attack].needs_images or config.attack not in published.IDENTIFICATION:
        return text
    epsilon, right = published.nearest(config.attack, config.epsilon)
    promise = wording.limit(t, theory.worst_case_identification(epsilon))
    paper = t.CARD_PAPER.format(share=wording.share(t, right), epsilon=wording.number(epsilon), promise=promise)
    return f"{text}{t.SPACE}{paper}"
