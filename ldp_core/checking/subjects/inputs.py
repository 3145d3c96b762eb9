"""The client's own pairs of inputs, from a file that stays on this device: their values are kept nowhere."""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core._validate import limits
from ldp_core.checking.claims import FAR_LENGTH, MOST_OWN, CheckConfig
from ldp_core.checking.subjects import _npz
from ldp_core.checking.subjects._key import read_content
from ldp_core.private import Private

_TOLERANCE = 1e-6
MOST_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class OwnInputs(Private):
    """Pairs of inputs. Private.

    ``first``: the first inputs of k pairs, shape (k, d), float32; ``second``: the second ones, same shape; ``longest``:
    how long they may be, in units of L.
    """

    first: NDArray[np.float32] = field()
    second: NDArray[np.float32] = field()
    longest: float = 1.0

    @property
    def digest(self) -> str:
        """SHA-256 of shape and values, in hexadecimal: it tells whether a check was made with these inputs."""
        parts = (np.array(self.first.shape, "<i8"), self.first.astype("<f4"), self.second.astype("<f4"))
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def read_inputs(path: Path, longest: float = 1.0) -> OwnInputs:
    """Return the pairs of an ``.npz`` with arrays ``first`` and ``second``, each of shape (k, d), k from 1 to 64.

    ``path``: of the file; nothing in it is run, and no pickle is read. ``longest``: how long an input may be, in units
    of L.
    Raises ``ChallengeError`` if it is no such file; ``ValueError`` if an input is not finite, or both of a pair are
    equal.
    """
    description, most = "the file of inputs", int(limits(CheckConfig, "dimension")[1])
    content = read_content(path, description, MOST_BYTES)
    first, second = (
        _npz.read_rows(content, name, range(1, MOST_OWN + 1), most, MOST_BYTES, description)
        for name in ("first", "second")
    )
    if first.shape != second.shape:
        raise ValueError(f"first and second must have one shape (k, d), got {first.shape} and {second.shape}")
    with np.errstate(over="ignore"):
        first, second = first.astype(np.float32), second.astype(np.float32)
    for name, rows in (("first", first), ("second", second)):
        if not np.isfinite(rows).all():
            wrong = int((~np.isfinite(rows)).sum())
            raise ValueError(f"{name} must hold finite numbers of single precision, got {wrong} that are not")
    same = np.flatnonzero((first == second).all(axis=1))
    if len(same):
        raise ValueError(f"the two inputs of a pair must differ, got equal ones in row {int(same[0])}")
    return OwnInputs(first, second, longest)


def asked_with(config: CheckConfig, inputs: OwnInputs) -> CheckConfig:
    """Return the configuration of a check that also tries the client's own pairs.

    Raises ``ValueError`` if they are of another dimension than its inputs, or longer than allowed, but for rounding.
    """
    if inputs.first.shape[1] != config.dimension:
        raise ValueError(f"own inputs must have {config.dimension} numbers each, got {inputs.first.shape[1]}")
    for name, values in (("first", inputs.first), ("second", inputs.second)):
        rows = values.astype(np.float64)
        lengths = np.linalg.norm(rows, axis=1) if config.clip_order == "l2" else np.abs(rows).max(axis=1)
        longest = int(np.argmax(lengths))
        if lengths[longest] > inputs.longest * config.clip_norm * (1.0 + _TOLERANCE):
            most = "at most as long as" if inputs.longest == 1.0 else f"at most {inputs.longest:g} times as long as"
            raise ValueError(
                f"every input must be {most} the clipping norm {config.clip_norm:g} ({config.clip_order}), got "
                f"{lengths[longest]:.6g} in row {longest} of {name} (--longer-inputs allows {FAR_LENGTH:g} times)"
            )
    return replace(config, own_pairs=len(inputs.first), inputs_digest=inputs.digest)
