"""The texts of every language, as the pages have them."""

from ldp_core.words import LANGUAGES as NAMES
from ldp_core.words import Words, of

LANGUAGES: dict[str, Words] = {name: of(name) for name in NAMES}
en, ja = LANGUAGES["en"], LANGUAGES["ja"]
