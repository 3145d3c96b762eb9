"""What is found in mechanisms by others, installed by ``requirements-peers.txt``; an absent one is skipped by name."""

import importlib.metadata
import importlib.util
import itertools
import math
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import chi2, gamma, norm

from ldp_core.adapters import find, flower, opacus
from ldp_core.adapters._base import Additive
from ldp_core.checking.claims import CheckConfig, CheckResult
from ldp_core.checking.exam import check
from ldp_core.checking.subjects._child import function_of, imported
from ldp_core.checking.subjects.calls import ARGUMENTS, CalledSubject, made
from ldp_core.checking.trainings.remote import Limits, Training
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.statistics.accountant import Sampled, enclosure
from ldp_core.studies.training_check.result import TrainingCheckConfig
from ldp_core.studies.training_check.run import canary_of, check_training, others_of, settings_of
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, GAUSSIAN_DELTA
from tests.helpers.binomial import LEVEL, accepts
from tests.helpers.patience import PATIENCE
from tests.peers import exact_epsilon, opacus_training, pure_ldp

DELTA = GAUSSIAN_DELTA


def needs(package: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(package) is None
    return pytest.mark.skipif(missing, reason=f"{package} is not installed")


FLOWER, OPENDP, DIFFPRIVLIB, PURE_LDP, OPACUS, JAX_PRIVACY = (
    needs(name) for name in ("flwr", "opendp", "diffprivlib", "pure_ldp", "opacus", "jax_privacy")
)
NIGHTLY = pytest.mark.nightly
LIBRARIES = {"flower": FLOWER, "jax": JAX_PRIVACY, "opacus": OPACUS, "opendp": OPENDP, "diffprivlib": DIFFPRIVLIB}
BITS = {"low-order-bits"}
TOLD: dict[str, tuple[float, float, int, set[str]]] = {
    "flower-local-dp": (1.6103, DELTA, 0, BITS),
    "flower-local-dp-replacement": (0.7510, DELTA, 200_000, BITS),
    "pure_ldp:UnaryEncoding": (1.6803, 0.0, 100_000, set()),
    "pure_ldp:OptimisedUnaryEncoding": (1.5514, 0.0, 100_000, set()),
    "pure_ldp:DirectEncoding": (1.0, 0.0, 60_000, set()),
    "opendp-laplace": (1.0, 0.0, 12_000, set()),
    "opendp-gaussian": (0.9150, DELTA, 0, set()),
    "diffprivlib-laplace": (math.inf, 0.0, 600_000, BITS),
    "diffprivlib-gaussian-analytic": (1.0, DELTA, 0, BITS),
    "diffprivlib-gaussian": (0.7510, DELTA, 0, BITS),
    "opacus-gaussian": (1.0, DELTA, 100_000, BITS),
    "opacus-gaussian-secure": (1.0, DELTA, 0, BITS),
    "opacus-accountant": (0.9831, DELTA, 100_000, BITS),
    "jax-privacy-gaussian": (1.0, DELTA, 100_000, set()),
}
"""As ``tests/peers/README.md`` tells it at the claim 1: the real epsilon, delta, reports of a check, and what fails.

With no reports, what takes more of them is checked in another test, or its noise alone."""


def rows(names: list[str], by_day: tuple[str, ...] = tuple(TOLD)) -> list[Any]:
    """Return parameters, each skipped where its library is missing, and run by night unless it is named."""
    found = []
    for name in names:
        library = PURE_LDP if name.startswith("pure_ldp") else LIBRARIES[name.partition("-")[0]]
        found.append(pytest.param(name, marks=[library] if name in by_day else [library, NIGHTLY]))
    return found


@pytest.fixture(autouse=True)
def global_generators() -> Iterator[None]:
    """Fix the global generators, from which all but OpenDP and diffprivlib draw, so that the same counts come again."""
    kept = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    restart(7)
    yield
    random.setstate(kept[0])
    np.random.set_state(kept[1])  # noqa: NPY002
    torch.set_rng_state(kept[2])


def restart(seed: int) -> None:
    random.setstate(random.Random(seed).getstate())
    np.random.set_state(np.random.RandomState(seed).get_state())  # noqa: NPY002
    torch.set_rng_state(torch.Generator().manual_seed(seed).get_state())


def checked(
    name: str,
    epsilon: float,
    reports: int,
    delta: float = 0.0,
    *,
    significance: float = 1e-9,
    claimed: float | None = None,
) -> CheckResult:
    """Check a mechanism as the command line does, made for an epsilon."""
    ours = find(name)
    scale = 1.0 if ours else None
    config = CheckConfig(name, epsilon, 1, delta, dimension=2, reports=reports, significance=significance, scale=scale)
    given = ("epsilon", "clip_norm", *(("delta",) if delta else ()))
    values = {argument: getattr(config, argument) for argument in ARGUMENTS}
    made_here = made(imported(ours or f"tests.peers.{name}"), values, given)
    subject = CalledSubject(function_of(made_here))  # in this process, whose generators are fixed
    for progress in check(replace(config, epsilon=claimed or epsilon), subject):
        result = progress.result
    assert result.completed
    return result


def inside(statistic: float, law: object) -> bool:
    """Return whether a statistic lies in the central region of a law that a right program leaves with chance 1e-9."""
    low, high = law.ppf(LEVEL / 2), law.isf(LEVEL / 2)  # type: ignore[attr-defined]
    return bool(low < statistic < high)


def noise_of(mechanism: Additive, number: int) -> np.ndarray:
    """Return the noise in reports of a gradient three times as long as L; the sent one is its clipped copy."""
    long = np.array([1.8, -2.4], np.float32) * np.float32(mechanism.clip_norm)
    return mechanism.randomize(long, number).astype(np.float64) - long / 3.0


def deviation_fits(noise: np.ndarray, deviation: float) -> bool:
    return inside(float((noise**2).sum()) / deviation**2, chi2(noise.size))


@pytest.mark.parametrize("apart", [0.2, 0.4128, 1.0, 4.0])
def test_the_exact_epsilon_of_normal_noise_agrees_with_integration(apart: float) -> None:
    epsilon = exact_epsilon(apart, DELTA)

    def excess(x: float) -> float:
        return max(0.0, float(norm.pdf(x - apart)) - math.exp(epsilon) * float(norm.pdf(x)))

    begins = epsilon / apart + apart / 2
    assert quad(excess, begins, begins + 12.0, epsabs=1e-16)[0] == pytest.approx(DELTA, rel=1e-6)
    assert Gaussian(epsilon, 1.5, DELTA).noise_deviation == pytest.approx(3.0 / apart, rel=1e-8)


@FLOWER
def test_flowers_formula_means_more_than_it_claims_beyond_1() -> None:
    classic = flower.LocalDp(10.0)  # with half of the sensitivity that it needs
    assert exact_epsilon(classic.clip_norm / classic.deviation, DELTA) == pytest.approx(10.3939, abs=5e-5)
    with pytest.raises(ValueError, match=r"epsilon must be .* got 10"):
        flower.LocalDpReplacement(10.0)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", rows([name for name in TOLD if TOLD[name][1]]))
def test_normal_noise_is_that_of_the_epsilon_that_is_told(law_seed: int, name: str) -> None:
    restart(law_seed)
    really, mechanism = TOLD[name][0], imported(str(find(name)))(1.0, 1.5)
    for stated in ("deviation", "noise_deviation"):
        if hasattr(mechanism, stated):
            assert exact_epsilon(3.0 / getattr(mechanism, stated), DELTA) == pytest.approx(really, abs=5e-5)
    deviation = 3.0 / float(brentq(lambda apart: exact_epsilon(apart, DELTA) - really, 0.01, 10.0))
    noise = noise_of(mechanism, 10_000 if name.startswith(("opendp", "diffprivlib")) else 200_000)
    assert deviation_fits(noise, deviation)
    assert inside(float(noise.sum()), norm(0.0, deviation * math.sqrt(noise.size)))
    assert not deviation_fits(noise, deviation * (1.0 + 13.0 / math.sqrt(noise.size)))


@pytest.mark.parametrize("name", rows(["opendp-laplace", "diffprivlib-laplace"]))
def test_laplace_noise_is_that_of_its_claim(name: str) -> None:
    noise = noise_of(imported(str(find(name)))(1.0, 1.5), 20_000)
    scale = 3.0 * math.sqrt(2.0)  # the L1 distance of two inputs of length L = 1.5 in two dimensions
    assert inside(float(np.abs(noise).sum()), gamma(noise.size, scale=scale))
    assert not inside(float(np.abs(noise).sum()), gamma(noise.size, scale=1.07 * scale))


@FLOWER
@pytest.mark.parametrize("update", [0.0, 1e-24])
def test_flower_fails_at_the_zero_update(update: float) -> None:
    with pytest.raises(ZeroDivisionError):
        flower.LocalDp(1.0).as_shipped(np.full(4, update, np.float32), 1)
    assert np.isfinite(flower.LocalDp(1.0).randomize(np.full(4, update, np.float32), 3)).all()


@FLOWER
@NIGHTLY
def test_flowers_claim_is_rejected() -> None:
    result = checked("flower-local-dp", 3.0, 4_000_000, DELTA, significance=0.05)
    assert result.verdict == CLAIM_REJECTED
    assert 3.0 < result.epsilon_lower < 5.6178
    assert [clause.name for clause in result.failed] == ["low-order-bits"]


@pytest.mark.parametrize("optimised", [False, True])
@pytest.mark.parametrize("epsilon", [0.01, 0.25, 1.0, 4.0])
def test_the_faulty_unary_encodings_epsilon_agrees_with_enumeration(epsilon: float, optimised: bool) -> None:
    true, other = pure_ldp.bit_probabilities(epsilon, optimised)
    ratios = []
    for bits in itertools.product((0, 1), repeat=2):
        laws = ((true, other), (other, true))
        first, second = (math.prod(p if bit else 1 - p for bit, p in zip(bits, law, strict=True)) for law in laws)
        ratios.append(math.log(first / second))
    assert pure_ldp.exact_epsilon(epsilon, optimised) == pytest.approx(max(ratios))
    assert pure_ldp.exact_epsilon(epsilon, optimised) > epsilon


def test_the_faulty_unary_encodings_epsilons_are_those_that_are_told() -> None:
    told = {(0.25, False): 1.2288, (1.0, False): 1.6803, (1.0, True): 1.5514}
    assert {key: round(pure_ldp.exact_epsilon(*key), 4) for key in told} == told
    assert pure_ldp.exact_epsilon(1e-9) == pytest.approx(math.log(3.0))


@PURE_LDP
@pytest.mark.law
@pytest.mark.parametrize("kind", [pure_ldp.UnaryEncoding, pure_ldp.OptimisedUnaryEncoding])
def test_the_unary_encodings_bits_are_1_as_often_as_told(law_seed: int, kind: type[pure_ldp.UnaryEncoding]) -> None:
    restart(law_seed)
    number = 40_000
    true, other = pure_ldp.bit_probabilities(1.0, kind.optimised)
    counts = kind(1.0).randomize(np.array([0.5, -0.1], np.float32), number).sum(axis=0)
    assert accepts(int(counts[0]), number, true)
    assert accepts(int(counts[1]), number, other)
    right = 0.5 if kind.optimised else 1.0 / (1.0 + math.exp(-0.5))
    assert not accepts(int(counts[0]), number, right)


@OPACUS
@pytest.mark.parametrize("norm_of", [0.0, 0.3, 7.0])
@pytest.mark.parametrize("kind", [opacus.Gaussian, opacus.SecureGaussian])
def test_opacus_report_is_the_gradient_of_its_own_step(kind: type[opacus.Gaussian], norm_of: float) -> None:
    """One call of ``DPOptimizer.pre_step``, which clips, adds noise and would then update the model."""
    from opacus.optimizers import DPOptimizer

    gradient = np.array([0.6, 0.8], np.float32) * np.float32(norm_of)
    restart(5)
    report = kind(2.0, 1.5).randomize(gradient, 1)
    parameter = torch.nn.Parameter(torch.zeros(2))
    optimizer = DPOptimizer(
        torch.optim.SGD([parameter]),
        noise_multiplier=Gaussian(2.0, 1.5, DELTA).noise_deviation / 1.5,
        max_grad_norm=1.5,
        expected_batch_size=1,
        secure_mode=kind.secure_mode,
    )
    parameter.grad_sample = torch.from_numpy(gradient)[None]
    restart(5)
    optimizer.pre_step()
    np.testing.assert_allclose(report[0], parameter.grad.numpy(), rtol=1e-6)


@OPACUS
def test_opacus_secure_mode_leaves_last_bits_that_tell_where_the_input_is_zero() -> None:
    """In single precision its noise often ends in zero bits too, but not always, as a sum with 0.4 does down there."""
    mechanism, shares = opacus.SecureGaussian(4.0), []
    for entry in (0.4, 0.0):
        reports = np.abs(mechanism.randomize(np.array([entry, 0.0], np.float32), 400_000)[:, 0])
        near = reports[(reports >= 2.0**-4) & (reports < 2.0**-3)]
        assert len(near) > 2_000
        shares.append(float((near.view(np.uint32) % 4 == 0).mean()))
    assert shares[0] == 1.0
    assert shares[1] < 0.95


@DIFFPRIVLIB
def test_last_bits_of_diffprivlib_tell_an_input_of_1_from_0_without_an_error() -> None:
    """Noise below -0.75 is a multiple of 2^-53, and so is its sum with 1, whose last place near zero is far below."""
    mechanism, shares = imported(find("diffprivlib-laplace") or "")(1.0), []
    for entry in (1.0, 0.0):
        reports = mechanism.randomize(np.array([entry, 0.0], np.float32), 20_000)[:, 0]
        near = reports[np.abs(reports) < 0.25]
        assert len(near) > 500
        shares.append(float(np.mean(np.ldexp(np.frexp(near)[0], 53) % 2)))
    assert shares[0] == 0.0
    assert shares[1] > 0.3


@OPACUS
@pytest.mark.nightly
def test_opacus_secure_mode_fails_the_exam_by_these_bits_alone() -> None:
    result = checked("opacus-gaussian-secure", 4.0, 100_000, DELTA)
    assert result.verdict == CLAIM_NOT_REJECTED
    assert {clause.name for clause in result.failed} == {"low-order-bits"}


@pytest.mark.parametrize("name", rows([name for name in TOLD if TOLD[name][2]], ()))
def test_a_claim_of_1_is_rejected_where_more_is_told_and_the_exam_fails_what_is_told(name: str) -> None:
    really, delta, reports, failed = TOLD[name]
    result = checked(name, 1.0, reports, delta)
    assert result.verdict == (CLAIM_REJECTED if really > 1.0 else CLAIM_NOT_REJECTED)
    assert result.epsilon_lower < really
    assert {clause.name for clause in result.failed} == failed


@pytest.mark.parametrize(
    "name",
    rows(["opendp-gaussian", "diffprivlib-gaussian-analytic", "flower-local-dp", "opacus-gaussian-secure"], ()),
)
def test_a_smaller_claim_than_the_noise_is_made_for_is_rejected(name: str) -> None:
    result = checked(name, 4.0, 400_000, 0.1, claimed=2.0)
    assert result.verdict == CLAIM_REJECTED
    assert result.epsilon_lower > 2.0


@OPACUS
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("rate", "noise", "steps"),
    [(0.1, 2.0, 50), (0.02, 1.1531, 777), pytest.param(0.00427, 1.1, 14_062, marks=NIGHTLY)],
)
def test_our_epsilon_of_dp_sgd_is_that_of_opacus_best_accountant(rate: float, noise: float, steps: int) -> None:
    """Its PRV accountant adds the error that it was allowed."""
    from opacus.accountants import PRVAccountant

    theirs, allowed = PRVAccountant(), 1e-3
    theirs.history = [(noise, rate, steps)]
    found = theirs.get_epsilon(DELTA, eps_error=allowed, delta_error=1e-9) - allowed
    lower, upper = enclosure(Sampled(rate, noise, steps), DELTA)
    assert max(abs(found - lower), abs(found - upper)) <= 1e-3 * max(1.0, upper)
    assert abs(found - enclosure(Sampled(rate, 0.99 * noise, steps), DELTA)[1]) > 1e-3 * max(1.0, upper)


@OPACUS
def test_opacus_training_has_the_claimed_noise_and_clipping() -> None:
    """What ``check-training`` sees of it: a sampled canary moves its columns by C, and nobody else does."""
    config = TrainingCheckConfig("", 4, noise=1.1446)
    settings, others = settings_of(config), others_of(config, "alone")
    scale = settings["learning_rate"] / (config.sampling_rate * config.records)
    rows = np.insert(others, 7, canary_of(config), axis=0)
    # the noise of a million times less leaves the kicks alone: how far the weights of the canary's inputs moved
    moved = np.diff(opacus_training.train(rows, 5, settings | {"noise": 1e-6})[:, :16], axis=0)
    kicks = np.linalg.norm(moved, axis=1) / scale
    assert 1 <= (kicks > 0.5).sum() <= 20
    assert kicks[kicks > 0.5] == pytest.approx(1.0, abs=5e-3)
    steps = np.diff(opacus_training.train(others, 6, settings)[:, :16], axis=0).ravel() / scale
    assert deviation_fits(steps.astype(np.float64), 1.1446)


@OPACUS
@NIGHTLY
@pytest.mark.parametrize(("name", "rejected"), [("train", False), ("half_noise", True), ("by_engine", True)])
def test_a_check_of_opacus_trainings(name: str, rejected: bool) -> None:
    with closing(Training(f"tests.peers.opacus_training:{name}", Limits(PATIENCE))) as trainer:
        config = TrainingCheckConfig(name, 3, noise=1.1446, games=150)
        result = list(check_training(config, [trainer]))[-1].result
    assert bool(result.rejected_by) is rejected
