"""What is seen of a training, and the judge that says whether the record was in: chosen and taught on other games."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.columns import Learned, Ranks, Unlike, features
from ldp_core.errors import MechanismContractError
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.curve_test import Thresholds
from ldp_core.studies.training_check.result import CANARIES, RULES, TAUGHT, TrainingCheckConfig, curve_of

Array = NDArray[Any]
PROBES = 4
"""How often each of the four kinds of records that are all alike is trained on, before the games."""
_CLEAREST, _NOISIER = 8, 4.0
_LARGEST = 1e100
"""Numbers beyond it are cut off, so that squares and sums stay finite."""


class Seen:
    """What one sees of a training: products with the canary's direction, less the others' direction; and all columns.

    ``probes``: answers to trainings of records that are all alike, (rows, m) each, ``PROBES`` of each of four kinds in
    turn; ``steps``: claimed T.
    """

    def __init__(self, probes: list[Array], steps: int) -> None:
        self._shape = probes[0].shape
        self._check(probes)
        if 1 < len(probes[0]) <= steps:  # a judge of all iterates would hold for less than it sees
            raise MechanismContractError(
                f"a training must return all iterates, {steps + 1:,} rows with the start first, or its final "
                f"parameters alone, got {len(probes[0]):,} rows"
            )
        self.access = "final" if len(probes[0]) == 1 else "iterates"
        self.iterates = len(probes[0])
        ends = np.array([probe[-1].clip(-_LARGEST, _LARGEST) for probe in probes]).reshape(PROBES, 2, 2, -1)
        with_canary, others = (ends[:, :, 0] - ends[:, :, 1]).mean(axis=0)
        spread = np.sqrt(ends.var(axis=0).mean(axis=(0, 1)))
        if self.iterates > 1:  # what is drawn anew in each row does not add up
            steps = np.mean([np.diff(probe.clip(-_LARGEST, _LARGEST), axis=0).std(axis=0) for probe in probes], axis=0)
            spread = np.maximum(spread, math.sqrt(self.iterates - 1) * steps)
        trusted = _trusted(with_canary, spread)
        with_canary, others = trusted * with_canary, trusted * others
        size = float(np.linalg.norm(with_canary))
        if not size > 0.0:
            raise MechanismContractError(
                "a training must move its parameters when records are sampled, got the same parameters for both labels"
            )
        if (length := float(others @ others)) > 0.0:
            with_canary = with_canary - (with_canary @ others / length) * others
        self._direction = with_canary / np.linalg.norm(with_canary)

    def looks(self, iterates: Array) -> Array:
        """Return the products, one for each step or one for the final parameters, then ``columns.features``."""
        self._check([iterates])
        iterates = iterates.clip(-_LARGEST, _LARGEST)
        along = iterates @ self._direction
        return np.concatenate([along if self.access == "final" else np.diff(along), features(iterates)])

    def _check(self, answers: list[Array]) -> None:
        for answer in answers:
            if answer.shape != self._shape:
                raise MechanismContractError(
                    f"all trainings must return parameters of one shape, got {self._shape} and {answer.shape}"
                )


def _trusted(moved: Array, spread: Array) -> Array:
    """Return weights of columns: 1, less where one is far noisier than those that a record moves most clearly.

    ``moved``: by the record; ``spread``: of trainings that are alike; both of shape (m,). Without weights the noise of
    one column that is no parameter would drown what all others show.
    """
    noisy = np.flatnonzero(spread > 0.0)
    clearest = noisy[np.argsort(-np.abs(moved[noisy] / spread[noisy]))[:_CLEAREST]]
    usual = _NOISIER * float(np.median(spread[clearest])) if len(clearest) else math.inf
    return np.asarray(1.0 / np.maximum(1.0, spread / usual) ** 2)


@dataclass(frozen=True, slots=True)
class _Judge:
    """What says "in": canary, rule and threshold, the number of products, and the units in which they are taken."""

    canary: str
    rule: str
    threshold: float
    products: int
    centre: float
    unit: float
    learned: Mapping[str, Callable[[Array, Array], Array]]
    config: TrainingCheckConfig

    def scores(self, looks: Array) -> Array:
        """Return the scores of games, shape (games,), from what is seen of them."""
        columns, along = looks[:, self.products :], (looks[:, : self.products] - self.centre) / self.unit
        if self.rule in self.learned:
            return self.learned[self.rule](along, columns)
        return scores(self.rule, along, self.config.claim, self.config.changed)


def _taught(inside: Array, outside: Array, along: Array) -> dict[str, Callable[[Array, Array], Array]]:
    """Return the rules of ``TAUGHT``, of products and columns.

    They are learned from columns of games with and without the record, and from products of those without it.
    """
    ranks, sums, unlike = Ranks.of(inside, outside), Learned.of(inside, outside), Unlike.of(along)
    placed = Learned.of(ranks.places(inside), ranks.places(outside))
    return {
        "columns": lambda _, columns: sums.scores(columns),
        "ranks": lambda _, columns: placed.scores(ranks.places(columns)),
        "unlike": lambda products, _: unlike.scores(products),
    }


def scores(rule: str, products: Array, claim: Sampled, changed: bool = False) -> Array:
    """Return the scores of games: the larger, the likelier the record was in.

    ``rule``: in ``RULES``; ``products``: of each step, in claimed clipping norms, shape (games, steps); ``claim``: by
    which the likelihood ratio is computed; ``changed``: whether the record pulls the other way in the other world.
    """
    if rule == "sum":
        return np.asarray(products.sum(axis=1))
    if rule == "spread":
        return np.asarray(products.std(axis=1))
    if changed:
        return scores(rule, products, claim) - scores(rule, -products, claim)
    exponents = math.log(claim.sampling_rate) + (2.0 * products - 1.0) / (2.0 * claim.noise**2)
    rest = math.log1p(-claim.sampling_rate) if claim.sampling_rate < 1.0 else -math.inf
    return np.asarray(np.logaddexp(rest, exponents).sum(axis=1))


def chosen(config: TrainingCheckConfig, seen: Seen, looks: dict[tuple[str, bool], Array]) -> _Judge:
    """Return the judge that does best on the other games: whose limits are furthest below the claimed curve.

    Rules that are learned, are learned from their first half, and do what they do on the second.
    """
    claim, best, judge_of_best = config.claim, -math.inf, None
    access, products = seen.access, max(1, seen.iterates - 1)
    for canary in CANARIES:
        inside, outside = (looks[canary, world] for world in (True, False))
        centre, spread = float(outside[:, :products].mean()), float(outside[:, :products].std())
        if config.changed:
            centre = (centre + float(inside[:, :products].mean())) / 2.0
        unit = spread / (claim.noise * (math.sqrt(claim.steps) if access == "final" else 1.0))
        half = config.threshold_games // 2
        unit = unit if unit > 0.0 else 1.0
        along = (outside[:half, :products] - centre) / unit
        learned = _taught(inside[:half, products:], outside[:half, products:], along)
        for rule in RULES[access]:
            judge = _Judge(canary, rule, 0.0, products, centre, unit, learned, config)
            begin = half if rule in TAUGHT else 0
            offered = Thresholds.of(judge.scores(inside[begin:]), judge.scores(outside[begin:]), most=400)
            threshold, margin = offered.furthest_below(curve_of(claim, access, config.changed), config.significance)
            if margin > best:
                best, judge_of_best = margin, replace(judge, threshold=threshold)
    assert judge_of_best is not None
    return judge_of_best
