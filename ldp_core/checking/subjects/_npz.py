"""NumPy's files, written the same each time and read without trust: nothing is run, and sizes are known beforehand."""

import contextlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.errors import ChallengeError

MOST_BYTES = 1_000_000_000
MOST_LETTERS = 120
_MOST_ENTRIES, _MOST_HEADER = 100, 4_096
_ENTRY_MARK, _ENCRYPTED = b"PK\x01\x02", 0x1
_READ_BYTES = 1 << 22
_UNICODE_BYTES = 4
_KINDS = re.compile(r"[<>=|]?(f[248]|[iu][1248]|b1)")
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, ValueError),
    *(EOFError, LookupError, RuntimeError, OverflowError),
)
"""What the standard library raises about a damaged archive."""


def write(file: IO[bytes], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays as an ``.npz``; the same arrays give the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, values in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(values), allow_pickle=False)


def read_rows(
    content: bytes,
    name: str,
    num_rows: int | range,
    most_columns: int,
    most_bytes: int = MOST_BYTES,
    description: str = "the responses",
) -> NDArray[Any]:
    """Return one array of an ``.npz`` in memory, of so many rows and from 1 to so many columns.

    Its size is taken from the headers and checked before anything is unpacked. Where the number of rows is known, rows
    of one number may be numbers.

    ``num_rows``: the number, or those that are allowed; ``most_bytes``: packed and unpacked;
    ``description``: the file, in words.
    Raises ``ChallengeError`` if it is not there, or anything else than that.
    """
    if len(content) > most_bytes:
        raise ChallengeError(f"{description} must have at most {most_bytes:,} bytes, got {len(content):,}")
    archive = _opened(content, description)
    wanted = f"{name}.npy"
    members = [member for member in archive.infolist() if member.filename == wanted]
    if len(members) != 1:
        others = ", ".join(repr(member.filename[:40]) for member in archive.infolist()[:4]) or "none"
        raise ChallengeError(
            f"{description} must hold one array named {name}, got {len(members)}; the entries: {others}"
        )
    member = members[0]
    if not _is_plain(member):
        raise ChallengeError(
            f"{description} must be packed as np.savez or np.savez_compressed does, got another packing"
        )
    if member.file_size > most_bytes:
        raise ChallengeError(f"{description} must unpack to at most {most_bytes:,} bytes, got {member.file_size:,}")
    try:
        with archive.open(member) as file:
            return _rows(file, member.file_size, name, num_rows, most_columns)
    except _UNREADABLE as error:
        raise ChallengeError(f"{description} must be a whole .npz file, got a damaged array {name}") from error


def read_text(content: bytes, name: str, length: int) -> str | None:
    """Return one array of an ``.npz`` in memory that is a text of so many characters; None if it is not there.

    Raises ``ChallengeError`` if it is anything else.
    """
    members = [member for member in _opened(content, "the responses").infolist() if member.filename == f"{name}.npy"]
    if not members:
        return None
    member, size = members[0], _UNICODE_BYTES * length
    if len(members) == 1 and _is_plain(member) and member.file_size <= _MOST_HEADER + size:
        with contextlib.suppress(*_UNREADABLE, ChallengeError), _opened(content, "the responses").open(member) as file:
            header, _ = _header(file, name)
            kind, shape = _field(header, "descr", r"'([^']*)'"), _field(header, "shape", r"(\([0-9, ]*\))")
            if kind in (f"<U{length}", f">U{length}") and shape in ("()", "(1,)"):
                return _all(file, size).decode("utf-32-le" if kind[0] == "<" else "utf-32-be")
    raise ChallengeError(f"the array {name} must be the challenge's own text of {length} characters, got another array")


def read_words(content: bytes, name: str, count: int, description: str) -> list[str] | None:
    """Return one array of an ``.npz`` in memory that is a row of so many words; None if it is not there.

    Raises ``ChallengeError`` if it is anything else, or a word has more than 120 letters.
    """
    members = [member for member in _opened(content, description).infolist() if member.filename == f"{name}.npy"]
    if not members:
        return None
    member = members[0]
    if len(members) == 1 and _is_plain(member):
        with contextlib.suppress(*_UNREADABLE, ChallengeError), _opened(content, description).open(member) as file:
            header, _ = _header(file, name)
            letters = int(_field(header, "descr", r"'[<>]U(\d{1,3})'"))
            if _field(header, "shape", r"(\([0-9, ]*\))") == f"({count},)" and 1 <= letters <= MOST_LETTERS:
                kind = np.dtype(_field(header, "descr", r"'([^']*)'"))
                return [str(word) for word in np.frombuffer(_all(file, count * kind.itemsize), kind)]
    raise ChallengeError(
        f"the array {name} must be a row of {count:,} words of at most {MOST_LETTERS} letters, got another array"
    )


def _is_plain(member: zipfile.ZipInfo) -> bool:
    """Return whether an entry is packed as NumPy packs it."""
    packing = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return packing and not member.flag_bits & _ENCRYPTED


def _opened(content: bytes, description: str = "the responses") -> zipfile.ZipFile:
    if content.count(_ENTRY_MARK) > _MOST_ENTRIES:
        raise ChallengeError(f"{description} must be an .npz file of at most {_MOST_ENTRIES} entries, got more")
    with contextlib.suppress(*_UNREADABLE):
        return zipfile.ZipFile(io.BytesIO(content))
    raise ChallengeError(f"{description} must be a whole .npz file, got something else")


def _header(file: IO[bytes], name: str) -> tuple[str, int]:
    """Return an array's header, and how many bytes come before its numbers."""
    prefix = file.read(8)
    if prefix[:6] != b"\x93NUMPY" or prefix[6:] not in (b"\x01\x00", b"\x02\x00", b"\x03\x00"):
        raise ChallengeError(f"the array {name} must be in NumPy's format 1 to 3, got another")
    length_bytes = file.read(2 if prefix[6] == 1 else 4)
    length = int.from_bytes(length_bytes, "little")
    if length > _MOST_HEADER:
        raise ChallengeError(f"the array {name} must have a header of at most {_MOST_HEADER:,} bytes, got {length:,}")
    return file.read(length).decode("latin-1"), len(prefix) + len(length_bytes) + length


def _rows(file: IO[bytes], size: int, name: str, num_rows: int | range, most_columns: int) -> NDArray[Any]:
    header, before = _header(file, name)
    kind = _field(header, "descr", r"'([^']*)'")
    if not _KINDS.fullmatch(kind):
        got = repr(kind[:20]) if kind else "a mixture or objects"
        raise ChallengeError(f"the array {name} must hold real numbers of at most 8 bytes, got {got}")
    shape_text = _field(header, "shape", r"\(([0-9, ]*)\)")
    shape = tuple(int(word[:20]) for word in shape_text.replace(",", " ").split())
    columns = shape[-1] if len(shape) > 1 else int(len(shape) == 1 and isinstance(num_rows, int))
    fits = shape and len(shape) <= 2 and 1 <= columns <= most_columns
    if fits and isinstance(num_rows, int) and shape[0] != num_rows:
        raise ChallengeError(
            f"the array {name} must have {num_rows:,} rows, got {shape[0]:,}", "rows", got=shape[0], needed=num_rows
        )
    allowed = range(num_rows, num_rows + 1) if isinstance(num_rows, int) else num_rows
    if not fits or shape[0] not in allowed:
        wanted = f"{num_rows}" if isinstance(num_rows, int) else f"k from {allowed[0]} to {allowed[-1]}"
        raise ChallengeError(
            f"the array {name} must have shape ({wanted}, m) with m from 1 to {most_columns}, got {shape[:4]}"
        )
    order = _field(header, "fortran_order", "(True|False)")
    dtype = np.dtype(kind)
    needed = shape[0] * columns * dtype.itemsize
    stored = size - before
    if stored != needed or not order:
        raise ChallengeError(f"the array {name} must be as large as its header says ({needed:,} bytes), got {stored:,}")
    flat = np.frombuffer(_all(file, needed), dtype)
    rows = flat.reshape(columns, shape[0]).T if order == "True" else flat.reshape(shape[0], columns)
    return rows.astype(dtype.newbyteorder("="), copy=False)


def _field(header: str, field: str, pattern: str) -> str:
    """Return a header's field; "" without one. No literal is evaluated."""
    match = re.search(rf"['\"]{field}['\"]\s*:\s*{pattern}", header)
    return match[1] if match else ""


def _all(file: IO[bytes], size: int) -> bytearray:
    """Read to the end, so that the checksum is compared; never more than the size and a block."""
    content = bytearray()
    while read := file.read(_READ_BYTES):
        content += read
        if len(content) > size:
            break
    if len(content) != size:
        raise EOFError
    return content
