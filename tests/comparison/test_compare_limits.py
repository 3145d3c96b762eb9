"""What a comparison leaves out, refuses, or says when it cannot be right."""

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from PIL import Image

from ldp_core.cache import Cache
from ldp_core.errors import BackendUnavailableError, UnsupportedCombinationError
from ldp_core.game.sweep import CompareConfig
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters, global_model, to_bytes
from ldp_core.studies.compare.exports import to_json
from ldp_core.studies.compare.passes import Pass, run_pass
from ldp_core.studies.compare.run import CompareProgress, compare
from ldp_core.studies.compare.store import Store
from tests.helpers.comparisons import comparison, replaced


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def quick(**changes: object) -> CompareConfig:
    settings: dict[str, object] = {
        "attacks": ("dummy", "benign"), "epsilons": (1.0,), "seed": 7, "training": "none", "num_trials": 100,
        "num_measurements": 1,
    }  # fmt: skip
    return CompareConfig(**settings | changes)  # type: ignore[arg-type]


def last_of(config: CompareConfig, cache: Cache, store: Store | None = None, **options: object) -> CompareProgress:
    *_, last = compare(config, cache, store or Store(), **options)  # type: ignore[arg-type]
    return last


def own_folder(folder: Path, shade: int) -> Path:
    for label in ("a", "b"):
        (folder / label).mkdir(parents=True)
        for number in range(12):
            picture = Image.new("L", (28, 28), shade + 5 * number + (60 if label == "a" else 0))
            picture.putpixel((number, number), 255)
            picture.save(folder / label / f"{number}.png")
    return folder


def test_a_ball_too_small_for_a_rigged_model_leaves_that_attack_out_and_keeps_the_others(cache: Cache) -> None:
    from ldp_core.datasets import load_dataset

    *_, (_, _, trained) = global_model(load_dataset("digits"), "none", cache)
    radius = 1.001 * flat_parameters(trained.model).norm().item()
    last = last_of(
        quick(attacks=("gradient-flip", "collusion"), tests=("black",), radius=radius, num_measurements=2), cache
    )
    done = {cell.config.attack: len(cell.measurements) for cell in last.result.cells}
    assert done["gradient-flip"] == 2
    assert done["collusion"] < 2
    assert len(last.notes) == 2 - done["collusion"]
    for note in last.notes:
        assert " of collusion on digits was left out: radius must be at least the norm of the model" in note


def test_own_images_and_their_model_go_to_no_cluster(cache: Cache, tmp_path: Path) -> None:
    config = quick(datasets=("own",))
    for backend, cluster in (("dask", None), ("ray", "127.0.0.1:1")):
        with pytest.raises(UnsupportedCombinationError, match=rf"^your own images stay .* {backend} "):
            last_of(config, cache, data_dir=own_folder(tmp_path / backend, 40), backend=backend, cluster=cluster)


def test_a_worker_that_finds_other_images_counts_nothing(tmp_path: Path) -> None:
    from ldp_core.datasets import load_dataset
    from ldp_core.learning.models import fingerprint

    mine, other = own_folder(tmp_path / "mine", 40), own_folder(tmp_path / "other", 90)
    data = load_dataset("own", mine)
    model = ThreeLayerCnn(1, 28, 2, torch.Generator().manual_seed(1))
    cells = quick(datasets=("own",)).cells()
    right = Pass(cells, 0, False, to_bytes(model, 0), fingerprint(data), str(mine))
    findings, notes = run_pass(right)
    assert len(findings) == 2
    assert notes == []
    with pytest.raises(BackendUnavailableError, match=r"^every worker must find the same own images"):
        run_pass(dataclasses.replace(right, data_dir=str(other)))
    assert "weights" not in repr(right)


def test_asking_a_store_again_for_more_is_said_to_cost(cache: Cache, tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    assert last_of(quick(), cache, store).notes == ()
    assert last_of(quick(), cache, store).notes == ()
    (note,) = last_of(quick(num_measurements=3), cache, store).notes
    assert note == (
        "this store was first asked for 1 measurements: reading it again with 3 spends the significance a second time"
    )


def test_the_verdicts_in_the_export_are_those_of_all_cells_together() -> None:
    """At the promise, some of many cells exceed their own bound by luck; the export does not call that a rejection."""
    result = comparison(seed=3, attacks=("dummy", "collusion"), epsilons=(0.5, 1.0, 2.0, 4.0), num_trials=4_000)
    export = json.loads(to_json(result))
    assert export["verdict"] == "claim_not_rejected"
    assert {cell["verdict"] for cell in export["cells"]} == {"claim_not_rejected"}
    liar = json.loads(to_json(replaced(result, 0.9, attack="dummy", epsilon=1.0)))
    assert liar["verdict"] == "claim_rejected"
    rejected = [(cell["attack"], cell["epsilon"]) for cell in liar["cells"] if cell["verdict"] == "claim_rejected"]
    assert rejected == [("dummy", 1.0)]
