"""What was measured in advance: which of 1,000 pictures was it?"""

import json
from functools import lru_cache
from pathlib import Path

from ldp_core import record
from ldp_core.studies.reconstruction.result import ReconstructionResult

FILE = Path(__file__).with_name("measured.json")


@lru_cache(maxsize=1)
def measured() -> dict[float, ReconstructionResult]:
    """Return results by epsilon; ``command`` of each configuration repeats it."""
    found = [
        record.from_json(json.dumps(report), ReconstructionResult)
        for report in json.loads(FILE.read_text(encoding="utf-8"))
    ]
    return {result.config.epsilon: result for result in found}


def nearest(epsilon: float) -> tuple[float, ReconstructionResult]:
    """Return the measured epsilon that is nearest to another one, and what was measured there."""
    known = measured()
    found = min(known, key=lambda other: abs(other - epsilon))
    return found, known[found]
