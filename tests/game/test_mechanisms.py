"""LDP-SGD: the client's randomizer and the server's aggregation."""

import math

import numpy as np
import pytest
import torch

from ldp_core.mechanisms import LdpSgd, OverclaimingLdpSgd
from ldp_core.statistics.theory import worst_case_identification
from tests.helpers.binomial import accepts
from tests.helpers.seeds import gen


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


def test_aggregation_is_the_formula_with_the_factor_d_restored() -> None:
    d, reports = 10, torch.eye(10, dtype=torch.float64)
    printed = math.sqrt(math.pi) / 2 * math.gamma((d - 1) / 2 + 1) / math.gamma(d / 2 + 1)
    expected = d * printed * (math.e + 1) / (math.e - 1) * reports.mean(dim=0)
    torch.testing.assert_close(LdpSgd(1.0).aggregate(reports), expected)
