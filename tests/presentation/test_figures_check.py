"""The chart of a check against the numbers that it draws."""

import math
from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest

from ldp_core.checking import claims
from ldp_core.checking.claims import LEAKS, PAIRS, RULES, CheckResult, look_lower
from ldp_core.presentation import figures
from ldp_core.presentation.figures import inline, paper
from ldp_core.presentation.figures.check import LEAK_STROKES, RULE_SYMBOLS, judged_pairs
from ldp_core.types import TrialCounts
from tests.helpers.claimed import checked, first_checked, measured

WORDS = figures.ENGLISH
OWN = {"own_pairs": 3, "inputs_digest": "0" * 64}
CASES = {
    "kept": checked(0.9, measured(16), dimension=16),
    "rejected": checked(1.5, pair="coordinates"),
    "stopped": replace(checked(0.9), completed=False),
    "learned only": checked(0.9, measured(500), rules=("learned",)),
    "nothing": replace(checked(), looks=(), completed=False),
    "too few": checked(11.0, epsilon=12.0, reports=10_000),
    "own and refined": checked(1.5, pair="refined-1", **OWN),
    "by files": checked(0.9, adaptive=False, **OWN),
    "first version": first_checked(0.9),
    "first version, rejected": first_checked(1.5, pair="coordinates"),
}


def marks(figure: go.Figure) -> list[tuple[float, float, str, str]]:
    """Return what is drawn of the looks: place, height, symbol and colour."""
    return [
        (trace.x[0], trace.y[0], trace.marker.symbol, trace.marker.color)
        for trace in figure.data
        if trace.mode == "markers" and trace.x[0] is not None
    ]


def upright(figure: go.Figure) -> list[tuple[float, str]]:
    """Return the lines that stand on the axis: place and dashes."""
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.x[0] is not None]
    return [(trace.x[0], trace.line.dash) for trace in lines]


def legend(figure: go.Figure) -> list[str]:
    return [trace.name for trace in figure.data if trace.showlegend]


@pytest.mark.parametrize("name", CASES)
def test_every_look_is_drawn_at_its_bound_in_its_pair_s_line(name: str) -> None:
    result = CASES[name]
    figure = figures.check_figure(result)
    found, names = marks(figure), [text.replace("<br>", " ") for text in figure.layout.yaxis.ticktext]
    assert len(found) == len(result.looks)
    assert len(names) == len({look.pair for look in result.looks})
    for look, (x, y, symbol, colour) in zip(result.looks, found, strict=True):
        lower = look_lower(result.config, look)
        above = lower > result.config.epsilon
        assert x == lower
        assert names[round(y)] == figures.pair_name(WORDS, look.pair)
        assert symbol == RULE_SYMBOLS[look.rule] + ("" if above else "-open")
        assert colour == (figures.WRONG if above else figures.RIGHT)


def test_no_pair_moves_while_a_check_goes_on_and_a_look_without_a_report_is_not_drawn() -> None:
    result = CASES["own and refined"]
    whole = judged_pairs(result)
    for done in range(len(result.looks)):
        so_far = replace(result, looks=result.looks[:done], completed=False)
        assert whole[: len(judged_pairs(so_far))] == judged_pairs(so_far)
    begun = replace(result.looks[-1], counts=TrialCounts(), silent=0, completed=False)
    started = replace(result, looks=(*result.looks[:-1], begun), completed=False)
    assert len(marks(figures.check_figure(started))) == len(result.looks) - 1


def test_rules_differ_in_more_than_colour() -> None:
    assert len(set(RULE_SYMBOLS.values())) == len(RULES)
    figure = figures.check_figure(CASES["kept"])
    heights = {symbol: round(y - round(y), 6) for _, y, symbol, _ in marks(figure)}
    assert len(set(heights.values())) == len(RULES)


def test_claim_and_power_stand_where_their_numbers_are() -> None:
    result = CASES["kept"]
    figure, power = figures.check_figure(result), claims.detectable_epsilons(result)
    assert len(set(LEAK_STROKES.values())) == len(LEAKS)
    assert set(upright(figure)) == {(1.0, "solid"), (1.0, "dash")} | {
        (power[kind], LEAK_STROKES[kind].replace("line", "solid")) for kind in LEAKS
    }
    assert figure.layout.xaxis.range[1] > max(*power.values(), result.epsilon_lower)  # type: ignore[type-var]
    caught = [
        f"95 of 100 caught: ε = {math.ceil(100 * power[kind]) / 100:.2f} {WORDS[f'leak_{kind}']}"  # type: ignore[operator]
        for kind in LEAKS
    ]
    assert legend(figure)[-4:] == ["the claim: ε = 1", *caught]


def test_only_what_is_known_is_drawn() -> None:
    result = checked(0.9)  # of 64 numbers: nobody knows how well a region is learned
    figure, power = figures.check_figure(result), claims.detectable_epsilons(result)
    assert power["learned"] is None
    assert {x for x, _ in upright(figure)} == {1.0, power["side"], power["tail"]}
    assert not any(WORDS["leak_learned"] in item for item in legend(figure))


@pytest.mark.parametrize("name", ["stopped", "learned only", "nothing", "too few", "rejected", "first version"])
def test_a_check_that_may_have_missed_anything_draws_no_line_for_what_it_would_catch(name: str) -> None:
    figure, alt = figures.check_figure(CASES[name]), figures.check_alt(CASES[name])
    assert not any("caught" in item for item in legend(figure))
    assert "95 times" not in alt


def test_what_is_far_beyond_everything_else_does_not_squeeze_the_chart() -> None:
    result = checked(0.08, measured(8), epsilon=0.1, reports=20_000, dimension=8)
    far = {kind: value for kind, value in claims.detectable_epsilons(result).items() if value and value > 0.4}
    assert far
    figure = figures.check_figure(result)
    assert figure.layout.xaxis.range[1] <= 1.12 * 4 * 0.1
    assert {x for x, _ in upright(figure)}.isdisjoint(far.values())
    assert all(f"{math.ceil(100 * value) / 100:.2f}" in figures.check_alt(result) for value in far.values())


def test_the_legend_names_what_is_there() -> None:
    assert WORDS["rule_cosine"] not in legend(figures.check_figure(CASES["learned only"]))
    rejected, kept = (legend(figures.check_figure(CASES[name])) for name in ("rejected", "kept"))
    assert sum(item.startswith("filled") for item in rejected) == 1
    assert not any(item.startswith("filled") for item in kept)


def test_the_sentence_states_the_finding() -> None:
    rejected, kept = figures.check_alt(CASES["rejected"]), figures.check_alt(CASES["kept"])
    stated = float(rejected.split("at least ")[1].split(",")[0])
    strongest = CASES["rejected"].strongest
    assert strongest is not None
    assert CASES["rejected"].epsilon_lower - 0.001 < stated <= CASES["rejected"].epsilon_lower
    assert WORDS["pair_coordinates"] in rejected
    assert WORDS[f"rule_{strongest.rule}"] in rejected
    assert "more than the claimed 1" in rejected
    assert "Nothing is above the claimed 1" in kept
    assert "95 times of 100" in kept
    assert all(WORDS[f"leak_{kind}"] in kept for kind in LEAKS)


@pytest.mark.parametrize("name", CASES)
def test_it_is_in_our_frame_and_small(name: str) -> None:
    figure = figures.check_figure(CASES[name])
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert not figure.layout.font.color
    assert len(figure.to_json()) < 40_000
    assert max([len(part) for text in figure.layout.yaxis.ticktext for part in text.split("<br>")], default=0) <= 16


def test_every_pair_has_a_short_name_of_its_own() -> None:
    names = [figures.pair_name(WORDS, name) for name in (*PAIRS, "own-1", "own-12", "refined-1", "refined-12")]
    assert len(set(names)) == len(names)
    assert names[-3] == "your own pair 12"


def charted(result: CheckResult) -> list[str]:
    return [chart.svg for chart in inline.check_charts(result)]


def test_for_print_it_is_the_same(tmp_path: Path) -> None:
    for name in ("kept", "rejected", "stopped", "own and refined", "first version"):
        (svg,) = charted(CASES[name])
        for pair in judged_pairs(CASES[name]):
            assert all(word in svg for word in figures.pair_name(WORDS, pair).split())
        assert (figures.WRONG.lower() in svg.lower()) == (CASES[name].verdict == "claim_rejected")
        assert svg.split(">", 1)[1].count("95 of 100 caught") == (len(LEAKS) if name == "kept" else 0)
    assert charted(CASES["nothing"]) == []
    saved = paper.save_check(CASES["rejected"], tmp_path)
    assert [path.name for path in saved] == ["check.svg", "check.pdf", "check.png"]
    first = saved[0].read_bytes()
    assert paper.save_check(CASES["rejected"], tmp_path, ("svg",))[0].read_bytes() == first
