"""What a study reports of a result, in a language."""

from typing import Any

from ldp_core import words
from ldp_core.presentation.report import Report, Teller
from ldp_core.studies import study_of
from ldp_core.studies.reading import KeptStudy


def teller(language: str = "en") -> Teller:
    t = words.of(language)
    return Teller(t.REPORT, t.FIGURES)


def report_of(result: Any, language: str = "en") -> Report:
    study = study_of(result.config)
    assert isinstance(study, KeptStudy)
    return study.report(result, teller(language))
