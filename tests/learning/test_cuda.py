"""On a card: the laws are the same, a run says where it ran, and threads change nothing. Skipped without one."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Generator

from ldp_core.adversaries import ADVERSARIES as ATTACKS
from ldp_core.cache import Cache
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.datasets import load_dataset
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.counts import Tallies
from ldp_core.game.setup import client_state, devices_of
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters
from ldp_core.learning.server import ModelTrainer, honest_clients
from ldp_core.mechanisms import MECHANISMS, LdpSgd
from ldp_core.private import GradientPair
from ldp_core.statistics import accountant, theory
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.central.run import central, claimed, trainings
from tests.helpers.binomial import accepts

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device"),
]
TRIALS = 300_000


@pytest.fixture(scope="module")
def pairs() -> dict[str, GradientPair]:
    """Return each attack's pair, at a model with random weights."""
    data = load_dataset("digits")
    model = ThreeLayerCnn(1, 28, 10, Generator().manual_seed(1))
    client = client_state(data, model, 1.0)
    return {name: attack.craft(client, Generator().manual_seed(2)).to("cuda") for name, attack in ATTACKS.items()}


def run(cells: Sequence[Cell], trials: int, *, curves: bool = False, threads: int = 2) -> Tallies:
    """Run cells on the first card; with more threads than it uses, on every card."""
    more = devices_of("cuda")[1:] if threads > 2 else ()
    *_, tallies = run_cells(cells, trials, seed=7, curves=curves, threads=threads, more_devices=more)
    return tallies


def white(pairs: dict[str, GradientPair], rule: str, epsilon: float) -> Iterator[Cell]:
    return (Cell(LdpSgd(epsilon), DISTINGUISHERS[rule], pair, number) for number, pair in enumerate(pairs.values()))


@pytest.mark.parametrize("rule", ["cosine", "selective"])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_every_attack_has_its_exact_law(pairs: dict[str, GradientPair], rule: str, epsilon: float) -> None:
    tallies = run(list(white(pairs, rule, epsilon)), TRIALS)
    for number, pair in enumerate(pairs.values()):
        shape, counts, shrink = pair.geometry, tallies.counts(number), math.tanh(epsilon / 2)
        wrong, caught = theory.selective_rates(epsilon, shape.angle_degrees, shape.norm_first, shape.norm_second, 1.0)
        if rule == "cosine":
            wrong = 0.5 - shape.angle_degrees / 360 * min(shape.norm_first, 1.0) * shrink
            caught = 0.5 + shape.angle_degrees / 360 * min(shape.norm_second, 1.0) * shrink
        assert accepts(counts.num_first, TRIALS, 0.5)
        assert accepts(counts.first_as_second, counts.num_first, wrong)
        assert accepts(counts.second_as_second, counts.num_second, caught)


def test_counts_depend_on_neither_threads_nor_cards_nor_company_nor_curves(pairs: dict[str, GradientPair]) -> None:
    cells = list(white(pairs, "cosine", 1.0))
    found = [run(cells, TRIALS, threads=threads, curves=threads == 2) for threads in (1, 2, 8)]
    alone = [run([cell], TRIALS) for cell in cells]
    for number in range(len(cells)):
        assert len({tallies.counts(number) for tallies in found} | {alone[number].counts(0)}) == 1
    curve = found[1].curve(0)
    assert curve.num_first + curve.num_second == TRIALS - TRIALS // 8


@pytest.mark.parametrize("clients", [1, 4])
@pytest.mark.parametrize(
    ("attack", "rule"), [("benign", "sum-inversion"), ("gradient-flip", "loss-fall"), ("dummy", "sign-sum")]
)
def test_models_are_guessed_as_often_as_on_the_processor(
    pairs: dict[str, GradientPair], attack: str, rule: str, clients: int
) -> None:
    """Two samples of one law: the difference of the shares is within 6.2 standard deviations."""
    rights, trials = [], 40_000
    data = load_dataset("digits")
    for device in ("cpu", "cuda"):
        pair = pairs[attack].to(device)
        trainer = ModelTrainer(pair.dimension, 3.0 * flat_parameters(pair.model).norm().item(), clients)
        images, labels = data.train_images.to(device), data.train_labels.to(device)
        others = honest_clients(pair.model, images, labels, clients - 1, Generator().manual_seed(3))
        if DISTINGUISHERS[rule].objection(attack, clients):
            pytest.skip("the rule means nothing here")
        cell = Cell(LdpSgd(2.0), DISTINGUISHERS[rule], pair, 9, trainer, others)
        number = trials if device == "cuda" else trials // 4
        rights.append(run([cell], number).counts(0).num_right / number)
    assert abs(rights[0] - rights[1]) < 6.2 * 0.5 * math.sqrt(1 / trials + 4 / trials)


@pytest.mark.parametrize("name", MECHANISMS)
def test_reports_of_every_mechanism_have_the_law_of_the_processor(name: str) -> None:
    """Counts of a rule through ``randomize``: on a card as often right as on the processor."""
    rights, trials = [], 100_000
    for device in ("cpu", "cuda"):
        vector = torch.full((100,), 0.1, device=device)
        cell = Cell(MECHANISMS[name](2.0), DISTINGUISHERS["cosine"], GradientPair(vector, -vector), 5)
        rights.append(run([cell], trials).counts(0).num_right / trials)
    assert abs(rights[0] - rights[1]) < 6.2 * 0.5 * math.sqrt(2 / trials)


def test_an_audit_has_the_law_of_the_processor_and_says_where_it_ran(tmp_path: Path) -> None:
    config = make_config(
        attack="dummy", epsilon=1.0, training="none", num_trials=200_000, num_measurements=1, seed=7, clip_norm=1.0
    )
    *_, last = audit(config, Cache(tmp_path), device="cuda")
    assert (last.result.completed, last.result.device) == (True, "cuda")
    assert "gpu" in last.result.versions
    assert accepts(last.result.counts.num_right, 200_000, theory.worst_case_identification(1.0))


@pytest.mark.parametrize("name", ADVERSARIES)
def test_counts_of_trainings_do_not_depend_on_the_threads(name: str) -> None:
    config = CentralConfig(name, 1, records=100, games=120, steps=10)
    once, again = (list(central(config, threads=threads, device="cuda"))[-1].result for threads in (1, 2))
    assert once.device == "cuda"
    assert (once.counts, once.point_counts) == (again.counts, again.point_counts)


def test_trainings_have_the_law_of_those_on_the_processor() -> None:
    """At fixed thresholds both kinds of device are within the exact region of adversary 6."""
    config = CentralConfig("malicious-data", 1, epsilon=10.0, records=100)
    claim, data = claimed(config), load_dataset("digits", None)
    curve = accountant.certified(claim, config.delta)
    for device in ("cpu", "cuda"):
        play = trainings(config, claim, data, device)
        for inside, law in ((True, curve.inside), (False, curve.outside)):
            scores = np.concatenate([play(0, inside, group, 100) for group in range(10)])
            for cut in (-1.0, 0.5, 2.0):
                assert accepts(int((scores >= cut).sum()), 1_000, float(law[curve.losses >= cut].sum())), device
