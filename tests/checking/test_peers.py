"""What is found in mechanisms by others, installed by ``requirements-peers.txt``; an absent one is skipped by name."""

import importlib.metadata
import importlib.util
import itertools
import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from ldp_core.adapters import find, flower, jax_privacy, opacus, opendp
from ldp_core.checking.claims import CheckConfig, CheckResult
from ldp_core.checking.exam import check
from ldp_core.checking.subjects._calls import ARGUMENTS, CalledSubject, made
from ldp_core.checking.subjects._child import found as imported
from ldp_core.checking.subjects._child import function_of
from ldp_core.checking.trainings.remote import Limits, Training
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.statistics.accountant import Sampled, enclosure
from ldp_core.studies.training_check.result import TrainingCheckConfig
from ldp_core.studies.training_check.run import check_training
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, GAUSSIAN_DELTA
from tests.helpers.patience import PATIENCE
from tests.peers import exact_epsilon, pure_ldp

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


def checked(name: str, epsilon: float, reports: int, delta: float = 0.0, *, significance: float = 1e-9) -> CheckResult:
    """Check a mechanism as the command line does; what draws from the system's randomness is blamed once in 10^9."""
    ours = find(name)
    scale = 1.0 if ours else None
    config = CheckConfig(name, epsilon, 1, delta, dimension=2, reports=reports, significance=significance, scale=scale)
    given = ("epsilon", "clip_norm", *(("delta",) if delta else ()))
    values = {argument: getattr(config, argument) for argument in ARGUMENTS}
    made_here = made(imported(ours or f"tests.peers.{name}"), values, given)
    subject = CalledSubject(function_of(made_here))  # in this process, whose generators are fixed
    *_, last = check(config, subject)
    assert last.result.completed
    return last.result


@FLOWER
def test_flowers_formula_means_another_epsilon_than_it_claims() -> None:
    def really(mechanism: flower.LocalDp) -> float:
        return exact_epsilon(2.0 * mechanism.clip_norm / mechanism.deviation, DELTA)

    assert really(flower.LocalDp(1.0, 1.5)) == pytest.approx(1.6103, abs=5e-5)
    assert really(flower.LocalDpReplacement(1.0)) == pytest.approx(0.7510, abs=5e-5)
    assert really(flower.LocalDpReplacement(10.0)) == pytest.approx(10.3939, abs=5e-5)


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


@PURE_LDP
@pytest.mark.parametrize("name", ["UnaryEncoding", pytest.param("OptimisedUnaryEncoding", marks=NIGHTLY)])
def test_the_faulty_unary_encodings_claim_is_rejected(name: str) -> None:
    result = checked(f"pure_ldp:{name}", 1.0, 100_000)
    assert result.verdict == CLAIM_REJECTED
    assert result.epsilon_lower < pure_ldp.exact_epsilon(1.0, name.startswith("Optimised"))


@OPENDP
def test_opendps_normal_noise_is_more_than_its_claim_needs() -> None:
    mechanism = opendp.Gaussian(1.0, 1.5)

    assert mechanism.deviation > Gaussian(1.0, 1.5, DELTA).noise_deviation
    assert exact_epsilon(3.0 / mechanism.deviation, DELTA) == pytest.approx(0.9150, abs=5e-5)


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


@pytest.mark.parametrize(
    ("target", "delta", "reports", "failed"),
    [
        pytest.param("flower-local-dp-replacement", DELTA, 200_000, {"low-order-bits"}, marks=(FLOWER, NIGHTLY)),
        pytest.param("opendp-laplace", 0.0, 40_000, set(), marks=OPENDP),  # the one by day
        pytest.param("opendp-gaussian", DELTA, 200_000, set(), marks=(OPENDP, NIGHTLY)),
        pytest.param("diffprivlib-laplace", 0.0, 100_000, {"low-order-bits"}, marks=(DIFFPRIVLIB, NIGHTLY)),
        pytest.param("pure_ldp:DirectEncoding", 0.0, 60_000, set(), marks=(PURE_LDP, NIGHTLY)),
        pytest.param("opacus-gaussian", DELTA, 100_000, {"low-order-bits"}, marks=(OPACUS, NIGHTLY)),
        pytest.param("jax-privacy-gaussian", DELTA, 100_000, set(), marks=(JAX_PRIVACY, NIGHTLY)),
    ],
)
def test_other_claims_are_not_rejected(target: str, delta: float, reports: int, failed: set[str]) -> None:
    result = checked(target, 1.0, reports, delta)
    assert result.verdict == CLAIM_NOT_REJECTED
    assert {clause.name for clause in result.failed} == failed


@OPACUS
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("rate", "noise", "steps"), [(0.1, 2.0, 50), (0.02, 1.1531, 777), pytest.param(0.00427, 1.1, 14_062, marks=NIGHTLY)]
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
@NIGHTLY
@pytest.mark.parametrize(("name", "rejected"), [("train", False), ("half_noise", True), ("by_engine", True)])
def test_a_check_of_opacus_trainings(name: str, rejected: bool) -> None:
    trainer = Training(f"tests.peers.opacus_training:{name}", Limits(PATIENCE))
    try:
        config = TrainingCheckConfig(name, 3, noise=1.1446, games=150)
        result = list(check_training(config, [trainer]))[-1].result
    finally:
        trainer.close()
    assert bool(result.rejected_by) is rejected
