"""What a check may say: its plan, its bounds, its power, and a file that is believed no further than its counts."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import beta, binom

from ldp_core import claims
from ldp_core.checks._game import round_ends
from ldp_core.claims import (
    CLAUSES,
    NOT_TESTED,
    PAIRS,
    RULES,
    CheckConfig,
    CheckResult,
    Clause,
    Look,
    from_json,
    kept,
    look_lower,
    plan_of,
    smallest_detectable_epsilon,
    to_json,
    to_text,
    verdict_sentence,
)
from ldp_core.claims._report import ANSWERS
from ldp_core.claims._result import EXAM_SHARE
from ldp_core.claims._words import SAMPLES_PER_EXAM
from ldp_core.estimates import ANYTIME_SHARE, epsilon_lower_bound, error_upper_limit
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts
from tests.helpers.binomial import LEVEL, accepts
from tests.helpers.checking import config_of, run_check
from tests.helpers.claimed import BROKEN, KEPT, OPEN, checked, counted, filled

REFUSED = r"^a check must be what this tool wrote, got one that is not: "
configs = st.builds(
    CheckConfig,
    subject=st.text(st.characters(codec="utf-8"), max_size=30),
    epsilon=st.floats(0.01, 30.0),
    seed=st.integers(0, 2**63 - 1),
    delta=st.floats(0.0, 0.5),
    dimension=st.integers(2, 10**6),
    clip_norm=st.floats(1e-6, 1e6),
    clip_order=st.sampled_from(claims.CLIP_ORDERS),
    reports=st.integers(10_000, 10**8),
    significance=st.floats(1e-9, 0.5),
    scale=st.one_of(st.none(), st.floats(1e-12, 1e12)),
    report_norm=st.one_of(st.none(), st.floats(1e-12, 1e12)),
)


@st.composite
def results(draw: st.DrawFn) -> CheckResult:
    """Checks that were stopped after a round, or rejected, or cut short in the exam."""
    config = replace(draw(configs), reports=draw(st.integers(10_000, 50_000)))
    plan, looks = plan_of(config), list[Look]()
    done = draw(st.sampled_from((0, *round_ends(plan))))
    sizes = [(rule, 0, done, plan.trials) for rule in RULES[:2]] if draw(st.booleans()) else []
    for start, end in zip(plan.stages, (*plan.stages[1:], plan.trials), strict=True):
        sizes += [("learned", start, min(done, end) - start, end - start)] if done >= start else []
    for pair in PAIRS if done else ():
        for rule, start, size, planned in sizes:
            first = draw(st.integers(0, size))
            counts = TrialCounts(first, 0, 0, size - first) if draw(st.booleans()) else counted(size, config.epsilon)
            looks.append(Look(pair, rule, draw(st.integers(0, start)), counts, size == planned))
    used = draw(st.integers(min(config.reports, done * len(PAIRS)), config.reports))
    clauses = draw(st.lists(st.sampled_from([KEPT, BROKEN, OPEN]), unique_by=lambda clause: clause.name))
    found = filled(*clauses) if done else tuple(clauses)
    result = CheckResult(
        config, found, tuple(looks), used, False, draw(st.floats(0.0, 1e9)), draw(st.booleans()), {"a": "1"}
    )
    return replace(result, completed=done == plan.trials or (result.verdict == CLAIM_REJECTED and draw(st.booleans())))


# The plan.


@given(configs)
def test_a_plan_spends_no_more_than_it_has(config: CheckConfig) -> None:
    plan, ends = plan_of(config), round_ends(plan_of(config))
    assert SAMPLES_PER_EXAM * plan.sample + len(PAIRS) * plan.trials <= config.reports
    assert len(PAIRS) * plan.trials > 0.5 * config.reports
    spent = EXAM_SHARE * config.significance + plan.looks * plan.look_significance
    assert spent == pytest.approx(config.significance, rel=1e-12)
    assert plan.looks == len(PAIRS) * (2 + len(plan.stages))
    assert plan.stages[-1] == plan.trials // 2
    assert all(low == high // 2 for low, high in zip(plan.stages[:-1], plan.stages[1:], strict=True))
    assert list(ends) == sorted(set(ends))
    assert {*plan.stages, plan.trials} <= set(ends)
    assert ends[-1] == plan.trials


def test_a_plan_is_a_function_of_numbers_alone() -> None:
    config = CheckConfig("a", 1.0, 3, reports=100_000)
    assert plan_of(replace(config, subject="b", seed=4, epsilon=2.0)) == plan_of(config)


# Bounds, against formulas that share nothing with ours.


def test_a_whole_look_states_the_larger_of_its_two_bounds() -> None:
    for delta in (0.0, 1e-3):
        config = CheckConfig("x", 1.0, 0, reports=50_000, delta=delta, significance=0.05)
        plan = plan_of(config)
        counts = counted(plan.trials, 1.5)
        wrong = counts.num_trials - counts.num_right
        level = 1.0 - (1.0 - ANYTIME_SHARE) * plan.look_significance
        limit = beta.ppf(level, wrong + 1, counts.num_right)
        pooled = look_lower(config, Look("coordinates", "cosine", 0, counts, True))
        assert pooled == pytest.approx(math.log((1.0 - delta - limit) / limit), rel=1e-9)
        first, second = (
            beta.ppf(1.0 - (1.0 - level) / 2, errors + 1, number - errors)
            for errors, number in (
                (counts.first_as_second, counts.num_first),
                (counts.second_as_first, counts.num_second),
            )
        )
        apart = look_lower(config, Look("coordinates", "selective", 0, counts, True))
        assert apart == pytest.approx(
            max(math.log((1 - delta - first) / second), math.log((1 - delta - second) / first)), rel=1e-9
        )
        assert apart < pooled
        watched = look_lower(config, Look("coordinates", "cosine", 0, counts, False))
        share = ANYTIME_SHARE * plan.look_significance
        assert watched == epsilon_lower_bound(counts, "pooled", share, delta=delta, anytime=True) < pooled


@pytest.mark.parametrize(
    ("epsilon", "delta", "reports", "significance"),
    [(1.0, 0.0, 10_000, 0.05), (1.0, 1e-3, 20_000, 0.05), (0.5, 0.0, 30_000, 1e-6), (4.0, 0.0, 10_000, 0.05)],
)
def test_the_smallest_detectable_epsilon_is_caught_with_95_percent(
    epsilon: float, delta: float, reports: int, significance: float
) -> None:
    config = CheckConfig("x", epsilon, 0, delta=delta, reports=reports, significance=significance)
    plan, found = plan_of(config), smallest_detectable_epsilon(config)
    assert found is not None
    wrong = np.arange(plan.trials)
    limit = beta.ppf(1.0 - (1.0 - ANYTIME_SHARE) * plan.look_significance, wrong + 1, plan.trials - wrong)
    above = np.log(np.maximum(1.0 - delta - limit, 1e-300) / limit) > epsilon

    def power(true: float) -> float:
        error = 1.0 - (math.exp(true) + delta) / (1.0 + math.exp(true))
        return float(binom.pmf(wrong[above], plan.trials, error).sum())

    assert power(found) == pytest.approx(0.95, abs=1e-6)
    assert power(found - 0.01) < 0.95 < power(found + 0.01)
    assert found > epsilon


def test_a_check_that_can_catch_nothing_says_so() -> None:
    config = CheckConfig("x", 12.0, 0, reports=10_000)
    assert smallest_detectable_epsilon(config) is None
    assert "so few reports" in claims.power_sentence(checked(11.0, epsilon=12.0, reports=10_000))


def test_more_reports_catch_smaller_lies() -> None:
    found = [smallest_detectable_epsilon(CheckConfig("x", 1.0, 0, reports=number)) for number in (10**5, 10**6, 10**7)]
    assert found[0] > found[1] > found[2] > 1.0  # type: ignore[operator]
    whole = smallest_detectable_epsilon(CheckConfig("x", 1.0, 0, reports=4_000_000, significance=1e-6))
    assert whole is not None
    assert whole < 1.05


# False alarms: counts of whole runs, honest at the very edge of the claim.


class Alarms:
    """Says of many runs at once whether a look rejects, after rounds or at the end.

    Both inputs are sent equally often here, so that a bound needs two tables at each number of trials.
    """

    def __init__(self, config: CheckConfig) -> None:
        self.config, self.plan = config, plan_of(config)
        self.level = self.plan.look_significance

    def pooled(self, trials: int, *, whole: bool) -> int:
        """Return the most errors with which the rule that always guesses rejects; -1 if none."""
        low, high = -1, trials
        while high - low > 1:
            middle = (low + high) // 2
            look = Look("coordinates", "cosine", 0, TrialCounts(trials - middle, middle), whole)
            low, high = (middle, high) if look_lower(self.config, look) > self.config.epsilon else (low, middle)
        return low

    def apart(self, wrong: NDArray[np.int64], trials: int, *, whole: bool) -> NDArray[np.bool_]:
        """Return where errors of both kinds, each of ``trials / 2``, reject."""
        found = np.zeros(wrong.shape[0], bool)
        factor = math.exp(self.config.epsilon)
        for share, anytime in ((ANYTIME_SHARE, True), (1.0 - ANYTIME_SHARE, False)):
            if anytime or whole:
                values, place = np.unique(wrong, return_inverse=True)
                limits = np.array(
                    [error_upper_limit(int(x), trials // 2, share * self.level / 2, anytime=anytime) for x in values]
                )[place.reshape(wrong.shape)]
                first, second = limits.T
                found |= (1.0 - first > factor * second) | (1.0 - second > factor * first)
        return found


def walks(
    rng: np.random.Generator, runs: int, ends: tuple[int, ...], rates: tuple[float, float]
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield the errors of both kinds of many runs after each round."""
    wrong, done = np.zeros((runs, 2), np.int64), 0
    for end in ends:
        wrong = wrong + rng.binomial(end // 2 - done // 2, rates, size=(runs, 2))
        done = end
        yield end, wrong


def runs_with_an_alarm(config: CheckConfig, runs: int, error: float, seed: int) -> NDArray[np.bool_]:
    """Play the counts of whole checks of a mechanism whose leak shows in full, and say which of them it rejects."""
    rng, judge, found = np.random.default_rng(seed), Alarms(config), np.zeros(runs, bool)
    plan = judge.plan
    ends = round_ends(plan)
    silent = 0.05, 1.0 - 0.05 * (1.0 / error - 1.0)
    critical = {end: judge.pooled(end // 2 * 2, whole=end == plan.trials) for end in ends}
    for _ in PAIRS:
        for end, wrong in walks(rng, runs, ends, (error, error)):
            found |= wrong.sum(axis=1) <= critical[end]
        for end, wrong in walks(rng, runs, ends, silent):
            found |= judge.apart(wrong, end, whole=end == plan.trials)
        for start, stop in zip(plan.stages, (*plan.stages[1:], plan.trials), strict=True):
            inside = tuple(end - start for end in ends if start < end <= stop)
            for end, wrong in walks(rng, runs, inside, (error, error)):
                found |= judge.apart(wrong, end, whole=end == stop - start)
    return found


def test_the_tables_of_the_simulation_are_the_bounds() -> None:
    config = CheckConfig("x", 1.0, 0, reports=10_000)
    judge, rng = Alarms(config), np.random.default_rng(1)
    for trials, whole in ((400, False), (400, True), (1_178, True)):
        wrong = rng.integers(0, trials // 4, size=(200, 2))
        looks = [
            Look("coordinates", "learned", 0, TrialCounts(trials // 2 - x, x, y, trials // 2 - y), whole)
            for x, y in wrong.tolist()
        ]
        said = [look_lower(config, look) > config.epsilon for look in looks]
        assert 0 < sum(said) < len(said)
        assert judge.apart(wrong, trials, whole=whole).tolist() == said


@pytest.mark.law
def test_a_thousand_honest_runs_raise_no_more_false_alarms_than_stated(law_seed: int) -> None:
    config = CheckConfig("x", 1.0, 0, reports=30_000, significance=0.05)
    alarms = int(runs_with_an_alarm(config, 1_000, 1.0 / (1.0 + math.e), law_seed).sum())
    assert binom.sf(alarms - 1, 1_000, config.significance) > LEVEL


@pytest.mark.law
def test_runs_that_look_without_paying_for_it_are_seen(law_seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same count of false alarms, for a check that gives every look the whole significance."""
    config = CheckConfig("x", 1.0, 0, reports=30_000, significance=0.05)
    greedy = replace(plan_of(config), look_significance=config.significance)
    monkeypatch.setattr("ldp_core.claims._result.plan_of", lambda _: greedy)
    monkeypatch.setattr("tests.test_claims.plan_of", lambda _: greedy)
    alarms = int(runs_with_an_alarm(config, 1_000, 1.0 / (1.0 + math.e), law_seed).sum())
    assert binom.sf(alarms - 1, 1_000, config.significance) < LEVEL


@pytest.mark.law
def test_a_lie_is_caught_as_often_as_stated(law_seed: int) -> None:
    config = CheckConfig("x", 1.0, 0, reports=30_000, significance=0.05)
    judge, found = Alarms(config), smallest_detectable_epsilon(config)
    assert found is not None
    trials = judge.plan.trials
    wrong = np.random.default_rng(law_seed).binomial(trials, 1.0 / (1.0 + math.exp(found)), size=2_000)
    caught = int((wrong <= judge.pooled(trials, whole=True)).sum())
    assert accepts(caught, 2_000, 0.95)
    for lie, reports in ((1.2, 200_000), (1.05, 4_000_000)):
        assert smallest_detectable_epsilon(replace(config, reports=reports, significance=1e-6)) < lie  # type: ignore[operator]


# Verdict and words.


def test_verdicts() -> None:
    assert (checked(0.9).verdict, kept(checked(0.9))) == (CLAIM_NOT_REJECTED, True)
    assert (checked(1.4).verdict, kept(checked(1.4))) == (CLAIM_REJECTED, False)
    assert kept(checked(0.9, KEPT, OPEN))
    assert not kept(checked(0.9, KEPT, BROKEN))
    nothing = replace(checked(), looks=(), completed=False)
    assert (nothing.verdict, kept(nothing)) == (NOT_TESTED, False)


def test_a_rejection_names_what_showed_it() -> None:
    result = checked(1.6, KEPT, BROKEN, pair="near-equal")
    sentence = verdict_sentence(result)
    for words in ("near-equal", "cosine", "claimed 1", "95 %", "100,000 reports", "also broken: Only numbers"):
        assert words in sentence
    stated = float(sentence.split("at least ")[1].split(",")[0])
    assert result.epsilon_lower - 0.001 < stated <= result.epsilon_lower
    assert claims.sentences(result) == (sentence,)
    assert json.loads(to_json(result))["rejected_by"] == {"pair": "near-equal", "rule": "cosine"}


def test_a_lower_end_just_above_the_claim_does_not_read_as_the_claim() -> None:
    lower = checked(1.4).epsilon_lower
    sentence = verdict_sentence(checked(1.4, epsilon=lower - 1e-6))
    assert float(sentence.split("at least ")[1].split(",")[0]) > lower - 1e-6


def test_what_was_not_rejected_is_not_proven() -> None:
    result = checked(0.9)
    verdict, power = claims.sentences(result)
    assert "no more than the claimed 1" in verdict
    assert "not proof" in power
    stated = float(power.split("at least ")[1].split(" ")[0])
    assert stated - 0.001 < smallest_detectable_epsilon(result.config) <= stated  # type: ignore[operator]
    assert "something else is broken: Only numbers" in verdict_sentence(checked(0.9, KEPT, BROKEN))
    stopped = replace(result, completed=False)
    assert claims.detectable_epsilon(stopped) is None
    assert "did not come to its end" in claims.power_sentence(stopped)
    other = checked(0.9, rules=("learned",))
    assert claims.detectable_epsilon(other) is None
    assert "not as long as the inputs" in claims.power_sentence(other)


def test_the_text_has_every_clause_and_says_how_to_repeat_it() -> None:
    text = to_text(checked(0.9, KEPT, BROKEN, OPEN, delta=1e-5, scale=2.5, significance=1e-9))
    for answer, name in (("kept", KEPT.name), ("BROKEN", BROKEN.name), ("not asked", OPEN.name)):
        assert any(line.strip().startswith(answer) and CLAUSES[name].title in line for line in text.split("\n"))
    for words in (
        "--confidence 0.999999999",
        "--delta 1e-05",
        "--scale 2.5",
        "--seed 7",
        "3 of 1,000 reports",
        "delta 1e-05",
    ):
        assert words in text
    assert "own randomness" not in text
    assert "own randomness" in to_text(replace(checked(), seeded=False))


def test_a_terminal_obeys_nothing_that_a_vendor_says() -> None:
    clause = Clause("shape-and-type", False, "broken", {"problem": "\x1b[31mred\x07\nExit: 0"})
    text = to_text(checked(0.9, clause, subject="\x1b]0;title\x07"))
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert "\nExit" not in text


# JSON.


@settings(max_examples=25)
@given(results())
def test_a_check_survives_json(result: CheckResult) -> None:
    text = to_json(result)
    assert from_json(text) == from_json(text.encode()) == result


@pytest.mark.parametrize("name", ["duchi-l2", "overclaiming", "faulty-now-and-then-nan"])
def test_a_real_check_survives_json(name: str) -> None:
    result = run_check(config_of(name, 5, reports=10_000, significance=0.05))
    assert from_json(to_json(result)) == result
    assert result.completed


def test_json_holds_what_was_agreed() -> None:
    result = checked(0.9, KEPT, BROKEN, OPEN, delta=1e-5)
    report = json.loads(to_json(result), parse_constant=lambda name: pytest.fail(name))
    assert report["schema"] == "ldp-check/1"
    assert (report["claimed_epsilon"], report["claimed_delta"], report["seed"]) == (1.0, 1e-5, 7)
    assert [clause["passed"] for clause in report["clauses"]][:3] == [True, False, None]
    assert [clause["sentence"] for clause in report["clauses"]] == [clause.sentence for clause in result.clauses]
    assert {(look["pair"], look["rule"]) for look in report["looks"]} == {(p, r) for p in PAIRS for r in RULES}
    for look, entry in zip(result.looks, report["looks"], strict=True):
        assert entry["epsilon_lower"] == look_lower(result.config, look)
        assert entry["bound"] == ("pooled" if look.rule == "cosine" else "clopper_pearson")
    assert report["epsilon_lower"] == max(entry["epsilon_lower"] for entry in report["looks"])
    assert report["smallest_detectable_epsilon"] == smallest_detectable_epsilon(result.config)
    assert (report["verdict"], report["rejected_by"]) == (CLAIM_NOT_REJECTED, None)
    assert (report["reports_used"], report["seconds"], report["completed"]) == (100_000, 1.25, True)


def test_every_finding_has_one_answer_a_file_may_state() -> None:
    stated = {finding for answer in ANSWERS.values() for finding in answer}
    assert {finding for clause in CLAUSES.values() for finding in clause.findings} <= stated


def altered(change: Callable[[Any], Any], result: CheckResult | None = None) -> str:
    report = json.loads(to_json(result or checked(0.9, KEPT, BROKEN, OPEN)))
    change(report)
    return json.dumps(report)


def test_what_can_be_derived_is_not_believed() -> None:
    def change(report: Any) -> None:
        report.update(verdict=CLAIM_REJECTED, epsilon_lower=9.0, rejected_by={"pair": "x"}, surprise=1)
        report.update(smallest_detectable_epsilon=1.0)
        report["clauses"][1].update(sentence="All is well.")
        report["looks"][0].update(epsilon_lower=9.0, bound="pooled")

    result = checked(0.9, KEPT, BROKEN, OPEN)
    assert from_json(altered(change)) == result
    assert from_json(altered(lambda report: None)) == result


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(schema="ldp-check/2"),
        lambda r: r.update(claimed_epsilon=2.0),
        lambda r: r.update(claimed_delta=0.1),
        lambda r: r.update(seed=8),
        lambda r: r.update(reports_used=5),
        lambda r: r.update(reports_used=100_001),
        lambda r: r.update(completed=1),
        lambda r: r.update(seeded="yes"),
        lambda r: r.update(seconds=-1),
        lambda r: r.update(versions=["python"]),
        lambda r: r.update(versions={"python": "x" * 500}),
        lambda r: r["config"].update(epsilon="1"),
        lambda r: r["config"].update(surprise=1),
        lambda r: r["config"].pop("subject"),
        lambda r: r["config"].update(subject="x" * 500),
        lambda r: r["config"].update(subject="\ud800"),
        lambda r: r["config"].update(reports=50_000),
        lambda r: r["config"].update(significance=0.0),
        lambda r: r.update(clauses={}),
        lambda r: r["clauses"].append(r["clauses"][0]),
        lambda r: r["clauses"][0].update(name="unheard-of"),
        lambda r: r["clauses"][0].update(name=["shape-and-type"]),
        lambda r: r["clauses"][0].update(finding="unheard-of"),
        lambda r: r["clauses"][0].update(passed=False),
        lambda r: r["clauses"][1].update(passed=True),
        lambda r: r["clauses"][1].update(passed=0),
        lambda r: r["clauses"][2].update(passed=True),
        lambda r: r["clauses"][0]["values"].clear(),
        lambda r: r["clauses"][0]["values"].update(reports="many"),
        lambda r: r["clauses"][0]["values"].update(reports={}),
        lambda r: r["clauses"][0]["values"].update(reports=True),
        lambda r: r["clauses"][0]["values"].update(dtype="x" * 5_000),
        lambda r: r["looks"].append(r["looks"][0]),
        lambda r: r["looks"].reverse(),
        lambda r: r["looks"][0].update(pair="unheard-of"),
        lambda r: r["looks"][0].update(rule="unheard-of"),
        lambda r: r["looks"][0].update(trained_on=5),
        lambda r: r["looks"][2].update(trained_on=10**6),
        lambda r: r["looks"][0].update(completed=False),
        lambda r: r["looks"][0]["counts"].update(first_as_first=-1),
        lambda r: r["looks"][0]["counts"].update(first_as_first=1.5),
        lambda r: r["looks"][0]["counts"].update(first_as_first=10**300),
        lambda r: r["looks"][0]["counts"].update(first_as_first=0),
        lambda r: r["looks"][0]["counts"].pop("first_as_first"),
        lambda r: r["looks"][0]["counts"].update(surprise=1),
        lambda r: r["looks"].pop(),
        lambda r: r["clauses"].pop(1),
        lambda r: r.update(clauses=[], completed=False),
        lambda r: r["looks"].pop(0),
        lambda r: (r.update(completed=False), r["looks"].pop(0)),
        lambda r: r.pop("looks"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(change: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        from_json(altered(change))


def test_a_look_is_whole_only_at_its_planned_size() -> None:
    """The bound for the planned size would be too large for a look that stopped where it liked."""

    def change(report: Any) -> None:
        report.update(completed=False)
        report["looks"][0]["counts"]["first_as_first"] -= 1

    with pytest.raises(ValueError, match="completed must follow"):
        from_json(altered(change))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '{"schema": NaN}', '{"schema": "ldp-check/1"}', '{"schema": "ldp-check/1", "config": []}',
     "[" * 100_000, b"\xff\xfe", '{"schema": "ldp-check/1", "config": {"subject": 1e999}}'],
)  # fmt: skip
def test_no_check_at_all(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        from_json(text)


def test_infinity_in_disguise_is_refused() -> None:
    text = to_json(checked(0.9, KEPT)).replace('"reports": 1000', '"reports": 1e999', 1)
    with pytest.raises(ValueError, match=REFUSED):
        from_json(text)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, (*path, key))


SMALL = json.loads(to_json(checked(0.9, KEPT, BROKEN, OPEN, reports=10_000)))


@settings(max_examples=150)
@given(st.sampled_from(list(places(SMALL))), st.sampled_from(
    [None, True, 0, -1, 10**400, 0.5, 1e308, "", "x", "\ud800", "{0}", [], [[]], {}, {"a": {}}],
))  # fmt: skip
def test_any_value_in_any_place_is_read_or_refused_in_a_sentence(path: tuple[Any, ...], value: Any) -> None:
    report = json.loads(json.dumps(SMALL))
    *way, last = path
    place = report
    for part in way:
        place = place[part]
    place[last] = value
    try:
        result = from_json(json.dumps(report))
    except ValueError as error:
        refusal = str(error)
    else:
        refusal = ""
        assert from_json(to_json(result)) == result
        assert to_text(result)
    assert refusal == "" or re.match(REFUSED, refusal)


def test_a_config_holds_nothing_that_json_loses() -> None:
    config = CheckConfig("x", 1, 0, clip_norm=2, scale=3)
    assert all(type(getattr(config, field.name)) is not int for field in fields(config) if field.type == "float")
    assert from_json(to_json(checked(clip_norm=2, scale=3))).config.scale == 3.0
