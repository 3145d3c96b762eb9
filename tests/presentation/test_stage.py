"""The stage: its numbers are the core's, its axes stay, and who speaks seldom is counted where it speaks."""

from dataclasses import replace

import pytest

from ldp_core.game.summary import judged_law, judged_share, silent_share, summarize
from ldp_core.statistics import theory
from ldp_core.types import AuditResult, MeasurementResult, TrialCounts
from tests.presentation.test_figures import run


def selective(*counts: int) -> AuditResult:
    result = run(distinguisher="selective", epsilon=1.0, angle=90.0)
    config = replace(result.config, bound="clopper_pearson")
    pair = replace(result.measurements[0].pair, norm_second=1.0)
    return replace(result, config=config, measurements=(MeasurementResult(pair, TrialCounts(*counts), None),))


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
