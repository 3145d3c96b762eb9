"""A whole run, step by step: what it yields, what a cancelled one is worth, what it refuses; with every mechanism."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ldp_core.cache import Cache
from ldp_core.errors import DeviceUnavailableError, UnsupportedCombinationError
from ldp_core.game.setup import devices_of, resolve_device
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import CompareConfig
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.reports import from_json, to_dict, to_json
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import AuditProgress, audit
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
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


@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_the_seed_determines_the_counts_whatever_the_threads(cache: Cache, sampling: str) -> None:
    config = quick(attack="benign", sampling=sampling)
    one, two = final(audit(config, cache, threads=1)), final(audit(config, cache, threads=2))
    assert one.measurements == two.measurements
    assert one.measurements != final(audit(quick(attack="benign", sampling=sampling, seed=8), cache)).measurements


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


def config_of(mechanism: str, **changes: object) -> AuditConfig:
    options: dict[str, object] = {"epsilon": 2.0, "training": "none", "num_trials": 1_500, "num_measurements": 1}
    return make_config(**options | {"attack": "dummy", "seed": 7, "mechanism": mechanism} | changes)  # type: ignore[arg-type]


@pytest.mark.few(4)
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("distinguisher", ["cosine", "selective"])
def test_an_audit_takes_each_mechanism_with_its_delta_and_a_law_only_where_it_holds(
    tmp_path_factory: pytest.TempPathFactory, name: str, distinguisher: str
) -> None:
    cache = Cache(tmp_path_factory.getbasetemp() / "family")
    result = final(audit(config_of(name, distinguisher=distinguisher), cache, threads=1))
    summary = summarize(result)
    assert result.completed
    assert (summary.expected_identification is not None) == (name in LDP_SGD_FAMILY)
    assert summary.theory_delta == (1e-5 if name == "gaussian" else 0.0)
    assert summary.theory_identification == worst_case_identification(2.0, summary.theory_delta)
    assert to_dict(result)["summary"]["theory"]["delta"] == summary.theory_delta
    assert ("1e-05" in STUDIES["audit"].text(result)) == (name == "gaussian")
    assert ("not known" in STUDIES["audit"].text(result)) == (name not in LDP_SGD_FAMILY)
    assert from_json(to_json(result)) == result
    assert (summary.verdict == "claim_rejected") == (name == "overclaiming")


@pytest.mark.parametrize("name", sorted(set(MECHANISMS) - set(LDP_SGD_FAMILY)))
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sampling": "projected"}, "^projected sampling needs"),
        ({"distinguisher": "signed-loss"}, "^signed-loss needs"),
    ],
)
def test_what_needs_ldp_sgd_s_noise_says_so(name: str, changes: dict[str, object], words: str) -> None:
    with pytest.raises(
        UnsupportedCombinationError, match=words + f" a mechanism whose noise is LDP-SGD's .* got {name}$"
    ):
        config_of(name, **changes)


def test_a_comparison_refuses_what_cannot_share_its_noise(tmp_path: Path) -> None:
    for name in sorted(set(MECHANISMS) - set(LDP_SGD_FAMILY)):
        config = CompareConfig(("dummy",), (1.0,), 0, mechanism=name)
        with pytest.raises(UnsupportedCombinationError, match=f"a comparison needs a mechanism .* got {name}$"):
            next(compare(config, Cache(tmp_path), Store(tmp_path / "x.sqlite")))
