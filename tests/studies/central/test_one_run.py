"""One training with many canaries: the bound is the paper's, holds, and catches who leaves the noise out."""

import json
import math

import pytest
from scipy.stats import binom

from ldp_core.statistics.one_run import lower_bound, p_value
from ldp_core.studies.central.one_run import audit
from ldp_core.studies.central.result import CentralConfig
from tests.cli.commands import Refused, Run

pytestmark = pytest.mark.law


@pytest.mark.parametrize("delta", [0.0, 1e-5, 1e-3])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 4.0])
@pytest.mark.parametrize(("canaries", "guesses", "right"), [(1_000, 50, 45), (100, 100, 60), (20, 3, 3), (500, 40, 0)])
def test_the_chance_is_that_of_the_loop(canaries: int, guesses: int, right: int, epsilon: float, delta: float) -> None:
    """Algorithm 2 of Steinke et al. 2023, step by step."""
    chance = 1 / (1 + math.exp(-epsilon))
    alpha = total = 0.0
    for place in range(1, right + 1):
        total += binom.pmf(right - place, guesses, chance)
        alpha = max(alpha, total / place)
    expected = min(1.0, binom.sf(right - 1, guesses, chance) + alpha * 2 * canaries * delta)
    assert p_value(canaries, guesses, right, epsilon, delta) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("guesses", [60, 200])
def test_against_randomized_response_the_bound_is_wrong_in_5_of_100_at_most(epsilon: float, guesses: int) -> None:
    """Exact: each guess is right with chance e^epsilon / (1 + e^epsilon), the most that epsilon allows."""
    chance = 1 / (1 + math.exp(-epsilon))
    above = [right for right in range(guesses + 1) if lower_bound(1_000, guesses, right, 0.0, 0.05) > epsilon]
    assert binom.pmf(above, guesses, chance).sum() <= 0.05
    assert binom.pmf(above, guesses, chance).sum() > 0.005


def test_a_larger_delta_shows_less() -> None:
    shown = [lower_bound(1_000, 100, 95, delta, 0.05) for delta in (0.0, 1e-5, 1e-4, 1e-3)]
    assert shown == sorted(shown, reverse=True)
    assert shown[0] > shown[-1]


@pytest.mark.parametrize(("epsilon", "low", "high"), [(1.0, 0.0, 0.6), (4.0, 1.1, 1.9), (10.0, 2.4, 3.6)])
def test_games_by_the_law_show_about_what_was_measured(epsilon: float, low: float, high: float) -> None:
    found = audit(CentralConfig("gradient", 1, epsilon=epsilon, law=True), 5_000, 250)
    assert low <= found.epsilon <= high < epsilon


@pytest.mark.parametrize("model", ["mlp", "logistic"])
def test_a_real_training_shows_something_and_never_more_than_is_true(model: str) -> None:
    found = audit(CentralConfig("gradient", 1, epsilon=4.0, model=model), 600, 30)
    assert 0.5 < found.epsilon < 4.0
    blind = audit(CentralConfig("gradient", 1, epsilon=4.0, model=model, noise_factor=10.0), 600, 30)
    assert blind.epsilon < found.epsilon


def test_the_command_prints_json_and_rejects_who_leaves_the_noise_out(run: Run) -> None:
    words = "--epsilon 4 --canaries 5000 --law --noise-factor 0.1 --seed 2 --json -"
    code, out, _ = run("central", *words.split())
    report = json.loads(out)
    assert code == 1
    assert report["schema"] == "ldp-central-one-run/1"
    assert report["verdict"] == "claim_rejected"
    assert (report["guesses"], report["confidence"]) == (250, 0.95)
    assert report["epsilon"] > 4.0
    assert report["claim"]["noise"] == pytest.approx(1.1445, abs=2e-4)
    code, printed, _ = run("central", "--model", "mlp", "--canaries", "600", "--seed", "2")
    assert code == 0
    assert "not rejected, which proves nothing" in printed
    assert "confidence 95 %" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--canaries 100 --guesses 101", "guesses must be a whole number from 1 to 100, got 101"),
        ("--model logistic --canaries 651", "canaries must be at most the 650 parameters of logistic, got 651"),
        ("--guesses 5", "--guesses must be given with --canaries, got it alone"),
        (
            "--canaries 100 --adversary malicious-data --threshold-games 20 --html a.html --download --device cuda",
            "with --canaries one model is trained here, so others must be left out, got --adversary, "
            "--threshold-games, --html, --download, --device",
        ),
    ],
)
def test_bad_input_gets_one_sentence(words: str, said: str, refused: Refused) -> None:
    assert said in refused("central", *words.split())
