"""The texts of every language, as the pages have them, and what a study reports of a result in one."""

from typing import Any

from ldp_core.presentation.report import Report, Teller
from ldp_core.studies import study_of
from ldp_core.words import LANGUAGES as NAMES
from ldp_core.words import Words, of

LANGUAGES: dict[str, Words] = {name: of(name) for name in NAMES}
en, ja = LANGUAGES["en"], LANGUAGES["ja"]


def teller(language: str = "en") -> Teller:
    t = of(language)
    return Teller(t.REPORT, t.FIGURES)


def report_of(result: Any, language: str = "en") -> Report:
    study = study_of(result.config)
    return study.report(result, teller(language))
