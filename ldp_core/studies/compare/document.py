"""The report of a comparison."""

from ldp_core.adversaries import has_strength, has_wrong_label
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import CompareResult, test_of
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context, floor
from ldp_core.presentation.figures import inline
from ldp_core.presentation.report import count, exact
from ldp_core.studies.compare import exports
from ldp_core.types import AuditConfig, AuditResult

MOST_ROWS = 400
"""Cells in a report's table; a larger comparison is for its JSON."""
_COUNTS = ("first_as_first", "first_as_second", "second_as_first", "second_as_second")
_BROAD = ("curves",)


def parts(result: CompareResult, context: Context) -> list[str]:
    """Return the sections that follow the verdict."""
    config, words = result.config, context.words
    run = words["run_compare"].format(
        cells=context.several("cells", sum(bool(cell.measurements) for cell in result.cells)),
        measurements=context.several("pairs", config.num_measurements),
        trials=count(config.num_trials),
        attacks=context.listed([context.attack(name) for name in config.attacks]),
        epsilons=context.listed([exact(value) for value in config.epsilons]),
        datasets=context.listed([context.dataset(name) for name in config.datasets]),
    )
    stopped = "" if result.completed else words["stopped"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        _charts(result, context),
        context.limits("limits_audit"),
        _numbers(result, context),
        page.section(words["skipped"], page.bullets(_skipped(result, context))),
        page.section(words["notes"], page.bullets(context.notes)),
        _assumed(result, context),
        context.repeat(exports.command(config), config.datasets),
    ]


def _charts(result: CompareResult, context: Context) -> str:
    config, words = result.config, context.words
    epsilon = context.epsilon if context.epsilon in config.epsilons else min(config.epsilons, key=lambda e: abs(e - 1))
    figures = []
    for chart in inline.compare_charts(result, epsilon, context.chart_words):
        title = words[f"chart_{chart.name}"].format(epsilon=exact(epsilon))
        name = f"{context.dataset(chart.dataset)}: {title}" if chart.dataset else title
        note = words[f"note_{chart.name.partition('-')[0]}"]
        figures.append(page.figure(name, chart.svg, note, broad=chart.name in _BROAD))
    said = words["charts_at"].format(epsilon=exact(epsilon)) if len(config.epsilons) > 1 else ""
    return page.section(words["charts"], page.paragraph(said if figures else ""), page.charts(figures))


def _numbers(result: CompareResult, context: Context) -> str:
    words = context.words
    broken = [cell.config for cell, _ in exports.rejected_cells(result)]
    cells = [cell for cell in result.cells if cell.measurements]
    head = ["attack", "attacker", "short_epsilon", "right", "short_allowed", "lower", "broken", *_COUNTS]
    shown = cells[:MOST_ROWS]
    several = len(result.config.datasets) > 1
    rows = [_row(cell, context, broken=cell.config in broken, several=several) for cell in shown]
    confidence = exact(100 * (1 - result.config.significance))
    note = words["table_compare"].format(confidence=confidence)
    if len(shown) < len(cells):
        note += " " + words["table_cut"].format(shown=count(len(shown)), total=count(len(cells)))
    return context.table_section("numbers", note, [words[name] for name in head], rows)


def _row(cell: AuditResult, context: Context, *, broken: bool, several: bool) -> list[str]:
    config, words, summary = cell.config, context.words, summarize(cell)
    share = summary.identification
    assert share is not None
    point, lower, upper = map(context.of_hundred, (share.point, share.lower, share.upper))
    counts = [count(getattr(summary.counts, name)) for name in _COUNTS]
    allowed = context.of_hundred(summary.theory_identification)
    mark = words["broken"] if broken else ""
    right = words["short_range"].format(point=point, lower=lower, upper=upper)
    return [
        _attack(config, context, several=several), _attacker(config, context), exact(config.epsilon), right, allowed,
        floor(summary.epsilon.lower), mark, *counts,
    ]  # fmt: skip


def _attack(config: AuditConfig, context: Context, *, several: bool) -> str:
    """Return an attack's name, with its strength unless that is 1, and the data set where there are several."""
    strength = "" if config.strength == 1.0 else f" ×{exact(config.strength)}"
    return context.attack(config.attack) + strength + (f" ({context.dataset(config.dataset)})" if several else "")


def _attacker(config: AuditConfig, context: Context) -> str:
    """Return what an attacker sees, its rule, and the clients in a round where they count."""
    template = context.words[f"short_{test_of(config.distinguisher)}"]
    return template.format(rule=config.distinguisher, clients=context.several("clients", config.clients))


def _skipped(result: CompareResult, context: Context) -> list[str]:
    """Return each rule that was left out, with the attacks and the numbers of clients it means nothing for."""
    words = context.words
    left = {
        (config.distinguisher, config.attack, config.clients): words["skipped_item"].format(
            rule=words[f"rule_{config.distinguisher}"],
            attack=context.attack(config.attack),
            clients=context.several("clients", config.clients),
        )
        for config, _ in result.config.skipped()
    }
    return list(left.values())


def _assumed(result: CompareResult, context: Context) -> str:
    config, words = result.config, context.words
    cell = next((cell for cell in result.cells if cell.measurements), None)
    radius = words["radius_usual"] if config.radius is None else exact(config.radius)
    black = "black" in config.tests
    rules = [words[f"rule_{rule}"] for rule in (config.white_rules if "white" in config.tests else ())]
    rules += [words[f"rule_{rule}"] for rule in (config.black_rules if black else ())]
    rows = [
        (words["a_epsilon"], context.listed([exact(value) for value in config.epsilons])),
        (words["a_delta"], words["delta_zero"]),
        (words["a_prior"], words["prior_coin"]),
        (words["a_confidence"], f"{exact(100 * (1 - config.significance))} %"),
        (words["a_bound"], words["bound_own"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_mechanism"], words[f"mechanism_{config.mechanism}"]),
        (words["a_attack"], context.listed([context.attack(name) for name in config.attacks])),
        *(
            [(words["a_strength"], context.listed([exact(value) for value in config.strengths]))]
            if any(map(has_strength, config.attacks))
            else []
        ),
        *(
            [(words["a_wrong_label"], words[f"wrong_label_{config.wrong_label}"])]
            if any(map(has_wrong_label, config.attacks))
            else []
        ),
        (words["a_sees"], context.listed([words[f"sees_{test}"] for test in config.tests])),
        (words["a_rule"], context.listed(rules)),
        *(
            [
                (words["a_clients"], context.listed([count(value) for value in config.clients])),
                (words["a_radius"], radius),
                (words["a_server_step"], context.listed([context.server_step(step) for step in config.server_steps])),
            ]
            if black
            else []
        ),
        (words["a_dataset"], context.listed([context.dataset(name) for name in config.datasets])),
        (words["a_training"], words[f"training_{config.training}"]),
        *context.basis([(name, result.data(name)) for name in config.datasets]),
        (words["a_trials"], count(config.num_trials)),
        (words["a_measurements"], count(config.num_measurements)),
        (words["a_curves"], words["curves_yes" if config.curves else "no"]),
        (words["a_watch"], words["yes" if config.watch else "no"]),
    ]
    return context.assumed(rows, result, ran=cell)
