"""Whether equal reports of one input stand together, or apart, as independent draws would not.

How often values come again tells nothing by itself: a response over few values repeats itself, too. But where reports
are independent draws of one law, whatever law, every place is as likely for each copy of a value: within a call or in
another one, in one process or the next, before a restart or after it.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.exam._clauses_links import Link
from ldp_core.checking.exam._clauses_sample import Sample

_PARTS = (1, 2, 3, 4, 16)
"""Into how many parts, one after the other, each sample is cut; copies of a value are in one part or in two."""
_STAKES = (0.5, 0.05)
_ONE_INPUT = ("base", "single", "first-start", "second-start", "last")
"""Samples of the same input, from one process or another."""


def again(samples: Mapping[str, Sample], seed: int) -> Link:
    """Hold the places of equal reports against chance, in all samples that are there, by name."""
    usable = {name: sample for name, sample in samples.items() if sample.usable and name != "other"}
    pooled = [[usable.pop(name) for name in _ONE_INPUT if name in usable], *([sample] for sample in usable.values())]
    return placed(pooled, seed)


def placed(groups: Sequence[Sequence[Sample]], seed: int) -> Link:
    """Hold the places of equal reports of one input against chance.

    The multiset of the reports given, their places are exchangeable. Copies of a value are turned up one by one, in an
    order that a seed shuffles, and each is bet to lie in the part of the copy before: with probability r / R, if r of
    the R places that are still covered are in that part. Against q = r / R stand q + s (1 - q) and q (1 - s), for each
    stake s and number of parts; the mean of all products is an e-value, its inverse a p-value that holds for every law.

    ``groups``: those of one input are a group; the products of different inputs are multiplied.
    Returns a link with the finding "again": reports that came before, different reports, and all of them.

    Source: Vovk and Wang 2021 (e-values); Markov's inequality.
    """
    rng, logs = np.random.default_rng([seed, 0xA6A1]), np.zeros((len(_PARTS), 2 * len(_STAKES)))
    reports = different = 0
    for group in filter(None, groups):
        marks = np.concatenate([sample.marks for sample in group])
        values = np.unique(marks, return_inverse=True)[1]
        order = rng.permutation(len(marks))
        order = order[np.argsort(values[order], kind="stable")]
        for row, parts in zip(logs, _PARTS, strict=True):
            row += _bets(values[order], _places(group, parts)[order])
        reports, different = reports + len(marks), different + int(values.max(initial=-1)) + 1
    e_value = float(np.exp(np.minimum(logs, 600.0)).mean())
    return Link(min(1.0, 1.0 / e_value), "again", reports - different, different, reports)


def _places(group: Sequence[Sample], parts: int) -> NDArray[np.intp]:
    """Return the part of each report; every sample has parts of its own."""
    cut = [np.arange(sample.size) * parts // max(1, sample.size) for sample in group]
    return np.concatenate([place + parts * number for number, place in enumerate(cut)])


def _bets(values: NDArray[np.intp], places: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the logarithms of what was made of one by bets on "together" and on "apart", for each of the stakes.

    ``values``: of the reports in the order in which they are turned up, equal ones in a row; ``places``: part of each.
    """
    left = np.bincount(places).tolist()
    covered, before, again, chances = len(places), (-1, -1), list[bool](), list[float]()
    for value, place in zip(values.tolist(), places.tolist(), strict=True):
        if value == before[0] and 0 < left[before[1]] < covered:
            again.append(place == before[1])
            chances.append(left[before[1]] / covered)
        left[place] -= 1
        covered, before = covered - 1, (value, place)
    hit, chance = np.array(again, bool), np.array(chances)
    odds = chance / (1.0 - chance)
    together = [np.where(hit, np.log1p(stake / odds), np.log1p(-stake)).sum() for stake in _STAKES]
    apart = [np.where(hit, np.log1p(-stake), np.log1p(stake * odds)).sum() for stake in _STAKES]
    return np.array(together + apart)
