"""Many cells in one run: the counts of single audits, kept as they finish; what is left out or refused."""

import dataclasses
import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from torch import Generator

from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.cli import main
from ldp_core.datasets import ImageData, load_dataset
from ldp_core.errors import BackendUnavailableError, UnsupportedCombinationError
from ldp_core.game.setup import client_state, craft_pair
from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.learning.models import (
    ThreeLayerCnn,
    fingerprint,
    flat_parameters,
    global_model,
    to_bytes,
    training_passes,
)
from ldp_core.results import read
from ldp_core.studies.audit.run import audit
from ldp_core.studies.compare.exports import to_json
from ldp_core.studies.compare.passes import Pairs, Pass, crafted, run_pass
from ldp_core.studies.compare.run import CompareProgress, compare
from ldp_core.studies.compare.store import Store
from ldp_core.types import AuditConfig
from tests.helpers.comparisons import comparison, replaced


def quick(**changes: object) -> CompareConfig:
    return CompareConfig(
        **{  # type: ignore[arg-type]
            "attacks": ("dummy", "benign"), "epsilons": (1.0, 4.0), "seed": 7, "training": "none", "num_trials": 900,
            "num_measurements": 2,
        } | changes,
    )  # fmt: skip


def final(steps: Iterator[CompareProgress]) -> CompareResult:
    *_, last = steps
    return last.result


def found(result: CompareResult) -> list[object]:
    """Return what was counted, without how long it took."""
    return [(config, number, measurement) for config, number, measurement in result.measured()]


def passes_run(steps: list[CompareProgress]) -> int:
    return sum(stage == "trials" for stage, _ in itertools.groupby(step.stage for step in steps))


def own_images(seed: int = 3, *, classes: int = 3) -> ImageData:
    generator = Generator().manual_seed(seed)
    images, labels = torch.rand(30, 1, 28, 28, generator=generator), torch.arange(30) % classes
    return ImageData("own", images[:20], labels[:20], images[20:], labels[20:], classes, public=False)


def test_the_counts_are_those_of_single_audits(cache: Cache) -> None:
    config = quick(
        tests=("black", "white"), white_rules=("selective",), clients=(1, 3), epsilons=(1.0,),
        black_rules=("paper", "update-inversion"), strengths=(2.0,), num_trials=300,
    )  # fmt: skip
    result = final(compare(config, cache, Store()))
    assert [cell.config for cell in result.cells] == list(config.cells())
    for cell in result.cells:
        *_, alone = audit(cell.config, cache)
        assert cell.measurements == alone.result.measurements, cell.config
        assert cell.completed


def test_a_finished_pass_is_kept_when_the_next_one_fails(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are crafted, and passes begun, ahead of time: what fails there must not cost what was counted."""

    def fails_later(one: Pass, *others: object) -> Pairs:
        if one.measurement == 2:
            raise MemoryError
        return crafted(one, *others)  # type: ignore[arg-type]

    monkeypatch.setattr("ldp_core.studies.compare.run.crafted", fails_later)
    store, config = Store(), quick(num_measurements=4)
    with pytest.raises(MemoryError):
        final(compare(config, cache, store, threads=2))
    monkeypatch.undo()
    steps = list(compare(config, cache, store))
    assert passes_run(steps) == 2, "the two before it are not run again"
    assert found(steps[-1].result) == found(final(compare(config, cache, Store())))


@pytest.mark.parametrize("released", [True, False])
def test_what_is_counted_while_another_program_holds_the_store_is_not_lost(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], released: bool
) -> None:
    """The command waits and says so, counts on, writes all; and the store has it all as soon as it is free again."""
    monkeypatch.setattr("ldp_core.studies.compare.store._WAIT_SECONDS", 0.1)
    path, written = tmp_path / "run.sqlite", tmp_path / "run.json"
    arguments = ["compare", "--attacks", "dummy", "--epsilons", "1,4", "--training", "none", "--trials", "900"]
    arguments += ["--measurements", "3", "--seed", "7", "--store", str(path), "--json", str(written)]

    def held(*values: Any, **options: Any) -> Iterator[CompareProgress]:
        other, begun = sqlite3.connect(path, isolation_level=None), False
        with closing(other):
            for step in compare(*values, **options):
                if step.stage == "crafting" and not begun:
                    begun = bool(other.execute("BEGIN IMMEDIATE"))
                if step.unkept and released and other.in_transaction:
                    other.execute("ROLLBACK")
                yield step

    monkeypatch.setattr("ldp_core.studies.compare.run.compare", held)
    code = main(arguments)
    out, err = capsys.readouterr()
    assert code == (0 if released else 2)
    assert err.count("waiting for another program that holds the store") >= 1
    assert err.count("the run goes on and tries again") == 1
    assert ("some of it not in the store" in err) is not released
    assert "No claim was rejected" in out
    alone = final(compare(quick(attacks=("dummy",), num_measurements=3), cache, Store()))
    assert found(read(written.read_bytes()).result) == found(alone)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT COUNT(*) FROM cells").fetchone() == (6 if released else 0,)


def test_what_is_finished_when_a_run_is_stopped_is_kept_and_never_run_again(cache: Cache, tmp_path: Path) -> None:
    config = quick(tests=("white", "black"), num_measurements=3)
    expected = found(final(compare(config, cache, Store())))
    path, finished, starts = tmp_path / "run.sqlite", 0, 0
    while finished < 24:
        starts += 1
        steps = compare(config, cache, Store(path), threads=1)
        seen = []
        for step in steps:
            seen.append(step)
            if step.cells_done > finished and starts < 5:  # one more pass, then stop
                break
        steps.close()  # type: ignore[attr-defined]
        assert seen[-1].cells_done == (finished + 4 if starts < 5 else 24)
        assert passes_run(seen) == (1 if starts < 5 else 2)
        finished = seen[-1].cells_done
        assert (
            len(Store(path).find(config.cells(), Store(path).digest(fingerprint(load_dataset("digits"))))) == finished
        )
    assert starts == 5
    assert found(seen[-1].result) == expected
    last = list(compare(config, cache, Store(path)))
    assert passes_run(last) == 0
    assert found(last[-1].result) == expected


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("changes", "passes"),
    [
        ({"significance": 0.01}, 0), ({"epsilons": (4.0,)}, 0), ({"attacks": ("benign", "dummy")}, 0),
        ({"num_measurements": 1}, 0), ({"num_measurements": 3}, 1), ({"tests": ("white", "black")}, 2),
        ({"epsilons": (1.0, 2.0)}, 2), ({"seed": 8}, 2),
    ],
)  # fmt: skip
def test_only_what_is_missing_is_run(cache: Cache, changes: dict[str, object], passes: int) -> None:
    store = Store()
    final(compare(quick(), cache, store))
    changed = dataclasses.replace(quick(), **changes)  # type: ignore[arg-type]
    steps = list(compare(changed, cache, store))
    assert passes_run(steps) == passes
    assert steps[-1].result.completed
    assert found(steps[-1].result) == found(final(compare(changed, cache, Store())))


def private_bytes(data: ImageData) -> list[bytes]:
    """Return what must not be found in a file: images, labels, gradients, and what names the data set."""
    model = next(training_passes(data))
    config = AuditConfig("benign", 1.0, "pooled", 7, dataset=data.name)
    pair = craft_pair(config, client_state(data, model, 1.0), 0)
    found = [fingerprint(data).encode(), bytes.fromhex(fingerprint(data))]
    for values in (*data.images[:10], *data.train_images[:10], pair.first, pair.second, pair.first_direction):
        numbers = values.reshape(-1)
        start = int(numbers.abs().argmax())
        start = min(start, len(numbers) - 4)
        found += [numbers[start : start + 4].numpy().tobytes(), str(numbers[start].item()).encode()]
        found.append(numbers[start : start + 4].mul(255).byte().numpy().tobytes())
    found += [data.labels[:4].numpy().tobytes(), data.labels[:6].byte().numpy().tobytes()]
    found.append(", ".join(map(str, data.labels[:6].tolist())).encode())
    return [content for content in found if len(set(content)) > 2]


def test_no_image_label_gradient_or_name_of_the_data_is_in_the_file(cache: Cache, tmp_path: Path) -> None:
    data = own_images()
    config = quick(
        attacks=ATTACKS,
        datasets=("own",),
        tests=("white", "black"),
        epsilons=(1.0,),
        clients=(1, 2),
        curves=True,
        num_trials=600,
    )
    path = tmp_path / "run.sqlite"
    result = final(compare(config, cache, Store(path), images=data))
    assert result.completed
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"gradients of two images" in content  # the description, which is meant to be there
    secrets = private_bytes(data)
    assert len(secrets) > 60
    assert [secret for secret in secrets if secret in content] == []


def test_other_images_under_the_same_name_are_other_rows(cache: Cache, tmp_path: Path) -> None:
    store, config = Store(tmp_path / "run.sqlite"), quick(datasets=("own",))
    first = final(compare(config, cache, store, images=own_images(3)))
    steps = list(compare(config, cache, store, images=own_images(4)))
    assert passes_run(steps) == 2
    assert found(steps[-1].result) != found(first)
    assert found(final(compare(config, cache, store, images=own_images(3)))) == found(first)
    database = sqlite3.connect(tmp_path / "run.sqlite")
    assert database.execute("SELECT COUNT(*) FROM cells").fetchone() == (16,)
    database.close()


def test_a_pair_that_cannot_be_made_is_left_out_with_a_note(cache: Cache) -> None:
    """Images so bright that the model is certain of them: where it is also right, the gradient is exactly zero."""
    data = own_images()
    data.images.mul_(1e6)
    model = next(training_passes(data))
    with torch.no_grad():
        data.labels.copy_(model(data.images).argmax(dim=1))
    data.labels[::2] = (data.labels[::2] + 1) % 3
    config = quick(attacks=("dummy", "gradient-flip"), datasets=("own",), num_measurements=8, tests=("white", "black"))
    store = Store()
    *_, last = compare(config, cache, store, images=data)
    sentence = "measurement {} of gradient-flip on own was left out: at least one gradient of a pair must be different "
    numbers = {cell.config.attack: kept for cell, kept in zip(last.result.cells, last.result.numbers, strict=True)}
    assert numbers["dummy"] == tuple(range(8))
    missing = sorted(set(range(8)) - set(numbers["gradient-flip"]))
    assert 0 < len(missing) < 8
    assert [note[: len(sentence) - 1] for note in last.notes] == [sentence.format(number) for number in missing]
    assert not last.result.completed
    assert last.cells_done == 32 + 4 * (8 - len(missing))
    again = list(compare(config, cache, store, images=data))
    assert again[-1].notes == last.notes
    assert found(again[-1].result) == found(last.result)


little = partial(quick, epsilons=(1.0,), num_trials=100, num_measurements=1)


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
    *_, (_, _, trained) = global_model(load_dataset("digits"), "none", cache)
    radius = 1.001 * flat_parameters(trained.model).norm().item()
    last = last_of(
        little(attacks=("gradient-flip", "collusion"), tests=("black",), radius=radius, num_measurements=2), cache
    )
    done = {cell.config.attack: len(cell.measurements) for cell in last.result.cells}
    assert done["gradient-flip"] == 2
    assert done["collusion"] < 2
    assert len(last.notes) == 2 - done["collusion"]
    for note in last.notes:
        assert " of collusion on digits was left out: radius must be at least the norm of the model" in note


def test_own_images_and_their_model_go_to_no_cluster(cache: Cache, tmp_path: Path) -> None:
    config = little(datasets=("own",))
    for backend, cluster in (("dask", None), ("ray", "127.0.0.1:1")):
        with pytest.raises(UnsupportedCombinationError, match=rf"^your own images stay .* {backend} "):
            last_of(config, cache, data_dir=own_folder(tmp_path / backend, 40), backend=backend, cluster=cluster)


def test_a_worker_that_finds_other_images_counts_nothing(tmp_path: Path) -> None:
    mine, other = own_folder(tmp_path / "mine", 40), own_folder(tmp_path / "other", 90)
    data = load_dataset("own", mine)
    model = ThreeLayerCnn(1, 28, 2, torch.Generator().manual_seed(1))
    cells = little(datasets=("own",)).cells()
    right = Pass(cells, 0, False, to_bytes(model, 0), fingerprint(data), str(mine))
    findings, notes = run_pass(right)
    assert len(findings) == 2
    assert notes == []
    with pytest.raises(BackendUnavailableError, match=r"^every worker must find the same own images"):
        run_pass(dataclasses.replace(right, data_dir=str(other)))
    assert "weights" not in repr(right)


def test_asking_a_store_again_for_more_is_said_to_cost(cache: Cache, tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    assert last_of(little(), cache, store).notes == ()
    assert last_of(little(), cache, store).notes == ()
    (note,) = last_of(little(num_measurements=3), cache, store).notes
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
