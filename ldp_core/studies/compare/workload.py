"""What is known before a comparison: how long it takes on this device, and whether it is too large."""

from collections.abc import Callable

from ldp_core import workload
from ldp_core.game.sweep import CompareConfig, CompareResult, test_of

_CELL_VALUES = 250
"""A white-box trial of one cell takes about as long as drawing this many values, beside the pass they share."""
_BLACK_SHARE = 0.95
"""A black-box trial of one cell takes about this share of the time of drawing one report."""
_OTHER_SHARE = 0.75
"""So does the report of each other client of the round."""


def compare_values(config: CompareConfig, dimension: Callable[[str], int]) -> float:
    """Return as how many random values a comparison counts: guesses times numbers, of all its passes.

    ``config``: of the comparison; ``dimension``: returns the length of an update on a data set's images.
    """
    return sum(_pass_values(config, dimension).values()) * config.num_trials * config.num_measurements


def compare_share(result: CompareResult, in_work: float) -> float:
    """Return which share of a comparison's work is done, from 0 to 1: a black-box pass takes longer than a white one.

    ``result``: what was found so far; ``in_work``: share of the pass in work that is done.
    """
    weights = _pass_values(result.config, workload.usual_dimension)
    finished, of_each = dict.fromkeys(weights, 0), dict.fromkeys(weights, 0)
    for found in result.cells:
        key = found.config.dataset, test_of(found.config.distinguisher)
        finished[key] += len(found.measurements)
        of_each[key] += 1
    most = result.config.num_measurements
    passes = {key: finished[key] / of_each[key] for key in weights}
    current = None
    for dataset in result.config.datasets:  # data sets come one after another, their passes in turns
        here = [key for key in weights if key[0] == dataset]
        if any(passes[key] < most for key in here):
            current = min(here, key=lambda key: passes[key])
            break
    done = sum(weights[key] * passes[key] for key in weights)
    if current is not None and passes[current] < most:
        done += weights[current] * in_work
    return min(1.0, done / (sum(weights.values()) * most))


def _pass_values(config: CompareConfig, dimension: Callable[[str], int]) -> dict[tuple[str, str], float]:
    """Return as how many random values a trial of each pass counts, by data set and by what the attacker sees."""
    cells = config.cells()
    values = {}
    for dataset in config.datasets:
        here = [cell for cell in cells if cell.dataset == dataset]
        white = sum(test_of(cell.distinguisher) == "white" for cell in here)
        black = [cell.clients for cell in here if test_of(cell.distinguisher) == "black"]
        if white:
            values[dataset, "white"] = float(dimension(dataset) + white * _CELL_VALUES)
        if black:
            shares = 1.0 + _BLACK_SHARE * len(black) + _OTHER_SHARE * (max(black) - 1)
            values[dataset, "black"] = dimension(dataset) * shares
    return values


def compare_seconds(config: CompareConfig, values_per_second: float | None) -> float:
    """Return about how long a comparison takes where nothing is kept of it yet."""
    start = workload.start_seconds(config.datasets, config.training)
    return start + compare_values(config, workload.usual_dimension) / workload.speed(values_per_second)
