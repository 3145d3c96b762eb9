"""What stands on the screen: one folder per language, all with the same names as ``en``."""

from types import ModuleType

from pages._shared.text import en, ja

LANGUAGES: dict[str, ModuleType] = {"en": en, "ja": ja}
DEFAULT = "en"


def words(language: str) -> ModuleType:
    """Return a language's texts."""
    return LANGUAGES[language]
