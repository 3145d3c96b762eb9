"""What the plane says: its finding in sentences of any language, and the places of its charts. No torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ldp_core.channels import CHANNELS
from ldp_core.game.summary import Interval
from ldp_core.presentation.documents.words import WORDS
from ldp_core.studies.plane.config import PLAIN, method_of, strength_of
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.plane.summary import Summary

Words = Mapping[str, str]


def title(point: str, words: Words = WORDS) -> str:
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


def ranged(interval: Interval | None, digits: int, words: Words = WORDS, scale: float = 1.0) -> str:
    """Return a number with its range, "–" for none."""
    if interval is None:
        return "–"
    ends = {name: f"{scale * getattr(interval, name):.{digits}f}" for name in ("point", "lower", "upper")}
    return words["plane_range"].format(**ends)


def sentences(result: PlaneResult, words: Words = WORDS) -> list[str]:
    """Return the finding, the verdict first; none before plain training is done."""
    found = {one.point: one for one in result.summaries}
    if PLAIN not in found:
        return []
    told = [
        words["plane_found"].format(
            train=ranged(found[PLAIN].train_accuracy, 1, words, 100.0),
            accuracy=ranged(found[PLAIN].accuracy, 1, words, 100.0),
            attack=words[f"plane_{found[PLAIN].strongest}"],
            area=ranged(found[PLAIN].area, 3, words),
        )
    ]
    if "clip" in found:
        clip = found["clip"]
        told.append(
            words["plane_clip_alone"].format(
                area=ranged(clip.area, 3, words), train=ranged(clip.train_accuracy, 1, words, 100.0)
            )
        )
    told.append(words["plane_trained"])
    told += _rebuilt(found, words)
    if found[PLAIN].membership is None:
        told.append(words["plane_none"])
    if result.costs:
        items = [
            words["plane_cost_item"].format(method=words[f"plane_{one.method}"], ratio=ranged(one.ratio, 2, words))
            for one in result.costs
            if one.method != PLAIN
        ]
        if items:
            told.append(words["plane_cost"].format(items=words["and"].join(items)))
    told.append(words["plane_ours"])
    return told


def _rebuilt(found: Mapping[str, Summary], words: Words) -> list[str]:
    plain = found[PLAIN]
    told = [words["plane_from_one"].format(error=ranged(plain.rebuilt, 4, words), guess=ranged(plain.guess, 4, words))]
    near = [title(one.point, words) for one in found.values() if one.rebuilt.upper >= one.guess.lower]
    return told + ([words["plane_near"].format(points=words["and"].join(near))] if near else [])


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the planes.

    Args:
        method: its name in ``config.STRENGTHS``.
        title: its name with its setting.
        accuracy: share of held-out pictures classified right.
        area: of the strongest attacker on membership.
        rebuilt: squared error per pixel from one report.
        guess: that of the mean picture.
        defence: our GDC; None where none is stated.
    """

    method: str
    title: str
    accuracy: Interval
    area: Interval
    rebuilt: Interval
    guess: Interval
    defence: Interval | None


def places(result: PlaneResult, words: Words = WORDS) -> list[Place]:
    """Return the points of the planes, in their order."""
    return [
        Place(
            method_of(one.point), title(one.point, words), one.accuracy, one.area, one.rebuilt, one.guess, one.defence
        )
        for one in result.summaries
    ]
