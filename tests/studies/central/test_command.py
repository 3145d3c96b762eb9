"""The commands ``accountant`` and ``central`` as a person or a script meets them, and trainings that obey the law."""

import dataclasses
import json
import math
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import norm

from ldp_core import record
from ldp_core.central_adversaries import ADVERSARIES, Plan, adversary
from ldp_core.central_adversaries.gradient import WATERMARK_HALF, Gradient
from ldp_core.datasets import load_dataset
from ldp_core.learning.gradients import client_gradients
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.learning.private_training import Task, Weights, clipped_sum, initial, poisson_batches, train
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics.accountant import Sampled
from ldp_core.studies.central import table
from ldp_core.studies.central.accountant_command import report_of, text_of
from ldp_core.studies.central.result import CentralConfig, CentralResult, claimed
from ldp_core.studies.central.run import central, task_of, trainings
from tests.cli.commands import Refused, Run
from tests.helpers.binomial import accepts

pytestmark = [pytest.mark.law, pytest.mark.usefixtures("own_cache")]
SMALL = ["--records", "60", "--steps", "6", "--games", "20", "--sampling-rate", "0.2", "--seed", "3", "--delta", "1e-3"]


def played(config: CentralConfig, threads: int = 1, resume: Path | None = None, device: str = "cpu") -> CentralResult:
    for progress in central(config, threads=threads, resume=resume, device=device):
        found = progress.result
    return found


def test_the_accountant_prints_epsilon_and_its_curve(run: Run) -> None:
    words = "accountant --sampling-rate 0.00427 --noise 1.1 --steps 14062 --delta 1e-5 --json -"
    code, out, _ = run(*words.split())
    report = json.loads(out)
    assert code == 0
    assert report["epsilon"] == pytest.approx(2.3817, rel=1e-3)
    assert 0 <= report["epsilon"] - report["epsilon_lower"] < 1e-3
    curve = report["curve"]
    for alarms, missed, other in zip(*curve.values(), strict=True):
        for first, second in ((alarms, missed), (other, alarms)):
            assert first + math.exp(report["epsilon"]) * second >= 1 - 1e-5 - 1e-8
            assert second + math.exp(report["epsilon"]) * first >= 1 - 1e-5 - 1e-8


def test_what_the_accountant_knows_from_below_alone_is_never_called_an_upper_end() -> None:
    found = report_of(Sampled(1.0, 0.1, 100), 1e-5)
    assert found["epsilon"] is None
    assert found["epsilon_lower"] == 1_000.0
    assert "epsilon is at least 1000.0000, and no upper end is known" in text_of(found)
    assert "at most" not in text_of(found).splitlines()[0]


def test_the_accountant_prints_the_noise_of_an_epsilon(run: Run) -> None:
    options = ["accountant", "--sampling-rate", "0.1", "--epsilon", "4", "--steps", "50", "--json", "-"]
    code, out, _ = run(*options)
    assert code == 0
    assert json.loads(out)["noise"] == pytest.approx(1.1445, abs=2e-4)
    assert json.loads(out)["epsilon"] <= 4.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("accountant --sampling-rate 1.5 --noise 1 --steps 5", "sampling_rate must be a number above 0 and at most 1"),
        ("accountant --sampling-rate 0.1 --steps 5", "--noise or --epsilon must be given"),
        ("accountant --sampling-rate 0.1 --steps 5 --noise 0 --epsilon 1", "one of them, got both"),
        ("central --adversary nobody", "adversary must be one of"),
        ("central --adversary api --law", "law must be asked for an adversary with an exact law"),
        ("central --records 5000 --games 20 --steps 1 --seed 1", "records must be at most the"),
        ("central --law --games 1000000 --steps 20000", "games times steps must be at most"),
    ],
)
def test_bad_input_gets_one_sentence(refused: Refused, options: str, said: str) -> None:
    assert said in refused(*options.split())


def test_a_delta_of_one_over_the_records_brings_a_warning(run: Run) -> None:
    options = "accountant --sampling-rate 0.1 --noise 2 --steps 50 --delta 0.001 --records 1000"
    assert "delta must be below 1/records" in run(*options.split())[1]
    code, out, err = run("central", "--law", *SMALL, "--records", "1000", "--json", "-")
    assert code == 0
    assert "not below 1/N" in err
    assert len(json.loads(out)["warnings"]) == 1


def prepared(name: str, model: str, direction: str = "") -> tuple[Task, Plan, Weights]:
    """Return a training, an attack on it that is made on the CPU, and the parameters of three models."""
    config = CentralConfig(name, 1, model=model, records=30, steps=3, delta=1e-3)
    task, held_out = task_of(config, claimed(config), load_dataset("digits", None))
    start = initial(task, 1, stream_generator(1, 0, 0, 0))
    plan = adversary(name, direction).plan(task, held_out, start, stream_generator(1, 0, 0, 1))
    return task, plan, [layer.expand(3, -1, -1).clone() for layer in start]


def one_step(plan: Plan, weights: Weights) -> dict[str, torch.Tensor]:
    """Return the scores after a step in which the canary alone is sampled, all on the device of the parameters."""
    canary = plan.note(3)
    added = [torch.zeros_like(layer) + one for layer, one in zip(weights, canary.gradient(0, weights), strict=True)]
    canary.see(0, weights, added, [layer - one for layer, one in zip(weights, added, strict=True)])
    return canary.scores()


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "model", "direction"),
    [
        *((name, "mlp", "") for name in ADVERSARIES),
        *(("gradient", "mlp", direction) for direction in ("random", "watermark")),
        *((name, "cnn", "") for name in ("api", "malicious-data")),
    ],
)
def test_an_attack_is_made_on_the_cpu_and_plays_on_another_device(name: str, model: str, direction: str) -> None:
    """Without a CUDA device, on torch's device ``meta``: it refuses whatever stayed behind as CUDA does."""
    _, plan, weights = prepared(name, model, direction)
    elsewhere = [layer.to("meta") for layer in weights]
    for rule, scores in one_step(plan.on("meta"), elsewhere).items():
        assert scores.device.type == "meta", rule
        assert scores.shape == (3,)
    for rule, scores in one_step(plan.on("cpu"), weights).items():
        assert torch.equal(scores, one_step(plan, weights)[rule])
    with pytest.raises(RuntimeError):
        one_step(plan, elsewhere)


@pytest.mark.few(2)
@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_each_adversary_prints_the_contract(run: Run, adversary: str) -> None:
    code, out, err = run("central", "--adversary", adversary, *SMALL, "--json", "-")
    report = json.loads(out)
    assert code == 0
    assert report["schema"] == "ldp-central/1"
    assert set(report["claim"]) == {"epsilon", "delta", "noise"}
    assert set(report["counts"]) == {"first_as_first", "first_as_second", "second_as_first", "second_as_second"}
    assert sum(report["counts"].values()) == 40
    assert set(report["identification"]) == {"point", "lower", "upper"}
    assert set(report["epsilon"]) == {"clopper_pearson", "curve", "gdp"}
    assert 0.5 < report["ceiling"] < 1.0
    assert report["verdict"] == "claim_not_rejected"
    assert report["completed"] is True
    assert report["seconds"] > 0.0
    assert "game " in err
    assert record.to_json(record.from_json(out, CentralResult)) + "\n" == out


def test_a_lie_is_exit_code_1_and_its_command_repeats_it(run: Run) -> None:
    options = ["central", "--games", "150", "--records", "100", "--steps", "20", "--noise-factor", "0.3", "--seed", "2"]
    code, out, _ = run(*options, "--json", "-")
    found = record.from_json(out, CentralResult)
    assert code == 1
    assert json.loads(out)["verdict"] == "claim_rejected"
    words = shlex.split(record.command(found.config))[3:]
    assert words[0] == "central"
    again = record.from_json(run(*words, "--threads", "2", "--json", "-")[1], CentralResult)
    assert (again.config, again.counts, again.point_counts) == (found.config, found.counts, found.point_counts)


def test_a_stopped_run_goes_on_to_the_same_counts(tmp_path: Path) -> None:
    config = CentralConfig("malicious-data", 5, records=60, steps=6, games=120, sampling_rate=0.2)
    kept = tmp_path / "scores.json"
    for progress in central(config, threads=1, resume=kept):
        if progress.stage == "games" and progress.done >= 150:
            break
    assert not progress.result.completed
    assert len(json.loads(kept.read_text())["scores"]) >= 3  # groups of 50, whatever was written last
    whole, resumed = played(config, threads=2), played(config, resume=kept)
    assert (whole.counts, whole.point_counts) == (resumed.counts, resumed.point_counts)
    with pytest.raises(ValueError, match="--resume must name a file of the same settings"):
        played(dataclasses.replace(config, seed=6), resume=kept)


def test_a_training_is_left_at_its_next_step() -> None:
    """A group of models may take hours: whoever stops does not wait for it."""
    config = CentralConfig("malicious-data", 1, records=60, steps=50, games=20)
    asked: list[int] = []

    def halted() -> bool:
        asked.append(1)
        return len(asked) > 3

    play = trainings(config, claimed(config), load_dataset("digits", None), "cpu", halted)
    with pytest.raises(InterruptedError):
        play(0, True, 0, 20)
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("adversary", "model", "epsilon", "right"),
    [
        pytest.param("gradient", "logistic", 1.0, 0.549, marks=pytest.mark.nightly),
        pytest.param("gradient", "logistic", 2.0, 0.584, marks=pytest.mark.nightly),
        ("gradient", "logistic", 4.0, 0.636),
        pytest.param("gradient", "logistic", 10.0, 0.733, marks=pytest.mark.nightly),
        pytest.param("malicious-data", "logistic", 10.0, 0.733, marks=pytest.mark.nightly),
        pytest.param("gradient", "mlp", 10.0, 0.733, marks=pytest.mark.nightly),
    ],
)
def test_trainings_of_attackers_5_and_6_have_the_law(adversary: str, model: str, epsilon: float, right: float) -> None:
    """Within 3 standard errors of the ceiling, fixed seed; the threshold is chosen on other games."""
    config = CentralConfig(adversary, 1, epsilon=epsilon, model=model, records=100, games=300)
    counts = played(config).counts
    assert abs(counts.num_right / counts.num_trials - right) <= 3 * math.sqrt(right * (1 - right) / counts.num_trials)


def test_the_sum_of_adversary_6_has_its_law_even_where_models_are_certain_of_the_record() -> None:
    """Few records make large steps, after which many models are: the record's gradient is then 0 in float32."""
    config = CentralConfig("malicious-data", 1, records=40, distinguisher="sum", learning_rate=12.0)
    claim = claimed(config)
    play = trainings(config, claim, load_dataset("digits", None), "cpu")
    found = np.concatenate([play(0, False, group, 100) for group in range(10)])
    for alarms in (0.02, 0.3, 0.5, 0.9):
        cut = claim.noise * math.sqrt(claim.steps) * norm.isf(alarms)
        assert accepts(int((found >= cut).sum()), 1_000, alarms)


@pytest.mark.few(1)
@pytest.mark.parametrize("model", ["logistic", "mlp"])
def test_the_record_of_adversary_6_keeps_its_gradient_while_the_model_learns_it(model: str) -> None:
    """The brightest one does not: many models are soon certain of it."""
    config = CentralConfig("malicious-data", 1, model=model)
    task, held_out = task_of(config, claimed(config), load_dataset("digits", None))
    start = initial(task, 1, stream_generator(1, 0, 0, 0))
    plan = adversary("malicious-data").plan(task, held_out, start, stream_generator(1, 0, 0, 1))
    canary = plan.note(40)
    first = [layer.expand(40, -1, -1).clone() for layer in start]
    train(plan.task, canary, 40, True, first, stream_generator(5, 0, 0, 2))
    assert 0.96 < canary.reach <= 1.0 + 1e-6


@pytest.mark.nightly  # by day a training of the network, below, and its gradients
@pytest.mark.parametrize(("model", "adversary"), [*product(("cnn", "features"), ADVERSARIES)])
def test_every_adversary_plays_with_every_model(model: str, adversary: str) -> None:
    config = CentralConfig(adversary, 1, model=model, records=30, steps=2, games=20, sampling_rate=0.3, delta=1e-3)
    result = played(config)
    assert result.completed
    assert result.counts.num_trials == 40
    assert result.counts == played(config, threads=2).counts


def test_features_come_from_pictures_that_are_no_records() -> None:
    config = CentralConfig("api", 1, model="features", records=1_400)
    with pytest.raises(ValueError, match="records must leave 100 of the 1,438 pictures of digits for public features"):
        played(config)
    with pytest.raises(ValueError, match="the first layer must have an input that is zero in every record"):
        played(CentralConfig("gradient", 1, model="cnn", direction="dead-inputs", records=30, games=20))


def test_a_training_that_diverges_is_said_to() -> None:
    asked = CentralConfig("api", 1, model="cnn", records=30, steps=4, games=20, learning_rate=1e3, clip_norm=1e6)
    with pytest.raises(
        ValueError, match="learning rate must be one with which the training does not diverge, got 1000"
    ):
        played(asked)
    assert CentralConfig("api", 1, model="cnn").learning_rate == 0.5
    assert "--learning-rate 0.5" in record.command(CentralConfig("api", 1, model="cnn"))
    assert "--learning-rate 4" in record.command(CentralConfig("api", 1, model="cnn", learning_rate=4.0))


@pytest.mark.nightly
@pytest.mark.parametrize(("model", "games"), [("cnn", 40), ("features", 300)])
def test_networks_and_features_reach_the_exact_law_by_a_malicious_data_set(model: str, games: int) -> None:
    config = CentralConfig("malicious-data", 1, epsilon=10.0, model=model, records=100, games=games)
    counts = played(config).counts
    assert abs(counts.num_right / counts.num_trials - 0.733) <= 3 * math.sqrt(0.733 * 0.267 / counts.num_trials)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0, 10.0])
def test_games_by_the_law_reach_the_ceiling(epsilon: float) -> None:
    right = {1.0: 0.549, 2.0: 0.584, 4.0: 0.636, 10.0: 0.733}[epsilon]
    counts = played(CentralConfig("malicious-data", 1, epsilon=epsilon, games=50_000, law=True)).counts
    assert abs(counts.num_right / counts.num_trials - right) <= 0.006


@pytest.mark.parametrize("model", ["logistic", "mlp"])
def test_clipped_sums_are_autograds(model: str) -> None:
    generator = torch.Generator().manual_seed(1)
    inputs = torch.cat([torch.rand(7, 5, generator=generator), torch.ones(7, 1)], dim=1)
    labels = torch.randint(3, (7,), generator=generator)
    task = Task(inputs, labels, 3, model, 0.5, 1.0, 3, 0.4, 1.0)
    weights = initial(task, 2, generator)
    counted = torch.tensor([[1.0, 1, 1, 0, 1, 1, 1], [0.0, 1, 1, 1, 1, 0, 1]])
    ours = clipped_sum(task, weights, inputs.expand(2, -1, -1), labels.expand(2, -1), counted)
    for one in range(2):
        total = [torch.zeros_like(layer[0]) for layer in weights]
        for place in range(7):
            layers = [layer[one].clone().requires_grad_() for layer in weights]
            values = inputs[place]
            for depth, layer in enumerate(layers):
                values = layer @ values
                if depth < len(layers) - 1:
                    values = torch.cat([values.relu(), torch.ones(1)])
            loss = torch.nn.functional.cross_entropy(values[None], labels[place : place + 1])
            found = torch.autograd.grad(loss, layers)
            length = torch.sqrt(sum((part**2).sum() for part in found))
            for added, part in zip(total, found, strict=True):
                added += counted[one, place] * part * min(1.0, 0.4 / float(length))
        for mine, exact in zip(ours, total, strict=True):
            torch.testing.assert_close(mine[one], exact, atol=1e-6, rtol=1e-5)


def test_stacked_networks_have_the_gradients_of_the_clients_network() -> None:
    generator = torch.Generator().manual_seed(4)
    images, labels = torch.rand(5, 3, 32, 32, generator=generator), torch.randint(10, (5,), generator=generator)
    inputs = torch.cat([images.flatten(1), torch.ones(5, 1)], dim=1)
    task = Task(inputs, labels, 10, "cnn", 0.5, 1.0, 3, 0.4, 1.0, (3, 32))
    weights = initial(task, 2, generator)
    weights[1][1] *= 1.5  # the two models differ
    found = task.backward(weights, inputs.expand(2, -1, -1), labels.expand(2, -1))
    counted = torch.tensor([[1.0, 1, 0, 1, 1], [0.0, 1, 1, 1, 1]])
    ours = clipped_sum(task, weights, inputs.expand(2, -1, -1), labels.expand(2, -1), counted)
    for one in range(2):
        model = ThreeLayerCnn(3, 32, 10, generator)
        with torch.no_grad():
            for layer, values in zip((one for one in model.layers if hasattr(one, "weight")), weights, strict=True):
                layer.weight.copy_(values[one][:, :-1].reshape(layer.weight.shape))
                layer.bias.copy_(values[one][:, -1])
        losses = torch.nn.functional.cross_entropy(model(images), labels, reduction="none")
        torch.testing.assert_close(found.losses[one], losses.detach(), atol=1e-5, rtol=1e-5)
        exact = client_gradients(model, images, labels)
        torch.testing.assert_close(found.norms()[one], exact.norm(dim=1), atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(found.inner(found)[one], exact @ exact.T, atol=1e-5, rtol=1e-4)
        factors = counted[one] * (0.4 / exact.norm(dim=1)).clamp_max(1.0)
        total = torch.cat([layer[one].flatten() for layer in ours])
        assert float(total.norm()) == pytest.approx(float((factors @ exact).norm()), rel=1e-4)


def test_each_model_draws_its_own_poisson_batch() -> None:
    batch, counted = poisson_batches(50, 4_000, 0.1, torch.Generator().manual_seed(2))
    sizes = counted.sum(1)
    assert accepts(int(sizes.sum()), 50 * 4_000, 0.1)
    assert float(sizes.var()) == pytest.approx(4.5, rel=0.15)
    first = {tuple(batch[place][counted[place] > 0].tolist()) for place in range(200)}
    assert len(first) > 180
    assert all(len(set(one)) == len(one) for one in first)


def table_of(run: Run, *options: str) -> dict[str, Any]:
    code, out, err = run("central-table", "--games", "20", "--epsilons", "4", "--seed", "3", *options)
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize(
    "backend",
    [(), pytest.param(("--backend", "loky", "--workers", "2"), marks=pytest.mark.nightly)],
    ids=["here", "loky"],
)
def test_a_table_that_goes_on_or_comes_from_other_processes_is_the_same(
    run: Run, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: tuple[str, ...]
) -> None:
    monkeypatch.setattr(table, "ADVERSARIES", {name: ADVERSARIES[name] for name in ("api", "malicious-data")})
    models = ("--models", "logistic")
    here = table_of(run, *models, "--json", "-")
    assert [row["adversary"] for row in here["rows"]] == ["api", "malicious-data"]
    part = tmp_path / "part"
    part.write_text(json.dumps(here | {"rows": here["rows"][1:2]}))
    assert table_of(run, *models, *backend, "--resume", str(part), "--json", "-") == here
    assert json.loads(part.read_text())["rows"] == here["rows"]
    said = refused("central-table", "--games", "20", "--seed", "4", "--resume", part)
    assert "--resume must name a file of the same games, seed and data set" in said
    for broken in ("", "[]", json.dumps(here | {"rows": [{"adversary": "api"}]})):
        part.write_text(broken)
        said = refused("central-table", "--games", "20", "--seed", "3", "--resume", part)
        assert "--resume must name a file that this command wrote" in said


STEPS = 3


def watermark_scores(inside: bool, noise: float = 1e-9, models: int = 4) -> torch.Tensor:
    """Return the sum of inner products over three steps in which every record is sampled, in clipping norms."""
    config = CentralConfig("gradient", 1, records=100, sampling_rate=1.0, steps=STEPS)
    task, held_out = task_of(config, Sampled(1.0, 1.0, STEPS), load_dataset("digits", None))
    start = initial(task, 1, stream_generator(1, 0, 0, 0))
    plan = Gradient("watermark").plan(task, held_out, start, stream_generator(1, 0, 0, 1))
    canary = plan.note(models)
    entries = torch.cat([layer.flatten() for layer in canary.gradient(0, start)])
    assert torch.count_nonzero(entries) == 2 * WATERMARK_HALF
    assert entries[entries != 0].abs() == pytest.approx(torch.full((32,), 1 / math.sqrt(32)), rel=1e-6)
    assert entries[entries != 0].sum() == pytest.approx(0.0, abs=1e-6)  # alternating
    quiet = type(task)(*(getattr(task, name) if name != "noise" else noise for name in task.__slots__))
    begin = [layer.expand(models, -1, -1).clone() for layer in start]
    train(quiet, canary, models, inside, begin, stream_generator(2, 0, 0, 2))
    return canary.scores()["sum"]


def test_the_watermark_moves_the_inner_product_by_the_clipping_norm_not_by_an_entry() -> None:
    """The notes state a mean of C / sqrt(2n) and a density around C: it is C in each step."""
    assert watermark_scores(True).tolist() == pytest.approx([STEPS] * 4, abs=1e-3)
    assert watermark_scores(False).tolist() == pytest.approx([0.0] * 4, abs=1e-3)
