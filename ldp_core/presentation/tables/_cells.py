"""Rows: one cell of a comparison as numbers, and which cell stands for an attack where there are several."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ldp_core.adversaries import ADVERSARIES, ATTACKS, has_strength
from ldp_core.game.summary import expected_epsilon, has_exact_rates, summarize
from ldp_core.game.sweep import PAPER, TESTS, CompareResult, test_of
from ldp_core.statistics import published
from ldp_core.statistics.intervals import Interval
from ldp_core.types import AuditConfig, AuditResult


@dataclass(frozen=True, slots=True)
class Row:
    """One cell with at least one trial.

    Args:
        dataset, attack, epsilon, clients, strength, server_step: as in the cell's configuration.
        rule: its distinguisher.
        trials: trials of all its measurements.
        identification: share of right guesses with its two-sided interval.
        lower: lower bound on epsilon, in nats.
        point: mean of the measurements' finite point estimates, in nats; biased upwards, never to be shown alone.
        point_infinite: measurements without a finite one.
        expected: share of right guesses by the exact law; None where none is known.
        expected_epsilon: what endless trials with these pairs would show, in nats; None likewise.
        promise: most right guesses that epsilon allows, as a share.
        completed: whether every planned trial was carried out.
        published: share of right guesses in [J] Table 1; None where it prints none, or where it depends on the images
            and those are not MNIST's.
    """

    dataset: str
    attack: str
    epsilon: float
    clients: int
    strength: float
    test: str
    rule: str
    trials: int
    identification: Interval
    lower: float
    point: float | None
    point_infinite: int
    expected: float | None
    expected_epsilon: float | None
    promise: float
    completed: bool
    server_step: float | str
    published: float | None = None


@dataclass(frozen=True, slots=True)
class View:
    """Which cell stands for an attack where a comparison has several.

    Args:
        white_rule, black_rule: distinguishers; None for the papers' choice, or the first one measured without it.
        clients: clients of a black-box round; None for the fewest measured.
        strength: of an attack that has one; None for the one nearest to 1.
        server_step: of a black-box round; None for the first that was asked for.
    """

    white_rule: str | None = None
    black_rule: str | None = None
    clients: int | None = None
    strength: float | None = None
    server_step: float | str | None = None


def row(cell: AuditResult) -> Row:
    """Return one cell's numbers; raises ``ValueError`` if the cell has no trials."""
    config, summary = cell.config, summarize(cell)
    if summary.identification is None:
        raise ValueError("a row must come from a cell with at least one trial, got none")
    law = has_exact_rates(config) and summary.expected_identification is not None
    return Row(
        dataset=config.dataset,
        attack=config.attack,
        epsilon=config.epsilon,
        clients=config.clients,
        strength=config.strength,
        test=test_of(config.distinguisher),
        rule=config.distinguisher,
        trials=summary.counts.num_trials,
        identification=summary.identification,
        lower=summary.epsilon.lower,
        point=summary.epsilon.point,
        point_infinite=summary.epsilon.point_infinite,
        expected=summary.expected_identification,
        expected_epsilon=expected_epsilon(cell, config.epsilon) if law else None,
        promise=summary.theory_identification,
        completed=cell.completed,
        server_step=config.server_step,
        published=_published(cell),
    )


def _published(cell: AuditResult) -> float | None:
    config, known = cell.config, cell.data.known if cell.data is not None else None
    mnist = known is not None and known.dataset == published.DATASET
    if config.distinguisher != "cosine" or config.mechanism != "ldp-sgd":
        return None
    if config.attack in published.ON_TRAINING and not mnist:
        return None
    return published.IDENTIFICATION.get(config.attack, {}).get(config.epsilon)


def attacks_of(result: CompareResult) -> tuple[str, ...]:
    """Return the attacks that have trials, by what they must control."""
    present = {cell.config.attack for cell in result.cells if cell.counts.num_trials}
    return tuple(attack for attack in ATTACKS if attack in present)


def chosen(
    result: CompareResult, dataset: str, attack: str, test: str, view: View | None = None
) -> tuple[AuditResult, ...]:
    """Return the cells that stand for an attack, one for each epsilon that has trials, by epsilon.

    ``attack``: name of an attack; ``test``: ``white`` or ``black``; ``view``: which rule, clients and strength; all
    cells returned have the same.
    """
    view = view or View()
    cells = [cell for cell in result.select(dataset=dataset, attack=attack, test=test) if cell.counts.num_trials]
    wanted = view.white_rule if test == "white" else view.black_rule
    rule = ADVERSARIES[attack].paper_rule if test == "black" else "cosine"
    if wanted is not None:
        rule = rule if wanted == PAPER else wanted
        cells = [cell for cell in cells if cell.config.distinguisher == rule]
    if test == "black" and view.clients is not None:
        cells = [cell for cell in cells if cell.config.clients == view.clients]
    if test == "black" and view.server_step is not None:
        cells = [cell for cell in cells if cell.config.server_step == view.server_step]
    if has_strength(attack) and view.strength is not None:
        cells = [cell for cell in cells if cell.config.strength == view.strength]
    if not cells:
        return ()
    first = min(
        cells,
        key=lambda cell: (
            cell.config.distinguisher != rule,
            cell.config.clients,
            test == "black" and result.config.server_steps.index(cell.config.server_step),
            abs(math.log(cell.config.strength)),
        ),
    )
    return tuple(sorted((cell for cell in cells if _kind(cell) == _kind(first)), key=lambda cell: cell.config.epsilon))


def attacks_at(result: CompareResult, dataset: str, epsilon: float, view: View | None = None) -> tuple[Row, ...]:
    """Return every attack at one epsilon, white box before black box ([M] Figure 1(b), [J] Figure 1(b)).

    ``view``: which cell stands for an attack that has several.
    """
    return tuple(
        row(cell)
        for attack in attacks_of(result)
        for test in TESTS
        for cell in chosen(result, dataset, attack, test, view)
        if cell.config.epsilon == epsilon
    )


def curves_of(
    result: CompareResult, dataset: str, tests: Sequence[str] = TESTS, view: View | None = None
) -> list[tuple[Row, ...]]:
    """Return each attack's rows of each test at every epsilon, in rising order ([M] Figures 2, 5, 6 and 7).

    One without rows is left out; ``view`` as in ``chosen``.
    """
    cells = (chosen(result, dataset, attack, test, view) for attack in attacks_of(result) for test in tests)
    return [tuple(map(row, curve)) for curve in cells if curve]


def datasets_at(result: CompareResult, epsilon: float, test: str, view: View | None = None) -> tuple[Row, ...]:
    """Return every attack on every data set at one epsilon ([M] Figure 4); arguments as in ``attacks_at``."""
    return tuple(
        row
        for dataset in result.config.datasets
        for row in attacks_at(result, dataset, epsilon, view)
        if row.test == test
    )


def identification_table(
    result: CompareResult, dataset: str, test: str = "white", view: View | None = None
) -> tuple[Row, ...]:
    """Return every attack at every epsilon ([J] Table 1); arguments as in ``chosen``."""
    return tuple(row for curve in curves_of(result, dataset, (test,), view) for row in curve)


def _kind(cell: AuditResult) -> tuple[str, int, float | str, float]:
    config: AuditConfig = cell.config
    return config.distinguisher, config.clients, config.server_step, config.strength
