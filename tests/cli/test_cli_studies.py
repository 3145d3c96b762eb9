"""The commands ``utility`` and ``training-path`` as a person or a script meets them."""

import re
import signal
from pathlib import Path

import pytest

from ldp_core import record
from ldp_core.cli import main
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trajectory.run import training_path as training
from ldp_core.studies.utility.result import UtilityResult
from tests.cli.commands import Refused
from tests.helpers.processes import interrupted

pytestmark = pytest.mark.usefixtures("own_cache")

UTILITY = ["utility", "--epsilons", "0.5,4", "--clients", "30", "--rounds", "3", "--seed", "7"]
PATH = ["training-path", "--attacks", "benign,dummy", "--passes", "0,1", "--measurements", "2", "--seed", "7"]


@pytest.mark.parametrize(
    ("options", "mark"),
    [
        pytest.param(
            [*UTILITY, "--rounds", "1000", "--clients", "100"], "^[1-9].* % of the rounds", marks=pytest.mark.nightly
        ),
        ([*PATH, "--passes", "0,20", "--measurements", "1000"], "^crafting "),
    ],
    ids=["utility", "training-path"],
)
def test_an_interrupted_study_shows_what_it_has(tmp_path: Path, options: list[str], mark: str) -> None:
    code, out, err = interrupted([*options, "--json", "-"], mark, signal.SIGINT, tmp_path / "out")
    assert code == 0, err[-2000:]
    assert "Traceback" not in err
    if options[0] == "utility":
        assert not record.from_json(out, UtilityResult).completed
        return
    result = record.from_json(out, TrainingPathResult)
    assert not result.completed
    made = result.levels[-1].made
    assert len(result.levels) == 1
    assert 0 < sum(made.values()) < 2_000, "the pairs of the first level count before it is whole"
    assert "what was found is valid and shown" in err


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (["reconstruct", "--reports", "all"], "whole numbers"),
        (["channels", "--rounds", "all"], "whole numbers"),
        (["utility", "--epsilons", "all"], "numbers"),
    ],
)
def test_all_stands_for_every_name_and_for_no_number(refused: Refused, options: list[str], wanted: str) -> None:
    assert f"{options[1]} must be {wanted} separated by commas, got 'all'" in refused(*options)


@pytest.mark.parametrize("options", [[*UTILITY, "--clients", "100000"], [*PATH, "--passes", "20"]])
def test_a_study_that_has_nothing_yet_says_so_and_is_no_success(tmp_path: Path, options: list[str]) -> None:
    """Its first part takes long, should the signal come late."""
    code, out, err = interrupted([*options, "--json", "-"], "^loading", signal.SIGINT, tmp_path / "out")
    assert (code, out) == (2, ""), err
    assert err.splitlines()[-1].startswith("error: stopped before there was ")


def test_a_path_that_was_cut_short_is_shown_and_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = TrainingPathConfig(("benign", "dummy"), 7, passes=(0, 1), num_measurements=3)
    states = list(training(config))
    for state in states:
        assert record.from_json(record.to_json(state.so_far), TrainingPathResult) == state.so_far
        assert state.so_far.completed == state.result.completed
    begun = [state.so_far for state in states if len(state.so_far.levels) > len(state.result.levels)]
    assert [sum(result.levels[-1].made.values()) for result in begun] == [1, 2, 3, 4, 5] * 2
    saved = tmp_path / "path.json"
    saved.write_text(record.to_json(begun[-4]), encoding="utf-8")
    assert main(["show", str(saved), "--html", str(tmp_path / "page.html")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^ +1 .* not made", out, re.MULTILINE)
    assert "The last level was cut short: at least 0 pairs of each attack were made." in out
