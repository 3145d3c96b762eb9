"""The English of the exam's questions, for saved results, and what notices there are."""

from __future__ import annotations

from ldp_core.words import ClauseWords, clauses

SAMPLES_PER_EXAM = 12
"""How many samples of the plan's size the exam asks for, all its clauses together."""


NOTICES = ("fresh-inputs", "fresh-and-seed-given", "seed-given", "not-named")
"""What the files of a challenge, or a check whose seed was given, cannot show; words: ``check_notice_NAME``."""
OPTIONAL = ("other-values",)
"""Clauses that are asked only of a class or factory that takes an epsilon or a clip norm."""
WORDS: dict[str, ClauseWords] = clauses("en")
CLAUSES = {name: words for name, words in WORDS.items() if name not in OPTIONAL}
"""Those that every exam asks."""
