"""The commands ``utility``, ``training-path`` and ``story`` as a person or a script meets them."""

import dataclasses
import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from ldp_core import illustrate, record
from ldp_core.cli import main
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.studies.trajectory.run import training_path as training
from ldp_core.studies.utility.result import UtilityResult
from tests.cli.commands import Refused, Run
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


REPORTS = ["story", "--epsilon", "1", "--norm", "0.6", "--clip-norm", "1", "--reports", "200", "--seed", "7"]
GAME = ["story", "--game", "10", "--epsilon", "2", "--seed", "3"]
EXAMPLE = ["story", "--example", "3", "--clip-norm", "20", "--seed", "5"]


def as_json(run: Run, *options: str) -> dict[str, Any]:
    code, out, _ = run(*options, "--json", "-")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    assert found["schema"] == "ldp-story/1"
    return found


def test_example_is_that_of_the_picture(run: Run) -> None:
    example, found = illustrate.examples()[3], as_json(run, *EXAMPLE)
    report, near = illustrate.randomize(example.update, 1.0, 5, clip_norm=20.0)
    assert (found["example"], found["norm"], found["length"]) == (3, example.norm, 10_650)
    assert (found["near"], found["report"]) == (near, report[:3].tolist())
    assert found["law"] == illustrate.near_probability(1.0, example.norm, 20.0)
    out = run(*EXAMPLE)[1]
    assert f"lies on the {'near' if near else 'far'} side and begins with {report[0]:.6f}, {report[1]:.6f}" in out


@pytest.mark.parametrize("command", [REPORTS, GAME, EXAMPLE, ["story"], ["story", "--reports", "0"]])
def test_the_printed_command_repeats_it(command: list[str], run: Run) -> None:
    out = run(*command)[1]
    repeat = out.splitlines()[-1].split()
    assert repeat[:3] == ["python", "-m", "ldp_core"]
    assert run(*repeat[3:])[1] == out
    assert as_json(run, *repeat[3:]) == as_json(run, *repeat[3:])


def agrees(packed: illustrate.Example, made: illustrate.Example) -> bool:
    """Return whether a packed example is what is made now; half precision and other sums cost some digits."""
    cosine = float(packed.update @ made.update) / (packed.norm * made.norm)
    return bool(
        packed.label == made.label
        and (packed.image == made.image).all()
        and cosine > 0.999
        and abs(packed.norm / made.norm - 1.0) < 0.01
    )


def test_the_packed_examples_are_what_this_machine_makes(tmp_path: Path, run: Run) -> None:
    code, out, err = run("story", "--prepare", str(tmp_path / "made.npz"))
    assert (code, out) == (0, "")
    assert "an example of each digit" in err
    packed, made = illustrate.examples(), illustrate.unpack((tmp_path / "made.npz").read_bytes())
    assert len(made) == 10
    for one, other in zip(packed, made, strict=True):
        assert agrees(one, other)
    for wrong in (
        dataclasses.replace(made[3], update=made[4].update),
        dataclasses.replace(made[3], update=-made[3].update),
        dataclasses.replace(made[3], update=1.02 * made[3].update),
        dataclasses.replace(made[3], image=made[4].image),
    ):
        assert not agrees(packed[3], wrong)
