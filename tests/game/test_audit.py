"""A whole run, step by step: what it yields, what a cancelled one is worth, what it refuses."""

from collections.abc import Iterator

import pytest

from ldp_core.cache import Cache
from ldp_core.errors import DeviceUnavailableError
from ldp_core.game.setup import devices_of, resolve_device
from ldp_core.game.summary import summarize
from ldp_core.reports import from_json, to_json
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import AuditProgress, audit
from ldp_core.types import AuditConfig, AuditResult


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
    assert [m.counts.num_trials for m in before.measurements] == [500, 500]


def test_a_step_shows_nothing_private(cache: Cache) -> None:
    *_, last = audit(quick(), cache)
    assert last.pair is not None
    assert "pair=<" not in repr(last)
    assert "tensor" not in repr(last)


# Cancelling.


@pytest.mark.parametrize(("watch", "significance"), [(False, 0.001), (True, 0.0002)])
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


# Repeating.


@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_the_seed_determines_the_counts_whatever_the_threads(cache: Cache, sampling: str) -> None:
    config = quick(attack="benign", sampling=sampling)
    one, two = final(audit(config, cache, threads=1)), final(audit(config, cache, threads=2))
    assert one.measurements == two.measurements
    assert one.measurements != final(audit(quick(attack="benign", sampling=sampling, seed=8), cache)).measurements


# Configurations.


def test_without_a_seed_the_operating_system_gives_one_of_53_bits() -> None:
    seeds = {make_config(attack="dummy", epsilon=1.0).seed for _ in range(20)}
    assert len(seeds) == 20
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**32


@pytest.mark.parametrize(
    ("asked", "cards", "found"),
    [
        ("cpu", 2, ("cpu",)), ("auto", 0, ("cpu",)), ("auto", 2, ("cuda:0", "cuda:1")), ("cuda", 1, ("cuda:0",)),
        ("cuda", 2, ("cuda:0", "cuda:1")), ("cuda:1", 2, ("cuda:1",)), ("cuda", 0, DeviceUnavailableError),
        ("cuda:2", 2, DeviceUnavailableError), ("cuda:x", 2, ValueError), ("gpu", 2, ValueError), (None, 2, ValueError),
    ],
)  # fmt: skip
def test_cuda_stands_for_every_card_and_a_number_for_one(
    monkeypatch: pytest.MonkeyPatch, asked: str, cards: int, found: tuple[str, ...] | type[Exception]
) -> None:
    """No machine of ours has two cards: what torch says of them is put in its mouth."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: cards > 0)
    monkeypatch.setattr("torch.cuda.device_count", lambda: cards)
    if isinstance(found, tuple):
        assert devices_of(resolve_device(asked)) == found
        return
    with pytest.raises(found, match="device must"):
        resolve_device(asked)
