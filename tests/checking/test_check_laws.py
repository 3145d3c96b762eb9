"""A whole check, of every liar and every honest mechanism, at a family significance of one in a million."""

import pytest

from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.types import CLAIM_NOT_REJECTED
from tests.conftest import LAW_SEEDS
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
