"""Table 1 of the Japanese paper on real MNIST digits, against the exact laws."""

from pathlib import Path

import pytest

from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.statistics.published import IDENTIFICATION
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.law
EPSILONS = (0.5, 1.0, 2.0, 4.0)


@pytest.fixture(scope="module")
def store() -> Store:
    """Return one store for all tests: cells that several of them look at are counted once."""
    return Store()


def run(cache: Cache, store: Store, data_dir: Path, seed: int, **changes: object) -> CompareResult:
    settings: dict[str, object] = {"attacks": ATTACKS, "epsilons": EPSILONS, "seed": seed, "datasets": ("mnist",)}
    *_, last = compare(CompareConfig(**settings | changes), cache, store, data_dir=data_dir)  # type: ignore[arg-type]
    assert last.result.completed
    assert last.notes == ()
    return last.result


def test_the_printed_rows_that_depend_on_no_training_are_met(
    cache: Cache, store: Store, data_dir: Path, law_seed: int
) -> None:
    """Both sides err: the papers' 100,000 trials and their rounding, and ours."""
    result = run(cache, store, data_dir, law_seed, attacks=("collusion", "dummy"))
    for attack in ("collusion", "dummy"):
        for epsilon in EPSILONS:
            printed = IDENTIFICATION[attack][epsilon]
            (cell,) = result.select(attack=attack, epsilon=epsilon)
            lowest, highest = printed - 0.006, printed + 0.006  # 4 deviations of 100,000 trials at 1/2, and 0.05 points
            nearest = min(max(cell.counts.num_right / cell.counts.num_trials, lowest), highest)
            assert accepts(cell.counts.num_right, cell.counts.num_trials, nearest), (attack, epsilon)


def test_a_mechanism_that_spends_more_is_caught_in_every_flipped_cell(
    cache: Cache, store: Store, data_dir: Path, law_seed: int
) -> None:
    result = run(cache, store, data_dir, law_seed, attacks=("dummy",), mechanism="overclaiming")
    for config, _, item in result.measured():
        assert item.expected_identification is not None
        assert not accepts(item.counts.num_right, config.num_trials, item.expected_identification), config
