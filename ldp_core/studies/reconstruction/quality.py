"""How near rebuilt pictures come to the true ones: what is measured of each, and the result of all."""

import math
from dataclasses import replace

import torch
from torch import Generator, Tensor

from ldp_core.channels import importance_levels
from ldp_core.datasets import ImageData
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import Knowledge, Rebuilt
from ldp_core.reconstructions._parts import cosine, mse, seen_by, ssim, window_of
from ldp_core.statistics import intervals
from ldp_core.studies.reading import Estimate
from ldp_core.studies.reconstruction.result import (
    CLASSES,
    LOOKALIKES,
    RANGES,
    SHARES,
    SIMILAR,
    ReconstructionConfig,
    ReconstructionResult,
    ReportsResult,
    proportion,
)


class Quality:
    """What was measured so far of the held-out pictures of a data set, rebuilt from what a model's updates tell."""

    def __init__(self, config: ReconstructionConfig, data: ImageData, model: ThreeLayerCnn) -> None:
        self.config, self.data = config, data
        self.seen = seen_by(model, data.images[:1])
        self._window = window_of(self.seen)
        self._levels: Tensor | None = None
        if config.maps:
            channels, size = data.images.shape[1:3]
            levels = torch.from_numpy(importance_levels(channels, size, config.importance_map)).float()
            self._levels = (levels / levels.mean()).reshape(channels, size, size).sqrt()
        self.values: dict[str, list[list[float]]] = {}
        self.sure: list[list[float]] = [[] for _ in config.counts]
        self.named: list[list[int]] = [[] for _ in config.counts]
        self.named_by_mean: list[list[int]] = [[] for _ in config.counts]
        self.bases: dict[str, list[float]] = {"mean": [], "class_mean": []}
        self.dimension = sum(values.numel() for values in model.parameters())

    def of_batch(
        self, number: int, estimate: Rebuilt, row: int, images: Tensor, labels: Tensor, places: Tensor
    ) -> None:
        """Measure one batch; its pictures are matched so that the errors are least."""
        rebuilt, named = estimate.images[row], estimate.labels[row]
        pairs = _matched(rebuilt, images)
        mine, true = (list(places) for places in zip(*pairs, strict=True))
        self._note_likeness(number, rebuilt[mine], images[true])
        tops = [self._top1(rebuilt[mine], images[true], int(labels[true]), int(places[true])) for mine, true in pairs]
        self._note("top1", number, tops)
        found_labels, true_labels = named.tolist(), labels.tolist()
        right = sum(min(found_labels.count(label), true_labels.count(label)) for label in set(true_labels))
        self._note("label_right", number, [1.0] * right + [0.0] * (len(images) - right))
        if estimate.sureness is not None:
            self.sure[number].append(float(estimate.sureness[row]))

    def _part(self, *pictures: Tensor) -> tuple[Tensor, ...]:
        """Return what the network sees of pictures."""
        return tuple(images[..., self._window, self._window] for images in pictures)

    def _top1(self, rebuilt: Tensor, true: Tensor, label: int, place: int) -> float:
        """Return 1 if the true picture is the nearest of 20 of its label, else 0."""
        others = lookalikes(self.data, label, place, stream_generator(self.config.seed, place, 0, LOOKALIKES))
        shown, wanted, among = self._part(rebuilt, true, others)
        return float(bool((mse(shown, wanted) < mse(shown.unsqueeze(0), among)).all()))

    def of_guesses(self, knowledge: Knowledge, images: Tensor, labels: Tensor) -> None:
        """Measure what needs no report: the mean of the public pictures, and that of the label's."""
        guess, means = knowledge.images.mean(dim=0), knowledge.class_means()
        self.bases["mean"] += mse(images, guess).tolist()
        self.bases["class_mean"] += mse(images, means[labels]).tolist()

    def _note_likeness(self, number: int, rebuilt: Tensor, true: Tensor) -> None:
        """Note how near some pictures come, shape (n, channels, size, size): whole, and what the network sees."""
        self._note("mse", number, mse(rebuilt, true).tolist())
        if self._levels is not None:
            self._note("important_mse", number, mse(self._levels * rebuilt, self._levels * true).tolist())
        shown, wanted = self._part(rebuilt, true)
        self._note("psnr", number, [_decibel(error) for error in mse(shown, wanted).tolist()])
        self._note("ssim", number, ssim(shown, wanted).tolist())
        self._note("cosine", number, cosine(shown, wanted).tolist())

    def _note(self, name: str, number: int, values: list[float]) -> None:
        self.values.setdefault(name, [[] for _ in self.config.counts])[number] += values

    def of_classes(self, knowledge: Knowledge, pictures: Tensor) -> None:
        """Measure one picture of each class, asked of a model, against the class's mean picture."""
        centres = knowledge.class_means()
        shown, wanted = self._part(pictures, centres)
        self._note_likeness(0, pictures, centres)
        nearest = torch.stack([mse(row, wanted).argmin() for row in shown])
        self._note("label_right", 0, (nearest == torch.arange(CLASSES)).float().tolist())
        self.bases["mean"] = mse(centres, knowledge.images.mean(dim=0)).tolist()

    def of_candidate(self, place: int, images: Tensor, labels: Tensor, guess: int, victim: int) -> None:
        """Measure the candidate that was named against the one that was sent."""
        self._note_likeness(place, images[[guess]], images[[victim]])
        self._note("label_right", place, [float(labels[guess] == labels[victim])])

    def result(self, before: ReconstructionResult, done: int, planned: int) -> ReconstructionResult:
        """Return what was measured so far, of so many pictures of those planned."""
        entries = []
        for place, count in enumerate(self.config.counts):
            measured: dict[str, Estimate | None] = {}
            for name, values in self.values.items():
                finite = [value for value in values[place] if math.isfinite(value)]
                share = name in SHARES
                measured[name] = proportion(round(sum(finite)), len(finite)) if share else _mean(finite, *RANGES[name])
            sure = self.sure[place]
            named = self.named[place]
            entries.append(
                ReportsResult(
                    count, done, **measured,
                    sureness=sum(sure) / len(sure) if sure else None,
                    right=sum(named) if named else None,
                    right_by_mean=sum(self.named_by_mean[place]) if named else None,
                )
            )  # fmt: skip
        bases = {name: sum(values) / len(values) if values else None for name, values in self.bases.items()}
        blind = 1.0 - float(self.seen.float().mean())
        return replace(
            before, results=tuple(entries), baselines=bases, dimension=self.dimension, blind=blind,
            completed=done == planned,
        )  # fmt: skip


def lookalikes(data: ImageData, label: int, place: int, generator: Generator) -> Tensor:
    """Return 19 held-out pictures of a label, or all if there are fewer, none of them the one at ``place``."""
    same = torch.nonzero(data.labels == label)[:, 0]
    same = same[same != place]
    return data.images[same[torch.randperm(len(same), generator=generator)[: SIMILAR - 1]]]


def _matched(rebuilt: Tensor, images: Tensor) -> list[tuple[int, int]]:
    """Return which rebuilt picture is compared with which true one, so that the squared errors are least."""
    if len(images) == 1:
        return [(0, 0)]
    from scipy.optimize import linear_sum_assignment

    costs = mse(rebuilt.unsqueeze(1), images.unsqueeze(0)).double().numpy()
    rows, columns = linear_sum_assignment(costs)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _mean(values: list[float], low: float, high: float) -> Estimate | None:
    """Return a mean with Student's 95 % interval, cut to what is possible; None without values, no ends for one."""
    interval = intervals.mean_interval(values, 0.05)
    if interval is None:
        return None
    point, lower, upper = interval
    if lower is None or upper is None:
        return Estimate(point, None, None)
    return Estimate(point, max(lower, min(low, point)), min(upper, max(high, point)))


def _decibel(error: float) -> float:
    """Return the peak signal to noise ratio of a squared error, for pictures in [0, 1]."""
    return -10.0 * math.log10(error) if error > 0.0 else math.inf
