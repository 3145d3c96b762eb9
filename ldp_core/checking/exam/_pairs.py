"""The pairs of inputs of a privacy test: worst cases of one mechanism or another, over the whole ball."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from ldp_core.checking.claims import FAR, FAR_LENGTH, FIXED_PAIRS, LADDER, OWN, CheckConfig, PairFacts
from ldp_core.private import GradientPair

_NEAR_DEGREES, _NEAR_SHARE, _SPARSE_SHARE = 10.0, 16, 8
_STREAM, _MORE_STREAM, _LADDER_STREAM, _FAR_STREAM = 1, 4, 6, 7
_LONGEST_STRETCH, _MOST_TURN = 1.5, math.radians(30.0)
_Array = NDArray[np.float64]


def pairs(config: CheckConfig, client_pairs: Mapping[str, GradientPair] | None = None) -> dict[str, GradientPair]:
    """Return the pairs by their names, of float32 inputs on the CPU that the clipping leaves as they are.

    At the bound L:

    - ``dummy-flip``: the vector of equal entries, and its negative.
    - ``random-directions``: two independent directions (L2: uniform; L-infinity: corners of the cube).
    - ``coordinates``: plus and minus L on one coordinate, drawn at random.
    - ``near-equal``: a random direction and one 10 degrees away (L-infinity: with a sixteenth of the signs turned; in
      one dimension: a tenth shorter).
    - ``zero-and-full``: the zero gradient, and a random direction.
    - ``random-flip``: a random direction and its negative; ``sparse-flip``: likewise on an eighth of the coordinates.

    Inside the ball:

    - ``short-flip``, ``half-flip``, ``quarter-flip``: random directions of length 3/4 L, L / 2 and L / 4, and their
      negatives; ``short-dummy`` and ``short-coordinates``: equal entries, or one coordinate, of length 3/4 L.
    - ``uneven-flip``: a random direction at L, and its opposite of length 3/4 L; ``two-lengths``: the same direction at
      L and at L / 2; ``zero-and-short``: zero, and a random direction of length 3/4 L.
    - ``high-rungs``, ``middle-rungs``, ``low-rungs``, ``lowest-rungs``: random directions and their opposites, each of
      another length (``LADDER``). What happens at one of both lengths alone shows too, in one of both kinds of guesses.

    Pair set 1 has the first five alone, pair set 2 no ladder; ``client_pairs``: the client's own, see ``own_pairs``.

    Source: derived here; a rejection on any of them refutes the claim, because it is made for all pairs.
    """
    named = zip(FIXED_PAIRS, _vectors(config), strict=True)
    return {name: _pair(name, *vectors) for name, vectors in named} | dict(client_pairs or {})


def _vectors(config: CheckConfig) -> Iterator[tuple[_Array, _Array]]:
    """Yield what the fixed pairs are made of, one after another, since all at once would not fit into memory."""
    rng, zero = np.random.default_rng([config.seed, _STREAM]), np.zeros(config.dimension)
    ones, axis = at_clip(config, np.ones(config.dimension)), zero.copy()
    axis[rng.integers(config.dimension)] = config.clip_norm
    yield ones, -ones
    direction, other, base, last = (_direction(config, rng) for _ in range(4))
    yield direction, -direction if np.array_equal(direction, other) else other
    yield axis, -axis
    yield base, _near(config, base, rng)
    yield zero, last
    rng = np.random.default_rng([config.seed, _MORE_STREAM])
    for share in (1.0, 0.75, 0.5, 0.25):
        base = share * _direction(config, rng)
        yield base, -base
    yield 0.75 * ones, -0.75 * ones
    direction, other, last = (_direction(config, rng) for _ in range(3))
    base = _sparse(config, rng)
    yield base, -base
    yield 0.75 * axis, -0.75 * axis
    yield direction, -0.75 * direction
    yield other, 0.5 * other
    yield zero, 0.75 * last
    rng = np.random.default_rng([config.seed, _LADDER_STREAM])
    for first, second in LADDER.values():
        base = _direction(config, rng)
        yield first * base, -second * base


def far_pair(config: CheckConfig) -> dict[str, GradientPair]:
    """Return a random direction of length 100 L and its negative, by its name.

    What is clipped in pieces or in another norm is longer here than any input at the bound lets it be.
    """
    vector = FAR_LENGTH * _direction(config, np.random.default_rng([config.seed, _FAR_STREAM]))
    return {FAR: _pair(FAR, vector, -vector)}


def facts(config: CheckConfig, name: str, pair: GradientPair, parent: str = "") -> PairFacts:
    """Return what may be published of a pair."""
    first, second = (length(config, vector.numpy().astype(np.float64)) for vector in (pair.first, pair.second))
    return PairFacts(name, round(first, 4), round(second, 4), round(pair.geometry.angle_degrees, 2), parent)


def length(config: CheckConfig, vector: _Array) -> float:
    """Return how long an input is in units of L, in the norm that L bounds."""
    norm = np.linalg.norm(vector) if config.clip_order == "l2" else np.abs(vector).max()
    return float(norm) / config.clip_norm


def refined(config: CheckConfig, pair: GradientPair, name: str, rng: Generator) -> GradientPair:
    """Return a pair a little beside another one: both inputs stretched or shortened, one of them turned a little."""
    first, second = (vector.numpy().astype(np.float64) for vector in (pair.first, pair.second))
    common, only = np.exp(rng.uniform(-1.0, 1.0, 2) * math.log(_LONGEST_STRETCH))
    if rng.random() < 0.5:
        second = _turned(config, second, rng)
    first, second = common * first, (only if rng.random() < 0.5 else common) * second
    return _pair(name, _inside(config, first), _inside(config, second))


def own_pairs(first: NDArray[np.floating], second: NDArray[np.floating]) -> dict[str, GradientPair]:
    """Return the client's own pairs by name; inputs of shape (k, d), already within the bound."""
    return {
        f"{OWN}-{number}": _pair(f"{OWN}-{number}", *rows)
        for number, rows in enumerate(zip(first, second, strict=True), start=1)
    }


def at_clip(config: CheckConfig, signs: _Array) -> _Array:
    """Return the vector with these signs and equal entries that lies at the bound, for either order of the norm."""
    return signs * (config.clip_norm / (math.sqrt(config.dimension) if config.clip_order == "l2" else 1.0))


def _direction(config: CheckConfig, rng: Generator) -> _Array:
    if config.clip_order == "linf":
        return at_clip(config, rng.choice(np.array([-1.0, 1.0]), config.dimension))
    vector = rng.standard_normal(config.dimension)
    return vector * (config.clip_norm / float(np.linalg.norm(vector)))


def _sparse(config: CheckConfig, rng: Generator) -> _Array:
    chosen = rng.choice(config.dimension, max(1, config.dimension // _SPARSE_SHARE), replace=False)
    vector = np.zeros(config.dimension)
    vector[chosen] = rng.choice(np.array([-1.0, 1.0]), len(chosen))
    return vector * (config.clip_norm / (float(np.linalg.norm(vector)) if config.clip_order == "l2" else 1.0))


def _near(config: CheckConfig, base: _Array, rng: Generator) -> _Array:
    if config.dimension == 1:
        return 0.9 * base
    if config.clip_order == "linf":
        turned = base.copy()
        turned[rng.choice(config.dimension, max(1, config.dimension // _NEAR_SHARE), replace=False)] *= -1.0
        return turned
    return _rotated(base, rng, math.radians(_NEAR_DEGREES))


def _rotated(base: _Array, rng: Generator, angle: float) -> _Array:
    across = rng.standard_normal(len(base))
    across -= base * float(across @ base) / float(base @ base)
    across *= float(np.linalg.norm(base)) / float(np.linalg.norm(across))
    rotated: _Array = math.cos(angle) * base + math.sin(angle) * across
    return rotated


def _turned(config: CheckConfig, vector: _Array, rng: Generator) -> _Array:
    """Return a vector of the same length, some degrees away; the same one where there is no other direction."""
    if config.dimension == 1 or not vector.any():
        return vector
    if config.clip_order == "linf":
        return _near(config, vector, rng)
    return _rotated(vector, rng, rng.uniform(0.0, _MOST_TURN))


def _inside(config: CheckConfig, vector: _Array) -> _Array:
    """Return the vector, shortened to the bound where it is longer."""
    return vector / max(1.0, length(config, vector))


def _pair(name: str, first: NDArray[np.floating], second: NDArray[np.floating]) -> GradientPair:
    first_tensor, second_tensor = (torch.from_numpy(np.asarray(vector, np.float32)) for vector in (first, second))
    return GradientPair(first_tensor, second_tensor, name)
