"""Which epsilon known systems promise, as a public registry of deployments records it.

Each row was read in one file: the entry of the OpenDP Deployments Registry named ``KnownEpsilon.entry``, as of
2026-07-15, when all of them still awaited review by the registry's board. The publications that the entries name were
not opened. The rows are not comparable one to one: they protect other things, for other spans, under other models.
"""

from dataclasses import dataclass
from typing import Literal

REGISTRY = "https://github.com/opendp/deployments-registry-data/tree/3e9c812/deployments"
"""Where the files of the registry are, as they were read; it shows them at registry.opendp.org/deployments-registry."""


@dataclass(frozen=True, slots=True)
class KnownEpsilon:
    """One promise; epsilon in nats, delta 0 for pure differential privacy.

    ``key`` names what was protected, and per what the promise is, in a language's words. ``model`` is "local" where
    each device adds the randomness, "central" where the collector does. ``entry`` is the file name of the registry's
    entry without its ending, ``original`` the address of the publication that it names, which was not opened.
    """

    key: str
    who: str
    year: int
    epsilon: float
    delta: float
    model: Literal["local", "central"]
    entry: str
    original: str


_APPLE = "https://docs-assets.developer.apple.com/ml-research/papers/learning-with-privacy-at-scale.pdf"
_CENSUS = "https://arxiv.org/abs/2204.08986"
_LINKEDIN = "https://arxiv.org/abs/2002.05839"
_MICROSOFT = "https://www.microsoft.com/en-us/research/publication/collecting-telemetry-data-privately/"
KNOWN: tuple[KnownEpsilon, ...] = (
    KnownEpsilon("telemetry", "Microsoft", 2017, 1.672, 0.0, "local", "telemetry_collection_windows", _MICROSOFT),
    KnownEpsilon("health", "Apple", 2017, 2.0, 0.0, "local", "healthkit", _APPLE),
    KnownEpsilon("emoji", "Apple", 2017, 4.0, 0.0, "local", "apple_popular_emojis", _APPLE),
    KnownEpsilon("housing", "U.S. Census Bureau", 2021, 2.47, 1e-10, "central", "census_redistricting_data", _CENSUS),
    KnownEpsilon("persons", "U.S. Census Bureau", 2021, 17.14, 1e-10, "central", "census_redistricting_data", _CENSUS),
    KnownEpsilon("engagement", "LinkedIn", 2020, 34.9, 7e-9, "central", "audience_engagement", _LINKEDIN),
)
"""Local promises first, then central ones, each from the smallest epsilon to the largest."""
