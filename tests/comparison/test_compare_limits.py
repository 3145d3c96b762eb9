"""What a comparison leaves out, refuses, or says when it cannot be right."""

import csv
import dataclasses
import io
import json
from pathlib import Path

import pytest
import torch
from PIL import Image

from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.errors import BackendUnavailableError, UnsupportedCombinationError
from ldp_core.game.summary import has_law
from ldp_core.game.sweep import CompareConfig
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters, global_model, to_bytes
from ldp_core.presentation import tables
from ldp_core.private import ClientState
from ldp_core.studies.compare.exports import to_csv, to_json
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
    assert trained is not None
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


def test_collusion_needs_an_image_of_another_label() -> None:
    model = ThreeLayerCnn(1, 28, 2, torch.Generator().manual_seed(1))
    images = torch.rand(6, 1, 28, 28)
    lone = ClientState(model, images, torch.zeros(6, dtype=torch.int64), images, torch.arange(6) % 2, 2, 1.0)
    seeds = [torch.Generator().manual_seed(seed) for seed in range(8)]
    for generator in seeds:
        drawn = int(torch.randint(2, (1,), generator=torch.Generator().set_state(generator.get_state())))
        if drawn == 0:
            with pytest.raises(ValueError, match=r"^collusion must find images of the drawn label .* got 3 and 0$"):
                ADVERSARIES["collusion"].craft(lone, generator)
        else:
            assert ADVERSARIES["collusion"].craft(lone, generator).geometry.angle_degrees == 180.0
    assert len({int(torch.randint(2, (1,), generator=torch.Generator().manual_seed(seed))) for seed in range(8)}) == 2


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
    right = Pass(cells, 0, False, to_bytes(model), fingerprint(data), str(mine))
    findings, notes = run_pass(right)
    assert len(findings) == 2
    assert notes == []
    with pytest.raises(BackendUnavailableError, match=r"^every worker must find the same own images"):
        run_pass(dataclasses.replace(right, data_dir=str(other)))
    assert "weights" not in repr(right)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"workers": 2}, r"^workers must be left out with the backend here"),
        ({"cluster": "tcp://127.0.0.1:1"}, r"^cluster must be left out with the backend here"),
    ],
)
def test_options_of_another_backend_are_refused(cache: Cache, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        last_of(quick(), cache, **options)


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


def test_skipped_combinations_are_listed_once() -> None:
    config = quick(tests=("white", "black"), black_rules=("sign-sum", "loss-fall"), epsilons=(1.0, 2.0, 3.0))
    export = json.loads(to_json(comparison(**dataclasses.asdict(config))))
    assert [(entry["attack"], entry["distinguisher"]) for entry in export["skipped"]] == [("benign", "sign-sum")]


def test_each_strength_is_told_in_the_csv() -> None:
    result = comparison(attacks=("dummy", "benign"), epsilons=(1.0,), strengths=(0.5, 1.0), num_measurements=1)
    table = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [(row["attack"], row["strength"]) for row in table] == [
        ("dummy", "0.5"),
        ("dummy", "1.0"),
        ("benign", "1.0"),
    ]


def test_another_clipping_norm_and_another_rule_are_reasons() -> None:
    for changes, reason in (({"clip_norm": 10.0}, "clip"), ({"white_rules": ("selective",)}, "rule")):
        result = comparison(attacks=("label-flip",), epsilons=(4.0,), datasets=("mnist",), **changes)
        (row,) = tables.published_table(result, "mnist")
        assert row.explained or reason in row.reasons
        assert not row.explained


def test_sum_inversion_has_the_exact_law_for_one_client_only() -> None:
    laws = {
        cell.clients: has_law(cell)
        for cell in quick(tests=("black",), black_rules=("sum-inversion",), clients=(1, 2)).cells()
    }
    assert laws == {1: True, 2: False}


def test_a_moved_pair_still_knows_that_it_is_flipped() -> None:
    model = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1))
    images, labels = torch.rand(4, 1, 28, 28), torch.arange(4)
    client = ClientState(model, images, labels, images, labels, 10, 1.0)
    for attack, flipped in (("gradient-flip", True), ("benign", False)):
        moved = ADVERSARIES[attack].craft(client, torch.Generator().manual_seed(2)).to("cpu")
        assert moved.objectives is not None
        assert moved.objectives[1].is_negative_of(moved.objectives[0]) == flipped
