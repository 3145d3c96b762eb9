"""The command ``channels``: it runs as the README has it, its JSON keeps the contract, and it is read back."""

import json
from typing import Any

import pytest

from ldp_core import record, results
from ldp_core.cli import main
from ldp_core.studies.channels.result import ChannelsResult
from tests.helpers.binomial import at_most


def measured(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["channels", *words, "--seed", "7", "--json", "-"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("channel", ["natural", "white", "personalized"])
def test_without_a_number_of_candidates_all_digits_are_candidates(
    channel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The built-in data set has fewer pictures than the 2,000 among which is looked elsewhere."""
    found = measured(capsys, "--channel", channel, "--pictures", "20")
    assert found["candidates"] == 1_797
    assert (found["sigma"] is None) is (channel == "white")
    assert found["capacity"] == pytest.approx(100.0)
    assert {"rank", "rounds", "wiener_error_per_pixel", "share_of_variance"} < set(found)
    assert found["gaussian_error"]["point"] == pytest.approx(found["wiener_error_per_pixel"], rel=0.02)
    assert found["gaussian_error"]["point"] >= found["gaussian_floor"]
    assert results.read(json.dumps(found).encode()).result == record.from_json(json.dumps(found), ChannelsResult)
    assert json.loads(record.to_json(record.from_json(json.dumps(found), ChannelsResult))) == found


def test_a_number_of_candidates_that_there_are_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["channels", "--candidates", "2000"]) == 2
    assert "candidates must be at most the 1,797 pictures of digits, got 2,000" in capsys.readouterr().err


@pytest.mark.parametrize("capacity", ["1e9", "1e300"])
def test_a_capacity_that_no_noise_reaches_is_refused(capacity: str, capsys: pytest.CaptureFixture[str]) -> None:
    channel = "white" if capacity == "1e9" else "natural"
    assert main(["channels", "--channel", channel, "--capacity", capacity]) == 2
    (line,) = (one for one in capsys.readouterr().err.splitlines() if one.startswith("error"))
    assert "capacity must be one that noise reaches" in line


@pytest.mark.few(1)
@pytest.mark.parametrize("channel", ["natural", "white", "personalized"])
@pytest.mark.parametrize(
    ("goal", "what", "exact"),
    [("error:0.02", "wiener_error_per_pixel", 0.02), ("budget:200", "rounds", 200.0)],
)
def test_a_goal_gives_the_largest_capacity_that_keeps_it(
    channel: str, goal: str, what: str, exact: float, capsys: pytest.CaptureFixture[str]
) -> None:
    found = measured(capsys, "--channel", channel, "--pictures", "20", "--goal", goal)
    reached = found["rounds"][-1]["capacity"] if what == "rounds" else found[what]
    assert reached == pytest.approx(exact, rel=2e-3)
    assert (reached >= exact) if what != "rounds" else (reached <= exact)


@pytest.mark.nightly
def test_a_goal_is_measured_as_the_capacity_that_it_gives(capsys: pytest.CaptureFixture[str]) -> None:
    found = measured(capsys, "--pictures", "20", "--goal", "budget:200")
    plain = measured(capsys, "--pictures", "20", "--capacity", str(found["capacity"]))
    assert plain["right"] == found["right"]


@pytest.mark.nightly
def test_what_is_named_for_a_goal_is_judged_on_other_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    """Chosen for one in ten of 400 pictures, and judged on 400 others, which may be luckier by chance alone."""
    found = measured(capsys, "--pictures", "400", "--goal", "named:0.1")
    assert at_most(found["right"], 400, 0.2)
    assert found["right"] > 0


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [("error:2", "goal error must be a number between 0 and 1"), ("share:.1", "goal must be one of error:NUMBER"),
     ("error:0.9", "goal must be one that some noise reaches")],
)  # fmt: skip
def test_a_goal_that_is_none_is_one_sentence(goal: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["channels", "--goal", goal]) == 2
    assert sentence in capsys.readouterr().err
