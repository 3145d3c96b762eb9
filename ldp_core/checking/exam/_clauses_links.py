"""Whether reports that belong together are more alike, or less, than reports that do not."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from ldp_core.checking.exam._clauses_odds import fisher_p, sign_p
from ldp_core.checking.exam._clauses_sample import Sample

TESTS_OF_A_LINK = 13
"""Whether equal; and four similarities, and two more of noise, each at two thresholds."""
TESTS_OF_A_COPY = 2
"""Whether noise comes again, or its negative."""
TESTS_OF_AN_ORDER, _ENTRIES = 8, 64
"""Three numbers of a report, and its leading entries as one, each held against the next and a later report."""
_IN_A_ROW = (4, 8, 16, 32)
TESTS_OF_SUMS = len(_IN_A_ROW)
_ROUNDING = 1e-5
"""Differences below this part of a value, or of the mean absolute value, may be rounding errors."""
_FEW = 16
"""The second threshold is passed by one pair in so many."""
_AWAY = 0.382
"""How far away, in parts of a sample: workers that answer an equal part each begin elsewhere."""
_Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, slots=True)
class Link:
    """The sharpest difference between pairs that belong together and pairs that do not.

    Args:
        p: the smallest p-value of at most ``TESTS_OF_A_LINK``.
        finding: ``same`` for equal reports, ``again`` for such anywhere, ``alike`` for similar ones, ``ordered`` for
            such as come in an order, ``summed`` for such whose noise cancels, or adds up.
        close: pairs that belong together and are that similar.
        far: pairs that do not and are.
        pairs: number of pairs of either kind.
    """

    p: float = 1.0
    finding: str = "alike"
    close: int = 0
    far: int = 0
    pairs: int = 0


def adjacent(sample: Sample, offset: int) -> Link:
    """Hold reports against the next one, and as many others against one asked far away.

    Reports that are alike by twos may begin anywhere: ask with the offsets 0 and 1.
    """
    first, second, third, fourth = (np.arange(sample.size // 4) * 4 + (offset + place) % 4 for place in range(4))
    near, away = (first, second), (third, np.roll(fourth, round(_AWAY * len(fourth))))
    return _link(sample, sample, near, away)


def matched(first: Sample, second: Sample) -> Link:
    """Hold the i-th report of one sample against the i-th of the other, and as many others against a distant one."""
    size = min(first.size, second.size) // 2
    even, odd = np.arange(size) * 2, np.arange(size) * 2 + 1
    return _link(first, second, (even, even), (odd, np.roll(odd, round(_AWAY * size))))


def copied(first: Sample, second: Sample, offset: int = 0) -> Link:
    """Count pairs with the same noise, or its negative: a report of one sample and one of the other, asked near it.

    Noise is what a report has along the first input beyond it. Of n pairs h agree by chance with probability at most
    S^h (n - h)! / (h! n!), if S of all n^2 pairs agree: that bounds the mean number of sets of h that do, because the
    order of independent draws of one law is random. ``offset``: how much later the report of the second sample stands.

    Source: derived here; Markov's inequality.
    """
    along = first.gradient / np.linalg.norm(first.gradient.astype(np.float64))
    first_noise, second_noise = (_noise(sample, along) for sample in (first, second))
    second_noise = second_noise[offset:]
    size, best = min(len(first_noise), len(second_noise)), Link()
    for sign in (1.0, -1.0):
        values, others = settled(first_noise[:size], sign * second_noise[:size])
        hits = int((values == others).sum())
        _, places, counts = np.unique(np.concatenate((values, others)), return_inverse=True, return_counts=True)
        ours = np.bincount(places[:size], minlength=len(counts))
        agreeing = int(ours @ (counts - ours))
        log_p = hits * math.log(max(1, agreeing)) + gammaln(size - hits + 1) - gammaln(size + 1) - gammaln(hits + 1)
        if hits and (p := min(1.0, math.exp(min(0.0, log_p)))) < best.p:
            best = Link(p, "alike", hits, round((agreeing - hits) / size), size)
    return best


def _noise(sample: Sample, along: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return inner products of reports with a direction, less those of their inputs where these are as long."""
    if sample.lengths != (len(sample.gradient),):
        return sample.along
    return sample.along - np.where(sample.turned, -1.0, 1.0) * float(sample.gradient @ along)


def ordered(sample: Sample, *, entries: bool = False) -> Link:
    """Count in how many pairs of reports of one answer the later one is the larger, in one number of a report.

    Numbers are the inner products and the norm, or the leading entries and their sum, which count as one. Pairs are a
    report and the next one, and one of the early half of an answer and one of its late half; no two share a report.
    Where reports are independent draws, either order is as likely: an exact sign test, ties left out.
    """
    even = np.arange(0, sample.size - 1, 2)
    early = np.concatenate([np.arange(start, start + size // 2) for start, size in _answers(sample)])
    late = np.concatenate([np.arange(start, start + size // 2) + size // 2 for start, size in _answers(sample)])
    best = Link(finding="ordered")
    leading = sample.rows[:, :_ENTRIES]
    numbers = [*leading.T, leading.sum(axis=1)] if entries else [sample.along, sample.across, sample.norms]
    tests = len(numbers) if entries else 1
    for number in numbers:
        values = settled(number)[0]
        for before, after in ((even, even + 1), (early, late)):
            rising, falling = int((values[after] > values[before]).sum()), int((values[after] < values[before]).sum())
            p = min(1.0, tests * sign_p(rising, falling))
            if p < best.p:
                best = Link(p, "ordered", rising, falling, rising + falling)
    return best


def summed(sample: Sample) -> Link:
    """Count which sums are among the longer half: of reports in a row, and of as many that stand apart.

    Those in a row are of the first half of a sample, the others of the second. No two sums share a report, so they are
    exchangeable where reports are.
    """
    noise, best = sample.rows - sample.rows.mean(axis=0), Link(finding="summed")
    for number in _IN_A_ROW:
        size = sample.size // (2 * number)
        first, second = noise[: size * number], noise[size * number : 2 * size * number]
        sums = first.reshape(size, number, -1).sum(axis=1), second.reshape(number, size, -1).sum(axis=0)
        lengths = settled(*(np.linalg.norm(rows, axis=1) for rows in sums))
        if size:
            middle = np.partition(np.concatenate(lengths), size)[size]
            longer, others = (int((part >= middle).sum()) for part in lengths)
            p = fisher_p(longer, size, others, size)
            best = min(best, Link(p, "summed", longer, others, size), key=lambda link: link.p)
    return best


def settled(*parts: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return values in which those that follow each other closer than rounding errors may move them are one.

    What is compared must be settled together: apart, values of one law would be merged by different measures. Where a
    report stands in an answer decides how its last bits are rounded, in sums here and in the mechanism alike.
    """
    values = np.concatenate(parts)
    order, sizes = np.argsort(values, kind="stable"), np.abs(values)
    usual = sizes.mean() if len(values) else 0.0  # not the largest, which would hide all others of a heavy tail
    steps = np.diff(values[order]) > _ROUNDING * np.maximum(sizes[order][1:], usual)
    first = np.concatenate(([0], np.where(steps, np.arange(1, len(values)), 0)))[: len(values)]
    values[order] = values[order][np.maximum.accumulate(first)]
    return np.split(values, np.cumsum([len(part) for part in parts[:-1]]))


def _answers(sample: Sample) -> list[tuple[int, int]]:
    """Return where each answer begins in a sample, and how many reports it has."""
    starts, sizes = np.unique(sample.answers, return_index=True, return_counts=True)[1:]
    return list(zip(starts.tolist(), sizes.tolist(), strict=True))


def constant(sample: Sample) -> bool:
    return bool((sample.marks == sample.marks[0]).all())


def _link(first: Sample, second: Sample, near: _Pairs, away: _Pairs) -> Link:
    """Compare pairs that share no report, so that all are independent where reports are."""
    pairs = len(near[0])
    both = _similarities(first, second, *(np.concatenate(sides) for sides in zip(near, away, strict=True)))
    close, far = ({name: values[part] for name, values in both.items()} for part in (slice(pairs), slice(pairs, None)))
    best = Link(pairs=pairs)
    for name in close:
        for threshold in (0.5,) if name == "same" else _thresholds(close[name], far[name]):
            hits = int((close[name] >= threshold).sum()), int((far[name] >= threshold).sum())
            p = fisher_p(hits[0], pairs, hits[1], pairs)
            if p < best.p:
                best = Link(p, "same" if name == "same" else "alike", *hits, pairs)
    return best


def _thresholds(close: NDArray[np.float64], far: NDArray[np.float64]) -> tuple[float, float]:
    """Return a value that about half of all pairs reach, and one that few do; of the pooled pairs alone."""
    values, counts = np.unique(np.concatenate((close, far)), return_counts=True)
    reached = counts[::-1].cumsum()[::-1]
    half, few = (int(np.abs(reached - share).argmin()) for share in (len(close), 2 * len(close) // _FEW))
    return float(values[half]), float(values[few])


def _similarities(
    first: Sample, second: Sample, first_places: NDArray[np.intp], second_places: NDArray[np.intp]
) -> dict[str, NDArray[np.float64]]:
    rows, others = first.rows[first_places], second.rows[second_places]
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(others, axis=1)
    similarities = {
        "same": (first.marks[first_places] == second.marks[second_places]).astype(np.float64),
        "cosine": np.abs(np.einsum("ij,ij->i", rows, others)) / np.where(lengths > 0.0, lengths, 1.0),
        "distance": -np.linalg.norm(rows - others, axis=1),
        "along": -np.abs(np.subtract(*settled(first.along[first_places], second.along[second_places]))),
        "entries": (np.abs(rows) == np.abs(others)).mean(axis=1),
    }
    if first.lengths == (len(first.gradient),):
        noise, other_noise = rows - first.inputs(first_places), others - second.inputs(second_places)
        similarities["noise"] = -np.linalg.norm(noise - other_noise, axis=1)
        similarities["shifted"] = _most_alike(noise, other_noise)
    return similarities


def _most_alike(noise: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest absolute correlation of rows over all shifts of one along the other, shape (n,)."""
    lengths, size = (
        (np.linalg.norm(values, axis=1, keepdims=True) + 1e-300 for values in (noise, others)),
        noise.shape[1],
    )
    spectra = [np.fft.rfft(values / length, 2 * size) for values, length in zip((noise, others), lengths, strict=True)]
    return np.asarray(np.abs(np.fft.irfft(spectra[0] * spectra[1].conj(), 2 * size)).max(axis=1))
