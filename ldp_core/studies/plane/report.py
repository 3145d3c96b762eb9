"""What the plane says."""

from collections.abc import Mapping

from ldp_core.channels import CHANNELS
from ldp_core.presentation.channels import importance_rows
from ldp_core.presentation.report import Report, Section, Table, Teller, count
from ldp_core.statistics.intervals import Interval
from ldp_core.studies.plane.chart import PLANES, coordinates, plane_alt, plane_chart, title
from ldp_core.studies.plane.config import PLAIN
from ldp_core.studies.plane.result import PlaneResult, Summary


def report(result: PlaneResult, tell: Teller) -> Report:
    """Tell what each protection gives and costs."""
    config, run = result.config, result.runs[0] if result.runs else None
    names = ("members", "passes", "repeats", "shadows", "pictures", "public")
    ran = tell(
        "run_plane", dataset=tell.dataset(config.dataset), training="–" if run is None else count(run.training),
        held_out="–" if run is None else count(run.held_out), **{name: count(getattr(config, name)) for name in names},
    )  # fmt: skip
    charts = [
        tell.chart(f"plane-{plane}", plane_chart, plane_alt, result.summaries, plane)
        for plane in PLANES
        if any(coordinates(summary, plane) is not None for summary in result.summaries)
    ]
    costs = [[tell(f"plane_{cost.method}"), ranged(cost.ratio, 2, tell)] for cost in result.costs]
    head = [tell("plane_head_method"), tell("plane_head_cost")]
    tables = [*_tables(result, tell), Table(tell("plane_costs"), head, costs, tell("plane_costs_note"))]
    points = (tell("plane_a_points"), tell.listed([title(point, tell.words) for point in config.points]))
    sections = [Section(tell("charts"), charts), Section(tell("numbers"), tables)]
    painted = any(CHANNELS[name].paints for name in config.methods if name in CHANNELS)
    mapped = importance_rows(config.importance_map, painted, tell)
    return Report(
        _sentences(result, tell), ran, sections, assumed=[points, *mapped], unused=("points", "importance_map")
    )


def _tables(result: PlaneResult, tell: Teller) -> tuple[Table, Table]:
    """Return what is learned of members, and what is rebuilt, with our measures."""
    attacks = result.config.attacks
    first = [tell(f"plane_head_{name}") for name in ("point", "train", "accuracy")]
    first += [tell(f"plane_{name}") for name in attacks]
    second = [tell(f"plane_head_{name}") for name in ("point", "rebuilt", "membership", "reconstruction", "defence")]
    members, pictures = [], []
    for summary in result.summaries:
        name = title(summary.point, tell.words)
        shares = [ranged(share, 1, tell, 100.0) for share in (summary.train_accuracy, summary.accuracy)]
        members.append([name, *shares, *(ranged(summary.areas[attack], 3, tell) for attack in attacks)])
        ours = [ranged(part, 2, tell) for part in (summary.membership, summary.reconstruction, summary.defence)]
        pictures.append([name, ranged(summary.rebuilt, 4, tell), *ours])
    return (
        Table(tell("plane_members"), first, members, tell("plane_members_note")),
        Table(tell("plane_pictures"), second, pictures, tell("plane_pictures_note")),
    )


def ranged(interval: Interval | None, digits: int, tell: Teller, scale: float = 1.0) -> str:
    """Return a number with its range, "–" for none."""
    if interval is None:
        return "–"
    ends = {name: f"{scale * getattr(interval, name):.{digits}f}" for name in ("point", "lower", "upper")}
    return tell("plane_range", **ends)


def _sentences(result: PlaneResult, tell: Teller) -> list[str]:
    """Return the finding, the verdict first; none before plain training is done."""
    summaries = {entry.point: entry for entry in result.summaries}
    if PLAIN not in summaries:
        return []
    sentences = [
        tell(
            "plane_found",
            train=ranged(summaries[PLAIN].train_accuracy, 1, tell, 100.0),
            accuracy=ranged(summaries[PLAIN].accuracy, 1, tell, 100.0),
            attack=tell(f"plane_{summaries[PLAIN].strongest}"),
            area=ranged(summaries[PLAIN].area, 3, tell),
        )
    ]
    if "clip" in summaries:
        clip = summaries["clip"]
        sentences.append(
            tell("plane_clip_alone", area=ranged(clip.area, 3, tell), train=ranged(clip.train_accuracy, 1, tell, 100.0))
        )
    sentences.append(tell("plane_trained"))
    sentences += _rebuilt(summaries, tell)
    if summaries[PLAIN].membership is None:
        sentences.append(tell("plane_none"))
    if result.costs:
        items = [
            tell("plane_cost_item", method=tell(f"plane_{entry.method}"), ratio=ranged(entry.ratio, 2, tell))
            for entry in result.costs
            if entry.method != PLAIN
        ]
        if items:
            sentences.append(tell("plane_cost", items=tell.listed(items)))
    sentences.append(tell("plane_ours"))
    return sentences


def _rebuilt(summaries: Mapping[str, Summary], tell: Teller) -> list[str]:
    plain = summaries[PLAIN]
    sentences = [tell("plane_from_one", error=ranged(plain.rebuilt, 4, tell), guess=ranged(plain.guess, 4, tell))]
    near = [
        title(summary.point, tell.words)
        for summary in summaries.values()
        if summary.rebuilt.upper >= summary.guess.lower
    ]
    return sentences + ([tell("plane_near", points=tell.listed(near))] if near else [])
