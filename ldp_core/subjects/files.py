"""A mechanism that runs elsewhere: it gets a file of inputs in random order, and what it sends back is judged.

Nothing of a file is ever run. A challenge is a function of its configuration alone, so the key, which the client
keeps, is small: the configuration, and a digest that says whether this program would still ask the same.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from ldp_core.claims import CheckConfig
from ldp_core.errors import ChallengeError, MechanismUnavailableError
from ldp_core.subjects import _npz

KEY_SCHEMA = "ldp-challenge-key/1"
RESPONSES = "reports"
"""Name of the array that the vendor saves."""
MOST_KEY_BYTES = 100_000
_ORDER_STREAM = 0x0DDE4
_EXTRA_LENGTH = 1_024

Request = tuple[NDArray[np.float32], int]
"""A gradient of shape (d,), and how many reports of it a check asks for; the same gradient may come again."""


@dataclass(frozen=True, slots=True)
class Key:
    """What the client keeps of a challenge, and the vendor must not see: it repeats the random order.

    Args:
        config: what the check will ask.
        digest: of the challenge's inputs and order.
    """

    config: CheckConfig
    digest: str

    def to_json(self) -> str:
        """Return the key as strict JSON."""
        report = {"schema": KEY_SCHEMA, "config": asdict(self.config), "digest": self.digest}
        return json.dumps(report, indent=2, allow_nan=False) + "\n"


@dataclass(frozen=True, slots=True, eq=False)
class Challenge:
    """What the vendor gets.

    Args:
        gradients: the different inputs, shape (U, d).
        order: which of them each report is of, shape (N,).
    """

    gradients: NDArray[np.float32]
    order: NDArray[np.int32]

    @property
    def digest(self) -> str:
        """SHA-256 of the inputs and their order."""
        parts = (np.array([*self.gradients.shape, *self.order.shape], "<i8"), self.gradients, self.order)
        return hashlib.sha256(
            b"".join(part.astype(part.dtype.newbyteorder("<")).tobytes() for part in parts)
        ).hexdigest()


class Recorded:
    """Reports from a file; each is handed out once, in the order of its input's reports.

    Args:
        challenge: what was asked.
        reports: what was answered, shape (N, m).
    """

    seeded, ordered = False, False

    def __init__(self, challenge: Challenge, reports: NDArray[Any]) -> None:
        self._reports = reports
        by_input = np.argsort(challenge.order, kind="stable")
        ends = np.cumsum(np.bincount(challenge.order, minlength=len(challenge.gradients)))
        self._left = {
            gradient.tobytes(): rows
            for gradient, rows in zip(challenge.gradients, np.split(by_input, ends[:-1]), strict=True)
        }

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return the next recorded reports of a gradient; see ``claims.Subject``."""
        name = np.ascontiguousarray(gradient, dtype=np.float32).tobytes()
        rows = self._left.get(name, np.empty(0, np.intp))
        if len(rows) < num_reports:
            raise MechanismUnavailableError(
                f"the responses must hold {num_reports:,} more reports of this input, got {len(rows):,}"
            )
        self._left[name] = rows[num_reports:]
        return self._reports[rows[:num_reports]]

    def restarted(self) -> None:
        """Return nothing: a file cannot be restarted."""

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


def make_challenge(config: CheckConfig, requests: Sequence[Request] | None = None) -> Challenge:
    """Return the inputs of a check in random order; a function of the configuration alone.

    Args:
        config: of the check.
        requests: what it asks for; without them, what ``checks.requests`` says.

    Raises:
        ValueError: if the reports would not fit into a file.
    """
    if requests is None:
        from ldp_core.checks import requests as requests_of

        requests = list(requests_of(config))
    total = sum(count for _, count in requests)
    most = _npz.MOST_BYTES // (np.dtype(np.float32).itemsize * config.dimension)
    if total > most:
        raise ValueError(
            f"reports must be at most about {most:,} for a file of inputs of length {config.dimension:,}, got {total:,}"
        )
    counts: dict[bytes, int] = {}
    for gradient, count in requests:
        name = np.ascontiguousarray(gradient, dtype=np.float32).tobytes()
        counts[name] = counts.get(name, 0) + count
    gradients = np.frombuffer(b"".join(counts), np.float32).reshape(len(counts), config.dimension)
    generator = Generator(PCG64(SeedSequence([config.seed, _ORDER_STREAM])))
    shuffle = generator.permutation(len(gradients))
    order = np.repeat(np.arange(len(gradients), dtype=np.int32), list(counts.values()))
    return Challenge(gradients[np.argsort(shuffle)], generator.permutation(shuffle.astype(np.int32)[order]))


def write_challenge(
    config: CheckConfig, requests: Sequence[Request] | None, challenge_path: Path, key_path: Path
) -> tuple[Challenge, Key]:
    """Write a challenge for the vendor and the key for the client; see ``make_challenge``.

    Raises:
        ValueError: if the reports would not fit into a file.
        OSError: if a file cannot be written.
    """
    challenge = make_challenge(config, requests)
    key = Key(config, challenge.digest)
    with challenge_path.open("wb") as file:
        _npz.write(file, _published(config, challenge))
    key_path.write_text(key.to_json())
    return challenge, key


def challenge_bytes(config: CheckConfig, requests: Sequence[Request] | None = None) -> tuple[bytes, bytes]:
    """Return the challenge's file and the key's file, in memory; see ``write_challenge``."""
    challenge = make_challenge(config, requests)
    file = io.BytesIO()
    _npz.write(file, _published(config, challenge))
    return file.getvalue(), Key(config, challenge.digest).to_json().encode()


def read_key(content: bytes | Path) -> Key:
    """Return the key of a challenge.

    Raises:
        ChallengeError: if it is none.
    """
    content = _content(content, "the key", MOST_KEY_BYTES)
    try:
        report = json.loads(content)
        if report["schema"] != KEY_SCHEMA:
            raise ValueError(f"schema must be {KEY_SCHEMA!r}, got {str(report['schema'])[:40]!r}")
        values, digest = report["config"], report["digest"]
        if set(values) != {item.name for item in fields(CheckConfig)} or not isinstance(digest, str):
            raise KeyError
        return Key(CheckConfig(**values), digest)
    except ValueError as error:
        reason = "something else" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
        raise ChallengeError(f"the key must be the file that was written with the challenge, got {reason}") from error
    except (LookupError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise ChallengeError(
            "the key must be the file that was written with the challenge, got another file"
        ) from error


def read_responses(
    content: bytes | Path,
    key: Key,
    requests: Sequence[Request] | None = None,
    *,
    most_bytes: int = _npz.MOST_BYTES,
) -> Recorded:
    """Return a vendor's responses as a subject.

    The file is an ``.npz`` with one array ``reports``, of shape (N, m) and real numbers; row i is a report of
    ``gradients[order[i]]``. Numbers that are not finite are kept: judging them is the exam's part.

    Args:
        content: the file, or its bytes.
        key: of the challenge that was answered.
        requests: as for ``make_challenge``.
        most_bytes: that the file may have, packed and unpacked.

    Raises:
        ChallengeError: if the file is anything else, or the key is of another version of this program.
    """
    content = _content(content, "the responses", most_bytes)
    try:
        challenge = make_challenge(key.config, requests)
    except ValueError as error:
        raise ChallengeError(f"the key must be of a challenge that can be made, but {error}") from error
    if challenge.digest != key.digest:
        raise ChallengeError(
            f"the key must be of a challenge that this program would still make, got the digest {key.digest[:12]!r}; "
            "use the version that wrote it"
        )
    most = 2 * key.config.dimension + _EXTRA_LENGTH
    return Recorded(challenge, _npz.read_rows(content, RESPONSES, len(challenge.order), most, most_bytes))


def _published(config: CheckConfig, challenge: Challenge) -> dict[str, NDArray[Any]]:
    """Return what the vendor may know: the claim, never the seed."""
    claims = ("epsilon", "delta", "clip_norm", "clip_order", "dimension")
    return {
        "gradients": challenge.gradients,
        "order": challenge.order,
        **{name: np.array(getattr(config, name)) for name in claims},
    }


def _content(content: bytes | Path, what: str, most: int) -> bytes:
    if isinstance(content, Path):
        try:
            with content.open("rb") as file:
                content = file.read(most + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ChallengeError(f"{what} must be a file that can be read, got {str(content)!r}: {reason}") from error
    if len(content) > most:
        raise ChallengeError(f"{what} must have at most {most:,} bytes, got more")
    return content
