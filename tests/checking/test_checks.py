"""The privacy test of a stranger's mechanism: its pairs, its rounds, what it learns, when it stops or is cut short."""

import json
import math
import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.special import ndtr

from ldp_core.checking import claims
from ldp_core.checking.claims import FAR, CheckConfig, CheckResult, from_json, plan_of, to_json
from ldp_core.checking.exam import CheckProgress, Fresh, check, pairs
from ldp_core.checking.exam._game import play, trial_requests
from ldp_core.checking.exam._pairs import length, own_pairs, refined
from ldp_core.checking.subjects.builtin import builtin
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.distinguishers.learned import Examples, Target, best_rule, features
from ldp_core.errors import MechanismUnavailableError
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics.estimates import joint_lower_bound
from ldp_core.studies.check.report import report
from ldp_core.studies.reading import english
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from tests.helpers.binomial import accepts
from tests.helpers.words import report_of


class Stranger:
    """A mechanism reached through the protocol alone; it keeps account of what it was asked."""

    seeded, ordered, alike, notice = True, True, False, ""

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


def played(config: CheckConfig, mechanism: Any, own: dict[str, GradientPair] | None = None) -> CheckResult:
    """Play all rounds, or until the claim falls."""
    for step in play(config, Stranger(mechanism), client_pairs=own):
        if step.asked == step.used:
            result = CheckResult(config, (), step.looks, step.used, False, 0.0, True, {}, step.pairs)
            if result.verdict == CLAIM_REJECTED:
                break
    return result


class Almost:
    """Noise of a sensitivity that is 10,000 times too small: every report names its input."""

    def randomize(self, gradient: torch.Tensor, num_reports: int, generator: torch.Generator) -> torch.Tensor:
        return gradient + 1e-4 * torch.rand(num_reports, len(gradient), generator=generator)


def test_almost_no_noise_is_told_with_the_reports_that_decide() -> None:
    """So few reports cannot disprove a claim of 6; the number that is named rejects it, and no honest mechanism."""
    config = CheckConfig("x", 6.0, 1, dimension=2, reports=6_000)
    result = played(config, Almost())
    found = claims.named_inputs(result)
    assert result.verdict == CLAIM_NOT_REJECTED
    assert found.right == found.reports
    told = " ".join(report_of(result).findings)
    for words in (
        f"{found.reports:,} reports that were judged",
        "one wrong name in about 404",
        f"about {found.decides:,} rep",
    ):
        assert words in told
    assert json.loads(to_json(result))["named_inputs"]["decides"] == found.decides
    assert played(replace(config, reports=found.decides), Almost()).verdict == CLAIM_REJECTED
    assert played(replace(config, reports=found.decides), LdpSgd(6.0)).verdict == CLAIM_NOT_REJECTED
    assert claims.named_inputs(played(replace(config, epsilon=3.0), LdpSgd(3.0))) is None


@pytest.mark.parametrize("order", ["l2", "linf"])
@pytest.mark.parametrize("dimension", [1, 64])
def test_pairs_lie_in_the_ball_and_differ(order: str, dimension: int) -> None:
    config = CheckConfig("x", 1.0, 1, dimension=dimension, clip_norm=2.5, clip_order=order)
    made, rng = pairs(config), np.random.default_rng(1)
    assert tuple(made) == claims.FIXED_PAIRS

    def lengths(pair: GradientPair) -> list[float]:
        return [length(config, vector.numpy().astype(np.float64)) for vector in (pair.first, pair.second)]

    for name, pair in made.items():
        assert pair.geometry.description == name
        assert not torch.equal(pair.first, pair.second)
        assert max(lengths(pair) + lengths(refined(config, pair, "refined-1", rng))) <= 1.0 + 1e-6
    assert {name: pytest.approx(lengths(made[name]), rel=1e-6) for name in claims.LADDER} == {
        name: list(each) for name, each in claims.LADDER.items()
    }
    other = pairs(replace(config, seed=6))
    assert dimension == 1 or not torch.equal(made["random-directions"].first, other["random-directions"].first)


def test_long_inputs_are_not_held_more_often_than_needed() -> None:
    """As arrays of NumPy: two of single precision for each pair; of the inputs that were sent, a digest of each."""
    config = CheckConfig("x", 1.0, 1, dimension=20_000)
    fresh = Fresh(CalledSubject(lambda gradient: gradient[:1], "numpy"), config)
    tracemalloc.start()
    try:
        made = pairs(config)
        assert tracemalloc.get_traced_memory()[1] < (8 * len(made) + 12 * 8) * config.dimension
        del made
        fresh.randomize(np.ones(config.dimension, np.float32), 200)
        assert tracemalloc.get_traced_memory()[0] < 200 * config.dimension
    finally:
        tracemalloc.stop()


def test_what_a_long_report_hides_is_said() -> None:
    config = CheckConfig("ldp-sgd", 1.0, 7, dimension=2, reports=5_000)
    result = list(check(config, builtin("ldp-sgd", config)))[-1].result
    for numbers, told in ((2_048, False), (2_049, True)):
        clauses = (replace(one, values=one.values | {"length": numbers}) for one in result.clauses[:1])
        sentences = " ".join(report(replace(result, clauses=(*clauses, *result.clauses[1:])), english()).sentences)
        assert ("sees 256 sums of numbers equally many places apart" in sentences) is told, sentences


class EachByItself(Stranger):
    """Clips every number to 1, and adds Laplace noise for a vector of that norm: eight numbers make epsilon 2.8."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        noise = self._random.laplace(0.0, 2.0 * len(gradient) ** 0.5, (num_reports, len(gradient)))
        return np.asarray(np.clip(gradient, -1.0, 1.0) + noise)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_clipped_in_pieces_leaks_beyond_the_bound(seed: int) -> None:
    """The far pair alone shows it: without that pair nothing would."""
    config = CheckConfig("x", 1.0, seed, dimension=8, reports=60_000)
    found = max(play(config, EachByItself(seed), 8, far=True), key=lambda played: played.used)
    assert {look.pair for look in found.looks if claims.look_lower(config, look) > 1.0} == {FAR}


class SomeLengths:
    """Epsilon 8 for inputs of length .30 to .45 L alone."""

    def randomize(self, gradient: torch.Tensor, num_reports: int, generator: torch.Generator) -> torch.Tensor:
        norm = float(gradient.norm())
        if 0.30 <= norm <= 0.45:
            return LdpSgd(8.0).randomize(gradient / norm, num_reports, generator)
        return LdpSgd(1.0).randomize(gradient, num_reports, generator)


def test_a_leak_of_some_lengths_is_caught_on_the_ladder() -> None:
    config = CheckConfig("x", 1.0, 1, dimension=8, reports=20_000)
    assert played(config, SomeLengths()).verdict == CLAIM_REJECTED


def test_every_truth_is_a_fair_coin() -> None:
    config = CheckConfig("x", 1.0, 3, reports=10_000_000, adaptive=False)
    asked = [counts for _, *parts in trial_requests(config) for counts in parts]
    for part in (asked, asked[::2], asked[1::2]):
        assert accepts(sum(first for first, _ in part), sum(map(sum, part)), 0.5)
    assert {sum(judged) for judged in asked[1::2]} == {plan_of(config).rounds[0].judged}


@pytest.mark.few(1)
@pytest.mark.parametrize("ordered", [True, False])
def test_no_step_asks_for_more_than_a_chunk_and_what_counts_is_valid_at_every_moment(
    ordered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=30_000, adaptive=ordered)
    monkeypatch.setattr("ldp_core.checking.exam._game._CHUNK_VALUES", 8 * 100)
    monkeypatch.setattr("ldp_core.checking.exam._exam._CALL_VALUES", 8 * 100)
    stranger = Stranger(LdpSgd(1.0))
    stranger.ordered = ordered
    before, results = 0, list[CheckResult]()
    for step in check(config, stranger):
        asked = stranger.asked.total()
        assert step.done == asked
        assert asked - before <= 100
        before = asked
        if not results or step.result is not results[-1]:
            results.append(step.result)
    assert results[-1].completed
    assert results[-1].judged_last
    done = [sum(look.trials for look in result.looks) for result in results]
    assert done == sorted(done)
    assert len(set(done)) > (6 if ordered else 1)  # long before the end there is something to show
    plan = plan_of(config)
    for look in results[-1].looks:
        assert look.trials == plan.rounds[look.round].judged
    step = max(1, len(results) // 8)
    assert all(from_json(to_json(result)) == result for result in results[::step])


def test_a_look_judges_none_of_the_reports_it_was_chosen_from() -> None:
    config = CheckConfig("x", 1.0, 3, dimension=8, reports=10_000)
    result, plan = played(config, LdpSgd(1.0)), plan_of(config)
    asked = {pair.name: pair.reports for pair in result.pairs}
    assert len(result.looks) == plan.looks
    for name in {look.pair for look in result.looks}:
        looks = [look for look in result.looks if look.pair == name]
        for before, after in pairwise(looks):
            assert after.trained_on >= before.trained_on + before.trials
        assert looks[-1].trained_on + looks[-1].trials <= asked[name]
    assert sum(asked.values()) == result.reports_used
    assert all(look.completed for look in result.looks)


class OnOwn(LdpSgd):
    """Tells the sign of the last number where the first one is exactly 1/3."""

    def randomize(self, gradient: Any, num_reports: int, generator: Any = None) -> torch.Tensor:
        reports = LdpSgd.randomize(self, gradient, num_reports, generator)
        if abs(float(gradient[0]) - 1 / 3) < 1e-6:
            reports[:, -1] = reports[:, -1].abs() * gradient[-1].sign()
        return reports


@pytest.mark.few(1)
@pytest.mark.parametrize("adaptive", [True, False])
def test_ones_own_pair_is_judged_and_catches_what_only_it_shows(adaptive: bool) -> None:
    first = np.full((2, 4), 0.2, np.float32)
    first[1, 0] = 1 / 3
    second = first * np.array([1, 1, 1, -1], np.float32)
    options = {"own_pairs": 2, "inputs_digest": "1f" * 32, "adaptive": adaptive}
    config = CheckConfig("x", 1.0, 3, dimension=4, reports=20_000, **options)  # type: ignore[arg-type]
    own = own_pairs(first, second)
    assert [pair.second.tolist() for pair in own.values()] == second.tolist()
    for mechanism, verdict in ((LdpSgd(1.0), CLAIM_NOT_REJECTED), (OnOwn(1.0), CLAIM_REJECTED)):
        result = played(config, mechanism, own)
        assert result.verdict == verdict
        assert verdict == CLAIM_REJECTED or any(look.pair.startswith(claims.OWN) for look in result.looks)
    assert result.strongest.pair == "own-2"


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
            if self.sent > 4_000:
                reports[-2:, 0] = math.inf
            return reports

    config = CheckConfig("x", 1.0, 3, dimension=8, reports=12_000)
    *_, last = check(config, Stranger(Late(1.0)))
    (broken,) = last.result.failed
    assert (broken.name, broken.values["reports"]) == ("finite", last.result.reports_used)
    assert 0 < int(broken.values["bad"]) < 1_000
    assert len(last.result.clauses) == len(claims.CLAUSES)


def examples(first: NDArray[np.float64], second: NDArray[np.float64], pair: GradientPair) -> Examples:
    inner, table = features(np.concatenate((first, second)), pair)
    return Examples(inner, table, np.repeat([True, False], [len(first), len(second)]))


def shown(
    rule: Any, first: NDArray[np.float64], second: NDArray[np.float64], pair: GradientPair, level: float = 0.05
) -> float:
    """Return the bound from fresh reports."""
    guesses = [rule.guesses(*features(reports, pair)) for reports in (first, second)]
    right = int((guesses[0] == 1).sum() + (guesses[1] == -1).sum())
    wrong = int((guesses[0] == -1).sum() + (guesses[1] == 1).sum())
    return joint_lower_bound(right, wrong, len(first) + len(second), level)


FLIP = GradientPair(torch.tensor([1.0, 0.0]), torch.tensor([-1.0, 0.0]))
AIM = Target(20_000, 0.01)


@pytest.mark.parametrize(
    ("columns", "places", "number", "sure", "least"),
    [(2, [0, 1], 4_000, 0.88, 1.8), (8, [0, 1], 4_000, 0.88, 1.8), (8, [2, 5], 100, 0.99, 3.0)],
)
def test_two_signs_that_tell_together_are_learned_where_no_direction_tells(
    columns: int, places: list[int], number: int, sure: float, least: float
) -> None:
    """A checkerboard: ln(0.88 / 0.12) = 1.99; and ln(0.99 / 0.01) = 4.6 from fewer reports than trees take."""
    rng = np.random.default_rng(2)

    def drawn(number: int, agrees: float) -> NDArray[np.float64]:
        reports = rng.uniform(-1.0, 1.0, (number, columns))
        flip = (rng.random(number) < agrees) != (reports[:, places].prod(axis=1) > 0)
        reports[flip, places[0]] *= -1.0
        return reports

    pair = GradientPair(torch.eye(columns)[0], -torch.eye(columns)[0])
    rule = best_rule(examples(drawn(number, sure), drawn(number, 1.0 - sure), pair), columns, AIM)
    assert rule.name == "learned"
    assert shown(rule, drawn(20_000, sure), drawn(20_000, 1.0 - sure), pair) > least


def test_copies_of_an_input_among_a_thousand_reports_are_learned() -> None:
    source = torch.Generator().manual_seed(2)
    pair = GradientPair(torch.full((8,), 8**-0.5), -torch.full((8,), 8**-0.5))

    def both(number: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        first, second = (LdpSgd(1.0).randomize(vector, number, source) for vector in (pair.first, pair.second))
        first[::1_000], second[::1_000] = pair.first, pair.second
        return first.numpy().astype(np.float64), second.numpy().astype(np.float64)

    rule = best_rule(examples(*both(30_000), pair), 8, Target(200_000, 1e-4))
    assert rule.promise > 1.0  # as much as is honest
    assert shown(rule, *both(100_000), pair) > 3.0


@pytest.mark.nightly
def test_a_region_that_luck_left_empty_is_not_chosen() -> None:
    """Of normals 0.536 apart, no tail shows much more than the side does to 400,000 reports at 1e-8."""
    aim, half = Target(400_000, 1e-8), 200_000
    for seed in range(10):
        rng = np.random.default_rng(seed)
        first, second = (rng.normal([mean, 0.0], 1.0, (5_000, 2)) for mean in (0.268, -0.268))
        rule = best_rule(examples(first, second, FLIP), 2, aim)
        fresh = [rng.normal([mean, 0.0], 1.0, (half, 2)) for mean in (0.268, -0.268)]
        side = half * float(ndtr(0.268))
        least = joint_lower_bound(round(2 * side), round(2 * (half - side)), 2 * half, 1e-8)
        assert shown(rule, *fresh, FLIP, 1e-8) > least


@pytest.mark.parametrize("pair", [FLIP, GradientPair(torch.ones(2), torch.ones(2))])
def test_reports_that_say_nothing_teach_nothing_and_raise_nothing(pair: GradientPair) -> None:
    """Also where both gradients and all reports are the same."""
    same = np.ones((60, 2))
    rule = best_rule(examples(same, same, pair), 2, AIM)
    assert rule.promise < 0.5
    assert np.isin(rule.guesses(*features(np.ones((5, 2)), pair)), (-1, 0, 1)).all()
    assert best_rule(examples(same, same[:0], pair), 2, AIM) is None


def test_a_mechanism_that_needs_more_numbers_says_so() -> None:
    with pytest.raises(ValueError, match="dimension must be at least 2 for priv-unit, got 1"):
        builtin("priv-unit", CheckConfig("priv-unit", 1.0, 1, dimension=1))


def test_a_tail_is_spoken_about_and_what_lies_between_is_not() -> None:
    """Laplace noise that fits half the distance: beyond either input the ratio is e^2, between them it is less."""
    rng = np.random.default_rng(1)

    def drawn(number: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        first, second = (rng.laplace([mean, 0.0], 1.0, (number, 2)) for mean in (1.0, -1.0))
        return first, second

    found, again = (best_rule(examples(*part, FLIP), 2, AIM) for part in (drawn(4_000),) * 2)
    assert (found.name, found.low, found.high, found.promise) == (again.name, again.low, again.high, again.promise)
    fresh = drawn(20_000)
    assert shown(found, *fresh, FLIP) > 1.9
    told = np.mean([guess != 0 for guess in found.guesses(*features(np.concatenate(fresh), FLIP))])
    assert 0.05 < told < 0.7  # a share (1 + e^-2) / 2 = 0.57 lies beyond the inputs
    assert repr(found) == "<Rule: private>"


def test_a_region_that_one_of_64_reports_meets_is_learned() -> None:
    rng = np.random.default_rng(2)
    pair = GradientPair(torch.eye(8)[0], -torch.eye(8)[0])

    def drawn(number: int, side: float) -> NDArray[np.float64]:
        reports = rng.uniform(-1.0, 1.0, (number, 8))
        sure = np.abs(reports[:, 7]) > 1.0 - 1.0 / 64.0
        keeps = rng.random(number) < np.where(sure, 1.0 / (1.0 + math.exp(-6.0)), 1.0 / (1.0 + math.exp(-1.0)))
        reports[:, 0] = np.abs(reports[:, 0]) * np.where(keeps, side, -side)
        return reports

    rule = best_rule(examples(drawn(8_000, 1.0), drawn(8_000, -1.0), pair), 8, AIM)
    assert shown(rule, drawn(50_000, 1.0), drawn(50_000, -1.0), pair) > 3.0


def test_a_rejected_claim_is_tested_to_the_end_where_that_is_asked_for() -> None:
    early, whole = (
        CheckConfig("faulty-twice-epsilon", 1.0, 5, dimension=8, reports=20_000, whole=whole) for whole in (False, True)
    )
    first, last = (list(check(one, builtin(one.subject, one)))[-1].result for one in (early, whole))
    assert first.verdict == last.verdict == CLAIM_REJECTED
    assert first.reports_used < last.reports_used <= 20_000
    assert last.looks[: len(first.looks)] != last.looks
    assert last.epsilon_lower > first.epsilon_lower


CONFIG = CheckConfig("x", 1.0, 1, dimension=2, reports=10_000, significance=1e-6, scale=1.0)


class Mortal:
    """Adds Laplace noise to the clipped input, and ends after so many reports."""

    seeded, ordered, alike, notice = False, True, False, ""

    def __init__(self, lifetime: int, noise: float) -> None:
        self._left, self._noise, self._rng = lifetime, noise, np.random.default_rng(5)

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        self._left -= num_reports
        if self._left < 0:
            raise MechanismUnavailableError("it is gone")
        clipped = gradient * min(1.0, 1.0 / max(float(np.linalg.norm(gradient)), 1e-9))
        return np.round((clipped + self._rng.laplace(0.0, self._noise, (num_reports, 2))) * 1024) / 1024

    def restarted(self) -> "Mortal":
        return self

    def close(self) -> None:
        """Nothing to end."""


def end_of(lifetime: int, noise: float = 2.9) -> CheckProgress:
    for progress in check(CONFIG, Mortal(lifetime, noise)):
        last = progress
    return last


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "lifetime", [256, 300, 600, 1_000, 1_700, 2_000, 2_200, 2_400, 2_700, 2_840, 2_848, 5_000, 9_000]
)
def test_whenever_it_ends_the_clauses_until_then_are_those_of_a_whole_exam(lifetime: int) -> None:
    whole = {clause.name: clause for clause in end_of(100_000).result.clauses}
    last = end_of(lifetime)
    assert last.problem == "it is gone"
    assert not last.result.completed
    assert last.result.clauses
    for clause in last.result.clauses:
        assert clause.passed == whole[clause.name].passed, clause
    if last.stage == "exam":
        assert all(clause.passed is not None for clause in last.result.clauses)
        assert not last.result.looks
    else:
        assert len(last.result.clauses) == len(whole)
    assert from_json(to_json(last.result)).clauses == last.result.clauses


def test_what_was_shown_before_the_end_counts() -> None:
    """A liar is rejected after the same reports as if it had stayed, and an honest one is not."""
    stays = end_of(100_000, 0.05)
    assert stays.result.verdict == CLAIM_REJECTED
    leaves = end_of(stays.result.reports_used, 0.05)
    assert leaves.result.verdict == CLAIM_REJECTED
    assert leaves.result.completed
    earlier = end_of(9_000)
    assert earlier.result.verdict == CLAIM_NOT_REJECTED
    assert 2_848 < earlier.result.reports_used <= 9_000


def test_before_there_is_anything_to_show_it_is_an_error() -> None:
    for lifetime in (0, 255):
        with pytest.raises(MechanismUnavailableError, match="it is gone"):
            end_of(lifetime)
