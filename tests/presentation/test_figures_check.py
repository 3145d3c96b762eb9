"""The chart of a check against the numbers that it draws."""

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from ldp_core.checking.claims import look_lower
from ldp_core.presentation import figures
from ldp_core.presentation.figures.check import RULE_SYMBOLS, check_chart, evidence_alt, evidence_chart, evidence_of
from ldp_core.presentation.figures.described import screen
from ldp_core.types import TrialCounts
from tests.helpers.claimed import checked, measured

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
    figure = screen.drawn(check_chart(result))
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


@pytest.mark.parametrize("name", ["stopped", "learned only", "nothing", "too few", "rejected"])
def test_a_check_that_may_have_missed_anything_draws_no_line_for_what_it_would_catch(name: str) -> None:
    figure, alt = screen.drawn(check_chart(CASES[name])), figures.check_alt(CASES[name])
    assert not any("caught" in item for item in legend(figure))
    assert "95 times" not in alt


@pytest.mark.parametrize("name", ["kept", "rejected"])
def test_the_way_to_what_is_shown_never_falls_and_ends_at_the_bound(name: str) -> None:
    (look, *_) = CASES[name].looks
    few = replace(look, round=1, counts=TrialCounts(30, 20, 20, 30))
    result = replace(CASES[name], looks=(few, replace(look, round=2), replace(few, round=3)))
    evidence = evidence_of(result)
    reports, shown = zip(*evidence, strict=True)
    assert list(reports) == sorted(set(reports))
    assert list(shown) == sorted(shown)
    assert shown[-1] == result.epsilon_lower
    found = marks(screen.drawn(evidence_chart(result.config, evidence)))
    claimed = result.config.epsilon
    assert [(x, y) for x, y, _, _ in found] == list(evidence)
    assert [symbol == "circle" for _, _, symbol, _ in found] == [lower > claimed for lower in shown]
    assert f"{reports[0]:,} reports" in evidence_alt(result, evidence)
    assert evidence_of(replace(result, looks=())) == []
