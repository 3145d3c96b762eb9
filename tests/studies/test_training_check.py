"""A stranger's training function: liars are caught, an honest one is not blamed, and nothing of it runs in here."""

import dataclasses
import itertools
import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from ldp_core import results
from ldp_core.cli import main
from ldp_core.statistics import central_law
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.curve_test import Changed, Thresholds, counts_at
from ldp_core.statistics.intervals import error_upper_limit
from ldp_core.studies.training_check import faulty_trainings
from ldp_core.studies.training_check.faulty_trainings import FAULTY_TRAININGS, Training
from ldp_core.studies.training_check.judge import scores
from ldp_core.studies.training_check.result import (
    BARE,
    EPSILON_BROKEN,
    NOT_CLAIMED,
    TrainingCheckConfig,
    TrainingCheckResult,
    caught_noise,
    curve_of,
)
from ldp_core.studies.training_check.run import canary_of, check_training, others_of, settings_of
from ldp_core.types import SIGNIFICANCE, TrialCounts
from tests.cli.commands import Refused
from tests.helpers.patience import PATIENCE
from tests.helpers.words import report_of

pytestmark = pytest.mark.law
CLAIM = Sampled(0.1, 1.1446, 50)
CABINET = "ldp_core.studies.training_check.faulty_trainings"


def honest_final(records: Any, seed: int, settings: Mapping[str, Any]) -> NDArray[np.float64]:
    """Train as ``faulty_trainings.honest``, and return the final parameters alone."""
    return faulty_trainings.honest(records, seed, settings)[-1]


class Here:
    """A training function of ours in this process."""

    def __init__(self, function: Training) -> None:
        self._function = function

    def train(self, records: NDArray[np.float32], seed: int, settings: Mapping[str, Any]) -> NDArray[np.float64]:
        found = np.asarray(self._function(records, seed, settings), dtype=np.float64)
        return found.reshape(1, -1) if found.ndim == 1 else found

    def stop(self) -> None:
        """Nothing runs elsewhere."""


def checked(function: Training, seed: int, games: int, workers: int = 1, **settings: Any) -> TrainingCheckResult:
    config = TrainingCheckConfig("ours", seed, noise=CLAIM.noise, games=games, **settings)
    result = list(check_training(config, [Here(function) for _ in range(workers)]))[-1].result
    assert result.completed
    return result


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("noise_once", 60), ("half_noise", 150), ("clipped_per_batch", 250), ("unclipped", 40), ("mean_beside", 60),
        ("double_rate", 300),
    ],
)  # fmt: skip
def test_a_real_training_that_lies_is_rejected(name: str, games: int) -> None:
    """At 95 %, which takes half as many trainings; by day the command and a changed record have two of the others."""
    result = checked(FAULTY_TRAININGS[name].train, 5, games, significance=0.05)
    assert NOT_CLAIMED in result.rejected_by
    assert result.verdict == "claim_rejected"
    assert result.curve > 4.0


def with_examples(records: Any, seed: int, settings: Mapping[str, Any], number: Any = len) -> Any:
    iterates = faulty_trainings.honest(records, seed, settings)
    return np.column_stack([np.full(len(iterates), number(records)), iterates])


def test_a_column_without_noise_that_tells_the_worlds_apart_is_rejected_by_few_games() -> None:
    """The number of records beside the parameters; the public number there is honest."""
    result = checked(with_examples, 7, 20)
    assert BARE in result.rejected_by
    assert result.bare_columns == (0,)
    assert "column 1 of what it returns" in " ".join(report_of(result).sentences)
    final = checked(lambda records, seed, settings: with_examples(records, seed, settings)[-1], 7, 20)
    assert BARE in final.rejected_by
    told = checked(lambda *asked: with_examples(*asked, lambda _: asked[2]["records"]), 7, 60)
    assert told.rejected_by == ()


def test_a_loss_without_noise_beside_the_final_parameters_is_rejected() -> None:
    def with_loss(records: Any, seed: int, settings: Mapping[str, Any]) -> Any:
        weights = honest_final(records, seed, settings)
        logits = np.hstack([records[:, :-1], np.ones((len(records), 1))]) @ weights.reshape(2, -1).T
        losses = np.logaddexp(logits[:, 0], logits[:, 1]) - logits[np.arange(len(records)), records[:, -1].astype(int)]
        return np.append(weights, losses.mean())

    result = checked(with_loss, 8, 150)
    assert NOT_CLAIMED in result.rejected_by
    assert result.rule == "columns"


def with_noise(draw: Any) -> Training:
    """Return an honest training whose noise comes from ``draw`` of a generator, the step and the shape."""

    class Coins:
        def __init__(self, seed: int) -> None:
            self._random, self._drawn = np.random.Generator(np.random.PCG64(seed)), 0
            self.random = self._random.random

        def normal(self, size: tuple[int, int]) -> Any:
            self._drawn += 1
            return draw(self._random, self._drawn - 2, size)  # the first one is no step's

    def training(records: Any, seed: int, settings: Mapping[str, Any]) -> Any:
        return faulty_trainings.honest(records, seed, settings, coins=Coins(seed))

    return training


def same_noise_for_two_steps() -> Training:
    kept: list[Any] = []

    def draw(random: np.random.Generator, step: int, size: tuple[int, int]) -> Any:
        kept[:] = [random.normal(size=size)] if step % 2 == 0 or not kept else kept
        return kept[0]

    return with_noise(draw)


def beside(column: Any) -> Training:
    """Return an honest training with one more column, of a generator and whether the record is in."""

    def training(records: Any, seed: int, settings: Mapping[str, Any]) -> Any:
        iterates = faulty_trainings.honest(records, seed, settings)
        told = column(np.random.default_rng([seed, 1]), len(records) > settings["records"])
        return np.column_stack([iterates, np.full(len(iterates), told)])

    return training


def last_bits(told: bool) -> Training:
    """Return an honest training whose numbers end in a bit that tells whether the record is in, or in none."""

    def training(records: Any, seed: int, settings: Mapping[str, Any]) -> Any:
        found = np.ascontiguousarray(faulty_trainings.honest(records, seed, settings), np.float32)
        bits = found.view(np.uint32)
        bits[1:] = bits[1:] & ~np.uint32(1) | np.uint32(told and len(records) > settings["records"])
        return found

    return training


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("liar", "honest"),
    [
        (same_noise_for_two_steps(), with_noise(lambda random, _, size: random.normal(size=size))),
        (
            with_noise(lambda random, _, size: random.uniform(-(3.0**0.5), 3.0**0.5, size=size)),
            with_noise(lambda random, _, size: random.normal(size=size)),
        ),
        (last_bits(told=True), last_bits(told=False)),
        *(
            (beside(told), beside(lambda random, _, told=told: told(random, bool(random.integers(2)))))
            for told in (
                lambda random, inside: inside + 1e30 * (random.random() < 0.02),
                lambda random, inside: float(inside * random.integers(-50, 51)),
                lambda random, inside: -0.0 if inside else 0.0,
            )
        ),
    ],
    ids=["noise-of-two-steps", "uniform-noise", "last-bits", "wild-numbers", "spread", "negative-zero"],
)
def test_what_no_mean_tells_is_learned_from_other_trainings(liar: Training, honest: Training) -> None:
    """Beside each liar the same with nothing to tell; a way that only one of them is judged by cannot pass."""
    assert NOT_CLAIMED in checked(liar, 5, 120, significance=0.01).rejected_by
    assert checked(honest, 5, 60).rejected_by == ()


@pytest.mark.few(1)
@pytest.mark.parametrize("spread", [1.0, 1e308], ids=["loud", "largest"])
def test_loud_columns_beside_the_parameters_hide_no_lie(spread: float) -> None:
    """Twenty columns of what no record moves, far noisier than the parameters, or as large as a number can be."""

    def loud(function: Training) -> Training:
        def training(records: Any, seed: int, settings: Mapping[str, Any]) -> Any:
            found = function(records, seed, settings)
            random = np.random.default_rng([seed, len(records), 2])
            return np.column_stack([found, spread * random.uniform(-1.0, 1.0, (len(found), 20))])

        return training

    assert NOT_CLAIMED in checked(loud(FAULTY_TRAININGS["half_noise"].train), 5, 150, significance=0.05).rejected_by
    assert checked(loud(faulty_trainings.honest), 5, 60).rejected_by == ()


@pytest.mark.few(1)
@pytest.mark.parametrize("function", [faulty_trainings.honest, honest_final])
def test_an_honest_training_is_not_rejected(function: Training) -> None:
    result = checked(function, 11, 150)
    assert result.rejected_by == ()
    assert result.access == ("final" if function is honest_final else "iterates")
    assert result.clopper_pearson <= 4.0


def test_what_follows_time_alone_is_no_evidence_and_hides_no_lie() -> None:
    def timed(function: Training) -> Training:
        times = itertools.count()

        def training(records: Any, seed: int, settings: Mapping[str, Any]) -> NDArray[np.float64]:
            return np.append(function(records, seed, settings)[-1], float(next(times)))

        return training

    assert NOT_CLAIMED in checked(timed(FAULTY_TRAININGS["unclipped"].train), 5, 60).rejected_by
    assert checked(timed(faulty_trainings.honest), 5, 60).rejected_by == ()


def test_a_changed_record_is_allowed_what_two_absent_ones_are() -> None:
    """Gaussian curves of mu become those of 2 mu; a law that no sampling makes worse stays above the curve of ours."""

    class Gaussian:
        def tradeoff(self, rates: Any) -> NDArray[Any]:
            return np.asarray(norm.cdf(-norm.ppf(rates) - 0.7))

    rates = np.linspace(0.01, 0.99, 99)
    assert Changed(Gaussian()).tradeoff(rates) == pytest.approx(norm.cdf(-norm.ppf(rates) - 1.4), abs=1e-9)
    times, cuts = np.arange(CLAIM.steps + 1), np.linspace(-60.0, 60.0, 601)[:, None]
    chances = binom.pmf(times, CLAIM.steps, CLAIM.sampling_rate)
    for factor, kept in ((1.0, True), (0.5, False)):
        spread = factor * CLAIM.noise * np.sqrt(CLAIM.steps)
        missed, alarms = norm.cdf((cuts - times) / spread) @ chances, norm.sf((cuts + times) / spread) @ chances
        above = missed >= curve_of(CLAIM, "final", changed=True).tradeoff(alarms) - 1e-9
        assert above.all() if kept else not above[260:340].any()


@pytest.mark.parametrize("neighbours", ["label", "features"])
def test_a_change_of_the_record_is_judged_as_one(neighbours: str) -> None:
    """What tells of the change is caught, what does not change is allowed, and an honest training is kept."""
    for function in (with_examples, honest_final):
        assert checked(function, 11, 60, neighbours=neighbours).rejected_by == ()
    told = checked(partial(with_examples, number=lambda rows: rows[:, -1].sum()), 7, 20, neighbours=neighbours)
    assert (BARE in told.rejected_by) is (neighbours == "label")
    unclipped = checked(FAULTY_TRAININGS["unclipped"].train, 5, 40, significance=0.05, neighbours=neighbours)
    assert NOT_CLAIMED in unclipped.rejected_by
    assert unclipped.caught_noise is None
    assert "its label is turned" in report_of(told).ran or neighbours == "features"
    assert "--data-dir" not in results.html(told, []), "it rests on no images"


@pytest.mark.parametrize("games", [30, 10_000])
def test_epsilon_of_a_changed_record_is_that_of_two(games: int) -> None:
    """All guesses right: half the epsilon that two absent records leave, and never more than for one."""
    config = TrainingCheckConfig("", 1, noise=CLAIM.noise, games=games, delta=1e-9, neighbours="label")
    result = TrainingCheckResult(
        config, "iterates", 51, "alone", "sum", (), TrialCounts(games, 0, 0, games), True, 1.0, {}
    )
    one = dataclasses.replace(result, config=dataclasses.replace(config, neighbours="absent"))
    assert result.clopper_pearson == pytest.approx(one.clopper_pearson / 2.0, abs=1e-3)


def test_with_hardly_any_noise_epsilon_itself_is_refuted() -> None:
    quiet = partial(faulty_trainings.honest, noise=0.05)
    result = checked(quiet, 3, 800, steps=5, sampling_rate=0.5, delta=1e-3)
    assert set(result.rejected_by) == {NOT_CLAIMED, EPSILON_BROKEN}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *(("half_noise", seed) for seed in range(20)),
        *itertools.product(
            (
                "double_rate",
                "double_steps",
                "clipped_per_batch",
                "noise_once",
                "unclipped",
                "noise_80",
                "empty_skipped",
            ),
            range(2),
        ),
    ],
)
def test_every_liar_is_rejected_whatever_the_seed(name: str, seed: int) -> None:
    """At 95 %, which takes about half of the games; twenty seeds of the cheapest liar, two of the others."""
    settings = {"records": 10} if name == "empty_skipped" else {}
    assert checked(
        FAULTY_TRAININGS[name].train, 1_000 + seed, FAULTY_TRAININGS[name].games, significance=0.05, **settings
    ).rejected_by


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("function", [faulty_trainings.honest, honest_final])
def test_an_honest_training_passes_whatever_the_seed(function: Training, seed: int) -> None:
    """By chance one of 20 may be rejected with half the significance for each rate; at 1e-4 none is."""
    assert not checked(function, 2_000 + seed, 400, significance=1e-4).rejected_by


@pytest.mark.parametrize(
    ("actual", "sampling", "games"),
    [
        (Sampled(0.1, 0.95 * CLAIM.noise, 50), "poisson", 160_000),
        (Sampled(0.1, 0.9 * CLAIM.noise, 50), "poisson", 36_000),
        (CLAIM, "shuffled", 120_000),
    ],
    ids=["noise_95", "noise_90", "shuffled"],
)
def test_small_lies_are_rejected_by_games_of_their_law(actual: Sampled, sampling: str, games: int) -> None:
    """Twice the games that the cabinet says each needs; real trainings of them take hours."""

    def played(phase: int, inside: bool) -> NDArray[Any]:
        size = central_law.GAMES_TOGETHER
        parts = [
            central_law.games(CLAIM, inside, size, 9, phase, chunk, actual=actual, sampling=sampling)
            for chunk in range(-(-games // size))
        ]
        return np.concatenate(parts)[:games]

    claimed = curve_of(CLAIM, "iterates")
    threshold, _ = Thresholds.of(played(1, True), played(1, False)).furthest_below(claimed, SIGNIFICANCE)
    counts = counts_at(threshold, played(2, True), played(2, False))
    config = TrainingCheckConfig("law", 9, noise=CLAIM.noise, games=games)
    result = TrainingCheckResult(config, "iterates", 51, "alone", "likelihood-ratio", (), counts, True, 1.0, {})
    assert result.rejected_by == (NOT_CLAIMED,)
    honest = [central_law.games(CLAIM, inside, 4_096, 9, 3, 0) for inside in (True, False)]
    assert not dataclasses.replace(
        result, config=dataclasses.replace(config, games=4_096), counts=counts_at(threshold, *honest)
    ).rejected_by


def test_a_sampled_canary_moves_what_nobody_else_does_by_the_clipping_norm() -> None:
    config = TrainingCheckConfig("", 4, noise=CLAIM.noise)
    settings, others = settings_of(config) | {"noise": 0.0}, others_of(config, "alone")
    iterates = faulty_trainings.honest(np.insert(others, 7, canary_of(config), axis=0), 2, settings)
    columns = np.diff(iterates.reshape(51, 2, 9), axis=0)[:, :, :8].reshape(50, -1)
    kicks = np.linalg.norm(columns, axis=1) * config.sampling_rate * config.records / settings["learning_rate"]
    sampled = kicks > 1e-9
    assert 1 <= sampled.sum() <= 20
    assert kicks[sampled] == pytest.approx(np.ones(sampled.sum()), abs=2e-3)


def test_each_rule_ranks_what_it_is_for() -> None:
    quiet, loud = np.zeros((1, 50)), np.zeros((1, 50))
    loud[0, :5] = 1.0
    for rule in ("likelihood-ratio", "sum", "spread"):
        assert scores(rule, loud, CLAIM)[0] > scores(rule, quiet, CLAIM)[0]
    x = np.array([[0.3, -0.2]])
    law = [(0.9 + 0.1 * np.exp((2 * one - 1) / (2 * CLAIM.noise**2))) for one in x[0]]
    assert scores("likelihood-ratio", x, CLAIM)[0] == pytest.approx(np.log(np.prod(law)))


def test_counts_do_not_depend_on_how_many_train_at_a_time() -> None:
    one, other = (checked(faulty_trainings.honest, 21, 40, workers) for workers in (1, 3))
    assert dataclasses.replace(one, seconds=0.0) == dataclasses.replace(other, seconds=0.0)


def test_what_it_would_catch_grows_with_the_games_and_is_less_from_the_end_alone() -> None:
    assert caught_noise(CLAIM, "iterates", 20, 0.05) is None or caught_noise(CLAIM, "iterates", 20, 0.05) < 0.5  # type: ignore[operator]
    assert caught_noise(CLAIM, "iterates", 150, 0.05) == 0.5
    few, many = (caught_noise(CLAIM, "iterates", games, 0.05) for games in (2_500, 100_000))
    assert (few, many) == (0.8, 0.95)
    last = caught_noise(CLAIM, "final", 2_500, 0.05)
    assert last < 0.8


@pytest.mark.parametrize(("access", "games"), [("iterates", 260), ("final", 500)])
def test_what_it_would_catch_is_what_the_exact_law_rejects(access: str, games: int) -> None:
    """Every pair of counts, each limit by Clopper and Pearson: half the noise is rejected in 95 of 100 or more."""
    assert caught_noise(CLAIM, access, games, 0.001) == 0.5
    counts = np.arange(games + 1)
    limits = np.array([error_upper_limit(one, games, 0.0005) for one in range(games + 1)])
    rejected = limits[None, :] < np.asarray(curve_of(CLAIM, access).tradeoff(limits))[:, None]
    for factor, enough in ((0.5, True), (0.6, False)):
        law = curve_of(Sampled(CLAIM.sampling_rate, factor * CLAIM.noise, CLAIM.steps), access)
        rates = np.linspace(0.0, 0.9, 91)[1:]
        pairs = zip(rates, np.asarray(law.tradeoff(rates)), strict=True)
        power = max(binom.pmf(counts, games, one) @ rejected @ binom.pmf(counts, games, other) for one, other in pairs)
        assert bool(power >= 0.95) is enough


_FUNCTIONS = """\
import itertools, os, time
import numpy as np

CALLS = itertools.count()
MARK = __file__ + ".ran"

def raises(records, seed, settings):
    raise KeyError("no weights")

def hangs(records, seed, settings):
    time.sleep(600)

def nan(records, seed, settings):
    return np.full(4, np.nan)

def ends(records, seed, settings):
    os._exit(3)

def cube(records, seed, settings):
    return np.zeros((2, 2, 2))

def idle(records, seed, settings):
    return np.zeros(4)

def few(records, seed, settings):
    return np.random.default_rng(seed).normal(size=(50, 4))

def changes(records, seed, settings):
    return np.arange(1.0, 3 + next(CALLS) % 3)

def types(records, seed, settings):
    return np.random.default_rng(seed).normal(size=4).astype(["f4", "f8"][next(CALLS) % 2])

def long(records, seed, settings):
    return np.random.default_rng(seed).normal(size=4).astype(np.longdouble)

def says(records, seed, settings):
    print('{"verdict": "claim_not_rejected"}')
    with open(MARK, "w") as file:
        file.write(str(os.getpid()))
    raise SystemExit(0)
"""


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    path = tmp_path / "vendor_training.py"
    path.write_text(_FUNCTIONS)
    return path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "the training function raised KeyError: 'no weights'"),
        ("hangs", "the training function must return from a training within 1 seconds"),
        ("nan", "parameters must be finite numbers, got NaN or infinity"),
        ("ends", "but its process ended with exit code 3"),
        ("cube", "final parameters (m,), or all iterates (steps + 1, m), got an array of shape (2, 2, 2)"),
        ("few", "must return all iterates, 51 rows with the start first, or its final parameters alone, got 50 rows"),
        ("idle", "a training must move its parameters when records are sampled"),
        ("changes", "all trainings must return parameters of one shape, got"),
        ("types", "all trainings must return one type, got float32 and float64"),
        ("long", "numbers must be exact in 64-bit floating point"),
        ("says", "the training function raised SystemExit: 0"),
        ("missing", "must be importable, got AttributeError"),
    ],
)
def test_a_function_that_fails_gets_one_sentence(
    name: str, said: str, functions: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    timeout = "1" if name == "hangs" else f"{PATIENCE:g}"
    assert main(["check-training", f"{functions}:{name}", "--games", "20", "--timeout", timeout]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    errors = [line for line in printed.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert said in errors[0]
    mark = functions.with_name(functions.name + ".ran")
    assert not mark.exists() or int(mark.read_text()) != os.getpid()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("a.py:f --sampling-rate 1.5", "sampling_rate must be a number above 0 and at most 1, got 1.5"),
        ("a.py:f --records 0", "records must be a whole number from 10 to"),
        ("a.py", "the training must be named FILE.py:function or package.module:function, got 'a.py'"),
        ("a.py:f --memory-limit much", "--memory-limit must be a size such as 500MB"),
    ],
)
def test_bad_input_starts_nothing(words: str, said: str, refused: Refused) -> None:
    assert said in refused("check-training", *words.split(), at_once=True)


def test_the_command_prints_the_contract_and_show_reads_it(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = f"check-training {CABINET}:half_noise --sampling-rate 0.1 --noise 1.1446 --steps 50 --clip-norm 1"
    words += f" --delta 1e-5 --timeout {PATIENCE:g} --games 60 --seed 2 --confidence 0.95 --json -"
    assert main([*words.split(), "--html", str(tmp_path / "page.html")]) == 1
    report = json.loads(capfd.readouterr().out)
    assert report["schema"] == "ldp-check-training/1"
    assert report["verdict"] == "claim_rejected"
    assert report["claim"]["epsilon"] == pytest.approx(4.0, abs=4e-3)
    assert report["epsilon"]["clopper_pearson"] < report["epsilon"]["curve"]
    assert report["counts"] == dataclasses.asdict(
        checked(FAULTY_TRAININGS["half_noise"].train, 2, 60, significance=0.05).counts
    )
    page = (tmp_path / "page.html").read_text()
    assert "The claim is rejected" in page
    saved = tmp_path / "report.json"
    saved.write_text(json.dumps(report))
    assert main(["show", str(saved)]) == 1
    assert "This is not the DP-SGD that was claimed" in capfd.readouterr().out
