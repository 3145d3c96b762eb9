"""A comparison as CSV, as JSON and back, as tables for a paper, and as the command that repeats it."""

import csv
import dataclasses
import io
import json
import re

import pytest

from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.presentation import tables
from ldp_core.presentation.figures.latex import to_latex
from ldp_core.statistics import published
from ldp_core.studies.compare.exports import read, rejected_cells, to_csv, to_json
from ldp_core.types import AuditResult, TrialCounts
from tests.cli.commands import strict_json
from tests.helpers.comparisons import comparison

HEADER = (
    "dataset,test,distinguisher,clients,attack,epsilon,measurement,angle_degrees,norm_first,norm_second,"
    "first_as_first,first_as_second,second_as_first,second_as_second,expected_identification,seed,"
    "strength,trials,measurements,mechanism,clip_norm,radius,training,confidence,"
    "cell_identification,cell_identification_lower,cell_identification_upper,"
    "cell_epsilon_point,cell_epsilon_lower,cell_epsilon_upper,cell_max_provable,bound,"
    "training_images,held_out_images,data_sha256,passes,held_out_accuracy,server_step,wrong_label"
)
SMALL = {"epsilons": (0.5, 2.0), "num_measurements": 3, "num_trials": 600}


def with_gaps(result: CompareResult) -> CompareResult:
    """Return a comparison whose second cell lacks a measurement in the middle, and whose third has none."""
    cells, numbers = list(result.cells), [tuple(range(len(cell.measurements))) for cell in result.cells]
    first, _, *rest = cells[1].measurements
    cells[1] = dataclasses.replace(cells[1], measurements=(first, *rest), completed=False)
    cells[2] = dataclasses.replace(cells[2], measurements=(), completed=False)
    numbers[1], numbers[2] = (0, *range(2, 2 + len(rest))), ()
    return CompareResult(result.config, tuple(cells), result.seconds, tuple(numbers))


def as_told(cell: AuditResult) -> tuple[object, ...]:
    """Return what a cell says, without the share of the time, which is not kept for each row."""
    return cell.config, cell.measurements, cell.completed


def test_the_csv_has_the_header_of_the_documentation_and_one_row_per_measurement() -> None:
    result = with_gaps(comparison(tests=("white", "black"), clients=(1, 4), **SMALL))
    lines = to_csv(result).splitlines()
    assert lines[0] == HEADER
    measured = list(result.measured())
    assert len(lines) == 1 + len(measured)
    assert len(measured) == 5 * 2 * 3 * 3 - 1 - 3
    for row, (config, number, measurement) in zip(csv.DictReader(io.StringIO(to_csv(result))), measured, strict=True):
        assert (row["dataset"], row["distinguisher"], row["attack"]) == (
            config.dataset, config.distinguisher, config.attack,
        )  # fmt: skip
        assert row["test"] == ("white" if config.distinguisher == "cosine" else "black")
        assert [int(row[name]) for name in ("clients", "measurement", "seed")] == [config.clients, number, config.seed]
        pair = measurement.pair
        exact = [pair.angle_degrees, pair.norm_first, pair.norm_second, config.epsilon]
        assert [float(row[name]) for name in ("angle_degrees", "norm_first", "norm_second", "epsilon")] == exact
        assert TrialCounts(*(int(row[name]) for name in TrialCounts.__slots__)) == measurement.counts
        law = measurement.expected_identification
        assert row["expected_identification"] == ("" if law is None else repr(law))


@pytest.mark.parametrize(
    "result",
    [
        comparison(unfinished=True, **SMALL),
        comparison(tests=("white", "black"), clients=(1, 10), radius=4.5, strengths=(1.0, 0.25), **SMALL),
        with_gaps(comparison(curves=True, mechanism="overclaiming", significance=0.01, clip_norm=0.1, **SMALL)),
    ],
    ids=["unfinished", "black", "gaps and curves"],
)
def test_json_is_strict_and_comes_back(result: CompareResult) -> None:
    text = to_json(result, ("a note",))
    again = read(text)[0]
    assert again.config == result.config
    assert [as_told(cell) for cell in again.cells] == [as_told(cell) for cell in result.cells]
    assert list(again.measured()) == list(result.measured())
    assert to_csv(again) == to_csv(result)
    assert again.completed == result.completed
    export = strict_json(text)
    assert export["schema"] == "ldp-compare/1"
    assert export["notes"] == ["a note"]
    assert export["config"] == json.loads(json.dumps(dataclasses.asdict(result.config)))
    assert len(export["cells"]) == len(result.cells)
    assert read(text.encode())[0] == again


def test_the_more_cells_the_more_one_of_them_must_show() -> None:
    """One cell alone is rejected by counts that are not enough among a hundred."""
    base = comparison(attacks=("dummy",), epsilons=(1.0,), num_measurements=1, num_trials=10_000)
    counts = TrialCounts(3_752, 1_248, 1_248, 3_752)  # 75.04 % right; the claim allows three standard errors less
    item = dataclasses.replace(base.cells[0].measurements[0], counts=counts)
    alone = dataclasses.replace(base, cells=(dataclasses.replace(base.cells[0], measurements=(item,)),))
    ((_, lower),) = rejected_cells(alone)
    assert lower > 1.0
    strict = dataclasses.replace(alone, config=dataclasses.replace(base.config, significance=1e-6))
    assert rejected_cells(strict) == []
    crowd = dataclasses.replace(alone, cells=alone.cells * 10_000)
    assert rejected_cells(crowd) == []


def test_what_means_nothing_is_skipped_with_its_reason() -> None:
    config = CompareConfig(
        ("benign", "collusion"), (1.0, 2.0), 7, tests=("black",), clients=(1, 2),
        black_rules=("update-inversion", "sign-sum", "loss-change"),
    )  # fmt: skip
    assert all(why for _, why in config.skipped())
    assert len(config.skipped()) == 2 * 8
    assert [(one.attack, one.distinguisher, one.clients, one.epsilon) for one in config.cells()] == [
        (attack, rule, clients, epsilon)
        for attack, rule, clients in (
            ("benign", "update-inversion", 1), ("collusion", "update-inversion", 1), ("benign", "loss-change", 1),
            ("benign", "loss-change", 2),
        )
        for epsilon in (1.0, 2.0)
    ]  # fmt: skip


def test_every_cell_is_there_with_its_interval() -> None:
    found = comparison(attacks=("benign", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), clients=(1, 2))
    text = to_latex(found)
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin") == text.count(r"\end")
    assert text.isascii()
    assert len(re.findall(r"\\begin\{table\*\}", text)) == 4
    assert len(set(re.findall(r"\\label\{(.*?)\}", text))) == 4
    for cell in found.cells:
        row = tables.row(cell)
        share = row.identification
        numbers = f"{100 * share.point:.2f} [{100 * share.lower:.2f}, {100 * share.upper:.2f}]"
        assert numbers in text
        assert f"{row.lower:.2f} (" in text


def test_published_rows_stand_beside_ours_only_where_the_images_are_the_papers() -> None:
    mnist = to_latex(comparison(attacks=("benign", "dummy"), epsilons=(1.0, 4.0)))
    assert mnist.count("published & ") == 3  # two shares, one epsilon
    line = next(line for line in mnist.splitlines() if "published & " in line)
    printed = published.IDENTIFICATION["benign"]
    assert f"{100 * printed[1.0]:.1f} & {100 * printed[4.0]:.1f}" in line
    for other in (
        comparison(attacks=("benign",), datasets=("digits",)),
        comparison(attacks=("benign",), tests=("black",)),
    ):
        assert "published & " not in to_latex(other)
