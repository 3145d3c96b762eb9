"""The papers beside this tool: no item is missing, verdicts follow from numbers, and every number can be repeated."""

import csv
import io
import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from ldp_core import record, words
from ldp_core.cli import main, parsed
from ldp_core.datasets import DATASETS
from ldp_core.errors import DatasetUnavailableError
from ldp_core.studies import STUDIES
from ldp_core.studies.reproduce import readings
from ldp_core.studies.reproduce import run as running
from ldp_core.studies.reproduce.command import COLUMNS, numbers
from ldp_core.studies.reproduce.items import LAW, RUNS, SCALES, items
from ldp_core.studies.reproduce.result import VERDICTS, Found, ItemFound, ReproduceConfig, ReproduceResult
from ldp_core.studies.reproduce.run import config_of, reproduce
from tests.cli.commands import Refused, Run
from tests.conftest import SHARED

LIST = SHARED.parent / "design" / "items.csv"
COMPUTED = tuple(name for name, one in items().items() if {each.run for each in one.quantities} <= {LAW})
"""Items that need no run."""
pytestmark = pytest.mark.usefixtures("own_cache")


def found(published: str, ours: float | None, lower: float | None = None, upper: float | None = None) -> Found:
    return Found("point:dummy", published, 0.05, ours, lower, upper, 0.0, "python -m ldp_core reproduce")


def item(*rows: Found, state: str = "done") -> ItemFound:
    return ItemFound("m-fig2a", state, "", rows)


def done(*names: str, **settings: object) -> ReproduceResult:
    *_, last = reproduce(ReproduceConfig(1, items=names, **settings))  # type: ignore[arg-type]
    return last.result


@pytest.mark.skipif(not LIST.exists(), reason="the list of items is not there")
def test_every_item_of_the_list_is_named_in_its_order() -> None:
    listed = [(row[0], row[1]) for row in csv.reader(LIST.read_text(encoding="utf-8").splitlines()[1:])]
    assert [(one.paper, one.title) for one in items().values()] == listed


def test_every_item_has_numbers_or_a_reason_and_all_words() -> None:
    for language in words.LANGUAGES:
        document, charts = words.document(language), words.figures(language)
        for name, one in items().items():
            assert one.quantities or one.why, name
            assert f"reproduce_what_{name.replace('-', '_').replace('.', '_')}" in document
            assert not one.why or f"reproduce_why_{one.why}" in document
            assert {f"reproduce_q_{each.name.split(':')[0]}" for each in one.quantities} <= charts.keys(), name
        named = {one.why for one in items().values() if one.why} | {"files"}
        assert {key.removeprefix("reproduce_why_") for key in document if key.startswith("reproduce_why_")} == named
        kinds = {each.name.split(":")[0] for one in items().values() for each in one.quantities}
        assert {key.removeprefix("reproduce_q_") for key in charts if key.startswith("reproduce_q_")} == kinds
    assert {each.run for one in items().values() for each in one.quantities} == {*RUNS, LAW}


@pytest.mark.parametrize("scale", SCALES)
def test_the_command_of_every_run_is_read_and_repeats_it(scale: str) -> None:
    config = ReproduceConfig(3, scale=scale)
    for run_ in RUNS.values():
        if run_.words:
            assert config_of(run_, config).seed == 3
            assert parsed(running.words_of(run_, config)).seed == 3


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([found("0.94", 0.9, 0.8, 1.0)], "agrees"), ([found("1.04", 0.9, 0.8, 1.0)], "agrees"),
        ([found("1.06", 0.9, 0.8, 1.0)], "differs"), ([found("0.94", 0.9)], "agrees"),
        ([found("0.96", 0.9)], "differs"), ([found("0.94", None)], "differs"), ([found("", 0.9)], "measured"),
        ([found("~< 1", 0.9), found("", 2.0)], "order"), ([found("~> 1", 0.9)], "differs"),
        ([found("< 1", 0.9)], "agrees"), ([found("> 1", 0.9)], "differs"), ([found("> 1", 0.9, 0.8, 1.1)], "agrees"),
        ([found("< 1", 1.2, 1.1, 1.3)], "differs"), ([found("0.94", 0.9), found("~> 1", 0.5)], "differs"),
    ],
)  # fmt: skip
def test_the_verdict_follows_from_the_numbers(rows: list[Found], verdict: str) -> None:
    assert item(*rows).verdict == verdict
    assert item(*rows, state="prepared").verdict == verdict
    assert item(*rows, state="out").verdict == "out"
    assert record.of_json(ItemFound, json.loads(json.dumps(record.plain(item(*rows)))), "items") == item(*rows)


def test_a_published_number_is_finite() -> None:
    for published in ("nan", "~inf"):
        with pytest.raises(ValueError, match="published must be a number"):
            found(published, 1.0)


def test_a_wrong_published_number_makes_an_item_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "n-claim-5.60"
    assert done(name).items[0].verdict == "agrees"
    right = items()[name]
    wrong = replace(right, quantities=(replace(right.quantities[0], published="5.70"),))
    monkeypatch.setattr("ldp_core.studies.reproduce.result.items", lambda: {**items(), name: wrong})
    assert done(name).items[0].verdict == "differs"


def test_what_is_computed_has_the_verdicts_of_the_errata() -> None:
    result = done(*COMPUTED)
    verdicts = {one.item: one.verdict for one in result.items}
    ours = {one.item: [row.ours for row in one.rows] for one in result.items}
    differs = {
        "m-alg2", "m-eq3-example", "m-claim-.94-68.1", "n-kairouz", "n-example-3.5-3.2", "n-self-labelled-data",
    }  # fmt: skip
    assert {name for name, verdict in verdicts.items() if verdict == "differs"} == differs
    assert ours["m-claim-.94-68.1"] == [pytest.approx(71.91, abs=0.01)]
    assert ours["n-example-3.5-3.2"] == [pytest.approx(3.88, abs=0.005), pytest.approx(3.43, abs=0.005)]
    assert ours["n-attack1-.31"] == [pytest.approx(0.320, abs=0.001)]
    assert ours["c-thm4-eq43-eq44"] == [pytest.approx(one, abs=0.1) for one in (100.0, 197.0, 302.5, 1499.4)]
    assert ours["m-alg2"] == [pytest.approx(1 / 10_650)]
    assert readings.law("most_point 0.936 4.07")[0] == pytest.approx(3.68, abs=0.01), "3.99 does not fit 93.6 %"
    assert readings.law("over 1")[0] == pytest.approx(26.89, abs=0.01), "of 100 reports that turn by more than 90°"
    assert readings.law("dp_capacity 0.8 1")[0] == pytest.approx(0.78, abs=0.01), "for one picture, not 100"
    assert ours["n-kairouz"] == [pytest.approx(1.859, abs=0.001)]
    assert ours["n-accountant"] == [pytest.approx(4.0, abs=0.01)]
    missing = {"m-fig1a", "j-fig1a", "j-5-1-rho", "c-table1", "c-fig1-fig2", "c-fig5-toy", "c-fig5-pictures"}
    assert missing <= {name for name, verdict in verdicts.items() if verdict == "out"}
    assert verdicts["c-eigenvalues"] == "out", "no file of CIFAR-10 is in the tests' folder"


def test_a_rule_that_is_below_a_coin_is_turned_round_by_trials_that_it_does_not_judge() -> None:
    row = {"first_as_first": 40, "first_as_second": 60, "second_as_first": 60, "second_as_second": 40}
    other = {"first_as_first": 90, "first_as_second": 10, "second_as_first": 10, "second_as_second": 90}
    report = {"rows": [{"clients": 1, **one} for one in (row, row, row, row)]}
    turned, judged, printed = (
        readings.read(report, f"{name} 1") for name in ("turned_clients", "judged_clients", "clients")
    )
    assert turned == judged == (pytest.approx(0.405, abs=0.001), turned[1], turned[2])  # type: ignore[index]
    assert printed[0] < 0.0
    report["rows"] = [{"clients": 1, **one} for one in (row, row, other, other)]
    learned = readings.read(report, "judged_clients 1")
    assert learned[0] < 0.0, "a sign that the first half shows is kept, whatever the second says"


def test_prepared_numbers_are_those_that_come_with_the_studies() -> None:
    result = done("c-fig10-mse", "c-fig8-eigenvalues", "n-attack5-.3")
    assert {one.state for one in result.items} == {"prepared"}
    assert [one.verdict for one in result.items] == ["differs", "order", "differs"]
    assert all(row.ours is not None for one in result.items for row in one.rows)
    commands = [row.command for one in result.items for row in one.rows]
    assert {shlex.split(line)[3] for line in commands} == {"plane", "capacity", "central-table"}


def test_the_numbers_are_repeated_by_their_commands() -> None:
    table = list(csv.DictReader(io.StringIO(numbers(done(*COMPUTED[:9], "c-fig11", "n-picture1")))))
    assert tuple(table[0]) == COLUMNS
    for row in table:
        first, module, name, *options = shlex.split(row["command"])
        assert (first, module, name) == ("python", "-m", "ldp_core")
        assert callable(parsed(options).run)
        assert row["ours"]


def test_a_data_set_that_is_not_there_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise DatasetUnavailableError("not there")

    monkeypatch.setattr(type(DATASETS["svhn"]), "load", missing, raising=False)
    monkeypatch.setitem(items(), "m-fig6-fig7", items()["m-fig6-fig7"])
    result = done("m-fig6-fig7")
    assert (result.items[0].verdict, result.items[0].why) == ("out", "files")


def test_what_is_kept_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = ReproduceConfig(5, items=("n-distinguisher3",))
    *_, first = reproduce(config, keep=tmp_path)
    kept = json.loads((tmp_path / "law6.json").read_bytes())
    assert kept["schema"] == "ldp-central/1"
    monkeypatch.setattr(type(STUDIES["central"]), "run", lambda *_: pytest.fail("it was run again"))
    *_, second = reproduce(config, keep=tmp_path, resume=tmp_path)
    assert second.result.items == first.result.items
    with pytest.raises(pytest.fail.Exception):
        list(reproduce(replace(config, seed=6), resume=tmp_path))


def test_the_command_writes_a_report_numbers_figures_and_what_show_opens(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "report"
    chosen = ["--items", "c-thm4-eq43-eq44,n-distinguisher3,m-fig1a"]
    code, text, err = run("reproduce", *chosen, "--seed", "7", "--out", str(out))
    assert (code, "3 of 3 items" in text, "now n-distinguisher3, about" in err) == (0, True, True)
    assert {file.name for file in out.iterdir()} == {
        "report.html", "numbers.csv", "reproduce.json", "figures", "runs",
    }  # fmt: skip
    assert {file.suffix for file in (out / "figures").iterdir()} == {".svg", ".pdf"}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "C Theorem 4, Equation 43, Equation 44" in page
    assert "<svg" in page
    assert run("show", str(out / "runs" / "law6.json"))[0] == 0
    assert run("show", str(out / "reproduce.json"))[1] == text
    again = run("reproduce", *chosen, "--resume", "--out", str(out))[1]
    assert again.partition("Seed")[0] == text.partition("Seed")[0]
    assert "Seed 7," in again, "the seed that was kept"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--items", "m-fig99"], "items must be some of names that --list prints, got 'm-fig99'"),
        (["--papers", "m,x"], "paper must be one of m, j, c, n, got 'x'"),
        (["--papers", "n", "--items", "m-fig1a"], "items must be of the papers n, got m-fig1a"),
        (["--scale", "day"], "scale must be one of quick, hour, paper, got 'day'"),
        (["--resume"], "--resume must stand with --out"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(options: list[str], sentence: str, refused: Refused) -> None:
    assert refused("reproduce", *options, at_once=True).startswith(f"error: {sentence}")


def test_the_list_is_that_of_the_papers(run: Run) -> None:
    assert run("reproduce", "--list")[1].splitlines() == list(items())
    assert len(run("reproduce", "--list", "--seeds", "j")[1].splitlines()) == 23


def every_item_has_a_verdict(out: Path, *options: str) -> ReproduceResult:
    assert main(["reproduce", "--seed", "1", "--out", str(out), *options]) == 0
    result = record.from_json((out / "reproduce.json").read_bytes(), ReproduceResult)
    assert [one.item for one in result.items] == list(items())
    assert {one.verdict for one in result.items} <= set(VERDICTS)
    assert all(row.ours is not None for one in result.items for row in one.rows)
    return result


@pytest.mark.nightly
def test_every_item_has_a_verdict_with_the_built_in_digits(tmp_path: Path) -> None:
    every_item_has_a_verdict(tmp_path)


@pytest.mark.nightly
def test_what_does_not_depend_on_the_training_agrees_with_the_papers_on_mnist(tmp_path: Path, data_dir: Path) -> None:
    result = every_item_has_a_verdict(tmp_path, "--data-dir", str(data_dir))
    verdicts = {one.item: one.verdict for one in result.items}
    agreeing = ("m-prop1", "m-fig2e", "j-table1-collusion", "j-table1-dummy", "m-setup", "m-alg1", "j-prop1")
    assert {verdicts[name] for name in agreeing} == {"agrees"}
    assert verdicts["m-eq6"] == verdicts["m-eq7"] == verdicts["m-fig2d"] == "differs"
