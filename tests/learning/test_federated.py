"""Federated training: the vectorised randomizer obeys LDP-SGD's law, and its noise is what the accuracy shows."""

import dataclasses
import math

import pytest
import torch
from torch import Tensor

from ldp_core.datasets import ImageData
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters
from ldp_core.learning.sent import report_signs
from ldp_core.mechanisms.ldp_sgd import LdpSgd, gamma_ratio
from ldp_core.studies.utility import run as federated
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.studies.utility.run import client_gradients, image_patches, utility
from tests.helpers.binomial import accepts, gen

pytestmark = pytest.mark.usefixtures("one_thread")

SMALL = UtilityConfig(epsilons=(1.0, 8.0), seed=3, clients=60, rounds=2)


def reports_of(mechanism: LdpSgd, gradients: Tensor, seed: int) -> Tensor:
    """Randomize each row once, as a round does."""
    generator = gen(seed)
    directions = torch.nn.functional.normalize(torch.randn(gradients.shape, generator=generator))
    draws = torch.rand(2, len(gradients), generator=generator, dtype=torch.float64)
    norms = torch.linalg.vector_norm(gradients, dim=1, dtype=torch.float64)
    return report_signs(mechanism, gradients, norms, directions, draws).unsqueeze(1) * directions


def last_result(config: UtilityConfig, threads: int = 1) -> UtilityResult:
    *_, last = utility(config, threads=threads)
    return last.result


@pytest.mark.parametrize(("channels", "size"), [(1, 28), (3, 32)])
def test_gradients_of_many_images_are_those_of_each(channels: int, size: int) -> None:
    model = ThreeLayerCnn(channels, size, 10, gen())
    images = torch.rand(7, channels, size, size, generator=gen(1))
    labels = torch.randint(10, (7,), generator=gen(2))
    expected = torch.stack([client_gradient(model, image, label) for image, label in zip(images, labels, strict=True)])
    for patches in (None, image_patches(model, images)):
        found = client_gradients(model, images, labels, patches)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)
        assert not found.requires_grad
    assert all(values.grad is None for values in model.parameters())
    assert not torch.allclose(client_gradients(model, images, labels.roll(1)), expected, atol=1e-3)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("dimension", [2, 8, 64])
@pytest.mark.parametrize(("norm", "clip_norm"), [(1.0, 1.0), (7.0, 2.0), (0.3, 1.0), (0.0, 1.0)])
def test_one_report_of_each_client_obeys_the_law_of_randomize(
    law_seed: int, dimension: int, norm: float, clip_norm: float
) -> None:
    """Half the clients hold a gradient, the others its negative: a sign that ignores the own row is caught."""
    trials, mechanism = 200_000, LdpSgd(2.0, clip_norm)
    unit = torch.nn.functional.normalize(torch.randn(dimension, generator=gen(1)), dim=0)
    turned = torch.where(torch.arange(trials) % 2 == 0, 1.0, -1.0).unsqueeze(1)
    reports = reports_of(mechanism, norm * turned * unit, law_seed)
    torch.testing.assert_close(reports.norm(dim=1), torch.ones(trials))
    expected = 0.5 + min(norm / clip_norm, 1.0) * math.tanh(1.0) / 2.0
    assert accepts(int(((reports * turned) @ unit > 0).sum()), trials, expected)
    assert accepts(int((reports @ unit > 0).sum()), trials, 0.5)
    one_by_one = mechanism.randomize(norm * unit, trials, gen(law_seed))
    assert accepts(int((one_by_one @ unit > 0).sum()), trials, expected)
    if norm > 0:
        assert not accepts(int((reports @ unit > 0).sum()), trials, expected)


def noise_norm(epsilon: float, clients: int, dimension: int, clip_norm: float = 1.0) -> float:
    """Return how long the noise in the server's estimate of the mean gradient is, root mean square at most."""
    constant = gamma_ratio(dimension) * math.sqrt(math.pi)
    return clip_norm * constant / (math.tanh(epsilon / 2) * math.sqrt(clients))


@pytest.mark.law
@pytest.mark.parametrize("dimension", [4, 8, 64])
def test_the_estimate_of_many_clients_is_unbiased(law_seed: int, dimension: int) -> None:
    """Within six standard errors of the mean clipped gradient; the constant as printed is d times too small."""
    clients, mechanism = 400_000, LdpSgd(2.0, 1.5)
    kinds = torch.randn(4, dimension, generator=gen(5)) * torch.tensor([[0.05], [0.2], [1.0], [5.0]])
    clipped = kinds * (1.5 / kinds.norm(dim=1, keepdim=True)).clamp(max=1.0)
    estimate = mechanism.aggregate(reports_of(mechanism, kinds.repeat(clients // 4, 1), law_seed))
    error = noise_norm(2.0, clients, dimension, 1.5) / math.sqrt(dimension)
    assert (estimate - clipped.mean(dim=0)).abs().max() < 6 * error
    assert (estimate / dimension - clipped.mean(dim=0)).abs().max() > 6 * error


def test_the_noise_is_as_long_as_the_theory_line_says() -> None:
    """Without any gradient the estimate is noise alone; its mean square over many rounds is that of the formula."""
    mechanism, clients, dimension, rounds = LdpSgd(1.0), 50, 256, 400
    lengths = torch.stack(
        [mechanism.aggregate(reports_of(mechanism, torch.zeros(clients, dimension), seed)) for seed in range(rounds)]
    ).norm(dim=1)
    assert float(lengths.square().mean().sqrt()) == pytest.approx(noise_norm(1.0, clients, dimension), rel=0.02)
    assert noise_norm(1.0, 10_000, 10_650) == pytest.approx(
        math.sqrt(math.pi * 10_650 / 2) / math.tanh(0.5) / 100, rel=1e-3
    )


def test_a_round_without_privacy_is_one_step_along_the_mean_clipped_gradient(data: ImageData) -> None:
    """More clients than images: the images are handed out again from the start."""
    few = dataclasses.replace(data, train_images=data.train_images[:30], train_labels=data.train_labels[:30])
    config = dataclasses.replace(SMALL, clip_norm=0.5)
    training = federated._Training(config, few)
    before = flat_parameters(training.models[0])
    each = client_gradients(training.models[0], training.images, few.train_labels)
    expected = (each * (0.5 / each.norm(dim=1, keepdim=True)).clamp(max=1.0)).mean(dim=0)
    with federated.ThreadPoolExecutor(1) as pool:
        assert list(training.run_round(0, pool))[-1] == config.clients
    moved = flat_parameters(training.models[0]) - before
    torch.testing.assert_close(moved, -config.learning_rate / 0.5 * expected, rtol=1e-3, atol=1e-6)
    assert not torch.allclose(flat_parameters(training.models[1]), flat_parameters(training.models[2]))


def test_the_numbers_depend_on_the_seed_and_not_on_the_threads() -> None:
    config = dataclasses.replace(SMALL, clients=300)
    first, second = (last_result(config, threads) for threads in (1, 3))
    assert first.curves == second.curves
    assert first.completed
    assert last_result(dataclasses.replace(config, seed=4)).curves != first.curves


def test_each_of_several_trainings_is_what_its_seed_gives_alone() -> None:
    together = last_result(dataclasses.replace(SMALL, repeats=3))
    alone = [last_result(dataclasses.replace(SMALL, seed=SMALL.seed + number)) for number in range(3)]
    for curve, single in zip(together.curves, zip(*(result.curves for result in alone), strict=True), strict=True):
        assert curve.trainings == tuple(one.trainings[0] for one in single)
        assert curve.lowest[-1] <= curve.accuracy[-1] <= curve.highest[-1]
    assert len(set(together.curves[0].trainings)) == 3


def test_whoever_stops_has_a_valid_result_of_a_shorter_run() -> None:
    whole = last_result(SMALL)
    for index, state in enumerate(utility(SMALL, threads=1)):
        assert state.total == 120
        assert 0 <= state.done <= state.total
        assert state.result.completed == (state.done == state.total)
        for short, long in zip(state.result.curves, whole.curves, strict=True):
            assert short.accuracy == long.accuracy[: len(short.accuracy)]
        if index == 0:
            assert (state.stage, state.result.curves[0].accuracy) == ("data", ())
        if len(state.result.curves[0].accuracy) == 2:
            break
    assert not state.result.completed
    assert state.result.curves[1].rounds == 1
    assert state.result.curves[1].spent == 1.0
    assert whole.curves[1].spent == 2.0
    assert whole.curves[0].spent is None
