"""The vocabulary checks itself: wrong values are named, counts add up, a pair's geometry is right."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.private import GradientPair


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
