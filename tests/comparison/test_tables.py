"""Arrays against independent computations on counts drawn from the exact law."""

import dataclasses
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from ldp_core.adversaries import ATTACKS
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import CompareResult
from ldp_core.presentation import tables
from ldp_core.statistics import published, theory
from ldp_core.types import AuditResult, Curve, PairGeometry
from tests.helpers.comparisons import comparison, curve_of, replaced


@pytest.fixture(scope="module")
def whole() -> CompareResult:
    return comparison(
        attacks=ATTACKS, tests=("white", "black"), white_rules=("cosine", "selective"),
        black_rules=("paper", "update-inversion"), clients=(1, 4), strengths=(0.25, 1.0), datasets=("mnist", "digits"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def traded() -> CompareResult:
    return comparison(attacks=("benign", "dummy"), epsilons=(1.0,), curves=True, num_trials=4_000, num_measurements=5)


@pytest.fixture(scope="module")
def partial() -> CompareResult:
    return comparison(unfinished=True, tests=("white", "black"), datasets=("mnist", "digits"))


def test_rows_hold_the_cell_s_own_numbers(whole: CompareResult) -> None:
    rows = tables.attacks_at(whole, "mnist", 4.0)
    assert [(row.attack, row.test) for row in rows] == [(name, test) for name in ATTACKS for test in ("white", "black")]
    for row in rows:
        cells = whole.select(
            dataset="mnist", attack=row.attack, epsilon=4.0, distinguisher=row.rule, clients=1, strength=row.strength
        )
        (cell,) = cells
        exact = binomtest(cell.counts.num_right, cell.counts.num_trials).proportion_ci(0.95, method="exact")
        assert row.identification.point == cell.counts.num_right / cell.counts.num_trials
        assert (row.identification.lower, row.identification.upper) == pytest.approx((exact.low, exact.high))
        assert row.lower == summarize(cell).epsilon.lower
        assert row.promise == theory.worst_case_identification(4.0)
        assert (row.expected is None) == (row.expected_epsilon is None) == (row.test == "black")


def test_the_papers_cell_stands_for_an_attack_unless_another_is_asked_for(whole: CompareResult) -> None:
    rows = {(row.attack, row.test): row for row in tables.attacks_at(whole, "mnist", 1.0)}
    assert rows["benign", "black"].rule == "loss-change"
    assert rows["dummy", "black"].rule == "sign-sum"
    assert rows["dummy", "white"].strength == 1.0
    assert {row.rule for row in rows.values() if row.test == "white"} == {"cosine"}
    view = tables.View(white_rule="selective", black_rule="update-inversion", strength=0.25)
    others = tables.attacks_at(whole, "mnist", 1.0, view)
    assert {row.rule for row in others} == {"selective", "update-inversion"}
    assert {row.strength for row in others if row.attack == "dummy"} == {0.25}
    assert tables.attacks_at(whole, "mnist", 1.0, tables.View(clients=7))[0].test == "white"
    assert {row.clients for row in tables.attacks_at(whole, "mnist", 1.0, tables.View(clients=4))} == {1, 4}


def test_one_rule_is_kept_along_a_curve_even_where_the_papers_was_not_measured() -> None:
    result = comparison(tests=("black",), black_rules=("signed-loss",), attacks=("benign",))
    rows = tables.epsilon_curves(result, "mnist", "benign", "black")
    assert [row.epsilon for row in rows] == [0.5, 1.0, 2.0, 4.0]
    assert {row.rule for row in rows} == {"signed-loss"}


def test_datasets_and_curves_are_in_order(whole: CompareResult) -> None:
    rows = tables.datasets_at(whole, 2.0, "black")
    assert [row.dataset for row in rows] == ["mnist"] * 7 + ["digits"] * 7
    assert {row.test for row in rows} == {"black"}
    table = tables.identification_table(whole, "digits")
    assert [row.attack for row in table[::4]] == list(ATTACKS)
    assert tables.epsilon_curves(whole, "svhn", "dummy", "white") == ()


def test_cells_without_trials_are_left_out_and_unfinished_ones_are_wider(partial: CompareResult) -> None:
    rows = tables.identification_table(partial, "mnist")
    filled = [cell for cell in partial.select(dataset="mnist", test="white") if cell.counts.num_trials]
    assert len(rows) == len(filled)
    stopped = [row for row in tables.clients_table(partial, "mnist") if not row.row.completed]
    assert stopped
    for row in (item.row for item in stopped):
        count = round(row.identification.point * row.trials)
        exact = binomtest(count, row.trials).proportion_ci(0.95, method="exact")
        assert row.identification.lower < exact.low < exact.high < row.identification.upper
    assert "black" not in {row.test for row in tables.attacks_at(partial, "digits", 4.0)}
    assert "not finished" in tables.clients_text(stopped)


def test_norm_effect_is_the_law_and_every_flipped_pair(whole: CompareResult) -> None:
    effect = tables.norm_effect(whole, "mnist", 2.0)
    for norm, share in zip(effect.norms, effect.law, strict=True):
        assert share == pytest.approx(0.5 + 0.5 * norm * math.tanh(1.0))
    flips = [point for point in effect.points if point.attack == "gradient-flip"]
    (cell,) = whole.select(dataset="mnist", attack="gradient-flip", epsilon=2.0, distinguisher="cosine")
    norms = {round(min(item.pair.norm_first, 1.0), 9) for item in cell.measurements}
    assert {round(point.norm, 9) for point in flips} == norms
    dummies = {point.norm: point for point in effect.points if point.attack == "dummy"}
    assert sorted(dummies) == [0.25, 1.0]
    (weak,) = whole.select(dataset="mnist", attack="dummy", epsilon=2.0, distinguisher="cosine", strength=0.25)
    assert dummies[0.25].share.point == weak.counts.num_right / weak.counts.num_trials
    assert {point.attack for point in effect.points} == {"gradient-flip", "collusion", "dummy"}


def test_pair_points_are_the_measurements(whole: CompareResult) -> None:
    points = tables.pair_points(whole, "mnist", 4.0)
    assert len(points) == 7 * whole.config.num_measurements
    assert len(tables.pair_points(whole, "mnist")) == 4 * len(points)
    (cell,) = whole.select(dataset="mnist", attack="benign", epsilon=4.0, distinguisher="cosine")
    for point, item in zip((p for p in points if p.attack == "benign"), cell.measurements, strict=True):
        assert point.angle == item.pair.angle_degrees
        assert point.norm == (min(item.pair.norm_first, 1.0) + min(item.pair.norm_second, 1.0)) / 2
        assert point.share.point == item.counts.num_right / item.counts.num_trials
        assert point.expected == item.expected_identification
        assert point.share.lower < point.share.point < point.share.upper


def test_norms_are_in_units_of_the_clipping_norm() -> None:
    result = comparison(attacks=("dummy",), epsilons=(1.0,), clip_norm=3.0, strengths=(0.5,), num_measurements=1)
    (point,) = tables.pair_points(result, "mnist")
    assert point.norm == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(20))
def test_cells_drawn_from_the_published_rates_are_explained(seed: int) -> None:
    result = comparison(seed)
    rng = np.random.default_rng(seed)
    for attack, row in published.IDENTIFICATION.items():
        for epsilon, share in row.items():
            found = result.select(attack=attack, epsilon=epsilon)
            result = replace(
                result,
                cells=tuple(_drawn(rng, cell, share) if cell in found else cell for cell in result.cells),
            )
    rows = tables.published_table(result, "mnist")
    assert len(rows) == 20
    assert all(row.explained for row in rows)
    assert all(row.reasons == () for row in rows)


def _drawn(rng: np.random.Generator, cell: AuditResult, share: float) -> AuditResult:
    items = []
    for item in cell.measurements:
        right = int(rng.binomial(item.counts.num_trials, share))
        wrong = item.counts.num_trials - right
        counts = type(item.counts)(right // 2, wrong // 2, wrong - wrong // 2, right - right // 2)
        items.append(replace(item, counts=counts))
    return replace(cell, measurements=tuple(items))


@pytest.mark.parametrize(
    ("attack", "reasons"),
    [("dummy", ("unexplained",)), ("collusion", ("unexplained",)), ("benign", ("training", "pairs"))],
)
@pytest.mark.parametrize("shift", [-0.03, 0.03])
def test_a_cell_that_lies_by_three_points_is_caught(attack: str, reasons: tuple[str, ...], shift: float) -> None:
    rate = published.IDENTIFICATION[attack][1.0] + shift
    result = replaced(comparison(), rate, attack=attack, epsilon=1.0)
    (row,) = [
        row for row in tables.published_table(result, "mnist") if (row.row.attack, row.row.epsilon) == (attack, 1)
    ]
    assert not row.explained
    assert row.difference == pytest.approx(100 * shift, abs=0.6)
    assert row.reasons == reasons
    text = tables.published_text(tables.published_table(result, "mnist"))
    assert f"{attack} at 1" in text
    assert all(tables.REASONS[reason] in text for reason in reasons)


def test_the_sampling_error_is_what_it_says() -> None:
    rows = tables.published_table(comparison(), "mnist")
    level = 1 - tables.SIGNIFICANCE / len(rows)
    for row in rows:
        ours = binomtest(round(row.row.identification.point * row.row.trials), row.row.trials)
        theirs = binomtest(round(row.published * 100_000), 100_000)
        one, other = (side.proportion_ci(level, method="exact") for side in (ours, theirs))
        mine = row.row.identification.point
        legs = (
            (one.high - mine, row.published - other.low)
            if mine < row.published
            else (mine - one.low, other.high - row.published)
        )
        assert row.error == pytest.approx(100 * (math.hypot(*legs) + 0.0005), rel=1e-6)
        assert row.explained == (abs(row.difference) <= row.error)
    assert {row.row.attack: row.published_point for row in rows if row.published_point} == published.POINT_EPSILON


def test_another_data_set_and_another_mechanism_are_reasons() -> None:
    result = replaced(comparison(datasets=("digits",), mechanism="overclaiming"), 0.9, attack="benign")
    rows = [row for row in tables.published_table(result, "digits") if row.row.attack == "benign"]
    assert all(row.reasons == ("mechanism", "training", "pairs", "data") for row in rows)


def test_clients_stand_beside_the_published_estimates_only_where_they_fit(whole: CompareResult) -> None:
    result = comparison(tests=("black",), clients=(1, 2, 3, 10), attacks=("benign", "dummy"), epsilons=(4.0,))
    rows = tables.clients_table(result, "mnist")
    known = {(row.row.attack, row.row.clients): row.published for row in rows}
    assert known == {
        **{("benign", 1): 0.12, ("benign", 2): 0.07, ("benign", 3): None, ("benign", 10): 0.06},
        **{("dummy", clients): None for clients in (1, 2, 3, 10)},
    }
    assert {row.reasons for row in rows if row.published} == {("constant", "unstated", "bias")}
    text = tables.clients_text(rows)
    assert "No match" in text
    assert "0.12" in text
    inverted = [row for row in tables.clients_table(whole, "mnist") if row.row.rule == "update-inversion"]
    assert inverted
    assert {row.published for row in inverted} == {None}
    assert all(row.row.expected is not None for row in inverted)


def test_the_table_as_text_is_aligned_and_starts_with_the_promise(whole: CompareResult) -> None:
    lines = tables.identification_text(tables.identification_table(whole, "mnist")).splitlines()
    assert lines[0].split()[-8:] == ["eps", "0.5", "eps", "1", "eps", "2", "eps", "4"]
    assert lines[1].split() == ["the", "promise", "62.25", "73.11", "88.08", "98.20"]
    assert [line.split()[0] for line in lines[2:]] == list(ATTACKS)
    assert len({len(line) for line in lines}) == 1
    (cell,) = whole.select(dataset="mnist", attack="dummy", epsilon=4.0, distinguisher="cosine", strength=1.0)
    assert f"{100 * cell.counts.num_right / cell.counts.num_trials:.2f}" in lines[-1]


@pytest.mark.law
@pytest.mark.parametrize("seed", range(5))
def test_the_band_covers_the_exact_law_of_a_worst_case_pair(seed: int) -> None:
    """In two dimensions the score of a flipped pair is 2 cos of a uniform angle, turned by LDP-SGD's coin.

    The band misses somewhere with probability at most 5 %: of 40 runs at most 8 with probability above 0.999.
    """
    assert sum(_missed(40 * seed + run) for run in range(40)) <= 8


def _missed(seed: int) -> bool:
    epsilon, keep = 1.0, theory.worst_case_identification(1.0)
    counts, curve = curve_of(np.random.default_rng(seed), epsilon, PairGeometry(180.0, 1.0, 1.0, "test"), 1.0, 2_000)
    base = comparison(attacks=("dummy",), epsilons=(epsilon,), num_measurements=1).cells[0]
    cell = replace(base, measurements=(replace(base.measurements[0], counts=counts, curve=curve),))
    found = tables.tradeoff(cell)
    assert found is not None
    levels = np.cos(np.linspace(math.pi, 0.0, 43))[1:-1]
    for level, first, second in zip(levels, found.false_positives, found.false_negatives, strict=True):
        beyond = 2 * math.acos(abs(level)) / math.pi  # share of |cos| above the level
        low = (1 - keep) * beyond if level < 0 else 1 - keep * beyond
        miss = 1 - keep * beyond if level < 0 else (1 - keep) * beyond
        if not (first.lower <= low <= first.upper and second.lower <= miss <= second.upper):
            return True
    return False


def test_the_band_is_clopper_and_pearson_over_all_thresholds(traded: CompareResult) -> None:
    cell = traded.select(attack="benign")[0]
    found = tables.tradeoff(cell)
    assert found is not None
    curves = [item.curve for item in cell.measurements if item.curve]
    level = 1 - 0.05 / (2 * 41)
    for place in (0, 20, 40):
        errors = sum(curve.false_positives[place] for curve in curves)
        trials = sum(curve.num_first for curve in curves)
        exact = binomtest(errors, trials).proportion_ci(level, method="exact")
        interval = found.false_positives[place]
        assert (interval.lower, interval.upper) == pytest.approx((exact.low, exact.high), abs=1e-9)
        assert interval.point == errors / trials
    assert found.own == (cell.counts.false_positive_rate, cell.counts.false_negative_rate)
    assert not found.leaves


def test_a_mechanism_at_half_again_as_much_epsilon_leaves_the_region() -> None:
    liar = comparison(attacks=("dummy",), epsilons=(1.0,), curves=True, mechanism="overclaiming", num_trials=5_000)
    honest = comparison(attacks=("dummy",), epsilons=(1.0,), curves=True, num_trials=5_000)
    assert tables.tradeoff(liar.cells[0]).leaves  # type: ignore[union-attr]
    assert not tables.tradeoff(honest.cells[0]).leaves  # type: ignore[union-attr]
    assert not tables.tradeoff(liar.cells[0], delta=0.5).leaves  # type: ignore[union-attr]


def test_a_rule_that_is_inverted_leaves_the_region_on_the_other_side() -> None:
    liar = comparison(attacks=("dummy",), epsilons=(1.0,), curves=True, mechanism="overclaiming", num_trials=5_000)

    def turned(curve: Curve) -> Curve:
        return Curve(
            curve.num_first, curve.num_second,
            tuple(curve.num_first - count for count in curve.false_positives),
            tuple(curve.num_second - count for count in curve.false_negatives),
        )  # fmt: skip

    items = tuple(replace(item, curve=turned(item.curve)) for item in liar.cells[0].measurements if item.curve)
    assert tables.tradeoff(replace(liar.cells[0], measurements=items)).leaves  # type: ignore[union-attr]


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_region_s_corners_satisfy_what_defines_it_with_equality(delta: float) -> None:
    corners = tables.allowed_region(1.5, delta)
    factor = math.exp(1.5)
    for x, y in corners:
        sides = [x + factor * y, y + factor * x, 1 - x + factor * (1 - y), 1 - y + factor * (1 - x)]
        assert min(sides) >= 1 - delta - 1e-12
        assert min(x, y, 1 - x, 1 - y, *(side - (1 - delta) for side in sides)) == pytest.approx(0.0, abs=1e-12)


def test_without_a_curve_there_is_no_trade_off(whole: CompareResult, traded: CompareResult) -> None:
    assert tables.tradeoff(whole.cells[0]) is None
    assert tables.tradeoff(replace(whole.cells[0], measurements=())) is None
    cell = traded.cells[0]
    some = (replace(cell.measurements[0], curve=None), *cell.measurements[1:])
    found, every = tables.tradeoff(replace(cell, measurements=some)), tables.tradeoff(cell)
    assert found is not None
    assert every is not None
    assert found.false_positives[20].upper - found.false_positives[20].lower > (
        every.false_positives[20].upper - every.false_positives[20].lower
    )
    stopped = tables.tradeoff(replace(cell, completed=False))
    assert stopped is not None
    assert stopped.false_positives[20].upper > every.false_positives[20].upper


def test_arrays_are_plain_and_cannot_be_changed(whole: CompareResult) -> None:
    row = tables.attacks_at(whole, "mnist", 1.0)[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.lower = 3.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="at least one trial"):
        tables.row(replace(whole.cells[0], measurements=()))
