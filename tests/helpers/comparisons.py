"""Comparisons whose counts are drawn from the exact law, without an engine."""

import math
from dataclasses import replace

import numpy as np

from ldp_core.facts import FULL_PASSES, KNOWN, DataFacts
from ldp_core.game.summary import expected_identification
from ldp_core.game.sweep import CompareConfig, CompareResult, test_of
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult, Curve, MeasurementResult, PairGeometry, TrialCounts

ANGLES = {
    "benign": (86.0, 12.0),
    "input-perturbation": (22.0, 6.0),
    "label-flip": (155.0, 10.0),
    "parameter-retrogression": (35.0, 8.0),
}
NORMS = {"benign": 0.8, "input-perturbation": 0.75, "label-flip": 0.9, "gradient-flip": 0.9}


MNIST, MNIST_SUBSET = (
    next(digest for digest, known in KNOWN.items() if (known.dataset, known.whole) == ("mnist", whole))
    for whole in (True, False)
)


def facts_of(config: AuditConfig) -> DataFacts:
    """Return made-up facts; those of "mnist" are of its real images."""
    passes = {"none": 0, "light": 2, "full": FULL_PASSES}[config.training]
    if config.dataset == "mnist":
        return DataFacts(60_000, 10_000, MNIST, passes, 8_800)
    return DataFacts(1_438, 359, None if config.dataset == "own" else "0" * 64, passes, 330)


def pair_of(config: AuditConfig, number: int) -> PairGeometry:
    """Return the pair of a measurement: the same one at every epsilon and for every rule."""
    rng = np.random.default_rng([sum(map(ord, config.attack)), sum(map(ord, config.dataset)), number])
    mean, spread = ANGLES.get(config.attack, (180.0, 0.0))
    angle = float(np.clip(rng.normal(mean, spread), 1.0, 180.0))
    norm = NORMS.get(config.attack)
    if norm is None:
        size = config.strength if config.attack == "dummy" else 1.2
        return PairGeometry(angle, size * config.clip_norm, size * config.clip_norm, "test")
    first = float(np.clip(rng.normal(norm, 0.15), 0.05, 1.5)) * config.clip_norm
    second = first if config.attack == "gradient-flip" else min(1.0, 1.1 * first)
    return PairGeometry(angle, first, second, "test")


def rates_of(config: AuditConfig, pair: PairGeometry) -> tuple[float, float]:
    """Return how often "second" is said of the first and of the second gradient; a made-up law for black boxes."""
    geometry = (pair.angle_degrees, pair.norm_first, pair.norm_second, config.clip_norm)
    if config.distinguisher == "selective":
        return theory.selective_rates(config.epsilon, *geometry)
    wrong, caught = theory.cosine_rates(config.epsilon, *geometry)
    if test_of(config.distinguisher) == "white" or config.distinguisher == "update-inversion":
        return wrong, caught
    power = {"loss-change": 0.01, "loss-fall": 0.25, "sign-sum": 0.5, "signed-loss": 0.8}[config.distinguisher]
    power /= math.sqrt(config.clients)
    return 0.5 - power * (0.5 - wrong), 0.5 + power * (caught - 0.5)


def draw(rng: np.random.Generator, trials: int, wrong: float, caught: float) -> TrialCounts:
    first = int(rng.binomial(trials, 0.5))
    second = trials - first
    mistaken, found = int(rng.binomial(first, wrong)), int(rng.binomial(second, caught))
    return TrialCounts(first - mistaken, mistaken, second - found, found)


def curve_of(
    rng: np.random.Generator, epsilon: float, pair: PairGeometry, clip: float, trials: int, thresholds: int = 41
) -> tuple[TrialCounts, Curve]:
    """Draw LDP-SGD's reports in two dimensions, score them by the cosine rule, count errors at fixed thresholds."""
    angle, keep = math.radians(pair.angle_degrees), math.exp(epsilon) / (1.0 + math.exp(epsilon))
    units = np.array([[1.0, 0.0], [math.cos(angle), math.sin(angle)]])
    first = int(rng.binomial(trials, 0.5))
    levels, errors, own = np.cos(np.linspace(math.pi, 0.0, thresholds + 2))[1:-1] * 2.0, [], []
    for unit, norm, count in zip(units, (pair.norm_first, pair.norm_second), (first, trials - first), strict=True):
        turn = rng.uniform(0.0, 2.0 * math.pi, count)
        reports = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        side = np.where(rng.random(count) < 0.5 + min(norm / clip, 1.0) / 2.0, 1.0, -1.0)
        side *= np.where(rng.random(count) < keep, 1.0, -1.0)
        reports *= (np.sign(reports @ unit) * side)[:, None]
        scores = reports @ (units[0] - units[1])
        errors.append((scores[:, None] < levels).sum(axis=0))
        own.append(int((scores < 0.0).sum()))
    second = trials - first
    counts = TrialCounts(first - own[0], own[0], second - own[1], own[1])
    misses = tuple(int(second - value) for value in errors[1])
    return counts, Curve(first, second, tuple(map(int, errors[0])), misses)


def comparison(seed: int = 1, *, unfinished: bool = False, **options: object) -> CompareResult:
    """Return a finished comparison, or one whose last cells have fewer measurements, or none."""
    given: dict[str, object] = {"attacks": ("benign", "label-flip", "gradient-flip", "collusion", "dummy")}
    given |= {"epsilons": (0.5, 1.0, 2.0, 4.0), "datasets": ("mnist",), "seed": seed}
    config = CompareConfig(**(given | options))  # type: ignore[arg-type]
    rng, cells = np.random.default_rng(seed), []
    planned = config.cells()
    for place, cell in enumerate(planned):
        number = cell.num_measurements
        if unfinished and place >= len(planned) // 3:
            number = 0 if place >= 2 * len(planned) // 3 else number // 2
        cells.append(_cell(rng, cell, number, curves=config.curves))
    return CompareResult(config, tuple(cells), 1.0)


def replaced(result: CompareResult, rate: float, **values: object) -> CompareResult:
    """Return a comparison in which the selected cells are right at another rate, the same on both sides."""
    rng = np.random.default_rng(7)
    found = result.select(**values)
    assert found
    return replace(result, cells=tuple(_with_rate(rng, cell, rate) if cell in found else cell for cell in result.cells))


def _with_rate(rng: np.random.Generator, cell: AuditResult, rate: float) -> AuditResult:
    trials = cell.config.num_trials
    items = tuple(replace(item, counts=draw(rng, trials, 1.0 - rate, rate)) for item in cell.measurements)
    return replace(cell, measurements=items)


def _cell(rng: np.random.Generator, config: AuditConfig, number: int, *, curves: bool) -> AuditResult:
    measurements = []
    for index in range(number):
        pair, curve = pair_of(config, index), None
        if curves and config.distinguisher == "cosine":
            epsilon = config.epsilon * (1.5 if config.mechanism == "overclaiming" else 1.0)
            counts, curve = curve_of(rng, epsilon, pair, config.clip_norm, config.num_trials)
        else:
            counts = draw(rng, config.num_trials, *rates_of(config, pair))
        measurements.append(MeasurementResult(pair, counts, expected_identification(config, pair), curve))
    data = facts_of(config)
    return AuditResult(config, tuple(measurements), number == config.num_measurements, 1.0, "cpu", {}, data)
