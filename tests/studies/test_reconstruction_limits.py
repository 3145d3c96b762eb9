"""Limits of what reports tell, against enumeration; the strip; and identification against its limit."""

import io
from functools import partial

import numpy as np
import pytest
from PIL import Image

from ldp_core import record
from ldp_core.cache import Cache
from ldp_core.channels import CHANNELS
from ldp_core.studies.channels.result import ChannelsConfig
from ldp_core.studies.channels.run import channels, fitted, levels_of
from ldp_core.studies.reconstruction import chart, demo, report
from ldp_core.studies.reconstruction.demo import RebuildDemo
from ldp_core.studies.reconstruction.result import measured, nearest_measured
from tests.helpers.binomial import at_most


@pytest.fixture(scope="module")
def scene() -> RebuildDemo:
    return RebuildDemo.of("digits", "none", Cache())


def test_what_was_measured_in_advance_holds_the_limit_and_repeats_itself() -> None:
    found = measured()
    assert sorted(found) == [0.5, 1.0, 4.0, 8.0]
    for epsilon, result in found.items():
        assert result.completed
        assert result.above_limit == ()
        assert f"--epsilon {epsilon:g}" in record.command(result.config) or epsilon == 1.0
        assert chart.curves(result) is not None


def test_a_liar_above_the_limit_is_found() -> None:
    from dataclasses import replace

    result = measured()[0.5]
    first = replace(result.results[0], right=6)
    liar = replace(result, results=(first, *result.results[1:]))
    assert liar.above_limit == (1,)
    assert replace(liar, config=replace(liar.config, significance=1e-6)).above_limit == ()
    assert "--confidence 0.999999" in record.command(replace(liar.config, significance=1e-6))


def test_the_headline_s_attacker_is_the_one_of_the_chart() -> None:
    """The fewest reports from which 95 of 100 pictures are named, where so many are."""
    for epsilon, result in measured().items():
        reports, share = report.needed(result)
        named = {entry.reports: entry.right / entry.pictures for entry in result.results if entry.right is not None}
        assert named[reports] == share
        enough = [count for count, found in named.items() if found >= 0.95]
        assert reports == min(enough, default=max(named))
        assert nearest_measured(epsilon + 0.01)[0] == epsilon


def test_the_game_keeps_its_limit_and_many_reports_show_the_picture(scene: RebuildDemo) -> None:
    rounds = [scene.play(1.0, 1, seed) for seed in range(40)]
    assert at_most(sum(one.right for one in rounds), 40, 0.00146)
    many = sum(scene.play(8.0, 1_000, seed).right for seed in range(10))
    assert many >= 7
    assert not at_most(many, 10, 0.00146), "who sees many reports would be above the limit of one"


def test_an_own_picture_of_one_shade_is_read_and_one_without_update_gets_one_sentence(
    scene: RebuildDemo, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO()
    Image.fromarray(np.zeros((28, 28), dtype=np.uint8)).save(content, "PNG")
    black = scene.choose_own(content.getvalue(), None, 0)
    assert black.exact.label == black.label
    assert black.exact.error < 1e-6
    assert black.exact.found
    real = demo.gradients_of
    monkeypatch.setattr(demo, "gradients_of", lambda *given: 0.0 * real(*given))
    with pytest.raises(ValueError, match="must not be zero"):
        scene.choose_own(content.getvalue(), None, 0)
    with pytest.raises(ValueError, match="must not be zero"):
        scene.choose(0, 0)


@pytest.mark.parametrize(
    "name", ["natural", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("white", "personalized"))]
)
def test_a_channel_s_numbers_are_those_of_the_command(scene: RebuildDemo, name: str) -> None:
    """What the page says of a channel, against the study."""
    config = ChannelsConfig(name, capacity=40.0, rounds=(1, demo.ROUNDS), pictures=2)
    image, levels = scene.choose(3, 0).image, levels_of(config, scene.data.train_images)
    shown = scene.channel(config, partial(fitted, config, scene.data), levels, image, 0)
    *_, last = channels(config)
    fit = last.result.fit
    assert fit is not None
    assert (shown.expected, shown.water_filling) == pytest.approx((fit.wiener_error_per_pixel, fit.water_filling))
    assert (shown.capacity, shown.told) == pytest.approx((fit.capacity, fit.rounds[1]))
    assert (shown.sigma, shown.important) == (fit.sigma, fit.important_error)
    assert shown.water_filling < shown.expected


@pytest.mark.parametrize("name", ["natural", "white", "personalized"])
def test_the_nearest_candidate_is_the_likeliest(name: str) -> None:
    """Against the Gaussian density computed with the pseudo-inverse of the noise's covariance."""
    generator = np.random.default_rng(1)
    mixing = generator.normal(size=(6, 6))
    fit = CHANNELS[name].fit(mixing @ mixing.T, 2.0, np.array([1.0, 5.0, 1.0, 2.0, 1.0, 1.0]))
    candidates = generator.normal(size=(40, 6)) @ mixing.T
    sent = fit.add_to(candidates[:20], generator.normal(size=(20, 6)))
    precision = np.linalg.pinv(fit.noise)
    rest = sent[:, None] - candidates[None]
    squares = np.einsum("nci,ij,ncj->nc", rest, precision, rest)
    assert fit.nearest(sent, candidates).tolist() == squares.argmin(axis=1).tolist()
