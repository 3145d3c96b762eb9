"""The privacy test of a stranger's mechanism: its pairs, its rounds, what it learns, and when it stops."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.special import ndtr

from ldp_core.checks import check, pairs, requests
from ldp_core.checks._game import play, round_ends, trial_requests
from ldp_core.claims import CLAUSES, PAIRS, CheckConfig, CheckResult, from_json, plan_of, to_json
from ldp_core.distinguishers.learned import Examples, Learned, _threshold, features, learn
from ldp_core.estimates import epsilon_lower_bound
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.streams import stream_generator
from ldp_core.theory import worst_case_identification
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts
from tests.helpers.binomial import accepts
from tests.helpers.liars import FivePercent


class Stranger:
    """A mechanism reached through the protocol alone; it keeps account of what it was asked."""

    seeded, ordered = True, True

    def __init__(self, mechanism: Any, seed: int = 1) -> None:
        self.mechanism, self.generator = mechanism, stream_generator(seed, 0, 0, 9)
        self.asked = Counter[bytes]()

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        self.asked[gradient.tobytes()] += num_reports
        reports: NDArray[Any] = self.mechanism.randomize(
            torch.from_numpy(gradient), num_reports, self.generator
        ).numpy()
        return reports

    def restarted(self) -> None:
        return None

    def close(self) -> None:
        pass


class LaplaceByL2:
    """Adds Laplace noise as if the L1 distance of two gradients were their L2 distance."""

    def randomize(self, gradient: torch.Tensor, num_reports: int, generator: torch.Generator) -> torch.Tensor:
        uniform = torch.rand(num_reports, len(gradient), generator=generator, dtype=torch.float64) - 0.5
        return gradient - 2.0 * uniform.sign() * torch.log1p(-2.0 * uniform.abs())


class Weighted:
    """Reports of another length than the gradient: one number, the side of the first entry after a biased coin."""

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def randomize(self, gradient: torch.Tensor, num_reports: int, generator: torch.Generator) -> torch.Tensor:
        keeps = torch.rand(num_reports, 1, generator=generator) < worst_case_identification(self.epsilon)
        return torch.where(keeps, 1.0, -1.0) * (1.0 if gradient[0] > 0 else -1.0)


def played(config: CheckConfig, mechanism: Any, seed: int = 1) -> CheckResult:
    """Play all rounds, or until the claim falls."""
    for step in play(config, Stranger(mechanism, seed)):
        result = CheckResult(config, (), step.looks, step.used, False, 0.0, True, {})
        if result.verdict == CLAIM_REJECTED:
            break
    return result


@pytest.mark.parametrize("order", ["l2", "linf"])
@pytest.mark.parametrize("dimension", [2, 3, 64, 10_650])
@pytest.mark.parametrize("seed", range(5))
def test_pairs_lie_at_the_bound_and_differ(order: str, dimension: int, seed: int) -> None:
    config = CheckConfig("x", 1.0, seed, dimension=dimension, clip_norm=2.5, clip_order=order)
    made = pairs(config)
    assert tuple(made) == PAIRS
    assert all(pair.geometry.description == name for name, pair in made.items())
    for name, pair in made.items():
        for gradient in (pair.first, pair.second):
            length = gradient.double().norm() if order == "l2" else gradient.abs().max()
            assert float(length) == (0.0 if not length else pytest.approx(2.5, rel=1e-6))
        assert (not pair.first.any()) == (name == "zero-and-full")
        assert pair.second.any()
        assert not torch.equal(pair.first, pair.second)
    angles = {name: pair.geometry.angle_degrees for name, pair in made.items()}
    assert angles["dummy-flip"] == angles["coordinates"] == angles["zero-and-full"] == pytest.approx(180.0)
    if order == "l2":
        assert angles["near-equal"] == pytest.approx(10.0, abs=1e-3)
    other = pairs(CheckConfig("x", 1.0, seed + 5, dimension=dimension, clip_norm=2.5, clip_order=order))
    if dimension > 3:
        assert not torch.equal(made["random-directions"].first, other["random-directions"].first)


@pytest.mark.parametrize("reports", [10_000, 54_321, 4_000_000])
def test_rounds_end_at_every_stage_and_at_the_plan(reports: int) -> None:
    config = CheckConfig("x", 1.0, 3, reports=reports)
    plan = plan_of(config)
    ends = round_ends(plan)
    assert set(plan.stages) <= set(ends)
    assert ends[-1] == plan.trials
    asked = Counter[str]()
    for name, first, second in trial_requests(config):
        asked[name] += first + second
    assert asked == dict.fromkeys(PAIRS, plan.trials)


def test_every_truth_is_a_fair_coin() -> None:
    config = CheckConfig("x", 1.0, 3, reports=10_000_000)
    first = sum(number for _, number, _ in trial_requests(config))
    assert accepts(first, len(PAIRS) * plan_of(config).trials, 0.5)


def test_what_a_file_is_asked_is_what_a_check_asks() -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=10_000)
    asked = Counter[bytes]()
    for gradient, number in requests(config):
        assert gradient.dtype == np.float32
        assert gradient.shape == (8,)
        asked[gradient.tobytes()] += number
    stranger = Stranger(LdpSgd(1.0))
    stranger.ordered = False
    *_, last = check(config, stranger)
    assert last.result.completed
    assert stranger.asked == asked
    assert last.result.reports_used == sum(asked.values()) <= config.reports


def test_the_same_seeds_give_the_same_looks() -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=20_000)
    assert played(config, LdpSgd(1.0)) == played(config, LdpSgd(1.0))
    assert played(config, LdpSgd(1.0)) != played(config, LdpSgd(1.0), seed=2)


@pytest.mark.parametrize("ordered", [True, False])
def test_no_step_asks_for_more_than_a_chunk_and_none_within_a_round_is_a_look(
    ordered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=40_000)
    whole = Stranger(LdpSgd(1.0))
    whole.ordered = ordered
    *_, expected = check(config, whole)
    monkeypatch.setattr("ldp_core.checks._game._CHUNK_VALUES", 8 * 100)
    monkeypatch.setattr("ldp_core.checks._exam._CALL_VALUES", 8 * 100)
    stranger = Stranger(LdpSgd(1.0))
    stranger.ordered = ordered
    exam, ends, before, results = 0, round_ends(plan_of(config)), 0, list[CheckResult]()
    for step in check(config, stranger):
        asked = stranger.asked.total()
        assert step.done == asked
        assert asked - before <= 100
        before = asked
        exam = asked if step.stage == "exam" else exam
        if step.result.looks:
            assert step.result.reports_used - exam in {len(PAIRS) * end for end in ends}
        if not results or step.result is not results[-1]:
            results.append(step.result)
    assert len(results) == 1 + len(CLAUSES) + len(ends) + 1
    assert all(from_json(to_json(result)).looks == result.looks for result in results)
    assert stranger.asked == whole.asked
    assert results[-1].reports_used == expected.result.reports_used
    assert [look.counts.num_trials for look in results[-1].looks] == [
        look.counts.num_trials for look in expected.result.looks
    ]


@pytest.mark.law
def test_a_claim_falls_as_soon_as_a_lie_shows_and_stands_where_there_is_none(law_seed: int) -> None:
    config = CheckConfig("x", 1.0, law_seed, dimension=8, reports=1_000_000, significance=1e-6)
    honest = played(config, LdpSgd(1.0), law_seed)
    assert honest.verdict == CLAIM_NOT_REJECTED
    assert honest.epsilon_lower > 0.9
    liar = played(config, FivePercent(1.0), law_seed)
    assert liar.verdict == CLAIM_REJECTED
    assert liar.reports_used < honest.reports_used
    assert liar.strongest is not None
    assert liar.strongest.rule == "cosine"


@pytest.mark.law
def test_only_the_learned_rule_sees_noise_of_the_wrong_kind(law_seed: int) -> None:
    config = CheckConfig("x", 1.0, law_seed, dimension=16, reports=400_000, significance=1e-6)
    result = played(config, LaplaceByL2(), law_seed)
    assert result.verdict == CLAIM_REJECTED
    assert result.strongest is not None
    assert result.strongest.rule == "learned"


@pytest.mark.law
def test_reports_of_another_length_are_judged_by_what_is_learned(law_seed: int) -> None:
    config = CheckConfig("x", 1.0, law_seed, dimension=8, reports=200_000, significance=1e-6)
    honest = played(config, Weighted(1.0), law_seed)
    assert honest.verdict == CLAIM_NOT_REJECTED
    assert {look.rule for look in honest.looks} == {"learned"}
    assert played(config, Weighted(1.5), law_seed).verdict == CLAIM_REJECTED


def test_looks_count_every_trial_once_and_none_they_learned_from() -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=60_000)
    plan = plan_of(config)
    looks = played(config, LdpSgd(1.0)).looks
    assert len(looks) == plan.looks
    for name in PAIRS:
        found = [look for look in looks if look.pair == name]
        assert [look.rule for look in found] == ["cosine", "selective"] + ["learned"] * len(plan.stages)
        assert all(look.completed for look in found)
        assert [look.counts.num_trials for look in found[:2]] == [plan.trials] * 2
        assert tuple(look.trained_on for look in found[2:]) == plan.stages
        ends = (*plan.stages[1:], plan.trials)
        assert [look.counts.num_trials for look in found[2:]] == [
            end - stage for stage, end in zip(plan.stages, ends, strict=True)
        ]


class Changing(LdpSgd):
    """Shortens its reports after a while."""

    calls = 0

    def randomize(self, gradient: Any, num_reports: int, generator: Any = None) -> torch.Tensor:
        type(self).calls += 1
        return super().randomize(gradient, num_reports, generator)[:, : 8 if self.calls < 60 else 7]


def test_a_mechanism_that_changes_the_shape_later_breaks_a_clause() -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=40_000)
    stranger = Stranger(Changing(1.0))
    stranger.ordered = False
    *_, last = check(config, stranger)
    assert last.result.completed
    assert "shape-and-type" in {clause.name for clause in last.result.failed}
    assert len({clause.name for clause in last.result.clauses}) == len(last.result.clauses)


def test_what_is_no_number_only_after_the_exam_breaks_a_clause() -> None:
    class Late(LdpSgd):
        sent = 0

        def randomize(self, gradient: Any, num_reports: int, generator: Any = None) -> torch.Tensor:
            reports = LdpSgd.randomize(self, gradient, num_reports, generator)
            type(self).sent += num_reports
            if self.sent > 9_000:
                reports[-2:, 0] = math.inf
            return reports

    config = CheckConfig("x", 1.0, 3, dimension=8, reports=40_000)
    *_, last = check(config, Stranger(Late(1.0)))
    (broken,) = last.result.failed
    assert (broken.name, broken.values["reports"]) == ("finite", last.result.reports_used)
    assert 0 < int(broken.values["bad"]) < 1_000
    assert len(last.result.clauses) == len(CLAUSES)


def test_reports_of_another_length_than_in_the_exam_break_a_clause() -> None:
    class Shorter(LdpSgd):
        """Shortens the reports of one input of the privacy test only, always alike."""

        def randomize(self, gradient: Any, num_reports: int, generator: Any = None) -> torch.Tensor:
            reports = LdpSgd.randomize(self, gradient, num_reports, generator)
            return reports[:, :5] if (gradient != 0).sum() == 1 else reports

    config = CheckConfig("x", 1.0, 3, dimension=8, reports=40_000)
    *_, last = check(config, Stranger(Shorter(1.0)))
    assert "shape-and-type" in {clause.name for clause in last.result.failed}


def test_not_a_number_counts_as_a_report_and_stops_nothing() -> None:
    class Broken(LdpSgd):
        def randomize(self, gradient: Any, num_reports: int, generator: Any = None) -> torch.Tensor:
            reports = LdpSgd.randomize(self, gradient, num_reports, generator)
            reports[::7] = math.nan
            reports[1::7] = -math.inf
            return reports

    config = CheckConfig("x", 1.0, 3, dimension=8, reports=20_000)
    result = played(config, Broken(1.0))
    assert {look.counts.num_trials for look in result.looks if look.rule == "cosine"} == {plan_of(config).trials}


def test_a_rule_is_learned_from_its_examples_alone() -> None:
    pair = GradientPair(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([-1.0, 0.0, 0.0]))
    rng = np.random.default_rng(1)
    first, second = (rng.normal(mean, 1.0, (4_000, 3)) * [1, 1, 0] for mean in (0.5, -0.5))
    examples = Examples(features(first, pair), features(second, pair))
    rule, again = (learn(examples, 10_000, 0.01) for _ in range(2))
    assert np.array_equal(rule.weights, again.weights)
    assert rule.threshold == again.threshold
    fresh = torch.from_numpy(rng.normal(0.5, 1.0, (20_000, 3)) * [1, 1, 0])
    other = torch.from_numpy(rng.normal(-0.5, 1.0, (20_000, 3)) * [1, 1, 0])
    false_positive = float((rule.score(fresh, pair) < 0).double().mean())
    false_negative = float((rule.score(other, pair) >= 0).double().mean())
    # two of three entries carry the mean, so the best test of two normals is at distance sqrt(2)
    gain = max(math.log((1 - false_positive) / false_negative), math.log((1 - false_negative) / false_positive))
    assert gain > 2.5
    assert repr(rule) == "<Learned: private>"
    assert isinstance(rule, Learned)


def test_a_region_that_luck_left_empty_is_not_chosen() -> None:
    """Of normals 0.536 apart, no region shows more than 1.17 to 400,000 reports at 1e-8."""
    half, significance, shown = 200_000, 1e-8, []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        first, second = (rng.normal(mean, 1.0, 22_000) for mean in (0.268, -0.268))
        place = _threshold(first, second, 2 * half, significance, 0.0)
        missed, false_alarms = (round(half * float(rate)) for rate in (ndtr(place - 0.268), ndtr(-place - 0.268)))
        counts = TrialCounts(half - missed, missed, false_alarms, half - false_alarms)
        shown.append(epsilon_lower_bound(counts, "clopper_pearson", significance))
    assert min(shown) > 1.0
    assert max(shown) < 1.17


def test_reports_that_say_nothing_teach_nothing_and_raise_nothing() -> None:
    pair = GradientPair(torch.tensor([1.0, 0.0]), torch.tensor([-1.0, 0.0]))
    same = features(np.ones((30, 2)), pair)
    rule = learn(Examples(same, same), 100, 0.01)
    assert np.isfinite(rule.score(torch.ones(5, 2, dtype=torch.float64), pair).numpy()).all()
