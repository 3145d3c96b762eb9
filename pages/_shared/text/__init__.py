"""What stands on the screen: one file per language, all with the same names as ``en``."""

from types import ModuleType

from pages._shared.text import en

LANGUAGES: dict[str, ModuleType] = {"en": en}


def words(language: str = "en") -> ModuleType:
    """Return a language's texts."""
    return LANGUAGES[language]
