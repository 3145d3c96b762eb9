"""The black-box test: the server's step, the functions behind gradients, and what each rule makes of an update."""

import math
import pickle

import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.functional import cross_entropy

from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import load_dataset
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.cells import Cell, run_cells
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters
from ldp_core.learning.objectives import logits_of_many, objective_values
from ldp_core.learning.server import DEFAULT_RADIUS, HonestClients, ModelTrainer, honest_clients, step_of
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import ClientState, GradientPair, ModelUpdates, Objective
from ldp_core.statistics import theory
from ldp_core.types import TrialCounts, check_server_step
from tests.game.alone import run_trials
from tests.helpers.binomial import accepts, gen
from tests.helpers.liars import NoNormProjection


@pytest.fixture(scope="module", params=[(1, 28, 10), (3, 32, 7)], ids=["28x28x1", "32x32x3"])
def network(request: pytest.FixtureRequest) -> tuple[ThreeLayerCnn, Tensor]:
    channels, size, classes = request.param
    return ThreeLayerCnn(channels, size, classes, gen(1)), torch.rand(channels, size, size, generator=gen(2))


@pytest.fixture(scope="module")
def client() -> ClientState:
    data = load_dataset("digits")
    model = ThreeLayerCnn(1, 28, 10, gen(3))
    return ClientState(model, data.images, data.labels, data.train_images, data.train_labels, 10, 1.0)


def logits_one_by_one(model: nn.Module, parameters: Tensor, image: Tensor) -> Tensor:
    """Return the logits through torch's own layers, one model at a time."""
    rows = []
    for row in parameters:
        weights, start = {}, 0
        for name, values in model.named_parameters():
            weights[name] = row[start : start + values.numel()].view_as(values)
            start += values.numel()
        rows.append(functional_call(model, weights, (image.unsqueeze(0),))[0])
    return torch.stack(rows)


@pytest.mark.parametrize("number", [1, 2, 9])
def test_many_models_at_once_give_the_logits_of_each_alone(network: tuple[ThreeLayerCnn, Tensor], number: int) -> None:
    model, image = network
    parameters = flat_parameters(model) + 0.1 * torch.randn(number, len(flat_parameters(model)), generator=gen(4))
    images = torch.stack((image, 1.0 - image, image.flip(1)))
    expected = torch.stack([logits_one_by_one(model, parameters, one) for one in images], dim=2)
    torch.testing.assert_close(logits_of_many(model, parameters, images), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("attack", ADVERSARIES)
def test_the_gradients_of_a_pair_are_those_of_its_functions(client: ClientState, attack: str) -> None:
    """By differences of the functions' values along a random direction, at the model of the pair."""
    pair = ADVERSARIES[attack].craft(client, gen(5))
    before = flat_parameters(pair.model).double()
    model = ThreeLayerCnn(1, 28, 10, gen(3)).double()
    direction = torch.randn(len(before), generator=gen(6), dtype=torch.float64)
    step = 1e-6 * direction / direction.norm()
    for objective, gradient in zip(pair.objectives, (pair.first, pair.second), strict=True):
        tensors = [None if v is None else v.double() for v in (objective.image, objective.offset, objective.slope)]
        exact = Objective(tensors[0], objective.label, tensors[1], objective.sign, tensors[2])
        ((ahead, behind),) = objective_values([exact], model, torch.stack((before + step, before - step)))
        slope = gradient.double() @ step
        assert (ahead - behind).item() / 2 == pytest.approx(slope.item(), rel=2e-3, abs=1e-10)


def test_the_servers_step_is_algorithm_2_to_the_letter() -> None:
    for dimension, clients, epsilon, clip_norm in ((50, 1, 0.5, 1.0), (800, 7, 4.0, 3.0)):
        before = torch.randn(dimension, generator=gen(7), dtype=torch.float64)
        radius = 2.0 * before.norm().item()
        reports = torch.randn(clients, dimension, generator=gen(8), dtype=torch.float64)
        reports /= reports.norm(dim=1, keepdim=True)
        mechanism, tangent = LdpSgd(epsilon, clip_norm), math.tanh(epsilon / 2)
        rate = radius * math.sqrt(clients) / (clip_norm * math.sqrt(dimension)) * tangent
        expected = before - rate * mechanism.aggregate(reports)
        expected *= min(1.0, radius / expected.norm().item())
        found = ModelTrainer(dimension, radius, clients).updated(before, reports.sum(dim=0, keepdim=True))
        torch.testing.assert_close(found[0], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("clients", [2, 4, 10])
def test_the_sum_comes_back_though_the_server_projects_and_the_others_are_real(
    client: ClientState, clients: int, law_seed: int
) -> None:
    """A rule that knows the server's step sees as much of a flipped pair as the law of a crowd says."""
    trials = 6_000
    pair = ADVERSARIES["dummy"].craft(client, gen(22))
    others = honest_clients(client.model, client.server_images, client.server_labels, clients - 1, gen(23))
    counts = one_cell("sum-inversion", pair, trials, law_seed, clients=clients, others=others)
    law = theory.crowd_identification(4.0, clients, 1.0, 1.0, 1.0)
    assert accepts(counts.num_right, trials, law)
    assert not accepts(counts.num_right, trials, theory.crowd_identification(4.0, 4 * clients, 1.0, 1.0, 1.0))


def test_a_step_that_stays_in_the_ball_is_not_projected() -> None:
    trainer = ModelTrainer(4, 10.0)
    found = trainer.updated(torch.zeros(4), torch.full((1, 4), 1e-3))
    torch.testing.assert_close(found, torch.full((1, 4), -1e-3 * trainer.step_length))


def updates_of(pair: GradientPair, mechanism: LdpSgd, trainer: ModelTrainer, number: int) -> ModelUpdates:
    before = flat_parameters(pair.model)
    reports = mechanism.randomize(pair.first, number, gen(9))
    after = trainer.updated(before, reports)
    return ModelUpdates(before, after, trainer.step_length, trainer.num_clients, trainer.radius)


def literal_guesses(name: str, pair: GradientPair, updates: ModelUpdates) -> list[bool]:
    """Return "guessed first" for each update as the formulas say it, one model at a time, in float64."""

    def value(which: int, parameters: Tensor) -> float:
        objective = pair.objectives[which]  # type: ignore[index]
        if objective.slope is not None:
            return objective.sign * float(objective.slope.double() @ parameters.double())
        moved = parameters if objective.offset is None else parameters + objective.offset
        logits = logits_one_by_one(pair.model, moved.unsqueeze(0), objective.image)  # type: ignore[arg-type]
        return objective.sign * cross_entropy(logits.double(), torch.tensor([objective.label])).item()

    guesses = []
    for after in updates.after:
        change = [value(which, after) - value(which, updates.before) for which in (0, 1)]
        guesses.append(
            {
                "loss-fall": change[0] <= 0,
                "loss-change": abs(change[0]) >= abs(change[1]),
                "sign-sum": int((updates.before - after > 0).sum()) >= int((updates.before - after < 0).sum()),
                "signed-loss": change[0] / pair.first.norm().item() <= change[1] / pair.second.norm().item(),
            }[name]
        )
    return guesses


OFFERED = [
    (attack, name)
    for name in ("loss-fall", "loss-change", "sign-sum", "signed-loss")
    for attack in ADVERSARIES
    if not DISTINGUISHERS[name].objection(attack, 1)
]


@pytest.mark.parametrize(("attack", "name"), OFFERED)
def test_each_rule_guesses_as_its_formula_says(client: ClientState, attack: str, name: str) -> None:
    rule = DISTINGUISHERS[name]
    pair = ADVERSARIES[attack].craft(client, gen(10))
    radius = DEFAULT_RADIUS * flat_parameters(pair.model).norm().item()
    updates = updates_of(pair, LdpSgd(4.0), ModelTrainer(pair.dimension, radius), 20)
    guesses = (rule.score_updates(updates, pair) >= 0).tolist()  # type: ignore[union-attr]
    assert guesses == literal_guesses(name, pair, updates)


def one_cell(
    name: str,
    pair: GradientPair,
    trials: int,
    seed: int,
    *,
    epsilon: float = 4.0,
    clients: int = 1,
    others: HonestClients | None = None,
    mechanism: LdpSgd | None = None,
    radius: float = 0.0,
    step: float | str = "unbiased",
) -> TrialCounts:
    norm = flat_parameters(pair.model).norm().item()
    radius = radius or DEFAULT_RADIUS * norm
    trainer = ModelTrainer(pair.dimension, radius, clients, step_of(step, pair.dimension, radius, norm))
    cell = Cell(mechanism or LdpSgd(epsilon), DISTINGUISHERS[name], pair, 7, trainer, others)
    *_, tallies = run_cells([cell], trials, seed=seed, threads=2, more_devices=["cpu"])
    return tallies.counts(0)


@pytest.mark.few(2)
@pytest.mark.parametrize("step", ["unbiased", "printed", 0.1, 1.0, 10.0])
@pytest.mark.parametrize("attack", ["benign", "label-flip", "gradient-flip"])
def test_with_one_client_the_black_box_is_no_shield(client: ClientState, attack: str, step: float | str) -> None:
    """The same reports are guessed from the models as from the reports themselves, one by one, whatever the step."""
    pair = ADVERSARIES[attack].craft(client, gen(13))
    white = DISTINGUISHERS["cosine"]
    *_, expected = run_trials(LdpSgd(4.0), white, pair, 2_000, seed=5, stream=7)  # type: ignore[arg-type]
    assert one_cell("update-inversion", pair, 2_000, 5, step=step) == expected
    assert one_cell("sum-inversion", pair, 2_000, 5, step=step) == expected


@pytest.mark.law
def test_a_short_step_hands_the_report_on_to_who_compares_losses(client: ClientState, law_seed: int) -> None:
    """The white box's law of a flipped pair, to first order; the unbiased step, which is longer, is far below it."""
    pair, trials = ADVERSARIES["collusion"].craft(client, gen(13)), 1_500
    law = theory.cosine_identification(4.0, 180.0, pair.geometry.norm_first, pair.geometry.norm_second, 1.0)
    for step in ("printed", 0.001):
        assert accepts(one_cell("loss-fall", pair, trials, law_seed, step=step).num_right, trials, law)
    assert not accepts(one_cell("loss-fall", pair, trials, law_seed, step="unbiased").num_right, trials, law)


def test_a_step_by_name_is_that_of_the_papers_and_a_number_is_one_of_models_lengths() -> None:
    unbiased = step_of("unbiased", 10_650, 6.0, 2.0)
    assert unbiased == pytest.approx(6.0 * math.sqrt(math.pi / 2.0), rel=1e-4)
    assert step_of("printed", 10_650, 6.0, 2.0) == pytest.approx(unbiased / 10_650)
    assert step_of(0.1, 10_650, 6.0, 2.0) == pytest.approx(0.2)
    for wrong in ("biased", 0.0, -1.0, 101.0, True, None, float("nan")):
        with pytest.raises(ValueError, match=r"^server_step must be unbiased, printed or a number from 0\.0001 to 100"):
            check_server_step(wrong)


@pytest.mark.law
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_counting_signs_is_right_as_often_as_two_normals_agree(epsilon: float, law_seed: int) -> None:
    """A sum of d signs and a sum of d normals have correlation sqrt(2 / pi); the printed Eq. 7 has the other sign."""
    trials, dimension = 20_000, 3_000
    model = nn.Linear(dimension - 1, 1)
    with torch.no_grad():
        for values in model.parameters():
            values.zero_()
    pair = GradientPair(torch.full((dimension,), dimension**-0.5), -torch.full((dimension,), dimension**-0.5))
    pair = GradientPair(pair.first, pair.second, model=model)
    counts = one_cell("sign-sum", pair, trials, law_seed, epsilon=epsilon, radius=1.0)
    agree = 0.5 + math.asin(math.sqrt(2.0 / math.pi)) / math.pi
    same_side = theory.worst_case_identification(epsilon)
    law = same_side * agree + (1.0 - same_side) * (1.0 - agree)
    assert accepts(counts.num_right, trials, law)
    assert not accepts(counts.num_right, trials, 1.0 - law)


@pytest.mark.law
def test_a_mechanism_that_forgets_the_norm_is_caught_from_the_models_alone(client: ClientState, law_seed: int) -> None:
    gradient = torch.full((10_650,), 0.3 / math.sqrt(10_650))
    objective = Objective(slope=gradient)
    pair = GradientPair(gradient, -gradient, model=client.model, objectives=(objective, objective.negative()))
    law = theory.cosine_identification(4.0, 180.0, 0.3, 0.3, 1.0)
    honest = one_cell("update-inversion", pair, 4_000, law_seed)
    liar = one_cell("update-inversion", pair, 4_000, law_seed, mechanism=NoNormProjection(4.0))
    assert accepts(honest.num_right, 4_000, law)
    assert not accepts(liar.num_right, 4_000, law)


def test_other_clients_have_images_of_their_own_and_the_servers_model(client: ClientState) -> None:
    others = honest_clients(client.model, client.server_images, client.server_labels, 5, gen(14))
    known = {
        tuple(client_gradient(client.model, image, label)[-10:].tolist())
        for image, label in zip(client.server_images[:50], client.server_labels[:50], strict=True)
    }
    assert len(known) == 50
    assert len({tuple(row.tolist()) for row in others.directions}) == 5
    torch.testing.assert_close(others.directions.norm(dim=1), torch.ones(5))
    first = torch.randperm(len(client.server_images), generator=gen(14))[0]
    gradient = client_gradient(client.model, client.server_images[first], client.server_labels[first])
    torch.testing.assert_close(others.directions[0] * others.norms[0], gradient, rtol=1e-5, atol=1e-7)


def test_private_things_of_a_round_show_nothing(client: ClientState) -> None:
    pair = ADVERSARIES["benign"].craft(client, gen(19))
    others = honest_clients(client.model, client.server_images, client.server_labels, 1, gen(20))
    updates = updates_of(pair, LdpSgd(1.0), ModelTrainer(pair.dimension, 100.0), 1)
    for thing in (pair, pair.objectives[0], updates, others):
        assert repr(thing) == f"<{type(thing).__name__}: private>"
        with pytest.raises(TypeError, match="is private and is never serialised"):
            pickle.dumps(thing)
