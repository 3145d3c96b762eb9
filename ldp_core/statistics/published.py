"""What the papers print, as data: numbers to stand beside ours, never to be adjusted to.

Sources: [J] is the Japanese paper on verification by the client, [M] Matsumoto, Takahashi, Liew and Oguchi 2022,
arXiv:2206.09122.
"""

from collections.abc import Mapping
from types import MappingProxyType

DATASET = "mnist"
"""The data set of every number here."""
NUM_MEASUREMENTS, NUM_TRIALS = 10, 10_000
"""Measurements behind each number, and trials of each measurement."""
ROUNDING = 0.0005
"""Half a unit of the last printed digit of ``IDENTIFICATION``."""
POINT_ROUNDING = 0.005
"""The same of ``CLIENTS``."""
IDENTIFICATION: Mapping[str, Mapping[float, float]] = MappingProxyType(
    {
        "benign": MappingProxyType({0.5: 0.544, 1.0: 0.584, 2.0: 0.644, 4.0: 0.681}),
        "label-flip": MappingProxyType({0.5: 0.607, 1.0: 0.701, 2.0: 0.832, 4.0: 0.921}),
        "gradient-flip": MappingProxyType({0.5: 0.610, 1.0: 0.705, 2.0: 0.847, 4.0: 0.936}),
        "collusion": MappingProxyType({0.5: 0.623, 1.0: 0.731, 2.0: 0.879, 4.0: 0.982}),
        "dummy": MappingProxyType({0.5: 0.622, 1.0: 0.732, 2.0: 0.882, 4.0: 0.982}),
    }
)
"""[J] Table 1: attack -> epsilon -> share of right guesses of the white box with the cosine rule."""
POINT_EPSILON: Mapping[str, float] = MappingProxyType(
    {"benign": 0.94, "label-flip": 2.47, "gradient-flip": 3.99, "collusion": 4.07}
)
"""[J] section 6.1 and [M] section 4.2: attack -> mean point estimate of epsilon at ``POINT_AT``, white box."""
POINT_AT = 4.0
CLIENTS: Mapping[int, float] = MappingProxyType({1: 0.12, 2: 0.07, 4: 0.06, 10: 0.06})
"""[M] Table 3: clients -> mean point estimate of epsilon, black box, benign, Eq. 6. Epsilon itself is not stated."""
CLIENTS_ATTACK, CLIENTS_RULE = "benign", "loss-change"
"""The attack and the distinguisher of ``CLIENTS``."""
ON_TRAINING = ("benign", "label-flip", "gradient-flip")
"""Attacks whose numbers depend on how far the model was trained and on which pairs were drawn."""

OTHER_LABEL = "label-flip"
"""The attack that gives another label, which the papers do not say how to choose."""


def nearest(attack: str, epsilon: float) -> tuple[float, float]:
    """Return the printed epsilon nearest to another one (nats) by ratio, and the share of right guesses there.

    >>> nearest("benign", 3.0)
    (4.0, 0.681)
    """
    printed = IDENTIFICATION[attack]
    best = min(printed, key=lambda value: max(value / epsilon, epsilon / value))
    return best, printed[best]
