"""LDP-SGD: the client's randomizer and the server's aggregation."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator

from ldp_core.checking.claims import CLIP_ORDERS, PAIRS
from ldp_core.distinguishers import CosineSimilarity
from ldp_core.mechanisms import MECHANISMS, LdpSgd, OverclaimingLdpSgd
from ldp_core.private import GradientPair
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.types import GAUSSIAN_DELTA, ClippingMechanism
from tests.game.alone import run_trials
from tests.helpers.binomial import accepts

DTYPES = [torch.float32, torch.float64]


def seeded(seed: int = 1) -> Generator:
    return Generator().manual_seed(seed)


def gradient(dimension: int, norm: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    values = torch.randn(dimension, generator=seeded(3), dtype=torch.float64)
    return (values / values.norm() * norm).to(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(("dimension", "norm"), [(2, 0.0), (2, 5.0), (3, 1e-30), (1000, 0.3), (10_650, 1e30)])
def test_reports_are_unit_vectors(dtype: torch.dtype, epsilon: float, dimension: int, norm: float) -> None:
    reports = LdpSgd(epsilon).randomize(gradient(dimension, norm, dtype), 300, seeded())
    assert reports.shape == (300, dimension)
    assert reports.dtype == dtype
    torch.testing.assert_close(reports.norm(dim=1), torch.ones(300, dtype=dtype))
    assert len({tuple(row) for row in reports[:, :2].tolist()}) == 300


@pytest.mark.law
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", [0.0, 0.2, 1.5, 7.0])
def test_share_on_the_gradients_side_is_exact(law_seed: int, dtype: torch.dtype, norm: float) -> None:
    vector, trials = gradient(5, norm, dtype), 400_000
    mechanism = LdpSgd(1.0, clip_norm=1.5)
    reports = mechanism.randomize(vector, trials, seeded(law_seed))
    towards = vector if norm else torch.ones(5, dtype=dtype)
    shrunk = 0.5 + min(norm / 1.5, 1.0) * math.tanh(0.5) / 2
    right = int((reports @ towards >= 0).sum())
    assert accepts(right, trials, shrunk)
    if norm >= 1.5:
        lie = LdpSgd(1.05, clip_norm=1.5).randomize(vector, trials, seeded(law_seed))
        assert not accepts(int((lie @ towards >= 0).sum()), trials, shrunk)


@pytest.mark.parametrize("mechanism", [LdpSgd(1.0, clip_norm=1.5), OverclaimingLdpSgd(0.3)])
def test_one_norm_for_each_report_throws_the_coins_that_each_alone_throws(mechanism: LdpSgd) -> None:
    norms = torch.rand(4, 50, generator=seeded(), dtype=torch.float64).mul(3.0).numpy()
    draws = torch.rand(2, 4, 50, generator=seeded(2), dtype=torch.float64).numpy()
    together = mechanism.own_side(norms, draws)
    assert together.shape == (4, 50)
    for place, norm in np.ndenumerate(norms):
        assert together[place] == mechanism.own_side(float(norm), draws[:, *place, None])[0]
    assert (together != mechanism.own_side(norms[::-1], draws)).any()  # the norms matter here


@pytest.mark.law
def test_within_its_side_a_report_is_uniform(law_seed: int) -> None:
    """On the circle the angle to the gradient is uniform on each side: check eight arcs."""
    reports = LdpSgd(1.0).randomize(torch.tensor([1.0, 0.0], dtype=torch.float64), 200_000, seeded(law_seed))
    angle = torch.atan2(reports[:, 1], reports[:, 0])
    stay = worst_case_identification(1.0)
    for arc in range(-4, 4):
        inside = int(((angle >= arc * math.pi / 4) & (angle < (arc + 1) * math.pi / 4)).sum())
        assert accepts(inside, 200_000, (stay if arc in (-2, -1, 0, 1) else 1 - stay) / 4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", [0, 1, 7])
def test_the_generator_decides_everything(dtype: torch.dtype, number: int) -> None:
    vector, mechanism = gradient(50, 0.7, dtype), LdpSgd(2.0)
    before, state = vector.clone(), torch.get_rng_state()
    first, second = (mechanism.randomize(vector, number, seeded(9)) for _ in range(2))
    assert torch.equal(first, second)
    assert torch.equal(vector, before)
    assert torch.equal(torch.get_rng_state(), state)
    if number:
        assert not torch.equal(first, mechanism.randomize(vector, number, seeded(10)))


def test_without_a_generator_the_operating_system_seeds() -> None:
    vector = gradient(20, 1.0)
    assert not torch.equal(LdpSgd(1.0).randomize(vector, 3), LdpSgd(1.0).randomize(vector, 3))


@given(st.floats(1.0, 1e6))
def test_scaling_beyond_the_clip_changes_nothing(scale: float) -> None:
    vector, mechanism = gradient(6, 1.0, torch.float64), LdpSgd(1.0)
    plain = mechanism.randomize(vector * 1.000001, 5, seeded())
    torch.testing.assert_close(mechanism.randomize(vector * 1.000001 * scale, 5, seeded()), plain)


@pytest.mark.law
@pytest.mark.parametrize("dimension", [4, 8, 64])
@pytest.mark.parametrize("norm", [0.4, 2.0, 9.0])
def test_aggregation_is_unbiased_and_the_printed_constant_is_not(law_seed: int, dimension: int, norm: float) -> None:
    """Hoeffding: a coordinate of a report lies in [-1, 1], so n reports' mean misses by t with chance 2e^(-n t^2/2)."""
    mechanism, number = LdpSgd(4.0, clip_norm=2.0), 400_000
    vector = gradient(dimension, norm, torch.float64)
    estimate = mechanism.aggregate(mechanism.randomize(vector, number, seeded(law_seed)))
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


def test_aggregation_is_finite_in_high_dimension() -> None:
    assert LdpSgd(0.01).aggregate(torch.ones(1, 1_000_000)).isfinite().all()


@pytest.mark.parametrize("mechanism", MECHANISMS.values())
def test_every_registered_mechanism_states_its_claim(mechanism: type[ClippingMechanism]) -> None:
    built = mechanism(1.0, 2.0)
    assert (built.epsilon, built.delta, built.clip_norm) == (
        1.0,
        GAUSSIAN_DELTA if built.name == "gaussian" else 0.0,
        2.0,
    )
    assert built.clip_order in CLIP_ORDERS
    assert built.worst_pair in PAIRS
    assert MECHANISMS[built.name] is mechanism


def test_the_overclaiming_one_leaks_half_again_as_much() -> None:
    assert OverclaimingLdpSgd(2.0).same_side_probability == LdpSgd(3.0).same_side_probability


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LdpSgd(0.0), "epsilon must be a number from 0.01 to 30, got 0.0"),
        (lambda: LdpSgd(31.0), "epsilon must be"),
        (lambda: LdpSgd(math.nan), "epsilon must be"),
        (lambda: LdpSgd(True), "epsilon must be"),
        (lambda: LdpSgd(1.0, 0.0), "clip_norm must be"),
        (lambda: LdpSgd(1.0, math.inf), "clip_norm must be"),
        (lambda: LdpSgd(1.0).randomize(torch.ones(0), 1), r"dimension d >= 1, got shape \(0,\)"),
        (lambda: LdpSgd(1.0).randomize(torch.ones(2, 2), 1), "one vector"),
        (lambda: LdpSgd(1.0).randomize(torch.ones(2, dtype=torch.int64), 1), "float32 or float64"),
        (lambda: LdpSgd(1.0).randomize(torch.ones(2, dtype=torch.float16), 1), "float32 or float64"),
        (lambda: LdpSgd(1.0).randomize(torch.tensor([1.0, math.nan]), 1), "finite, got 1 values"),
        (lambda: LdpSgd(1.0).randomize(torch.tensor([math.inf, 1.0]), 1), "finite"),
        (lambda: LdpSgd(1.0).randomize(torch.ones(2), -1), "num_reports must be"),
        (lambda: LdpSgd(1.0).aggregate(torch.ones(3)), "reports must have shape"),
        (lambda: LdpSgd(1.0).aggregate(torch.ones(0, 3)), "reports must have shape"),
    ],
)
def test_bad_input_gets_one_sentence(call, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
def test_on_cuda_the_law_is_the_same() -> None:
    vector = gradient(1000, 2.0).cuda()
    reports = LdpSgd(1.0).randomize(vector, 1000, Generator("cuda").manual_seed(1))
    assert reports.is_cuda
    pair = GradientPair(vector, -vector)
    *_, counts = run_trials(LdpSgd(1.0), CosineSimilarity(), pair, 200_000, seed=1)
    assert accepts(counts.num_right, 200_000, worst_case_identification(1.0))
