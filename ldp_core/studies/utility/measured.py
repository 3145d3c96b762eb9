"""What was measured in advance: the training that the page proposes, with seed 1."""

from functools import lru_cache
from pathlib import Path

from ldp_core.studies.utility.result import UtilityResult, from_json

FILE = Path(__file__).with_name("measured.json")


@lru_cache(maxsize=1)
def measured() -> UtilityResult:
    """Return the result; ``command`` of its configuration, with ``--json``, writes it again."""
    return from_json(FILE.read_text(encoding="utf-8"))
