"""The story's pictures against the numbers they show."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from ldp_core.illustrate import GameRound, SentReports, near_probability, play, send
from ldp_core.presentation import figures
from ldp_core.presentation.figures.single import share_grid
from ldp_core.presentation.figures.story.promise import ROUNDS
from ldp_core.presentation.figures.story.shares import limit_of_100, of_100, share_of_100
from ldp_core.statistics import theory

WORDS = figures.ENGLISH
Element = ElementTree.Element


def parsed(svg: str) -> Element:
    return ElementTree.fromstring(svg)


def texts(picture: Element) -> list[str]:
    """Return every word on a picture that is not shown on demand."""
    hidden = {id(text) for tip in picture.iter("g") if tip.get("class") == "ldp-tip" for text in tip.iter("text")}
    return [str(text.text) for text in picture.iter("text") if id(text) not in hidden]


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def starts(path: Element) -> np.ndarray:
    """Return where a path's parts begin, shape (n, 2), y up."""
    found = re.findall(r"M(-?[\d.]+) (-?[\d.]+)", str(path.get("d")))
    return np.array([(float(x), -float(y)) for x, y in found]).reshape(-1, 2)


def drawn(picture: Element, colour: str, symbol: str, kinds: tuple[str, ...] = ("older", "newest")) -> np.ndarray:
    """Return the points that are drawn with one colour and mark, shape (n, 2)."""
    wanted = [f"{kind} {symbol}" for kind in kinds]
    paths = [
        path for path in picture.iter("path")
        if path.get("class") in wanted and colour in (path.get("stroke"), path.get("fill"))
    ]  # fmt: skip
    return np.concatenate([np.zeros((0, 2)), *map(starts, paths)])


def curve(picture: Element, name: str) -> np.ndarray:
    """Return the corners of the path of a class, shape (n, 2), y up."""
    (path,) = (each for each in picture.iter("path") if each.get("class") == name)
    return np.array(numbers(str(path.get("d")))).reshape(-1, 2) * (1.0, -1.0)


def alt(picture: Element) -> str:
    return str(picture.get("aria-label"))


def circle(sent: SentReports, epsilon: float, norm: float, clip_norm: float = 1.0) -> Element:
    return parsed(figures.half_circle_svg(sent, epsilon, norm, clip_norm))


@pytest.mark.parametrize("count", [0, 1, 200])
@pytest.mark.parametrize(("epsilon", "norm"), [(1.0, 0.6), (8.0, 2.0), (0.1, 0.0)])
def test_half_circle_shows_each_report_on_its_side(count: int, epsilon: float, norm: float) -> None:
    sent = send(epsilon, norm, count, 7)
    picture = parsed(figures.half_circle_svg(sent, epsilon, norm, 1.0))
    near, far = drawn(picture, figures.RIGHT, "circle"), drawn(picture, figures.WRONG, "x")
    assert (len(near), len(far)) == (sent.num_near, count - sent.num_near)
    assert (near[:, 1] > 0.0).all()
    assert (far[:, 1] < 0.0).all()
    every = np.concatenate((near, far))
    for point in every:
        assert np.abs(100 * sent.points - point).max(axis=1).min() < 0.01, "on the circle"
    assert {f"near side: {len(near)}", f"far side: {len(far)}"} < set(texts(picture))
    found = [int(number) for number in re.findall(r"\d+", alt(picture).partition("In the long run")[0])]
    assert found == ([count, len(near), len(far)] if count else [])
    assert f"is {limit_of_100(100 * near_probability(epsilon, norm), WORDS)}." in alt(picture)


def test_share_picture_counts_report_by_report() -> None:
    sent = send(1.0, 0.6, 120, 7)
    picture = parsed(figures.share_svg(sent, 1.0, 0.6, 1.0))
    points = curve(picture, "share")
    assert points[:, 0] == pytest.approx(200 * np.arange(1, 121) / 120, abs=0.01)
    assert points[:, 1] == pytest.approx(100 * np.cumsum(sent.near) / np.arange(1, 121), abs=0.01)
    limits = [path for path in picture.iter("path") if path.get("class") == "promise"]
    heights = [numbers(str(path.get("d")))[1::2] for path in limits]
    assert [-round(100 * near_probability(1.0, 0.6), 2)] * 2 in heights
    assert f"After 120 reports, {sent.num_near} lie" in alt(picture)


def test_game_shows_one_report_and_keeps_the_secret_until_revealed() -> None:
    assert "sent" not in " ".join(texts(parsed(figures.game_svg(None))))
    for played in play(1.0, 12, 3):
        hidden, shown = parsed(figures.game_svg(played)), parsed(figures.game_svg(played, reveal=True))
        for picture in (hidden, shown):
            place = drawn(picture, "#858c96", "diamond", ("newest",))
            assert place == pytest.approx(100 * np.array([played.report]), abs=0.01)
        other = GameRound("B" if played.sent == "A" else "A", played.report, played.attacker)
        assert figures.game_svg(other) == figures.game_svg(played)
        assert f"it was labelled {'9' if played.sent == 'A' else '4'}" in texts(shown)
        assert alt(shown).endswith(f"It was labelled {'9' if played.sent == 'A' else '4'}.")
        assert "attacker" not in alt(shown), "how the best attacker guesses is told at the end of the game"


@pytest.mark.parametrize(("prior", "epsilon"), [(0.1, 1.0), (0.5, 4.0), (0.01, 0.1), (0.0, 2.0), (0.95, 1.0)])
def test_posterior_picture_shows_belief_before_and_after(prior: float, epsilon: float) -> None:
    picture, after = parsed(figures.posterior_svg(prior, epsilon)), 100 * theory.posterior(prior, epsilon)
    bars = [float(str(bar.get("width"))) for bar in picture.iter("rect")]
    assert bars == pytest.approx([200.0, 200 * prior, 200.0, 2 * after], abs=0.01)
    before_text, after_text = share_of_100(100 * prior, WORDS), limit_of_100(after, WORDS)
    assert f"sure before: {before_text}" in texts(picture)
    assert f"sure after one report: at most {after_text}" in texts(picture)
    for x, y in curve(picture, "promise"):
        assert y == pytest.approx(100 * theory.posterior(x / 200, epsilon), abs=0.01)
    assert drawn(picture, figures.RIGHT, "circle") == pytest.approx(np.array([[200 * prior, after]]), abs=0.01)
    assert f"who is {before_text} sure at most {after_text} sure." in alt(picture)


def test_near_certainty_is_not_written_as_a_hundred() -> None:
    assert WORDS["after_open"] in texts(parsed(figures.posterior_svg(0.9, 8.0)))
    assert "nearly certain." in figures.posterior_alt(0.9, 8.0)
    assert [of_100(share, WORDS) for share in (0.0, 1.26, 9.96, 73.1, 93.46, 99.97, 99.996, 100.0)] == [
        "0", "1.3", "10", "73", "93.5", "99.97", "over 99.99", "over 99.99",
    ]  # fmt: skip


EPSILONS = [0.01, 1.0, 4.0, 30.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_promise_curve_is_the_formula_and_its_mark_the_chosen_epsilon(epsilon: float) -> None:
    picture = parsed(figures.promise_svg(epsilon))
    points, grid = curve(picture, "promise"), share_grid(epsilon)
    shares = np.array([100 * theory.worst_case_identification(value) for value in grid])
    assert points[:, 1] == pytest.approx(2 * (shares - 50), abs=0.01)
    share = 100 * theory.worst_case_identification(epsilon)
    across = 200 * math.sqrt(epsilon / grid[-1])
    expected = np.array([[across, 2 * (share - 50)]])
    assert drawn(picture, figures.RIGHT, "circle") == pytest.approx(expected, abs=0.01)
    told = f"ε = {epsilon:g}: at most {limit_of_100(share, WORDS)}" if epsilon < 10 else "ε = 30: nearly all"
    assert told in alt(picture)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_rounds_picture_marks_one_three_ten_and_a_hundred(epsilon: float) -> None:
    picture = parsed(figures.rounds_svg(epsilon))
    shares = [100 * theory.rounds_identification(epsilon, rounds) for rounds in ROUNDS]
    marked = np.array(
        [(100 * math.log10(rounds), 2 * (share - 50)) for rounds, share in zip(ROUNDS, shares, strict=True)]
    )
    assert drawn(picture, figures.RIGHT, "circle") == pytest.approx(marked, abs=0.01)
    ends = curve(picture, "rounds")[1::2]
    every = [2 * (100 * theory.rounds_identification(epsilon, rounds) - 50) for rounds in range(1, 101)]
    assert ends[:, 1] == pytest.approx(every, abs=0.01)
    needed = theory.rounds_until(epsilon, 0.95)
    assert WORDS["goal"].format(rounds=needed) in texts(picture)
    assert f"with report {needed:,}." in alt(picture)
    for share, rounds in zip(shares, ROUNDS, strict=True):
        assert f"{limit_of_100(share, WORDS)} after {rounds}" in alt(picture)
