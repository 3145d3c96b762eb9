"""What was measured in advance: MNIST's subset of 8,000 + 2,000 pictures."""

from functools import lru_cache
from pathlib import Path

from ldp_core import record
from ldp_core.studies.capacity.result import CapacityResult

FILE = Path(__file__).with_name("measured.json")


@lru_cache(maxsize=1)
def measured() -> CapacityResult:
    """Return the result; ``command`` of its configuration repeats it, with the folder of the same pictures."""
    return record.from_json(FILE.read_bytes(), CapacityResult)
