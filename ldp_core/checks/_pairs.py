"""The pairs of inputs that every privacy test tries: worst cases of one mechanism or another."""

import math

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from ldp_core.claims import PAIRS, CheckConfig
from ldp_core.private import GradientPair

_NEAR_DEGREES, _NEAR_SHARE = 10.0, 16
_STREAM = 1


def pairs(config: CheckConfig) -> dict[str, GradientPair]:
    """Return the pairs by their names, of float32 inputs on the CPU that the clipping leaves as they are.

    - ``dummy-flip``: the vector of equal entries at the bound, and its negative.
    - ``random-directions``: two independent directions at the bound (L2: uniform; L-infinity: corners of the cube).
    - ``coordinates``: plus and minus L on one coordinate, drawn at random.
    - ``near-equal``: a random direction and one 10 degrees away (L-infinity: with a sixteenth of the signs turned).
    - ``zero-and-full``: the zero gradient, and a random direction at the bound.

    Source: derived here; a rejection on any of them refutes the claim, because it is made for all pairs.
    """
    rng = np.random.default_rng([config.seed, _STREAM])
    dimension = config.dimension
    ones = np.ones(dimension)
    axis = np.zeros(dimension)
    axis[rng.integers(dimension)] = config.clip_norm
    one, other, base, full = (_direction(config, rng) for _ in range(4))
    if np.array_equal(one, other):
        other = -one
    made = (
        (at_clip(config, ones), -at_clip(config, ones)),
        (one, other),
        (axis, -axis),
        (base, _near(config, base, rng)),
        (np.zeros(dimension), full),
    )
    return {name: _pair(name, *vectors) for name, vectors in zip(PAIRS, made, strict=True)}


def at_clip(config: CheckConfig, signs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vector with these signs and equal entries that lies at the bound, for either order of the norm."""
    return signs * (config.clip_norm / (math.sqrt(config.dimension) if config.clip_order == "l2" else 1.0))


def _direction(config: CheckConfig, rng: Generator) -> NDArray[np.float64]:
    if config.clip_order == "linf":
        return at_clip(config, rng.choice(np.array([-1.0, 1.0]), config.dimension))
    vector = rng.standard_normal(config.dimension)
    return vector * (config.clip_norm / float(np.linalg.norm(vector)))


def _near(config: CheckConfig, base: NDArray[np.float64], rng: Generator) -> NDArray[np.float64]:
    if config.clip_order == "linf":
        turned = base.copy()
        turned[rng.choice(config.dimension, max(1, config.dimension // _NEAR_SHARE), replace=False)] *= -1.0
        return turned
    across = rng.standard_normal(config.dimension)
    across -= base * float(across @ base) / float(base @ base)
    across *= config.clip_norm / float(np.linalg.norm(across))
    angle = math.radians(_NEAR_DEGREES)
    return math.cos(angle) * base + math.sin(angle) * across


def _pair(name: str, first: NDArray[np.float64], second: NDArray[np.float64]) -> GradientPair:
    one, other = (torch.from_numpy(vector.astype(np.float32)) for vector in (first, second))
    return GradientPair(one, other, name)
