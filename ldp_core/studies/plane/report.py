"""What the plane says."""

from collections.abc import Mapping

from ldp_core.channels import CHANNELS
from ldp_core.game.summary import Interval
from ldp_core.presentation.channels import importance_rows
from ldp_core.presentation.report import Report, Section, Table, Teller, count
from ldp_core.studies.plane.chart import PLANES, drawable, places_of, plane_alt, plane_chart, title
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
    places = places_of(result, tell.chart_words)
    charts = [
        tell.chart(f"plane-{plane}", plane_chart, plane_alt, places, plane)
        for plane in PLANES
        if drawable(places, plane)
    ]
    costs = [[tell(f"plane_{one.method}"), ranged(one.ratio, 2, tell)] for one in result.costs]
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
    for one in result.summaries:
        name = title(one.point, tell.words)
        shares = [ranged(share, 1, tell, 100.0) for share in (one.train_accuracy, one.accuracy)]
        members.append([name, *shares, *(ranged(one.areas[attack], 3, tell) for attack in attacks)])
        ours = [ranged(part, 2, tell) for part in (one.membership, one.reconstruction, one.defence)]
        pictures.append([name, ranged(one.rebuilt, 4, tell), *ours])
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
    found = {one.point: one for one in result.summaries}
    if PLAIN not in found:
        return []
    told = [
        tell(
            "plane_found",
            train=ranged(found[PLAIN].train_accuracy, 1, tell, 100.0),
            accuracy=ranged(found[PLAIN].accuracy, 1, tell, 100.0),
            attack=tell(f"plane_{found[PLAIN].strongest}"),
            area=ranged(found[PLAIN].area, 3, tell),
        )
    ]
    if "clip" in found:
        clip = found["clip"]
        told.append(
            tell("plane_clip_alone", area=ranged(clip.area, 3, tell), train=ranged(clip.train_accuracy, 1, tell, 100.0))
        )
    told.append(tell("plane_trained"))
    told += _rebuilt(found, tell)
    if found[PLAIN].membership is None:
        told.append(tell("plane_none"))
    if result.costs:
        items = [
            tell("plane_cost_item", method=tell(f"plane_{one.method}"), ratio=ranged(one.ratio, 2, tell))
            for one in result.costs
            if one.method != PLAIN
        ]
        if items:
            told.append(tell("plane_cost", items=tell.listed(items)))
    told.append(tell("plane_ours"))
    return told


def _rebuilt(found: Mapping[str, Summary], tell: Teller) -> list[str]:
    plain = found[PLAIN]
    told = [tell("plane_from_one", error=ranged(plain.rebuilt, 4, tell), guess=ranged(plain.guess, 4, tell))]
    near = [title(one.point, tell.words) for one in found.values() if one.rebuilt.upper >= one.guess.lower]
    return told + ([tell("plane_near", points=tell.listed(near))] if near else [])
