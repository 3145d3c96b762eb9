"""Our numbers beside those that the papers print, and what the difference is worth."""

import math
import statistics
from dataclasses import dataclass, replace

from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.presentation.tables._cells import Row, View, attacks_of, identification_table, row
from ldp_core.presentation.tables._pairs import FLIPPED_DEGREES
from ldp_core.statistics import estimates, intervals, published, theory
from ldp_core.types import AuditResult, TrialCounts

SIGNIFICANCE = 0.01
"""Chance that sampling alone makes any of the differences of one table count as unexplained."""
REASONS: dict[str, str] = {
    "training": "the share depends on how far the model was trained, and the paper's training is not known",
    "pairs": "the share depends on which ten pairs were drawn, and the paper's pairs are not known",
    "label": "the paper does not say which other label is given; --wrong-label has the two usual choices",
    "data": "the paper measured on MNIST; these images are others, or not known by their digest to be MNIST's",
    "subset": "the paper measured on all of MNIST, this is a subset of it",
    "clip": "the clipping norm is not the paper's 1",
    "rule": "the distinguisher is not the paper's cosine",
    "mechanism": "the mechanism is not LDP-SGD as the paper describes it",
    "short": "our pairs fall short of the worst case in norm or angle, so that the exact law expects less",
    "unexplained": "neither training nor pairs explain it: one of the two sides errs",
    "constant": "the server's constant as printed is 1/d of the unbiased one, and which one was used is not stated: "
    "--server-steps unbiased,printed,0.1 counts each",
    "unstated": "neither epsilon nor the radius of the server's ball is stated",
    "bias": "a point estimate near 0 is mostly its own upward bias",
    "opposed": "the rule as printed is right less often than a coin here, so that its estimate is below 0; reproduce "
    "--items m-table3 turns it round",
}
"""Why a number may differ from the printed one, or why no match is claimed: code -> English text."""


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One number of [J] Table 1 beside ours. Shares are in [0, 1], differences in points of 100.

    Args:
        difference: ours minus the printed share.
        error: the most that sampling on both sides and the rounding of the printed share explain.
        explained: whether the difference is at most that.
        reasons: keys of ``REASONS`` that may explain the rest; empty where ``explained``.
        published_point: the printed mean point estimate of epsilon, in nats; None where none is printed.
    """

    row: Row
    published: float
    difference: float
    error: float
    explained: bool
    reasons: tuple[str, ...]
    published_point: float | None


@dataclass(frozen=True, slots=True)
class ClientsRow:
    """One black-box cell by its number of clients.

    Args:
        row: ours.
        published: the printed mean point estimate of epsilon, for benign pairs and Eq. 6 only, else None.
        reasons: keys of ``REASONS`` for why no match is claimed; empty without a printed number.
        explained: whether the cell's epsilon and server step would print that number: its distance to the mean of our
            point estimates is at most what chance and rounding explain; None where that cannot be said.
        crowd: what a linear rule would reach if the other clients' gradients were orthogonal to the pair and the
            server did not project (``theory.crowd_identification``), a share; None unless the pairs are flipped.
    """

    row: Row
    published: float | None
    reasons: tuple[str, ...]
    explained: bool | None = None
    crowd: float | None = None

    @property
    def shortfall(self) -> float | None:
        """How far ours stays below ``crowd``, in points of 100; None without it."""
        return None if self.crowd is None else 100.0 * (self.crowd - self.row.identification.point)


def published_table(result: CompareResult, dataset: str, view: View | None = None) -> tuple[PublishedRow, ...]:
    """Return [J] Table 1 beside ours.

    The sampling error of a difference is two-sided at ``SIGNIFICANCE`` over the number of rows: the distance of each
    side's share to that end of its Clopper-Pearson interval that faces the other, the two added as squares
    (Newcombe 1998), plus the rounding of the printed share.

    A share that depends on the images (``published.ON_TRAINING``) is explained only where they are MNIST's.

    ``view``: which cell stands for an attack that has several; the papers' rule without it.
    """
    comparisons = [
        (ours, published.IDENTIFICATION[ours.attack][ours.epsilon])
        for ours in identification_table(result, dataset, "white", view)
        if ours.epsilon in published.IDENTIFICATION.get(ours.attack, {})
    ]
    significance = SIGNIFICANCE / max(1, len(comparisons))
    images = images_of(result, dataset)
    return tuple(_compared(ours, share, significance, result.config, images) for ours, share in comparisons)


def images_of(result: CompareResult, dataset: str) -> str:
    """Return whether a data set's images are those of the published table, known by their digest.

    Returns "whole" for all of MNIST, "subset" for a known subset of it, else "others": another data set, unknown images
    under MNIST's name, or a result that does not record its images.
    """
    data = result.data(dataset)
    known = data.known if data else None
    if known is None or known.dataset != published.DATASET:
        return "others"
    return "whole" if known.whole else "subset"


def published_heading(result: CompareResult, dataset: str) -> str:
    """Return the heading under which a data set's numbers may stand beside the published ones; "" for none."""
    images = images_of(result, dataset)
    if images == "others":
        return ""
    data, heading = result.data(dataset), "Beside the published Table 1 (MNIST)"
    assert data is not None
    if images == "subset":
        heading += f"; ours: a subset of MNIST, {data.num_training:,} + {data.num_held_out:,} images"
    return heading


def clients_table(result: CompareResult, dataset: str) -> tuple[ClientsRow, ...]:
    """Return every black-box cell, by attack, rule, epsilon, step and clients ([M] Table 3); no match is claimed.

    Whether a cell explains a printed mean is told at ``SIGNIFICANCE`` over the number of such cells, two-sided by
    Student's t with the spread of our measurements on both sides, and only for measurements as long as the paper's:
    the upward bias of a point estimate depends on its trials.
    """
    attacks = attacks_of(result)
    cells = [cell for cell in result.select(dataset=dataset, test="black") if cell.counts.num_trials]
    images = images_of(result, dataset)
    cell_rows = [(cell, replace(_beside_published(row(cell), images), crowd=_crowd(cell))) for cell in cells]
    level = SIGNIFICANCE / max(1, sum(item.published is not None for _, item in cell_rows))
    rows = [replace(item, explained=_mean_explained(cell, item.published, level)) for cell, item in cell_rows]
    steps = result.config.server_steps

    def order(item: ClientsRow) -> tuple[int, str, float, float, int, int]:
        cell = item.row
        place = steps.index(cell.server_step)
        return attacks.index(cell.attack), cell.rule, cell.strength, cell.epsilon, place, cell.clients

    return tuple(sorted(rows, key=order))


def _crowd(cell: AuditResult) -> float | None:
    """Return the law of a sum for a cell's pairs, averaged over its trials; None unless all are flipped."""
    config, total = cell.config, 0.0
    for item in cell.measurements:
        pair = item.pair
        if pair.angle_degrees < FLIPPED_DEGREES:
            return None
        law = theory.crowd_identification(
            config.epsilon, config.clients, pair.norm_first, pair.norm_second, config.clip_norm
        )
        total += law * item.counts.num_trials
    return total / cell.counts.num_trials


def _mean_explained(cell: AuditResult, printed: float | None, significance: float) -> bool | None:
    """Say whether chance explains how far the mean of our point estimates is from a printed one."""
    from scipy.stats import t

    trial_counts = [item.counts for item in cell.measurements]
    points = [estimates.epsilon_point(counts) for counts in trial_counts]
    finite = [point for point in points if point is not None and math.isfinite(point)]
    long = all(counts.num_trials == published.NUM_TRIALS for counts in trial_counts)
    if printed is None or len(finite) < max(2, len(points)) or not long:
        return None
    spread = statistics.stdev(finite) * math.sqrt(1.0 / len(finite) + 1.0 / published.NUM_MEASUREMENTS)
    error = float(t.isf(significance / 2.0, len(finite) - 1)) * spread + published.POINT_ROUNDING
    return abs(statistics.mean(finite) - printed) <= error


def _compared(ours: Row, share: float, significance: float, config: CompareConfig, images: str) -> PublishedRow:
    trials = published.NUM_MEASUREMENTS * published.NUM_TRIALS
    right = round(share * trials)
    theirs = intervals.identification_interval(TrialCounts(right, trials - right, 0, 0), significance)
    count = round(ours.identification.point * ours.trials)
    counts = TrialCounts(count, ours.trials - count, 0, 0)
    mine = intervals.identification_interval(counts, significance, anytime=not ours.completed)
    assert theirs is not None, "the paper has trials"
    assert mine is not None, "a row has trials"
    low, high = (mine, theirs) if mine.point < share else (theirs, mine)
    error = math.hypot(low.upper - low.point, high.point - high.lower) + published.ROUNDING
    difference = mine.point - share
    comparable = images != "others" or ours.attack not in published.ON_TRAINING
    explained = comparable and abs(difference) <= error
    reasons = () if explained else _reasons(ours, config, images)
    point = published.POINT_EPSILON.get(ours.attack) if ours.epsilon == published.POINT_AT else None
    return PublishedRow(ours, share, 100.0 * difference, 100.0 * error, explained, reasons, point)


def _reasons(ours: Row, config: CompareConfig, images: str) -> tuple[str, ...]:
    reasons: list[str] = []
    if config.mechanism != "ldp-sgd":
        reasons.append("mechanism")
    if ours.rule != "cosine":
        reasons.append("rule")
    if config.clip_norm != 1.0:
        reasons.append("clip")
    if ours.attack in published.ON_TRAINING:
        reasons += ["training", "pairs"]
        if ours.attack == published.OTHER_LABEL:
            reasons.append("label")
        if images != "whole":
            reasons.append("data" if images == "others" else "subset")
    elif ours.expected is not None and ours.expected < ours.promise - 1e-6:
        reasons.append("short")
    return tuple(reasons) or ("unexplained",)


def _beside_published(ours: Row, images: str) -> ClientsRow:
    fits = ours.attack == published.CLIENTS_ATTACK and ours.rule == published.CLIENTS_RULE
    share = published.CLIENTS.get(ours.clients) if fits else None
    if share is None:
        return ClientsRow(ours, None, ())
    other = {"whole": (), "subset": ("subset",), "others": ("data",)}[images]
    why = "opposed" if ours.identification.upper < 0.5 else "bias"
    return ClientsRow(ours, share, ("constant", "unstated", why, *other))
