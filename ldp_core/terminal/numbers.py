"""How options are read that are numbers, and what several commands say of theirs."""

import re
from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.channels.importance import MOST, read_map
from ldp_core.datasets import DATASETS
from ldp_core.errors import LdpCoreError
from ldp_core.facts import OWN
from ldp_core.types import SERVER_STEPS, STEP_RANGE, TRAINING_WORDS, WRONG_LABELS

STEP_HELP = (
    "length of the server's step that one report alone makes, in norms of the model that is sent, "
    f"{STEP_RANGE[0]:g} to {STEP_RANGE[1]:g}; or {' or '.join(SERVER_STEPS)}: the papers' with the unbiased constant "
    "(3.75), or with the constant as printed (that divided by d)"
)
LABEL_HELP = f"{' or '.join(WRONG_LABELS)}: which wrong label a label flip gives"
_MOST_DIGITS = 30
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def whole(text: str) -> int:
    """Read a whole number, however it is written: 10000, 1e4, 1_000.

    Raises ``ArgumentTypeError`` if it is none, or has more than 30 digits.
    """
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or value.adjusted() >= _MOST_DIGITS or value != value.to_integral_value():
        raise ArgumentTypeError(f"must be a whole number such as 10000 or 1e4, got {text!r}")
    return int(value)


def number(text: str) -> float:
    """Read a number; raises ``ArgumentTypeError`` if it is none."""
    try:
        return float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"must be a number, got {text!r}") from error


def gaussian(text: str | None) -> tuple[float, float] | None:
    """Return CLIP and SIGMA of ``CLIP:SIGMA``, the length of an update and the deviation of the noise on each number.

    Raises ``ValueError`` if it is not that.
    """
    if text is None:
        return None
    try:
        clip, sigma = (_validate.number("--gaussian", float(word), 1e-9, 1e9) for word in text.split(":"))
    except ValueError as error:
        raise ValueError(f"--gaussian must be CLIP:SIGMA, two numbers above 0, got {text!r}") from error
    return clip, sigma


def check_threads(threads: int | None) -> None:
    """Raise ``ValueError`` unless a number of worker threads that was given is one."""
    if threads is not None:
        _validate.integer("threads", threads, 1, 1024)


def dataset_help(*, own_images: bool = True) -> str:
    """Name the data sets for a help text, the client's own images only where a command takes them."""
    named = [
        f"{name} (built in)" if not dataset.download_bytes and name != OWN else name
        for name, dataset in DATASETS.items()
        if own_images or name != OWN
    ]
    return ", ".join(named)


def importance_map(text: str) -> str:
    """Read a map of importance, or the picture's file that has it; raises ``ArgumentTypeError`` if it is neither."""
    try:
        return read_map(text)
    except (ValueError, LdpCoreError) as error:
        raise ArgumentTypeError(str(error).removeprefix("importance_map ")) from error


MAP_OPTION = {"type": importance_map, "metavar": "PICTURE"}
IMPORTANCE_HELP = {
    "importance": "variance of the personalized channel's noise where it matters, beside that elsewhere",
    "importance_map": "where pixels are important, so that the personalized channel's noise is stronger: a picture's "
    f"file (white is important, black is not; fitted to {MOST} x {MOST} squares of ten levels, which the result keeps, "
    "unlike its name), or the squares as rows of digits such as 0000/0990/0990/0000; without it, rows 12-19, columns "
    "8-23 of 32 x 32",
}


def range_help(config: type[Any], name: str) -> str:
    """Return the limits of a setting for a help text, as in "0.01 to 30"."""
    low, high = limits(config, name)
    return f"{low:,} to {high:,}" if isinstance(low, int) else f"{low:g} to {high:g}"


def training_help() -> str:
    """Return the levels of training with what each means, for a help text."""
    return "; ".join(f"{name} ({words})" for name, words in TRAINING_WORDS.items())


def size(option: str, text: str) -> int:
    """Return a size in bytes: a number, with KB, MB or GB for powers of 1,000, KiB, MiB or GiB for those of 1,024."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,6})?) ?([kmgt]?i?)b?", text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"{option} must be a size such as 500MB or 2GiB, got {text!r}")
    return int(float(match[1]) * _UNITS[match[2]])
