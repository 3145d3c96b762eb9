"""A whole run, step by step: what it yields, what a cancelled one is worth, what it refuses."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.configuration import make_config
from ldp_core.distinguishers import CosineSimilarity
from ldp_core.errors import DatasetUnavailableError, DeviceUnavailableError
from ldp_core.game.setup import resolve_device, versions
from ldp_core.game.summary import summarize
from ldp_core.mechanisms import LdpSgd
from ldp_core.randomness.coins import coin_stream
from ldp_core.reports import from_json, to_json
from ldp_core.statistics.theory import cosine_identification, worst_case_identification
from ldp_core.studies.audit.run import AuditProgress, audit, values_per_second
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


def test_each_measurement_has_a_pair_and_an_expectation_of_its_own(cache: Cache) -> None:
    result = final(audit(quick(attack="benign", num_measurements=4), cache))
    assert len({m.pair for m in result.measurements}) == 4
    for m in result.measurements:
        shape = (m.pair.angle_degrees, m.pair.norm_first, m.pair.norm_second)
        assert m.expected_identification == cosine_identification(1.0, *shape, 1.0)


def test_a_step_shows_nothing_private(cache: Cache) -> None:
    *_, last = audit(quick(), cache)
    assert last.pair is not None
    assert "pair=<" not in repr(last)
    assert "tensor" not in repr(last)


def test_nothing_starts_before_the_first_step(cache: Cache) -> None:
    run = audit(quick(dataset="mnist"), cache, data_dir=Path("/nonexistent"))
    assert next(run).stage == "data"
    with pytest.raises(DatasetUnavailableError, match="/nonexistent"):
        next(run)


def test_training_is_reported_pass_by_pass_and_never_repeated(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    config = quick(training="light", num_measurements=1, num_trials=1)
    passes = [step.done for step in audit(config, cache) if step.stage == "training"]
    assert passes[:2] == [0, 1]
    assert passes[-1] == len(set(passes)) - 1 >= 1
    again = [step.done for step in audit(config, cache) if step.stage == "training"]
    assert again == [0]


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


def test_two_bounds_are_read_off_the_same_counts(cache: Cache) -> None:
    pooled, apart = (final(audit(quick(bound=bound), cache)) for bound in ("pooled", "clopper_pearson"))
    assert pooled.counts == apart.counts
    assert summarize(pooled).bound == "pooled"
    assert summarize(apart).bound == "clopper_pearson"


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


def test_a_collusion_that_falls_short_of_the_norm_says_so_and_expects_less(cache: Cache) -> None:
    result = final(audit(quick(attack="collusion", clip_norm=1e5, num_measurements=1), cache))
    (measurement,) = result.measurements
    assert measurement.pair.norm_first < 1e5
    assert "fell short of the clipping norm" in measurement.pair.description
    assert measurement.expected_identification is not None
    assert measurement.expected_identification < worst_case_identification(1.0) - 0.1


@pytest.mark.parametrize("attack", ADVERSARIES)
@pytest.mark.parametrize("distinguisher", ["cosine", "selective"])
@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_every_combination_runs(cache: Cache, attack: str, distinguisher: str, sampling: str) -> None:
    config = quick(
        attack=attack, distinguisher=distinguisher, sampling=sampling, training="light", num_trials=20,
        num_measurements=1,
    )  # fmt: skip
    result = final(audit(config, cache))
    assert result.completed
    assert result.counts.num_trials == 20
    assert result.device == "cpu"


# Configurations.


def test_without_a_seed_the_operating_system_gives_one_of_53_bits() -> None:
    seeds = {make_config(attack="dummy", epsilon=1.0).seed for _ in range(20)}
    assert len(seeds) == 20
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**32


def test_without_a_bound_the_distinguisher_gives_its_own() -> None:
    assert make_config(attack="dummy", epsilon=1.0).bound == "pooled"
    assert make_config(attack="dummy", epsilon=1.0, distinguisher="selective").bound == "clopper_pearson"
    assert make_config(attack="dummy", epsilon=1.0, bound="clopper_pearson").bound == "clopper_pearson"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"attack": "sabotage"}, r"^attack must be one of benign, .*, got 'sabotage'$"),
        ({"mechanism": "laplac"}, r"^mechanism must be one of ldp-sgd, .*, overclaiming, got 'laplac'$"),
        ({"distinguisher": "loss"}, r"^distinguisher must be one of cosine, selective, loss-fall, .*, got 'loss'$"),
        ({"dataset": "imagenet"}, r"^dataset must be one of digits, mnist, .*, got 'imagenet'$"),
        ({"bound": "hoeffding"}, r"^bound must be one of pooled, clopper_pearson, got 'hoeffding'$"),
        ({"epsilon": 0.0}, r"^epsilon must be a number from 0\.01 to 30, got 0\.0$"),
        ({"seed": -3}, r"^seed must be a whole number from 0 to \d+, got -3$"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        quick(**changes)


@pytest.mark.parametrize("threads", [0, -1, 1.5, 1025])
def test_a_wrong_number_of_threads_names_itself(cache: Cache, threads: object) -> None:
    with pytest.raises(ValueError, match=r"^threads must be a whole number from 1 to 1024, got"):
        next(audit(quick(), cache, threads=threads))  # type: ignore[arg-type]


def test_devices() -> None:
    assert resolve_device("cpu") == "cpu"
    assert resolve_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(ValueError, match=r"^device must be one of auto, cpu, cuda, got 'tpu'$"):
        resolve_device("tpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_cuda_without_a_device_is_one_sentence(cache: Cache) -> None:
    with pytest.raises(DeviceUnavailableError, match=r"^device must exist on this machine, got cuda"):
        next(audit(quick(), cache, device="cuda"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
def test_a_run_on_cuda_completes_and_says_where_it_ran(cache: Cache) -> None:
    result = final(audit(quick(), cache, device="cuda"))
    assert result.completed
    assert result.device == "cuda"
    assert "gpu" in result.versions


def test_a_result_names_the_packages_that_made_it(cache: Cache) -> None:
    result = final(audit(quick(num_trials=1, num_measurements=1), cache))
    assert result.versions == versions()
    assert result.versions["torch"].partition("+")[0] == torch.__version__.partition("+")[0]
    assert result.counts.num_trials == 1


def test_the_probe_of_speed_gives_a_usable_number() -> None:
    assert values_per_second(1, seconds=0.01) > 0
