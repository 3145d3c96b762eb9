"""Whom must you trust: what every study states of itself."""

from collections.abc import Callable

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult

_COUNTED, _SUMMED = 60.0, 2.5
"""A projected game takes about as long as drawing this many values; of a sum, one for each other client who leans."""


class Trust(KeptStudy):
    """One client's report, seen alone, in a shuffled list, or in a sum."""

    result = TrustResult
    timed = "trials"

    def values(self, config: TrustConfig, dimension: Callable[[str], int]) -> float:
        if config.sampling == "full":
            return float(config.games) * config.reports * dimension(config.dataset)
        leaning = config.reports if config.others != "uniform" else 1
        summing = config.view == "aggregated" or config.rule == "cosine"
        cost = _SUMMED * leaning if summing or config.others == "real" else 0.0
        return config.games * (_COUNTED + cost)
