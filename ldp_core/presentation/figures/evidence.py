"""How what a check could show grew with its reports, against the claim."""

from collections.abc import Mapping, Sequence

from ldp_core.checking.claims import CheckConfig, CheckResult, look_lower, plan_of
from ldp_core.presentation.figures._parts import SHARES
from ldp_core.presentation.figures._styles import RIGHT, WRONG
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.words.numbers import at_least

Evidence = Sequence[tuple[int, float]]
"""Reports of the test so far, and the largest lower bound on epsilon by then, after each round."""


def evidence_of(result: CheckResult) -> Evidence:
    """Return what a check had shown after each round in which it judged reports."""
    rounds, judged = plan_of(result.config).rounds, [look for look in result.looks if look.trials]
    found, reports, shown = list[tuple[int, float]](), 0, 0.0
    for number, turn in enumerate(rounds):
        looks = [look for look in judged if look.round == number]
        reports += sum(look.trials for look in looks)
        if looks:
            shown = max(shown, *(look_lower(result.config, look) for look in looks))
            found.append((reports, shown))
        reports += turn.explore
    return found


def evidence_chart(config: CheckConfig, evidence: Evidence, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe the leak that was shown at least over the reports it took: hollow within the claim, filled above it."""
    claimed, (first, last) = config.epsilon, (0.7 * evidence[0][0], 1.4 * max(config.reports, evidence[-1][0]))
    claim, top = words["claim"].format(epsilon=claimed), 1.2 * max(claimed, evidence[-1][1])
    reports, shown = zip(*evidence, strict=True)
    way = Series(words["shown"], reports, shown, WRONG if shown[-1] > claimed else RIGHT, "line", 2.5, noted=True)
    hover = words["hover_evidence"]
    points = [
        Series(
            words["shown"], [count], [lower], WRONG if lower > claimed else RIGHT, size=12, noted=True,
            symbol="circle" if lower > claimed else "circle-open", hover="%{text}",
            texts=[hover.format(reports=count, lower=at_least(lower, claimed))],
        )
        for count, lower in evidence
    ]  # fmt: skip
    beside: tuple[str, tuple[int, int]] = ("top", (8, -3)) if shown[-1] > claimed else ("bottom", (8, 3))
    line = Series(claim, [first, last], [claimed] * 2, stroke="promise", hover=claim, noted=True)
    return Chart(
        [line, way, *points], Axis(words["evidence_axis"], (first, last), log=True), Axis(words["shown"], (0.0, top)),
        300, 2.0, notes=[Note(first, claimed, claim, "left", *beside)], margin=SHARES,
    )  # fmt: skip


def evidence_alt(result: CheckResult, evidence: Evidence, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``evidence_chart`` shows, in one sentence."""
    (few, low), (many, high) = evidence[0], evidence[-1]
    claimed = result.config.epsilon
    return words["alt_evidence"].format(
        few=few, low=at_least(low, claimed), many=many, high=at_least(high, claimed), epsilon=claimed
    )
