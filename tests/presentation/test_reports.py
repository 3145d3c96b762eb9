"""A result survives JSON, says nothing private, and a report that cannot be true is refused in one sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.game.summary import STATES, summarize
from ldp_core.reports import from_json, to_dict, to_json
from ldp_core.studies import STUDIES
from ldp_core.types import (
    BOUNDS,
    SAMPLINGS,
    TRAININGS,
    AuditConfig,
    AuditResult,
    MeasurementResult,
    PairGeometry,
    TrialCounts,
)
from tests.cli.commands import strict_json
from tests.helpers.binomial import balanced

configs = st.builds(
    AuditConfig,
    attack=st.sampled_from(["benign", "label-flip", "gradient-flip", "collusion", "dummy"]),
    epsilon=st.floats(0.01, 30.0),
    bound=st.sampled_from(BOUNDS),
    seed=st.integers(0, 2**63 - 1),
    mechanism=st.sampled_from(["ldp-sgd", "overclaiming"]),
    distinguisher=st.sampled_from(["cosine", "selective"]),
    clip_norm=st.floats(1e-6, 1e6),
    training=st.sampled_from(TRAININGS),
    num_trials=st.just(4_000),
    num_measurements=st.integers(3, 10),
    significance=st.floats(1e-9, 0.5),
    watch=st.booleans(),
    sampling=st.sampled_from(SAMPLINGS),
)
geometries = st.builds(
    PairGeometry, st.floats(0.0, 180.0), st.floats(0.0, 1e30), st.floats(0.0, 1e30), st.just("gradients of two images")
)
measured = st.builds(
    MeasurementResult,
    geometries,
    st.builds(balanced, st.integers(0, 2_000), st.just(2_000)) | st.just(TrialCounts()),
    st.one_of(st.none(), st.floats(0.5, 1.0)),
)


@st.composite
def results(draw: st.DrawFn) -> AuditResult:
    config, measurements = draw(configs), tuple(draw(st.lists(measured, max_size=3)))
    trials = sum(measurement.counts.num_trials for measurement in measurements)
    return AuditResult(
        config,
        measurements,
        trials == config.num_trials * config.num_measurements,
        draw(st.floats(0.0, 1e9)),
        "cpu",
        {"python": "3.11.9"},
    )


def example(*counts: TrialCounts, num_measurements: int = 2, **options: Any) -> AuditResult:
    config = AuditConfig(
        **{"attack": "gradient-flip", "epsilon": 1.0, "bound": "pooled", "seed": 7, "num_trials": 10, **options},
        num_measurements=num_measurements,
    )
    geometry = PairGeometry(180.0, 0.5, 0.5, "gradient and its negative")
    measurements = tuple(MeasurementResult(geometry, each, 0.6) for each in counts or (TrialCounts(4, 1, 2, 3),))
    completed = sum(each.num_trials for each in counts) == 10 * num_measurements
    return AuditResult(config, measurements, completed, 1.5, "cpu", {"torch": "2.0"})


@given(results())
def test_a_result_survives_json_which_is_strict_and_holds_only_plain_values(result: AuditResult) -> None:
    assert from_json(to_json(result)) == from_json(to_json(result).encode()) == result
    report = strict_json(to_json(result))
    waiting = [report]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            assert all(isinstance(entry, dict) for entry in value), "no arrays of numbers: only measurements are a list"
            waiting += value
        else:
            assert value is None or isinstance(value, str | bool | int | float)
    assert report["state"] in STATES
    assert report["summary"]["epsilon"]["lower"] >= 0.0


def test_what_can_be_derived_is_derived_again_and_not_believed() -> None:
    forged = strict_json(to_json(example()))
    forged |= {"verdict": "claim_rejected", "state": "above", "completed": True}
    forged["summary"] = {"epsilon": {"lower": 99.0}}
    read = from_json(json.dumps(forged))
    assert read == example()
    assert not read.completed
    assert summarize(read).verdict == "claim_not_rejected"


def test_a_result_of_another_version_with_fewer_settings_says_so() -> None:
    report = to_dict(example())
    del report["config"]["server_step"], report["config"]["wrong_label"]
    with pytest.raises(ValueError, match="got one of another version without server_step, wrong_label"):
        from_json(json.dumps(report))


@given(results())
def test_the_text_says_the_verdict_and_the_seed_and_never_verified(result: AuditResult) -> None:
    text = STUDIES["audit"].text(result)
    rejected = summarize(result).verdict == "claim_rejected"
    assert ("Claim rejected" in text) == rejected
    assert ("Claim not rejected" in text) == (not rejected)
    assert f"Seed {result.config.seed}" in text
    assert "verified" not in text.lower()
    assert ("stopped early" in text) == (not result.completed)
    assert ("Simulation" in text) == (result.config.sampling == "projected")
