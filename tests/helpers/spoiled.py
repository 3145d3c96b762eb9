"""Files that nobody should believe: right ones with something wrong in them."""

import io
import random
import struct
import zipfile
from typing import Any

import numpy as np


def npz(**arrays: Any) -> bytes:
    """Return arrays as a NumPy archive."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def packed(*entries: tuple[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a .zip file of names and contents."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


def npy(header: str, content: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    """Return a NumPy file with a header of one's own."""
    size = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
    return b"\x93NUMPY" + version + size + header.encode() + content


def spoiled(content: bytes, draw: random.Random) -> bytes:
    """Return a mutation of a right file."""
    kind, spoiled = draw.randrange(8), bytearray(content)
    if kind == 0:
        return content[: draw.randrange(len(content))]
    if kind == 1:
        return bytes(draw.randrange(256) for _ in range(draw.randrange(300)))
    if kind == 2:
        start = draw.randrange(len(content))
        return content[:start] + content[start + draw.randrange(1, 40) :]
    if kind == 3:
        start = draw.randrange(len(content))
        return content[:start] + draw.randbytes(draw.randrange(1, 40)) + content[start:]
    if kind == 4:  # where the directories of the archive lie
        for _ in range(draw.randrange(1, 6)):
            spoiled[-draw.randrange(1, 100)] = draw.choice([0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)])
        return bytes(spoiled)
    if kind == 5:  # NumPy's header
        start = content.find(b"\x93NUMPY")
        for _ in range(draw.randrange(1, 6)):
            spoiled[start + draw.randrange(128)] = draw.choice(b"'(),[]{}:0189OVfiub<>|\x00\xff")
        header = bytes(spoiled[start:])
        return packed(("reports.npy", header[: draw.choice([130, len(header)])]))
    if kind == 6:
        words = draw.choice(["<f8", "|O", "<U9", "V8", "<m8", "[('a', '<f8')]", ">f2", "f16", "", "'"])
        shape = draw.choice(
            ["(10, 7)", "(7, 10)", "(10,)", "()", "(10, -7)", "(1e9, 7)", "9" * 50, f"(10, {'9' * 40})"]
        )
        order = draw.choice(["True", "False", "None", "1"])
        header = f"{{'descr': '{words}', 'fortran_order': {order}, 'shape': {shape}, }}"
        version = draw.choice([b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x00"])
        return packed((draw.choice(["reports.npy", "reports", "../reports.npy"]), npy(header, bytes(560), version)))
    for _ in range(draw.randrange(1, 20)):
        spoiled[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    return bytes(spoiled)
