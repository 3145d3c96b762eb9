"""Sentences against numbers, and the texts against the core's names."""

import re
from dataclasses import replace

import pytest
from torch import Generator

from ldp_core import workload
from ldp_core.adversaries import ADVERSARIES, ATTACKS
from ldp_core.datasets import DATASETS, own
from ldp_core.distinguishers import DISTINGUISHERS
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
from pages.widgets import pictures
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


def test_what_to_do_is_what_the_core_advises() -> None:
    for state, case in CASES.items():
        verdict = audit_words.verdict(en, case)
        assert verdict.state == summarize(case).state == state
        assert verdict.headline == en.HEADLINES[state]
        assert tuple(step.name for step in verdict.steps) == advice.actions(case), state
    weak = replace(CASES["below"], config=replace(CASES["below"].config, attack="benign"))
    (step,) = [step for step in audit_words.next_steps(en, weak) if step.name == "stronger"]
    assert step.config is not None
    assert (step.config.attack, step.config.distinguisher) == ("benign", "selective")
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


def test_numbers_grow_until_they_tell_the_state() -> None:
    for close in (result((36_750, 13_250, 13_250, 36_750)), result((366_560, 133_440, 133_440, 366_560))):
        told = audit_words.verdict(en, close)
        assert told.state == "above"
        low, limit = (
            float(re.search(part + r"([\d.]+)", told.seen).group(1))  # type: ignore[union-attr]
            for part in (r"range ", "at most ")
        )
        assert low > limit, "one decimal would not tell"


@pytest.mark.parametrize("chances", [(0.5,), (0.99996, 0.9), (0.00004, 0.5), (1.0, 0.9999999), (0.0, 1e-9)])
def test_only_all_reads_as_all_and_only_nothing_as_nothing(chances: tuple[float, ...]) -> None:
    for chance, text in zip(chances, wording.percents(en, chances), strict=True):
        assert (text == pc("100")) == (chance == 1.0)
        assert (text == pc("0")) == (chance == 0.0)
        assert "." in text or chance in (0.0, 1.0)


def test_at_least_shows_what_is_beyond() -> None:
    assert wording.at_least(0.629, 1.0) == "0.62"
    assert wording.at_least(1.0049, 1.0) == "1.004"
    assert wording.at_least(1.0, 1.0) == "1"
    assert wording.at_least(0.0, 1.0) == "0"


def test_selective_verdict_speaks_of_two_rates_and_of_epsilon_only() -> None:
    case = result((4_700, 300, 2_700, 2_300), epsilon=2.0, distinguisher="selective")
    verdict = audit_words.verdict(en, case)
    assert f"**{pc('46.0')}** of the reports of update B" in verdict.seen
    assert f"{pc('6.0')} of those of update A" in verdict.seen
    assert "the promise allows" not in verdict.seen


@pytest.mark.parametrize(
    ("epsilon", "right", "of"),
    [(0.1, 52, 100), (0.5, 62, 100), (1, 73, 100), (2, 88, 100), (4, 98, 100), (5, 993, 1_000), (8, 9_997, 10_000)],
)
def test_promise_in_natural_frequencies(epsilon: float, right: int, of: int) -> None:
    fact = wording.promise(epsilon)
    assert (fact.right, fact.of, fact.open) == (right, of, False)


def test_plan_says_the_trials_needed() -> None:
    few = plan.make_config(
        confidence=95, seed=1, distinguisher="cosine", attack="dummy", epsilon=8.0, num_trials=100, num_measurements=2
    )
    _, warning = audit_words.plan_sentences(en, few, plan.plan(few, 1e8))
    needed = int(re.search(r"at least ([\d,]+)", warning).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert plan.plan(replace(few, num_trials=needed), None).enough
    assert not plan.plan(replace(few, num_trials=int(0.99 * needed)), None).enough
    enough = replace(few, epsilon=1.0)
    assert audit_words.plan_sentences(en, enough, plan.plan(enough, 1e8))[1] == ""


def test_expectation_stands_beside_what_was_measured() -> None:
    share = summarize(CASES["at"]).identification
    assert share is not None
    ends = " to ".join(pc(f"{100 * end:.1f}") for end in (share.lower, share.upper))
    assert audit_words.expectation(en, CASES["at"], 60) == f"You expected {pc('60')}. It was {pc('73.1')} ({ends})."
    assert audit_words.expectation(en, CASES["at"], None) == ""


def test_texts_name_what_the_core_has() -> None:
    assert list(en.ATTACKS) == list(ADVERSARIES) == list(ATTACKS)
    assert list(en.DISTINGUISHERS) == list(DISTINGUISHERS)
    assert set(en.MECHANISMS) == set(MECHANISMS)
    assert list(en.DATASETS) == list(DATASETS)
    assert set(en.CMP_REASONS) == set(REASONS)
    assert tuple(en.TRAININGS) == TRAININGS
    assert tuple(en.SAMPLINGS) == SAMPLINGS
    assert set(en.HEADLINES) == set(en.MEANING) == {*STATES, "none"}
    assert set(en.BOUNDS) == {name + end for name in BOUNDS for end in ("", "_anytime")}
    for name in (name for name, study in STUDIES.items() if study.timed):
        assert STUDIES[name].timed in en.STAGES | en.CMP_STAGES | en.CHECK_STAGES, f"{name} needs its stage's words"


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


@pytest.mark.parametrize(("right", "of"), [(0, 100), (73, 100), (100, 100), (982, 1_000), (5_000, 10_000)])
def test_icon_array_shows_the_number(right: int, of: int) -> None:
    svg = pictures.icon_array_svg(right, of)
    assert svg.count('href="#r"') == right * 100 // of
    assert svg.count('href="#w"') == (of - right) * 100 // of
    assert svg.count('href="#split"') == (1 if right * 100 % of else 0)


def test_png_is_read_back_by_another_reader() -> None:
    import io

    import torch
    from PIL import Image

    image = torch.linspace(0, 1, 28 * 28).reshape(1, 28, 28)
    read = Image.open(io.BytesIO(png(image)))
    assert read.size == (28, 28)
    assert list(read.tobytes()) == (image * 255).round().byte().flatten().tolist()
    assert Image.open(io.BytesIO(png(torch.zeros(3, 32, 32)))).mode == "RGB"


@pytest.mark.parametrize(
    ("epsilon", "sentence", "limit"),
    [
        (1.0, "at most 73 times**", "at most 73 of 100"), (2.5, "at most 92.4 %**", "at most 92.4 %"),
        (8.0, "at most 99.97 %**", "at most 99.97 %"), (30.0, "practically every", "nearly 100 %"),
    ],
)  # fmt: skip
def test_a_promise_is_told_as_the_formula_has_it_never_as_certain(epsilon: float, sentence: str, limit: str) -> None:
    for texts in (en.PROMISE, en.OVERVIEW_PROMISE):
        said = wording.promise_sentence(en, epsilon, texts).replace("\u00a0", " ")
        assert sentence in said
        assert not re.search(r"100 times|100\s%", said)
    assert wording.at_most(en, theory.worst_case_identification(epsilon)).replace("\u00a0", " ") == limit
