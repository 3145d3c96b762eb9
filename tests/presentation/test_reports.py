"""A result survives JSON, says nothing private, and a report that cannot be true is refused in one sentence."""

import json
import math
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.game.summary import STATES, summarize
from ldp_core.reports import SCHEMA, command, from_json, to_dict, to_json, to_text
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

REFUSED = r"^a report must be what this tool wrote, got one that is not: "
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
    st.builds(TrialCounts, *[st.integers(0, 1_000)] * 4),
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


def altered(path: str, value: object) -> str:
    """Return a good report with one value replaced, as JSON text; a value of type bytes is put in as it stands."""
    report: Any = to_dict(example())
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place = report
    for part in way:
        place = place[part]
    place[last] = "@" if isinstance(value, bytes) else value
    text = json.dumps(report)
    return text.replace('"@"', value.decode()) if isinstance(value, bytes) else text


def strict(text: str) -> Any:
    def refuse(name: str) -> float:
        raise AssertionError(f"{name} is not strict JSON")

    return json.loads(text, parse_constant=refuse)


@given(results())
def test_a_result_survives_json(result: AuditResult) -> None:
    assert from_json(to_json(result)) == result
    assert from_json(to_json(result).encode()) == result


@given(results())
def test_json_is_strict_and_holds_only_plain_values(result: AuditResult) -> None:
    report = strict(to_json(result))
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


def test_what_has_no_value_is_null() -> None:
    empty = strict(to_json(AuditResult(example().config, (), False, 0.0, "cpu", {})))
    assert empty["measurements"] == []
    assert empty["summary"]["identification"] == {"point": None, "lower": None, "upper": None}
    assert empty["summary"]["epsilon"]["point"] is None
    assert empty["summary"]["epsilon"]["upper"] is None
    assert empty["summary"]["expected_identification"] is None
    flawless = strict(to_json(example(TrialCounts(5, 0, 0, 5))))
    assert flawless["summary"]["epsilon"]["point"] is None
    assert flawless["summary"]["epsilon"]["point_infinite"] == 1
    assert flawless["summary"]["epsilon"]["upper"] is None


def test_the_shape_is_the_documented_one() -> None:
    report = to_dict(example())
    assert list(report) == [
        "schema", "config", "data", "measurements", "summary", "verdict", "state", "completed", "seconds", "seed",
        "device", "versions",
    ]  # fmt: skip
    assert report["schema"] == SCHEMA == "ldp-audit/1"
    assert set(report["config"]) == {field.name for field in fields(AuditConfig)}
    assert set(report["measurements"][0]) == {"pair", "counts", "expected_identification"}
    assert set(report["measurements"][0]["pair"]) == {"angle_degrees", "norm_first", "norm_second", "description"}
    assert set(report["summary"]) == {
        "counts", "bound", "bound_significance", "identification", "epsilon", "theory", "expected_identification",
    }  # fmt: skip
    assert set(report["summary"]["epsilon"]) == {"point", "point_infinite", "lower", "upper", "max_provable"}


def test_no_class_label_appears() -> None:
    def names(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {name for inner in value.values() for name in names(inner)}
        return {name for inner in value for name in names(inner)} if isinstance(value, list) else set()

    assert not {name for name in names(to_dict(example())) if "label" in name or "class" in name}


def test_what_can_be_derived_is_derived_again_and_not_believed() -> None:
    forged = strict(to_json(example()))
    forged |= {"verdict": "claim_rejected", "state": "above", "completed": True}
    forged["summary"] = {"epsilon": {"lower": 99.0}}
    read = from_json(json.dumps(forged))
    assert read == example()
    assert not read.completed
    assert summarize(read).verdict == "claim_not_rejected"


def test_fields_of_a_later_version_are_passed_over() -> None:
    report = to_dict(example())
    report["config"]["invented_later"] = 1
    assert from_json(json.dumps(report)) == example()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema", "ldp-audit/2"),
        ("schema", None),
        ("config", None),
        ("config/epsilon", -1.0),
        ("config/epsilon", "1"),
        ("config/epsilon", b"NaN"),
        ("config/epsilon", b"1" + b"0" * 400),
        ("config/bound", "hoeffding"),
        ("config/bound", ["pooled"]),
        ("config/seed", -1),
        ("config/seed", 1.5),
        ("config/num_trials", 0),
        ("config/num_measurements", True),
        ("config/significance", 0.9),
        ("measurements", {"a": 1}),
        ("measurements", None),
        ("measurements/0", 3),
        ("measurements/0/pair", {"angle_degrees": 180.0}),
        ("measurements/0/pair/angle_degrees", 181.0),
        ("measurements/0/pair/norm_first", -1.0),
        ("measurements/0/pair/norm_second", None),
        ("measurements/0/counts/first_as_first", -1),
        ("measurements/0/counts/first_as_first", 1.5),
        ("measurements/0/counts/first_as_first", True),
        ("measurements/0/counts/first_as_first", 100),
        ("measurements/0/expected_identification", b"-Infinity"),
        ("seconds", -1.0),
        ("seconds", "soon"),
        ("seconds", b"NaN"),
        ("seconds", b"1e999"),
        ("versions", [1]),
        ("measurements/0/expected_identification", "x"),
        ("measurements/0/expected_identification", 5),
        ("measurements/0/pair/norm_first", b"1e999"),
        ("measurements/0/pair/description", 5),
        ("config/attack", "x; rm -rf /"),
        ("config/attack", 5),
        ("config/watch", "yes"),
        ("config/mechanism", None),
        ("seconds", True),
        ("measurements", {}),
        ("measurements/0/pair/norm_second", b"1" + b"0" * 400),
        ("config/attack", {"name": "dummy"}),
        ("config/dataset", 3.0),
        ("seconds", b"1" + b"0" * 400),
    ],
)
def test_an_impossible_value_is_refused_in_one_sentence(path: str, value: object) -> None:
    with pytest.raises(ValueError, match=REFUSED) as caught:
        from_json(altered(path, value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "3", '"ldp-audit/1"', "{}", "{", '{"schema": "ldp-audit/1"}', b"\xff\xfe\x00", "[" * 100_000],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_report_is_refused_in_one_sentence(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        from_json(text)


def test_more_measurements_than_planned_are_refused() -> None:
    report = to_dict(example(*[TrialCounts(1, 0, 0, 1)] * 2))
    report["measurements"] *= 2
    with pytest.raises(ValueError, match=REFUSED):
        from_json(json.dumps(report))


@given(st.text(max_size=40) | st.binary(max_size=40))
def test_no_text_at_all_leads_to_another_exception(text: str | bytes) -> None:
    with pytest.raises(ValueError, match="a report must be"):
        from_json(text)


@given(configs)
def test_the_command_that_repeats_a_run_names_every_setting_exactly(config: AuditConfig) -> None:
    words = command(config).split()
    assert words[:4] == ["python", "-m", "ldp_core", "audit"]
    options = {name: value for name, value in zip(words, [*words[1:], ""], strict=True) if name.startswith("--")}
    assert float(options["--epsilon"]) == config.epsilon
    assert 1.0 - float(options["--confidence"]) == pytest.approx(config.significance, abs=1e-12)
    assert int(options["--seed"]) == config.seed
    assert options["--attack"] == config.attack
    assert options["--bound"].replace("-", "_") == config.bound
    assert options.get("--mechanism", "ldp-sgd") == config.mechanism
    assert options.get("--sampling", "full") == config.sampling
    assert ("--watch" in options) == config.watch


@given(results())
def test_the_text_says_the_verdict_and_the_seed_and_never_verified(result: AuditResult) -> None:
    text = to_text(result)
    rejected = summarize(result).verdict == "claim_rejected"
    assert ("Claim rejected" in text) == rejected
    assert ("Claim not rejected" in text) == (not rejected)
    assert f"Seed {result.config.seed}" in text
    assert "verified" not in text.lower()
    assert ("stopped early" in text) == (not result.completed)
    assert ("Simulation" in text) == (result.config.sampling == "projected")


def test_a_run_whose_counts_are_all_right_still_prints() -> None:
    text = to_text(example(TrialCounts(5, 0, 0, 5), TrialCounts(6, 0, 0, 4)))
    assert "2 measurement(s) without a finite estimate" in text
    assert math.isfinite(summarize(example(TrialCounts(5, 0, 0, 5))).epsilon.lower)
