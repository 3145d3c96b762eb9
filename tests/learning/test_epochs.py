"""The benchmark of passes: gradients of each picture are those of autograd, in networks of every kind."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from tests.benchmarks.epochs import MODELS, built, gradients_of_each


@pytest.mark.parametrize("name", MODELS)
def test_the_gradient_of_each_picture_is_that_of_autograd(name: str) -> None:
    model = built(name, 3, 0.05).double()
    images, labels = torch.rand(3, 3, 32, 32, dtype=torch.float64), torch.tensor([1, 7, 1])
    found = gradients_of_each(model, images, labels)
    for row, image, label in zip(found, images, labels, strict=True):
        loss = cross_entropy(model(image.unsqueeze(0)), label.reshape(1))
        expected = torch.cat([part.reshape(-1) for part in torch.autograd.grad(loss, list(model.parameters()))])
        assert torch.allclose(row, expected, atol=1e-12)
        assert float(expected.norm()) > 1e-4


def test_networks_have_the_sizes_of_their_kind() -> None:
    sizes = {}
    for name, (build, _) in MODELS.items():
        with torch.device("meta"):
            sizes[name] = sum(values.numel() for values in build(3, 1.0).parameters())
    assert sizes["LeNet"] == 62_006  # LeCun's 61,706 with one colour
    assert 4.8e6 < sizes["ResNet10"] < 5.0e6
    assert 14.7e6 < sizes["VGG16"] < 15.3e6  # 14.71 million in its convolutions
    assert sizes["AlexNet"] > 2e6
