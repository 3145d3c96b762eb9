"""Numbers out of results: paths into a run's JSON, and what is computed from formulas alone."""

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ldp_core.adversaries import ADVERSARIES
from ldp_core.statistics import accountant, estimates, information, intervals, theory
from ldp_core.types import TrialCounts

Reading = tuple[float, float | None, float | None]
"""A number with the ends of its 95 % interval (a count's are those that its study states); None where it has none."""
_LEVEL = 0.05
_ROWS = "rows/test={2},attack={0},epsilon={1}"
_CLIENTS = "rows/clients={0}"
SHORT = {
    "right": f"{_ROWS}/@right", "wrong": f"{_ROWS}/@wrong", "point": f"{_ROWS}/@point", "turned": f"{_ROWS}/@turned",
    "angle": f"{_ROWS}/angle_degrees", "length": f"{_ROWS}/@length", "law": f"{_ROWS}/expected_identification/*100",
    "lower": "cells/distinguisher=cosine,attack={0},epsilon={1}/summary/epsilon/lower",
    "norm": "rows/strength={0}/@point", "rule": "cells/distinguisher={0},attack={1}/summary/epsilon/lower",
    "clients": f"{_CLIENTS}/@point", "turned_clients": f"{_CLIENTS}/@turned", "judged_clients": f"{_CLIENTS}/@judged",
    "passes": "levels/passes={0}/pairs/label-flip/angle_degrees",
}  # fmt: skip
"""Short readings of comparisons and pairs -> their paths; the third place is the test, "white" unless "black"."""


def read(report: Any, path: str) -> Reading | None:
    """Return what stands at a path of a run's JSON; None where nothing does.

    A step is a name, ``name=value,...`` for the entries of a list that have these values, ``*FACTOR``, or ``@NAME`` of
    ``_OF_ROWS``. Of several numbers it is the mean; of an estimate the point with its ends.

    >>> read({"a": [{"n": 1, "x": 0.5}, {"n": 2, "x": 0.7}]}, "a/n=2/x/*100")
    (70.0, None, None)
    """
    name, *places = path.split(" ")
    if name in SHORT:
        white = ["black"] if name == "turned" else ["white"]
        path = SHORT[name].format(*places, *white)
    value, factor = report, 1.0
    for step in path.split("/"):
        if step.startswith("*"):
            factor = float(step[1:])
        elif step.startswith("@"):
            value = _OF_ROWS[step[1:]](value) if value else None
        elif "=" in step:
            wanted = dict(part.split("=") for part in step.split(","))
            value = [entry for entry in value if all(_same(entry.get(name), text) for name, text in wanted.items())]
        elif isinstance(value, list):
            values = [entry[step] for entry in value if step in entry]
            value = (
                [element for entry in values for element in entry] if values and isinstance(values[0], list) else values
            )
        else:
            value = value[step]
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return _scaled(value, factor)


def _same(value: Any, text: str) -> bool:
    return value == float(text) if isinstance(value, int | float) else str(value) == text


def _scaled(value: Any, factor: float) -> Reading | None:
    ends: Iterable[Any]
    if isinstance(value, dict):
        ends = (value.get("point", value.get("value")), value.get("lower"), value.get("upper"))
    elif isinstance(value, list):
        ends = (math.fsum(value) / len(value), None, None) if value else (None, None, None)
    else:
        ends = value if isinstance(value, tuple) else (value, None, None)
    point, lower, upper = (None if end is None else factor * float(end) for end in ends)
    return None if point is None or not math.isfinite(point) else (point, lower, upper)


def _counts(row: Mapping[str, int], *, turned: bool = False) -> TrialCounts:
    first, second, third, fourth = (row[name] for name in TrialCounts.__slots__)
    return TrialCounts(second, first, fourth, third) if turned else TrialCounts(first, second, third, fourth)


def _mean(values: Iterable[float | None]) -> Reading | None:
    return intervals.mean_interval([value for value in values if value is not None and math.isfinite(value)], _LEVEL)


def _right(rows: list[dict[str, Any]], *, turned: bool = False) -> Reading | None:
    return _mean(100.0 * tally.num_right / tally.num_trials for tally in [_counts(row, turned=turned) for row in rows])


def _point(rows: list[dict[str, Any]], *, turned: bool = False) -> Reading | None:
    return _mean(estimates.epsilon_point(_counts(row, turned=turned)) for row in rows)


def _judged(rows: list[dict[str, Any]]) -> Reading | None:
    """Return the point estimate of a rule that is turned round where half of the measurements say so: of the others."""
    half = len(rows) // 2
    first, second = rows[:half], rows[half:]
    learned = sum((_counts(row) for row in first), TrialCounts())
    return _point(second, turned=2 * learned.num_right < learned.num_trials)


_OF_ROWS: dict[str, Callable[[list[dict[str, Any]]], Reading | None]] = {
    "right": _right,
    "wrong": lambda rows: _right(rows, turned=True),
    "point": _point,
    "turned": lambda rows: _point(rows, turned=True),
    "judged": _judged,
    "length": lambda rows: _mean(min(row["norm_first"], 1.0) for row in rows),
}
"""What is made of the measurements of a comparison: means over them, with ranges that allow for their pairs."""


def _most_point(share: float, most: float) -> float:
    """Return the largest mean of point estimates that measurements of a mean share can have, each at most ``most``.

    An estimate is convex in the share: so some are at the most, and the others at a coin.
    """
    return most * (share - 0.5) / (1.0 / (1.0 + math.exp(-most)) - 0.5)


def _from_rates(false_positive: float, false_negative: float, delta: float = 0.0) -> float:
    return max(
        math.log((1.0 - delta - false_positive) / false_negative),
        math.log((1.0 - delta - false_negative) / false_positive),
    )


def _printed_constant(dimension: float) -> float:
    """Return the server's constant as Algorithm 2 prints it, over the one that makes the mean of reports unbiased."""
    half = dimension / 2
    printed = math.lgamma(half + 0.5) - math.lgamma(half + 1.0) - math.log(2.0)
    return math.exp(printed - (math.lgamma(half + 0.5) - math.lgamma(half)))


def _paper_rules() -> float:
    """Return how many attacks have the black-box rule of Table 1 here."""
    table = {"benign": "loss-change", "dummy": "sign-sum"} | dict.fromkeys(
        ("input-perturbation", "parameter-retrogression", "gradient-flip", "collusion"), "loss-fall"
    )
    return sum(ADVERSARIES[name].paper_rule == rule for name, rule in table.items())


def _dimension(channels: float, size: float) -> float:
    from ldp_core.learning.network import update_length

    return float(update_length(int(channels), int(size), 10))


def _binary_angle(share: float) -> float:
    """Return the angle between the gradients of a two-class softmax for both labels, in degrees, by its logits."""
    gradient, other = (share - 1.0, 1.0 - share), (share, -share)
    cosine = (gradient[0] * other[0] + gradient[1] * other[1]) / (math.hypot(*gradient) * math.hypot(*other))
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def eigenvalue(data_dir: Path | None, place: float) -> float:
    """Return an eigenvalue of the covariance of CIFAR-10's training pictures, pixels from -1 to 1."""
    from ldp_core.datasets import load_dataset

    pictures = 2.0 * load_dataset("cifar10", data_dir).train_images.flatten(1).double()
    return float(sorted(information.eigenvalues_of(pictures.T.cov(correction=0).numpy()), reverse=True)[int(place)])


LAWS: dict[str, Callable[..., float]] = {
    "worst": lambda epsilon: 100.0 * theory.worst_case_identification(epsilon),
    "worst_share": theory.worst_case_identification,
    "over": lambda epsilon: 100.0 * (1.0 - theory.worst_case_identification(epsilon)),
    "most_point": _most_point,
    "point": _from_rates,
    "bound": lambda *counts: estimates.epsilon_lower_bound(
        TrialCounts(*map(int, counts)), "clopper_pearson", _LEVEL, delta=1e-5
    ),
    "provable": lambda trials: estimates.max_provable(trials / 2, trials / 2, "pooled", _LEVEL),
    "posterior": theory.posterior,
    "printed_constant": _printed_constant,
    "paper_rules": _paper_rules,
    "dimension": _dimension,
    "binary_angle": _binary_angle,
    "dp_capacity": lambda noise, batch: information.dp_sgd_capacity(noise, int(batch)),
    "one_capacity": lambda eigenvalue, sigma: 0.5 * math.log1p(eigenvalue / sigma**2),
    # FP + e^epsilon FN of a coin, which tells nothing and so keeps every promise
    "coin_sum": lambda epsilon: 0.5 * (1.0 + math.exp(epsilon)),
    # the cross-entropy's slope on its label's logit where the model is least sure of the label it gives
    "self_labelled": lambda classes: 1.0 - 1.0 / classes,
    "accountant": lambda rate, noise, steps: accountant.epsilon_of(accountant.Sampled(rate, noise, int(steps)), 1e-5),
}
"""Name -> what is computed without a run, from numbers."""


def law(words: str, data_dir: Path | None = None) -> Reading:
    """Return a computed number by name and arguments, as in "worst 4"."""
    name, *numbers = words.split(" ")
    values = map(float, numbers)
    return (eigenvalue(data_dir, *values) if name == "eigenvalue" else LAWS[name](*values)), None, None
