"""Which of N known pictures was it? The exact posterior over candidates, and the guess by the mean report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from ldp_core.reconstructions._parts import CANDIDATES, LOCAL_STEPS, MODEL, Effort, Reconstruction

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.sent import Turning


class Identify(Reconstruction):
    """Computes what each candidate would send, and names the one that fits best.

    Each report of LDP-SGD is a noisy answer to "on which side of this plane does the update lie?". The exact rule adds
    log(1 + sign(r . g_i) a_i tanh(epsilon/2)) over reports; the mean of the reports is not sufficient and needs more.
    """

    name: ClassVar[str] = "identify"
    knows: ClassVar[tuple[str, ...]] = (MODEL, CANDIDATES, LOCAL_STEPS)
    sees: ClassVar[str] = "reports"

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        if effort.turned:
            return effort.reports[-1] * (effort.candidates + effort.candidates**2 / 100.0)
        return float(len(effort.reports)) * effort.candidates * effort.dimension


def by_reports(
    mechanism: Turning,
    candidates: tuple[Tensor, Tensor],
    victim: int,
    dimension: int,
    counts: Sequence[int],
    generator: Generator,
) -> tuple[list[int], list[int], list[float]]:
    """Name the candidate behind the first n reports, for rising ``counts`` n.

    The mechanism is LDP-SGD, whose law the attacker knows; ``candidates`` are coordinates (N, k) and norms (N,) of what
    each would send, see ``learning.sent.span_of``; ``victim`` is the one that sends, and d the ``dimension`` of an
    update.
    Returns for each n the guess by the exact posterior, the guess by the mean, and the posterior of the first guess.
    """
    exact, mean, sure = list[int](), list[int](), list[float]()
    for scores, by_mean in scores_of_reports(mechanism, candidates, victim, dimension, counts, generator):
        place = first(scores, generator)
        exact.append(place)
        sure.append(float((scores - scores[place]).softmax(dim=0)[place]))
        mean.append(first(by_mean, generator))
    return exact, mean, sure


def scores_of_reports(
    mechanism: Turning,
    candidates: tuple[Tensor, Tensor],
    victim: int,
    dimension: int,
    counts: Sequence[int],
    generator: Generator,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield for each n how well each candidate fits the first n reports, and how well it fits their mean alone.

    The first are log likelihoods up to a constant; both have shape (N,). Arguments as in ``by_reports``.
    """
    import torch

    from ldp_core.learning.sent import span_reports

    directions, norms = candidates
    lengths = (norms / mechanism.clip_norm).clamp_max(1.0)
    bias = 2.0 * mechanism.same_side_probability - 1.0
    plus = (lengths * bias).log1p()
    # Full length: 1 - bias loses all digits at large epsilon.
    rest = 1.0 - lengths
    minus = (rest + lengths * 2.0 * (1.0 - mechanism.same_side_probability)).clamp_min(1e-300).log()
    across = directions.float().mT.contiguous()
    signs, total = torch.zeros(len(norms), dtype=torch.float64), torch.zeros(directions.shape[1], dtype=torch.float64)
    done = 0
    norm = float(norms[victim])
    for count in counts:
        blocks = span_reports(mechanism, directions[victim], norm, dimension, count - done, generator)
        for reports in blocks:
            signs += (reports @ across).sign_().sum(dim=0)
            total += reports.sum(dim=0)
        done = count
        yield (
            (count + signs) / 2 * plus + (count - signs) / 2 * minus,
            (directions @ total) * lengths - _half_square(lengths, bias, dimension) * count,
        )


def by_mean(estimate: Tensor, sent: Tensor, halves: Tensor, generator: Generator) -> int:
    """Name the candidate whose noiseless update lies nearest to an unbiased estimate: exact for white Gaussian noise.

    ``sent`` is what each candidate would send without noise, shape (N, d), ``halves`` half of the squared length of
    each.
    """
    return first(sent @ estimate - halves, generator)


def _half_square(lengths: Tensor, bias: float, dimension: int) -> Tensor:
    """Return the penalty on a candidate's length: half its squared expected report over the report's unit."""
    ratio = math.exp(math.lgamma(dimension / 2) - math.lgamma((dimension + 1) / 2)) / math.sqrt(math.pi)
    return lengths.square() * (bias * ratio / 2)


def first(scores: Tensor, generator: Generator) -> int:
    """Return the place of the largest score; ties are settled by chance."""
    import torch

    best = torch.nonzero(scores >= scores.max() - 1e-9 * scores.abs().max())[:, 0]
    return int(best[torch.randint(len(best), (1,), generator=generator)])
