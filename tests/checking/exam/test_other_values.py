"""A class that takes an epsilon and a clip norm is made for others, too, and must keep those."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, Clause
from ldp_core.checking.exam._exam import examine
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.checking.subjects.python import Limits
from tests.helpers.checking import load
from tests.helpers.patience import PATIENCE

CONFIG = CheckConfig("made", 1.0, 0, dimension=8, reports=5_000, significance=1e-6)
MODULE = "tests.helpers.vendor.light"


class Maker:
    """Makes Laplace noise of 2 L^a / epsilon^b a number, right for a = b = 1."""

    takes = ("epsilon", "clip_norm")

    def __init__(self, a: float, b: float, seed: int) -> None:
        self._powers, self._random = (a, b), np.random.default_rng(seed)

    def remade(self, values: Mapping[str, float]) -> CalledSubject:
        (a, b), bound = self._powers, values["clip_norm"]
        spread = 2.0 * bound**a / values["epsilon"] ** b

        def randomize(gradient: NDArray[Any], num_reports: int) -> NDArray[Any]:
            sent = gradient * min(1.0, bound / max(float(np.linalg.norm(gradient)), 1e-300))
            noise = self._random.laplace(0.0, spread * len(sent) ** 0.5, (num_reports, len(sent)))
            return np.asarray(sent + noise)

        return CalledSubject(randomize)


def asked(config: CheckConfig, subject: Any, maker: Any) -> Clause:
    found = [step.clause for step in examine(config, subject, maker) if step.clause is not None]
    return found[-1]


def made(a: float, b: float, seed: int) -> Clause:
    maker = Maker(a, b, seed)
    return asked(CONFIG, maker.remade({"epsilon": 1.0, "clip_norm": 1.0}), maker)


@pytest.mark.parametrize(("a", "b"), [(2, 1), (0, 1), (-1, 1), (1, -1), (-1, -1), (0, 0), (2, 0)])
def test_noise_that_is_right_at_one_alone_is_broken_elsewhere(a: float, b: float) -> None:
    assert made(a, b, 1).finding == "broken"


def test_noise_that_follows_both_values_is_kept() -> None:
    assert [made(1, 1, seed).passed for seed in range(5)] == [True] * 5


class Coin:
    """Sends one side in a vector whose norm, and whose length, follow from epsilon and the clip norm."""

    takes = ("epsilon", "clip_norm")

    def remade(self, values: Mapping[str, float]) -> CalledSubject:
        random, odds = np.random.default_rng(int(7 * values["epsilon"])), np.exp(values["epsilon"])
        norm, length = values["clip_norm"] * (odds + 1.0) / (odds - 1.0), 2 + round(8.0 / values["epsilon"])

        def randomize(gradient: NDArray[Any], num_reports: int) -> NDArray[Any]:
            side = np.where(random.random(num_reports) < odds / (1.0 + odds), 1.0, -1.0) * np.sign(gradient[0] or 1.0)
            turned = random.normal(size=(num_reports, length - 1))
            turned /= np.linalg.norm(turned, axis=1, keepdims=True)
            return np.asarray(norm * np.concatenate((0.5**0.5 * side[:, None], 0.5**0.5 * turned), axis=1))

        return CalledSubject(randomize)


def test_what_is_sent_for_another_claim_is_judged_by_no_other_question() -> None:
    norm = (np.exp(1.0) + 1.0) / (np.exp(1.0) - 1.0)
    config, maker = replace(CONFIG, report_norm=norm), Coin()
    steps = examine(config, maker.remade({"epsilon": 1.0, "clip_norm": 1.0}), maker)
    found = {step.clause.name: step.clause for step in steps if step.clause is not None}
    assert [name for name, clause in found.items() if clause.passed is False] == []
    assert found["other-values"].finding == "kept"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "finding"), [("OfItsClaim", "kept"), ("OfASquare", "broken"), ("OfOneEpsilon", "refused")]
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_class_is_made_again_in_a_process_of_its_own(name: str, finding: str, workers: int) -> None:
    with closing(load(f"{MODULE}:{name}", CONFIG, limits=Limits(PATIENCE, None, workers))) as subject:
        assert asked(CONFIG, subject, subject).finding == finding


def test_what_takes_neither_is_not_asked() -> None:
    with closing(load(f"{MODULE}:honest", CONFIG, limits=Limits(PATIENCE))) as subject:
        assert subject.takes == ()
        assert asked(CONFIG, subject, subject).name == "unbiased"
