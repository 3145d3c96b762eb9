"""The two planes: privacy against utility, and membership against reconstruction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ldp_core.channels import CHANNELS
from ldp_core.game.summary import Interval
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Series
from ldp_core.studies.plane.config import method_of, strength_of
from ldp_core.studies.plane.result import PlaneResult

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


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the planes: a method in ``config.STRENGTHS``, and its name with its setting.

    ``accuracy`` is the share of held-out pictures classified right, ``area`` that of the strongest attacker on
    membership, ``rebuilt`` the squared error per pixel from one report, ``guess`` that of the mean picture, ``defence``
    our GDC, None where none is stated.
    """

    method: str
    title: str
    accuracy: Interval
    area: Interval
    rebuilt: Interval
    guess: Interval
    defence: Interval | None


def places_of(result: PlaneResult, words: Mapping[str, str] = ENGLISH) -> list[Place]:
    """Return the points of the planes, in their order."""
    return [
        Place(
            method_of(summary.point),
            title(summary.point, words),
            summary.accuracy,
            summary.area,
            summary.rebuilt,
            summary.guess,
            summary.defence,
        )
        for summary in result.summaries
    ]


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


def coordinates(place: Place, plane: str) -> Coordinates | None:
    """Return where a point lies, or None where it has no place.

    ``place``: of ``places_of``; ``plane``: ``utility``: our GDC and the accuracy of 100; ``defence``: the area of the
    strongest attacker on membership and the squared error per pixel of the rebuilt pictures.
    """
    if plane == "defence":
        return place.area, place.rebuilt
    if place.defence is None:
        return None
    shares = Interval(*(100.0 * share for share in (place.accuracy.point, place.accuracy.lower, place.accuracy.upper)))
    return place.defence, shares


def lines(places: Sequence[Place], plane: str) -> Iterator[tuple[str, list[Place], list[Coordinates]]]:
    """Yield each method with its points and where they lie."""
    for method, group in groupby(places, key=lambda place: place.method):
        members = [(place, position) for place in group if (position := coordinates(place, plane)) is not None]
        if members:
            yield method, [place for place, _ in members], [position for _, position in members]


def plane_chart(places: Sequence[Place], plane: str, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe one plane, with ranges; points of one method are joined.

    ``places``: of ``places_of``; ``plane``: of ``PLANES``.
    """
    series, across, up = [], words[f"plane_{plane}_x"], words[f"plane_{plane}_y"]
    if plane == "defence" and places:
        name, guess = words["plane_guess"], places[0].guess.point
        span = [min(0.49, *(entry.area.lower for entry in places)), max(entry.area.upper for entry in places)]
        series += [Series(name, span, [guess, guess], stroke="coin")]
        series += [Series(name, [0.5, 0.5], [0.0, 1.05 * guess], stroke="coin")]
    for method, members, positions in lines(places, plane):
        colour, symbol = STYLES[method]
        (x, x_ends), (y, y_ends) = (
            ([entry.point for entry in row], [(entry.lower, entry.upper) for entry in row])
            for row in zip(*positions, strict=True)
        )
        series.append(
            Series(
                words[f"plane_{method}"], x, y, colour, "line", 1, symbol, 10, x_ends, y_ends,
                f"%{{text}}<br>{across}: %{{x:.3g}}<br>{up}: %{{y:.3g}}", [place.title for place in members],
            )
        )  # fmt: skip
    below = Axis(across, reverse=plane == "defence")
    return Chart(series, below, Axis(up))


def plane_alt(places: Sequence[Place], plane: str, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``plane_chart`` shows, in one sentence."""
    items = [
        words[f"alt_plane_{plane}"].format(title=place.title, x=position[0].point, y=position[1].point)
        for _, members, all_ in lines(places, plane)
        for place, position in zip(members, all_, strict=True)
    ]
    return words["alt_plane"].format(
        x=words[f"plane_{plane}_x"], y=words[f"plane_{plane}_y"], items=words["and"].join(items)
    )


def drawable(places: Sequence[Place], plane: str) -> bool:
    """Return whether a plane has any point."""
    return any(coordinates(place, plane) is not None for place in places)
