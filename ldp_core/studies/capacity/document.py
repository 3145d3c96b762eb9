"""The document of the figures of a capacity."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.figures import ENGLISH, inline, paper
from ldp_core.presentation.report import count, exact
from ldp_core.studies.capacity.chart import capacity_alt, capacity_chart, places_of
from ldp_core.studies.capacity.result import PARTS, CapacityResult, Panel


def save(result: CapacityResult, folder: Path, words: Mapping[str, str] = ENGLISH) -> list[Path]:
    """Save the charts of a result and return the files."""
    return [
        file
        for panel in result.panels
        for file in paper.save_chart(
            partial(capacity_chart, panel), folder, f"capacity-{panel.name.replace('_', '-')}", words=words
        )
    ]


def setting(result: CapacityResult, words: Mapping[str, str], dataset: str) -> str:
    """Return what was run; ``dataset`` is the name to show."""
    config = result.config
    return words["run_capacity"].format(
        dataset=dataset, public=count(config.public), pictures=count(config.pictures), capacity=config.capacity
    )


def table(panel: Panel, words: Mapping[str, str], chart_words: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Return head and rows of a chart's numbers, with ranges where they were measured."""
    places = places_of(panel)
    rows = []
    for line in panel.lines:
        found = {one.x: one for one in line.points}
        cells = []
        for place in places:
            one = found.get(place)
            if one is None:
                cells.append("–")
            elif one.lower is None:
                cells.append(f"{one.value:.4g}")
            else:
                ends = {"point": f"{one.value:.4g}", "lower": f"{one.lower:.4g}", "upper": f"{one.upper:.4g}"}
                cells.append(words["plane_range"].format(**ends))
        rows.append([chart_words[f"capacity_line_{line.name}"], *cells])
    return [words["recon_quantity"], *(f"{place:g}" for place in places)], rows


def parts(result: CapacityResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    config, words, chart_words = result.config, context.words, context.chart_words
    drawn, tables = [], []
    for part in config.parts:
        for panel in (one for one in result.panels if one.name in PARTS[part]):
            alt = capacity_alt(panel, chart_words)
            name = f"capacity-{panel.name.replace('_', '-')}"
            chart = inline.chart(name, partial(capacity_chart, panel), alt, chart_words)
            title = words[f"chart_capacity_{panel.name}"]
            drawn.append(page.figure(title, chart.svg, words[f"note_capacity_{part}"]))
            tables.append(page.block(title, context.table(title, *table(panel, words, chart_words))))
    rows = [
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_capacity"], exact(config.capacity)),
        (words["capacity_a_capacities"], context.listed([exact(one) for one in config.capacities])),
        (words["capacity_a_rounds"], count(config.rounds)),
        (words["capacity_a_factor"], exact(config.factor)),
        (words["capacity_a_batches"], context.listed([count(one) for one in config.batches])),
        (words["capacity_a_noise"], exact(config.noise)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_importance"], exact(config.importance)),
        (words["a_pictures"], count(config.pictures)),
        (words["a_public"], count(config.public)),
        (words["plane_a_passes"], count(config.passes)),
    ]
    run = setting(result, words, context.dataset(config.dataset))
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)),
        page.section(words["numbers"], *tables),
        context.limits("limits_capacity"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
    ]  # fmt: skip
