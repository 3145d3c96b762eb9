"""The vocabulary checks itself: wrong values are named, counts add up, a pair's geometry is right."""

import dataclasses
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.private import GradientPair
from ldp_core.types import AuditConfig

CONFIG = AuditConfig(attack="dummy", epsilon=1.0, bound="pooled", seed=7)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("epsilon", [0.01, 1, 30.0], [0.0, 0.0099, 30.1, -1.0, math.nan, math.inf, "1", None, True]),
        ("bound", ["pooled", "clopper_pearson"], ["hoeffding", "", "clopper-pearson"]),
        ("seed", [0, 2**63 - 1], [-1, 2**63, 1.0, True, None, "7"]),
        ("clip_norm", [1e-6, 1e6, 2], [0.0, -1.0, 1e7, math.nan, math.inf, False]),
        ("training", ["none", "light", "full"], ["hard", ""]),
        ("num_trials", [1, 10**9], [0, -5, 10**9 + 1, 10.0, True]),
        ("num_measurements", [1, 1_000], [0, 1_001, 2.5]),
        ("significance", [1e-9, 0.05, 0.5], [0.0, 0.51, 1e-10, math.nan]),
        ("sampling", ["full", "projected"], ["half"]),
    ],
)
def test_a_configuration_names_what_is_out_of_range(name: str, good: list[object], bad: list[object]) -> None:
    for value in good:
        assert getattr(dataclasses.replace(CONFIG, **{name: value}), name) == value
    for value in bad:
        with pytest.raises(ValueError, match=f"^{name} must be .*got ") as error:
            dataclasses.replace(CONFIG, **{name: value})
        assert repr(value) in str(error.value)


@given(st.floats(0.0, 180.0), st.floats(-290, 300), st.floats(-290, 300))
def test_angle_and_norms_are_right_at_every_scale(angle: float, first_power: float, second_power: float) -> None:
    """In float64, also where squares would under- or overflow."""
    radians, one, two = math.radians(angle), 10.0**first_power, 10.0**second_power
    first = torch.tensor([one, 0.0, 0.0], dtype=torch.float64)
    second = torch.tensor([two * math.cos(radians), two * math.sin(radians), 0.0], dtype=torch.float64)
    pair = GradientPair(first, second)
    assert pair.geometry.angle_degrees == pytest.approx(angle, abs=1e-6)
    assert pair.geometry.norm_first == pytest.approx(one, rel=1e-12)
    assert pair.geometry.norm_second == pytest.approx(two, rel=1e-12)
    assert torch.allclose(pair.direction_difference, pair.first_direction - pair.second_direction, atol=1e-12)
