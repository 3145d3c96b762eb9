"""The key of a challenge: what the client keeps, bound to what was claimed and asked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ldp_core.checking.claims import CheckConfig
from ldp_core.errors import ChallengeError
from ldp_core.record import of_fields

SCHEMA = "ldp-challenge-key/3"
MOST_KEY_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Key:
    """What the client keeps of a challenge, and the vendor must not see: it repeats the random order.

    Args:
        config: what the check will ask.
        inputs: SHA-256 of the challenge's inputs and their order, in hexadecimal.
        salt: 256 random bits in hexadecimal, which stand in no other file.
        digest: what binds the key to its challenge, and stands in both files.

    The digest is a commitment: SHA-256 of salt, inputs and the whole configuration. A key that is changed afterwards
    has another one. The salt hides what went in: no seed, however small, can be found by trying which one gives the
    digest. (The inputs follow from the seed too, so a small one can be found from them. Let it be drawn.)
    """

    config: CheckConfig
    inputs: str
    salt: str = field(repr=False)
    digest: str

    @classmethod
    def made(cls, config: CheckConfig, inputs: str, salt: str) -> Key:
        return cls(config, inputs, salt, _binding(salt, inputs, asdict(config)))

    def to_json(self) -> str:
        report = {"schema": SCHEMA, "config": asdict(self.config)}
        report |= {"inputs": self.inputs, "salt": self.salt, "digest": self.digest}
        return json.dumps(report, indent=2, allow_nan=False) + "\n"


def read_key(content: bytes | Path) -> Key:
    """Return the key of a challenge; raises ``ChallengeError`` if it is none, or was changed after it was written."""
    content = read_content(content, "the key", MOST_KEY_BYTES)
    try:
        report = json.loads(content)
        if report["schema"] != SCHEMA:
            raise ValueError(f"schema must be {SCHEMA!r}, got {str(report['schema'])[:40]!r}")
        values = report["config"]
        config: CheckConfig = of_fields(CheckConfig, values, "config")
        inputs, salt, digest = (_hexadecimal(report[name]) for name in ("inputs", "salt", "digest"))
        key = Key(config, inputs, salt, digest)
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


def read_content(content: bytes | Path, description: str, most: int) -> bytes:
    """Return a file, or bytes as they are.

    Raises ``ChallengeError`` if it cannot be read or has more than ``most`` bytes.
    """
    if isinstance(content, Path):
        try:
            with content.open("rb") as file:
                content = file.read(most + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ChallengeError(
                f"{description} must be a file that can be read, got {str(content)!r}: {reason}"
            ) from error
    if len(content) > most:
        raise ChallengeError(f"{description} must have at most {most:,} bytes, got more")
    return content


def _binding(salt: str, inputs: str, config: Mapping[str, Any]) -> str:
    """Return SHA-256 of salt, inputs and configuration; the first two have a fixed length, so no two texts are one."""
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(f"{SCHEMA} {salt} {inputs} {text}".encode()).hexdigest()


def _hexadecimal(value: Any) -> str:
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise KeyError
    return str(value)
