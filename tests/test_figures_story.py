"""The story's pictures against the numbers they show."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from ldp_core import figures, theory
from ldp_core.figures._styles import FIRST, SECOND
from ldp_core.figures.story import of_100
from ldp_core.figures.story_promise import ROUNDS
from ldp_core.illustrate import GameRound, examples, near_probability, play, randomize, send

WORDS = figures.ENGLISH


def texts(figure: go.Figure) -> list[str]:
    return [note.text.replace("<b>", "").replace("</b>", "") for note in figure.layout.annotations]


def lines_and_marks(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type in ("scatter", "scatter3d")]


def names(figure: go.Figure) -> list[str]:
    return [trace.name for trace in figure.data if trace.showlegend is not False and trace.name]


def drawn(figure: go.Figure, colour: str, symbol: str) -> np.ndarray:
    """Return the points that are drawn with one colour and marker, shape (n, 2)."""
    traces = [
        trace for trace in lines_and_marks(figure)
        if trace.mode == "markers" and (trace.marker.color, trace.marker.symbol) == (colour, symbol)
        and not trace.showlegend
    ]  # fmt: skip
    return np.array([point for trace in traces for point in zip(trace.x, trace.y, strict=True)]).reshape(-1, 2)


def heads(figure: go.Figure, colour: str) -> list[tuple[float, float, float]]:
    """Return tip and opacity of the arrows of one colour."""
    traces = [
        trace for trace in lines_and_marks(figure) if trace.mode == "lines+markers" and trace.line.color == colour
    ]
    return [(trace.x[1], trace.y[1], trace.opacity) for trace in traces]


@pytest.mark.parametrize("count", [0, 1, 2, 25, 200])
@pytest.mark.parametrize(("epsilon", "norm"), [(1.0, 0.6), (8.0, 2.0), (0.1, 0.0)])
def test_half_circle_shows_each_report_on_its_side(count: int, epsilon: float, norm: float) -> None:
    sent = send(epsilon, norm, count, 7)
    figure = figures.half_circle_figure(sent, epsilon, norm, 1.0)
    near, far = drawn(figure, figures.RIGHT, "circle"), drawn(figure, figures.WRONG, "x")
    assert (len(near), len(far)) == (sent.num_near, count - sent.num_near)
    assert (near[:, 1] > 0.0).all()
    assert (far[:, 1] < 0.0).all()
    every = np.concatenate((near, far))
    distances = np.linalg.norm(every, axis=1)
    assert ((distances > 0.9) & (distances < 1.15)).all()
    for point, distance in zip(every, distances, strict=True):
        assert np.abs(sent.points @ (point / distance) - 1.0).min() < 1e-9
    assert names(figure)[:2] == [f"near side: {len(near)}", f"far side: {len(far)}"]
    alt = figures.half_circle_alt(sent, epsilon, norm, 1.0)
    numbers = [int(number) for number in re.findall(r"\d+", alt.partition("In the long run")[0])]
    assert numbers == ([count, len(near), len(far)] if count else [])
    assert f"{of_100(100 * near_probability(epsilon, norm), WORDS)} of 100" in alt
    assert figures.sphere_alt(sent, epsilon, norm, 1.0) == alt


def test_the_newest_report_has_an_arrow_and_the_first_stay_where_they_are() -> None:
    few, many = send(1.0, 0.6, 10, 7), send(1.0, 0.6, 30, 7)
    figure, later = (figures.half_circle_figure(sent, 1.0, 0.6, 1.0) for sent in (few, many))
    colour = figures.RIGHT if few.near[-1] else figures.WRONG
    assert heads(figure, colour) == [(few.points[-1, 0], few.points[-1, 1], 1.0)]
    sizes = [trace.marker.size for trace in lines_and_marks(figure) if trace.mode == "markers" and not trace.showlegend]
    assert sorted(sizes) == [7, 7, 17]
    earlier = np.concatenate([drawn(figure, *style) for style in ((figures.RIGHT, "circle"), (figures.WRONG, "x"))])
    now = np.concatenate([drawn(later, *style) for style in ((figures.RIGHT, "circle"), (figures.WRONG, "x"))])
    kept = sum(bool((np.abs(now - point).max(axis=1) < 1e-12).any()) for point in earlier)
    assert kept == len(earlier) - 1  # all but the newest, which moves to its place among the others


def test_the_update_is_as_long_as_it_is_and_what_it_is_rounded_to_is_full() -> None:
    for norm, clip_norm in ((0.6, 1.0), (0.5, 2.0), (0.0, 1.0)):
        for seed in range(6):
            sent = send(1.0, norm, 3, seed, clip_norm=clip_norm)
            arrows = heads(figures.half_circle_figure(sent, 1.0, norm, clip_norm), FIRST)
            (up, down), update = sorted(arrows[:2], key=lambda tip: -tip[1]), arrows[2]
            assert (up[1], down[1], update) == (1.0, -1.0, (0.0, norm / clip_norm, 1.0))
            assert (up[2] > down[2]) == sent.rounded_up[-1]
    assert {send(1.0, 0.0, 3, seed).rounded_up[-1] for seed in range(6)} == {True, False}
    empty = figures.half_circle_figure(send(1.0, 0.6, 0, 1), 1.0, 0.6, 1.0)
    assert len({opacity for _, y, opacity in heads(empty, FIRST) if abs(y) == 1.0}) == 1


def test_a_long_update_is_cut_to_the_circle() -> None:
    figure = figures.half_circle_figure(send(1.0, 3.0, 1, 7, clip_norm=2.0), 1.0, 3.0, 2.0)
    assert [tip[1] for tip in heads(figure, FIRST)] == [1.0, 1.0]
    assert WORDS["clipped"] in names(figure)
    assert any(list(trace.y) == [1.0, 1.0] and trace.line.color == FIRST for trace in lines_and_marks(figure))
    full = figures.half_circle_figure(send(1.0, 2.0, 1, 7, clip_norm=2.0), 1.0, 2.0, 2.0)
    assert WORDS["your_update"] in names(full)
    assert not {WORDS["clipped"], WORDS["rounded"]} & set(names(full))


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
def test_share_figure_counts_report_by_report(dimension: int) -> None:
    sent = send(1.0, 0.6, 120, 7, dimension=dimension)
    figure = figures.share_figure(sent, 1.0, 0.6, 1.0)
    curve = next(
        trace for trace in lines_and_marks(figure) if trace.mode == "lines" and trace.line.color == figures.RIGHT
    )
    assert list(curve.x) == list(range(1, 121))
    for number in (1, 2, 50, 120):
        assert curve.y[number - 1] == pytest.approx(100.0 * sent.near[:number].mean())
    (limit,) = (trace for trace in lines_and_marks(figure) if trace.line.dash == "dash")
    assert list(limit.y) == pytest.approx([100.0 * near_probability(1.0, 0.6)] * 2)
    assert names(figure) == ["settles at 64", "a coin: 50"]
    alt = figures.share_alt(sent, 1.0, 0.6, 1.0)
    assert f"After 120 reports, {sent.num_near} lie" in alt
    assert "In the long run 64 of 100" in alt


def test_without_reports_the_pictures_say_what_is_expected() -> None:
    sent = send(1.0, 1.0, 0, 7)
    for alt in (figures.share_alt, figures.half_circle_alt, figures.sphere_alt):
        assert alt(sent, 1.0, 1.0, 1.0) == "In the long run 73 of 100 reports lie on your update's side."
    figures.share_figure(sent, 1.0, 1.0, 1.0).to_json()


def test_game_shows_one_report_and_keeps_the_secret_until_revealed() -> None:
    assert "sent" not in " ".join(texts(figures.game_figure(None)))
    for played in play(1.0, 12, 3):
        hidden, shown = figures.game_figure(played), figures.game_figure(played, reveal=True)
        for figure in (hidden, shown):
            assert drawn(figure, "#858c96", "diamond").tolist() == [list(played.report)]
        other = GameRound("B" if played.sent == "A" else "A", played.report, played.attacker)
        assert figures.game_figure(other).to_json() == hidden.to_json()
        assert figures.game_alt(other) == figures.game_alt(played)
        assert f"{played.sent} was sent" in texts(shown)
        assert f"{other.sent} was sent" not in texts(shown)
        first, second = heads(shown, FIRST)[0], heads(shown, SECOND)[0]
        assert (first[2] > second[2]) == (played.sent == "A")
        assert first[1] > 0.0 > second[1]
        alt = figures.game_alt(played, reveal=True)
        assert f"{played.sent} was sent; the best attacker guesses {played.attacker}." in alt
        assert f"on the side of {'A' if played.report[1] > 0 else 'B'}." in alt
    assert figures.game_alt(None, reveal=True) == WORDS["alt_game"]


def test_the_two_updates_have_hues_of_their_own() -> None:
    taken = {figures.RIGHT, figures.WRONG, figures.COIN, *(colour for colour, _ in figures.ATTACK_STYLES.values())}
    assert len({FIRST, SECOND} - taken) == 2


@pytest.mark.parametrize(("prior", "epsilon"), [(0.1, 1.0), (0.5, 4.0), (0.01, 0.1), (0.0, 2.0)])
def test_posterior_figure_shows_belief_before_and_after(prior: float, epsilon: float) -> None:
    figure, after = figures.posterior_figure(prior, epsilon), 100 * theory.posterior(prior, epsilon)
    bars = [(trace.y[0], trace.x[0]) for trace in figure.data if trace.type == "bar"]
    assert bars == [(1.0, 100.0), (1.0, 100 * prior), (0.0, 100.0), (0.0, after)]
    before_text, after_text = of_100(100 * prior, WORDS), of_100(after, WORDS)
    assert f"sure before: {before_text} of 100" in texts(figure)
    assert f"sure after one report: at most {after_text} of 100" in texts(figure)
    (curve,) = (trace for trace in lines_and_marks(figure) if trace.line.dash == "dash")
    for x, y in zip(curve.x, curve.y, strict=True):
        assert y == pytest.approx(100 * theory.posterior(x / 100, epsilon))
    assert drawn(figure, figures.RIGHT, "circle").tolist() == [[100 * prior, after]]
    alt = figures.posterior_alt(prior, epsilon)
    assert f"{before_text} of 100 sure at most {after_text} of 100 sure." in alt


def test_near_certainty_is_not_written_as_a_hundred() -> None:
    assert WORDS["after_open"] in texts(figures.posterior_figure(0.9, 8.0))
    assert "nearly certain." in figures.posterior_alt(0.9, 8.0)
    assert [of_100(share, WORDS) for share in (0.0, 1.26, 9.96, 73.1, 99.97, 99.996, 100.0)] == [
        "0", "1.3", "10", "73", "99.97", "over 99.99", "over 99.99",
    ]  # fmt: skip
    for epsilon in (8.0, 30.0):
        sent = send(epsilon, 1.0, 7, 1)
        for alt in (
            figures.half_circle_alt(sent, epsilon, 1.0, 1.0), figures.share_alt(sent, epsilon, 1.0, 1.0),
            figures.posterior_alt(0.99, epsilon), figures.rounds_alt(epsilon),
        ):  # fmt: skip
            assert "100 of 100" not in alt
            assert "100.0" not in alt
        assert not [text for text in texts(figures.rounds_figure(epsilon)) if "100 of" in text or "100.0" in text]


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 30.0])
def test_rounds_figure_marks_one_three_ten_and_a_hundred(epsilon: float) -> None:
    figure = figures.rounds_figure(epsilon)
    shares = [100 * theory.rounds_identification(epsilon, rounds) for rounds in ROUNDS]
    assert drawn(figure, figures.RIGHT, "circle") == pytest.approx(np.array([ROUNDS, shares]).T)
    (curve,) = (
        trace for trace in lines_and_marks(figure) if trace.line.color == figures.RIGHT and trace.mode == "lines"
    )
    assert list(curve.x) == list(range(1, 101))
    assert [curve.y[rounds - 1] for rounds in ROUNDS] == pytest.approx(shares)
    needed = theory.rounds_until(epsilon, 0.95)
    assert WORDS["goal"].format(rounds=needed) in texts(figure)
    alt = figures.rounds_alt(epsilon)
    assert f"with report {needed:,}." in alt
    for share, rounds in zip(shares, ROUNDS, strict=True):
        text = of_100(share, WORDS)
        assert f"{text} after {rounds}" in alt
        shown = text.replace("over ", ">")
        assert (f"ε = {epsilon:g}: {shown}" if rounds == 1 else shown) in texts(figure)


def test_the_chosen_epsilon_is_not_drawn_twice() -> None:
    for epsilon, others in ((1.0, 3), (0.3, 3), (0.37, 3), (7.7, 3)):
        labels = [text for text in texts(figures.rounds_figure(epsilon)) if text.startswith("ε")]
        assert len(set(labels)) == len(labels)
        assert f"ε = {epsilon:g}" not in labels
        assert len(labels) <= others + 2


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


def test_charts_are_small_and_transparent() -> None:
    sent = send(1.0, 0.6, 200, 7)
    for figure in (
        figures.half_circle_figure(sent, 1.0, 0.6, 1.0), figures.share_figure(sent, 1.0, 0.6, 1.0),
        figures.game_figure(play(1.0, 1, 7)[0]), figures.posterior_figure(0.1, 1.0), figures.rounds_figure(1.0),
    ):  # fmt: skip
        assert len(figure.to_json()) < 20_000
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert not figure.layout.font.color
        assert not [note for note in figure.layout.annotations if note.font.color]


def test_words_of_another_language_are_used() -> None:
    words = {name: f"<{name}>" for name in WORDS}
    sent, played = send(1.0, 0.6, 9, 7), play(1.0, 1, 7)[0]
    for figure in (
        figures.half_circle_figure(sent, 1.0, 0.6, 1.0, words), figures.share_figure(sent, 1.0, 0.6, 1.0, words),
        figures.sphere_figure(send(1.0, 0.6, 9, 7, dimension=3), 1.0, 0.6, 1.0, words),
        figures.game_figure(played, words, True), figures.posterior_figure(0.1, 1.0, words),
        figures.rounds_figure(1.0, words),
    ):  # fmt: skip
        axes = [figure.layout[axis].title.text for axis in ("xaxis", "yaxis")]
        for text in (*texts(figure), *names(figure), *filter(None, axes)):
            assert text.startswith("<") or re.fullmatch(r"[AB]|[>\d.]+", text), text
