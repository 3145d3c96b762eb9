"""What is found in mechanisms by others, installed by ``requirements-peers.txt``; an absent one is skipped by name."""

import importlib.metadata
import importlib.util
import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import chi2, gamma, norm

from ldp_core.adapters import diffprivlib, find, flower, jax_privacy, opacus, opendp
from ldp_core.adapters._base import Additive
from ldp_core.checking.claims import CheckConfig, CheckResult
from ldp_core.checking.exam import check
from ldp_core.checking.subjects._calls import ARGUMENTS, CalledSubject, made
from ldp_core.checking.subjects._child import found as imported
from ldp_core.checking.subjects._child import function_of
from ldp_core.checking.trainings.remote import Limits, Training
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.statistics.accountant import Sampled, enclosure
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.studies.training_check.result import TrainingCheckConfig
from ldp_core.studies.training_check.run import canary_of, check_training, others_of, settings_of
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, GAUSSIAN_DELTA, TrialCounts
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
    examined: bool = False,
) -> CheckResult:
    """Check a mechanism as the command line does, made for an epsilon; with ``examined``, stop soon after the exam."""
    ours = find(name)
    scale = 1.0 if ours else None
    config = CheckConfig(name, epsilon, 1, delta, dimension=2, reports=reports, significance=significance, scale=scale)
    given = ("epsilon", "clip_norm", *(("delta",) if delta else ()))
    values = {argument: getattr(config, argument) for argument in ARGUMENTS}
    made_here = made(imported(ours or f"tests.peers.{name}"), values, given)
    subject = CalledSubject(function_of(made_here))  # in this process, whose generators are fixed
    for progress in check(replace(config, epsilon=claimed or epsilon), subject):
        result = progress.result
        if examined and progress.stage == "trials":
            break
    assert examined or result.completed
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
def test_flowers_formula_means_another_epsilon_than_it_claims() -> None:
    def really(mechanism: flower.LocalDp) -> float:
        return exact_epsilon(2.0 * mechanism.clip_norm / mechanism.deviation, DELTA)

    assert really(flower.LocalDp(1.0, 1.5)) == pytest.approx(1.6103, abs=5e-5)
    assert really(flower.LocalDpReplacement(1.0)) == pytest.approx(0.7510, abs=5e-5)
    classic = flower.LocalDp(10.0)  # with half of the sensitivity that it needs
    assert exact_epsilon(classic.clip_norm / classic.deviation, DELTA) == pytest.approx(10.3939, abs=5e-5)
    with pytest.raises(ValueError, match=r"epsilon must be .* got 10"):
        flower.LocalDpReplacement(10.0)


@FLOWER
@pytest.mark.law
@pytest.mark.parametrize("kind", [flower.LocalDp, flower.LocalDpReplacement])
def test_flowers_noise_is_that_of_its_formula(law_seed: int, kind: type[flower.LocalDp]) -> None:
    restart(law_seed)
    mechanism = kind(1.0, 1.5)
    noise = noise_of(mechanism, 200_000)
    assert deviation_fits(noise, mechanism.deviation)
    assert inside(float(noise.sum()), norm(0.0, mechanism.deviation * math.sqrt(noise.size)))
    assert not deviation_fits(noise, mechanism.deviation * 1.02)


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


@FLOWER
@NIGHTLY
def test_flowers_claim_of_one_is_rejected_by_one_threshold() -> None:
    mechanism, update, number = flower.LocalDp(1.0), np.array([0.6, 0.8], np.float32), 2_000_000
    mine, other = (mechanism.randomize(sign * update, number) @ update >= 14.0 for sign in (1, -1))
    hits, alarms = int(mine.sum()), int(other.sum())
    counts = TrialCounts(hits, number - hits, alarms, number - alarms)
    assert 1.0 < epsilon_lower_bound(counts, "clopper_pearson", 1e-6, delta=DELTA) < 1.6103


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
def test_the_unary_encodings_bits_are_as_often_1_as_its_source_says(
    law_seed: int, kind: type[pure_ldp.UnaryEncoding]
) -> None:
    restart(law_seed)
    number = 40_000
    true, other = pure_ldp.bit_probabilities(1.0, kind.optimised)
    counts = kind(1.0).randomize(np.array([0.5, -0.1], np.float32), number).sum(axis=0)
    assert accepts(int(counts[0]), number, true)
    assert accepts(int(counts[1]), number, other)
    right = 0.5 if kind.optimised else 1.0 / (1.0 + math.exp(-0.5))
    assert not accepts(int(counts[0]), number, right)


@PURE_LDP
@pytest.mark.parametrize("name", ["UnaryEncoding", pytest.param("OptimisedUnaryEncoding", marks=NIGHTLY)])
def test_the_faulty_unary_encodings_claim_is_rejected(name: str) -> None:
    result = checked(f"pure_ldp:{name}", 1.0, 100_000)
    assert result.verdict == CLAIM_REJECTED
    assert result.epsilon_lower < pure_ldp.exact_epsilon(1.0, name.startswith("Optimised"))


@OPENDP
def test_opendps_laplace_noise_is_that_of_its_claim() -> None:
    mechanism = opendp.Laplace(1.0, 1.5)
    noise = noise_of(mechanism, 20_000)
    scale = mechanism.distance(2) / mechanism.epsilon
    assert inside(float(np.abs(noise).sum()), gamma(noise.size, scale=scale))


@OPENDP
def test_opendps_normal_noise_is_more_than_its_claim_needs() -> None:
    mechanism = opendp.Gaussian(1.0, 1.5)
    assert deviation_fits(noise_of(mechanism, 10_000), mechanism.deviation)
    assert mechanism.deviation > Gaussian(1.0, 1.5, DELTA).noise_deviation
    assert exact_epsilon(3.0 / mechanism.deviation, DELTA) == pytest.approx(0.9150, abs=5e-5)


@DIFFPRIVLIB
def test_diffprivlibs_laplace_noise_is_that_of_its_claim() -> None:
    mechanism = diffprivlib.Laplace(1.0, 1.5)
    noise = noise_of(mechanism, 20_000)
    assert inside(float(np.abs(noise).sum()), gamma(noise.size, scale=mechanism.distance(2) / mechanism.epsilon))


@DIFFPRIVLIB
def test_diffprivlibs_normal_noise_is_that_of_its_claim() -> None:
    analytic = Gaussian(1.0, 1.5, DELTA).noise_deviation
    assert deviation_fits(noise_of(diffprivlib.GaussianAnalytic(1.0, 1.5), 20_000), analytic)
    classic = flower.LocalDpReplacement(1.0, 1.5).deviation
    assert deviation_fits(noise_of(diffprivlib.Gaussian(1.0, 1.5), 20_000), classic)


@OPACUS
@pytest.mark.law
@pytest.mark.parametrize("kind", [opacus.Gaussian, opacus.SecureGaussian, opacus.AccountantGaussian])
def test_opacus_noise_is_that_of_its_multiplier(law_seed: int, kind: type[opacus.Gaussian]) -> None:
    restart(law_seed)
    mechanism = kind(1.0, 1.5)
    noise = noise_of(mechanism, 200_000)
    assert deviation_fits(noise, mechanism.noise_deviation)
    assert not deviation_fits(noise, mechanism.noise_deviation * 1.02)


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


@OPACUS
@pytest.mark.nightly
def test_opacus_secure_mode_fails_the_exam_by_these_bits_alone() -> None:
    result = checked("opacus-gaussian-secure", 4.0, 100_000, DELTA)
    assert result.verdict == CLAIM_NOT_REJECTED
    assert {clause.name for clause in result.failed} == {"low-order-bits"}


@OPACUS
def test_opacus_multipliers_are_for_two_gradients_twice_the_clipping_norm_apart() -> None:
    for clip_norm in (0.5, 3.0):
        exact = opacus.Gaussian(1.0, clip_norm)
        assert exact_epsilon(2.0 * clip_norm / exact.noise_deviation, DELTA) == pytest.approx(1.0, abs=1e-6)
    found = opacus.AccountantGaussian(1.0)
    assert exact_epsilon(2.0 / found.noise_deviation, DELTA) == pytest.approx(0.9831, abs=5e-5)


@JAX_PRIVACY
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_jax_privacys_noise_is_the_exact_one_for_two_gradients_twice_the_clipping_norm_apart() -> None:
    mechanism = jax_privacy.Gaussian(1.0, 1.5)
    assert mechanism.noise_deviation == pytest.approx(Gaussian(1.0, 1.5, DELTA).noise_deviation, rel=1e-8)
    noise = noise_of(mechanism, 200_000)
    assert deviation_fits(noise, mechanism.noise_deviation)
    assert not deviation_fits(noise, mechanism.noise_deviation * 1.02)


@pytest.mark.parametrize(
    ("target", "delta", "reports", "failed"),
    [
        pytest.param("flower-local-dp-replacement", DELTA, 200_000, {"low-order-bits"}, marks=(FLOWER, NIGHTLY)),
        pytest.param("opendp-laplace", 0.0, 40_000, set(), marks=OPENDP),  # the one by day
        pytest.param("diffprivlib-laplace", 0.0, 100_000, {"low-order-bits"}, marks=(DIFFPRIVLIB, NIGHTLY)),
        pytest.param("pure_ldp:DirectEncoding", 0.0, 60_000, set(), marks=(PURE_LDP, NIGHTLY)),
        pytest.param("opacus-gaussian", DELTA, 100_000, {"low-order-bits"}, marks=(OPACUS, NIGHTLY)),
        pytest.param("opacus-accountant", DELTA, 100_000, {"low-order-bits"}, marks=(OPACUS, NIGHTLY)),
        pytest.param("jax-privacy-gaussian", DELTA, 100_000, set(), marks=(JAX_PRIVACY, NIGHTLY)),
    ],
)
def test_other_claims_are_not_rejected(target: str, delta: float, reports: int, failed: set[str]) -> None:
    result = checked(target, 1.0, reports, delta)
    assert result.verdict == CLAIM_NOT_REJECTED
    assert {clause.name for clause in result.failed} == failed


@pytest.mark.parametrize(
    ("name", "epsilon", "delta", "claimed"),
    [
        pytest.param("opendp-gaussian", 4.0, 0.1, 2.0, marks=(OPENDP, NIGHTLY)),
        pytest.param("diffprivlib-gaussian-analytic", 4.0, 0.1, 2.0, marks=(DIFFPRIVLIB, NIGHTLY)),
        pytest.param("flower-local-dp", 4.0, 0.1, 2.0, marks=(FLOWER, NIGHTLY)),
        pytest.param("opacus-gaussian-secure", 4.0, 0.1, 2.0, marks=(OPACUS, NIGHTLY)),
    ],
)
def test_a_smaller_claim_than_the_noise_is_made_for_is_rejected(
    name: str, epsilon: float, delta: float, claimed: float
) -> None:
    result = checked(name, epsilon, 400_000, delta, claimed=claimed)
    assert result.verdict == CLAIM_REJECTED
    assert result.epsilon_lower > claimed


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
def test_opacus_convolution_is_wrong_for_channels_last_alone() -> None:
    """Told upstream in the words of ``tests/peers/opacus_training.py``; once it is mended, this test says so."""
    images = torch.rand(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    right = opacus_training.convolution_gradients(images)
    apart = torch.stack([opacus_training.convolution_gradients(image[None])[0] for image in images])
    assert torch.allclose(right, apart, rtol=1e-4)
    turned = images.to(memory_format=torch.channels_last)
    assert not torch.allclose(opacus_training.convolution_gradients(turned), right, rtol=0.1)
    assert torch.equal(opacus_training.convolution_gradients(turned.contiguous()), right)
    images[:, :, :3] = 0.0  # all that it reads of 8 rows
    assert opacus_training.convolution_gradients(images).abs().max() > 0.1
    assert not opacus_training.convolution_gradients(images.to(memory_format=torch.channels_last)).any()


@OPACUS
def test_opacus_training_has_the_claimed_noise_and_clipping() -> None:
    """What ``check-training`` sees of it: a sampled canary moves its columns by C, and nobody else does."""
    config = TrainingCheckConfig("", 4, noise=1.1446)
    settings, others = settings_of(config), others_of(config, "alone")
    scale = settings["learning_rate"] / (config.sampling_rate * config.records)
    rows = np.insert(others, 7, canary_of(config), axis=0)
    # the noise of a million times less leaves the kicks alone
    kicks = _columns(opacus_training.train(rows, 5, settings | {"noise": 1e-6})) / scale
    assert 1 <= (kicks > 0.5).sum() <= 20
    assert kicks[kicks > 0.5] == pytest.approx(1.0, abs=5e-3)
    steps = np.diff(opacus_training.train(others, 6, settings)[:, :16], axis=0).ravel() / scale
    assert deviation_fits(steps.astype(np.float64), 1.1446)


def _columns(iterates: np.ndarray) -> np.ndarray:
    """Return how far the weights of the canary's inputs moved in each step."""
    return np.linalg.norm(np.diff(iterates[:, :16], axis=0), axis=1)


@OPACUS
@NIGHTLY
@pytest.mark.parametrize(("name", "rejected"), [("train", False), ("half_noise", True), ("by_engine", True)])
def test_a_check_of_opacus_trainings(name: str, rejected: bool) -> None:
    trainer = Training(f"tests.peers.opacus_training:{name}", Limits(PATIENCE))
    try:
        config = TrainingCheckConfig(name, 3, noise=1.1446, games=150)
        result = list(check_training(config, [trainer]))[-1].result
    finally:
        trainer.close()
    assert result is not None
    assert bool(result.rejected_by) is rejected
