"""What the figures of a capacity say, a question at a time."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ldp_core.channels import CHANNELS
from ldp_core.presentation.channels import goal_sentence, importance_rows
from ldp_core.presentation.report import Chart, Report, Section, Table, Teller, count
from ldp_core.studies.capacity.chart import capacity_alt, capacity_chart, places_of
from ldp_core.studies.capacity.result import NAMED_AT, NOISES, PARTS, REPORTS, CapacityResult, Panel, Point

_ALL_CHANNELS = {"similarity", "inversion", "gaussian"}
"""Parts that compare all channels, that with a map of importance among them."""


def report(result: CapacityResult, tell: Teller) -> Report:
    """Tell what each part that is done found, in a chapter of its own."""
    config, done = result.config, {panel.name for panel in result.panels}
    chapters = []
    for part in (name for name in config.parts if done.intersection(PARTS[name])):
        panels = [panel for panel in result.panels if panel.name in PARTS[part]]
        charts = [_chart(panel, part, tell) for panel in panels]
        tables = [_table(panel, tell) for panel in panels]
        chapters.append(Section(tell(f"capacity_part_{part}"), [_SAID[part](result, tell), *charts, *tables], part))
    ran = tell(
        "run_capacity", dataset=tell.dataset(config.dataset), public=count(config.public),
        pictures=count(config.pictures), capacity=result.capacity,
    )  # fmt: skip
    parts = (tell("capacity_a_parts"), tell.listed([tell(f"capacity_part_{part}") for part in config.parts]))
    sentences = [str(chapter.parts[0]) for chapter in chapters]
    if (kept := result.kept) is not None:
        sentences.insert(0, goal_sentence(config.goal, kept.capacity, kept.sigma, config.rounds, tell))
    unused = ("parts", "importance_map", "capacity" if config.goal else "goal")
    mapped = importance_rows(config.importance_map, not _ALL_CHANNELS.isdisjoint(config.parts), tell)
    return Report(sentences, ran, chapters, assumed=[parts, *mapped], unused=unused)


def _chart(panel: Panel, part: str, tell: Teller) -> Chart:
    chart = tell.chart(f"capacity-{panel.name.replace('_', '-')}", capacity_chart, capacity_alt, panel)
    return replace(chart, note=tell(f"note_capacity_{part}"))


def _table(panel: Panel, tell: Teller) -> Table:
    """Return a chart's numbers, with ranges where they were measured."""
    places, rows = places_of(panel), []
    for line in panel.lines:
        points = {point.x: point for point in line.points}
        cells = [_cell(points.get(place), tell) for place in places]
        rows.append([tell.chart_words[f"capacity_line_{line.name}"], *cells])
    head = [tell("recon_quantity"), *(f"{place:g}" for place in places)]
    return Table(tell(f"chart_capacity_{panel.name}"), head, rows)


def _cell(point: Point | None, tell: Teller) -> str:
    if point is None or point.lower is None:
        return "–" if point is None else f"{point.value:.4g}"
    return tell("plane_range", point=f"{point.value:.4g}", lower=f"{point.lower:.4g}", upper=f"{point.upper:.4g}")


def _values(result: CapacityResult, panel: str, place: int = -1) -> dict[str, float]:
    """Return the values of a chart's lines at one place."""
    return {line.name: line.points[place].value for line in result.panel(panel).lines}


def _ranged(result: CapacityResult, panel: str, place: int, digits: int, tell: Teller, line: str = "exact") -> str:
    point = result.panel(panel).line(line).points[place]
    ends = {"point": point.value, "lower": point.lower, "upper": point.upper}
    return tell("plane_range", **{name: f"{end:.{digits}f}" for name, end in ends.items()})


def _server(result: CapacityResult, tell: Teller) -> str:
    config, last = result.config, _values(result, "server_told")
    most = {line.name: max(point.value for point in line.points) for line in result.panel("server_told").lines}
    return tell("capacity_server",
        capacity=result.capacity, factor=config.factor, rounds=config.rounds, crafted=last["kept_crafted"],
        honest=most["kept_honest"], held_out=most["held_out"], pictures=most["pictures"],
    )  # fmt: skip


def _batch(result: CapacityResult, tell: Teller) -> str:
    parts = []
    for place in (0, -1):
        shares, guess = _values(result, "batch_share", place), _values(result, "batch_error", place)["guess"]
        values = {"plain": shares["plain"], "constant": shares["constant"], "dp": shares["dp-sgd"], "guess": guess}
        parts.append(tell("capacity_batch_of", size=result.config.batches[place], **values))
    return tell("capacity_batch", parts=tell("capacity_then").join(dict.fromkeys(parts)))


def _direction(result: CapacityResult, tell: Teller) -> str:
    return tell("capacity_direction", **_values(result, "direction_error", 0))


def _compression(result: CapacityResult, tell: Teller) -> str:
    told, errors = result.panel("compression_told"), result.panel("compression_error")
    values = {
        "largest": told.line("largest").at(0.01), "random": told.line("random").at(0.01),
        "few": errors.line("largest").at(0.01), "all": errors.line("largest").at(1.0),
        "guess": errors.line("guess").at(1.0),
    }  # fmt: skip
    return tell(
        "capacity_compression", capacity=result.capacity, **{name: point.value for name, point in values.items()}
    )


def _reports(result: CapacityResult, tell: Teller) -> str:
    config, place = result.config, REPORTS.index(10)
    named, nats = (_values(result, f"reports_{name}", place) for name in ("named", "told"))
    limit = min(named[name] for name in ("doubling", "fano", "general"))
    return tell("capacity_reports",
        epsilon=config.epsilon, candidates=config.public, reports=REPORTS[place], limit=limit, most=nats["channel"],
        right=_ranged(result, "reports_named", place, 1, tell),
        told=_ranged(result, "reports_told", place, 2, tell),
    )  # fmt: skip


def _gaussian(result: CapacityResult, tell: Teller) -> str:
    config, errors, named = result.config, _values(result, "gaussian_error", 0), _values(result, "gaussian_named", 1)
    return tell("capacity_gaussian",
        capacity=config.capacities[0], candidates=config.public, small=NAMED_AT[1],
        named=_ranged(result, "gaussian_named", 1, 1, tell, "natural"),
        fano=named["fano"], **errors,
    )  # fmt: skip


def _noise(result: CapacityResult, tell: Teller) -> str:
    place = NOISES.index(0.5)
    named, nats = (_values(result, f"noise_{name}", place) for name in ("named", "told"))
    return tell("capacity_noise",
        noise=NOISES[place], candidates=result.config.public, limit=named["dp_limit"], most=nats["dp_limit"],
        right=_ranged(result, "noise_named", place, 1, tell), told=_ranged(result, "noise_told", place, 2, tell),
    )  # fmt: skip


def _of_channels(part: str, result: CapacityResult, tell: Teller) -> str:
    """Return the similarity at the smallest capacity and at the largest."""
    first, last = (_values(result, f"{part}_ssim", place) for place in (0, -1))
    items = [tell("capacity_item", line=tell(f"plane_{name}"), first=first[name], last=last[name]) for name in CHANNELS]
    return tell(f"capacity_{part}",
        low=result.config.capacities[0], high=result.config.capacities[-1], items=tell.listed(items),
        **{name: value for name, value in first.items() if name not in CHANNELS},
    )  # fmt: skip


_SAID: dict[str, Callable[[CapacityResult, Teller], str]] = {
    "server": _server, "batch": _batch, "direction": _direction, "compression": _compression,
    "similarity": partial(_of_channels, "similarity"), "inversion": partial(_of_channels, "inversion"),
    "reports": _reports, "gaussian": _gaussian, "noise": _noise,
}  # fmt: skip
