"""Whom must you trust: what exact laws and proven bounds say before any game is played; nothing here loads torch."""

import math
from dataclasses import dataclass
from functools import lru_cache

from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS, claimed_delta
from ldp_core.statistics import amplification, views
from ldp_core.statistics.amplification import Shuffled
from ldp_core.statistics.plane_sum import PlaneSum
from ldp_core.statistics.views import OTHERS, Summed
from ldp_core.studies.trust.config import CAPPED, TrustConfig
from ldp_core.types import PairGeometry


@dataclass(frozen=True, slots=True)
class Sight:
    """What the exact law says of one view with "uniform" or "agree" others: the ends between which real clients lie.

    ``identification``: how often the best attacker is right; ``epsilon``: the least, in nats, with which the view of
    this pair keeps delta.
    """

    view: str
    others: str
    identification: float
    epsilon: float


def amplified(config: TrustConfig) -> dict[str, float]:
    """Return the shuffled epsilon at delta, in nats, by each of the bounds that hold for every randomizer."""
    bounds = (amplification.clones, amplification.feldman_2021, amplification.feldman_2023)
    return {bound.__name__: bound(config.epsilon, config.honest, config.delta) for bound in bounds}


def is_amplified(config: TrustConfig) -> bool:
    """Return whether the bounds of ``amplified`` hold of what is seen: they are for a local delta of 0."""
    return config.view != "local" and MECHANISMS[config.mechanism](config.epsilon, config.clip_norm).delta == 0.0


def promised_delta(config: TrustConfig) -> float:
    """Return the delta of what is promised of a view: of the shuffled promise where it holds, else the mechanism's."""
    return config.delta if is_amplified(config) else claimed_delta(config.mechanism)


def sights(config: TrustConfig, pair: PairGeometry) -> tuple[Sight, ...]:
    """Return what the best attacker sees of a pair in every view, at both ends; () for mechanisms without a law."""
    if config.mechanism not in LDP_SGD_FAMILY:
        return ()
    return _sights(config.epsilon, config.clip_norm, pair, config.honest, config.delta)


@lru_cache(maxsize=256)
def _sights(epsilon: float, clip_norm: float, pair: PairGeometry, clients: int, delta: float) -> tuple[Sight, ...]:
    local = views.shuffled_view(epsilon, clip_norm, pair, 1, OTHERS[0])
    sights = [Sight("local", others, local.identification(), local.epsilon(delta)) for others in OTHERS[:2]]
    for view, law_of in (("shuffled", views.shuffled_view), ("aggregated", views.best_sum)):
        for others in OTHERS[:2]:
            law = law_of(epsilon, clip_norm, pair, clients, others)
            sights.append(Sight(view, others, law.identification(), law.epsilon(delta)))
    return tuple(sights)


def shuffled_law(config: TrustConfig, pair: PairGeometry, dimension: int) -> Shuffled | None:
    """Return the laws of the regions by which the best attacker guesses about a list; None where they are not known.

    For PrivUnit a region is a gradient's cap instead of its half space, and the pair must be opposite.
    """
    others = "uniform" if config.others == "real" else config.others
    if config.mechanism in LDP_SGD_FAMILY:
        return views.shuffled_view(config.epsilon, config.clip_norm, pair, config.reports, others)
    if config.mechanism != CAPPED or pair.angle_degrees < 180.0 - 1e-4:
        return None
    cap = MECHANISMS[CAPPED](config.epsilon, config.clip_norm).cap(dimension)  # type: ignore[attr-defined]
    away = (1.0 - cap.hit) * cap.mass / (1.0 - cap.mass)
    laws = []
    for norm, near in ((pair.norm_first, True), (pair.norm_second, False)):
        keeps = 0.5 + min(norm / config.clip_norm, 1.0) / 2.0
        own_chance, other = keeps * cap.hit + (1.0 - keeps) * away, keeps * away + (1.0 - keeps) * cap.hit
        inside = (own_chance, other) if near else (other, own_chance)
        laws.append((0.0, *inside, 1.0 - own_chance - other))
    crowd = laws[0] if others == "agree" else (0.0, cap.mass, cap.mass, 1.0 - 2.0 * cap.mass)
    return Shuffled(laws[0], laws[1], crowd, config.reports)


def expected_identification(config: TrustConfig, pair: PairGeometry, dimension: int) -> float | None:
    """Return what the exact law expects of the rule that is played; None where none is known, as for real clients."""
    if config.others == "real" and config.reports > 1:
        return None
    if config.rule == "best" and not config.sums:
        law = shuffled_law(config, pair, dimension)
        return None if law is None else law.identification()
    if config.mechanism == "gaussian":
        return _gaussian_sum(config, pair)
    if config.mechanism not in LDP_SGD_FAMILY:
        return None
    if config.rule == "best":
        summed = sum_law(config, pair)
        return None if summed is None else summed.identification()
    setting = (config.epsilon, config.clip_norm, pair, config.reports)
    if pair.angle_degrees == 0.0:
        return 0.5
    if config.others != "agree" or config.reports == 1:
        return views.uniform_sum_identification(*setting)
    return views.summed_view(*setting, config.others).cosine_identification()


def sum_law(config: TrustConfig, pair: PairGeometry) -> Summed | PlaneSum | None:
    """Return the law by which the best attacker guesses about a sum; None where it is none, or not known."""
    if config.rule == "cosine" or config.mechanism not in LDP_SGD_FAMILY or config.others == "real" or not config.sums:
        return None
    law = views.best_sum(config.epsilon, config.clip_norm, pair, config.reports, config.others)
    return None if isinstance(law, Shuffled) else law


def _gaussian_sum(config: TrustConfig, pair: PairGeometry) -> float | None:
    """Return the cosine rule's law of Gaussian reports of opposite gradients, the others' orthogonal: normal, exact."""
    if (config.others == "agree" and config.reports > 1) or pair.angle_degrees < 180.0 - 1e-4:
        return None
    deviation = MECHANISMS["gaussian"](config.epsilon, config.clip_norm).noise_deviation  # type: ignore[attr-defined]
    norms = [min(norm, config.clip_norm) for norm in (pair.norm_first, pair.norm_second)]
    spread = deviation * math.sqrt(2.0 * config.reports)
    return 0.5 + math.fsum(math.erf(norm / spread) for norm in norms) / 4.0
