"""What a check may say: its plan, its bounds, its power, and a file that is believed no further than its counts."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from ldp_core.checking import claims
from ldp_core.checking.claims import (
    CLAUSES,
    FIXED_PAIRS,
    LEAKS,
    NOT_TESTED,
    OWN,
    RULES,
    CheckConfig,
    CheckResult,
    Clause,
    Look,
    PairFacts,
    from_json,
    kept,
    look_lower,
    num_pairs,
    pair_sentence,
    plan_of,
    to_json,
    to_text,
    verdict_sentence,
)
from ldp_core.checking.claims._plan import EXAM_SHARE
from ldp_core.checking.claims._report import ANSWERS, _found
from ldp_core.checking.claims._words import SAMPLES_PER_EXAM
from ldp_core.statistics.estimates import ANYTIME_SHARE, EXCESS_SHARE
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts
from tests.helpers.checking import config_of, run_check
from tests.helpers.claimed import BROKEN, KEPT, OPEN, checked, counted, filled, first_checked
from tests.helpers.places import VECTORS

REFUSED = r"^a check must be what this tool wrote, got one that is not: "
FIRST = VECTORS / "first"
configs = st.builds(
    CheckConfig,
    subject=st.text(st.characters(codec="utf-8"), max_size=30),
    epsilon=st.floats(0.01, 30.0),
    seed=st.integers(0, 2**63 - 1),
    delta=st.floats(0.0, 0.5),
    dimension=st.integers(1, 10**6),
    clip_norm=st.floats(1e-6, 1e6),
    clip_order=st.sampled_from(claims.CLIP_ORDERS),
    reports=st.integers(5_000, 10**8),
    significance=st.floats(1e-9, 0.5),
    scale=st.one_of(st.none(), st.floats(1e-12, 1e12)),
    report_norm=st.one_of(st.none(), st.floats(1e-12, 1e12)),
    adaptive=st.booleans(),
    own_pairs=st.just(0),
)


@st.composite
def results(draw: st.DrawFn) -> CheckResult:
    """Checks that were stopped in the privacy test, or rejected, or cut short in the exam."""
    own = draw(st.sampled_from((0, 3)))
    config = replace(
        draw(configs),
        reports=draw(st.integers(5_000, 50_000)),
        own_pairs=own,
        inputs_digest="5e" * 32 if own else "",
    )
    plan, looks = plan_of(config), list[Look]()
    names = [*FIXED_PAIRS, *(f"{OWN}-{number}" for number in range(1, own + 1))]
    asked = dict.fromkeys(names, 0)
    done = draw(st.integers(0, len(plan.rounds)))
    for number, turn in enumerate(plan.rounds[:done]):
        asked = {name: reports + turn.explore // len(names) for name, reports in asked.items()}
        for name in draw(st.lists(st.sampled_from(names), min_size=turn.looks, max_size=turn.looks, unique=True)):
            size = turn.judged if number + 1 < done or draw(st.booleans()) else draw(st.integers(0, turn.judged))
            silent = draw(st.integers(0, size))
            first = draw(st.integers(0, size - silent))
            right = TrialCounts(first, 0, 0, size - silent - first)
            counts = right if draw(st.booleans()) else counted(size - silent, config.epsilon)
            rule, whole = draw(st.sampled_from(RULES)), size == turn.judged
            looks.append(Look(name, rule, draw(st.integers(0, asked[name])), counts, whole, number, silent))
            asked[name] += size
    pairs = [PairFacts(name, 1.0, 0.5, draw(st.floats(0, 180)), reports=number) for name, number in asked.items()]
    if pairs and draw(st.booleans()):
        pairs.append(PairFacts("refined-1", 0.5, 1.0, 10.0, names[0], 0))
    used = draw(st.integers(sum(asked.values()), config.reports))
    clauses = draw(st.lists(st.sampled_from([KEPT, BROKEN, OPEN]), unique_by=lambda clause: clause.name))
    found = filled(*clauses) if done else tuple(clauses)
    result = CheckResult(
        config, found, tuple(looks), used, False, draw(st.floats(0.0, 1e9)), draw(st.booleans()), {"a": "1"},
        tuple(pairs) if done else (),
    )  # fmt: skip
    ended = result.judged_last and all(look.completed for look in looks)
    return replace(result, completed=ended or (result.verdict == CLAIM_REJECTED and draw(st.booleans())))


# The plan.


@given(configs, st.integers(0, 64))
def test_a_plan_spends_no_more_than_it_has(config: CheckConfig, own: int) -> None:
    config = replace(config, own_pairs=own, inputs_digest="ab" * 32 if own else "")
    plan = plan_of(config)
    asked = sum(turn.explore + turn.looks * turn.judged for turn in plan.rounds)
    assert SAMPLES_PER_EXAM * plan.sample + plan.trials == config.reports
    assert plan.trials > 0.35 * config.reports
    assert asked <= plan.trials
    spent = EXAM_SHARE * config.significance + sum(turn.looks * turn.significance for turn in plan.rounds)
    assert spent == pytest.approx(config.significance, rel=1e-12)
    last = plan.rounds[-1]
    assert last.judged > 0
    assert last.own_looks == (own > 0)
    if config.adaptive:
        assert plan.rounds[0].looks == last.explore == 0
        assert last.looks * last.judged > 0.45 * plan.trials
        assert last.looks * last.significance >= 0.4999 * (1 - EXAM_SHARE) * config.significance
    else:
        assert len(plan.rounds) == 1
        assert num_pairs(config) * last.judged + last.explore <= plan.trials


def test_a_plan_is_a_function_of_numbers_alone() -> None:
    config = CheckConfig("a", 1.0, 3, reports=100_000)
    assert plan_of(replace(config, subject="b", seed=4, epsilon=2.0)) == plan_of(config)


# Bounds, against formulas that share nothing with ours.


def test_a_whole_look_states_the_larger_of_its_two_bounds() -> None:
    for delta in (0.0, 1e-3):
        config = CheckConfig("x", 1.0, 0, reports=50_000, delta=delta, significance=0.05)
        number = len(plan_of(config).rounds) - 1
        turn = plan_of(config).rounds[number]
        counts = counted(turn.judged - 500, 1.5)
        wrong, right = counts.num_trials - counts.num_right, counts.num_right
        level = (1.0 - ANYTIME_SHARE) * turn.significance
        if delta:
            right -= int(binom.isf(EXCESS_SHARE * level, turn.judged, delta))
            level *= 1.0 - EXCESS_SHARE
        limit = beta.ppf(1.0 - level, wrong + 1, right)
        found = look_lower(config, Look("coordinates", "tail", 0, counts, True, number, 500))
        assert found == pytest.approx(math.log((1.0 - limit) / limit), rel=1e-9)
        watched = look_lower(config, Look("coordinates", "tail", 0, counts, False, number, 499))
        assert 0.0 < watched < found


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
    for words in ("near-equal", "claimed 1", "95 %", "100,000 reports", "also broken: Only numbers"):
        assert words in sentence
    stated = float(sentence.split("at least ")[1].split(",")[0])
    assert result.epsilon_lower - 0.001 < stated <= result.epsilon_lower
    assert claims.sentences(result) == (sentence,)
    assert result.strongest is not None
    assert json.loads(to_json(result))["rejected_by"] == {"pair": "near-equal", "rule": result.strongest.rule}


def test_a_lower_end_just_above_the_claim_does_not_read_as_the_claim() -> None:
    lower = checked(1.4).epsilon_lower
    sentence = verdict_sentence(checked(1.4, epsilon=lower - 1e-6))
    assert float(sentence.split("at least ")[1].split(",")[0]) > lower - 1e-6


def test_what_was_not_rejected_is_not_proven() -> None:
    length = Clause("shape-and-type", True, "kept", {"reports": 1_000, "length": 2, "dtype": "float32"})
    result = checked(0.9, length, dimension=2)
    verdict, *power = claims.sentences(result)
    assert "no more than the claimed 1" in verdict
    found, (epsilon, needed) = claims.detectable_epsilons(result), claims.needed_reports(result)
    assert tuple(found) == LEAKS == tuple(needed)
    said = " ".join(power)
    assert "not proof" in said
    for value in found.values():
        assert value is None or f"{math.ceil(100 * value) / 100:.2f} that shows" in said
    assert f"{epsilon:g} takes about" in said
    assert all(number is None or f"{number:,} that shows" in said for number in needed.values())
    assert "something else is broken: Only numbers" in verdict_sentence(checked(0.9, KEPT, BROKEN))


def test_what_is_not_known_is_not_stated() -> None:
    stopped = replace(checked(0.9), completed=False)
    assert set(claims.detectable_epsilons(stopped).values()) == {None}
    assert "did not come to its end" in claims.power_sentences(stopped)[0]
    long = claims.detectable_epsilons(checked(0.9))  # 64 numbers: nothing is known about regions to be learned
    assert long["side"] is not None
    assert long["learned"] is None
    length = Clause("shape-and-type", True, "kept", {"reports": 1_000, "length": 3, "dtype": "float32"})
    other = claims.detectable_epsilons(checked(0.9, length))  # reports are not as long as inputs
    assert other["side"] is other["tail"] is None
    assert other["learned"] is not None
    first = first_checked(0.9)
    assert set(claims.detectable_epsilons(first).values()) == {None}
    assert "earlier version" in claims.power_sentences(first)[0]


def test_every_pair_is_explained() -> None:
    result = checked(0.9, own_pairs=2, inputs_digest="0a" * 32)
    text = to_text(result)
    for pair in result.pairs:
        assert f"{pair.name} ({pair.reports:,}): {pair_sentence(pair)}" in text
    assert "your own pair 2: lengths 0.4 L and 0.7 L, 90 degrees apart" in text
    assert tuple(claims.PAIRS) == FIXED_PAIRS


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


@pytest.mark.parametrize(("name", "verdict"), [("kept", CLAIM_NOT_REJECTED), ("rejected", CLAIM_REJECTED)])
def test_a_check_of_the_first_version_is_read_and_written_again(name: str, verdict: str) -> None:
    """Files that the program wrote before schema ldp-check/2."""
    text = (FIRST / f"{name}.json").read_text(encoding="utf-8")
    report, result = json.loads(text), from_json(text)
    assert (result.version, result.verdict, result.ended) == (1, verdict, True)
    again = json.loads(to_json(result))
    assert {key for key, value in report.items() if again[key] != value} <= {"smallest_detectable_epsilon"}
    assert from_json(to_json(result)) == result
    report["looks"][0]["counts"]["first_as_first"] -= 1
    with pytest.raises(ValueError, match=REFUSED):
        from_json(json.dumps(report))


@settings(max_examples=40)
@given(results())
def test_a_check_survives_json(result: CheckResult) -> None:
    text = json.dumps(_found(result))
    assert from_json(text) == from_json(text.encode()) == result


@pytest.mark.parametrize("name", ["duchi-l2", "overclaiming", "faulty-now-and-then-nan"])
def test_a_real_check_survives_json(name: str) -> None:
    result = run_check(config_of(name, 5, reports=10_000, significance=0.05))
    assert from_json(to_json(result)) == result
    assert result.completed


def test_json_holds_what_was_agreed() -> None:
    result = checked(0.9, KEPT, BROKEN, OPEN, delta=1e-5)
    report = json.loads(to_json(result), parse_constant=lambda name: pytest.fail(name))
    assert report["schema"] == "ldp-check/2"
    assert (report["claimed_epsilon"], report["claimed_delta"], report["seed"]) == (1.0, 1e-5, 7)
    assert [clause["passed"] for clause in report["clauses"]][:3] == [True, False, None]
    assert [clause["sentence"] for clause in report["clauses"]] == [clause.sentence for clause in result.clauses]
    assert [pair["name"] for pair in report["pairs"]] == [*FIXED_PAIRS, "refined-1"]
    assert [pair["sentence"] for pair in report["pairs"]] == [pair_sentence(pair) for pair in result.pairs]
    for look, entry in zip(result.looks, report["looks"], strict=True):
        assert entry["epsilon_lower"] == look_lower(result.config, look)
        assert (entry["bound"], entry["round"], entry["silent"]) == ("joint", look.round, look.silent)
    assert report["epsilon_lower"] == max(entry["epsilon_lower"] for entry in report["looks"])
    power = report["power"]
    assert power["smallest_detectable_epsilon"] == claims.detectable_epsilons(result)
    assert power["reports_needed"] == {"epsilon": 1.34, **claims.needed_reports(result)[1]}
    assert power["probability"] == 0.95
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
        report.update(power={"smallest_detectable_epsilon": {"side": 1.0}})
        report["clauses"][1].update(sentence="All is well.")
        report["looks"][0].update(epsilon_lower=9.0, bound="pooled")

    result = checked(0.9, KEPT, BROKEN, OPEN)
    assert from_json(altered(change)) == result
    assert from_json(altered(lambda report: None)) == result


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(schema="ldp-check/1"),
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
        lambda r: r["looks"][0].update(round=-1),
        lambda r: r["looks"][0].update(round=63),
        lambda r: r["looks"][0].update(silent=-1),
        lambda r: r["looks"][0].update(silent=10**6),
        lambda r: r["looks"][0].update(pair="own-1"),
        lambda r: r["pairs"].pop(0),
        lambda r: r["pairs"].append(r["pairs"][0]),
        lambda r: r["pairs"][0].update(reports=1),
        lambda r: r["pairs"][-1].update(parent="refined-2"),
        lambda r: r["pairs"][-1].update(parent=""),
        lambda r: r["pairs"][0].update(first_length=2.0),
        lambda r: r["config"].update(own_pairs=1),
        lambda r: r["config"].update(adaptive=False),
        lambda r: r["config"].update(pair_set=1),
        lambda r: r["looks"][0].update(pair="unheard-of"),
        lambda r: r["looks"][0].update(rule="unheard-of"),
        lambda r: r["looks"][0].update(trained_on=10**7),
        lambda r: r["looks"][2].update(trained_on=10**6),
        lambda r: r["looks"][0].update(completed=False),
        lambda r: r["looks"][0]["counts"].update(first_as_first=-1),
        lambda r: r["looks"][0]["counts"].update(first_as_first=1.5),
        lambda r: r["looks"][0]["counts"].update(first_as_first=10**300),
        lambda r: r["looks"][0]["counts"].update(first_as_first=0),
        lambda r: r["looks"][0]["counts"].pop("first_as_first"),
        lambda r: r["looks"][0]["counts"].update(surprise=1),
        lambda r: r.update(looks=r["looks"][:-2]),
        lambda r: r["clauses"].pop(1),
        lambda r: r.update(clauses=[], completed=False),
        lambda r: r.pop("looks"),
        lambda r: r.pop("pairs"),
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
