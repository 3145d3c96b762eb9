"""How much work a run is: its time on this device, and whether it would keep the page's worker too long. No torch."""

from collections.abc import Callable, Sequence

from ldp_core.datasets import DATASETS
from ldp_core.datasets.own import MOST_LABELS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.learning.network import update_length
from ldp_core.types import AuditConfig

_CLASSES = 10
_USUAL_OWN = update_length(3, 32, _CLASSES)
MOST_OWN = update_length(3, 32, MOST_LABELS)
"""Length of an update on the client's own images, if they have colour and as many labels as are allowed: before they
are read, the limit counts them so."""
MOST_VALUES = 2 * 10**11
"""Limit of a run on the page, guesses or reports times numbers in an update: about half an hour on one core."""
_PROJECTED_VALUES = 100.0
"""A simulated trial takes about as long as drawing this many values of a report."""
_CELL_VALUES = 250
"""A white-box trial of one cell takes about as long as drawing this many values, beside the pass they share."""
_BLACK_SHARE, _OTHER_SHARE = 0.95, 0.75
"""A black-box trial of one cell takes about this share of the time of drawing one report, and the report of each other
client of the round that."""
_FALLBACK_SPEED = 1e8
_START_SECONDS = 1.0
_TRAINING_SECONDS = {
    ("digits", "none"): 0.0,
    ("digits", "light"): 0.6,
    ("digits", "full"): 1.8,
}
"""Measured on one core; a kept model takes none of it."""
_OTHER_TRAINING_SECONDS = {"none": 0.5, "light": 8.0, "full": 75.0}
"""Of the data sets with 50,000 to 73,000 training images."""


class TooLargeError(Exception):
    """The run is too large for the page.

    ``limit`` and ``asked``: of guesses for a test, of guesses or reports times numbers for another run; ``own``:
    whether the client's own images count in it, as those with the longest updates.
    """

    def __init__(self, limit: int, asked: int, kind: str = "audit", own: bool = False) -> None:
        super().__init__(limit, asked, kind, own)
        self.limit, self.asked, self.kind, self.own = limit, asked, kind, own


def check(kind: str, values: float, has_own_images: bool = False) -> None:
    """Raise ``TooLargeError`` if a run of so many values would keep the page's worker too long."""
    if values > MOST_VALUES:
        raise TooLargeError(MOST_VALUES, round(values), kind, has_own_images)


def pass_values(cells: Sequence[AuditConfig], dimension: Callable[[str], int]) -> float:
    """Return as how many random values a trial of cells that share a pass counts; an audit has one cell.

    ``dimension``: returns the length of an update on a data set's images.
    """
    first, many = cells[0], len(cells)
    if first.sampling == "projected":
        return _PROJECTED_VALUES
    length = float(dimension(first.dataset))
    if DISTINGUISHERS[first.distinguisher].view == "white":
        return length + many * _CELL_VALUES
    return length * (1.0 + _BLACK_SHARE * many + _OTHER_SHARE * (max(cell.clients for cell in cells) - 1))


def most_dimension(dataset: str) -> int:
    """Return the length of an update, or the longest that it can have."""
    return _dimension(dataset, MOST_OWN)


def usual_dimension(dataset: str) -> int:
    """Return the length of an update, or about what it is: own images seldom have hundreds of labels."""
    return _dimension(dataset, _USUAL_OWN)


def _dimension(dataset: str, unknown: int) -> int:
    shape = DATASETS[dataset].shape
    return unknown if shape is None else update_length(*shape, _CLASSES)


def start_seconds(datasets: tuple[str, ...], training: str) -> float:
    """Return about how long it takes to load data sets and to train their models."""
    other = _OTHER_TRAINING_SECONDS[training]
    return _START_SECONDS + sum(_TRAINING_SECONDS.get((name, training), other) for name in datasets)


def speed(values_per_second: float | None) -> float:
    """Return how many random values this device draws in a second; a cautious guess before it was probed."""
    return values_per_second or _FALLBACK_SPEED
