"""The chart of a check against the numbers that it draws."""

import math
from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest

from ldp_core import figures
from ldp_core.claims import PAIRS, RULES, CheckResult, look_lower, smallest_detectable_epsilon
from ldp_core.figures import inline, paper
from ldp_core.figures.check import RULE_SYMBOLS
from tests.helpers.claimed import checked

WORDS = figures.ENGLISH
CASES = {
    "kept": checked(0.9),
    "rejected": checked(1.5, pair="coordinates"),
    "stopped": replace(checked(0.9), completed=False),
    "learned only": checked(0.9, rules=("learned",)),
    "nothing": replace(checked(), looks=(), completed=False),
    "too few": checked(11.0, epsilon=12.0, reports=10_000),
}


def marks(figure: go.Figure) -> list[tuple[float, float, str, str]]:
    """Return what is drawn of the looks: place, height, symbol and colour."""
    return [
        (trace.x[0], trace.y[0], trace.marker.symbol, trace.marker.color)
        for trace in figure.data
        if trace.mode == "markers" and trace.x[0] is not None
    ]


def legend(figure: go.Figure) -> list[str]:
    return [trace.name for trace in figure.data if trace.showlegend]


@pytest.mark.parametrize("name", CASES)
def test_every_look_is_drawn_at_its_bound_in_its_pair_s_line(name: str) -> None:
    result = CASES[name]
    found = marks(figures.check_figure(result))
    assert len(found) == len(result.looks)
    for look, (x, y, symbol, colour) in zip(result.looks, found, strict=True):
        lower = look_lower(result.config, look)
        above = lower > result.config.epsilon
        assert x == lower
        assert round(y) == PAIRS.index(look.pair)
        assert symbol == RULE_SYMBOLS[look.rule] + ("" if above else "-open")
        assert colour == (figures.WRONG if above else figures.RIGHT)


def test_rules_differ_in_more_than_colour() -> None:
    assert len(set(RULE_SYMBOLS.values())) == len(RULES)
    figure = figures.check_figure(CASES["kept"])
    heights = {symbol: round(y % 1, 6) for _, y, symbol, _ in marks(figure)}
    assert len(set(heights.values())) == len(RULES)


def test_claim_and_power_stand_where_their_numbers_are() -> None:
    result = CASES["kept"]
    figure, power = figures.check_figure(result), smallest_detectable_epsilon(result.config)
    upright = [trace for trace in figure.data if trace.mode == "lines" and trace.x[0] is not None]
    assert {trace.x[0] for trace in upright} == {1.0, power}
    assert {trace.line.dash for trace in upright if trace.x[0] == 1.0} == {"solid", "dash"}
    assert figure.layout.xaxis.range[1] > max(power or 0.0, result.epsilon_lower)
    caught = f"ε = {math.ceil(100 * power) / 100:.2f}: caught 95 times of 100"
    assert legend(figure)[-2:] == ["the claim: ε = 1", caught]


@pytest.mark.parametrize("name", ["stopped", "learned only", "nothing", "too few"])
def test_a_check_that_may_have_missed_anything_draws_no_line_for_what_it_would_catch(name: str) -> None:
    figure, alt = figures.check_figure(CASES[name]), figures.check_alt(CASES[name])
    assert not any("95 times" in item for item in legend(figure))
    assert "95 times" not in alt


def test_the_legend_names_what_is_there() -> None:
    assert WORDS["rule_cosine"] not in legend(figures.check_figure(CASES["learned only"]))
    rejected, kept = (legend(figures.check_figure(CASES[name])) for name in ("rejected", "kept"))
    assert sum(item.startswith("filled") for item in rejected) == 1
    assert not any(item.startswith("filled") for item in kept)


def test_the_sentence_states_the_finding() -> None:
    rejected, kept = figures.check_alt(CASES["rejected"]), figures.check_alt(CASES["kept"])
    stated = float(rejected.split("at least ")[1].split(",")[0])
    lower = CASES["rejected"].epsilon_lower
    assert lower - 0.001 < stated <= lower
    assert WORDS["pair_coordinates"] in rejected
    assert WORDS["rule_cosine"] in rejected
    assert "more than the claimed 1" in rejected
    assert "Nothing is above the claimed 1" in kept
    assert "95 times of 100" in kept


@pytest.mark.parametrize("name", CASES)
def test_it_is_in_our_frame_and_small(name: str) -> None:
    figure = figures.check_figure(CASES[name])
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert not figure.layout.font.color
    assert len(figure.to_json()) < 40_000
    assert max(len(part) for text in figure.layout.yaxis.ticktext for part in text.split("<br>")) <= 16


def charted(result: CheckResult) -> list[str]:
    return [chart.svg for chart in inline.check_charts(result)]


def test_for_print_it_is_the_same(tmp_path: Path) -> None:
    for name in ("kept", "rejected", "stopped"):
        (svg,) = charted(CASES[name])
        for pair in PAIRS:
            assert WORDS[f"pair_{pair}"] in svg
        assert (figures.WRONG.lower() in svg.lower()) == (name == "rejected")
        assert ("95 times" in svg.split(">", 1)[1]) == (name != "stopped")
    assert charted(CASES["nothing"]) == []
    saved = paper.save_check(CASES["rejected"], tmp_path)
    assert [path.name for path in saved] == ["check.svg", "check.pdf", "check.png"]
    first = saved[0].read_bytes()
    assert paper.save_check(CASES["rejected"], tmp_path, ("svg",))[0].read_bytes() == first
