"""What a check's rules show on each pair that was judged, and how that grew with its reports.

Beside both stands the claim, beside the pairs what the check would have caught.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ldp_core.checking.claims import (
    LEAKS,
    RULES,
    CheckConfig,
    CheckResult,
    Look,
    detectable_epsilons,
    look_lower,
    plan_of,
)
from ldp_core.presentation.figures._parts import SHARES
from ldp_core.presentation.figures._styles import NEUTRAL, RIGHT, WRONG
from ldp_core.presentation.figures._words import ENGLISH, pair_name
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.types import CLAIM_NOT_REJECTED
from ldp_core.words import numbers
from ldp_core.words.numbers import at_least

RULE_SYMBOLS = dict(zip(RULES, ("circle", "square", "triangle-up", "diamond"), strict=True))
LEAK_STROKES = dict(zip(LEAKS, ("line", "dot", "dashdot"), strict=True))
_SHELF = 0.18
"""Between two rules on the line of a pair."""
_LONG = 14
_FARTHEST = 4.0
"""What a check would have caught is drawn up to so many times the largest other number, which must not shrink."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one rule's count on one pair stands on the chart: at its lower bound on epsilon, in nats, and a height.

    Pairs are 1 apart, from 0; ``above``: whether the bound is above the claim.
    """

    look: Look
    lower: float
    y: float
    above: bool


def check_chart(result: CheckResult, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe every look's lower bound on epsilon, a line for each pair that was judged, beside the claim.

    A look within the claim is hollow and blue, one above it filled and vermillion. Rules differ by symbol and height.

    ``result``: a check, whole or cut short.
    """
    pairs, drawn, claimed = judged_pairs(result), places(result), result.config.epsilon
    largest, ends = max([claimed, *(place.lower for place in drawn)]), (-0.6, len(pairs) - 0.4)
    caught = {kind: epsilon for kind, epsilon in known_leaks(result).items() if epsilon <= _FARTHEST * largest}
    top = 1.12 * max(largest, *caught.values(), 0.0)
    claim = words["claim"].format(epsilon=claimed)
    series = []
    for kind, epsilon in caught.items():
        name = words["would_catch"].format(epsilon=ceil(epsilon), leak=words[f"leak_{kind}"])
        series.append(Series(name, [epsilon] * 2, ends, NEUTRAL, LEAK_STROKES[kind]))
    series.append(Series(claim, [claimed] * 2, ends, stroke="promise", hover=claim, noted=True))
    rules = {place.look.rule for place in drawn}
    named = rules if len(rules) > 1 else {place.look.rule for place in drawn if not place.above}
    series += [
        Series(words[f"rule_{rule}"], (), (), RIGHT, symbol=f"{symbol}-open", size=11)
        for rule, symbol in RULE_SYMBOLS.items()
        if rule in named
    ]
    above = words["above_claim"].format(lower=at_least(result.epsilon_lower, claimed))
    for place in drawn:
        rule, symbol = words[f"rule_{place.look.rule}"], RULE_SYMBOLS[place.look.rule]
        name, colour, shown = (above, WRONG, symbol) if place.above else (rule, RIGHT, f"{symbol}-open")
        hover = words["hover_check"].format(
            pair=pair_name(words, place.look.pair), rule=rule, lower=at_least(place.lower, claimed), epsilon=claimed
        )
        series.append(Series(name, [place.lower], [place.y], colour, symbol=shown, size=11, hover=hover))
    names = [_broken(pair_name(words, pair)) for pair in pairs]
    return Chart(
        series, Axis(words["shown"], (-0.03 * top, top)),
        Axis("", (-1.0, ends[1]), ticks=list(enumerate(names)), reverse=True),
        56 * len(pairs) + 190, 0.36 * len(pairs) + 0.6,
        notes=[Note(claimed, -0.62, claim, "center")], order=[*(words[f"rule_{rule}"] for rule in RULES), above, claim],
    )  # fmt: skip


def check_alt(result: CheckResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``check_chart`` shows, in a sentence or two."""
    config, lower, strongest = result.config, result.epsilon_lower, result.strongest
    shown = float(at_least(lower, config.epsilon))
    if strongest is not None and lower > config.epsilon:
        rule = words["alt_check_rule"].format(rule=words[f"rule_{strongest.rule}"])
        return words["alt_check_above"].format(
            rule=rule, pair=pair_name(words, strongest.pair), lower=shown, epsilon=config.epsilon
        )
    caught = [
        words["alt_check_power_item"].format(epsilon=ceil(epsilon), leak=words[f"leak_{kind}"])
        for kind, epsilon in known_leaks(result).items()
    ]
    power = words["alt_check_power"].format(items=words["and"].join(caught)) if caught else ""
    return words["alt_check_below"].format(lower=shown, epsilon=config.epsilon) + power


def judged_pairs(result: CheckResult) -> list[str]:
    """Return the pairs that were judged, in the order in which they first were, so that none moves while a check runs.

    >>> from ldp_core.checking.claims import CheckConfig
    >>> judged_pairs(CheckResult(CheckConfig("x", 1.0, 0), (), (), 0, False, 0.0, True, {}))
    []
    """
    return list(dict.fromkeys(look.pair for look in result.looks if look.trials))


def places(result: CheckResult) -> list[Place]:
    """Return where each look stands on the chart that has judged a report."""
    heights, positions = {pair: row for row, pair in enumerate(judged_pairs(result))}, []
    judged = [look for look in result.looks if look.trials]
    rules = [rule for rule in RULES if any(look.rule == rule for look in judged)]
    for look in judged:
        lower, shelf = look_lower(result.config, look), rules.index(look.rule) - (len(rules) - 1) / 2
        positions.append(Place(look, lower, heights[look.pair] + _SHELF * shelf, lower > result.config.epsilon))
    return positions


def known_leaks(result: CheckResult) -> dict[str, float]:
    """Return, for each kind of leak for which it is known, the smallest epsilon that a check would have caught.

    Nothing for a check that was cut short, or that rejected the claim.
    """
    if result.verdict != CLAIM_NOT_REJECTED:
        return {}
    return {kind: epsilon for kind, epsilon in detectable_epsilons(result).items() if epsilon is not None}


def ceil(value: float) -> float:
    """Return what holds from somewhere on, rounded up to two decimals."""
    return float(numbers.ceiled(value, 2))


def _broken(name: str) -> str:
    """Break a long name in lines, so that it leaves room on a narrow screen."""
    lines = [""]
    for word in name.replace("（", " （").split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= _LONG:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


Evidence = Sequence[tuple[int, float]]
"""Reports of the test so far, and the largest lower bound on epsilon by then, after each round."""


def evidence_of(result: CheckResult) -> Evidence:
    """Return what a check had shown after each round in which it judged reports."""
    rounds, judged = plan_of(result.config).rounds, [look for look in result.looks if look.trials]
    evidence, reports, shown = list[tuple[int, float]](), 0, 0.0
    for number, turn in enumerate(rounds):
        looks = [look for look in judged if look.round == number]
        reports += sum(look.trials for look in looks)
        if looks:
            shown = max(shown, *(look_lower(result.config, look) for look in looks))
            evidence.append((reports, shown))
        reports += turn.explore
    return evidence


def evidence_chart(config: CheckConfig, evidence: Evidence, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe the leak that was shown at least over the reports it took: hollow within the claim, filled above it.

    ``evidence``: none while nothing is shown yet.
    """
    reports, shown = [count for count, _ in evidence], [lower for _, lower in evidence]
    claimed, most = config.epsilon, max(shown, default=0.0)
    first, last = 0.7 * min([*reports, config.reports // 10]), 1.4 * max([*reports, config.reports])
    claim, top = words["claim"].format(epsilon=claimed), 1.2 * max(claimed, most)
    way = Series(words["shown"], reports, shown, WRONG if most > claimed else RIGHT, "line", 2.5, noted=True)
    hover = words["hover_evidence"]
    points = [
        Series(
            words["shown"], [count], [lower], WRONG if lower > claimed else RIGHT, size=12, noted=True,
            symbol="circle" if lower > claimed else "circle-open", hover="%{text}",
            texts=[hover.format(reports=count, lower=at_least(lower, claimed))],
        )
        for count, lower in evidence
    ]  # fmt: skip
    beside: tuple[str, tuple[int, int]] = ("top", (8, -3)) if most > claimed else ("bottom", (8, 3))
    line = Series(claim, [first, last], [claimed] * 2, stroke="promise", hover=claim, noted=True)
    return Chart(
        [line, way, *points], Axis(words["evidence_axis"], (first, last), log=True), Axis(words["shown"], (0.0, top)),
        300, 2.0, notes=[Note(first, claimed, claim, "left", *beside)], margin=SHARES,
    )  # fmt: skip


def evidence_alt(result: CheckResult, evidence: Evidence, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``evidence_chart`` shows, in one sentence."""
    if not evidence:
        return words["claim"].format(epsilon=result.config.epsilon)
    (few, low), (many, high) = evidence[0], evidence[-1]
    claimed = result.config.epsilon
    return words["alt_evidence"].format(
        few=few, low=at_least(low, claimed), many=many, high=at_least(high, claimed), epsilon=claimed
    )
