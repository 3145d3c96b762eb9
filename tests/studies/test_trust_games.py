"""Games about rounds have the laws' shares, projected and in full, and a liar in between is caught."""

import dataclasses
import json
import math
from pathlib import Path

import pytest
import torch
from torch import Generator, Tensor

from ldp_core import record
from ldp_core.cache import Cache
from ldp_core.cli import main
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.learning.server import HonestClients
from ldp_core.private import GradientPair
from ldp_core.statistics import promise, theory
from ldp_core.studies import STUDIES
from ldp_core.studies.trust import full_games, published_claims
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.games import in_chunks
from ldp_core.studies.trust.laws import amplified, expected_identification
from ldp_core.studies.trust.result import TrustResult, summarize
from ldp_core.studies.trust.run import player, trust
from ldp_core.types import PairGeometry, TrialCounts
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.law
DIMENSION = 400


def flip(norm: float = 1.0, dimension: int = DIMENSION) -> GradientPair:
    gradient = torch.zeros(dimension)
    gradient[0] = norm
    return GradientPair(gradient, -gradient)


def slanted() -> GradientPair:
    first, second = torch.zeros(DIMENSION), torch.zeros(DIMENSION)
    first[0], second[0], second[1] = 1.0, -0.2, 0.8
    return GradientPair(first, second)


def config(**settings: object) -> TrustConfig:
    return dataclasses.replace(TrustConfig("dummy", 4.0, 5, clients=20, games=40_000), **settings)


def played(config: TrustConfig, pair: GradientPair, **more: object) -> TrialCounts:
    play = player(config, pair, **more)
    return sum(in_chunks(play, config.games, play.size, 1), TrialCounts())


def lawful(asked: TrustConfig, pair: GradientPair, counts: TrialCounts) -> bool:
    law = expected_identification(asked, pair.geometry, pair.dimension)
    return accepts(counts.num_right, counts.num_trials, law)


@pytest.mark.parametrize("pair", [flip(), slanted()], ids=["flip", "slanted"])
@pytest.mark.parametrize("rule", ["best", "cosine"])
@pytest.mark.parametrize("others", ["uniform", "agree"])
@pytest.mark.parametrize("view", ["local", "shuffled", "aggregated"])
def test_projected_games_have_the_law(view: str, others: str, rule: str, pair: GradientPair) -> None:
    asked = config(view=view, others=others, rule=rule)
    assert lawful(asked, pair, played(asked, pair))


@pytest.mark.few(5)
@pytest.mark.parametrize("pair", [flip(), slanted()], ids=["flip", "slanted"])
@pytest.mark.parametrize("others", ["uniform", "agree"])
@pytest.mark.parametrize("view", ["local", "shuffled", "aggregated"])
def test_full_games_have_the_law(view: str, others: str, pair: GradientPair) -> None:
    """The reports are built; nothing is shared with the projected games or the laws but the guessing rule."""
    asked = config(view=view, others=others, sampling="full", games=6_000, clients=8)
    assert lawful(asked, pair, played(asked, pair))


def test_priv_unit_in_a_shuffled_list_has_its_caps_law() -> None:
    asked = config(mechanism="priv-unit", sampling="full", games=4_000, clients=6, others="agree", epsilon=3.0)
    pair = flip(0.7, 50)
    assert lawful(asked, pair, played(asked, pair))
    alone = dataclasses.replace(asked, clients=1)
    full = expected_identification(alone, flip(1.0, 50).geometry, 50)
    assert full <= theory.worst_case_identification(3.0)


def test_a_randomizer_with_exceptions_is_not_promised_what_a_shuffler_adds_to_one_without() -> None:
    """The bounds are for a local delta of 0; the normal randomizer has another, and keeps its own epsilon only."""
    for mechanism, amplifies in (("gaussian", False), ("laplace", True)):
        result = made(mechanism=mechanism, sampling="full", rule="cosine", clients=1_000, epsilon=1.0)
        summary = summarize(result)
        assert summary.promise == (summary.amplified["clones"] if amplifies else 1.0)
        assert summary.amplified["clones"] < 0.2
        assert ("need a randomizer with a local δ of 0" in STUDIES["trust"].text(result)) is not amplifies


def test_a_report_without_a_shuffler_keeps_the_promise_of_its_device_alone() -> None:
    """The delta of a run is the shuffled promise's: with it, ε = 1 would be called weaker than everywhere else."""
    for view, delta in (("local", 0.0), ("shuffled", made().config.delta)):
        result = made(view=view, clients=1_000, epsilon=1.0)
        told = promise.to_dict(summarize(result).promise, delta)
        assert {name: result.derived()[name] for name in told} == told
    assert promise.to_dict(1.0)["promise_strength"] == "fair"


@pytest.mark.parametrize("view", ["local", "shuffled", "aggregated"])
@pytest.mark.parametrize("mechanism", ["laplace", "duchi-linf", "duchi-l2", "priv-unit", "gaussian"])
def test_other_mechanisms_go_through_every_view(mechanism: str, view: str) -> None:
    """Where there is no law, nobody is right more often than the local epsilon allows, whatever is in between."""
    asked = config(mechanism=mechanism, sampling="full", rule="cosine", view=view, games=2_000, clients=3)
    counts = played(asked, flip())
    limit = theory.worst_case_identification(asked.epsilon, 1e-5)
    assert counts.num_trials == 2_000
    assert counts.num_right <= 2_000 * limit or accepts(counts.num_right, 2_000, limit)
    law = expected_identification(asked, flip().geometry, DIMENSION)
    assert (law is None) == (mechanism in ("laplace", "duchi-linf", "priv-unit"))
    assert law is None or accepts(counts.num_right, 2_000, law)


def test_real_others_who_do_what_an_end_says_have_its_law() -> None:
    """Real clients whose gradients are orthogonal, or all the first update, are the two ends."""
    pair = flip()
    orthogonal, same = torch.zeros(19, DIMENSION), pair.first_direction.repeat(19, 1)
    orthogonal[:, 1] = 1.0
    for others, directions in (("uniform", orthogonal), ("agree", same)):
        crowd = HonestClients(directions, (1.0,) * 19)
        for view in ("shuffled", "aggregated"):
            counts = played(config(view=view, others="real"), pair, others=crowd)
            end = config(view=view, others=others)
            assert lawful(end, pair, counts) or (view, others) == ("aggregated", "agree")


def test_real_others_projected_and_in_full_agree() -> None:
    """The others lean a little; the full games stay in the region around the share of ten times as many others."""
    pair, generator = slanted(), Generator().manual_seed(3)
    directions = torch.nn.functional.normalize(torch.randn(7, DIMENSION, generator=generator), dim=1)
    directions[:3] = torch.nn.functional.normalize(directions[:3] + 1.5 * pair.first_direction, dim=1)
    crowd = HonestClients(directions, (1.0, 0.5, 2.0, 1.0, 1.0, 0.3, 1.0))
    for view in ("shuffled", "aggregated"):
        asked = config(view=view, others="real", clients=8, games=200_000)
        many = played(asked, pair, others=crowd)
        few = played(dataclasses.replace(asked, sampling="full", games=4_000), pair, others=crowd)
        share = many.num_right / many.num_trials
        assert any(accepts(few.num_right, few.num_trials, share + shift) for shift in (-0.005, 0.0, 0.005))


def first_place_right(view: full_games.View, games: int = 4_000, clients: int = 5) -> int:
    """Return how often an attacker is right who looks at the first place of the list only."""
    asked = config(sampling="full", games=games, clients=clients)
    play = player(asked, flip(), view=view)
    play.look = lambda seen: (seen[:, 0] @ play.pair.first_direction >= 0).numpy()
    return sum(in_chunks(play, games, play.size, 1), TrialCounts()).num_right


def test_an_honest_shuffler_puts_the_tested_report_first_once_in_n() -> None:
    right = theory.worst_case_identification(4.0)
    assert accepts(first_place_right(full_games.shuffled), 4_000, 0.5 + (right - 0.5) / 5)


def test_a_shuffler_that_keeps_the_order_is_caught() -> None:
    def keeps(reports: Tensor, generator: Generator) -> Tensor:
        return reports

    right = theory.worst_case_identification(4.0)
    assert not accepts(first_place_right(keeps), 4_000, 0.5 + (right - 0.5) / 5)


def test_an_aggregator_that_leaks_one_summand_is_caught() -> None:
    def leaks(reports: Tensor, generator: Generator) -> Tensor:
        return reports.sum(dim=1, keepdim=True) + 3.0 * reports[:, :1]

    asked = config(view="aggregated", sampling="full", games=4_000, clients=8)
    assert lawful(asked, flip(), played(asked, flip()))
    assert not lawful(asked, flip(), played(asked, flip(), view=leaks))


def test_the_counts_do_not_depend_on_the_threads() -> None:
    asked, pair = config(games=30_000), flip()
    play = player(asked, pair)
    assert sum(in_chunks(play, asked.games, play.size, 3), TrialCounts()) == played(asked, pair)
    built = config(games=300, clients=3, sampling="full")
    play = player(built, pair)
    assert sum(in_chunks(play, built.games, play.size, 3), TrialCounts()) == played(built, pair)


def made(**settings: object) -> TrustResult:
    asked = config(games=1_000, **settings)
    counts = TrialCounts(300, 200, 200, 300)
    return TrustResult(asked, PairGeometry(180.0, 1.0, 1.0, "test"), 10, counts, True, 1.0, "cpu", {"torch": "2"})


def test_a_dishonest_randomizer_is_rejected() -> None:
    """What the overclaiming randomizer shows of its report is above the claim."""
    for mechanism in ("overclaiming", "ldp-sgd"):
        asked = config(view="local", mechanism=mechanism, games=100_000, epsilon=1.0, clients=1)
        result = TrustResult(asked, flip().geometry, DIMENSION, played(asked, flip()), True, 1.0, "cpu", {})
        assert summarize(result).rejected is (mechanism == "overclaiming")


def test_the_lower_bound_stays_below_what_is_exact() -> None:
    for view in ("shuffled", "aggregated"):
        asked = config(view=view, others="agree", games=100_000)
        result = TrustResult(asked, flip().geometry, DIMENSION, played(asked, flip()), True, 1.0, "cpu", {})
        summary = summarize(result)
        assert 0.0 < summary.epsilon_lower < summary.epsilon_expected <= summary.promise + 1e-4


def test_the_papers_claims() -> None:
    rows = {row.name: row for row in published_claims.claims()}
    assert rows["cosine"].epsilon == pytest.approx(1.04, abs=0.005)
    assert rows["cosine"].right == pytest.approx(73.9, abs=0.05)
    assert rows["selective"].epsilon == pytest.approx(8.0)
    assert rows["shuffled_agree"].right == pytest.approx(98.3, abs=0.05)
    assert rows["aggregated_agree"].right == pytest.approx(55.3, abs=0.05)
    assert rows["shuffled_uniform"].right < 55.0


@pytest.mark.parametrize("row", published_claims.claims(), ids=lambda row: row.name)
def test_what_was_measured_of_a_claim_is_what_its_law_says(row: published_claims.Claim) -> None:
    """Within the law's region, real others between both ends; a bound is never above what is true."""
    from ldp_core.cli import parsed

    options = parsed(row.command.split()[3:])
    games = options.games if options.command == "trust" else options.trials * options.measurements
    point, lower, upper = row.measured
    assert lower < point < upper
    right, rows = round(point * games / 100), {one.name: one for one in published_claims.claims()}
    if row.name in ("cosine", "selective"):  # actual pairs, whose angles are not all 86 degrees
        assert row.right == pytest.approx(point, abs=1.0)
    elif row.right is not None:
        assert accepts(right, games, row.right / 100)
    else:
        ends = [rows[row.name.replace("real", end)].right for end in ("uniform", "agree")]
        low, high = (end / 100 for end in ends if end is not None)
        assert low < high
        assert accepts(right, games, low) or accepts(right, games, high) or low < point / 100 < high
    assert row.shown < published_claims.EPSILON


@pytest.mark.nightly
@pytest.mark.parametrize("row", published_claims.claims(), ids=lambda row: row.name)
def test_the_command_of_a_claim_prints_what_is_shown(
    row: published_claims.Claim, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*row.command.split()[3:], "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    share = report.get("summary", report)["identification"]
    assert [share["point"], share["lower"], share["upper"]] == pytest.approx(
        [value / 100 for value in row.measured], abs=0.005
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("view", ["shuffled", "aggregated"])
@pytest.mark.parametrize("attack", ["dummy", "label-flip"])
def test_real_clients_lie_between_the_two_ends(view: str, attack: str, tmp_path: Path) -> None:
    between(config(attack=attack, view=view, others="real", clients=100, games=8_000), tmp_path)


def between(asked: TrustConfig, folder: Path, **where: Path) -> None:
    """Fail if real clients are told apart more often than all who agree, or less often than who differ."""
    *_, last = trust(asked, Cache(folder), threads=1, **where)
    counts, seen = last.result.counts, summarize(last.result).sights
    low, high = sorted(one.identification for one in seen if one.view == asked.view)
    share = counts.num_right / counts.num_trials
    assert low <= share <= high or accepts(counts.num_right, asked.games, low if share < low else high)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"view": "mixed"}, "view must be one of local, shuffled, aggregated, got 'mixed'"),
        ({"mechanism": "laplace"}, "projected sampling needs a mechanism"),
        ({"mechanism": "laplace", "sampling": "full"}, "the best rule is known for"),
        ({"sampling": "full", "clients": 5_000}, "clients must be at most 2,000 in full games"),
    ],
)
def test_bad_input_gets_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises((ValueError, UnsupportedCombinationError), match=sentence):
        config(**settings)


def test_the_command_of_the_contract(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = "--view shuffled --others uniform --clients 100 --attack dummy --epsilon 4 --games 100000 --seed 1"
    assert main(["trust", *line.split(), "--json", "-", "--html", str(tmp_path / "result.html")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == "ldp-trust/1"
    assert round(report["expected_identification"], 4) == 0.5384
    assert accepts(report["counts"]["first_as_first"] + report["counts"]["second_as_second"], 100_000, 0.538363)
    assert report["identification"]["lower"] < report["identification"]["point"] < report["identification"]["upper"]
    assert 0.0 <= report["epsilon"]["lower"] < 0.3
    assert list(report["amplified"]) == ["clones", "feldman_2021", "feldman_2023", "delta"]
    assert report["seconds"] > 0.0
    page = (tmp_path / "result.html").read_text()
    assert "right <strong>" in page
    assert "98.3" in page
    assert math.isclose(report["views"][3]["identification"], 0.6449, abs_tol=5e-5)


@pytest.mark.parametrize("view", ["shuffled", "aggregated"])
def test_the_attackers_own_clients_hide_nobody(view: str) -> None:
    asked = TrustConfig("dummy", 4.0, 5, view=view, clients=40, games=2_000, training="none", sybils=38)
    honest = dataclasses.replace(asked, clients=2, sybils=0)
    *_, found = trust(asked, Cache())
    *_, alone = trust(honest, Cache())
    assert found.result.counts == alone.result.counts
    assert amplified(asked) == amplified(honest)
    assert "--clients 40" in record.command(asked)
    assert "--sybils 38" in record.command(asked)
    assert record.from_json(record.to_json(found.result), TrustResult) == found.result
    with pytest.raises(ValueError, match="sybils must be fewer than the 40 clients, one of which is tested, got 40"):
        dataclasses.replace(asked, sybils=40)
