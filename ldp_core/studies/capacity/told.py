"""What the figures of a capacity say, in sentences. No torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ldp_core.channels import CHANNELS
from ldp_core.presentation.documents.words import WORDS
from ldp_core.studies.capacity.result import NAMED_AT, NOISES, REPORTS, CapacityResult

Words = Mapping[str, str]


def sentences(result: CapacityResult, words: Words = WORDS) -> list[str]:
    """Return what each part that is done found, in the language of ``words``."""
    made: dict[str, Callable[[CapacityResult, Words], str]] = {
        "server": _server, "batch": _batch, "direction": _direction, "compression": _compression,
        "similarity": _similarity, "inversion": _inversion, "reports": _reports, "gaussian": _gaussian, "noise": _noise,
    }  # fmt: skip
    done = {one.name.partition("_")[0] for one in result.panels}
    return [made[part](result, words) for part in result.config.parts if part in done]


def sentence(result: CapacityResult, part: str, words: Words = WORDS) -> str:
    """Return what one part found; "" before it is done."""
    parts = [one for one in result.config.parts if any(panel.name.startswith(f"{one}_") for panel in result.panels)]
    return sentences(result, words)[parts.index(part)] if part in parts else ""


def _values(result: CapacityResult, panel: str, place: int = -1) -> dict[str, float]:
    """Return the values of a chart's lines at one place."""
    found = result.panel(panel)
    assert found is not None
    return {line.name: line.points[place].value for line in found.lines}


def _ranged(result: CapacityResult, panel: str, place: int, digits: int, words: Words, line: str = "exact") -> str:
    """Return a measured value with its range."""
    found = result.panel(panel)
    assert found is not None
    point = found.line(line).points[place]
    ends = {"point": point.value, "lower": point.lower, "upper": point.upper}
    return words["plane_range"].format(**{name: f"{one:.{digits}f}" for name, one in ends.items()})


def _server(result: CapacityResult, words: Words) -> str:
    config, last = result.config, _values(result, "server_told")
    panel = result.panel("server_told")
    assert panel is not None
    honest = max(one.value for one in panel.line("kept_honest").points)
    apart = max(one.value for one in panel.line("held_out").points)
    pictures = max(one.value for one in panel.line("pictures").points)
    return words["capacity_server"].format(
        capacity=config.capacity, factor=config.factor, rounds=config.rounds, crafted=last["kept_crafted"],
        honest=honest, held_out=apart, pictures=pictures,
    )  # fmt: skip


def _batch(result: CapacityResult, words: Words) -> str:
    parts = []
    for place, size in ((0, result.config.batches[0]), (-1, result.config.batches[-1])):
        guess, shares = _values(result, "batch_error", place)["guess"], _values(result, "batch_share", place)
        parts.append(
            words["capacity_batch_of"].format(
                size=size, plain=shares["plain"], constant=shares["constant"], dp=shares["dp-sgd"],
                guess=guess,
            )
        )  # fmt: skip
    return words["capacity_batch"].format(parts=words["capacity_then"].join(dict.fromkeys(parts)))


def _direction(result: CapacityResult, words: Words) -> str:
    return words["capacity_direction"].format(**_values(result, "direction_error", 0))


def _compression(result: CapacityResult, words: Words) -> str:
    panel = result.panel("compression_told")
    assert panel is not None
    most, any_ = (panel.line(name).at(0.01).value for name in ("largest", "random"))
    errors = result.panel("compression_error")
    assert errors is not None
    few, all_, guess = errors.line("largest").at(0.01), errors.line("largest").at(1.0), errors.line("guess").at(1.0)
    return words["capacity_compression"].format(
        largest=most, random=any_, capacity=result.config.capacity, few=few.value, all=all_.value, guess=guess.value
    )


def _reports(result: CapacityResult, words: Words) -> str:
    config, place = result.config, REPORTS.index(10)
    named, told = (_values(result, f"reports_{name}", place) for name in ("named", "told"))
    limit = min(named[name] for name in ("doubling", "fano", "general"))
    return words["capacity_reports"].format(
        epsilon=config.epsilon, candidates=config.public, reports=REPORTS[place], limit=limit, most=told["channel"],
        right=_ranged(result, "reports_named", place, 1, words),
        told=_ranged(result, "reports_told", place, 2, words),
    )  # fmt: skip


def _gaussian(result: CapacityResult, words: Words) -> str:
    config, errors, named = result.config, _values(result, "gaussian_error", 0), _values(result, "gaussian_named", 1)
    return words["capacity_gaussian"].format(
        capacity=config.capacities[0], candidates=config.public, small=NAMED_AT[1],
        named=_ranged(result, "gaussian_named", 1, 1, words, "natural"),
        fano=named["fano"], **errors,
    )  # fmt: skip


def _noise(result: CapacityResult, words: Words) -> str:
    place = NOISES.index(0.5)
    named, told = (_values(result, f"noise_{name}", place) for name in ("named", "told"))
    return words["capacity_noise"].format(
        noise=NOISES[place], candidates=result.config.public, limit=named["dp_limit"], most=told["dp_limit"],
        right=_ranged(result, "noise_named", place, 1, words), told=_ranged(result, "noise_told", place, 2, words),
    )  # fmt: skip


def _similarity(result: CapacityResult, words: Words) -> str:
    return _of_channels(result, "similarity", words)


def _inversion(result: CapacityResult, words: Words) -> str:
    return _of_channels(result, "inversion", words)


def _of_channels(result: CapacityResult, part: str, words: Words) -> str:
    """Return the similarity at the smallest capacity and at the largest."""
    first, last = (_values(result, f"{part}_ssim", place) for place in (0, -1))
    items = [
        words["capacity_item"].format(line=words[f"plane_{name}"], first=first[name], last=last[name])
        for name in CHANNELS
    ]
    return words[f"capacity_{part}"].format(
        low=result.config.capacities[0], high=result.config.capacities[-1], items=words["and"].join(items),
        **{name: value for name, value in first.items() if name not in CHANNELS},
    )  # fmt: skip
