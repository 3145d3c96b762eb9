"""A whole run, step by step: what it yields, what a cancelled one is worth, what it refuses."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from ldp_core.cache import Cache
from ldp_core.configuration import make_config
from ldp_core.distinguishers import CosineSimilarity
from ldp_core.game.summary import summarize
from ldp_core.mechanisms import LdpSgd
from ldp_core.randomness.coins import coin_stream
from ldp_core.reports import from_json, to_json
from ldp_core.studies.audit.run import AuditProgress, audit
from ldp_core.types import AuditConfig, AuditResult
from tests.game.alone import run_trials


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


def quick(**changes: object) -> AuditConfig:
    return make_config(
        **{  # type: ignore[arg-type]
            "attack": "gradient-flip", "epsilon": 1.0, "seed": 7, "training": "none", "num_trials": 500,
            "num_measurements": 2,
        } | changes,
    )  # fmt: skip


def final(run: Iterator[AuditProgress]) -> AuditResult:
    *_, last = run
    return last.result


# What a run yields.


def test_the_steps_come_in_order_and_the_last_one_is_complete(cache: Cache) -> None:
    steps = list(audit(quick(), cache, threads=1))
    stages = [stage for stage, _ in itertools.groupby(step.stage for step in steps)]
    assert stages == ["data", "training", "crafting", "trials", "crafting", "trials"]
    assert [step.result.completed for step in steps] == [False] * (len(steps) - 1) + [True]
    assert all(step.done <= step.total or step.total == 0 for step in steps)
    assert (steps[-1].done, steps[-1].total) == (1_000, 1_000)


def test_every_yielded_result_is_valid_and_extends_the_one_before(cache: Cache) -> None:
    before: AuditResult | None = None
    for step in audit(quick(), cache, threads=2):
        assert from_json(to_json(step.result)) == step.result
        if step.stage == "trials":
            assert step.done == step.result.counts.num_trials
            if step.pair is None:  # the measurement's first trials are in work
                assert step.done % 500 == 0
            else:
                assert step.pair.geometry == step.result.measurements[-1].pair
        else:
            assert step.pair is None
        if before is not None:
            earlier, later = before.counts, step.result.counts
            assert earlier.first_as_first <= later.first_as_first
            assert earlier.first_as_second <= later.first_as_second
            assert earlier.second_as_first <= later.second_as_first
            assert earlier.second_as_second <= later.second_as_second
            assert before.measurements[:-1] == step.result.measurements[: max(0, len(before.measurements) - 1)]
        before = step.result
    assert before is not None
    assert [m.counts.num_trials for m in before.measurements] == [500, 500]


def test_a_step_shows_nothing_private(cache: Cache) -> None:
    *_, last = audit(quick(), cache)
    assert last.pair is not None
    assert "pair=<" not in repr(last)
    assert "tensor" not in repr(last)


# Cancelling.


@pytest.mark.parametrize(("watch", "significance"), [(False, 0.05), (True, 0.01)])
def test_a_cancelled_run_is_valid_and_states_the_anytime_bound(cache: Cache, watch: bool, significance: float) -> None:
    config = quick(num_trials=2_000, watch=watch)
    run = audit(config, cache, threads=2)
    for step in run:
        if step.done >= 700 and step.stage == "trials":
            break
    run.close()
    summary = summarize(step.result)
    assert not step.result.completed
    assert 700 <= step.result.counts.num_trials < 2_000
    assert summary.bound == "pooled_anytime"
    assert summary.significance == pytest.approx(significance)
    assert from_json(to_json(step.result)) == step.result


def test_a_cancelled_runs_counts_are_the_beginning_of_the_whole_ones(cache: Cache) -> None:
    whole = {step.done: step.result.counts for step in audit(quick(), cache, threads=1) if step.stage == "trials"}
    run = audit(quick(), cache, threads=2)
    stopped = next(step.result.counts for step in run if step.stage == "trials" and step.done)
    run.close()
    assert 0 < stopped.num_trials < 500
    assert stopped == whole[stopped.num_trials]


# Repeating.


@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_the_seed_determines_the_counts_whatever_the_threads(cache: Cache, sampling: str) -> None:
    config = quick(attack="benign", sampling=sampling)
    one, two = final(audit(config, cache, threads=1)), final(audit(config, cache, threads=2))
    assert one.measurements == two.measurements
    assert one.measurements != final(audit(quick(attack="benign", sampling=sampling, seed=8), cache)).measurements


def test_a_run_leaves_the_global_generators_alone(cache: Cache) -> None:
    torch_state, numpy_state = torch.random.get_rng_state(), np.random.get_state(legacy=False)  # noqa: NPY002
    final(audit(quick(training="light", num_trials=10), cache))
    assert torch.equal(torch.random.get_rng_state(), torch_state)
    after = np.random.get_state(legacy=False)  # noqa: NPY002
    assert isinstance(after, dict)
    assert isinstance(numpy_state, dict)
    assert after["state"]["pos"] == numpy_state["state"]["pos"]
    assert (after["state"]["key"] == numpy_state["state"]["key"]).all()


def test_each_measurements_counts_are_those_of_the_loop_on_its_streams(cache: Cache) -> None:
    config = quick(attack="benign")
    pairs = {len(step.result.measurements) - 1: step.pair for step in audit(config, cache) if step.pair is not None}
    result = final(audit(config, cache))
    for measurement, pair in pairs.items():
        *_, expected = run_trials(
            LdpSgd(1.0), CosineSimilarity(), pair, 500, seed=7, measurement=measurement,
            stream=coin_stream("benign", 1.0),
        )  # fmt: skip
        assert result.measurements[measurement].counts == expected
    assert len(pairs) == 2


# What the verdict is about.


def test_a_mechanism_that_overclaims_is_rejected_and_an_honest_one_is_not(cache: Cache) -> None:
    options = {"attack": "dummy", "num_trials": 20_000, "sampling": "projected", "significance": 1e-9}
    honest, liar = (
        summarize(final(audit(quick(mechanism=name, **options), cache))) for name in ("ldp-sgd", "overclaiming")
    )
    assert (honest.verdict, liar.verdict) == ("claim_not_rejected", "claim_rejected")
    assert liar.state == "above"


# Configurations.


def test_without_a_seed_the_operating_system_gives_one_of_53_bits() -> None:
    seeds = {make_config(attack="dummy", epsilon=1.0).seed for _ in range(20)}
    assert len(seeds) == 20
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**32
