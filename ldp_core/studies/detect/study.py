"""Detectors before the randomizer: what every study states of itself."""

from ldp_core.studies.detect.result import DetectResult
from ldp_core.studies.reading import KeptStudy


class Detect(KeptStudy):
    """What a client's detectors refuse, and what the rest gives away."""

    result = DetectResult
    timed = "crafting"
    holds = "rows"
