"""What trainings with and without privacy say."""

import math
from dataclasses import replace
from functools import partial

from ldp_core import record
from ldp_core.presentation.figures.utility import UtilityCurves, utility_alt, utility_chart
from ldp_core.presentation.report import Chart, Report, Section, Table, Teller, count, exact
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult


def report(result: UtilityResult, tell: Teller) -> Report:
    """Tell how accurate each model got, what chance does to that, and what it cost a client."""
    config, curves = result.config, result.curves
    rounds, last, charts, table = curves[0].rounds, curves[-1], list[Chart](), list[list[str]]()
    ran = tell(
        "run_utility",
        rounds=tell.plural("rounds", rounds),
        clients=tell.plural("clients", config.clients),
        epsilons=tell.value("epsilons", config.epsilons),
        dataset=tell.dataset(config.dataset),
    )
    if curves[0].accuracy:
        planned = None if result.completed else config.rounds
        charts = [tell.chart("utility", partial(utility_chart, rounds=planned), utility_alt, drawn(result))]
        shown = sorted({*range(0, rounds + 1, max(1, config.rounds // 8)), rounds})
        table = [[str(number), *(f"{100 * curve.accuracy[number]:.1f}" for curve in curves)] for number in shown]
        if config.repeats > 1:
            ends = [f"{100 * curve.lowest[-1]:.1f}–{100 * curve.highest[-1]:.1f}" for curve in curves]
            table.append([tell("range_at_end"), *ends])
        table.append([tell("spent"), *("–" if curve.spent is None else exact(curve.spent) for curve in curves)])
    sentences = [chart.alt for chart in charts]
    if charts:
        sentences.append(chance(result, tell))
    if rounds and last.epsilon is not None and last.spent is not None:
        spent = {"rounds": count(rounds), "epsilon": exact(last.epsilon), "spent": exact(last.spent)}
        sentences.append(tell("utility_spent", **spent))
    if result.unlearned and result.completed:  # before the end nobody knows whether it will learn
        epsilons = tell.value("epsilons", result.unlearned)
        sentences.append(tell("utility_unlearned", epsilons=epsilons, clients=count(config.clients)))
    names = [tell("no_privacy") if curve.epsilon is None else f"ε = {exact(curve.epsilon)}" for curve in curves]
    sections = [
        Section(tell("charts"), charts),
        Section(tell("numbers"), [Table(tell("chart_utility"), [tell("round"), *names], table)]),
    ]
    assumed = [(tell("a_delta"), tell("delta_zero")), (tell("a_mechanism"), tell("mechanism_ldp-sgd"))]
    return Report(sentences, ran, sections, assumed=assumed)


def chance(result: UtilityResult, tell: Teller) -> str:
    """Return what is drawn of several trainings; of one, how far apart those that were measured in advance ended."""
    config, known = result.config, record.measured(UtilityResult)
    if config.repeats > 1:
        last = config.seed + config.repeats - 1
        return tell("utility_repeats", repeats=config.repeats, first=config.seed, last=last)
    apart = math.ceil(100 * max(curve.highest[-1] - curve.lowest[-1] for curve in known.curves))
    settings = {"repeats": known.config.repeats, "clients": known.config.clients, "rounds": known.config.rounds}
    return tell("utility_once", apart=apart, **settings)


def drawn(result: UtilityResult) -> UtilityCurves:
    """Return the curves as ``figures.utility_chart`` takes them, one training within those measured like it."""
    bands = {} if result.config.repeats > 1 else _measured_like(result.config)
    curves = [(curve, bands.get(curve.epsilon, curve)) for curve in result.curves if curve.accuracy]
    return [
        (curve.epsilon, curve.accuracy, *((band.lowest, band.highest) if len(band.trainings) > 1 else ((), ())))
        for curve, band in curves
    ]


def _measured_like(config: UtilityConfig) -> dict[float | None, UtilityCurve]:
    """Return by epsilon what was measured with the same settings but for epsilons, seed and repeats; {} for none."""
    known = record.measured(UtilityResult)
    same = replace(config, epsilons=known.config.epsilons, seed=known.config.seed, repeats=known.config.repeats)
    return {curve.epsilon: curve for curve in known.curves} if same == known.config else {}
