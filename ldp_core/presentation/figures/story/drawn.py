"""The story's small fixed pictures as plain SVG: reports on the circle, their share, a round of the game, a belief.

Nobody hovers over them, and a browser shows SVG at once where a chart of plotly takes tens of milliseconds. Words take
the page's colour. One unit of the drawing is a hundredth of the clipping norm, and y points up.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ldp_core.illustrate import GameRound, SentReports, near_probability
from ldp_core.presentation.figures._drawing import (
    DOTS,
    Point,
    axes,
    label,
    line,
    marks,
    path_of,
    promise,
    stroke,
    svg,
    titles,
)
from ldp_core.presentation.figures._parts import opens
from ldp_core.presentation.figures._styles import COIN, FIRST, NEUTRAL, RIGHT, SECOND
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.story.shares import (
    LIGHT,
    SIDES,
    Words,
    half_circle_alt,
    limit_of_100,
    roundings,
    share_alt,
    share_of_100,
)
from ldp_core.statistics import theory
from ldp_core.words import numbers

_SHADE = "rgba(0,114,178,0.22)"
_PALE = "rgba(128,128,128,0.16)"
_ROW = 17


def half_circle_svg(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Draw one update, what its length is rounded to, and where its reports lie; the update's side is shaded.

    The newest report is large, with an arrow; many others are small, to be kept apart.

    ``sent``: reports of shape (n, 2), from ``illustrate.send``, at ``epsilon`` nats; ``norm``: of the update, before or
    after clipping.

    Source: Matsumoto et al. 2024, J. Inf. Process. 32, Fig. 2, in the plane.
    """
    parts = [f'<path d="M-100 0A100 100 0 0 1 100 0Z" fill="{_SHADE}"/>', *_ring()]
    parts += [label(-55, 4, words["near_side"]), label(-55, -11.5, words["far_side"])]
    parts += [_arrow((0.0, 100.0 * tip), FIRST, 7, opacity) for tip, opacity in roundings(sent, norm, clip_norm)]
    parts.append(_arrow((0.0, 100.0 * min(norm / clip_norm, 1.0)), FIRST, 2.4))
    if norm > clip_norm:
        top = 100.0 * min(norm / clip_norm, 1.25)
        parts.append(line((0.0, 100.0), (0.0, top), FIRST, 1.6, 'stroke-dasharray="2 2"'))
        parts.append(line((-11.0, 100.0), (11.0, 100.0), FIRST, 2.4))
    older = 100.0 * sent.points[:-1]
    keys = []
    for near, colour, symbol, name in SIDES:
        parts.append(marks(older[sent.near[:-1] == near], colour, symbol, 2.6 if len(older) < 50 else 1.6))
        keys.append((symbol, colour, words[name].format(count=int((sent.near == near).sum()))))
        if len(sent.points) and sent.near[-1] == near:
            parts.append(_arrow(_scaled(sent.points[-1]), colour, 2.4))
            parts.append(marks(100.0 * sent.points[-1:], colour, symbol, 6.5, "newest"))
    keys.append(("arrow", FIRST, words["clipped" if norm > clip_norm else "your_update"]))
    if norm < clip_norm:
        keys.append(("arrow", LIGHT, words["rounded"]))
    return _circle_picture(parts, keys, half_circle_alt(sent, epsilon, norm, clip_norm, words))


def share_svg(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Draw the share of reports on the near side after each report, and what it settles at.

    Arguments as in ``half_circle_svg``; the reports may have any dimension.
    """
    total, law = len(sent.points), 100.0 * near_probability(epsilon, norm, clip_norm)
    last = max(total, 10)
    steps = [f"{last * step // 4:,}" if last * step % 4 == 0 else "" for step in range(5)]
    parts = [*axes([numbers.written(step, words["separators"]) for step in steps], 4)]
    parts.append(line((0, 50), (200, 50), COIN, 1.4, DOTS))
    parts += promise([(0.0, law), (200.0, law)])
    if total:
        counts = np.cumsum(sent.near).tolist()
        points = [(200.0 * number / last, 100.0 * near / number) for number, near in enumerate(counts, start=1)]
        parts.append(f'<path class="share" d="{path_of(points)}" fill="none" {stroke(RIGHT, 2)}/>')
        parts.append(marks(np.array(points[-1:]), RIGHT, "circle", 3.6, "newest"))
    keys = (words["settles"].format(share=limit_of_100(law, words)), words["coin"])
    for y, text, key in zip(
        (128.0, 113.0),
        keys,
        (promise([(0, 128), (20, 128)]), [line((0, 113), (20, 113), COIN, 1.4, DOTS)]),
        strict=True,
    ):
        parts += [*key, label(25, y - 3.6, text, anchor="start")]
    parts += titles(words["reports_axis"], words["near_axis"])
    return svg((-40, -136, 252, 170), parts, share_alt(sent, epsilon, norm, clip_norm, words))


def game_svg(played: GameRound | None, words: Words = ENGLISH, reveal: bool = False) -> str:
    """Draw the two updates of the guessing game and one report; revealed, which update was sent.

    ``played``: a round from ``illustrate.play``, or None before the first; ``reveal``: whether to mark the update that
    was sent.
    """
    parts, shown = _ring(), played is not None and reveal
    for side, height, colour in (("A", 100.0, FIRST), ("B", -100.0, SECOND)):
        was_sent = shown and played is not None and played.sent == side
        parts.append(
            _arrow((0.0, 0.97 * height), colour, 7 if was_sent else 4.6, 0.35 if shown and not was_sent else 1)
        )
        name = words[f"label_{side}"]
        text = words["sent"].format(side=name) if was_sent else name
        parts.append(label(0, 108 if height > 0 else -119, text, 14, 'font-weight="700"'))
    if played is not None:
        parts.append(_arrow(_scaled(played.report), NEUTRAL, 2.4))
        parts.append(marks(np.array([_scaled(played.report)]), NEUTRAL, "diamond", 7.5, "newest"))
    return _circle_picture(parts, [("diamond", NEUTRAL, words["report"])], game_alt(played, words, reveal))


def game_alt(played: GameRound | None, words: Words = ENGLISH, reveal: bool = False) -> str:
    """Return what ``game_svg`` shows: on whose side the report lies; revealed, what was sent."""
    sentences = [words["alt_game"]]
    if played is not None:
        sentences.append(words["alt_game_side"].format(side=words["label_A" if played.report[1] > 0.0 else "label_B"]))
        if reveal:
            sentences.append(words["alt_game_sent"].format(sent=words[f"label_{played.sent}"]))
    return " ".join(sentences)


def posterior_svg(prior: float, epsilon: float, words: Words = ENGLISH) -> str:
    """Draw a belief before one report and the most it can be after it, as bars, and the same for every belief.

    ``prior``: belief beforehand that update A was sent, in [0, 1]; ``epsilon``: privacy parameter in nats, >= 0.
    """
    before, after = 100.0 * prior, 100.0 * theory.posterior(prior, epsilon)
    parts = []
    limit = limit_of_100(after, words)
    bars = (
        (150.0, before, COIN, words["before"].format(share=share_of_100(before, words))),
        (115.0, after, RIGHT, words["after_open"] if opens(after) else words["after"].format(share=limit)),
    )
    for y, share, colour, text in bars:
        parts += [label(0, y + 13, text, anchor="start"), _bar(y, 100.0, _PALE), _bar(y, share, colour)]
    parts += axes(["0", "50", "100"], 2)
    parts.append(line((0, 0), (200, 100), COIN, 1.4, DOTS))
    parts += promise([(2.0 * step, 100.0 * theory.posterior(step / 100.0, epsilon)) for step in range(101)])
    parts.append(line((2 * before, before), (2 * before, after), RIGHT, 2.4))
    parts.append(marks(np.array([[2 * before, before]]), COIN, "circle", 3.4))
    parts.append(marks(np.array([[2 * before, after]]), RIGHT, "circle", 5, "newest"))
    parts.append(label(198, 38, words["unmoved"], anchor="end"))
    parts += titles(words["before_axis"], words["after_axis"])
    return svg((-40, -178, 252, 212), parts, posterior_alt(prior, epsilon, words))


def posterior_alt(prior: float, epsilon: float, words: Words = ENGLISH) -> str:
    """Return what ``posterior_svg`` shows, in one sentence."""
    before, after = 100.0 * prior, 100.0 * theory.posterior(prior, epsilon)
    text = words["alt_posterior_open" if opens(after) else "alt_posterior"]
    return text.format(before=share_of_100(before, words), after=limit_of_100(after, words), epsilon=epsilon)


def _circle_picture(parts: Sequence[str], keys: Sequence[tuple[str, str, str]], alt: str) -> str:
    """Return a picture of the circle with a legend of symbol, colour and text below it."""
    rows = []
    for number, (symbol, colour, text) in enumerate(keys):
        y = -138.0 - _ROW * number
        arrow = f'<path d="M-62 {4 - y:g}l4 -9l4 9z" fill="{colour}"/>'
        mark = arrow if symbol == "arrow" else marks(np.array([[-58.0, y]]), colour, symbol, 4, "key")
        rows += [mark, label(-48, y - 3.6, text, anchor="start")]
    return svg((-130, -128, 260, 262 + _ROW * len(keys)), [*parts, *rows], alt)


def _ring() -> list[str]:
    """Return the circle on which reports lie, and the line between its halves."""
    half = line((-100, 0), (100, 0), COIN, 1.2, 'stroke-dasharray="4 3"')
    return [f'<circle r="100" fill="none" {stroke(COIN, 1.2)}/>', half]


def _arrow(tip: Point, colour: str, width: float, opacity: float = 1.0) -> str:
    """Draw an arrow from the centre; one without length is a dot."""
    size = math.hypot(*tip)
    if size <= 2.0:
        return f'<circle class="arrow" r="3" fill="{colour}" opacity="{opacity:g}"/>'
    head = min(7.0 + 1.6 * width, size)
    along, across = (tip[0] / size, tip[1] / size), (-tip[1] / size, tip[0] / size)
    neck = (tip[0] - head * along[0], tip[1] - head * along[1])
    wings = [(neck[0] + side * 0.5 * head * across[0], neck[1] + side * 0.5 * head * across[1]) for side in (1, -1)]
    corners = " ".join(f"{x:.2f},{-y:.2f}" for x, y in (tip, *wings))
    shaft = line((0, 0), neck, colour, width)
    return f'<g class="arrow" opacity="{opacity:g}">{shaft}<polygon points="{corners}" fill="{colour}"/></g>'


def _bar(y: float, share: float, colour: str) -> str:
    return f'<rect x="0" y="{-y - 9:g}" width="{2 * share:.2f}" height="17" fill="{colour}"/>'


def _scaled(point: Iterable[float]) -> Point:
    x, y = point
    return 100.0 * float(x), 100.0 * float(y)
