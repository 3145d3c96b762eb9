"""A picture of the client's own: its true update, and no trace of it."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from ldp_core.cache import Cache
from ldp_core.datasets import load_dataset
from ldp_core.errors import DatasetUnavailableError
from ldp_core.learning.models import flat_parameters, global_model
from ldp_core.studies.glimpse.run import Glimpse, GlimpseConfig, glimpse
from tests.helpers.marks import encoded


def found(picture: bytes, cache: Path, label: int | None = None) -> Glimpse:
    *_, last = glimpse(GlimpseConfig(label), picture, Cache(cache))
    return last.result


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("glimpse")


@pytest.fixture(scope="module")
def digit() -> np.ndarray:
    return (255 * load_dataset("digits").images[5, 0]).round().byte().numpy()


def test_update_is_the_slope_of_the_loss(cache: Path, digit: np.ndarray) -> None:
    """Along a random direction the loss itself must rise as the update says."""
    result = found(encoded(digit), cache, 4)
    assert (result.image == digit).all()
    assert (result.label, result.update.shape, result.completed) == (4, (10_650,), True)
    *_, (_, _, trained) = global_model(load_dataset("digits"), "light", Cache(cache))
    model = trained.model.double()
    direction = torch.randn(10_650, generator=torch.Generator().manual_seed(1), dtype=torch.float64) * 1e-5
    image, losses = torch.from_numpy(digit.copy()).double()[None, None] / 255, []
    weights = flat_parameters(model)
    for step in (1, -1):
        torch.nn.utils.vector_to_parameters(weights + step * direction, model.parameters())
        with torch.no_grad():
            losses.append(cross_entropy(model(image), torch.tensor([4])).item())
    rise = float(torch.from_numpy(result.update) @ direction)
    assert (losses[0] - losses[1]) / 2 == pytest.approx(rise, rel=1e-3)


def test_dark_on_light_is_inverted_and_says_so(cache: Path, digit: np.ndarray) -> None:
    """A photo of ink on paper is what the model learned from, upside down; so is one with a frame of grey paper."""
    plain, paper = found(encoded(digit), cache, 5), found(encoded(255 - digit), cache, 5)
    assert (plain.inverted, paper.inverted) == (False, True)
    assert (paper.image == plain.image).all()
    assert (paper.update == plain.update).all()
    grey = found(encoded((200 - 0.7 * digit).astype(np.uint8)), cache, 5)
    assert grey.inverted
    assert grey.guess == plain.guess
    crossed = digit.copy()
    crossed[:, 10:14] = 255  # a stroke that leaves the picture on both sides
    assert not found(encoded(crossed), cache, 5).inverted


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\nhalf"])
def test_other_files_are_one_sentence(cache: Path, content: bytes) -> None:
    with pytest.raises(DatasetUnavailableError, match="must be one that can be read"):
        found(content, cache)


def test_nothing_of_the_picture_is_shown_pickled_or_written(tmp_path: Path, digit: np.ndarray) -> None:
    result = found(encoded(digit), tmp_path)
    assert repr(result) == "<Glimpse: private>"
    with pytest.raises(TypeError, match="private"):
        pickle.dumps(replace(result))
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".safetensors"}
