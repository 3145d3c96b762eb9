"""The small LDP-SGD of the overview against the real one, and against its law."""

import numpy as np
import pytest
import torch

from ldp_core import illustrate
from ldp_core.datasets import load_dataset
from ldp_core.illustrate import near_probability, pack, play, randomize, send, unpack
from ldp_core.mechanisms.ldp_sgd import LdpSgd, flip_to_side
from ldp_core.statistics import theory
from tests.helpers.binomial import accepts
from tests.helpers.liars import FivePercent, NoNormProjection

EPSILONS = (0.1, 1.0, 4.0)
MOST = illustrate.MOST_REPORTS


def coins(seed: int, count: int) -> np.ndarray:
    """Return the draws of a seed's coins, shape (2, count)."""
    return np.random.default_rng(np.random.SeedSequence([seed, 0])).random((count, 2)).T


def normals(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(np.random.SeedSequence([seed, 1])).standard_normal(shape)


def real_reports(mechanism: LdpSgd, gradient: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Return what the real mechanism makes of the same coins and directions."""
    norm = float(np.linalg.norm(gradient))
    signs = torch.from_numpy(2.0 * mechanism.own_side(norm, coins(seed, count)) - 1.0)
    unit = torch.from_numpy(gradient / (norm or 1.0))
    reports = torch.from_numpy(normals(seed, count, len(gradient)))
    flip_to_side(reports, signs, unit.unsqueeze(0))
    return reports.numpy()


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("norm", [0.3, 0.6, 2.0])
@pytest.mark.parametrize("dimension", [2, 3, 50])
def test_reports_are_those_of_the_real_mechanism(epsilon: float, norm: float, dimension: int) -> None:
    sent = send(epsilon, norm, 500, 3, clip_norm=1.5, dimension=dimension)
    gradient = np.zeros(dimension)
    gradient[-1] = norm
    assert sent.points == pytest.approx(real_reports(LdpSgd(epsilon, 1.5), gradient, 500, 3), abs=1e-12)
    assert (sent.near == LdpSgd(epsilon, 1.5).own_side(norm, coins(3, 500))).all()


def test_a_mechanism_without_one_coin_or_with_another_differs() -> None:
    sent = send(1.0, 0.6, 2_000, 3)
    for liar in (NoNormProjection(1.0), FivePercent(1.0)):
        assert (sent.near != liar.own_side(0.6, coins(3, 2_000))).any()


@pytest.mark.parametrize("label", range(10))
def test_the_report_of_an_example_is_that_of_the_real_mechanism(label: int) -> None:
    update = illustrate.examples()[label].update
    report, near = randomize(update, 1.0, label, clip_norm=5.0)
    assert report == pytest.approx(real_reports(LdpSgd(1.0, 5.0), update, 1, label)[0], abs=1e-12)
    assert near == (report @ update > 0.0)
    assert np.linalg.norm(report) == pytest.approx(1.0)


@pytest.mark.parametrize("epsilon", [0.01, *EPSILONS, 30.0])
@pytest.mark.parametrize("norm", [0.0, 0.6, 2.0])
def test_near_probability_is_that_of_both_coins(epsilon: float, norm: float) -> None:
    kept, same = 0.5 + min(norm / 1.5, 1.0) / 2.0, theory.worst_case_identification(epsilon)
    assert near_probability(epsilon, norm, 1.5) == pytest.approx(kept * same + (1 - kept) * (1 - same), abs=1e-12)


@pytest.mark.parametrize("dimension", [2, 3, 7])
def test_the_first_reports_of_a_seed_stay_the_same(dimension: int) -> None:
    few, many = (send(1.0, 0.6, count, 5, dimension=dimension) for count in (40, 200))
    assert (few.points == many.points[:40]).all()
    assert (few.near == many.near[:40]).all()
    assert (few.rounded_up == many.rounded_up[:40]).all()
    assert (many.near == send(1.0, 0.6, 200, 5).near).all()  # the coins know no dimension
    assert (send(1.0, 0.6, 200, 6).near != many.near).any()
    assert play(1.0, 40, 5) == play(1.0, 200, 5)[:40]
    assert send(1.0, 0.6, 0, 5, dimension=dimension).points.shape == (0, dimension)


@pytest.mark.law
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_nobody_scores_better_than_the_promise_in_the_game(epsilon: float, law_seed: int) -> None:
    rounds, law = play(epsilon, MOST, law_seed), theory.worst_case_identification(epsilon)
    assert accepts(sum(each.sent == "A" for each in rounds), MOST, 0.5)
    for side in ("A", "B"):
        guesses = [each.attacker for each in rounds if each.sent == side]
        assert accepts(guesses.count(side), len(guesses), law)
    assert accepts(sum(each.report[0] > 0.0 for each in rounds), MOST, 0.5)
    if epsilon >= 1.0:  # two liars: who guesses the other update, and who tosses a coin
        assert not accepts(sum(each.sent != each.attacker for each in rounds), MOST, law)
        assert not accepts(sum(each.sent == "A" for each in rounds), MOST, law)


@pytest.mark.law
def test_choosing_a_clear_beginning_leaves_the_law_of_the_sides(law_seed: int) -> None:
    seeds = [illustrate.clear_game(4_000 * law_seed + 40 * number) for number in range(2_000)]
    firsts = [play(1.0, 1, seed)[0] for seed in seeds]
    law = theory.worst_case_identification(1.0)
    assert accepts(sum(each.sent == each.attacker for each in firsts), len(firsts), law)
    assert accepts(sum(each.sent == "A" for each in firsts), len(firsts), 0.5)
    liar = [each for each in (play(1.0, 1, seed)[0] for seed in range(4_000)) if each.report[1] >= 0.6]
    assert not accepts(sum(each.sent == "A" for each in liar), len(liar), 0.5)  # one that begins with A's side only


def test_examples_are_one_held_out_digit_of_each_class() -> None:
    found, data = illustrate.examples(), load_dataset("digits", None)
    assert [example.label for example in found] == list(range(10))
    for example in found:
        first = data.images[int((data.labels == example.label).nonzero()[0])]
        assert (example.image == np.rint(255.0 * first[0].numpy())).all()
        assert example.update.shape == (10_650,)
        assert example.norm == pytest.approx(np.linalg.norm(example.update))
        assert repr(example) == f"Example(label={example.label})"
    assert (unpack(pack(found))[3].update == found[3].update).all()
