"""Every faulty mechanism does exactly what its sentence says is wrong with it, and nothing else."""

import math

import pytest
import torch
from torch import Generator, Tensor

from ldp_core.mechanisms import Gaussian
from ldp_core.mechanisms.faulty import FAULTY
from tests.helpers.binomial import accepts

DIMENSION, REPORTS = 8, 20_000
LAW = pytest.mark.law
SIGMA = Gaussian(1.0).noise_deviation
QUARTILE = 0.6744897501960817
"""Half of all normal numbers are smaller, in standard deviations."""


def keeps(epsilon: float) -> float:
    return 1.0 / (1.0 + math.exp(-epsilon))


def drawn(name: str, gradient: Tensor, number: int, seed: int = 1, epsilon: float = 1.0) -> Tensor:
    reports: Tensor = FAULTY[name](epsilon).randomize(gradient, number, Generator().manual_seed(seed))
    return reports


def own_side(name: str, gradient: Tensor, number: int, seed: int = 1) -> int:
    """Return how many reports lie on the gradient's side."""
    return int((drawn(name, gradient, number, seed) @ gradient > 0).sum())


def axis(norm: float = 1.0) -> Tensor:
    gradient = torch.zeros(DIMENSION)
    gradient[2] = norm
    return gradient


def dummy() -> Tensor:
    return torch.full((DIMENSION,), DIMENSION**-0.5)


@LAW
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


@LAW
def test_only_the_dummy_is_treated_as_claimed(law_seed: int) -> None:
    name = "faulty-honest-for-the-dummy"
    for gradient, epsilon in ((dummy(), 1.0), (-dummy(), 1.0), (axis(), 2.0), (dummy() + 0.01 * axis(), 2.0)):
        found = own_side(name, gradient, REPORTS, law_seed)
        assert accepts(found, REPORTS, keeps(epsilon))


@LAW
def test_the_fair_start_ends_after_the_stated_number_of_reports(law_seed: int) -> None:
    liar, generator = FAULTY["faulty-fair-start"](1.0), Generator().manual_seed(law_seed)
    for start, reports in ((0, 7_000), (7_000, 13_000)):
        sides = liar.randomize(axis(), reports, generator) @ axis() > 0
        fair = sides[: 10_000 - start]
        assert accepts(int(fair.sum()), len(fair), keeps(1.0))
        unfair = sides[10_000 - start :]
        assert len(unfair) in (0, 10_000)
        assert not len(unfair) or accepts(int(unfair.sum()), len(unfair), keeps(2.0))


@LAW
@pytest.mark.parametrize(
    ("name", "half", "honest_half"),
    [
        ("faulty-laplace-l2", 2.0 * math.log(2.0), 2.0 * math.sqrt(DIMENSION) * math.log(2.0)),
        ("faulty-gaussian-sensitivity", 0.5 * QUARTILE * SIGMA, QUARTILE * SIGMA),
    ],
)
def test_the_noise_is_as_small_as_its_mistake_makes_it(
    law_seed: int, name: str, half: float, honest_half: float
) -> None:
    """Half of the noise of every coordinate lies within a limit; the honest noise has a wider one."""
    noise = (drawn(name, axis(), REPORTS, law_seed) - axis()).abs()
    assert accepts(int((noise < half).sum()), noise.numel(), 0.5)
    assert not accepts(int((noise < honest_half).sum()), noise.numel(), 0.5)
