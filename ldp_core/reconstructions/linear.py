"""The class-conditional linear estimate, fitted on what public pictures would send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.reconstructions._parts import LOCAL_STEPS, MODEL, PUBLIC, Effort, Knowledge, Rebuilt, Reconstruction, once

if TYPE_CHECKING:
    from torch import Generator, Tensor

_RIDGES = (1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0)
_STEPS = 4


class Linear(Reconstruction):
    """Linear minimum mean squared error, for each class, mixed by how likely the class is.

    Closed form at every noise level. With more noise than signal it gives the mean picture, never worse than a guess
    without any update. Where the noise is below half the signal it goes on by secant steps: what the linear model of
    the gradient misses at the present estimate is taken off the update, and the estimate is made again.

    Source: linear Gaussian estimation (Kay 1993, Theorem 12.1) in the dual form of kernel ridge regression; the
        application to noisy updates is derived here.
    """

    name: ClassVar[str] = "linear"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PUBLIC, LOCAL_STEPS)
    sees: ClassVar[str] = "update"

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        return 200.0 * len(effort.reports) * effort.dimension

    def rebuild(self, knowledge: Knowledge, updates: Tensor, noise: float, batch: int, generator: Generator) -> Rebuilt:
        """Estimate pictures from noisy updates; see ``UpdateAttack.rebuild``."""
        return fitted(knowledge).estimate(updates, noise)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class _Class:
    """The linear model of one class."""

    picture: Tensor
    update: Tensor
    updates: Tensor
    pictures: Tensor
    values: Tensor
    vectors: Tensor
    modes: Tensor
    picture_values: Tensor
    picture_vectors: Tensor

    @classmethod
    def of(cls, images: Tensor, gradients: Tensor) -> _Class:
        import torch

        picture, update = images.mean(dim=0), gradients.mean(dim=0)
        pictures, updates = images - picture, gradients - update
        values, vectors = torch.linalg.eigh((updates @ updates.mT).double())
        gram = torch.linalg.eigh((pictures @ pictures.mT).double())
        modes = vectors.mT.float() @ pictures
        values, picture_values = values.clamp_min(0.0), gram.eigenvalues.clamp_min(0.0)
        return cls(
            picture, update, updates, pictures, values, vectors, modes, picture_values, gram.eigenvectors.float()
        )

    def estimate(self, updates: Tensor, noise: float) -> tuple[Tensor, Tensor]:
        """Return pictures, shape (m, pixels), and log densities of the updates, shape (m,), up to a constant."""
        count, rest = len(self.values), updates - self.update
        parts = (rest @ self.updates.mT).double() @ self.vectors
        weights = self.values + count * noise
        pictures = self.picture + (parts / weights).float() @ self.modes
        squares = rest.double().square().sum(dim=1) - (parts.square() / weights).sum(dim=1)
        return pictures, -0.5 * (squares / noise + (self.values / (count * noise)).log1p().sum())

    def sent_by(self, pictures: Tensor) -> Tensor:
        """Return what the linear model says that pictures send, shape (m, d)."""
        parts = ((pictures - self.picture) @ self.pictures.mT) @ self.picture_vectors
        weights = self.picture_values + 1e-3 * self.picture_values.mean()
        return self.update + ((parts / weights.float()) @ self.picture_vectors.mT) @ self.updates


def _ridge(level: float, error: Callable[[float], float]) -> float:
    """Return the noise, of ``_RIDGES`` in units of a level, with the least error."""
    return min((max(ridge * level, 1e-30) for ridge in _RIDGES), key=error)


class Fit:
    """The linear models of all classes; ``ridge`` is the noise to which what is not modelled amounts."""

    def __init__(self, knowledge: Knowledge) -> None:
        import torch

        self.model, self.shape = knowledge.model, knowledge.images.shape[1:]  # not the key of ``fitted``
        images, gradients = knowledge.images.flatten(1), knowledge.gradients
        self.longest = gradients.norm(dim=1).max()
        of_class = [torch.nonzero(knowledge.labels == label)[:, 0] for label in range(knowledge.num_classes)]
        self.known = [label for label, places in enumerate(of_class) if len(places) >= 10]
        if not self.known:
            most = max(map(len, of_class))
            raise ValueError(f"public training pictures must be at least 10 of one label, got at most {most} of any")
        of_class = [of_class[label] for label in self.known]
        self.prior = torch.tensor([len(places) for places in of_class], dtype=torch.float64)
        self.prior = (self.prior / self.prior.sum()).log()
        tried = [_Class.of(images[places[::5]], gradients[places[::5]]) for places in of_class]
        level = torch.stack([model.values.mean() / len(model.values) for model in tried]).mean().item()
        held_out = [places[1::5] for places in of_class]

        def error(ridge: float) -> float:
            pairs = zip(tried, held_out, strict=True)
            estimates = ((model.estimate(gradients[apart], ridge)[0], images[apart]) for model, apart in pairs)
            return sum((estimate - truth).square().mean().item() for estimate, truth in estimates)

        self.ridge = _ridge(level, error)
        self.classes = [_Class.of(images[places], gradients[places]) for places in of_class]
        self.power = torch.stack([model.updates.square().sum(dim=1).mean() for model in self.classes]).mean().item()
        self.power += torch.stack([model.update.square().sum() for model in self.classes]).mean().item()

    def estimate(self, updates: Tensor, noise: float) -> Rebuilt:
        """Return what ``Linear.rebuild`` does."""
        import torch

        total = noise + self.ridge
        stacked, chances = self._of_classes(updates, total)
        pictures = (chances.float().unsqueeze(2) * stacked).sum(dim=1)
        best = chances.argmax(dim=1)
        signal = self.power / max(noise * updates.shape[1], 1e-30)
        if signal > 1.0 / 3.0:  # cosine above one half
            pictures = self._refined(pictures, updates, total, best)
        images = pictures.clamp(0.0, 1.0).reshape(len(updates), 1, *self.shape)
        return Rebuilt(images, torch.tensor(self.known)[best].unsqueeze(1), chances.max(dim=1).values)

    def labels(self, updates: Tensor, noise: float) -> Tensor:
        """Return the likeliest label of each update, shape (m,)."""
        import torch

        _, chances = self._of_classes(updates, noise + self.ridge)
        return torch.tensor(self.known)[chances.argmax(dim=1)]

    def _of_classes(self, updates: Tensor, noise: float) -> tuple[Tensor, Tensor]:
        """Return the pictures that each class would mean, shape (m, classes, pixels), and how likely the class is."""
        import torch

        estimates = [model.estimate(updates, noise) for model in self.classes]
        chances = torch.stack([density for _, density in estimates], dim=1) + self.prior
        return torch.stack([model for model, _ in estimates], dim=1), chances.softmax(dim=1)

    def _refined(self, pictures: Tensor, updates: Tensor, noise: float, best: Tensor) -> Tensor:
        """Take off what the linear model misses; keep a step only where it explains the update better."""
        import torch

        from ldp_core.learning.gradients import client_gradients

        labels = torch.tensor(self.known)[best]

        def sent(values: Tensor) -> Tensor:
            shown = values.clamp(0.0, 1.0).reshape(len(values), *self.shape)
            return self.shorten(client_gradients(self.model, shown, labels))

        now = sent(pictures)
        errors = (updates - now).square().sum(dim=1)
        step = torch.ones(len(pictures), 1)
        for _ in range(_STEPS):
            tried = pictures.clone()
            for place, model in enumerate(self.classes):
                mine = best == place
                if mine.any():
                    missed = now[mine] - model.sent_by(pictures[mine].clamp(0.0, 1.0))
                    estimates, _ = model.estimate(updates[mine] - missed, noise)
                    tried[mine] += step[mine] * (estimates - pictures[mine])
            sends = sent(tried)
            after = (updates - sends).square().sum(dim=1)
            better = after < errors
            pictures = torch.where(better.unsqueeze(1), tried, pictures)
            now = torch.where(better.unsqueeze(1), sends, now)
            errors = torch.where(better, after, errors)
            step = torch.where(better.unsqueeze(1), step, step / 2)
        return pictures

    def shorten(self, gradients: Tensor) -> Tensor:
        """Return gradients at most as long as the longest that public pictures send."""
        short: Tensor = gradients * (self.longest / gradients.norm(dim=1, keepdim=True).clamp_min(1e-30)).clamp_max(1.0)
        return short


class Direct(Fit):
    """The linear estimate alone: its fit has seen the noise, and an update that it explains well may be noise."""

    def _refined(self, pictures: Tensor, updates: Tensor, noise: float, best: Tensor) -> Tensor:
        return pictures


class LinearMap:
    """One linear estimate for all classes, of targets (p, k) from updates (p, d); for what has no class.

    Source: as ``Linear``; the ridge is chosen on a fifth that is held out.
    """

    def __init__(self, targets: Tensor, updates: Tensor) -> None:
        import torch

        held_out = torch.arange(len(updates)) % 5 == 0
        tried = _Class.of(targets[~held_out], updates[~held_out])
        level = float(tried.values.mean()) / len(tried.values)
        self.ridge = _ridge(
            level,
            lambda ridge: float((tried.estimate(updates[held_out], ridge)[0] - targets[held_out]).square().mean()),
        )
        self.fit = _Class.of(targets, updates)

    def estimate(self, updates: Tensor, noise: float = 0.0) -> Tensor:
        """Return targets behind updates whose numbers have noise of this variance, shape (m, k)."""
        return self.fit.estimate(updates, noise + self.ridge)[0]


fitted = once(Fit)
"""Return the fit to what is known."""
