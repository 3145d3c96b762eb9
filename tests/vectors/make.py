"""Write the fixed vectors: `python -m tests.vectors.make`. Nothing here knows ldp_core."""

import itertools
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from tests.vectors import exact

FILE = Path(__file__).with_name("vectors.jsonl")
BOUNDS = ("pooled", "clopper_pearson")
LEVELS = (1e-9, 1e-6, 0.025, 0.05, 0.5)
HUGE = 10**8
ERRORS = [
    (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 12), (5, 12), (11, 12), (12, 12), (30, 137), (0, 1_000), (1, 1_000),
    (269, 1_000), (999, 1_000), (2_689, 10_000), (0, HUGE), (1, HUGE), (26_894_142, HUGE), (HUGE - 1, HUGE),
]  # fmt: skip
FRACTIONS = [(0.5, 1), (2.25, 10), (37.5, 150), (0.0, 7.5)]
COUNTS = [
    (0, 0, 0, 0), (10, 0, 0, 0), (7, 3, 0, 0), (0, 0, 4, 6), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (1, 0, 0, 1),
    (0, 20, 20, 0), (20, 0, 20, 0), (500, 0, 0, 500), (90, 10, 20, 80), (900, 100, 3, 17), (731, 269, 269, 731),
    (3, 0, 2, 995), (4_999, 1, 40, 4_960), (36_552_929, 13_447_071, 13_447_072, 36_552_928),
    (50_000_000, 0, 0, 50_000_000), (49_999_999, 1, 3, 49_999_997),
]  # fmt: skip
LOWER = [(0.05, 0.0), (0.05, 1e-5), (1e-9, 0.0), (0.5, 0.2)]
UPPER = [(0.05, 0.0), (1e-9, 0.01)]
NEEDS = [(0.1, 1.0, 0.0), (1.0, 1.0, 0.1), (4.0, 1.0, 0.0), (0.4, 0.9, 0.0)]
SIZES = [(0, 0), (1, 1), (500, 500), (1_000, 37), (HUGE, HUGE)]


def number(value: Decimal | int | None) -> float | int | str | None:
    """Return what JSON can hold: the nearest float, with infinities as words."""
    if value is None or isinstance(value, int):
        return value
    return float(value) if value.is_finite() else str(float(value))


def row(function: str, expected: Any, scipy: Any = None, **arguments: Any) -> dict[str, Any]:
    return {"function": function, **arguments, "expected": expected} | ({} if scipy is None else {"scipy": scipy})


def long(errors: float, trials: float) -> bool:
    """Return whether a limit takes a second: a sum of very many terms. Such vectors come at one level only."""
    return min(errors, trials - errors) > 10**6


def limits() -> Iterator[dict[str, Any]]:
    for (errors, trials), level, anytime in itertools.product([*ERRORS, *FRACTIONS], LEVELS, (False, True)):
        if long(errors, trials) and level != 0.05:
            continue
        limit = exact.upper_limit(errors, trials, Decimal(level), anytime)[0]
        scipy = None
        if not anytime and trials and isinstance(errors, int) and level > 1e-9:  # 1 - 1e-9 has too few digits left
            test = binomtest(errors, int(trials), alternative="less")
            scipy = float(test.proportion_ci(1 - level, method="exact").high)
        yield row(
            "error_upper_limit", number(limit), scipy,
            errors=errors, trials=trials, significance=level, anytime=anytime,
        )  # fmt: skip


def points() -> Iterator[dict[str, Any]]:
    for counts, delta in itertools.product(COUNTS, (0.0, 1e-5, 0.2)):
        yield row("epsilon_point", number(exact.epsilon_point(list(counts), delta)), counts=counts, delta=delta)


def bounds() -> Iterator[dict[str, Any]]:
    for function, levels in (("epsilon_lower_bound", LOWER), ("epsilon_upper_end", UPPER)):
        for counts, bound, (level, delta), anytime in itertools.product(COUNTS, BOUNDS, levels, (False, True)):
            errors, trials = (counts[1], counts[2]), (counts[0] + counts[1], counts[2] + counts[3])
            if long(sum(errors), sum(trials)) and (level, delta) != (0.05, 0.0):
                continue
            upper = function == "epsilon_lower_bound"
            value = exact.epsilon_bound(upper, errors, trials, bound, level, delta, anytime)
            yield row(
                function, number(value), counts=counts, bound=bound, significance=level, delta=delta, anytime=anytime
            )


def intervals() -> Iterator[dict[str, Any]]:
    for counts, level, anytime in itertools.product(COUNTS, (1e-9, 0.05, 0.5), (False, True)):
        right, trials = counts[0] + counts[3], sum(counts)
        if long(right, trials) and level != 0.05:
            continue
        ends = exact.identification_interval(right, trials, level, anytime)
        scipy = None
        if trials and not anytime and level > 1e-9:
            found = binomtest(right, trials).proportion_ci(1 - level, method="exact")
            scipy = [right / trials, float(found.low), float(found.high)]
        expected = None if ends is None else [number(end) for end in ends[:3]]
        yield row("identification_interval", expected, scipy, counts=counts, significance=level, anytime=anytime)


def most() -> Iterator[dict[str, Any]]:
    for sizes, bound, level, anytime, (share, delta) in itertools.product(
        SIZES, BOUNDS, (0.05, 1e-9), (False, True), [(1.0, 0.0), (1.0, 0.01), (0.75, 0.0), (0.0, 0.0)]
    ):
        errors = (0.0, (1 - share) * sizes[1])
        if long(errors[1], sizes[1]):
            continue
        value = exact.epsilon_bound(True, errors, sizes, bound, level, delta, anytime)
        yield row(
            "max_provable", number(value),
            sizes=sizes, bound=bound, significance=level, anytime=anytime, spoken_share=share, delta=delta,
        )  # fmt: skip


def needs() -> Iterator[dict[str, Any]]:
    for (epsilon, share, delta), bound, level, anytime in itertools.product(NEEDS, BOUNDS, (0.05, 1e-6), (False, True)):
        value = exact.trials_needed(epsilon, bound, level, share, delta, anytime)
        yield row(
            "trials_needed", value,
            epsilon=epsilon, bound=bound, significance=level, anytime=anytime, spoken_share=share, delta=delta,
        )  # fmt: skip
    for epsilon, bound, level in itertools.product((6.0, 12.0, 20.0, 30.0), BOUNDS, (0.05, 1e-9)):
        fewest = exact.trials_needed_without_errors(epsilon, bound, level)
        yield row(
            "trials_needed", fewest if fewest <= 2**41 else None,
            epsilon=epsilon, bound=bound, significance=level, anytime=False, spoken_share=1.0, delta=0.0,
        )  # fmt: skip


KINDS = {"limits": limits, "points": points, "bounds": bounds, "intervals": intervals, "most": most, "needs": needs}


def rows() -> Iterator[dict[str, Any]]:
    for kind in KINDS.values():
        yield from kind()


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(each) + "\n" for each in rows()), encoding="utf-8")
