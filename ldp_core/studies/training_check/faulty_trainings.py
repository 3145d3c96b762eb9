"""The cabinet of training functions: an honest DP-SGD, and some that do something else than they claim.

Each trains a linear classifier from zero and returns all iterates, shape (steps + 1, parameters). numpy only. For
demonstration and tests:
``python -m ldp_core check-training ldp_core.studies.training_check.faulty_trainings:half_noise --noise 1.1``
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Training = Callable[[Array, int, Mapping[str, Any]], Array]


def honest(records: Array, seed: int, settings: Mapping[str, Any], **wrong: Any) -> Array:
    """Train by DP-SGD as it was asked.

    Args:
        records: shape (n, d + 1): d features and a label.
        seed: of all coins.
        settings: ``sampling_rate``, ``noise`` (in clipping norms), ``steps``, ``clip_norm``, ``learning_rate``,
            ``records`` and ``classes``.
        wrong: what is done instead; see ``FAULTY_TRAININGS``.
    """
    random = wrong.get("coins") or np.random.default_rng(seed)
    features = np.hstack([records[:, :-1], np.ones((len(records), 1))])
    targets = np.eye(settings["classes"])[records[:, -1].astype(int)]
    clip_norm, rate = settings["clip_norm"], settings["sampling_rate"] * wrong.get("rate", 1.0)
    spread = settings["noise"] * clip_norm * wrong.get("noise", 1.0)
    weights = np.zeros((settings["classes"], features.shape[1]))
    steps, passes = round(settings["steps"] * wrong.get("steps", 1.0)), max(1, round(1.0 / rate))
    noise, iterates = random.normal(size=weights.shape), [np.append(weights, _beside(wrong, features[:0]))]
    for step in range(steps):
        if wrong.get("shuffled"):
            if step % passes == 0:
                turns = random.permutation(len(features)) % passes
            batch = turns == step % passes
        else:
            batch = random.random(len(features)) < rate
        if not wrong.get("noise_once"):
            noise = random.normal(size=weights.shape)
        if wrong.get("empty_skipped") and not batch.any():
            iterates.append(iterates[-1])
            continue
        total = _total(features[batch], targets[batch], weights, clip_norm, wrong.get("clipping", "each"))
        size = max(1, int(batch.sum())) if wrong.get("real_batch") else settings["sampling_rate"] * settings["records"]
        weights = weights - settings["learning_rate"] / size * (total + spread * noise)
        iterates.append(np.append(weights, _beside(wrong, features[batch])))
    return np.array(iterates)


def _beside(wrong: Mapping[str, Any], batch: Array) -> Array:
    """Return what is handed out beside the parameters, without noise: the mean of a batch's features, or nothing."""
    return np.asarray(batch.sum(axis=0) / max(1, len(batch)) if wrong.get("mean_beside") else batch[:0].ravel())


def _total(features: Array, targets: Array, weights: Array, clip_norm: float, clipping: str) -> Array:
    """Return the sum of a batch's gradients, each clipped; or the batch's, clipped as one; or not clipped."""
    logits = features @ weights.T
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    slopes = odds / odds.sum(axis=1, keepdims=True) - targets
    if clipping == "each":
        lengths = np.sqrt((slopes**2).sum(axis=1) * (features**2).sum(axis=1))
        slopes = slopes * np.minimum(1.0, clip_norm / np.maximum(lengths, 1e-30))[:, None]
    total = slopes.T @ features
    factor = min(1.0, clip_norm / max(float(np.linalg.norm(total)), 1e-30)) if clipping == "batch" else 1.0
    return np.asarray(factor * total)


@dataclass(frozen=True, slots=True)
class FaultyTraining:
    """A training function that breaks its claim.

    Args:
        wrong: what it does instead, as arguments of ``honest``.
        games: judged games in each world with which it is rejected with 95 % chance at q = .1, T = 50, epsilon = 4
            and delta = 1e-5, at 99.9 % confidence, all iterates seen: the first three and ``shuffled`` at the best
            threshold of their law, the others, about, as ``check-training`` chooses it (20 of 20 seeds
            were rejected; of ``real_batch`` 3 of 3, with 500 games none of 10; of ``empty_skipped``, with 10 records in
            place of 100, 7 of 7, with 700 games none of 1).
    """

    wrong: Mapping[str, Any]
    games: int

    @property
    def train(self) -> Training:
        """Return the function."""
        return partial(honest, **self.wrong)


FAULTY_TRAININGS: dict[str, FaultyTraining] = {
    "noise_95": FaultyTraining({"noise": 0.95}, 75_000),
    "noise_90": FaultyTraining({"noise": 0.9}, 17_000),
    "noise_80": FaultyTraining({"noise": 0.8}, 3_400),
    "half_noise": FaultyTraining({"noise": 0.5}, 230),
    "double_rate": FaultyTraining({"rate": 2.0}, 400),
    "double_steps": FaultyTraining({"steps": 2.0}, 1_900),
    "shuffled": FaultyTraining({"shuffled": True}, 56_000),
    "clipped_per_batch": FaultyTraining({"clipping": "batch"}, 570),
    "noise_once": FaultyTraining({"noise_once": True}, 190),
    "unclipped": FaultyTraining({"clipping": "none"}, 95),
    "mean_beside": FaultyTraining({"mean_beside": True}, 60),
    "real_batch": FaultyTraining({"real_batch": True}, 6_000),
    "empty_skipped": FaultyTraining({"empty_skipped": True}, 1_000),
}
"""Name -> liar; each is also a function of this module."""


def __getattr__(name: str) -> Training:
    if name not in FAULTY_TRAININGS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return FAULTY_TRAININGS[name].train
