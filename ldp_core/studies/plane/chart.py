"""The two planes: privacy against utility, and membership against reconstruction."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ldp_core.channels import CHANNELS
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Series
from ldp_core.statistics.intervals import Interval
from ldp_core.studies.plane.config import method_of, strength_of
from ldp_core.studies.plane.result import Summary

STYLES = {
    "sgd": ("#858c96", "x"),
    "clip": ("#858c96", "circle"),
    "dp-sgd": ("#0072B2", "square"),
    "dp-psac": ("#56B4E9", "diamond"),
    "ldp-sgd": ("#CC79A7", "star"),
    "natural": ("#009E73", "triangle-up"),
    "white": ("#E69F00", "triangle-down"),
    "personalized": ("#D55E00", "pentagon"),
}
"""Method -> its colour and plotly's marker."""
PLANES = ("utility", "defence")
Coordinates = tuple[Interval, Interval]


def title(point: str, words: Mapping[str, str] = ENGLISH) -> str:
    """Return a point's name with its setting.

    >>> title("dp-sgd:0.8")
    'DP-SGD (z = 0.8)'
    """
    method, value = method_of(point), strength_of(point)
    name = words[f"plane_{method}"]
    if method in CHANNELS:
        return words["plane_with_capacity"].format(method=name, value=value)
    if method == "ldp-sgd":
        return words["plane_with_epsilon"].format(method=name, value=value)
    return words["plane_with_noise"].format(method=name, value=value) if value else name


def coordinates(summary: Summary, plane: str) -> Coordinates | None:
    """Return where a point lies, or None where it has no place.

    ``plane``: ``utility``: our GDC and the accuracy of 100; ``defence``: the area of the strongest attacker on
    membership and the squared error per pixel of the rebuilt pictures.
    """
    if plane == "defence":
        return summary.area, summary.rebuilt
    return None if summary.defence is None else (summary.defence, Interval(**summary.accuracy.of_100))


def lines(summaries: Sequence[Summary], plane: str) -> Iterator[tuple[str, list[tuple[Summary, Coordinates]]]]:
    """Yield each method with those of its points that have a place, and where they lie."""
    for method, group in groupby(summaries, key=lambda summary: method_of(summary.point)):
        if members := [(member, place) for member in group if (place := coordinates(member, plane)) is not None]:
            yield method, members


def plane_chart(summaries: Sequence[Summary], plane: str, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe one of ``PLANES``, with ranges; points of one method are joined."""
    series, across, up = [], words[f"plane_{plane}_x"], words[f"plane_{plane}_y"]
    if plane == "defence" and summaries:
        name, guess = words["plane_guess"], summaries[0].guess.point
        areas = [entry.area for entry in summaries]
        span = [min(0.49, *(area.lower for area in areas)), max(area.upper for area in areas)]
        series += [Series(name, span, [guess, guess], stroke="coin")]
        series += [Series(name, [0.5, 0.5], [0.0, 1.05 * guess], stroke="coin")]
    for method, members in lines(summaries, plane):
        colour, symbol = STYLES[method]
        (x, x_ends), (y, y_ends) = (
            ([entry.point for entry in row], [(entry.lower, entry.upper) for entry in row])
            for row in zip(*(place for _, place in members), strict=True)
        )
        series.append(
            Series(
                words[f"plane_{method}"], x, y, colour, "line", 1, symbol, 10, x_ends, y_ends,
                f"%{{text}}<br>{across}: %{{x:.3g}}<br>{up}: %{{y:.3g}}",
                [title(member.point, words) for member, _ in members],
            )
        )  # fmt: skip
    return Chart(series, Axis(across, reverse=plane == "defence"), Axis(up))


def plane_alt(summaries: Sequence[Summary], plane: str, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``plane_chart`` shows, in one sentence."""
    items = [
        words[f"alt_plane_{plane}"].format(title=title(member.point, words), x=place[0].point, y=place[1].point)
        for _, members in lines(summaries, plane)
        for member, place in members
    ]
    return words["alt_plane"].format(
        x=words[f"plane_{plane}_x"], y=words[f"plane_{plane}_y"], items=words["and"].join(items)
    )
