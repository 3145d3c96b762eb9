"""What is known before a comparison or a training: how long it takes on this device, and whether it is too large."""

from collections.abc import Callable

from ldp_core.grid import CompareConfig, test_of
from ldp_core.studies import UtilityConfig
from pages._shared import plan

_CELL_VALUES = 250
"""A white-box trial of one cell takes about as long as drawing this many values, beside the pass they share."""
_BLACK_SHARE = 0.95
"""A black-box trial of one cell takes about this share of the time of drawing one report."""
_OTHER_SHARE = 0.75
"""So does the report of each other client of the round."""
_LEARN_SHARE = 0.25
"""So does a client's gradient and report for one more model of a training, beside the directions that all share."""


def compare_values(config: CompareConfig, dimension: Callable[[str], int]) -> float:
    """Return as how many random values a comparison counts: guesses times numbers, of all its passes.

    Args:
        config: of the comparison.
        dimension: returns the length of an update on a data set's images.
    """
    cells = config.cells()
    values = 0.0
    for dataset in config.datasets:
        here = [cell for cell in cells if cell.dataset == dataset]
        white = sum(test_of(cell.distinguisher) == "white" for cell in here)
        black = [cell.clients for cell in here if test_of(cell.distinguisher) == "black"]
        if white:
            values += dimension(dataset) + white * _CELL_VALUES
        if black:
            shares = 1.0 + _BLACK_SHARE * len(black) + _OTHER_SHARE * (max(black) - 1)
            values += dimension(dataset) * shares
    return values * config.num_trials * config.num_measurements


def utility_values(config: UtilityConfig, dimension: Callable[[str], int]) -> float:
    """Return as how many random values a federated training counts: reports times numbers."""
    numbers = dimension(config.dataset)
    return config.clients * config.rounds * numbers * (1.0 + _LEARN_SHARE * (len(config.epsilons) + 1))


def compare_seconds(config: CompareConfig, values_per_second: float | None) -> float:
    """Return about how long a comparison takes where nothing is kept of it yet."""
    start = plan.start_seconds(config.datasets, config.training)
    return start + compare_values(config, plan.usual_dimension) / plan.speed(values_per_second)


def utility_seconds(config: UtilityConfig, values_per_second: float | None) -> float:
    """Return about how long a federated training takes."""
    start = plan.start_seconds((config.dataset,), "none")
    return start + utility_values(config, plan.usual_dimension) / plan.speed(values_per_second)


def check_size(config: CompareConfig | UtilityConfig) -> None:
    """Raise ``plan.TooLargeError`` if the run would keep this page's worker too long."""
    if isinstance(config, UtilityConfig):
        kind, asked, own = "utility", utility_values(config, plan.most_dimension), config.dataset == "own"
    else:
        kind, asked, own = "compare", compare_values(config, plan.most_dimension), "own" in config.datasets
    if asked > plan.MOST_VALUES:
        raise plan.TooLargeError(plan.MOST_VALUES, round(asked), kind, own=own)
