"""A mechanism that runs elsewhere: it gets a file of inputs in random order, and what it sends back is judged.

Nothing of a file is ever run. A challenge is a function of its configuration alone, so the key, which the client
keeps, is small: the configuration, a digest that says whether this program would still ask the same, and what binds
both to the file that the vendor gets.
"""

import contextlib
import hashlib
import io
import os
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects import _npz
from ldp_core.checking.subjects._key import Key as Key
from ldp_core.checking.subjects._key import read_content
from ldp_core.checking.subjects._key import read_key as read_key
from ldp_core.checking.subjects.calls import inexact, longest_report
from ldp_core.errors import ChallengeError, MechanismUnavailableError

_BINARY = getattr(os, "O_BINARY", 0)


def check_free(description: str, path: Path, *, force: bool) -> None:
    """Raise ``ValueError`` if a file, named in words, is there that must stay, or something that is no file."""
    try:
        mode = path.stat(follow_symlinks=force).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise ValueError(f"{description} must name a file, got {str(path)!r}: {error.strerror}") from error
    if not stat.S_ISREG(mode) and (force or not stat.S_ISLNK(mode)):
        raise ValueError(f"{description} must name a file, got {str(path)!r}, which is something else")
    if not force:
        raise ValueError(
            f"{description} must name a new file, got {str(path)!r}, which is there; --force overwrites it"
        )


def write_together(files: Sequence[tuple[Path, bytes, int]], *, force: bool) -> None:
    """Write files, all or none, each created with its own mode (less what the umask takes away).

    ``force``: whether files that are there are replaced; their modes do not matter.
    Raises ``ValueError`` if a file is there that must stay and ``OSError`` if a file cannot be written.
    """
    waiting: list[tuple[Path, Path]] = []
    placed: list[Path] = []
    try:
        for path, content, mode in files:
            target = Path(os.path.realpath(path)) if force else path
            waiting.append((target.with_name(f".{secrets.token_hex(8)}.tmp"), target))
            handle = os.open(waiting[-1][0], os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        for temporary, target in waiting:
            if not force:
                check_free("each file", target, force=False)
                placed.append(target)
            os.replace(temporary, target)
    except BaseException:
        for path in (*(temporary for temporary, _ in waiting), *placed):
            with contextlib.suppress(OSError):
                path.unlink()
        raise


RESPONSES, DIGEST = "reports", "digest"
"""Names of the arrays that the vendor saves; the second one is copied from the challenge."""
_ORDER_STREAM = 0x0DDE4

Request = tuple[NDArray[np.float32], int]
"""A gradient of shape (d,), and how many reports of it a check asks for; the same gradient may come again."""


@dataclass(frozen=True, slots=True, eq=False)
class Challenge:
    """What the vendor gets.

    ``gradients``: the different inputs, shape (U, d); ``order``: which of them each report is of, shape (N,).
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
        notice: what the files cannot show, see ``claims.Subject``.
    """

    seeded, ordered, alike = False, False, False

    def __init__(self, challenge: Challenge, reports: NDArray[Any], notice: str = "") -> None:
        self.notice = notice
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

    ``requests``: what it asks for; without them, what ``exam.requests`` says.
    Raises ``ValueError`` if the reports would not fit into a file.
    """
    if requests is None:
        from ldp_core.checking.exam import requests as requests_of

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


def new_salt() -> str:
    """Return what hides the content of a key's digest: 256 random bits, in hexadecimal."""
    return secrets.token_hex(32)


def challenge_bytes(
    config: CheckConfig, requests: Sequence[Request] | None = None, *, salt: str | None = None
) -> tuple[bytes, bytes]:
    """Return the challenge's file and the key's file, in memory.

    ``salt``: from ``new_salt``, which the vendor must not see; without it, a new one. The same gives the same files.
    Raises ``ValueError`` if the reports would not fit into a file.
    """
    challenge = make_challenge(config, requests)
    key = Key.made(config, challenge.digest, salt or new_salt())
    return _packed(key, challenge), key.to_json().encode()


def write_challenge(
    config: CheckConfig,
    requests: Sequence[Request] | None,
    challenge_path: Path,
    key_path: Path,
    *,
    force: bool = False,
) -> tuple[Challenge, Key]:
    """Write a challenge for the vendor and the key for the client, both or none.

    The key is created with mode 0600, also where it takes the place of another file.

    ``requests``: as for ``make_challenge``; ``force``: whether files that are there are replaced.
    Raises ``ValueError`` if the reports would not fit into a file, or a file is there and must stay; ``OSError`` if a
    file cannot be written.
    """
    check_free("the challenge", challenge_path, force=force)
    check_free("the key", key_path, force=force)
    challenge = make_challenge(config, requests)
    key = Key.made(config, challenge.digest, new_salt())
    contents = ((challenge_path, _packed(key, challenge), 0o666), (key_path, key.to_json().encode(), 0o600))
    write_together(contents, force=force)
    return challenge, key


def read_responses(
    content: bytes | Path, key: Key, requests: Sequence[Request] | None = None, *, most_bytes: int = _npz.MOST_BYTES
) -> Recorded:
    """Return a vendor's responses as a subject.

    The file is an ``.npz`` with an array ``reports``, of shape (N, m) and real numbers; row i is a report of
    ``gradients[order[i]]``. Numbers that are not finite are kept: judging them is the exam's part. If it also has the
    text ``digest``, copied from the challenge, it must be this key's.

    ``content``: the file, or its bytes; ``most_bytes``: that it may have, packed and unpacked.
    Raises ``ChallengeError`` if the file is anything else or answers another challenge, or the key is of another
    version of this program.
    """
    content = read_content(content, "the responses", most_bytes)
    try:
        challenge = make_challenge(key.config, requests)
    except ValueError as error:
        raise ChallengeError(f"the key must be of a challenge that can be made, but {error}") from error
    if challenge.digest != key.inputs:
        raise ChallengeError(
            f"the key must be of a challenge that this program would still make, got the digest {key.inputs[:12]!r}; "
            "use the version that wrote it"
        )
    named = _npz.read_text(content, DIGEST, len(key.digest))
    if named not in (None, key.digest):
        raise ChallengeError(
            f"the responses must answer the challenge of this key, {key.digest[:12]}, got those to another, "
            f"{str(named)[:12]!r}",
            "another",
        )
    most = longest_report(key.config.dimension)
    reports = _npz.read_rows(content, RESPONSES, len(challenge.order), most, most_bytes)
    if problem := inexact(reports):
        raise ChallengeError(f"the array {RESPONSES} cannot be compared: {problem}")
    return Recorded(challenge, reports, "" if named else "not-named")


def _packed(key: Key, challenge: Challenge) -> bytes:
    """Return the file of what the vendor may know: inputs, order, claim and digest, never seed or salt."""
    file, claims = io.BytesIO(), ("epsilon", "delta", "clip_norm", "clip_order", "dimension")
    arrays = {"gradients": challenge.gradients, "order": challenge.order, DIGEST: np.array(key.digest)}
    _npz.write(file, arrays | {name: np.array(getattr(key.config, name)) for name in claims})
    return file.getvalue()
