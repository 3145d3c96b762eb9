"""The stage: its numbers are the core's, its axes stay, and who speaks seldom is counted where it speaks."""

import re
from dataclasses import replace

import pytest

from ldp_core.game.summary import judged_law, judged_share, silent_share, summarize
from ldp_core.presentation.figures import stage_epsilon_svg, stage_share_svg
from ldp_core.statistics import theory
from ldp_core.types import AuditResult, MeasurementResult, TrialCounts
from tests.presentation.test_figures import run


def selective(*counts: int) -> AuditResult:
    result = run(distinguisher="selective", epsilon=1.0, angle=90.0)
    config = replace(result.config, bound="clopper_pearson")
    pair = replace(result.measurements[0].pair, norm_second=1.0)
    return replace(result, config=config, measurements=(MeasurementResult(pair, TrialCounts(*counts), None),))


def places(svg: str, kind: str) -> list[str]:
    shapes = [tag for tag in re.findall(r"<[^>]+>", svg) if f'class="{kind}"' in tag]
    return [re.findall(r' (?:d|cx|x)="([^"]+)"', tag)[0] for tag in shapes]


def test_who_speaks_seldom_is_judged_by_its_words() -> None:
    result = selective(900, 100, 700, 300)
    share = judged_share(result)
    assert share is not None
    assert (share.point, silent_share(result)) == (300 / 400, 1600 / 2000)
    assert share.lower < 0.75 < share.upper
    assert judged_law(result, 1.0) == pytest.approx(theory.worst_case_identification(1.0)), "its words use all of ε"
    assert judged_share(selective(1000, 0, 1000, 0)) is None
    whole = run()
    assert (judged_share(whole), silent_share(whole)) == (summarize(whole).identification, 0.0)


def axis(svg: str) -> list[tuple[str, str]]:
    """Return where numbers stand below a chart, and which."""
    return re.findall(r'<text x="([^"]+)" y="19" [^>]*>([\d.]+)<', svg)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 4.0, 8.0])
def test_the_axes_stay_at_every_usual_epsilon(epsilon: float) -> None:
    usual, beyond = run(), replace(run(), config=replace(run().config, epsilon=20.0))
    for draw in (stage_share_svg, stage_epsilon_svg):
        kept = axis(draw(2.0, usual))
        assert len(kept) >= 6
        assert axis(draw(epsilon, None)) == axis(draw(epsilon, usual)) == kept
        assert axis(draw(epsilon, None, [beyond])) != kept


def test_the_charts_say_what_was_counted() -> None:
    result = run()
    summary = summarize(result)
    assert summary.identification is not None
    shares, epsilons = stage_share_svg(2.0, result), stage_epsilon_svg(2.0, result)
    assert f"measured {100 * summary.identification.point:.1f}<" in shares
    assert "ε = 2: the promise 88.1, measured 75.0 of 100" in shares
    assert f"at least {summary.epsilon.lower:.2f}"[:-1] in epsilons
    assert len(places(shares, "point")) == len(places(epsilons, "point")) == 1
    assert len(places(stage_share_svg(1.0, result, [result, selective(900, 100, 700, 300)]), "earlier")) == 2
