"""LDP-SGD: the client's randomizer and the server's aggregation."""

import math

import numpy as np
import pytest
import torch

from ldp_core.mechanisms import LdpSgd, OverclaimingLdpSgd
from ldp_core.statistics.theory import worst_case_identification
from tests.helpers.binomial import accepts
from tests.helpers.seeds import gen

DTYPES = [torch.float32, torch.float64]


def gradient(dimension: int, norm: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    values = torch.randn(dimension, generator=gen(3), dtype=torch.float64)
    return (values / values.norm() * norm).to(dtype)


@pytest.mark.law
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", [0.0, 0.2, 1.5, 7.0])
def test_share_on_the_gradients_side_is_exact(law_seed: int, dtype: torch.dtype, norm: float) -> None:
    vector, trials = gradient(5, norm, dtype), 400_000
    mechanism = LdpSgd(1.0, clip_norm=1.5)
    reports = mechanism.randomize(vector, trials, gen(law_seed))
    towards = vector if norm else torch.ones(5, dtype=dtype)
    shrunk = 0.5 + min(norm / 1.5, 1.0) * math.tanh(0.5) / 2
    right = int((reports @ towards >= 0).sum())
    assert accepts(right, trials, shrunk)
    if norm >= 1.5:
        lie = LdpSgd(1.05, clip_norm=1.5).randomize(vector, trials, gen(law_seed))
        assert not accepts(int((lie @ towards >= 0).sum()), trials, shrunk)


@pytest.mark.parametrize("mechanism", [LdpSgd(1.0, clip_norm=1.5), OverclaimingLdpSgd(0.3)])
def test_one_norm_for_each_report_throws_the_coins_that_each_alone_throws(mechanism: LdpSgd) -> None:
    norms = torch.rand(4, 50, generator=gen(1), dtype=torch.float64).mul(3.0).numpy()
    draws = torch.rand(2, 4, 50, generator=gen(2), dtype=torch.float64).numpy()
    together = mechanism.own_side(norms, draws)
    assert together.shape == (4, 50)
    for place, norm in np.ndenumerate(norms):
        assert together[place] == mechanism.own_side(float(norm), draws[:, *place, None])[0]
    assert (together != mechanism.own_side(norms[::-1], draws)).any()  # the norms matter here


@pytest.mark.law
def test_within_its_side_a_report_is_uniform(law_seed: int) -> None:
    """On the circle the angle to the gradient is uniform on each side: check eight arcs."""
    reports = LdpSgd(1.0).randomize(torch.tensor([1.0, 0.0], dtype=torch.float64), 200_000, gen(law_seed))
    angle = torch.atan2(reports[:, 1], reports[:, 0])
    stay = worst_case_identification(1.0)
    for arc in range(-4, 4):
        inside = int(((angle >= arc * math.pi / 4) & (angle < (arc + 1) * math.pi / 4)).sum())
        assert accepts(inside, 200_000, (stay if arc in (-2, -1, 0, 1) else 1 - stay) / 4)


@pytest.mark.law
@pytest.mark.parametrize("dimension", [4, 8, 64])
@pytest.mark.parametrize("norm", [0.4, 2.0, 9.0])
def test_aggregation_is_unbiased_and_the_printed_constant_is_not(law_seed: int, dimension: int, norm: float) -> None:
    """Hoeffding: a coordinate of a report lies in [-1, 1], so n reports' mean misses by t with chance 2e^(-n t^2/2)."""
    mechanism, number = LdpSgd(4.0, clip_norm=2.0), 400_000
    vector = gradient(dimension, norm, torch.float64)
    estimate = mechanism.aggregate(mechanism.randomize(vector, number, gen(law_seed)))
    clipped = vector * min(1.0, 2.0 / norm)
    half = dimension / 2
    constant = 2.0 * math.sqrt(math.pi) * math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.tanh(2.0)
    radius = constant * math.sqrt(2 * math.log(2 * dimension / 1e-9) / number)
    assert (estimate - clipped).abs().max().item() <= radius
    printed = estimate / dimension
    assert (printed - clipped).norm().item() > radius


def test_aggregation_is_the_formula_with_the_factor_d_restored() -> None:
    d, reports = 10, torch.eye(10, dtype=torch.float64)
    printed = math.sqrt(math.pi) / 2 * math.gamma((d - 1) / 2 + 1) / math.gamma(d / 2 + 1)
    expected = d * printed * (math.e + 1) / (math.e - 1) * reports.mean(dim=0)
    torch.testing.assert_close(LdpSgd(1.0).aggregate(reports), expected)
