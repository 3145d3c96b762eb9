"""The story's pictures against the numbers they show."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from ldp_core.adversaries import ADVERSARIES
from ldp_core.illustrate import GameRound, SentReports, examples, near_probability, play, randomize, send
from ldp_core.presentation import figures
from ldp_core.presentation.figures._styles import FIRST, SECOND
from ldp_core.presentation.figures.single import share_grid
from ldp_core.presentation.figures.story.promise import ROUNDS
from ldp_core.presentation.figures.story.shares import of_100, share_of_100
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


def heads(picture: Element, colour: str) -> list[tuple[float, float, float]]:
    """Return tip and opacity of the arrows of one colour."""
    found = []
    for arrow in picture.iter("g"):
        for head in arrow.iter("polygon"):
            if arrow.get("class") == "arrow" and head.get("fill") == colour:
                x, y = numbers(str(head.get("points")))[:2]
                found.append((x, -y, float(str(arrow.get("opacity")))))
    return found


def alt(picture: Element) -> str:
    return str(picture.get("aria-label"))


def lines_and_marks(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type in ("scatter", "scatter3d")]


def names(figure: go.Figure) -> list[str]:
    return [trace.name for trace in figure.data if trace.showlegend is not False and trace.name]


def circle(sent: SentReports, epsilon: float, norm: float, clip_norm: float = 1.0) -> Element:
    return parsed(figures.half_circle_svg(sent, epsilon, norm, clip_norm))


@pytest.mark.parametrize("count", [0, 1, 2, 25, 200])
@pytest.mark.parametrize(("epsilon", "norm"), [(1.0, 0.6), (8.0, 2.0), (0.1, 0.0)])
def test_half_circle_shows_each_report_on_its_side(count: int, epsilon: float, norm: float) -> None:
    sent = send(epsilon, norm, count, 7)
    picture = circle(sent, epsilon, norm)
    near, far = drawn(picture, figures.RIGHT, "circle"), drawn(picture, figures.WRONG, "x")
    assert (len(near), len(far)) == (sent.num_near, count - sent.num_near)
    assert (near[:, 1] > 0.0).all()
    assert (far[:, 1] < 0.0).all()
    every = np.concatenate((near, far))
    distances = np.linalg.norm(every, axis=1)
    assert ((distances > 90) & (distances < 115)).all()
    for point, distance in zip(every, distances, strict=True):
        assert np.abs(sent.points @ (point / distance) - 1.0).min() < 1e-6
    assert {f"near side: {len(near)}", f"far side: {len(far)}"} < set(texts(picture))
    found = [int(number) for number in re.findall(r"\d+", alt(picture).partition("In the long run")[0])]
    assert found == ([count, len(near), len(far)] if count else [])
    assert f"is {share_of_100(100 * near_probability(epsilon, norm), WORDS)}." in alt(picture)
    assert figures.sphere_alt(sent, epsilon, norm, 1.0) == figures.half_circle_alt(sent, epsilon, norm, 1.0)


def test_the_newest_report_has_an_arrow_and_the_first_stay_where_they_are() -> None:
    few, many = send(1.0, 0.6, 10, 7), send(1.0, 0.6, 30, 7)
    picture, later = circle(few, 1.0, 0.6), circle(many, 1.0, 0.6)
    colour, symbol = (figures.RIGHT, "circle") if few.near[-1] else (figures.WRONG, "x")
    (tip,) = heads(picture, colour)
    assert tip == pytest.approx((*(100 * few.points[-1]), 1.0), abs=0.01)
    assert drawn(picture, colour, symbol, ("newest",)) == pytest.approx(100 * few.points[-1:], abs=0.01)
    earlier, now = (
        np.concatenate([drawn(each, *style) for style in ((figures.RIGHT, "circle"), (figures.WRONG, "x"))])
        for each in (picture, later)
    )
    kept = sum(bool((np.abs(now - point).max(axis=1) < 1e-9).any()) for point in earlier)
    assert kept == len(earlier) - 1  # all but the newest, which moves to its place among the others


def test_the_update_is_as_long_as_it_is_and_what_it_is_rounded_to_is_full() -> None:
    for norm, clip_norm in ((0.6, 1.0), (0.5, 2.0)):
        for seed in range(6):
            sent = send(1.0, norm, 3, seed, clip_norm=clip_norm)
            arrows = heads(circle(sent, 1.0, norm, clip_norm), FIRST)
            (up, down), update = sorted(arrows[:2], key=lambda tip: -tip[1]), arrows[2]
            assert (up[1], down[1], update) == (100.0, -100.0, (0.0, pytest.approx(100 * norm / clip_norm), 1.0))
            assert (up[2] > down[2]) == sent.rounded_up[-1]
    none = circle(send(1.0, 0.0, 3, 1), 1.0, 0.0)
    assert len(heads(none, FIRST)) == 2
    assert any(dot.get("class") == "arrow" for dot in none.iter("circle"))
    empty = circle(send(1.0, 0.6, 0, 1), 1.0, 0.6)
    assert len({opacity for _, y, opacity in heads(empty, FIRST) if abs(y) == 100.0}) == 1


def test_a_long_update_is_cut_to_the_circle() -> None:
    picture = circle(send(1.0, 3.0, 1, 7, clip_norm=2.0), 1.0, 3.0, 2.0)
    assert [tip[1] for tip in heads(picture, FIRST)] == [100.0, 100.0]
    assert WORDS["clipped"] in texts(picture)
    dotted = [line for line in picture.iter("line") if line.get("stroke") == FIRST and line.get("stroke-dasharray")]
    assert [(line.get("y1"), line.get("y2")) for line in dotted] == [("-100.00", "-125.00")]
    full = circle(send(1.0, 2.0, 1, 7, clip_norm=2.0), 1.0, 2.0, 2.0)
    assert WORDS["your_update"] in texts(full)
    assert not {WORDS["clipped"], WORDS["rounded"]} & set(texts(full))


@pytest.mark.parametrize("count", [0, 1, 2, 200])
def test_sphere_shows_each_report_on_its_side(count: int) -> None:
    sent = send(1.0, 0.6, count, 7, dimension=3)
    figure = figures.sphere_figure(sent, 1.0, 0.6, 1.0)
    dots = [trace for trace in lines_and_marks(figure) if trace.mode == "markers" and trace.name is None]
    heights = np.concatenate([trace.z for trace in dots]) if dots else np.zeros(0)
    assert len(heights) == sent.num_near
    assert (heights > 0.0).all()
    strokes = [
        trace for trace in lines_and_marks(figure)
        if trace.mode == "lines" and trace.line.color == figures.WRONG and np.isnan(trace.z).any()
    ]  # fmt: skip
    assert sum(int(np.isnan(trace.z).sum()) for trace in strokes) == 3 * (count - sent.num_near)
    sides = [f"near side: {sent.num_near}", f"far side: {count - sent.num_near}"]
    assert names(figure) == [*sides, "your update", "rounded to full length"]
    assert len(figure.to_json()) < 40_000


@pytest.mark.parametrize("dimension", [2, 3])
def test_share_picture_counts_report_by_report(dimension: int) -> None:
    sent = send(1.0, 0.6, 120, 7, dimension=dimension)
    picture = parsed(figures.share_svg(sent, 1.0, 0.6, 1.0))
    points = curve(picture, "share")
    assert points[:, 0] == pytest.approx(200 * np.arange(1, 121) / 120, abs=0.01)
    assert points[:, 1] == pytest.approx(100 * np.cumsum(sent.near) / np.arange(1, 121), abs=0.01)
    assert drawn(picture, figures.RIGHT, "circle") == pytest.approx(points[-1:])
    limits = [path for path in picture.iter("path") if path.get("class") == "promise"]
    heights = [numbers(str(path.get("d")))[1::2] for path in limits]
    assert [-round(100 * near_probability(1.0, 0.6), 2)] * 2 in heights
    assert {"settles at 64 of 100", "a coin: 50", "0", "30", "60", "90", "120"} < set(texts(picture))
    assert f"After 120 reports, {sent.num_near} lie" in alt(picture)
    assert alt(picture).endswith("is 64 of 100.")


def test_without_reports_the_pictures_say_what_is_expected() -> None:
    sent = send(1.0, 1.0, 0, 7)
    expected = "In the long run the share of reports on your update's side is 73 of 100."
    for say in (figures.share_alt, figures.half_circle_alt, figures.sphere_alt):
        assert say(sent, 1.0, 1.0, 1.0) == expected
    assert alt(parsed(figures.share_svg(sent, 1.0, 1.0, 1.0))) == expected


def test_game_shows_one_report_and_keeps_the_secret_until_revealed() -> None:
    assert "sent" not in " ".join(texts(parsed(figures.game_svg(None))))
    for played in play(1.0, 12, 3):
        hidden, shown = parsed(figures.game_svg(played)), parsed(figures.game_svg(played, reveal=True))
        for picture in (hidden, shown):
            place = drawn(picture, "#858c96", "diamond", ("newest",))
            assert place == pytest.approx(100 * np.array([played.report]), abs=0.01)
        other = GameRound("B" if played.sent == "A" else "A", played.report, played.attacker)
        assert figures.game_svg(other) == figures.game_svg(played)
        assert f"{played.sent} was sent" in texts(shown)
        assert f"{other.sent} was sent" not in texts(shown)
        first, second = heads(shown, FIRST)[0], heads(shown, SECOND)[0]
        assert (first[2] > second[2]) == (played.sent == "A")
        assert first[1] > 0.0 > second[1]
        assert alt(shown).endswith(f"{played.sent} was sent.")
        assert f"on the side of {'A' if played.report[1] > 0 else 'B'}." in alt(shown)
        assert "attacker" not in alt(shown), "how the best attacker guesses is told at the end of the game"
    assert figures.game_alt(None, reveal=True) == WORDS["alt_game"]


def test_the_two_updates_have_hues_of_their_own() -> None:
    taken = {figures.RIGHT, figures.WRONG, figures.COIN, *(attack.style[0] for attack in ADVERSARIES.values())}
    assert len({FIRST, SECOND} - taken) == 2


@pytest.mark.parametrize(("prior", "epsilon"), [(0.1, 1.0), (0.5, 4.0), (0.01, 0.1), (0.0, 2.0), (0.95, 1.0)])
def test_posterior_picture_shows_belief_before_and_after(prior: float, epsilon: float) -> None:
    picture, after = parsed(figures.posterior_svg(prior, epsilon)), 100 * theory.posterior(prior, epsilon)
    bars = [float(str(bar.get("width"))) for bar in picture.iter("rect")]
    assert bars == pytest.approx([200.0, 200 * prior, 200.0, 2 * after], abs=0.01)
    before_text, after_text = share_of_100(100 * prior, WORDS), share_of_100(after, WORDS)
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
    for epsilon in (8.0, 30.0):
        sent = send(epsilon, 1.0, 7, 1)
        for svg in (
            figures.half_circle_svg(sent, epsilon, 1.0, 1.0), figures.share_svg(sent, epsilon, 1.0, 1.0),
            figures.posterior_svg(0.99, epsilon), figures.rounds_svg(epsilon), figures.promise_svg(epsilon),
        ):  # fmt: skip
            said = [alt(parsed(svg)), *texts(parsed(svg))]
            assert not [text for text in said if re.search(r"100 of|100\s%|100\.0", text)]


def test_a_share_is_a_count_below_90_and_a_percentage_from_there() -> None:
    shares = (50.0, 73.1, 89.4, 89.6, 90.0, 93.46, 98.2, 99.33, 99.97, 99.999)
    assert [share_of_100(share, WORDS).replace("\u00a0", " ") for share in shares] == [
        "50 of 100", "73 of 100", "89 of 100", "89.6 %", "90.0 %", "93.5 %", "98.2 %", "99.3 %", "99.97 %",
        "over 99.99 %",
    ]  # fmt: skip


EPSILONS = [0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 30.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_promise_curve_is_the_formula_and_its_mark_the_chosen_epsilon(epsilon: float) -> None:
    picture = parsed(figures.promise_svg(epsilon))
    points, grid = curve(picture, "promise"), share_grid(epsilon)
    shares = np.array([100 * theory.worst_case_identification(value) for value in grid])
    assert points[:, 1] == pytest.approx(2 * (shares - 50), abs=0.01)
    assert np.diff(points[:, 0]) == pytest.approx(200 / 60, abs=0.02)
    share = 100 * theory.worst_case_identification(epsilon)
    across = 200 * math.log(epsilon / grid[0]) / math.log(grid[-1] / grid[0])
    expected = np.array([[across, 2 * (share - 50)]])
    assert drawn(picture, figures.RIGHT, "circle") == pytest.approx(expected, abs=0.01)
    told = f"ε = {epsilon:g}: at most {share_of_100(share, WORDS)}" if epsilon < 10 else "ε = 30: nearly all"
    assert told in texts(picture)
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
        assert f"{share_of_100(share, WORDS)} after {rounds}" in alt(picture)


@pytest.mark.parametrize("draw", [figures.promise_svg, figures.rounds_svg])
def test_what_the_pointer_is_over_is_told_and_nothing_else(draw) -> None:  # type: ignore[no-untyped-def]
    """Bands without gaps, each with one sentence about the mark within it."""
    parts = list(parsed(draw(1.0)))
    bands = [number for number, part in enumerate(parts) if part.get("class") == "ldp-hit"]
    edge = 0.0
    for number in bands:
        left, width = (float(str(parts[number].get(name))) for name in ("x", "width"))
        assert left == pytest.approx(edge, abs=0.02)
        edge = left + width
        tip = parts[number + 1]
        assert tip.get("class") == "ldp-tip"
        (mark,) = (starts(path)[0] for path in tip.iter("path"))
        assert left - 0.02 <= mark[0] <= edge + 0.02
        (text,) = (str(text.text) for text in tip.iter("text"))
        share = 50 + mark[1] / 2
        assert share_of_100(share, WORDS).split(" ")[0].split(".")[0] in text
    assert edge == pytest.approx(200, abs=0.02)
    assert len(bands) >= 7


def test_the_chosen_epsilon_is_not_drawn_twice() -> None:
    for epsilon in (1.0, 0.3, 0.37, 7.7):
        labels = [text for text in texts(parsed(figures.rounds_svg(epsilon))) if text.startswith("ε =")]
        assert len(set(labels)) == len(labels) <= 5
        assert labels[-1] == f"ε = {epsilon:g}"


def test_update_pixels_colours_by_sign_and_size() -> None:
    update = examples()[3].update
    picture = figures.update_pixels(update)
    assert picture.shape == (71, 150, 3)
    assert picture.dtype == np.uint8
    flat, top = picture.reshape(-1, 3).astype(int), np.quantile(np.abs(update), 0.99)
    blue, orange = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in ("#0072B2", "#D55E00"))
    assert (flat[update <= -top] == blue).all()
    assert (flat[update >= top] == orange).all()
    assert (flat[update == 0.0] == 0xF7).all()
    assert (flat[update < -0.1 * top, 2] > flat[update < -0.1 * top, 0]).all()
    assert (flat[update > 0.1 * top, 2] < flat[update > 0.1 * top, 0]).all()
    report, _ = randomize(update, 1.0, 7)
    assert (figures.update_pixels(report) != picture).any()


def test_update_pixels_pads_and_takes_any_length() -> None:
    assert figures.update_pixels(np.array([1.0, -1.0, 0.0, 1.0, 1.0]), width=3).tolist() == [
        [[0xD5, 0x5E, 0x00], [0x00, 0x72, 0xB2], [0xF7] * 3], [[0xD5, 0x5E, 0x00]] * 2 + [[0xF7] * 3],
    ]  # fmt: skip
    assert (figures.update_pixels(np.zeros(7), width=2) == 0xF7).all()
    spike = np.zeros(1_000)
    spike[4] = 2.0
    assert figures.update_pixels(spike)[0, 4].tolist() == [0xD5, 0x5E, 0x00]


def every_picture(words: dict[str, str]) -> list[Element]:
    sent, played = send(1.0, 0.6, 2_000, 7), play(1.0, 1, 7)[0]
    svgs = (
        figures.half_circle_svg(sent, 1.0, 0.6, 1.0, words), figures.share_svg(sent, 1.0, 0.6, 1.0, words),
        figures.game_svg(played, words, True), figures.posterior_svg(0.1, 1.0, words),
        figures.rounds_svg(1.0, words), figures.promise_svg(1.0, words),
    )  # fmt: skip
    for svg in svgs:
        assert len(svg) < 100_000
        assert "\n" not in svg, "Markdown would end the picture at an empty line"
    return [parsed(svg) for svg in svgs]


def test_pictures_are_small_transparent_and_of_the_page_s_colour() -> None:
    for picture in every_picture(WORDS):
        assert picture.get("role") == "img"
        assert alt(picture)
        assert {text.get("fill") for text in picture.iter("text")} == {"currentColor"}
        assert len(list(picture.iter())) < 200, "what a browser must lay out for each click"


def test_words_of_another_language_are_used_and_escaped() -> None:
    words = {name: f"<{name}>" for name in WORDS} | {"separators": WORDS["separators"]}
    for picture in every_picture(words):
        for text in texts(picture):
            assert text.startswith("<") or re.fullmatch(r"[AB]|[\d.,]+", text), text
