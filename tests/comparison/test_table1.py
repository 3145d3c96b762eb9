"""The map behind the published table: its law, its verdicts, and that it trains what it says."""

import dataclasses
import math

import pytest
import torch
from torch import Generator

from ldp_core.datasets import load_dataset
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.statistics import published, theory
from tests.benchmarks.table1 import (
    EPSILONS,
    ROWS,
    Line,
    Recipe,
    conclusion,
    gradients_of,
    lines,
    pair_strengths,
    recipes,
    text_of,
)


@pytest.fixture(autouse=True)
def _one_thread() -> object:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_the_strength_of_a_pair_is_that_of_the_exact_law() -> None:
    generator = Generator().manual_seed(0)
    first, second = (torch.randn(50, 6, generator=generator, dtype=torch.float64) * 0.4 for _ in range(2))
    second[0] = -first[0]
    for one, two, strength in zip(first, second, pair_strengths(first, second), strict=True):
        cosine = float(torch.dot(one, two) / one.norm() / two.norm())
        angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        for epsilon in EPSILONS:
            expected = theory.cosine_identification(epsilon, angle, float(one.norm()), float(two.norm()), 1.0)
            assert 0.5 + float(strength) * math.tanh(epsilon / 2.0) == pytest.approx(expected, abs=1e-9)


def test_each_image_has_its_own_gradient() -> None:
    data, model = load_dataset("digits"), ThreeLayerCnn(1, 28, 10, Generator().manual_seed(1))
    found = gradients_of(model, data.images[:5], data.labels[:5])
    for gradient, image, label in zip(found, data.images, data.labels, strict=False):
        torch.testing.assert_close(gradient, client_gradient(model, image, label), rtol=1e-4, atol=1e-6)


def line_of(shares_at_four: dict[str, float], spread: float = 0.02) -> Line:
    strengths = {name: ((share - 0.5) / math.tanh(2.0), spread) for name, share in shares_at_four.items()}
    return Line(recipes()[0], 1, "train", 0.9, strengths)


def test_a_setting_explains_a_row_it_gives_and_no_other() -> None:
    right = {name: published.IDENTIFICATION[attack][4.0] for name, attack in ROWS.items()}
    line = line_of(right)
    assert all(line.explains(name) for name in ROWS)
    assert all(abs(line.worst(name)) < 1.0 for name in ROWS)
    for name in ROWS:
        for shift in (-0.05, 0.05):
            liar = line_of(right | {name: right[name] + shift})
            assert [column for column in ROWS if not liar.explains(column)] == [name]
            assert liar.worst(name) == pytest.approx(100 * shift, abs=1.0)
    wrong = line_of(right | {"label uniform": 0.772})
    assert "No training of this map explains: label uniform." in conclusion([wrong])
    assert "none; each row has one" in conclusion([line, wrong])


def test_a_training_that_diverges_gives_no_line() -> None:
    assert list(lines(Recipe("0..255", 1, "sgd", 1e9, 64), load_dataset("digits"), shown=(1, 2))) == []


@pytest.mark.parametrize("optimizer", ["adam", "sgd", "momentum", "ldp-sgd"])
@pytest.mark.parametrize("softmaxes", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_a_recipe_is_trained_and_measured(optimizer: str, softmaxes: int) -> None:
    whole = load_dataset("digits")
    parts = (
        whole.train_images[:400],
        whole.train_labels[:400],
        whole.train_images[400:800],
        whole.train_labels[400:800],
    )
    data = dataclasses.replace(
        whole, **dict(zip(("train_images", "train_labels", "images", "labels"), parts, strict=True))
    )
    rate = 4.0 if optimizer == "ldp-sgd" else 1e-3
    found = list(lines(Recipe("0..255", softmaxes, optimizer, rate, 64), data, shown=(1, 2)))
    assert [(line.passes, line.images) for line in found] == [(n, i) for n in (1, 2) for i in ("train", "held out")]
    for line in found:
        assert 0.0 <= line.accuracy <= 1.0
        for mean, spread in line.strengths.values():
            assert 0.0 <= mean <= 0.5
            assert spread >= 0.0
        assert line.strengths["flip"][0] >= line.strengths["benign"][0]
        assert text_of(line).count("|") == len(ROWS)
    assert found[0].strengths != found[2].strengths
