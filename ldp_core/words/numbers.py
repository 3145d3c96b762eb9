"""How a language writes numbers: Python writes them as English does, and they are rewritten where they meet a text."""

from __future__ import annotations

import gettext
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite
from string import Formatter
from typing import Any

_LONGEST = 40
ENGLISH = ".,"
"""Decimal sign and thousands separator, as in plotly's ``separators``."""
_NUMBER = re.compile(r"[-+−±]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+(?:e[-+]?\d+)?)")
_ONE = rf"(?:{_NUMBER.pattern}|[-+−±]?\d+)"
_SEVERAL = re.compile(rf"{_ONE}(?:(?:, |–| \(){_ONE})+\)?")
"""A list or a range, such as "0.5, 1, 2", "49.2–51.3" or "57.5 (53.2–60)"."""


class Text(str):
    """A text of a language that does not write numbers as English does; ``format`` writes them as it does.

    A value is rewritten that is a number, or the text of one or several as Python writes them. What is made of a
    ``Text`` is one, and is not rewritten when it is put into another.
    """

    separators: str

    def __new__(cls, text: str, separators: str) -> Text:
        """Return a text of a language with these separators."""
        instance = super().__new__(cls, text)
        instance.separators = separators
        return instance

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.separators

    def format(self, *given: Any, **named: Any) -> Text:
        """Return the text with the values in it."""
        return Text(_Filled(self.separators).vformat(self, given, named), self.separators)


class _Filled(Formatter):
    def __init__(self, separators: str) -> None:
        self._separators = separators

    def format_field(self, value: Any, format_spec: str) -> str:
        return value if isinstance(value, Text) else written(str(format(value, format_spec)), self._separators)


def text(words: str, separators: str) -> str:
    """Return a text of a language with these separators, in which it writes numbers as it does."""
    return words if separators == ENGLISH else Text(words, separators)


_GROUPED = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_GROUPS = re.compile(
    r"[1-9]\d{0,2}(?:([ _'’])\d{3}(?:\1\d{3})*|([.,])\d{3}(?:\2\d{3})+|([.,])\d{3}(?:\3\d{3})*(?!\3)[.,]\d+)"
)
_PLAIN = re.compile(r"(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d{1,3})?")


def ambiguous(text: str) -> bool:
    """Return whether a text is a number to some readers and another to others: 1,000 and 10.000."""
    return bool(_GROUPED.fullmatch(_bare(text).lstrip("+-")))


def read(text: str) -> float:
    """Return the number that a person typed, with a point or a comma before the decimals, or like 1e4.

    Thousands may be set apart where no other reading is left: 10 000, 1,000,000, 1.234,5.
    ``text``: as typed, also in full width.
    Returns a whole number as an int, others as a float.
    Raises ``ValueError`` if it is no finite number, or one that is ``ambiguous``.

    >>> read("0,5"), read("1e4"), read("1.234,5"), read(" 10 000 ")
    (0.5, 10000, 1234.5, 10000)
    """
    bare = _bare(text)
    body = bare.lstrip("+-")
    if len(bare) - len(body) > 1 or _GROUPED.fullmatch(body):
        raise ValueError(f"a number must be written as 0.5, 0,5 or 1e4, got {text[:40]!r}")
    if grouped := _GROUPS.fullmatch(body):
        sign = grouped[1] or grouped[2] or grouped[3]
        body = body.replace(sign, "")
    if not _PLAIN.fullmatch(body) or len(body) > _LONGEST:
        raise ValueError(f"a number must be written as 0.5, 0,5 or 1e4, got {text[:40]!r}")
    value = Decimal(bare[: bare.startswith("-")] + body.replace(",", "."))
    if not isfinite(float(value)):
        raise ValueError(f"a number must be finite, got {text[:40]!r}")
    return int(value) if value == value.to_integral_value() else float(value)


def _bare(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lower().replace("−", "-")


def floored(value: float, decimals: int) -> str:
    """Write what is "at least": never rounded up.

    >>> floored(0.29, 2), floored(0.9999, 3), floored(-0.0001, 1)
    ('0.29', '0.999', '-0.1')
    """
    return _rounded(value, decimals, ROUND_FLOOR)


def ceiled(value: float, decimals: int) -> str:
    """Write what is "at most", or what holds from somewhere on: never rounded down.

    >>> ceiled(0.29, 2), ceiled(73.1059, 1), ceiled(1.0001, 2)
    ('0.29', '73.2', '1.01')
    """
    return _rounded(value, decimals, ROUND_CEILING)


def limit_of_100(share: float) -> str:
    """Write the largest share that a promise allows, of 100: two decimals, or as many as keep it below 100; else "".

    >>> limit_of_100(0.731059), limit_of_100(0.99995), limit_of_100(1.0)
    ('73.11', '99.995', '')
    """
    written = (ceiled(100.0 * share, decimals) for decimals in range(2, 5))
    return next((text for text in written if float(text) < 100.0), "")


def _rounded(value: float, decimals: int, way: str) -> str:
    """Round a number as it is written, since 0.29 is less than 29 hundredths by far less than anyone means."""
    return (
        str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), way)) if isfinite(value) else f"{value}"
    )


def at_least(value: float, beyond: float, decimals: int = 2) -> str:
    """Write an ε that is "at least", rounded down, with as many decimals as still show that it is above another one."""
    for more in range(17):
        floor = floored(value, decimals + more)
        if float(floor) > beyond or value <= beyond:
            break
    return floor.rstrip("0").rstrip(".")


def written(number: str, separators: str) -> str:
    """Return a number that Python wrote, or several, as a language with these separators writes them.

    Anything else is returned as it is.
    """
    if (
        separators == ENGLISH
        or isinstance(number, Text)
        or not (_NUMBER.fullmatch(number) or _SEVERAL.fullmatch(number))
    ):
        return number
    return _NUMBER.sub(lambda match: match[0].translate(str.maketrans(ENGLISH, separators)), number)


DENOMINATORS = (100, 1_000, 10_000)
"""Of natural frequencies."""
_MOST_DECIMALS = 4


def percents(
    form: str, chances: Sequence[float], tells: Sequence[tuple[int, int]] = (), limit: int | None = None
) -> list[str]:
    """Write chances that are compared in percent, all with the same decimals: one, or as many as tell them apart.

    ``form``: what stands around a number, with ``{value}``. No chance in [0, 1] that is not all or nothing reads as
    such; ``tells``: pairs of places in ``chances`` that must differ when written, the same way as they do, where four
    decimals suffice; ``limit``: the place of one that is the most allowed: rounded up, with two decimals or more.

    >>> [percents("{value}", (measured, 0.73105858), ((0, 1),), 1) for measured in (0.7306, 0.7314)]
    [['73.1', '73.11'], ['73.14', '73.11']]
    """
    step = 10.0 ** -(_MOST_DECIMALS + 2)
    clear = [min(max(chance, step), 1.0 - step) if 0.0 < chance < 1.0 else chance for chance in chances]
    for decimals in range(1, _MOST_DECIMALS + 1):
        shown = [
            ceiled(100 * chance, max(decimals, 2)) if place == limit else f"{100 * chance:.{decimals}f}"
            for place, chance in enumerate(clear)
        ]
        extreme = any(
            float(text) in (0.0, 100.0) and 0.0 < chance < 1.0 for text, chance in zip(shown, chances, strict=True)
        )
        alike = any(
            (float(shown[a]) - float(shown[b])) * (chances[a] - chances[b]) <= 0
            for a, b in tells
            if chances[a] != chances[b]
        )
        if not extreme and not alike:
            break
    return [form.format(value=text if float(text) not in (0.0, 100.0) else text.partition(".")[0]) for text in shown]


def seldom(share: float) -> tuple[int, int]:
    """Return a small share as "n of N", rounded up."""
    for of in (*DENOMINATORS, 100_000, 1_000_000):
        if share * of >= 0.999:
            return math.ceil(share * of - 1e-9), of
    return 1, 1_000_000


@dataclass(frozen=True, slots=True)
class Plural:
    """The forms of a text that counts.

    ``rule``: which form a number takes, as in gettext's ``Plural-Forms``: an expression of C in ``n``; ``forms``: the
    texts, with ``{count}`` for the number.
    """

    rule: str
    forms: tuple[str, ...]

    def of(self, how_many: float, count: str) -> str:
        """Return the text for a number, which ``count`` spells; what is no whole number takes the last form."""
        whole = how_many == int(how_many)
        form = gettext.c2py(self.rule)(int(how_many)) if whole else -1
        return self.forms[form].format(count=count)
