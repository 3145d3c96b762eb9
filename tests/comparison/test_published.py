"""The published numbers against what must hold of them, whatever was measured."""

import math

import pytest

from ldp_core.statistics import published, theory


@pytest.mark.parametrize("attack", ["collusion", "dummy"])
def test_the_worst_cases_meet_the_promise_within_sampling_error(attack: str) -> None:
    trials = published.NUM_MEASUREMENTS * published.NUM_TRIALS
    for epsilon, share in published.IDENTIFICATION[attack].items():
        promise = theory.worst_case_identification(epsilon)
        assert share == pytest.approx(promise, abs=4 * math.sqrt(promise * (1 - promise) / trials) + published.ROUNDING)


def test_the_printed_rows_are_those_of_the_paper() -> None:
    percent = {
        name: [round(100 * share, 1) for share in row.values()] for name, row in published.IDENTIFICATION.items()
    }
    assert percent == {
        "benign": [54.4, 58.4, 64.4, 68.1],
        "label-flip": [60.7, 70.1, 83.2, 92.1],
        "gradient-flip": [61.0, 70.5, 84.7, 93.6],
        "collusion": [62.3, 73.1, 87.9, 98.2],
        "dummy": [62.2, 73.2, 88.2, 98.2],
    }
    assert dict(published.CLIENTS) == {1: 0.12, 2: 0.07, 4: 0.06, 10: 0.06}
    assert dict(published.POINT_EPSILON) == {
        "benign": 0.94, "label-flip": 2.47, "gradient-flip": 3.99, "collusion": 4.07,
    }  # fmt: skip
