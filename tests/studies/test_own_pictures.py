"""The client's own pictures as victims of every study that rebuilds, fits noise or trains: by command, and too few."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commands import Refused, Run

SMALL = {
    "reconstruct": "--training light --candidates 20 --pictures 2 --reports 1",
    "channels": "--pictures 10 --rounds 1",
    "capacity": "--parts batch --batches 1 --public 200 --pictures 2",
    "plane": "--points sgd,natural:100 --members 20 --public 100 --pictures 2 --passes 1 --shadows 0 --timings 0",
    "utility": "--clients 20 --rounds 1 --epsilons 4",
}


def own(folder: Path, number: int) -> list[str]:
    """Write pictures of three labels, as Keras keeps them; return the options that name them."""
    pictures = np.random.default_rng(0).integers(0, 255, (number, 28, 28), dtype=np.uint8)
    labels = np.arange(number) % 3
    cut = number * 4 // 5
    np.savez(
        folder / "private.npz",
        x_train=pictures[:cut], y_train=labels[:cut], x_test=pictures[cut:], y_test=labels[cut:],
    )  # fmt: skip
    return ["--dataset", "own", "--data-dir", str(folder / "private.npz"), "--seed", "1"]


@pytest.mark.parametrize("command", SMALL)
def test_own_pictures_are_attacked_their_file_is_named_nowhere_and_no_model_of_them_is_kept(
    command: str, tmp_path: Path, cache_dir: Path, run: Run
) -> None:
    code, out, _ = run(command, *SMALL[command].split(), *own(tmp_path, 300), "--json", "-")
    assert code == 0
    assert json.loads(out)["completed"]
    assert "private" not in out
    assert str(tmp_path) not in out
    assert not [file for file in cache_dir.rglob("*") if file.is_file()]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("reconstruct", "candidates must be at most the 30 pictures of own, got 1,000"),
        (
            "reconstruct --attacker linear --pictures 2",
            "public training pictures must be at least 10 of one label, got at most 8 of any",
        ),
        ("capacity", "public, at least 200, must be at most the 24 training pictures of own, got 600"),
        (
            "plane",
            "2 * members + public, at least 140, must be at most the 24 training pictures of own, "
            "got 2 * 300 + 600 = 1,200",
        ),
    ],
)
def test_too_few_own_pictures_say_what_is_needed(command: str, told: str, tmp_path: Path, refused: Refused) -> None:
    assert refused(*command.split(), *own(tmp_path, 30)) == f"error: {told}"
