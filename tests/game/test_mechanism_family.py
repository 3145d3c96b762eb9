"""The family of honest mechanisms: exact laws on their worst pairs, constants against oracles, and what all share."""

import math
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.special import comb
from scipy.stats import norm as normal
from torch import Tensor

from ldp_core.mechanisms import (
    MECHANISMS,
    DuchiL2,
    DuchiLinf,
    Gaussian,
    Laplace,
    LdpSgd,
    OverclaimingLdpSgd,
    PrivUnit,
    RandomizedResponse,
)
from ldp_core.mechanisms._parts import grid_of
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.types import ClippingMechanism
from tests.helpers.binomial import LEVEL, accepts, gen

HONEST = [mechanism for mechanism in MECHANISMS.values() if mechanism is not OverclaimingLdpSgd]
BOUNDED = [mechanism for mechanism in HONEST if hasattr(mechanism, "report_norm")]
ADDITIVE = [Laplace, Gaussian]
DTYPES = [torch.float32, torch.float64]
TRIALS = 400_000


def gradient(dimension: int, norm: float, dtype: torch.dtype = torch.float64) -> Tensor:
    values = torch.randn(dimension, generator=gen(3), dtype=torch.float64)
    return (values / values.norm() * norm).to(dtype)


def worst(mechanism: ClippingMechanism, dimension: int) -> Tensor:
    """Return the first gradient of the dummy pair: all coordinates alike, as long as the clip allows."""
    size = mechanism.clip_norm / (1.0 if mechanism.clip_order == "linf" else math.sqrt(dimension))
    return torch.full((dimension,), size, dtype=torch.float64)


def clipped(mechanism: ClippingMechanism, vector: Tensor) -> Tensor:
    if mechanism.clip_order == "linf":
        return vector.clamp(-mechanism.clip_norm, mechanism.clip_norm)
    return vector * min(1.0, mechanism.clip_norm / max(vector.norm().item(), 1e-300))


@pytest.mark.parametrize("mechanism", HONEST)
@pytest.mark.parametrize(("dimension", "norm"), [(2, 0.0), (2, 5.0), (3, 1e-30), (1000, 0.3), (10_650, 1e30)])
def test_reports_are_finite_rows_of_that_kind(mechanism: type[ClippingMechanism], dimension: int, norm: float) -> None:
    for dtype, epsilon in product(DTYPES, (0.01, 1.0, 30.0)):
        made = mechanism(epsilon, 2.0)
        reports = made.randomize(gradient(dimension, norm, dtype), 20, gen(1))
        assert reports.shape == (20, dimension)
        assert reports.dtype == dtype
        assert reports.isfinite().all()
        assert made.aggregate(reports).shape == (dimension,)
        if hasattr(made, "report_norm"):
            expected = torch.full((20,), made.report_norm(dimension), dtype=torch.float64)
            torch.testing.assert_close(reports.double().norm(dim=1), expected, rtol=1e-6, atol=0.0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", [0, 1, 7])
@pytest.mark.parametrize("mechanism", HONEST)
def test_the_generator_decides_everything(mechanism: type[ClippingMechanism], dtype: torch.dtype, number: int) -> None:
    vector, made = gradient(500, 0.7, dtype), mechanism(2.0)
    before, state = vector.clone(), torch.get_rng_state()
    first, second = (made.randomize(vector, number, gen(9)) for _ in range(2))
    assert torch.equal(first, second)
    assert first.shape == (number, 500)
    assert torch.equal(vector, before)
    assert torch.equal(torch.get_rng_state(), state)
    nothing = torch.zeros(3, dtype=dtype)
    made.randomize(nothing, number, gen(1))
    assert not nothing.any()
    if number:
        assert not torch.equal(first, made.randomize(vector, number, gen(10)))
        assert not torch.equal(made.randomize(vector, 9), made.randomize(vector, 9))
    if number > 1:
        assert len({tuple(row) for row in first.tolist()}) == number


@pytest.mark.parametrize("scale", [1.000001, 3.0, 1e6, 1e30])
@pytest.mark.parametrize("mechanism", HONEST)
def test_scaling_beyond_the_clip_changes_nothing(mechanism: type[ClippingMechanism], scale: float) -> None:
    made = mechanism(1.0, 0.5)
    vector = gradient(6, 0.5) if made.clip_order == "l2" else worst(made, 6) * gradient(6, 1.0).sign()
    plain = made.randomize(vector, 50, gen(1))
    assert (made.randomize(vector * scale, 50, gen(1)) - plain).abs().max() <= 1e-4 * plain.abs().max()
    assert (made.randomize(-vector * scale, 50, gen(1)) - plain).abs().max() > 1e-2 * plain.abs().max()


@pytest.mark.law
@pytest.mark.parametrize("dimension", [2, *(pytest.param(size, marks=pytest.mark.nightly) for size in (5, 64))])
@pytest.mark.parametrize("norm", [0.0, 0.4, 1.0, 9.0])
@pytest.mark.parametrize("mechanism", BOUNDED)
def test_the_mean_is_the_clipped_gradient(
    law_seed: int, mechanism: type[ClippingMechanism], norm: float, dimension: int
) -> None:
    """Maurer and Pontil 2009, Theorem 4: a bound from the variance of the sample that holds for bounded numbers."""
    made = mechanism(4.0, 1.5)
    vector = worst(made, dimension) * gradient(dimension, 1.0).sign() * norm
    reports = made.randomize(vector, TRIALS if dimension < 64 else TRIALS // 4, gen(law_seed))
    number = len(reports)
    scale = made.aggregate(torch.ones(1, dimension, dtype=torch.float64))[0].item()
    most = 2.0 * scale * made.report_norm(dimension)  # type: ignore[attr-defined]
    unit = vector / vector.norm() if norm else torch.eye(dimension, dtype=torch.float64)[0]
    target = clipped(made, vector)
    logarithm = math.log(4 * (dimension + 1) / LEVEL)

    def radius(values: Tensor) -> Tensor:
        spread = scale * (2.0 * values.var(dim=0) * logarithm / number).sqrt()
        return spread + 7.0 * most * logarithm / (3.0 * (number - 1))

    estimate = made.aggregate(reports)
    assert ((estimate - target).abs() <= radius(reports)).all()
    along = radius(reports @ unit)
    assert abs(estimate @ unit - target @ unit) <= along
    if norm >= 1.0:
        assert abs(1.05 * (estimate @ unit) - target @ unit) > along  # a constant 5 % off


@pytest.mark.law
@pytest.mark.parametrize("dimension", [2, 5, 64])
@pytest.mark.parametrize("norm", [0.0, 0.4, 1.0, 9.0])
@pytest.mark.parametrize("mechanism", ADDITIVE)
def test_additive_noise_lies_evenly_around_the_clipped_gradient(
    law_seed: int, mechanism: type[ClippingMechanism], norm: float, dimension: int
) -> None:
    made = mechanism(4.0, 1.5)
    vector = gradient(dimension, 1.5 * norm)
    target = clipped(made, vector)
    trials = TRIALS // 2 if dimension < 64 else TRIALS // 16
    reports = made.randomize(vector, trials, gen(law_seed))
    above = (reports > target).sum(dim=0).tolist()
    assert all(accepts(count, trials, 0.5) for count in above)
    if norm == 9.0:
        unclipped = (reports > vector).sum(dim=0).tolist()
        assert not all(accepts(count, trials, 0.5) for count in unclipped)


Region = Callable[[Tensor, ClippingMechanism], Tensor]


def second_side(reports: Tensor, made: ClippingMechanism) -> Tensor:
    return reports.double().sum(dim=1) < -1e-9


def second_cap(reports: Tensor, made: ClippingMechanism) -> Tensor:
    dimension = reports.shape[1]
    inner = -reports.sum(dim=1) / (math.sqrt(dimension) * made.report_norm(dimension))
    return inner >= made.cap(dimension).height


def second_corner(reports: Tensor, made: ClippingMechanism) -> Tensor:
    return (reports < -worst(made, reports.shape[1])).all(dim=1)


def second_tail(reports: Tensor, made: ClippingMechanism) -> Tensor:
    inner = -reports.sum(dim=1) / math.sqrt(reports.shape[1])
    return inner >= made.epsilon * made.noise_deviation**2 / (2.0 * made.clip_norm)


def of_side(made: ClippingMechanism, dimension: int) -> tuple[float, float]:
    stays = math.exp(made.epsilon) / (1.0 + math.exp(made.epsilon))
    tied = made.clip_order == "linf" and dimension % 2 == 0 and isinstance(made, DuchiLinf)
    share = 1.0 - (comb(dimension, dimension // 2) / 2.0**dimension if tied else 0.0)
    return share * (1.0 - stays), share * stays


def of_cap(made: ClippingMechanism, dimension: int) -> tuple[float, float]:
    """Integrate over the angle to the gradient, whose density is proportional to sin^(d-2)."""
    angle = math.acos(made.cap(dimension).height)
    share = quad(lambda x: math.sin(x) ** (dimension - 2), 0.0, angle, epsabs=1e-13)[0]
    share /= quad(lambda x: math.sin(x) ** (dimension - 2), 0.0, math.pi, epsabs=1e-13)[0]
    outside = 1.0 / (share * math.exp(made.epsilon) + 1.0 - share)
    return share * outside, share * outside * math.exp(made.epsilon)


def of_corner(made: ClippingMechanism, dimension: int) -> tuple[float, float]:
    return 2.0**-dimension * math.exp(-made.epsilon), 2.0**-dimension


def of_tail(made: ClippingMechanism, dimension: int) -> tuple[float, float]:
    deviation, length = made.noise_deviation, made.clip_norm
    start = made.epsilon * deviation**2 / (2.0 * length)
    return float(normal.sf(start, -length, deviation)), float(normal.sf(start, length, deviation))


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize(
    ("mechanism", "dimension", "region", "law"),
    [
        (DuchiL2, 9, second_side, of_side), (DuchiLinf, 8, second_side, of_side),
        (RandomizedResponse, 7, second_side, of_side), (PrivUnit, 3, second_cap, of_cap),
        (Laplace, 2, second_corner, of_corner),
        (lambda epsilon, norm: Gaussian(epsilon, norm, 0.01), 6, second_tail, of_tail),
        (DuchiL2, 2, second_side, of_side), (DuchiLinf, 2, second_side, of_side), (DuchiLinf, 5, second_side, of_side),
        (RandomizedResponse, 2, second_side, of_side), (PrivUnit, 2, second_cap, of_cap),
        (PrivUnit, 24, second_cap, of_cap),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_best_rule_sees_all_of_epsilon_on_the_worst_pair(
    law_seed: int,
    dtype: torch.dtype,
    mechanism: Callable[[float, float], ClippingMechanism],
    dimension: int,
    region: Region,
    law: Callable[[ClippingMechanism, int], tuple[float, float]],
) -> None:
    made = mechanism(1.0, 1.5)
    chances = law(made, dimension)
    assert chances[1] - math.exp(1.0) * chances[0] == pytest.approx(made.delta, abs=1e-9)

    def fits(source: ClippingMechanism) -> bool:
        vector = worst(made, dimension).to(dtype)
        generator = gen(law_seed)
        counts = [int(region(source.randomize(x, TRIALS, generator), made).sum()) for x in (vector, -vector)]
        return all(accepts(count, TRIALS, chance) for count, chance in zip(counts, chances, strict=True))

    assert fits(made)
    assert not fits(mechanism(1.05, 1.5))


@pytest.mark.law
@pytest.mark.parametrize("dimension", [2, 3, 10])
def test_within_cap_and_rest_priv_unit_is_uniform(law_seed: int, dimension: int) -> None:
    """Cut the sphere at angles to a gradient that lies across the axes; then look at what is orthogonal to it."""
    made, vector = PrivUnit(2.0), gradient(dimension, 3.0)
    unit = vector / vector.norm()
    reports = made.randomize(vector, TRIALS, gen(law_seed)) / made.report_norm(dimension)
    inner = reports @ unit
    edge, inside = made.cap(dimension).height, math.exp(2.0)
    cuts = [-1.0, (edge - 1.0) / 2.0, edge, (1.0 + edge) / 2.0, 1.0]

    def mass(low: float, high: float) -> float:
        return float(quad(lambda x: math.sin(x) ** (dimension - 2), math.acos(high), math.acos(low))[0])

    whole = inside * mass(edge, 1.0) + mass(-1.0, edge)
    for low, high in pairwise(cuts):
        chance = mass(low, high) * (inside if low >= edge else 1.0) / whole
        assert accepts(int(((inner >= low) & (inner < high)).sum()), TRIALS, chance)
    rest = reports - inner.unsqueeze(1) * unit
    across = torch.eye(dimension, dtype=torch.float64)[0]
    across = across - (across @ unit) * unit
    for chosen in (inner >= edge, inner < edge):
        assert accepts(int((rest[chosen] @ across > 0).sum()), int(chosen.sum()), 0.5)


@pytest.mark.parametrize("dimension", [2, 3, 8, 64])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 4.0, 12.0])
def test_priv_unit_s_cap_spends_epsilon_exactly_and_is_the_best_one(epsilon: float, dimension: int) -> None:
    cap = PrivUnit(epsilon).cap(dimension)
    spent = math.log(cap.hit / (1.0 - cap.hit)) + math.log((1.0 - cap.mass) / cap.mass)
    assert spent == pytest.approx(epsilon, abs=1e-9)

    def integral(height: float, factor: Callable[[float], float]) -> float:
        whole = quad(lambda x: math.sin(x) ** (dimension - 2), 0.0, math.pi, epsabs=1e-14)[0]
        angle = math.acos(height)
        return float(quad(lambda x: factor(x) * math.sin(x) ** (dimension - 2), 0.0, angle, epsabs=1e-14)[0] / whole)

    def mean(height: float) -> float:
        share = integral(height, lambda x: 1.0)
        return integral(height, math.cos) * math.expm1(epsilon) / (1.0 + share * math.expm1(epsilon))

    assert cap.mass == pytest.approx(integral(cap.height, lambda x: 1.0), rel=1e-9)
    assert cap.mean == pytest.approx(mean(cap.height), rel=1e-9)
    assert all(mean(cap.height * factor) < cap.mean for factor in (0.0, 0.9, 0.99))
    assert all(mean(min(cap.height * factor, 1.0)) < cap.mean for factor in (1.01, 1.1))
    assert PrivUnit(epsilon, 3.0).report_norm(dimension) < DuchiL2(epsilon, 3.0).report_norm(dimension)


@pytest.mark.parametrize("dimension", [2, 3, 10, 64])
def test_duchi_s_ball_has_the_length_that_integration_gives(dimension: int) -> None:
    whole = quad(lambda x: math.sin(x) ** (dimension - 2), 0.0, math.pi)[0]
    half = quad(lambda x: math.cos(x) * math.sin(x) ** (dimension - 2), 0.0, math.pi / 2)[0]
    stays = worst_case_identification(1.3)
    mean = (2.0 * stays - 1.0) * 2.0 * half / whole
    assert DuchiL2(1.3, 2.5).report_norm(dimension) == pytest.approx(2.5 / mean, rel=1e-9)


def test_duchi_s_ball_is_ldp_sgd_with_its_constant_in_the_report() -> None:
    vector, made, like = gradient(9, 0.7), DuchiL2(1.0, 1.5), LdpSgd(1.0, 1.5)
    reports, unit_reports = (each.randomize(vector, 50, gen(1)) for each in (made, like))
    torch.testing.assert_close(made.aggregate(reports), like.aggregate(unit_reports))
    torch.testing.assert_close(reports, unit_reports * made.report_norm(9))


def vertices(dimension: int) -> np.ndarray:
    return np.array(list(product((-1.0, 1.0), repeat=dimension)))


def vertex_law(epsilon: float, gradient: np.ndarray) -> np.ndarray:
    """Return each vertex's probability by enumeration; the gradient's coordinates lie in [-1, 1]."""
    all_of_them = vertices(len(gradient))
    stays = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    law = np.zeros(len(all_of_them))
    for rounded in all_of_them:
        chance = np.prod((1.0 + rounded * gradient) / 2.0)
        inner = all_of_them @ rounded
        ahead, even = (inner > 0).sum(), (inner == 0).sum()
        sides = np.where(inner > 0, stays, 1.0 - stays) * (1.0 - even / len(inner)) / ahead
        law += chance * np.where(inner == 0, 1.0 / len(inner), sides)
    return law


@pytest.mark.parametrize("dimension", range(2, 7))
def test_duchi_s_cube_spends_epsilon_exactly_and_is_unbiased(dimension: int) -> None:
    epsilon = 1.2
    corner = np.ones(dimension)
    inputs = [corner, -corner, 0.0 * corner, corner * np.linspace(-1.0, 0.7, dimension)]
    inputs += list(np.random.default_rng(1).uniform(-1.0, 1.0, (20, dimension)))
    laws = [vertex_law(epsilon, x) for x in inputs]
    ratio = max((one / other).max() for one in laws for other in laws)
    assert math.log(ratio) == pytest.approx(epsilon, abs=1e-12)
    size = DuchiLinf(epsilon, 1.0).largest_coordinate(dimension)
    for x, law in zip(inputs, laws, strict=True):
        assert law.sum() == pytest.approx(1.0)
        assert size * law @ vertices(dimension) == pytest.approx(x, abs=1e-12)
    if dimension % 2:  # the constant that Duchi et al. print
        printed = 2.0 ** (dimension - 1) / comb(dimension - 1, (dimension - 1) // 2)
        assert size == pytest.approx(printed / math.tanh(epsilon / 2.0))


@pytest.mark.law
@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_duchi_s_cube_sends_each_vertex_as_often_as_enumeration_says(law_seed: int, dimension: int) -> None:
    vector = np.array([0.5, -1.5, 3.0, 0.0])[:dimension]
    law = vertex_law(1.2, np.clip(vector / 1.5, -1.0, 1.0))

    def fits(made: DuchiLinf) -> bool:
        reports = made.randomize(torch.from_numpy(vector), TRIALS, gen(law_seed)).numpy() > 0
        found = np.bincount(reports @ (2 ** np.arange(dimension)[::-1]), minlength=2**dimension)
        return all(accepts(int(count), TRIALS, float(chance)) for count, chance in zip(found, law, strict=True))

    assert fits(DuchiLinf(1.2, 1.5))
    assert not fits(DuchiLinf(1.44, 1.5))


@pytest.mark.law
def test_randomized_response_sends_each_coordinate_and_sign_as_often_as_it_says(law_seed: int) -> None:
    vector = torch.tensor([0.5, -1.5, 3.0], dtype=torch.float64)
    made, tangent = RandomizedResponse(1.2, 1.5), math.tanh(0.6)
    reports = made.randomize(vector, TRIALS, gen(law_seed))
    assert torch.equal((reports != 0).sum(dim=1), torch.ones(TRIALS, dtype=torch.int64))
    for place, share in enumerate((1.0 / 3.0, -1.0, 1.0)):
        chance = (1.0 + share * tangent) / 6.0
        assert accepts(int((reports[:, place] > 0).sum()), TRIALS, chance)
        assert accepts(int((reports[:, place] < 0).sum()), TRIALS, 1.0 / 3.0 - chance)
        if abs(share) == 1.0:
            assert not accepts(int((reports[:, place] > 0).sum()), TRIALS, (1.0 + share * math.tanh(0.7)) / 6.0)
    assert (1.0 + tangent) / (1.0 - tangent) == pytest.approx(math.exp(1.2))


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.1, 0.5])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 4.0, 30.0])
def test_the_gaussian_keeps_delta_and_a_little_less_noise_does_not(epsilon: float, delta: float) -> None:
    """Integrate what one of two normal densities has above e^eps times the other, where it has something."""

    def spent(deviation: float) -> float:
        start = epsilon * deviation**2 / 2.0  # the clipping norm is 1

        def excess(x: float) -> float:
            return math.exp(-((x - 1.0) ** 2) / (2.0 * deviation**2)) * -math.expm1(-2.0 * (x - start) / deviation**2)

        ends = sorted({start, max(start, 1.0), max(start, 1.0) + 40.0 * deviation})
        parts = (quad(excess, low, high, epsabs=0.0, epsrel=1e-11, limit=200)[0] for low, high in pairwise(ends))
        return float(sum(parts) / (deviation * math.sqrt(2.0 * math.pi)))

    deviation = Gaussian(epsilon, 1.0, delta).noise_deviation
    assert spent(deviation) == pytest.approx(delta, rel=1e-6)
    assert spent(deviation) <= delta
    assert spent(deviation * (1.0 - 1e-6)) > delta
    assert Gaussian(epsilon, 3.0, delta).noise_deviation == pytest.approx(3.0 * deviation)


@pytest.mark.parametrize("mechanism", ADDITIVE)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("dimension", [2, 1000])
def test_noisy_values_lie_on_a_grid_that_the_gradient_does_not_move(
    mechanism: type[ClippingMechanism], epsilon: float, dimension: int
) -> None:
    made = mechanism(epsilon, 0.3)
    noise = made.noise_scale(dimension) if isinstance(made, Laplace) else made.noise_deviation  # type: ignore[attr-defined]
    grid = grid_of(noise)
    assert 2.0**16 <= noise / grid < 2.0**17
    assert math.frexp(grid)[0] == 0.5
    for norm in (0.0, 1e-9, 0.1, 7.0):
        exact = made.randomize(gradient(dimension, norm, torch.float32).double(), 200_000 // dimension, gen(1))
        sent = made.randomize(gradient(dimension, norm, torch.float32), 200_000 // dimension, gen(1))
        assert torch.equal(sent.double(), exact)  # float32 holds every multiple that occurs
        assert torch.equal((exact / grid).round() * grid, exact)
        assert not exact[exact == 0.0].signbit().any()
    naive = gradient(dimension, 0.1) + noise * torch.randn(100, dimension, dtype=torch.float64)
    assert not torch.equal((naive / grid).round() * grid, naive)


@pytest.mark.parametrize("mechanism", HONEST)
def test_bad_input_gets_one_sentence(mechanism: type[ClippingMechanism]) -> None:
    for values, words in (
        ((31.0, 1.0), r"^epsilon must be a number from 0\.01 to 30, got"),
        ((1.0, 0.0), "^clip_norm"),
    ):
        with pytest.raises(ValueError, match=words):
            mechanism(*values)
    made = mechanism(1.0)
    for wrong, words in (
        (torch.ones(0), "dimension d >= 1"),
        (torch.ones(2, dtype=torch.int64), "float32 or float64"),
        (torch.tensor([1.0, math.nan]), "finite, got 1 values"),
    ):
        with pytest.raises(ValueError, match=words):
            made.randomize(wrong, 1)
    with pytest.raises(ValueError, match="num_reports must be"):
        made.randomize(torch.ones(2), -1)
    with pytest.raises(ValueError, match="reports must have shape"):
        made.aggregate(torch.ones(0, 3))


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
