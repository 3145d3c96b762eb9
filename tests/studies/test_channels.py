"""The command ``channels``: it runs as the README has it, its JSON keeps the contract, and it is read back."""

import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.optimize import brentq

from ldp_core import record, results
from ldp_core.channels import CHANNELS, EYES, importance_levels, importance_weights, read_map
from ldp_core.datasets import ImageData, load_dataset
from ldp_core.presentation.documents.context import WORDS
from ldp_core.statistics import information
from ldp_core.studies import STUDIES
from ldp_core.studies.channels.result import ChannelsConfig, ChannelsResult
from ldp_core.studies.channels.run import Values, covariance_of
from ldp_core.studies.reading import english
from tests.cli.commands import Refused, Run
from tests.helpers.binomial import at_most
from tests.helpers.words import LANGUAGES


def measured(run: Run, *words: str) -> dict[str, Any]:
    code, out, _ = run("channels", *words, "--seed", "7", "--json", "-")
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("channel", ["natural", "white", "personalized"])
def test_without_a_number_of_candidates_all_digits_are_candidates(channel: str, run: Run) -> None:
    """The built-in data set has fewer pictures than the 2,000 among which is looked elsewhere."""
    found = measured(run, "--channel", channel, "--pictures", "20")
    assert found["candidates"] == 1_797
    assert (found["sigma"] is None) is (channel == "white")
    assert found["capacity"] == pytest.approx(100.0)
    assert {"rank", "rounds", "wiener_error_per_pixel", "share_of_variance"} < set(found)
    assert found["gaussian_error"]["point"] == pytest.approx(found["wiener_error_per_pixel"], rel=0.02)
    assert found["gaussian_error"]["point"] >= found["gaussian_floor"]
    assert results.read(json.dumps(found).encode()).result == record.from_json(json.dumps(found), ChannelsResult)
    assert json.loads(record.to_json(record.from_json(json.dumps(found), ChannelsResult))) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--candidates 2000", "candidates must be at most the 1,797 pictures of digits, got 2,000"),
        ("--channel white --capacity 1e9", "capacity must be one that noise reaches"),
        ("--channel natural --capacity 1e300", "capacity must be one that noise reaches"),
        ("--goal error:2", "goal error must be a number between 0 and 1"),
        ("--goal share:.1", "goal must be one of error:NUMBER"),
        ("--goal error:0.9", "goal must be one that some noise reaches"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(words: str, said: str, refused: Refused) -> None:
    assert said in refused("channels", *words.split())


@pytest.mark.few(1)
@pytest.mark.parametrize("channel", ["natural", "white", "personalized"])
@pytest.mark.parametrize(
    ("goal", "what", "exact"),
    [("error:0.02", "wiener_error_per_pixel", 0.02), ("budget:200", "rounds", 200.0)],
)
def test_a_goal_gives_the_largest_capacity_for_it(channel: str, goal: str, what: str, exact: float, run: Run) -> None:
    found = measured(run, "--channel", channel, "--pictures", "20", "--goal", goal)
    reached = found["rounds"][-1]["capacity"] if what == "rounds" else found[what]
    assert reached == pytest.approx(exact, rel=2e-3)
    assert (reached >= exact) if what != "rounds" else (reached <= exact)


@pytest.mark.nightly
def test_a_goal_is_measured_as_the_capacity_that_it_gives(run: Run) -> None:
    found = measured(run, "--pictures", "20", "--goal", "budget:200")
    plain = measured(run, "--pictures", "20", "--capacity", str(found["capacity"]))
    assert plain["right"] == found["right"]


@pytest.mark.nightly
def test_what_is_named_for_a_goal_is_judged_on_other_pictures(run: Run) -> None:
    """Chosen for one in ten of 400 pictures, and judged on 400 others, which may be luckier by chance alone."""
    found = measured(run, "--pictures", "400", "--goal", "named:0.1")
    assert at_most(found["right"], 400, 0.2)
    assert found["right"] > 0


LEFT = "90/90"
"""The left half is important."""


def test_each_pixel_has_the_level_of_the_square_in_which_its_middle_lies() -> None:
    """Squares of a side of 4 pixels are 2 wide, and of 5 the middle one's middle lies in the second."""
    rows = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1 / 3, 1 / 3, 0.0, 0.0], [1 / 3, 1 / 3, 0.0, 0.0]]
    assert importance_levels(1, 4, "09/30").tolist() == [one for row in rows for one in row]
    assert importance_levels(3, 2, "09/30").tolist() == [0.0, 1.0, 1 / 3, 0.0] * 3
    assert importance_levels(1, 5, "09/00").reshape(5, 5)[0].tolist() == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert importance_weights(1, 2, 50.0, "09/30").tolist() == pytest.approx([1.0, 50.0, 1.0 + 49.0 / 3.0, 1.0])
    assert importance_weights(1, 2, 0.5, "09/30").tolist() == pytest.approx([1.0, 0.5, 1.0 - 0.5 / 3.0, 1.0])


def test_without_a_map_the_paper_s_square_is_important() -> None:
    places = np.argwhere(importance_weights(1, 32, 50.0).reshape(32, 32) == 50.0)
    assert (places.min(axis=0).tolist(), places.max(axis=0).tolist()) == ([12, 8], [19, 23])
    assert len(places) == 8 * 16
    assert (importance_levels(1, 32, EYES) == importance_levels(1, 32)).all()


@pytest.mark.parametrize("channel", list(CHANNELS))
def test_the_error_where_pixels_are_important_is_that_of_the_linear_estimate_there(channel: str) -> None:
    """Against the conditional covariance of Gaussian data, by the inverse of what is sent."""
    mixing = np.random.default_rng(2).normal(size=(4, 4))
    covariance, weights = mixing @ mixing.T, np.array([1.0, 9.0, 1.0, 3.0])
    fit = CHANNELS[channel].fit(covariance, 1.5, weights)
    left = covariance - covariance @ np.linalg.pinv(covariance + fit.noise) @ covariance
    levels = np.array([0.0, 1.0, 0.0, 0.25])
    assert fit.wiener_error() == pytest.approx(np.trace(left) / 4.0)
    assert fit.wiener_error(levels) == pytest.approx((left[1, 1] + 0.25 * left[3, 3]) / 1.25)


def test_a_picture_s_file_is_read_as_squares_and_no_name_and_no_more_is_kept(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "secret-face.png"
    Image.fromarray(np.array([[255, 0], [255, 0]], dtype=np.uint8)).save(file)
    words = ("--channel", "personalized", "--pictures", "20")
    by_file, by_squares = (measured(run, *words, "--importance-map", one) for one in (str(file), LEFT))
    assert by_file["config"] == by_squares["config"]
    assert by_file["important_error"] == by_squares["important_error"] > by_file["wiener_error_per_pixel"]
    assert by_file["config"]["importance_map"] == LEFT
    assert "secret" not in json.dumps(by_file)
    result = record.from_json(json.dumps(by_file), ChannelsResult)
    assert f"--importance-map {LEFT}" in record.command(result.config)
    rows = dict(english().assumed(STUDIES["channels"].report(result, english()), "channels", result, ("digits",)))
    assert rows["Important pixels"] == "a picture of 2 × 2 pixels"
    saved = tmp_path / "result.json"
    saved.write_text(json.dumps(by_file), encoding="utf-8")
    code, out, _ = run("show", saved)
    assert (code, "squared error per pixel" in out) == (0, True)


def test_a_picture_that_is_larger_or_no_square_is_fitted_with_nothing_cut_off(tmp_path: Path) -> None:
    broad = np.full((160, 320), 255, dtype=np.uint8)
    Image.fromarray(broad).save(tmp_path / "broad.png")
    rows = read_map(str(tmp_path / "broad.png")).split("/")
    assert rows == ["0" * 16] * 4 + ["9" * 16] * 8 + ["0" * 16] * 4
    half = np.zeros((320, 320, 3), dtype=np.uint8)
    half[:, :160] = 255
    Image.fromarray(half).save(tmp_path / "half.png")
    assert {row[:7] + row[9:] for row in read_map(str(tmp_path / "half.png")).split("/")} == {"9" * 7 + "0" * 7}


@pytest.mark.parametrize("drawn", ["", "99", "09", "09/9", "09/90/00", "9a/00", "٠٩/٩٠", "00/00", "55/55", 3,
                                   "/".join(["0" * 16 + "9"] * 17)])  # fmt: skip
def test_a_map_that_is_none_is_refused_in_one_sentence(drawn: Any) -> None:
    with pytest.raises(ValueError, match=r"importance_map must be rows of digits from 0 to 9 .*, got '"):
        ChannelsConfig(importance_map=drawn)


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_a_file_that_is_no_picture_is_one_sentence(content: bytes | None, tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "map.png"
    if content is not None:
        file.write_bytes(content)
    for command in ("channels", "reconstruct"):
        said = refused(command, "--importance-map", file, at_once=True)
        assert said.startswith("error: --importance-map must be a picture's file, such as a PNG, or rows of digits")


TOLD = WORDS["limits_channels"]


@functools.cache
def fitted_to(data_dir: Path) -> tuple[ImageData, Values, Values]:
    """Return real MNIST pictures, the covariance of their training part and its eigenvalues."""
    data = load_dataset("mnist", data_dir)
    covariance = covariance_of(data.train_images)
    return data, covariance, information.eigenvalues_of(covariance)


def test_equal_capacity_is_not_equal_privacy(data_dir: Path) -> None:
    _, covariance, _ = fitted_to(data_dir)
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
    data, covariance, eigenvalues = fitted_to(data_dir)
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
    _, covariance, _ = fitted_to(data_dir)
    fit = CHANNELS["natural"].fit(covariance, 100.0)
    assert fit.capacity(1) == pytest.approx(100.0)
    assert f"up to {fit.capacity(20):.0f} nats" in TOLD
    assert 100.0 < fit.capacity(20) < 2_000.0


def test_theorem_3_wastes_its_budget(data_dir: Path) -> None:
    _, covariance, eigenvalues = fitted_to(data_dir)
    variances, alike = np.diag(covariance), np.ones(len(covariance))
    log_noise = brentq(lambda log: information.diagonal_capacity(variances, alike, math.exp(log)) - 100.0, -10.0, 5.0)
    assert f"lets {information.capacity(eigenvalues, math.exp(log_noise)):.0f} through" in TOLD


def test_the_mean_of_a_large_batch_is_guessed_without_a_gradient(data_dir: Path) -> None:
    data, covariance, _ = fitted_to(data_dir)
    pictures, mean = data.images.flatten(1).double().numpy(), data.train_images.flatten(1).double().mean(0).numpy()
    chosen = np.random.default_rng(1).integers(0, len(pictures), (500, 64))
    errors = [float(((pictures[chosen[:, :size]].mean(axis=1) - mean) ** 2).mean()) for size in (1, 64)]
    assert errors[0] == pytest.approx(float(np.trace(covariance)) / len(mean), rel=0.02)
    assert f"{float(np.trace(covariance)) / len(mean):.3f} for one picture" in TOLD
    assert f"{errors[1]:.4f} for 64" in TOLD
