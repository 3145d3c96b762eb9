"""Words for a number of things, by the rule of their language."""

from __future__ import annotations

import gettext
from dataclasses import dataclass


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
