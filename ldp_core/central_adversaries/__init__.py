"""The six adversaries of DP-SGD, in the order of the paper: from asking the model to choosing the whole data set.

Source: Nasr et al. 2021, arXiv:2101.04535, Sec. IV. Importing it loads no torch.
"""

from ldp_core.central_adversaries._base import DISTINGUISHERS, LOSSES, PRODUCTS, CentralAdversary, Plan
from ldp_core.central_adversaries.gradient import DIRECTIONS, Gradient
from ldp_core.central_adversaries.malicious_data import MaliciousData
from ldp_core.central_adversaries.records import AdaptivePoison, Api, Intermediate, StaticPoison

__all__ = ["ADVERSARIES", "DIRECTIONS", "DISTINGUISHERS", "LOSSES", "PRODUCTS", "CentralAdversary", "Plan", "adversary"]
_ALL: tuple[CentralAdversary, ...] = (
    Api(),
    StaticPoison(),
    Intermediate(),
    AdaptivePoison(),
    Gradient(),
    MaliciousData(),
)
ADVERSARIES: dict[str, CentralAdversary] = {attacker.name: attacker for attacker in _ALL}


def adversary(name: str, direction: str = "") -> CentralAdversary:
    """Return an adversary; the one that hands over a gradient with its direction."""
    return Gradient(direction) if name == Gradient.name and direction else ADVERSARIES[name]
