"""On which data a result rests: what is recorded, what is believed when it is read, and what is never told."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core import facts, reports
from ldp_core.cache import Cache
from ldp_core.datasets import ImageData, digest, load_dataset
from ldp_core.facts import DataFacts
from ldp_core.game.summary import STATES, summarize
from ldp_core.game.sweep import CompareConfig
from ldp_core.learning.models import accuracy, global_model
from ldp_core.presentation import tables
from ldp_core.reports import from_json, to_dict, to_json
from ldp_core.statistics.published import IDENTIFICATION, ON_TRAINING
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.compare import exports
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
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
from tests.helpers.comparisons import MNIST, MNIST_SUBSET, comparison, replaced
from tests.helpers.marks import archive, read_archive

SMALL = {"attack": "dummy", "epsilon": 1.0, "seed": 3, "num_trials": 20, "num_measurements": 1}
WHOLE = DataFacts(60_000, 10_000, MNIST, 2, 8_800)


def audited(cache: Cache, images: ImageData | None = None, **changes: object) -> AuditResult:
    *_, last = audit(make_config(**SMALL | changes), cache, threads=1, images=images)  # type: ignore[arg-type]
    return last.result


def test_an_audit_says_its_images_and_its_training(tmp_path: Path) -> None:
    """From the parts: the data set, its digest, and the model that the server trained."""
    result, data = audited(Cache(tmp_path), training="light"), load_dataset("digits")
    *_, (_, _, trained) = global_model(data, "light", Cache(tmp_path / "another"))
    right = round(accuracy(trained.model, data.images, data.labels) * 359)
    assert result.data == DataFacts(1_438, 359, digest(data), trained.passes, right)
    assert result.data.accuracy >= 0.85
    assert reports.from_json(reports.to_json(result)) == result
    text = STUDIES["audit"].text(result)
    assert f"1,438 for training, 359 held out, SHA-256 {digest(data)}" in text
    assert f"training light: {trained.passes} pass(es), {100 * right / 359:.2f} % of the held-out images right" in text


def test_a_comparison_says_it_for_each_data_set_and_a_continued_one_the_same(data_dir: Path, tmp_path: Path) -> None:
    config = CompareConfig(
        ("dummy",), (1.0,), 3, datasets=("digits", "mnist"), training="none", num_trials=20, num_measurements=2
    )
    store = Store(tmp_path / "run.sqlite")
    found = []
    for _ in range(2):
        *_, last = compare(config, Cache(tmp_path), store, threads=1, data_dir=data_dir)
        found.append(last.result)
    assert found[0] == found[1]
    for name in config.datasets:
        data = found[0].data(name)
        assert data.digest == digest(load_dataset(name, data_dir))
    assert exports.read(exports.to_json(found[0]))[0].data("mnist") == found[0].data("mnist")
    assert found[0].data("mnist").known_as == "subset of mnist"  # type: ignore[union-attr]


def test_own_images_are_counted_and_their_digest_is_told_nowhere(tmp_path: Path) -> None:
    data = read_archive(archive())
    result = audited(Cache(tmp_path), data, dataset="own", training="none")
    assert (result.data.num_training, result.data.num_held_out) == (len(data.train_labels), len(data.labels))
    assert result.data.digest is None
    assert reports.from_json(reports.to_json(result)) == result
    secret = digest(data)
    for told in (reports.to_json(result), STUDIES["audit"].text(result)):
        assert secret not in told
    assert "no digest of own images" in STUDIES["audit"].text(result)


def plain(**changes: Any) -> dict[str, Any]:
    return WHOLE.to_dict() | changes


def test_what_was_written_is_read_and_what_follows_is_derived_again() -> None:
    forged = plain(accuracy=1.0, known_as="cats")
    assert facts.read(json.loads(json.dumps(forged)), "mnist", "light") == WHOLE
    assert facts.read(None, "mnist", "light") is None
    own = DataFacts(80, 20, None, 20, 3)
    assert facts.read(own.to_dict(), "own", "full") == own


@pytest.mark.parametrize(
    ("values", "dataset", "training"),
    [
        (plain(held_out_right=10_001), "mnist", "light"),
        (plain(sha256="G" * 64), "mnist", "light"),
        (plain(), "own", "light"),
        (plain(), "digits", "light"),
    ],
)
def test_facts_that_contradict_are_refused(values: object, dataset: str, training: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        facts.read(values, dataset, training)


def under(digest: str | None, num_training: int, num_held_out: int) -> Any:
    """Return a comparison named "mnist" whose shares are exactly the published ones, over such images."""
    result = comparison(training="full")
    for attack, row in IDENTIFICATION.items():
        for epsilon, share in row.items():
            result = replaced(result, share, attack=attack, epsilon=epsilon)
    data = digest and DataFacts(num_training, num_held_out, digest, 20, 1_800)
    return dataclasses.replace(
        result, cells=tuple(dataclasses.replace(cell, data=data or None) for cell in result.cells)
    )


@pytest.mark.parametrize(
    ("images", "heading"),
    [
        ((MNIST, 60_000, 10_000), "Beside the published Table 1 (MNIST)"),
        (
            (MNIST_SUBSET, 8_000, 2_000),
            "Beside the published Table 1 (MNIST); ours: a subset of MNIST, 8,000 + 2,000 images",
        ),
        (("f" * 64, 2_000, 2_000), ""),
    ],
    ids=["whole", "subset", "unknown"],
)
def test_only_known_images_of_mnist_stand_beside_the_published_table(images: Any, heading: str) -> None:
    result = under(*images)
    assert tables.published_heading(result, "mnist") == heading
    rows = tables.published_table(result, "mnist")
    assert len(rows) == 20
    for item in rows:
        depends = item.row.attack in ON_TRAINING
        assert item.explained == (bool(heading) or not depends)
        assert ("data" in item.reasons) == (depends and not heading)


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
