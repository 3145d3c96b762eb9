"""Where a property begins to hold that keeps holding: by halving."""

from collections.abc import Callable


def halved(holds: Callable[[float], bool], low: float, high: float, width: float) -> tuple[float, float]:
    """Return an interval around the place from which on a property holds, at most ``width`` wide.

    ``low`` and ``high``: numbers below and above that place; of a property that holds from ``low`` on, or nowhere up to
    ``high``, the interval is at that end.

    >>> halved(lambda x: x * x >= 2.0, 0.0, 2.0, 0.25)
    (1.25, 1.5)
    """
    while high - low > width:
        middle = (low + high) / 2.0
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def first_whole(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first whole number above ``low`` for which a property holds, at most ``high``.

    >>> first_whole(lambda n: n * n >= 50, 0, 100)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
