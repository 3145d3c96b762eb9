"""Each attack makes the pair that its docstring promises, and private things stay private."""

import copy
import math
import pickle
from collections import Counter
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from ldp_core.adversaries import ADVERSARIES, adversary
from ldp_core.cache import Cache
from ldp_core.datasets import load_dataset
from ldp_core.errors import HaltedError
from ldp_core.learning.models import global_model
from ldp_core.private import ClientState, GradientPair
from tests.helpers.binomial import accepts, gen

FALLS_SHORT = "fell short of the clipping norm"


def check_gradient(found: Tensor, model: nn.Module, image: Tensor, label: Tensor | int) -> None:
    """Against the gradient the long way: log-softmax by hand, backward(), .grad of a copy."""
    model = copy.deepcopy(model)
    logits = model(image[None])[0]
    (logits.exp().sum().log() - logits[int(label)]).backward()
    expected = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> ClientState:
    """Return the untrained network on the digits."""
    data = load_dataset("digits")
    cache = Cache(tmp_path_factory.mktemp("cache"))
    *_, (_, _, trained) = global_model(data, "none", cache)
    return ClientState(trained.model, data.images, data.labels, data.train_images, data.train_labels, 10, 1.0)


def linear_client(classes: int = 10, clip_norm: float = 1.0, value: float = 0.0) -> ClientState:
    """Equal weights: the last values of a gradient are softmax minus one-hot, negative at the label alone."""
    layer = nn.Linear(classes, classes)
    with torch.no_grad():
        layer.weight.fill_(value)
        layer.bias.fill_(value)
    labels = torch.arange(classes)
    pixels = torch.eye(classes).reshape(classes, 1, 1, classes)
    model = nn.Sequential(nn.Flatten(), layer)
    return ClientState(model, (1 + pixels) / 2, labels, pixels, labels, classes, clip_norm)


def index_of(client: ClientState, image: Tensor) -> int:
    matches = [index for index in range(len(client.images)) if torch.equal(client.images[index], image)]
    assert len(matches) == 1
    return matches[0]


@pytest.mark.parametrize("seed", range(5))
def test_benign_takes_two_different_held_out_images_with_their_own_labels(client: ClientState, seed: int) -> None:
    pair = ADVERSARIES["benign"].craft(client, gen(seed))
    first, second = (index_of(client, image) for image in pair.images)
    assert first != second
    for index, gradient in ((first, pair.first), (second, pair.second)):
        check_gradient(gradient, client.model, client.images[index], client.labels[index])


@pytest.mark.parametrize("strength", [1.0, 0.05])
def test_input_perturbation_moves_each_grey_value_to_where_the_loss_grows(client: ClientState, strength: float) -> None:
    pair = adversary("input-perturbation", strength).craft(client, gen(6))
    index = index_of(client, pair.images[0])
    label = int(client.labels[index])
    image = pair.images[0].clone().requires_grad_()
    logits = copy.deepcopy(client.model)(image[None])[0]
    (logits.exp().sum().log() - logits[label]).backward()
    certain = image.grad.abs() > 1e-6
    expected = (pair.images[0] + strength * image.grad.sign()).clamp(0.0, 1.0)
    assert torch.equal(pair.images[1][certain], expected[certain])
    assert certain.float().mean() > 0.5
    for gradient, seen in ((pair.first, pair.images[0]), (pair.second, pair.images[1])):
        check_gradient(gradient, client.model, seen, label)


@pytest.mark.parametrize("strength", [1.0, 3.0])
def test_parameter_retrogression_moves_the_model_up_its_own_gradient(client: ClientState, strength: float) -> None:
    pair = adversary("parameter-retrogression", strength).craft(client, gen(7))
    index = index_of(client, pair.images[0])
    image, label = client.images[index], int(client.labels[index])
    check_gradient(pair.first, client.model, image, label)
    moved, start = copy.deepcopy(client.model), 0
    with torch.no_grad():
        for values in moved.parameters():
            values += strength * pair.first[start : start + values.numel()].view_as(values)
            start += values.numel()
    check_gradient(pair.second, moved, image, label)
    loss = [-model(image[None])[0].log_softmax(0)[label].item() for model in (client.model, moved)]
    assert loss[1] > loss[0]


def test_a_random_label_flip_draws_the_wrong_label_uniformly_among_the_others() -> None:
    client, generator, draws = linear_client(), gen(), 1800
    shifts: Counter[int] = Counter()
    for _ in range(draws):
        pair = adversary("label-flip", wrong_label="random").craft(client, generator)
        own, wrong = int(pair.first[-10:].argmin()), int(pair.second[-10:].argmin())
        assert own == index_of(client, pair.images[0])
        shifts[(wrong - own) % 10] += 1
    assert set(shifts) == set(range(1, 10))
    for number in shifts.values():
        assert accepts(number, draws, 1 / 9)


@pytest.mark.parametrize("seed", range(5))
def test_label_flip_gives_the_wrong_label_that_the_model_finds_likeliest(client: ClientState, seed: int) -> None:
    pair = ADVERSARIES["label-flip"].craft(client, gen(seed))
    index = index_of(client, pair.images[0])
    assert torch.equal(pair.images[0], pair.images[1])
    image, label = client.images[index], int(client.labels[index])
    order = client.model(image.unsqueeze(0))[0].argsort(descending=True).tolist()
    wrong = next(each for each in order if each != label)
    check_gradient(pair.first, client.model, image, label)
    check_gradient(pair.second, client.model, image, wrong)


@pytest.mark.parametrize("seed", range(5))
def test_gradient_flip_is_the_exact_negative(client: ClientState, seed: int) -> None:
    pair = ADVERSARIES["gradient-flip"].craft(client, gen(seed))
    index = index_of(client, pair.images[0])
    assert torch.equal(pair.second, -pair.first)
    assert pair.geometry.angle_degrees == 180.0
    check_gradient(pair.first, client.model, client.images[index], client.labels[index])


def test_collusion_reaches_the_clipping_norm_and_leaves_the_honest_model_alone(client: ClientState) -> None:
    before = copy.deepcopy(client.model.state_dict())
    for seed in range(3):
        pair = ADVERSARIES["collusion"].craft(client, gen(seed))
        assert torch.equal(pair.second, -pair.first)
        assert pair.geometry.angle_degrees == 180.0
        assert pair.geometry.norm_first >= client.clip_norm
        assert pair.geometry.norm_first == pair.geometry.norm_second
        assert FALLS_SHORT not in pair.geometry.description
    assert all(torch.equal(before[name], value) for name, value in client.model.state_dict().items())


def test_collusion_trains_on_one_label_and_takes_an_image_of_another() -> None:
    """After training on one label, its softmax stands out and those of all others stay equal."""
    client = linear_client(clip_norm=1e6)
    lone_labels = set()
    for seed in range(25):
        pair = ADVERSARIES["collusion"].craft(client, gen(seed))
        label = index_of(client, pair.images[0])
        softmax = pair.first[-10:] + torch.eye(10)[label]
        lone = int(softmax.argmax())
        others = softmax[torch.arange(10) != lone]
        lone_labels.add(lone)
        assert label != lone
        assert softmax[lone] > others.max() + 0.01
        torch.testing.assert_close(others, others[:1].expand(9), rtol=1e-5, atol=1e-6)
    assert len(lone_labels) > 5


def test_collusion_ends_after_a_pass_when_nobody_wants_it_any_more() -> None:
    asked: list[int] = []
    client = replace(linear_client(clip_norm=1e6), halted=lambda: asked.append(1) or len(asked) == 3)
    with pytest.raises(HaltedError):
        ADVERSARIES["collusion"].craft(client, gen())
    assert len(asked) == 3


@pytest.mark.parametrize("clip_norm", [1.0, 0.25, 1e6])
def test_dummy_is_constant_with_the_clipping_norm(client: ClientState, clip_norm: float) -> None:
    pair = ADVERSARIES["dummy"].craft(replace(client, clip_norm=clip_norm), gen())
    assert pair.dimension == 10_650
    assert torch.equal(pair.first, torch.full((10_650,), clip_norm / math.sqrt(10_650)))
    assert torch.equal(pair.second, -pair.first)
    assert pair.geometry.angle_degrees == 180.0
    assert pair.geometry.norm_first == pytest.approx(clip_norm, rel=1e-6)
    assert pair.images == ()


@pytest.mark.parametrize("attack", ADVERSARIES)
def test_all_randomness_comes_from_the_generator(client: ClientState, attack: str) -> None:
    state = torch.random.get_rng_state()
    first, again, other = (ADVERSARIES[attack].craft(client, gen(seed)) for seed in (5, 5, 6))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.equal(first.first, again.first)
    assert torch.equal(first.second, again.second)
    assert torch.equal(first.first, other.first) == (attack == "dummy")
    assert all(torch.equal(one, two) for one, two in zip(first.images, again.images, strict=True))


def test_private_things_show_nothing_and_are_never_serialised() -> None:
    client = linear_client(value=0.123)
    pair = GradientPair(torch.tensor([0.123, 4.5]), torch.tensor([7.5, 0.25]), "secret words", (client.images[0],))
    for private in (client, pair):
        assert repr(private) == str(private) == f"<{type(private).__name__}: private>"
        for copier in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="private and is never serialised"):
                copier(private)


def test_two_zero_gradients_are_refused_and_one_counts_as_opposite() -> None:
    zero, other = torch.zeros(4), torch.tensor([3.0, 0.0, 0.0, 4.0])
    with pytest.raises(ValueError, match="got two zero gradients"):
        GradientPair(zero, zero)
    for pair, norms in ((GradientPair(zero, other), (0.0, 5.0)), (GradientPair(other, -zero), (5.0, 0.0))):
        assert pair.geometry.angle_degrees == 180.0
        assert (pair.geometry.norm_first, pair.geometry.norm_second) == norms
        assert torch.equal(pair.first_direction, -pair.second_direction)
        assert torch.isfinite(pair.direction_difference).all()


@given(st.floats(0.0, 180.0), st.floats(-290, 300), st.floats(-290, 300))
def test_angle_and_norms_are_right_at_every_scale(angle: float, first_power: float, second_power: float) -> None:
    """In float64, also where squares would under- or overflow."""
    radians, one, two = math.radians(angle), 10.0**first_power, 10.0**second_power
    first = torch.tensor([one, 0.0, 0.0], dtype=torch.float64)
    second = torch.tensor([two * math.cos(radians), two * math.sin(radians), 0.0], dtype=torch.float64)
    pair = GradientPair(first, second)
    assert pair.geometry.angle_degrees == pytest.approx(angle, abs=1e-6)
    assert pair.geometry.norm_first == pytest.approx(one, rel=1e-12)
    assert pair.geometry.norm_second == pytest.approx(two, rel=1e-12)
    assert torch.allclose(pair.direction_difference, pair.first_direction - pair.second_direction, atol=1e-12)
