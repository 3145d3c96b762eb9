"""Sentences against numbers, and the texts against the core's names."""

import itertools
import re
from dataclasses import replace

import pytest
from torch import Generator

from ldp_core import workload
from ldp_core.adversaries import ADVERSARIES, ATTACKS, PARTIES
from ldp_core.datasets import DATASETS, own
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.game import advice
from ldp_core.game.summary import STATES, summarize
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.mechanisms import MECHANISMS
from ldp_core.presentation.tables import REASONS
from ldp_core.statistics import theory
from ldp_core.studies import STUDIES
from ldp_core.studies.audit import workload as plan
from ldp_core.types import BOUNDS, SAMPLINGS, TRAININGS, AuditResult, MeasurementResult, PairGeometry, TrialCounts
from pages.audit import words as audit_words
from pages.frame import wording
from pages.jobs.png import png
from pages.widgets import inputs, pictures
from tests.helpers.words import LANGUAGES, en


def result(
    counts: tuple[int, int, int, int], epsilon: float = 1.0, angle: float = 180.0, norm: float = 1.0, **options: object
) -> AuditResult:
    trials = sum(counts)
    config = plan.make_config(
        confidence=95, seed=1, distinguisher=str(options.pop("distinguisher", "cosine")), attack="dummy",
        epsilon=epsilon, num_trials=int(str(options.pop("planned", trials))), num_measurements=1, **options,
    )  # fmt: skip
    pair = PairGeometry(angle, norm, norm, "test")
    done = config.num_trials == trials
    return AuditResult(config, (MeasurementResult(pair, TrialCounts(*counts), None),), done, 1.0, "cpu", {})


CASES = {
    "above": result((4_250, 750, 750, 4_250)),
    "too_few": result((10, 0, 0, 10), epsilon=8.0),
    "coin": result((5_000, 5_000, 5_000, 5_000)),
    "at": result((3_655, 1_345, 1_345, 3_655)),
    "below": result((2_900, 2_100, 2_100, 2_900)),
}


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_sentences_and_ends_with_what_to_do(state: str) -> None:
    verdict = audit_words.verdict(en, CASES[state])
    assert verdict.state == summarize(CASES[state]).state == state
    assert verdict.headline == en.HEADLINES[state]
    whole = " ".join((verdict.headline, verdict.seen, verdict.epsilon, verdict.meaning))
    whole += " ".join(step.sentence + step.label for step in verdict.steps)
    assert "{" not in whole
    assert "The promise: at most" in verdict.epsilon
    if state not in ("above", "too_few"):
        assert "does not prove the promise" in whole
        assert "if it holds" in whole or "If the promise holds, nobody gets above" in whole
    assert verdict.steps
    assert all(step.sentence.startswith("**") for step in verdict.steps)
    assert [step.name for step in verdict.steps] not in [
        [step.name for step in audit_words.verdict(en, case).steps] for name, case in CASES.items() if name != state
    ]


def test_what_to_do_is_what_the_core_advises() -> None:
    for state, case in CASES.items():
        steps = {step.name: step for step in audit_words.next_steps(en, case)}
        assert tuple(steps) == advice.actions(case), state
    below = {step.name: step for step in audit_words.next_steps(en, result((2_900, 2_100, 2_100, 2_900), angle=88.0))}
    assert "stronger" not in below, "the made-up update is the strongest"
    weak = replace(CASES["below"], config=replace(CASES["below"].config, attack="benign"))
    (step,) = [step for step in audit_words.next_steps(en, weak) if step.name == "stronger"]
    assert step.config is not None
    assert (step.config.attack, step.config.distinguisher) == ("benign", "selective")
    assert en.DISTINGUISHERS["selective"].title in step.sentence
    (ask,) = [step for step in audit_words.next_steps(en, CASES["at"]) if step.name == "ask"]
    assert "after 11 reports" in ask.sentence
    (ask,) = [step for step in audit_words.next_steps(en, CASES["too_few"]) if step.name == "ask"]
    assert "after one report" in ask.sentence
    (more,) = [step for step in audit_words.next_steps(en, CASES["too_few"]) if step.name == "more"]
    assert more.config is not None
    assert f"at least {more.config.num_trials:,} guesses per pair" in more.sentence
    assert plan.plan(more.config, None).enough


def test_verdict_s_numbers() -> None:
    above, below = (audit_words.verdict(en, CASES[state]) for state in ("above", "below"))
    assert f"**{pc('85.0')} of 10,000 guesses**" in above.seen
    assert f"the promise allows at most {pc('73.1')}" in above.seen
    assert f"A coin gets {pc('50')}" in above.seen
    assert "at most 5 of 100 runs" in above.steps[0].sentence
    assert f"**{pc('58.0')} of 10,000 guesses**" in below.seen
    share = summarize(CASES["below"]).identification
    assert share is not None
    assert f"(range {pc(f'{100 * share.lower:.1f}')} to {pc(f'{100 * share.upper:.1f}')})" in below.seen


def pc(number: str) -> str:
    return en.PERCENT.format(value=number)


def test_epsilon_is_told_in_one_line() -> None:
    for state, case in CASES.items():
        found, told = summarize(case).epsilon, audit_words.verdict(en, case).epsilon
        lower = float(re.search(r"at least ([\d.]+)\. ", told).group(1))  # type: ignore[union-attr]
        assert found.lower - 0.01 < lower <= found.lower
        assert f"The promise: at most {case.config.epsilon:g}." in told
        assert (lower > case.config.epsilon) == (state == "above")


def test_why_the_bound_decides_is_said_where_an_estimate_is_above_the_promise() -> None:
    lucky = result((40, 10, 10, 40))
    assert summarize(lucky).straddles
    told = audit_words.verdict(en, lucky)
    assert told.state == "at"
    assert f"**{pc('80.0')} of 100 guesses**" in told.seen
    assert "does not break it: the bound" in told.epsilon
    for state in ("above", "coin", "below"):
        assert not summarize(CASES[state]).straddles
        assert "does not break it: the bound" not in audit_words.verdict(en, CASES[state]).epsilon


def test_numbers_grow_until_they_tell_the_state() -> None:
    close = result((36_750, 13_250, 13_250, 36_750))
    told = audit_words.verdict(en, close)
    assert told.state == "above"
    share = summarize(close).identification
    assert share is not None
    low, limit = (
        float(re.search(part + r"([\d.]+)", told.seen).group(1))  # type: ignore[union-attr]
        for part in (r"range ", "at most ")
    )
    assert low > limit
    barely = result((366_560, 133_440, 133_440, 366_560))
    assert summarize(barely).state == "above"
    low, limit = (
        float(re.search(part + r"([\d.]+)", audit_words.verdict(en, barely).seen).group(1))  # type: ignore[union-attr]
        for part in (r"range ", "at most ")
    )
    assert low > limit, "one decimal would not tell"


def test_no_wrong_guess_and_no_right_guess() -> None:
    assert "every time, in 20 guesses" in audit_words.verdict(en, CASES["too_few"]).seen
    assert (
        f"**{pc('0')} of 1,000 guesses** (range {pc('0')} to" in audit_words.verdict(en, result((0, 500, 500, 0))).seen
    )


@pytest.mark.parametrize("chances", [(0.5,), (0.99996, 0.9), (0.00004, 0.5), (1.0, 0.9999999), (0.0, 1e-9)])
def test_only_all_reads_as_all_and_only_nothing_as_nothing(chances: tuple[float, ...]) -> None:
    for chance, text in zip(chances, wording.percents(en, chances), strict=True):
        assert (text == pc("100")) == (chance == 1.0)
        assert (text == pc("0")) == (chance == 0.0)
        assert "." in text or chance in (0.0, 1.0)


def test_one_guess_is_no_plural() -> None:
    assert "of one guess**" in audit_words.verdict(en, replace(result((0, 1, 0, 0)), completed=False)).seen
    assert audit_words.tested(en, result((1, 0, 0, 0))).endswith("one guess")


def test_at_least_shows_what_is_beyond() -> None:
    assert wording.at_least(0.629, 1.0) == "0.62"
    assert wording.at_least(1.0049, 1.0) == "1.004"
    assert wording.at_least(1.0, 1.0) == "1"
    assert wording.at_least(0.0, 1.0) == "0"


def test_error_sentences_begin_with_a_capital_and_say_what_to_do() -> None:
    assert wording.failure(en, "epsilon must be positive, got -1") == (
        "Epsilon must be positive, got -1. Change that, and try again."
    )
    assert wording.failure(en, "") == en.BUG


def test_cancelled_run_says_so() -> None:
    verdict = audit_words.verdict(en, result((300, 200, 200, 300), planned=10_000))
    assert "Stopped after 1,000 of 10,000 guesses" in verdict.stopped
    nothing = audit_words.verdict(en, result((0, 0, 0, 0), planned=100))
    assert (nothing.state, [step.name for step in nothing.steps]) == ("none", ["again"])
    assert audit_words.none(en) == nothing


def test_selective_verdict_speaks_of_two_rates_and_of_epsilon_only() -> None:
    case = result((4_700, 300, 2_700, 2_300), epsilon=2.0, distinguisher="selective")
    verdict = audit_words.verdict(en, case)
    assert f"**{pc('46.0')}** of the reports of update B" in verdict.seen
    assert f"{pc('6.0')} of those of update A" in verdict.seen
    assert "the promise allows" not in verdict.seen
    assert "formula predicts" not in audit_words.why(en, case)


def test_demonstration_is_called_one() -> None:
    demo = replace(CASES["above"], config=replace(CASES["above"].config, mechanism="overclaiming"))
    verdict = audit_words.verdict(en, demo)
    assert en.ABOVE_DEMO in verdict.meaning
    assert [step.name for step in verdict.steps] == ["honest", "vendor"]
    assert verdict.steps[0].config is not None
    assert verdict.steps[0].config.mechanism == "ldp-sgd"


def test_groups_hold_every_attack_once_and_go_by_who_must_cheat() -> None:
    grouped = [attack for group in PARTIES for attack in inputs.attacks_of(group)]
    assert sorted(grouped) == sorted(ADVERSARIES)
    assert tuple(en.ATTACK_GROUPS) == PARTIES
    for group in PARTIES:
        for attack in inputs.attacks_of(group):
            touched = ADVERSARIES[attack].access
            who = (
                "nobody"
                if not touched
                else "both"
                if "server" in touched
                else "data"
                if touched <= {"images", "labels"}
                else "app"
            )
            assert who == group, attack


@pytest.mark.parametrize(
    ("epsilon", "right", "of"),
    [(0.1, 52, 100), (0.5, 62, 100), (1, 73, 100), (2, 88, 100), (4, 98, 100), (5, 993, 1_000), (8, 9_997, 10_000)],
)
def test_promise_in_natural_frequencies(epsilon: float, right: int, of: int) -> None:
    fact = wording.promise(epsilon)
    assert (fact.right, fact.of, fact.open) == (right, of, False)


@pytest.mark.parametrize("epsilon", [0.01, 3.9, 4.0, 5.9, 6.0, 10.0, 20.0, 30.0])
def test_never_all_of_them(epsilon: float) -> None:
    fact = wording.promise(epsilon)
    assert fact.right < fact.of
    for texts in (en.PROMISE, en.OVERVIEW_PROMISE):
        assert not re.search(r"100 times|100\s%", wording.promise_sentence(en, epsilon, texts))


@pytest.mark.parametrize(
    ("epsilon", "sentence", "limit"),
    [
        (1.0, "at most 73 times**", "at most 73 of 100"), (2.0, "at most 88 times**", "at most 88 of 100"),
        (2.5, "at most 92.4 %**", "at most 92.4 %"), (4.0, "at most 98.2 %**", "at most 98.2 %"),
        (8.0, "at most 99.97 %**", "at most 99.97 %"), (30.0, "practically every", "nearly 100 %"),
    ],
)  # fmt: skip
def test_a_promise_is_a_count_and_from_90_up_a_percentage(epsilon: float, sentence: str, limit: str) -> None:
    for texts in (en.PROMISE, en.OVERVIEW_PROMISE):
        assert sentence in wording.promise_sentence(en, epsilon, texts).replace("\u00a0", " ")
    chance = theory.worst_case_identification(epsilon)
    assert wording.at_most(en, chance).replace("\u00a0", " ") == limit
    assert wording.coin(en, chance).replace("\u00a0", " ") == ("50 %" if epsilon > 2.2 else "50 of 100")


def test_plan_says_the_trials_needed() -> None:
    few = plan.make_config(
        confidence=95, seed=1, distinguisher="cosine", attack="dummy", epsilon=8.0, num_trials=100, num_measurements=2
    )
    line, warning = audit_words.plan_sentences(en, few, plan.plan(few, 1e8))
    needed = int(re.search(r"at least ([\d,]+)", warning).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert plan.plan(replace(few, num_trials=needed), None).enough
    assert not plan.plan(replace(few, num_trials=int(0.99 * needed)), None).enough
    assert "a second" in line or "seconds" in line
    assert line.startswith("200 guesses")
    assert "badly broken promise" not in line
    enough = replace(few, epsilon=1.0)
    line, warning = audit_words.plan_sentences(en, enough, plan.plan(enough, 1e8))
    assert line.endswith("catch a badly broken promise at ε = 1.")
    assert warning == ""


def test_why_names_what_is_missing() -> None:
    assert en.WHY_WORST in audit_words.why(en, result((1, 0, 0, 1)))
    assert "the angle is 90°, so" in audit_words.why(en, result((1, 0, 0, 1), angle=90.0))
    assert en.WHY_SHORT in audit_words.why(en, result((1, 0, 0, 1), norm=0.5))
    assert "the angle is 90°, and some" in audit_words.why(en, result((1, 0, 0, 1), angle=90.0, norm=0.5))
    one, other = (result((1, 0, 0, 1), angle=angle) for angle in (54.0, 102.0))
    both = replace(one, measurements=one.measurements + other.measurements)
    assert "78° on average, and pairs differ (54° to 102°), so" in audit_words.why(en, both)


def test_length_says_what_it_was_cut_down_to() -> None:
    assert audit_words.length(en, 73.2, 1.0) == "73.2, cut down to 1"
    assert audit_words.length(en, 0.5, 1.0) == "0.5"
    assert audit_words.length(en, 1.0, 1.0) == "1"


def test_why_of_a_black_box_names_no_formula() -> None:
    one = audit_words.why(en, result((6, 4, 4, 6), distinguisher="loss-fall", angle=90.0))
    assert "never sees your report" in one
    assert en.WHY_BLACK_ONE in one
    assert "formula predicts" not in one.replace("No formula predicts", "")
    assert "with 4 clients" in audit_words.why(en, result((6, 4, 4, 6), distinguisher="loss-fall", clients=4))


@pytest.mark.parametrize(
    ("counts", "epsilon", "state"),
    [
        ((2_900, 2_100, 2_100, 2_900), 1.0, "below"),
        ((5_000, 5_000, 5_000, 5_000), 1.0, "coin"),
        ((70, 30, 30, 70), 8.0, "too_few"),
    ],
)
def test_comfortable_everyday_result_carries_the_honest_paragraph(
    counts: tuple[int, int, int, int], epsilon: float, state: str
) -> None:
    comfortable = result(counts, epsilon, angle=88.0)
    assert summarize(comfortable).state == state
    assert audit_words.selective_note(en, comfortable) == en.SELECTIVE_NOTE
    assert audit_words.selective_note(en, result(counts, epsilon, angle=88.0, planned=10**6)) == en.SELECTIVE_NOTE, (
        "live"
    )
    assert audit_words.selective_note(en, result(counts, epsilon, angle=180.0)) == "", "no one does better"
    inverting = result(counts, epsilon, angle=88.0, distinguisher="update-inversion")
    assert audit_words.selective_note(en, inverting) == en.SELECTIVE_NOTE
    for rule, clients in (("loss-fall", 1), ("signed-loss", 4)):
        weak = result(counts, epsilon, distinguisher=rule, clients=clients)
        assert audit_words.selective_note(en, weak) == en.SELECTIVE_NOTE_BLACK
    assert audit_words.selective_note(en, result(counts, epsilon, angle=88.0, distinguisher="selective")) == ""


def test_uncomfortable_results_carry_no_such_paragraph() -> None:
    for case in (CASES["above"], result((3_655, 1_345, 1_345, 3_655), angle=88.0), result((0, 0, 0, 0), planned=9)):
        assert audit_words.selective_note(en, case) == ""


@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.timed])
def test_every_study_says_how_far_it_is(name: str) -> None:
    for language in LANGUAGES.values():
        stages = language.STAGES | language.CMP_STAGES | language.CHECK_STAGES
        assert STUDIES[name].timed in stages, f"{name} needs STAGES.{STUDIES[name].timed} in each language"


def test_nobody_is_shown_as_certain() -> None:
    chances = (0.004, 0.176, 0.9982, 0.99951, 0.99996, 1.0)
    written = [wording.in_percent(en, chance).replace("\u00a0", " ") for chance in chances]
    assert written == ["0.4 %", "18 %", "99.8 %", "99.95 %", "over 99.99 %", "over 99.99 %"]


def test_expectation_stands_beside_what_was_measured() -> None:
    share = summarize(CASES["at"]).identification
    assert share is not None
    ends = " to ".join(pc(f"{100 * end:.1f}") for end in (share.lower, share.upper))
    assert audit_words.expectation(en, CASES["at"], 60) == f"You expected {pc('60')}. It was {pc('73.1')} ({ends})."
    assert audit_words.expectation(en, CASES["at"], None) == ""
    assert f"It was {pc('100')} (" in audit_words.expectation(en, CASES["too_few"], 60)
    assert f"It was {pc('100')} (" not in audit_words.expectation(en, result((99_999, 1, 0, 100_000), 12.0), 60)
    assert audit_words.expectation(en, result((4_700, 300, 2_700, 2_300), 2.0, distinguisher="selective"), 60) == ""
    assert audit_words.expectation(en, result((0, 0, 0, 0), planned=100), 60) == ""


def test_texts_name_what_the_core_has() -> None:
    assert list(en.ATTACKS) == list(ADVERSARIES) == list(ATTACKS)
    assert list(en.DISTINGUISHERS) == list(DISTINGUISHERS)
    assert set(en.MECHANISMS) == set(MECHANISMS)
    assert list(en.DATASETS) == list(DATASETS)
    assert set(en.CMP_REASONS) == set(REASONS)
    assert all(f"data_{name}" in en.FIGURES for name in DATASETS)
    assert all(f"name_{name}" in en.FIGURES for name in ATTACKS)
    assert tuple(en.TRAININGS) == TRAININGS
    assert tuple(en.SAMPLINGS) == SAMPLINGS
    assert set(en.HEADLINES) == set(en.MEANING) == {*STATES, "none"}
    assert set(en.BOUNDS) == {name + end for name in BOUNDS for end in ("", "_anytime")}
    assert set(en.FORMULA_BOUND) == set(BOUNDS)


def test_page_s_configuration_is_the_core_s() -> None:
    from ldp_core.configuration import make_config

    for rule, attack, clients in itertools.product(DISTINGUISHERS, ATTACKS, (1, 2)):
        options = {"epsilon": 2.0, "num_trials": 7, "num_measurements": 2, "seed": 3}
        options |= {"attack": attack, "clients": clients, "distinguisher": rule}
        try:
            core = make_config(significance=0.1, watch=True, **options)  # type: ignore[arg-type]
        except UnsupportedCombinationError:
            with pytest.raises(UnsupportedCombinationError):
                plan.make_config(confidence=90, **options)  # type: ignore[arg-type]
            assert en.DISTINGUISHERS[rule].objection
        else:
            assert plan.make_config(confidence=90, **options) == core  # type: ignore[arg-type]


def test_planned_dimension_is_the_network_s() -> None:
    def dimension(channels: int, size: int, labels: int) -> int:
        model = ThreeLayerCnn(channels, size, labels, Generator().manual_seed(0))
        return sum(values.numel() for values in model.parameters())

    for name, dataset in DATASETS.items():
        if dataset.shape is not None:
            assert workload.usual_dimension(name) == workload.most_dimension(name) == dimension(*dataset.shape, 10)
    assert workload.most_dimension("own") == workload.MOST_OWN
    assert workload.usual_dimension("own") == dimension(3, 32, 10)
    assert dimension(3, 32, own.MOST_LABELS) == workload.MOST_OWN
    assert dimension(1, 28, own.MOST_LABELS) < workload.MOST_OWN


BANNED = {
    "en": r"\b(safe|secure|anonymous|guarantee|verified|lies|fakes|corrupt|gradient pair)",
    "ja": r"安全|安心|保証|匿名|検証済|証明済|証明され|証明しま|確実に|嘘|うそ|偽|破損|改ざん|壊",
}
"""Words that promise more than a test can show, or that blame what only adds randomness."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_promises_too_much(language: str) -> None:
    texts = LANGUAGES[language]
    whole = " ".join(str(getattr(texts, name)) for name in dir(texts) if name.isupper()).lower()
    assert re.findall(BANNED[language], whole) == []
    assert re.findall(BANNED["ja"], "約束は証明されました。安全です。") == ["証明され", "安全"]


@pytest.mark.parametrize(("right", "of"), [(0, 100), (50, 100), (73, 100), (100, 100), (982, 1_000), (5_000, 10_000)])
def test_icon_array_shows_the_number(right: int, of: int) -> None:
    svg = pictures.icon_array_svg(right, of)
    assert svg.count('href="#r"') == right * 100 // of
    assert svg.count('href="#w"') == (of - right) * 100 // of
    assert svg.count('href="#split"') == (1 if right * 100 % of else 0)


def test_few_wrong_guesses_are_ringed() -> None:
    assert pictures.icon_array_svg(9_997, 10_000).count('r="8"') == 1
    assert pictures.icon_array_svg(73, 100).count('r="8"') == 0
    with pytest.raises(ValueError, match="got 101 of 100"):
        pictures.icon_array_svg(101, 100)


def test_png_is_read_back_by_another_reader() -> None:
    import io

    import torch
    from PIL import Image

    image = torch.linspace(0, 1, 28 * 28).reshape(1, 28, 28)
    read = Image.open(io.BytesIO(png(image)))
    assert read.size == (28, 28)
    assert list(read.tobytes()) == (image * 255).round().byte().flatten().tolist()
    assert Image.open(io.BytesIO(png(torch.zeros(3, 32, 32)))).mode == "RGB"
