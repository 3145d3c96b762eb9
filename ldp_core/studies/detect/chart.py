"""How much of each attack is refused, and how often it is right about what gets past."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from ldp_core.presentation.figures._parts import most_of_100
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series

Words = Mapping[str, str]
KINDS = ("plain", "adaptive", "honest")
"""Attackers who know nothing of detectors, those who know them, and ordinary updates, from the top."""
REFUSED, RIGHT = "#4F7FB6", "#C2571A"
_HEADING, _ABOVE, _BELOW = 0.85, 0.02, -0.28
"""Room for a kind's heading, and where a row's two marks lie, all in rows."""
_ROW = 46
"""Height of a row on screen, in pixels."""
_LEGEND = 150
"""Room for the axis and the legend where it takes most lines, in pixels."""
_LETTERS = 22
"""Letters of a name in one line, for print."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of an attack of one of ``KINDS``, of which at least one pair was shown.

    ``share`` is point, lower and upper of 100 pairs that are refused, ``right`` of 100 guesses about the rest; None
    where nothing gets past.
    """

    name: str
    kind: str
    pairs: int
    refused: int
    share: Mapping[str, float]
    right: Mapping[str, float] | None


def tried_chart(rows: Sequence[Tried], promise: float, words: Words = ENGLISH) -> Chart:
    """Describe for each attack the share refused, and below it the share of right guesses beside the promise.

    ``rows``: at least one; ``promise``: right guesses of 100 that epsilon allows, detectors or not.
    """
    series, notes, ticks, y = list[Series](), list[Note](), list[tuple[float, str]](), 0.0
    for who, caught, group in _groups(rows, words):
        y -= _HEADING
        notes.append(Note(0, y, f"<b>{words['tried_heading'].format(who=who, caught=caught)}</b>", shift=(0, -10)))
        ticks.append((y, f"{who}\n{caught}"))
        for row in group:
            y -= 1.0
            series += _marks(row, y, promise, words)
            notes.append(Note(0, y, row.name, shift=(0, 6)))
            ticks.append((y, fill(row.name, _LETTERS)))
            if row.right is None:
                notes.append(Note(48, y + _BELOW, words["tried_nothing"], "right", "middle"))
    shares = [(share, str(share)) for share in range(0, 101, 20)]
    order = [words[name] for name in ("tried_refused", "tried_right", "view_promise", "coin")]
    beside = Axis("", (y - 0.6, 0.0), ticks=ticks, noted=True)
    return Chart(
        series, Axis(words["tried_axis"], (-2, 102), ticks=shares), beside, round(_LEGEND - _ROW * y),
        0.55 - 0.33 * y, notes=notes, order=order, margin={"l": 14, "r": 14, "t": 8, "b": 61},
    )  # fmt: skip


def tried_alt(rows: Sequence[Tried], promise: float, words: Words = ENGLISH) -> str:
    """Return what ``tried_chart`` shows, in one sentence."""
    groups = []
    for who, caught, group in _groups(rows, words):
        items = [
            words["alt_tried_nothing" if row.right is None else "alt_tried_item"].format(
                name=row.name, refused=row.share["point"], right=row.right and row.right["point"]
            )
            for row in group
        ]
        heading = words["tried_heading"].format(who=who, caught=caught)
        groups.append(words["alt_tried_group"].format(heading=heading, items=words["and"].join(items)))
    return words["alt_tried"].format(groups=words["alt_tried_then"].join(groups), promise=most_of_100(promise, words))


def _groups(rows: Sequence[Tried], words: Words) -> list[tuple[str, str, list[Tried]]]:
    """Return who they are, what was refused of them in all, and the rows, of each kind that is there."""
    groups = []
    for kind in KINDS:
        if group := [row for row in rows if row.kind == kind]:
            refused, pairs = (f"{sum(getattr(row, name) for row in group):,}" for name in ("refused", "pairs"))
            groups.append((words[f"tried_{kind}"], words["tried_of"].format(refused=refused, pairs=pairs), group))
    return groups


def _marks(row: Tried, y: float, promise: float, words: Words) -> list[Series]:
    """Return a bar to what is refused, and what is right between a coin and the promise, each with its interval."""
    share, *ends = row.share.values()
    high, low = y + _ABOVE, y + _BELOW
    name, reach = words["tried_refused"], [low - 0.18, low + 0.18]
    series = [
        Series(words["coin"], [50, 50], reach, stroke="coin"),
        Series(words["view_promise"], [promise, promise], reach, stroke="promise"),
        Series(name, [0, share], [high, high], REFUSED, "line", 5, opacity=0.5),
        Series(name, [share], [high], REFUSED, symbol="square", size=9, x_ends=[(ends[0], ends[1])],
               hover=f"{row.name}<br>{words['tried_refused']}: %{{x:.0f}} ({words['tried_axis']})"),
    ]  # fmt: skip
    if row.right is not None:
        point, *ends = row.right.values()
        series.append(
            Series(words["tried_right"], [point], [low], RIGHT, symbol="diamond", size=10, x_ends=[(ends[0], ends[1])],
                   hover=f"{row.name}<br>{words['tried_right']}: %{{x:.1f}} ({words['tried_axis']})")
        )  # fmt: skip
    return series
