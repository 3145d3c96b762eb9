"""Attackers who rebuild pictures from what is sent. Importing the catalogue loads no torch."""

from ldp_core.reconstructions._parts import LOCAL_STEPS, Effort, Knowledge, Rebuilt, Reconstruction, UpdateAttack
from ldp_core.reconstructions.half_space import HalfSpace
from ldp_core.reconstructions.identify import Identify
from ldp_core.reconstructions.inversion import Inversion
from ldp_core.reconstructions.linear import Linear
from ldp_core.reconstructions.model_inversion import ModelInversion
from ldp_core.reconstructions.peel import Peel

__all__ = ["LOCAL_STEPS", "RECONSTRUCTIONS", "Effort", "Knowledge", "Rebuilt", "Reconstruction", "UpdateAttack"]

_ALL: tuple[Reconstruction, ...] = (Identify(), Linear(), HalfSpace(), Inversion(), Peel(), ModelInversion())
RECONSTRUCTIONS: dict[str, Reconstruction] = {attacker.name: attacker for attacker in _ALL}
"""Name -> attacker."""
