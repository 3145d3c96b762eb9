"""Several runs on one chart: the right guesses of each beside what epsilon allows."""

from collections.abc import Mapping, Sequence

from ldp_core.game.summary import summarize
from ldp_core.game.sweep import test_of
from ldp_core.presentation.figures._parts import most_of_100
from ldp_core.presentation.figures._styles import attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, capital, rule_name, sentence
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.presentation.figures.single import at_root, epsilon_axis, share_grid
from ldp_core.statistics import intervals, theory
from ldp_core.statistics.intervals import Interval
from ldp_core.types import AuditResult


def overlay_chart(results: Sequence[AuditResult], words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe the right guesses of 100 of several runs against epsilon, with their ranges and the promise.

    An attack has its own colour and marker: filled where the report is seen, hollow where only the model is.

    ``results``: runs with at least one trial each, at least one.
    """
    epsilons, low = [result.config.epsilon for result in results], 46.0
    grid = share_grid(*epsilons)
    places, most = list(map(at_root, grid)), [100 * theory.worst_case_identification(value) for value in grid]
    series = [
        Series(words["coin"], [places[0], places[-1]], [50, 50], stroke="coin", noted=True),
        Series(words["promise"], places, most, stroke="promise", noted=True),
    ]
    for result in results:
        facts, share, here = _facts(result, results, words), _share(result), [at_root(result.config.epsilon)]
        colour, symbol = attack_style(result.config.attack)
        symbol += "" if test_of(result.config.distinguisher) == "white" else "-open"
        inner = intervals.identification_interval(result.counts, 0.5, anytime=not result.completed)
        for ends, width in (((share.lower, share.upper), 4), ((inner or (0.5,) * 3)[1:], 9)):
            y = [100 * end for end in ends]
            series.append(Series(words["interval"], here * 2, y, colour, "line", width, opacity=0.55, noted=True))
        name = str(facts["attack"])
        says = words["hover_share"].format(name=capital(name), **facts)
        series.append(Series(name, here, [100 * share.point], colour, symbol=symbol, size=11, hover=says))
        low = min(low, 100 * share.lower - 2)
    at = 0.6 if min(epsilons) > 1.2 else 3.0
    notes = [
        Note(0, 50, words["coin"], "left", "top", (6, -2)),
        Note(at_root(at), 100 * theory.worst_case_identification(at), words["promise"], "right", "bottom"),
    ]
    beside = Axis(words["share_axis"], (low, 105))
    return Chart(series, epsilon_axis(words["epsilon_axis"], grid), beside, notes=notes)


def overlay_alt(results: Sequence[AuditResult], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``overlay_chart`` shows, in one sentence."""
    return sentence(words, "overlay", [_facts(result, results, words) for result in results])


def _facts(result: AuditResult, results: Sequence[AuditResult], words: Mapping[str, str]) -> dict[str, object]:
    """Return what is said of a run."""
    epsilon, promise = result.config.epsilon, most_of_100(100 * summarize(result).theory_identification, words)
    return {"attack": _name(result, results, words), "epsilon": epsilon, "promise": promise, **_share(result).of_100}


def _share(result: AuditResult) -> Interval:
    share = summarize(result).identification
    assert share is not None, "a run without trials is not drawn"
    return share


def _name(result: AuditResult, results: Sequence[AuditResult], words: Mapping[str, str]) -> str:
    """Return the attack's name, with the rule where the attack is there with several."""
    config = result.config
    name = attack_name(words, config.attack)
    rules = {other.config.distinguisher for other in results if other.config.attack == config.attack}
    return name if len(rules) == 1 else f"{name} ({rule_name(words, config.distinguisher)})"
