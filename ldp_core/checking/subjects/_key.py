"""The key of a challenge: what the client keeps, bound to what was claimed and asked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from ldp_core.checking.claims import CheckConfig
from ldp_core.errors import ChallengeError

VERSION = 2
_SCHEMAS = {"ldp-challenge-key/1": 1, "ldp-challenge-key/2": 2}
_FIRST_FIELDS = {
    *("subject", "epsilon", "seed", "delta", "dimension", "clip_norm", "clip_order"),
    *("reports", "significance", "scale", "report_norm"),
}
"""Of a configuration, in every key; a version that knows more fields reads an older key with their defaults."""
MOST_KEY_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Key:
    """What the client keeps of a challenge, and the vendor must not see: it repeats the random order.

    Args:
        config: what the check will ask.
        inputs: SHA-256 of the challenge's inputs and their order, in hexadecimal.
        salt: 256 random bits in hexadecimal, which stand in no other file; "" in a key of version 1.
        digest: what binds the key to its challenge, and stands in both files; "" in a key of version 1.
        version: 2, or 1 for a key of an earlier version, which asks what that version asked.

    The digest is a commitment: SHA-256 of salt, inputs and the whole configuration. A key that is changed afterwards
    has another one. The salt hides what went in: no seed, however small, can be found by trying which one gives the
    digest. (The inputs follow from the seed too, so a small one can be found from them. Let it be drawn.)
    """

    config: CheckConfig
    inputs: str
    salt: str = field(repr=False)
    digest: str
    version: int = VERSION

    @classmethod
    def made(cls, config: CheckConfig, inputs: str, salt: str) -> Key:
        """Return the key of a new challenge."""
        return cls(config, inputs, salt, _binding(salt, inputs, asdict(config)))

    def to_json(self) -> str:
        """Return the key as strict JSON, as this version writes it."""
        report = {"schema": f"ldp-challenge-key/{VERSION}", "config": asdict(self.config)}
        report |= {"inputs": self.inputs, "salt": self.salt, "digest": self.digest}
        return json.dumps(report, indent=2, allow_nan=False) + "\n"


def read_key(content: bytes | Path) -> Key:
    """Return the key of a challenge.

    Raises:
        ChallengeError: if it is none, or was changed after it was written.
    """
    content = read_content(content, "the key", MOST_KEY_BYTES)
    try:
        report = json.loads(content)
        version = _SCHEMAS.get(report["schema"])
        if version is None:
            wanted = " or ".join(map(repr, _SCHEMAS))
            raise ValueError(f"schema must be {wanted}, got {str(report['schema'])[:40]!r}")
        values = report["config"]
        names = {item.name for item in fields(CheckConfig)}
        if not _FIRST_FIELDS <= set(values) <= names or (version == 1 and set(values) != _FIRST_FIELDS):
            raise KeyError
        if version == 1:
            config = CheckConfig(**values, adaptive=False, pair_set=1)  # that version asked for nothing else
            return Key(config, _hexadecimal(report["digest"]), "", "", version)
        inputs, salt, digest = (_hexadecimal(report[name]) for name in ("inputs", "salt", "digest"))
        key = Key(CheckConfig(**({"pair_set": 2} | values)), inputs, salt, digest)
        bound = _binding(key.salt, key.inputs, values) == key.digest
    except ValueError as error:
        reason = "something else" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
        raise ChallengeError(f"the key must be the file that was written with the challenge, got {reason}") from error
    except (LookupError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise ChallengeError(
            "the key must be the file that was written with the challenge, got another file"
        ) from error
    if not bound:
        raise ChallengeError(
            f"the key must be as it was written with its challenge, got one that was changed since: its digest "
            f"{key.digest[:12]!r} is not that of what it holds"
        )
    return key


def read_content(content: bytes | Path, what: str, most: int) -> bytes:
    """Return a file, or bytes as they are.

    Raises:
        ChallengeError: if it cannot be read or has more than ``most`` bytes.
    """
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


def _binding(salt: str, inputs: str, config: Mapping[str, Any]) -> str:
    """Return SHA-256 of salt, inputs and configuration; the first two have a fixed length, so no two texts are one."""
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(f"ldp-challenge/{VERSION} {salt} {inputs} {text}".encode()).hexdigest()


def _hexadecimal(value: Any) -> str:
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise KeyError
    return str(value)
