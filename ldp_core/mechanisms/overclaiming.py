"""A mechanism that breaks its promise on purpose, so that a rejection can be seen."""

from dataclasses import dataclass
from typing import ClassVar

from ldp_core.mechanisms.ldp_sgd import LdpSgd


@dataclass(frozen=True, slots=True)
class OverclaimingLdpSgd(LdpSgd):
    """Claim ``epsilon`` but randomize with ``1.5 * epsilon``. For demonstration only.

    Source: derived here; LDP-SGD with a wrong hemisphere coin.
    """

    name: ClassVar[str] = "overclaiming"

    @property
    def same_side_probability(self) -> float:
        """The hemisphere coin of 1.5 times the claimed epsilon."""
        return LdpSgd(min(1.5 * self.epsilon, 30.0), self.clip_norm).same_side_probability
