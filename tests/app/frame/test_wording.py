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
from ldp_core.game.summary import planned_max_provable, summarize
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.mechanisms import DEMONSTRATION, MECHANISMS
from ldp_core.presentation.tables import REASONS
from ldp_core.statistics import theory
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.types import BOUNDS, SAMPLINGS, TRAININGS, AuditResult, MeasurementResult, PairGeometry, TrialCounts
from pages.audit import words as audit_words
from pages.frame import wording
from tests.helpers.words import en, report_of


def result(
    counts: tuple[int, int, int, int], epsilon: float = 1.0, angle: float = 180.0, norm: float = 1.0, **options: object
) -> AuditResult:
    trials = sum(counts)
    config = make_config(
        significance=0.05, watch=True, seed=1, attack="dummy",
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
        assert summarize(case).state == state
        assert audit_words.headline(en, case) == en.HEADLINES.get(state, en.HEADLINES["kept"])
        assert tuple(step.name for step in audit_words.next_steps(en, case)) == advice.actions(case), state
    lie = replace(CASES["too_few"], config=replace(CASES["too_few"].config, mechanism=DEMONSTRATION))
    assert audit_words.in_a_line(en, lie)[1] == en.STAGE_LIE
    assert en.STAGE_MISSED in audit_words.in_a_line(en, lie)[2], "a lie that was not caught is no promise kept"
    weak = replace(CASES["below"], config=replace(CASES["below"].config, attack="benign"))
    (step,) = [step for step in audit_words.next_steps(en, weak) if step.name == "stronger"]
    assert (step.config.attack, step.config.distinguisher) == ("benign", "selective")
    (more,) = [step for step in audit_words.next_steps(en, CASES["too_few"]) if step.name == "more"]
    assert f"at least {more.config.num_trials:,} guesses per pair" in more.sentence
    assert planned_max_provable(more.config) >= more.config.epsilon
    assert "at most 5 of 100 runs" in audit_words.next_steps(en, CASES["above"])[0].sentence


def test_epsilon_is_told_in_one_line() -> None:
    for state, case in CASES.items():
        found, said = summarize(case).epsilon, audit_words.live(en, case)
        lower = float(re.search(r"at least ([\d.]+)\. ", said).group(1))  # type: ignore[union-attr]
        assert found.lower - 0.01 < lower <= found.lower
        assert f"The promise: at most {case.config.epsilon:g}." in said
        assert (lower > case.config.epsilon) == (state == "above")
        explained = "An estimate above the promise does not break it" in " ".join(report_of(case).sentences)
        assert explained == summarize(case).straddles, state


def test_numbers_grow_until_they_tell_the_state() -> None:
    for close in (result((36_750, 13_250, 13_250, 36_750)), result((366_560, 133_440, 133_440, 366_560))):
        said = audit_words.expectation(en, close, 70)
        assert summarize(close).state == "above"
        low = float(re.search(r"\(([\d.]+)", said).group(1))  # type: ignore[union-attr]
        assert low > 100 * summarize(close).theory_identification, "one decimal would not tell"


@pytest.mark.parametrize("chances", [(0.5,), (0.99996, 0.9), (0.00004, 0.5), (1.0, 0.9999999), (0.0, 1e-9)])
def test_only_all_reads_as_all_and_only_nothing_as_nothing(chances: tuple[float, ...]) -> None:
    for chance, text in zip(chances, wording.percents(en, chances), strict=True):
        assert (text == en.PERCENT.format(value="100")) == (chance == 1.0)
        assert (text == en.PERCENT.format(value="0")) == (chance == 0.0)
        assert "." in text or chance in (0.0, 1.0)


def test_selective_attackers_are_told_by_two_rates() -> None:
    case = result((4_700, 300, 2_700, 2_300), epsilon=2.0, distinguisher="selective")
    shown = dict(report_of(case).sections[0].parts[0].rows)  # type: ignore[union-attr]
    assert (shown[en.REPORT["spoken_second"]], shown[en.REPORT["spoken_first"]]) == ("46.00", "6.00")


def test_texts_name_what_the_core_has() -> None:
    assert list(en.ATTACKS) == list(ADVERSARIES) == list(ATTACKS)
    assert list(en.DISTINGUISHERS) == list(DISTINGUISHERS)
    assert set(en.MECHANISMS) == set(MECHANISMS)
    assert list(en.DATASETS) == list(DATASETS)
    assert set(en.CMP_REASONS) == set(REASONS)
    assert tuple(en.TRAININGS) == TRAININGS
    assert tuple(en.SAMPLINGS) == SAMPLINGS
    assert set(en.HEADLINES) == {"above", "too_few", "kept", "none"}
    assert {f"bound_{name}{end}" for name in BOUNDS for end in ("", "_anytime")} <= set(en.REPORT)
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


@pytest.mark.parametrize(
    ("epsilon", "sentence", "limit"),
    [
        (1.0, "at most 73.11 times**", "at most 73.11 of 100"), (2.5, "at most 92.42 times**", "at most 92.42 of 100"),
        (8.0, "at most 99.97 times**", "at most 99.97 of 100"), (30.0, "practically every", "nearly 100 %"),
    ],
)  # fmt: skip
def test_a_promise_is_told_as_the_formula_has_it_never_as_certain(epsilon: float, sentence: str, limit: str) -> None:
    for texts in (en.PROMISE, en.OVERVIEW_PROMISE):
        said = wording.promise_sentence(en, epsilon, texts).replace("\u00a0", " ")
        assert sentence in said
        assert not re.search(r"100 times|100\s%", said)
    assert wording.at_most(en, theory.worst_case_identification(epsilon)).replace("\u00a0", " ") == limit
