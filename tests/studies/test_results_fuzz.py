"""The results of all studies survive JSON; whatever else stands in any place of a file is refused in one sentence."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_core import record, results
from ldp_core.studies import STUDIES, study_of
from ldp_core.studies.capacity.result import CapacityResult
from ldp_core.studies.central.result import CentralConfig, CentralResult
from ldp_core.studies.channels.result import ChannelsConfig, Fit
from ldp_core.studies.channels.run import channels
from ldp_core.studies.detect.result import AttackRow, DetectConfig, DetectResult
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.reconstruction import result as reconstructions
from ldp_core.studies.reproduce.result import Found, ItemFound, ReproduceConfig, ReproduceResult
from ldp_core.studies.training_check.result import TrainingCheckConfig, TrainingCheckResult
from ldp_core.studies.trajectory.result import TrainingLevel, TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult
from ldp_core.types import PairGeometry, TrialCounts
from tests.cli.commands import help_of
from tests.helpers.claimed import BROKEN, KEPT, OPEN, checked
from tests.helpers.comparisons import comparison

PAIR, VERSIONS = PairGeometry(90.0, 1.0, 0.5, "gradients of two images"), {"torch": "2.0"}
COUNTS = TrialCounts(35, 5, 4, 36)


def examples() -> Iterator[Any]:
    """Yield a result of every study whose results are kept."""
    compared = comparison(attacks=("dummy", "benign"), epsilons=(0.5, 2.0), num_measurements=2, num_trials=600)
    yield from (compared, compared.cells[0], checked(0.9, KEPT, BROKEN, OPEN, reports=10_000))
    yield from (record.measured(CapacityResult), record.measured(PlaneResult), reconstructions.measured()[1.0])
    *_, last = channels(ChannelsConfig("natural", capacity=40.0, pictures=2))
    yield last.result
    curves = (UtilityCurve(None, ((0.1, 0.5, 0.9),)), UtilityCurve(1.0, ((0.1, 0.3, 0.4),)))
    yield UtilityResult(UtilityConfig((1.0,), 7, rounds=2), curves, True, 1.5, VERSIONS)
    levels = (
        TrainingLevel(0, 0.1, {"benign": (PAIR, PAIR)}, {"benign": 0}),
        TrainingLevel(1, 0.9, {"benign": (PAIR,)}, {"benign": 1}),
    )
    path = TrainingPathConfig(("benign",), 7, passes=(0, 2), num_measurements=2)
    yield TrainingPathResult(path, levels, 1, False, 1.5, VERSIONS)
    yield TrustResult(TrustConfig("dummy", 4.0, 5, clients=20, games=80), PAIR, 10, COUNTS, True, 1.0, "cpu", VERSIONS)
    row = AttackRow("dummy", 6, (), 1, TrialCounts(), COUNTS)
    yield DetectResult(DetectConfig(7, ("dummy",)), 3, (), (row,), True, 2.0, VERSIONS)
    central = CentralConfig("malicious-data", 1, epsilon=4.0, games=40, law=True)
    yield CentralResult(central, COUNTS, COUNTS, True, 1.0, "cpu", VERSIONS)
    found = Found("point:benign", "0.94", 0.005, 0.9, 0.8, 1.0, 2.0, "python -m ldp_core compare")
    papers = ReproduceConfig(7, items=("m-fig1a", "m-fig2a"))
    rows = (ItemFound("m-fig1a", "out", "drawing", ()), ItemFound("m-fig2a", "done", "", (found,)))
    yield ReproduceResult(papers, rows, True, 2.0, VERSIONS)
    training = TrainingCheckConfig("a.py:f", 7, noise=1.1446, games=40)
    yield TrainingCheckResult(training, "iterates", 51, "alone", "columns", (18,), COUNTS, True, 2.0, VERSIONS)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield every place of a report; of a long list only the first and the last."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if not isinstance(value, list) or key in (0, len(value) - 1):
            yield from places(part, (*path, key))


@cache
def texts() -> dict[str, str]:
    """Return a result of every study as JSON."""
    return {study_of(result.config).name: study_of(result.config).to_json(result) for result in examples()}


UNCHECKED = {
    "channels": {field.name for field in fields(Fit)} | {"candidates"},
    "reconstruction": {"sureness", "mean", "class_mean"},
}
"""What these two read without a look at its type (known, and not good)."""
WRONG: list[Any] = [None, [[]], {"a": {}}, "x" * 5_000, True, -1, -1.5, 1e308, "nan"]


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.schemas])
def test_a_result_comes_back_as_it_was_written(name: str) -> None:
    opened = results.read(texts()[name].encode())
    assert opened.kind == name
    assert STUDIES[name].to_json(opened.result) == texts()[name]


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.schemas])
def test_the_command_s_help_names_every_field(name: str) -> None:
    """Those of a report, and of the entries of its lists."""
    report = json.loads(texts()[name])
    lists = [value for value in report.values() if isinstance(value, list)]
    named = {*report} | {field for entries in lists for entry in entries if isinstance(entry, dict) for field in entry}
    assert named - set(re.findall(r"\w+", help_of(STUDIES[name].commands[0].NAME))) == set()


@settings(max_examples=120)
@given(st.data())
def test_what_stands_in_the_wrong_place_is_refused_in_one_line_or_was_derived(data: st.DataObject) -> None:
    """What is read in spite of it is a whole result, and no list or table that it does not know is in it."""
    name = data.draw(st.sampled_from(sorted(texts())))
    report = json.loads(texts()[name])
    *way, last = data.draw(st.sampled_from(list(places(report))))
    place = report
    for step in way:
        place = place[step]
    place[last] = wrong = data.draw(st.sampled_from(WRONG))
    refusal = None
    try:
        found = results.read(json.dumps(report).encode()).result
    except results.UnreadableError as error:
        refusal = str(error)
    if refusal is not None:
        assert refusal.splitlines() == [refusal]
    else:
        written = STUDIES[name].to_json(found)
        assert results.read(written.encode()).result == found
        if isinstance(wrong, dict | list) and last not in UNCHECKED.get(name, ()):
            assert written == texts()[name], (way, last, wrong)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("audit", "summary.counts.first_as_first", 1), ("audit", "config.attack", "unheard-of"), ("audit", "seed", 8),
        ("compare", "rows.0.first_as_first", 601), ("compare", "rows.0.measurement", 1), ("compare", "seed", 8),
        ("capacity", "panels.0.name", "batch_error"), ("capacity", "panels.0.lines", []),
        ("capacity", "panels.0.lines.0.points.0.lower", 1e9), ("capacity", "completed", False),
        ("plane", "config.points", ["sgd", "sgd"]), ("plane", "config.points", ["sgd", "dp-sgd:0"]),
        ("plane", "runs.0.areas", {}), ("plane", "runs.0.training", 7), ("plane", "costs", []),
        ("reconstruction", "results.0.right", 10**9), ("reconstruction", "config.reports", [2, 1]),
        ("utility", "curves", []), ("utility", "curves.0.trainings", [[0.1]]), ("utility", "curves.1.epsilon", 4.0),
        ("utility", "completed", False), ("path", "levels.0.left_out.benign", 1), ("path", "completed", True),
        ("path", "light_passes", 3), ("path", "levels.0.pairs.benign.0.angle_degrees", 181),
        ("trust", "counts.first_as_first", 10**6), ("trust", "seed", 8), ("detect", "rows.0.passed", 99),
        ("central", "counts.first_as_first", 36), ("central", "completed", False), ("central", "seed", 8),
        ("training_check", "counts.first_as_first", 36), ("training_check", "access", "final"),
        ("training_check", "config.noise", 0), ("training_check", "completed", False), ("training_check", "seed", 8),
        ("check", "looks.0.counts.first_as_first", 0), ("check", "clauses.0.passed", False), ("check", "seed", 8),
        ("check", "looks.0.trained_on", 10**7), ("check", "reports_used", 5), ("check", "pairs.0.reports", 1),
    ],
)  # fmt: skip
def test_numbers_that_contradict_each_other_are_refused(name: str, path: str, value: object) -> None:
    report = json.loads(texts()[name])
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = report
    for step in way:
        place = place[step]
    assert place[last] != value
    place[last] = value
    with pytest.raises(results.UnreadableError, match=r"^[^\n]+$"):
        results.read(json.dumps(report).encode())


@pytest.mark.parametrize("schema", ["ldp-audit/2", "ldp-utility/1", "ldp-check/2", "ldp-trust/99"])
def test_a_file_of_another_version_says_so(schema: str) -> None:
    with pytest.raises(results.UnreadableError, match=rf"must have schema .*, got {schema}, which another version of"):
        results.read(f'{{"schema": "{schema}"}}'.encode())
    with pytest.raises(results.UnreadableError, match=r"one of the schemas ldp-audit/1, .*, got ldp-audits/2\?$"):
        results.read(b'{"schema": "ldp-audits/2\\u001b"}')
    with pytest.raises(results.UnreadableError, match=r"one of the schemas ldp-audit/1, .*, got none"):
        results.read(b'{"schema": 2}')


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.schemas])
def test_a_file_with_a_name_that_we_do_not_know_is_refused(name: str) -> None:
    for place in ((), ("config",)):
        report = json.loads(texts()[name])
        inner = report
        for step in place:
            inner = inner[step]
        inner["colour"] = 1
        with pytest.raises(results.UnreadableError, match=r"must have no names beside its own, got colour"):
            results.read(json.dumps(report).encode())
