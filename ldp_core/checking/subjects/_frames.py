"""The frames between the process that decides and the one that runs a Python mechanism.

A frame is a letter, a length of 8 bytes and so many bytes. Every length is bounded before anything is read, and nothing
is unpickled: numbers come as the bytes of one array, words as JSON or text.
"""

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.errors import MechanismContractError

SETTINGS, REQUEST, STATED, ANSWER = b"I", b"R", b"S", b"A"
BROKEN, UNAVAILABLE, WRONG = b"C", b"U", b"V"
"""Sentences: a report that is none, a mechanism that cannot be had, an argument that is missing."""
HEADER = struct.Struct("<cQ")
_REQUEST, _ANSWER = struct.Struct("<Q"), struct.Struct("<QQ4s")
MOST_WORDS = 1 << 16
_KINDS = tuple(np.dtype(kind) for kind in ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"))
_TYPES = {kind.str.encode(): kind for kind in (*_KINDS, *map(np.dtype, ("<f2", "<f4", "<f8")))}
"""What reports may be made of."""


def words(kind: bytes, content: Any) -> bytes:
    """Return a frame of JSON."""
    text = json.dumps(content).encode()
    return HEADER.pack(kind, len(text)) + text


def request(gradient: NDArray[np.float32], num_reports: int) -> bytes:
    """Return the frame that asks for reports."""
    content = _REQUEST.pack(num_reports) + np.ascontiguousarray(gradient, "<f4").tobytes()
    return HEADER.pack(REQUEST, len(content)) + content


def request_of(content: bytes) -> tuple[NDArray[np.float32], int]:
    """Return what a frame asks for: an array of its own, and the number of reports."""
    return np.frombuffer(content, "<f4", offset=_REQUEST.size).astype(np.float32), _REQUEST.unpack_from(content)[0]


def answer(reports: NDArray[Any]) -> tuple[bytes, memoryview]:
    """Return the head of an answer and its numbers, of at most 8 bytes each."""
    reports = np.ascontiguousarray(reports, reports.dtype.newbyteorder("<"))
    head = _ANSWER.pack(*reports.shape, reports.dtype.str.encode())
    numbers = memoryview(reports.reshape(-1).view(np.uint8).data)
    return HEADER.pack(ANSWER, len(head) + numbers.nbytes) + head, numbers


class Reader:
    """Takes one frame in pieces, and no more.

    Args:
        rows: reports that were asked for.
        longest: numbers that one may have.
        length: numbers that the reports before had; 0 if there were none.
    """

    def __init__(self, rows: int = 0, longest: int = 0, length: int = 0) -> None:
        self._rows, self._longest, self._length, self._content = rows, longest, length, bytearray()

    def feed(self, read: bytes) -> bool:
        """Take a piece; return whether the frame is whole.

        Raises ``MechanismContractError`` for a frame that may not come, as soon as its head tells.
        """
        self._content += read
        if len(self._content) < HEADER.size:
            return False
        kind, length = HEADER.unpack_from(self._content)
        if kind == ANSWER:
            if len(self._content) < HEADER.size + _ANSWER.size:
                return False
            rows, columns, number = self._shape()
            most = _ANSWER.size + rows * columns * number.itemsize
        else:
            most = MOST_WORDS
        if kind not in (STATED, ANSWER, BROKEN, UNAVAILABLE, WRONG) or length > most:
            raise MechanismContractError("an answer must be reports in a frame of this program, got other bytes")
        if len(self._content) > HEADER.size + length:
            raise MechanismContractError("an answer must be one frame, got more bytes")
        return bool(len(self._content) == HEADER.size + length)

    @property
    def kind(self) -> bytes:
        """Of the whole frame."""
        return bytes(self._content[:1])

    def words(self) -> Any:
        """Return the words of the whole frame; raises ``MechanismContractError`` if they are no JSON."""
        try:
            return json.loads(self._content[HEADER.size :])
        except (ValueError, RecursionError) as error:
            raise MechanismContractError("an answer in words must be JSON, got other bytes") from error

    def reports(self) -> NDArray[Any]:
        """Return the reports of the whole frame, one a row.

        Raises ``MechanismContractError`` if they are fewer than its head says.
        """
        rows, columns, number = self._shape()
        content = memoryview(self._content)[HEADER.size + _ANSWER.size :]
        if len(content) != rows * columns * number.itemsize:
            raise MechanismContractError("an answer must have as many numbers as it says, got fewer")
        return np.frombuffer(content, number).reshape(rows, columns)

    def _shape(self) -> tuple[int, int, np.dtype[Any]]:
        """Return how many reports an answer says that it has, of how many numbers, of which type."""
        rows, columns, number = self._stated()
        if number is None or rows != self._rows or not 1 <= columns <= self._longest:
            raise MechanismContractError(
                f"an answer must be {self._rows} reports of 1 to {self._longest:,} numbers, got {rows} of {columns}"
            )
        if self._length and columns != self._length:
            raise MechanismContractError(f"all reports must have one length, got {self._length} and {columns}")
        return rows, columns, number

    def _stated(self) -> tuple[int, int, np.dtype[Any] | None]:
        """Return the same without asking whether it may be so; None for an unknown type."""
        rows, columns, name = _ANSWER.unpack_from(self._content, HEADER.size)
        return rows, columns, _TYPES.get(name.rstrip(b"\0"))
