"""What a comparison says: which claims stand, how far each attack got, and every chart that has something to show."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import TESTS, CompareResult, test_of
from ldp_core.mechanisms import HONEST, claimed_delta
from ldp_core.presentation import tables
from ldp_core.presentation.figures.comparison import (
    attacks_alt,
    attacks_chart,
    curves_alt,
    curves_chart,
    datasets_alt,
    datasets_chart,
    shares_alt,
    shares_chart,
)
from ldp_core.presentation.figures.details import (
    clients_alt,
    clients_chart,
    norms_alt,
    norms_chart,
    published_alt,
    published_chart,
    steps_alt,
    steps_chart,
)
from ldp_core.presentation.figures.mapping import few, map_alt, map_chart
from ldp_core.presentation.figures.tradeoffs import tradeoff_alt, tradeoff_chart
from ldp_core.presentation.report import Chart, Part, Report, Section, Table, Teller, count, exact
from ldp_core.presentation.tables import View
from ldp_core.studies.compare.exports import rejected_cells
from ldp_core.studies.reading import assumed_of_game
from ldp_core.types import AuditConfig, AuditResult, TrialCounts
from ldp_core.words import numbers, promises

MOST_ROWS = 400
"""Cells in a report's table; a larger comparison is for its JSON."""
_FILES = {
    "shares": "fig1b-j", "attacks": "fig1b-m", "curves": "fig2", "norms": "fig3", "datasets-white": "fig4-white",
    "datasets-black": "fig4-black", "clients": "table3-m", "published": "table1-j",
}  # fmt: skip
"""Chart -> name of its files, after the papers' figures; of others their own."""
_KINDS = ("attacks", "curves", "map", "norms", "clients", "steps", "tradeoff", "published")
"""Kinds of the charts of a data set, in their order; "attacks" are two."""
_OF_SEVERAL = {"curves": "epsilons", "clients": "clients", "steps": "server_steps"}
"""Kind -> setting; a report shows it only where that has several values."""
_ONCE = ("curves", "published")
"""Charts of a data set that are the same at every epsilon."""


def report(result: CompareResult, tell: Teller) -> Report:
    """Tell which claims are rejected, all cells together, and what was counted in each cell."""
    config = result.config
    rejected = rejected_cells(result)
    ran = tell(
        "run_compare",
        cells=tell.plural("cells", sum(bool(cell.measurements) for cell in result.cells)),
        measurements=tell.plural("pairs", config.num_measurements),
        trials=count(config.num_trials),
        attacks=tell.value("attacks", config.attacks),
        epsilons=tell.value("epsilons", config.epsilons),
        datasets=tell.value("dataset", config.datasets),
    )
    epsilon = min(config.epsilons, key=lambda value: abs(value - 1.0))
    epsilon = tell.epsilon if tell.epsilon in config.epsilons else epsilon
    charts: list[Part] = [*charts_at(result, epsilon, tell)]
    if charts and len(config.epsilons) > 1:
        charts.insert(0, tell("charts_at", epsilon=exact(epsilon)))
    sections = [
        Section(tell("charts"), charts),
        Section(tell("numbers"), [_numbers(result, tell, [cell.config for cell, _ in rejected])]),
        Section(tell("skipped"), skipped(result, tell)),
    ]
    rules = {test: getattr(config, f"{test}_rules") for test in config.tests}
    bound = [(tell("a_bound"), tell("bound_own"))]
    assumed, unused = assumed_of_game(config, tell, config.attacks, rules, config.server_steps, bound)
    sentences = findings(result, tell, config.datasets[0], epsilon) + ([] if result.completed else [tell("stopped")])
    return Report(
        sentences, ran, sections, bool(rejected), assumed=assumed, unused=unused, limits="limits_audit", stop_told=True
    )


def findings(result: CompareResult, tell: Teller, dataset: str, epsilon: float, view: View | None = None) -> list[str]:
    """Return what is said about the claims, or of the first that is rejected, how strong they are, and the rest.

    The rest is who came closest on one data set at one epsilon, and the other claims that are rejected. All cells are
    judged together: each gets its share of the significance, so that many do not make a false alarm likely.
    """
    config, rejected = result.config, rejected_cells(result)
    confidence = f"{100 * (1 - config.significance):.6g}"
    sentences = [
        tell(
            "compare_rejected",
            confidence=confidence,
            attack=tell.attack(cell.config.attack),
            rule=tell(f"rule_{cell.config.distinguisher}"),
            dataset=tell.dataset(cell.config.dataset),
            lower=numbers.at_least(lower, cell.config.epsilon, 3),
            claimed=exact(cell.config.epsilon),
        )
        for cell, lower in rejected
    ] or [tell("compare_kept", confidence=confidence, cells=tell.plural("cells", len(result.cells)))]
    strength = promises.sentence_of_many(tell.words, config.epsilons, claimed_delta(config.mechanism))
    rows = [row for row in tables.attacks_at(result, dataset, epsilon, view) if not DISTINGUISHERS[row.rule].abstains]
    closest = [_closest(max(rows, key=lambda row: row.identification.point), tell, judged=not rejected)] if rows else []
    demonstration = [tell("demonstration")] if rejected and config.mechanism not in HONEST else []
    return [
        sentences[0],
        strength,
        *closest,
        *_selective(result, tell, dataset, epsilon),
        *sentences[1:],
        *demonstration,
    ]


def _closest(row: tables.Row, tell: Teller, *, judged: bool) -> str:
    """Return how far the attack got that was right most often among those who always guess.

    ``judged``: whether it is said what to think of more right guesses than promised.
    """
    share = row.identification
    tells = ((0, 1), (0, 2), (1, 3) if share.lower > row.promise else (2, 3))
    shown = numbers.percents(tell("percent"), (share.point, share.lower, share.upper, row.promise), tells, 3)
    sentence = tell(
        "compare_closest_all" if share.point == 1.0 else "compare_closest",
        epsilon=exact(row.epsilon),
        attack=tell.attack(row.attack),
        sees=tell(f"sees_{row.test}"),
        guesses=tell.plural("guesses", row.trials),
        leak=numbers.at_least(row.lower, row.epsilon),
        **dict(zip(("point", "lower", "upper", "promise"), shown, strict=True)),
    )
    if not judged or share.point == 1.0 or share.point <= row.promise:
        return sentence
    return sentence + tell("compare_luck" if share.lower <= row.promise else "compare_luck_many")


def _selective(result: CompareResult, tell: Teller, dataset: str, epsilon: float) -> list[str]:
    """Return what one shows who answers only when surest; nothing without one."""
    rows = tables.attacks_at(result, dataset, epsilon, View(white_rule="selective"))
    row = max((row for row in rows if row.rule == "selective"), key=lambda row: row.lower, default=None)
    if row is None:
        return []
    return [tell("compare_selective", lower=numbers.floored(row.lower, 2), attack=tell.attack(row.attack))]


def charts_at(result: CompareResult, epsilon: float, tell: Teller, *, whole: bool = False) -> Iterator[Chart]:
    """Yield the charts that have something to show: those of all data sets, then those of each.

    ``epsilon``: at which those are drawn that show one; ``whole``: whether a map has all pairs, not only a few.
    """
    config = result.config
    kinds = [kind for kind in _KINDS if kind not in _OF_SEVERAL or len(getattr(config, _OF_SEVERAL[kind])) > 1]
    if len(config.datasets) > 1:
        yield from charts_of("datasets", result, "", epsilon, tell)
    for dataset in config.datasets:
        for kind in kinds:
            yield from charts_of(kind, result, dataset, epsilon, tell, whole=whole)


def charts_of(
    kind: str, result: CompareResult, dataset: str, epsilon: float, tell: Teller, view: View | None = None,
    *, whole: bool = False,
) -> Iterator[Chart]:  # fmt: skip
    """Yield the charts of one kind, "datasets" or one of ``_KINDS``, that have something to show.

    ``view``: which cell stands for an attack that has several; of "map" and "tradeoff" the usual ones; the others as
    in ``charts_at``.
    """

    def chart(name: str, describe: Callable[..., Any], alt: str, *given: Any) -> Chart:
        title = tell(f"chart_{name}", epsilon=exact(epsilon))
        note = tell(f"note_{name.partition('-')[0]}", alarms=exact(100 * tables.SIGNIFICANCE))
        if dataset and len(result.config.datasets) > 1:
            title, name = f"{tell.dataset(dataset)}: {title}", f"{name}-{dataset}"
        return Chart(name, title, partial(describe, *given), alt, note, broad=describe is curves_chart)

    words, config = tell.chart_words, result.config
    if kind == "datasets":
        for test in TESTS:
            if rows := tables.datasets_at(result, epsilon, test, view):
                yield chart(f"datasets-{test}", datasets_chart, datasets_alt(rows, words), rows)
    elif kind == "attacks":
        if rows := tables.attacks_at(result, dataset, epsilon, view):
            yield chart("shares", shares_chart, shares_alt(rows, words), rows)
            yield chart("attacks", attacks_chart, attacks_alt(rows, words), rows)
    elif kind == "curves":
        if curves := tables.curves_of(result, dataset, TESTS, view):
            yield chart("curves", curves_chart, curves_alt(curves, words), curves)
    elif kind == "map":
        pairs = tables.pair_points(result, dataset, epsilon)
        if points := pairs if whole else few(pairs):
            yield chart("map", map_chart, map_alt(epsilon, points, words), epsilon, config.clip_norm, points)
    elif kind == "norms":
        effect = tables.norm_effect(result, dataset, epsilon, (view and view.white_rule) or "cosine")
        if effect.points:
            yield chart("norms", norms_chart, norms_alt(effect, words), effect)
    elif kind in ("clients", "steps"):
        counted = tables.clients_table(result, dataset)
        if any(item.row.epsilon == epsilon for item in counted):
            describe, alt = (clients_chart, clients_alt) if kind == "clients" else (steps_chart, steps_alt)
            yield chart(kind, describe, alt(counted, epsilon, words), counted, epsilon)
    elif kind == "tradeoff":
        for test in TESTS:
            if cells := tables.tradeoffs(result, dataset, epsilon, (test,)):
                yield chart(f"tradeoff-{test}", tradeoff_chart, tradeoff_alt(cells, words), cells)
    elif tables.published_heading(result, dataset) and (compared := tables.published_table(result, dataset, view)):
        yield chart("published", published_chart, published_alt(compared, words), compared)


def save_charts(result: CompareResult, folder: Path, tell: Teller, formats: Sequence[str] = ()) -> list[Path]:
    """Save every chart at every epsilon, named after the papers' figures; the same comparison gives the same bytes.

    The files are called ``fig1b-m-*``, ``fig1b-j-*``, ``fig2-*``, ``fig3-*``, ``fig4-*``, ``table1-j-*`` (differences
    from the published shares), ``table3-m-*`` (clients), ``steps-*``, ``map-*`` and ``tradeoff-*``.
    """
    from ldp_core.presentation.figures import paper

    charts: dict[str, Chart] = {}
    datasets = result.config.datasets
    for epsilon in result.config.epsilons:
        for chart in charts_at(result, epsilon, tell, whole=True):
            of = next((f"-{name}" for name in datasets if chart.name.endswith(f"-{name}")), "")
            name, of = chart.name.removesuffix(of), of if len(datasets) > 1 else f"-{datasets[0]}"
            at = "" if name in _ONCE else f"-eps{epsilon:g}"
            charts[f"{_FILES.get(name, name)}{of}{at}"] = chart
    return [
        file
        for name, chart in charts.items()
        for file in paper.save_chart(chart.describe, folder, name, formats or paper.FORMATS, tell.chart_words)
    ]


def _numbers(result: CompareResult, tell: Teller, broken: Sequence[AuditConfig]) -> Table:
    cells = [cell for cell in result.cells if cell.measurements]
    head = ["attack", "attacker", "short_epsilon", "right", "short_allowed", "lower", "broken", *TrialCounts.__slots__]
    shown, several = cells[:MOST_ROWS], len(result.config.datasets) > 1
    rows = [_row(cell, tell, broken=cell.config in broken, several=several) for cell in shown]
    note = tell("table_compare", confidence=exact(100 * (1 - result.config.significance)))
    if len(shown) < len(cells):
        note += " " + tell("table_cut", shown=count(len(shown)), total=count(len(cells)))
    return Table(tell("numbers"), [tell(name) for name in head], rows, note)


def _row(cell: AuditResult, tell: Teller, *, broken: bool, several: bool) -> list[str]:
    config, summary = cell.config, summarize(cell)
    share = summary.identification
    assert share is not None
    point, lower, upper = map(tell.of_hundred, (share.point, share.lower, share.upper))
    strength = "" if config.strength == 1.0 else f" ×{exact(config.strength)}"
    images = f" ({tell.dataset(config.dataset)})" if several else ""
    clients = tell.plural("clients", config.clients)
    return [
        tell.attack(config.attack) + strength + images,
        tell(f"short_{test_of(config.distinguisher)}", rule=config.distinguisher, clients=clients),
        exact(config.epsilon),
        tell("short_range", point=point, lower=lower, upper=upper),
        tell.of_hundred(summary.theory_identification, at_most=True),
        numbers.floored(summary.epsilon.lower, 3),
        tell("broken") if broken else "",
        *(count(getattr(summary.counts, name)) for name in TrialCounts.__slots__),
    ]


def skipped(result: CompareResult, tell: Teller) -> list[str]:
    """Return each rule that was left out with the attack it means nothing for, or with more than one client."""
    left: dict[str, None] = {}
    for config, _ in result.config.skipped():
        rule = config.distinguisher
        crowd = config.clients > 1 and not DISTINGUISHERS[rule].objection(config.attack, 1)
        named = {} if crowd else {"attack": tell.attack(config.attack)}
        name = "skipped_clients" if crowd else "skipped_item"
        left[tell(name, rule=tell(f"rule_{rule}"), reason=tell(f"objection_{rule}"), **named)] = None
    return list(left)
