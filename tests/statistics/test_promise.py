"""What a promise is worth by itself: fixed limits, and the sentence that stands behind every verdict."""

import math

import pytest

from ldp_core.game.advice import lowered
from ldp_core.statistics import promise, theory
from ldp_core.words import LANGUAGES, document, promises


@pytest.mark.parametrize(
    ("epsilon", "delta", "word", "right"),
    [
        (0.5, 0.0, "strong", "62.25"), (0.5000001, 0.0, "fair", "62.25"), (1.0, 0.0, "fair", "73.11"),
        (1.0000001, 0.0, "weak", "73.11"), (2.0, 0.0, "weak", "88.08"), (4.0, 0.0, "very_weak", "98.21"),
        (8.0, 0.0, "hardly_any", "99.97"), (0.1, 0.5, "weak", "76.25"),
    ],
)  # fmt: skip
def test_a_promise_has_one_word_and_a_number_rounded_up(epsilon: float, delta: float, word: str, right: str) -> None:
    share = (math.exp(epsilon) + delta) / (1.0 + math.exp(epsilon))
    assert promise.to_dict(epsilon, delta) == {"promise_identification": pytest.approx(share), "promise_strength": word}
    assert 0 <= float(right) - 100 * share < 0.01
    for language in LANGUAGES:
        words = document(language)
        said = promises.sentence(words, epsilon, delta)
        assert words[f"strength_word_{word}"] in said
        assert right in said
        assert ("73.11" in said) is (word != "strong" and (epsilon, delta) != (0.5000001, 0.0))


def test_many_reports_make_a_weak_promise_of_a_strong_one() -> None:
    assert promise.strength(1.0, reports=1) == "fair"
    assert promise.identification(1.0, reports=10) == theory.rounds_identification(1.0, 10)
    assert promise.strength(1.0, reports=10) == "very_weak"


def test_nothing_reads_as_certain_and_no_advice_names_a_weak_promise() -> None:
    words = document("en")
    assert "more than 99.9999 times" in promises.sentence(words, 30.0)
    assert [lowered(epsilon) for epsilon in (30.0, 8.0, 2.0, 0.5, 0.01)] == [1.0, 1.0, 1.0, 0.25, 0.01]


def test_several_promises_are_named_one_by_one() -> None:
    words = document("en")
    said = promises.sentence_of_many(words, (0.5, 8.0))
    assert "strong at ε = 0.5 (best attacker: 62.25 of 100)" in said
    assert "as good as none at ε = 8 (best attacker: 99.97 of 100)" in said
    assert promises.sentence_of_many(words, (8.0,)) == promises.sentence(words, 8.0)
