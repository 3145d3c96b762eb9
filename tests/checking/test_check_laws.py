"""A whole check of every liar and every honest mechanism; each liar does exactly what its sentence says is wrong."""

import math

import pytest
import torch
from torch import Generator, Tensor

from ldp_core.mechanisms import MECHANISMS, Gaussian
from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.types import CLAIM_NOT_REJECTED
from tests.conftest import LAW_SEEDS
from tests.helpers.binomial import accepts
from tests.helpers.checking import BUDGETS, config_of, run_check, shown_by

pytestmark = pytest.mark.law
HONEST = [name for name in MECHANISMS if name != "overclaiming"]

BY_DAY = "faulty-laplace-l2"
"""One that is learned; a side shows the one of the commands' tests, and ``test_exam.py`` has what the exam catches."""
LIARS = [pytest.param(name, marks=[] if name == BY_DAY else pytest.mark.nightly) for name in FAULTY]
SIZES = [
    (64, 10_000),
    pytest.param(8, 30_000, marks=pytest.mark.nightly),
    pytest.param(8, 100_000, marks=pytest.mark.nightly),
    pytest.param(1, 30_000, marks=pytest.mark.nightly),
]
"""Dimensions and reports of the honest ones; as many as the smallest lie needs only where time is given for it."""
if len(LAW_SEEDS) > 1:
    SIZES.append(pytest.param(8, max(BUDGETS.values()), marks=pytest.mark.nightly))


@pytest.mark.parametrize("name", LIARS)
def test_every_liar_is_caught_by_what_it_says_catches_it(law_seed: int, name: str) -> None:
    ways = frozenset(FAULTY[name].caught_by)
    result = run_check(config_of(name, law_seed), ways)
    assert ways & shown_by(result), result.clauses


@pytest.mark.few(2)
@pytest.mark.parametrize(("dimension", "reports"), SIZES)
@pytest.mark.parametrize("name", HONEST)
def test_every_honest_mechanism_passes(law_seed: int, name: str, dimension: int, reports: int) -> None:
    if (name, dimension) == ("priv-unit", 1):
        pytest.skip("a cap of a sphere needs two dimensions")
    result = run_check(config_of(name, law_seed, dimension=dimension, reports=reports))
    assert result.completed
    assert result.verdict == CLAIM_NOT_REJECTED
    assert not shown_by(result), result.failed


DIMENSION, REPORTS = 8, 20_000
SIGMA = Gaussian(1.0).noise_deviation
QUARTILE = 0.6744897501960817
"""Half of all normal numbers are smaller, in standard deviations."""


def keeps(epsilon: float) -> float:
    return 1.0 / (1.0 + math.exp(-epsilon))


def drawn(name: str, gradient: Tensor, number: int, seed: int = 1, epsilon: float = 1.0) -> Tensor:
    return FAULTY[name](epsilon).randomize(gradient, number, Generator().manual_seed(seed))


def own_side(name: str, gradient: Tensor, number: int, seed: int = 1) -> int:
    """Return how many reports lie on the gradient's side."""
    return int((drawn(name, gradient, number, seed) @ gradient > 0).sum())


def axis(norm: float = 1.0) -> Tensor:
    gradient = torch.zeros(DIMENSION)
    gradient[2] = norm
    return gradient


def dummy() -> Tensor:
    return torch.full((DIMENSION,), DIMENSION**-0.5)


@pytest.mark.parametrize(
    ("name", "excess", "number"),
    [
        ("faulty-five-percent", 1.05, 700_000),
        ("faulty-ten-percent", 1.1, 200_000),
        ("faulty-twenty-percent", 1.2, 60_000),
        ("faulty-twice-epsilon", 2.0, 4_000),
    ],
)
def test_the_coin_is_off_by_as_much_as_stated(law_seed: int, name: str, excess: float, number: int) -> None:
    found = own_side(name, axis(), number, law_seed)
    assert accepts(found, number, keeps(excess))
    assert not accepts(found, number, keeps(1.0))


def test_only_the_dummy_is_treated_as_claimed(law_seed: int) -> None:
    name = "faulty-honest-for-the-dummy"
    for gradient, epsilon in ((dummy(), 1.0), (-dummy(), 1.0), (axis(), 2.0), (dummy() + 0.01 * axis(), 2.0)):
        found = own_side(name, gradient, REPORTS, law_seed)
        assert accepts(found, REPORTS, keeps(epsilon))


def test_the_fair_start_ends_after_the_stated_number_of_reports(law_seed: int) -> None:
    liar, generator = FAULTY["faulty-fair-start"](1.0), Generator().manual_seed(law_seed)
    for start, reports in ((0, 7_000), (7_000, 13_000)):
        sides = liar.randomize(axis(), reports, generator) @ axis() > 0
        fair = sides[: 10_000 - start]
        assert accepts(int(fair.sum()), len(fair), keeps(1.0))
        unfair = sides[10_000 - start :]
        assert len(unfair) in (0, 10_000)
        assert not len(unfair) or accepts(int(unfair.sum()), len(unfair), keeps(2.0))


@pytest.mark.parametrize(
    ("name", "half", "honest_half"),
    [
        ("faulty-laplace-l2", 2.0 * math.log(2.0), 2.0 * math.sqrt(DIMENSION) * math.log(2.0)),
        ("faulty-gaussian-sensitivity", 0.5 * QUARTILE * SIGMA, QUARTILE * SIGMA),
    ],
)
def test_the_noise_is_as_small_as_its_mistake_makes(law_seed: int, name: str, half: float, honest_half: float) -> None:
    """Half of the noise of every coordinate lies within a limit; the honest noise has a wider one."""
    noise = (drawn(name, axis(), REPORTS, law_seed) - axis()).abs()
    assert accepts(int((noise < half).sum()), noise.numel(), 0.5)
    assert not accepts(int((noise < honest_half).sum()), noise.numel(), 0.5)
