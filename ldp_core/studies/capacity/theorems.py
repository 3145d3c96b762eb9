"""Each theorem beside what attackers reach: reports of LDP-SGD, pictures through a channel, one gradient of DP-SGD.

Pictures are named among the public ones, which the attacker knows: N equally likely candidates.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.channels import CHANNELS, Fitted, kept_by
from ldp_core.learning.gradients import clipped
from ldp_core.learning.sent import span_of
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.reconstructions.identify import first, scores_of_reports
from ldp_core.statistics import information
from ldp_core.studies.capacity.result import NAMED_AT, NOISES, REPORTS, CapacityConfig, Point
from ldp_core.studies.capacity.setting import NAMING, Setting, mean_point, share_point

TOGETHER = 40
"""Pictures that are named between two looks at whether the run is still wanted."""
_GAUSSIAN, _GAMES = 1_000, 4


def reports(setting: Setting) -> Iterator[None]:
    """Name pictures from n reports of LDP-SGD; yield after some pictures.

    Charts how many of 100 are named, beside (2c)^n / N, Fano's limit and the general one, and what the reports told
    the exact attacker, beside n times the capacity of one report.
    """
    config, candidates = setting.config, setting.config.public
    mechanism, span = LdpSgd(config.epsilon, config.clip_norm), span_of(setting.gradients)
    victims = _victims(setting, 0)
    right = {"exact": [0] * len(REPORTS), "by_mean": [0] * len(REPORTS)}
    nats: list[list[float]] = [[] for _ in REPORTS]
    for number, victim in enumerate(victims):
        generator, ties = setting.stream(NAMING, 1_000 + number), setting.stream(NAMING, 100_000 + number)
        score_pairs = scores_of_reports(mechanism, span, victim, setting.gradients.shape[1], REPORTS, generator)
        for place, (scores, by_mean) in enumerate(score_pairs):
            right["exact"][place] += first(scores, ties) == victim
            right["by_mean"][place] += first(by_mean, ties) == victim
            nats[place].append(_nats(scores, victim))
        if number % TOGETHER == TOGETHER - 1 or number == len(victims) - 1:
            yield
    capacity = information.report_information(config.epsilon)
    for place, count in enumerate(REPORTS):
        for name, named in right.items():
            setting.note("reports_named", name, share_point(count, named[place], len(victims)))
        for name, limit in (
            ("doubling", information.doubling_limit(config.epsilon, count, candidates)),
            ("fano", information.fano_limit(count * capacity, candidates)),
            ("general", information.general_limit(config.epsilon, count, candidates)),
            ("blind", 1.0 / candidates),
        ):
            setting.note("reports_named", name, Point(count, 100.0 * limit))
        setting.note("reports_told", "exact", mean_point(count, torch.tensor(nats[place])))
        setting.note("reports_told", "channel", Point(count, min(count * capacity, math.log(candidates))))


def kept(setting: Setting) -> Fitted:
    """Return the natural channel of the largest capacity that keeps the goal; raise ``ValueError`` if none does."""
    config = setting.config
    fit, named = partial(setting.channel, "natural"), partial(named_share, setting)
    return kept_by(config.goal, fit, named, config.rounds)


def named_share(setting: Setting, fit: Fitted) -> float:
    """Return the share of public pictures that are named right after a channel, with games and noise of its own."""
    known, victims = setting.public.flatten(1).double().numpy(), _victims(setting, 4)
    return float((_named(setting, fit, known, victims, 400) == victims).mean())


def gaussian(setting: Setting) -> Iterator[None]:
    """Rebuild pictures after the natural channel, and name them after each; yield after each capacity.

    Charts squared errors per pixel on Gaussian data and on real pictures, beside the Gaussian model's floor (Theorem
    1) and water-filling at the capacity of Theorem 2; and how many of 100 are named at small capacities, beside Fano's
    limit.
    """
    config = setting.config
    values, vectors = np.linalg.eigh(setting.covariance)
    eigenvalues = information.eigenvalues_of(setting.covariance)
    mean = setting.public.flatten(1).double().mean(dim=0).numpy()
    known, real = (images.flatten(1).double().numpy() for images in (setting.public, setting.held_out))
    normals = _normals(setting, 10, _GAUSSIAN, len(values))
    drawn = mean + (normals * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    for place, capacity in enumerate(config.capacities):
        fit = setting.channel("natural", capacity)
        for name, error in (
            ("floor", information.gaussian_model_floor(eigenvalues, capacity)[0]),
            ("water", information.water_filling(eigenvalues, capacity)),
            ("theory", fit.wiener_error()),
        ):
            setting.note("gaussian_error", name, Point(capacity, error))
        for number, (name, pictures) in enumerate((("drawn", drawn), ("real", real))):
            sent = fit.add_to(pictures, _normals(setting, 20 + 2 * place + number, *pictures.shape))
            missed = ((sent - mean) @ fit.wiener().T + mean - pictures) ** 2
            setting.note("gaussian_error", name, mean_point(capacity, torch.from_numpy(missed.mean(axis=1))))
        victims = _victims(setting, 1)
        missed = (known[_named(setting, fit, known, victims, 40 + place)] - known[victims]) ** 2
        setting.note("gaussian_error", "nearest", mean_point(capacity, torch.from_numpy(missed.mean(axis=1))))
        yield
    victims = _victims(setting, 2)
    for place, capacity in enumerate(NAMED_AT):
        for number, name in enumerate(CHANNELS):
            named = _named(setting, setting.channel(name, capacity), known, victims, 100 + 10 * place + number)
            setting.note("gaussian_named", name, share_point(capacity, int((named == victims).sum()), len(victims)))
        setting.note("gaussian_named", "fano", Point(capacity, 100.0 * information.fano_limit(capacity, config.public)))
        setting.note("gaussian_named", "blind", Point(capacity, 100.0 / config.public))
        yield


def noise(setting: Setting) -> Iterator[None]:
    """Name the picture behind one clipped gradient with Gaussian noise; yield after each noise multiplier.

    Charts how many of 100 are named, beside Fano's limit from Theorem 4 in both forms, and what the gradient told the
    exact attacker, beside Theorem 4 itself. d of Theorem 4 is that of the candidates' span.
    """
    config, candidates = setting.config, setting.config.public
    clean = clipped(setting.gradients, config.clip_norm)
    dimension, victims = min(clean.shape), _victims(setting, 3)
    halves = clean.double().square().sum(dim=1) / 2
    for place, multiplier in enumerate(NOISES):
        spread = multiplier * config.clip_norm
        draws = torch.empty(len(victims), clean.shape[1]).normal_(generator=setting.stream(NAMING, 200 + place))
        scores = (((clean[victims] + spread * draws) @ clean.mT).double() - halves) / spread**2
        ties, games_ = setting.stream(NAMING, 300 + place), list(zip(scores, victims, strict=True))
        right = sum(first(row, ties) == victim for row, victim in games_)
        nats = torch.tensor([_nats(row, victim) for row, victim in games_])
        setting.note("noise_named", "exact", share_point(multiplier, right, len(victims)))
        setting.note("noise_told", "exact", mean_point(multiplier, nats))
        for name, most in (
            ("dp_limit", information.dp_sgd_capacity(multiplier, 1)),
            ("dp_dimension", information.dp_sgd_capacity(multiplier, 1, dimension)),
        ):
            setting.note("noise_named", name, Point(multiplier, 100.0 * information.fano_limit(most, candidates)))
            setting.note("noise_told", name, Point(multiplier, min(most, math.log(candidates))))
        setting.note("noise_named", "blind", Point(multiplier, 100.0 / candidates))
        yield


def games(config: CapacityConfig) -> int:
    """Return how often a picture is named: a share needs more of them than a mean."""
    return _GAMES * config.pictures


def _victims(setting: Setting, number: int) -> list[int]:
    """Return which candidate is sent each time, drawn with equal chances: four games for each picture asked for."""
    shape = (games(setting.config),)
    victims: list[int] = torch.randint(setting.config.public, shape, generator=setting.stream(NAMING, number)).tolist()
    return victims


def _normals(setting: Setting, number: int, count: int, dimension: int) -> NDArray[np.float64]:
    drawn = torch.empty(count, dimension, dtype=torch.float64).normal_(generator=setting.stream(NAMING, number))
    normals: NDArray[np.float64] = drawn.numpy()
    return normals


def _named(
    setting: Setting, fit: Fitted, known: NDArray[np.float64], victims: list[int], number: int
) -> NDArray[np.int64]:
    """Return which candidate is nearest to each noisy picture, after whitening the noise."""
    sent = fit.add_to(known[victims], _normals(setting, number, len(victims), known.shape[1]))
    return fit.nearest(sent, known)


def _nats(scores: Tensor, victim: int) -> float:
    """Return what the posterior gained on the true candidate; its mean over games is the mutual information."""
    return float(scores.log_softmax(dim=0)[victim]) + math.log(len(scores))
