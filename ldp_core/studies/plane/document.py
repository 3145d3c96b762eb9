"""The document of the plane."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.figures import ENGLISH, inline, paper
from ldp_core.presentation.report import count, exact
from ldp_core.studies.plane import told
from ldp_core.studies.plane.chart import PLANES, drawable, plane_alt, plane_chart
from ldp_core.studies.plane.result import PlaneResult

Table = tuple[list[str], list[list[str]]]


def save(result: PlaneResult, folder: Path, words: Mapping[str, str] = ENGLISH) -> list[Path]:
    """Save the planes of a result that have a point, and return the files."""
    places = told.places(result, words)
    return [
        file
        for plane in PLANES
        if drawable(places, plane)
        for file in paper.save_chart(partial(plane_chart, places, plane), folder, f"plane-{plane}", words=words)
    ]


def setting(result: PlaneResult, words: Mapping[str, str], dataset: str) -> str:
    """Return what was run; ``dataset`` is the name to show."""
    config = result.config
    run = result.runs[0] if result.runs else None
    return words["run_plane"].format(
        members=count(config.members), passes=count(config.passes), repeats=count(config.repeats),
        shadows=count(config.shadows), dataset=dataset, training="–" if run is None else count(run.training),
        held_out="–" if run is None else count(run.held_out), pictures=count(config.pictures),
        public=count(config.public),
    )  # fmt: skip


def tables(result: PlaneResult, words: Mapping[str, str]) -> tuple[Table, Table]:
    """Return head and rows of what is learned of members, and of what is rebuilt, with our measures and the cost."""
    attacks = result.config.attacks
    first = [words[f"plane_head_{name}"] for name in ("point", "train", "accuracy")]
    first += [words[f"plane_{name}"] for name in attacks]
    second = [words[f"plane_head_{name}"] for name in ("point", "rebuilt", "membership", "reconstruction", "defence")]
    members, pictures = [], []
    for one in result.summaries:
        name = told.title(one.point, words)
        shares = [told.ranged(share, 1, words, 100.0) for share in (one.train_accuracy, one.accuracy)]
        members.append([name, *shares, *(told.ranged(one.areas[attack], 3, words) for attack in attacks)])
        ours = [told.ranged(part, 2, words) for part in (one.membership, one.reconstruction, one.defence)]
        pictures.append([name, told.ranged(one.rebuilt, 4, words), *ours])
    return (first, members), (second, pictures)


def parts(result: PlaneResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    config, words = result.config, context.words
    places = told.places(result, context.chart_words)
    drawn = []
    for plane in PLANES:
        if drawable(places, plane):
            alt = plane_alt(places, plane, context.chart_words)
            chart = inline.chart(f"plane-{plane}", partial(plane_chart, places, plane), alt, context.chart_words)
            drawn.append(page.figure(words[f"chart_plane_{plane}"], chart.svg, words[f"note_plane_{plane}"]))
    (first, members), (second, pictures) = tables(result, words)
    costs = [[words[f"plane_{one.method}"], told.ranged(one.ratio, 2, words)] for one in result.costs]
    rows = [
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["plane_a_members"], count(config.members)),
        (words["plane_a_passes"], count(config.passes)),
        (words["plane_a_batch"], count(config.batch)),
        (words["plane_a_repeats"], count(config.repeats)),
        (words["plane_a_shadows"], count(config.shadows)),
        (words["a_pictures"], count(config.pictures)),
        (words["a_public"], count(config.public)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_importance"], exact(config.importance)),
    ]
    run = setting(result, words, context.dataset(config.dataset))
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)),
        context.table_section("plane_members", words["plane_members_note"], first, members),
        context.table_section("plane_pictures", words["plane_pictures_note"], second, pictures),
        context.table_section(
            "plane_costs", words["plane_costs_note"],
            [words["plane_head_method"], words["plane_head_cost"]], costs,
        ),
        context.limits("limits_plane"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
    ]  # fmt: skip
