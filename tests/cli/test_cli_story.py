"""The command ``story``: what it prints is what the pictures show, and repeats from the seed it prints."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from ldp_core import illustrate
from tests.cli.commands import Run

pytestmark = pytest.mark.usefixtures("own_cache")

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
    """Return whether a packed example is what is made now.

    Half precision costs 1e-7 of the cosine and other processors' sums 1e-8; another torch may sum otherwise again.
    """
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
