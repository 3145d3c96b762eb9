"""Attackers who say of a picture whether a model was trained on it. Importing the catalogue loads no torch."""

from ldp_core.memberships._parts import Evidence, Membership
from ldp_core.memberships.attackers import FourInputs, LikelihoodRatio, LossThreshold

__all__ = ["MEMBERSHIPS", "Evidence", "Membership"]

_ALL: tuple[Membership, ...] = (LossThreshold(), FourInputs(), LikelihoodRatio())
MEMBERSHIPS: dict[str, Membership] = {attacker.name: attacker for attacker in _ALL}
"""Name -> attacker."""
