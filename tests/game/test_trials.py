"""One cell alone: what it counts, from which streams, and how it stops."""

import pytest
import torch
from torch import Generator

from ldp_core.distinguishers import CosineSimilarity
from ldp_core.errors import MechanismContractError, UnsupportedCombinationError
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.randomness.blocks import chunk_size
from ldp_core.statistics.theory import cosine_identification, worst_case_identification
from ldp_core.types import TrialCounts
from tests.benchmarks.naive_loop import one_report_at_a_time
from tests.game.alone import run_trials
from tests.helpers.binomial import accepts
from tests.helpers.liars import Plain


def pair(dimension: int = 40, norm: float = 0.7) -> GradientPair:
    values = torch.randn(2, dimension, generator=Generator().manual_seed(2))
    return GradientPair(*(norm * values / values.norm(dim=1, keepdim=True)))


def last(*args: object, **options: object) -> TrialCounts:
    *_, counts = run_trials(*args, **options)  # type: ignore[arg-type]
    return counts


@pytest.mark.law
def test_the_obvious_loop_follows_the_same_law(law_seed: int) -> None:
    gradients, trials = pair(6, 0.7), 6_000
    counts = TrialCounts(
        *one_report_at_a_time(gradients.first, gradients.second, 3.0, 1.0, trials, Generator().manual_seed(law_seed))
    )
    geometry = gradients.geometry
    law = cosine_identification(3.0, geometry.angle_degrees, geometry.norm_first, geometry.norm_second, 1.0)
    assert accepts(counts.num_right, trials, law)
    assert accepts(last(LdpSgd(3.0), CosineSimilarity(), gradients, trials, seed=law_seed).num_right, trials, law)


@pytest.mark.parametrize("threads", [1, 3])
def test_each_yield_is_the_result_of_a_shorter_run(threads: int) -> None:
    size = chunk_size(40)
    run = run_trials(LdpSgd(1.0), CosineSimilarity(), pair(), 10**9, seed=5, threads=threads)
    seen = [next(run) for _ in range(3)]
    run.close()
    for index, counts in enumerate(seen, start=1):
        assert counts.num_trials == index * size
        assert counts == last(LdpSgd(1.0), CosineSimilarity(), pair(), index * size, seed=5)


def test_a_stranger_with_nothing_but_randomize_is_tested_too() -> None:
    gradients, trials = GradientPair(torch.ones(8), -torch.ones(8)), 100_000
    counts = last(Plain(1.0), CosineSimilarity(), gradients, trials, seed=1, threads=2)
    assert accepts(counts.num_right, trials, worst_case_identification(1.0))
    assert accepts(counts.num_first, trials, 0.5)


@pytest.mark.parametrize(("fault", "words"), [("nan", "finite"), ("shape", "shape"), ("type", "list")])
def test_a_broken_contract_is_named(fault: str, words: str) -> None:
    with pytest.raises(MechanismContractError, match=words):
        last(Plain(1.0, fault), CosineSimilarity(), pair(), 100, seed=1)


def test_projected_sampling_refuses_a_stranger() -> None:
    with pytest.raises(UnsupportedCombinationError, match="projected sampling needs our own mechanism"):
        last(Plain(1.0), CosineSimilarity(), pair(), 100, seed=1, sampling="projected")
