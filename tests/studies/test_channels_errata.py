"""Where the paper's numbers mislead: every figure that the limits of a channel quote, measured again."""

import functools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from ldp_core.channels import CHANNELS
from ldp_core.datasets import ImageData, load_dataset
from ldp_core.presentation.documents.context import WORDS
from ldp_core.statistics import information
from ldp_core.studies.channels.run import Values, covariance_of
from tests.helpers.words import LANGUAGES

TOLD = WORDS["limits_channels"]


@functools.cache
def measured(data_dir: Path) -> tuple[ImageData, Values, Values]:
    """Return real MNIST pictures, the covariance of their training part and its eigenvalues."""
    data = load_dataset("mnist", data_dir)
    covariance = covariance_of(data.train_images)
    return data, covariance, information.eigenvalues_of(covariance)


def test_equal_capacity_is_not_equal_privacy(data_dir: Path) -> None:
    _, covariance, _ = measured(data_dir)
    left = {
        name: CHANNELS[name].fit(covariance, 100.0).wiener_error() * len(covariance) / float(np.trace(covariance))
        for name in ("natural", "white")
    }
    assert f"the natural channel leaves {100 * left['natural']:.0f} % of the variance" in TOLD
    assert f"the white one {100 * left['white']:.0f} %" in TOLD
    for t in LANGUAGES.values():
        for share in left.values():
            for text in (t.PICTURE_CHANNELS_NOTE, t.REPORT["limits_channels"]):
                assert f"{100 * share:.0f}%" in text.replace(" %", "%")  # no space before it in Japanese


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_tell_the_same_numbers(language: str) -> None:
    text = LANGUAGES[language].REPORT["limits_channels"].replace(" %", "%")
    for number in ("0.0117", "99.6%", "0.00002", "128", "1/(2z²)", "0.067", "0.0011", "437", "55"):
        assert number in text


def test_the_gaussian_model_is_no_floor_for_real_pictures(data_dir: Path) -> None:
    data, covariance, eigenvalues = measured(data_dir)
    floor, _ = information.gaussian_model_floor(eigenvalues, 50.0)
    assert f"less than {floor:.4f} per pixel" in TOLD
    fit = CHANNELS["natural"].fit(covariance, 50.0)
    pictures = data.images.flatten(1).double().numpy()
    sent = fit.add_to(pictures, np.random.default_rng(0).normal(size=pictures.shape))
    nearest = fit.nearest(sent, pictures)
    right = int((nearest == np.arange(len(pictures))).sum())
    error = float(((pictures[nearest] - pictures) ** 2).mean())
    assert len(pictures) == 2_000
    assert right == pytest.approx(0.996 * 2_000, abs=10)
    assert error < floor / 100
    assert "99.6 %" in TOLD
    assert "0.00002" in TOLD


def test_rounds_add_up_but_do_not_multiply(data_dir: Path) -> None:
    _, covariance, _ = measured(data_dir)
    fit = CHANNELS["natural"].fit(covariance, 100.0)
    assert fit.capacity(1) == pytest.approx(100.0)
    assert f"up to {fit.capacity(20):.0f} nats" in TOLD
    assert 100.0 < fit.capacity(20) < 2_000.0


def test_theorem_3_wastes_its_budget(data_dir: Path) -> None:
    _, covariance, eigenvalues = measured(data_dir)
    variances, alike = np.diag(covariance), np.ones(len(covariance))
    log_noise = brentq(lambda log: information.diagonal_capacity(variances, alike, math.exp(log)) - 100.0, -10.0, 5.0)
    assert f"lets {information.capacity(eigenvalues, math.exp(log_noise)):.0f} through" in TOLD


def test_the_mean_of_a_large_batch_is_guessed_without_a_gradient(data_dir: Path) -> None:
    data, covariance, _ = measured(data_dir)
    pictures, mean = data.images.flatten(1).double().numpy(), data.train_images.flatten(1).double().mean(0).numpy()
    chosen = np.random.default_rng(1).integers(0, len(pictures), (500, 64))
    errors = [float(((pictures[chosen[:, :size]].mean(axis=1) - mean) ** 2).mean()) for size in (1, 64)]
    assert errors[0] == pytest.approx(float(np.trace(covariance)) / len(mean), rel=0.02)
    assert f"{float(np.trace(covariance)) / len(mean):.3f} for one picture" in TOLD
    assert f"{errors[1]:.4f} for 64" in TOLD


@pytest.mark.parametrize("batch", [1, 16, 128])
def test_a_noisy_gradient_tells_no_more_of_a_picture_in_a_small_batch(batch: int) -> None:
    for noise in (0.2, 0.8):
        whole = information.dp_sgd_capacity(noise, batch)
        assert whole / batch == pytest.approx(1.0 / (2.0 * noise**2))
        assert information.dp_sgd_capacity(noise, batch, 500) / batch < 1.0 / (2.0 * noise**2)
    assert 100.0 / (information.dp_sgd_capacity(0.8, 128) / 128) == pytest.approx(128.0)
    assert "128 times as much" in TOLD
