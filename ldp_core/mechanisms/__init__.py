"""Step 2: mechanisms that randomize a gradient on the client's device. Importing the catalogue loads no torch."""

from ldp_core.mechanisms.duchi import DuchiL2, DuchiLinf
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.mechanisms.laplace import Laplace
from ldp_core.mechanisms.ldp_sgd import LdpSgd, OverclaimingLdpSgd
from ldp_core.mechanisms.priv_unit import PrivUnit
from ldp_core.mechanisms.randomized_response import RandomizedResponse
from ldp_core.types import ClippingMechanism

MECHANISMS: dict[str, type[ClippingMechanism]] = {
    LdpSgd.name: LdpSgd,
    PrivUnit.name: PrivUnit,
    DuchiL2.name: DuchiL2,
    DuchiLinf.name: DuchiLinf,
    Laplace.name: Laplace,
    Gaussian.name: Gaussian,
    RandomizedResponse.name: RandomizedResponse,
    OverclaimingLdpSgd.name: OverclaimingLdpSgd,
}
DEMONSTRATION = OverclaimingLdpSgd.name
"""The one that breaks its promise on purpose; others that do are in ``faulty``."""
HONEST = tuple(name for name in MECHANISMS if name != DEMONSTRATION)
"""Names of those that keep their promise, as far as we know."""
LDP_SGD_FAMILY = tuple(name for name, mechanism in MECHANISMS.items() if hasattr(mechanism, "own_side"))
"""Those whose report is a uniform direction, turned to the gradient's own side or away from it, as in LDP-SGD.

They have one exact law and can share directions; projected sampling, black boxes and comparisons need that.
"""


def claimed_delta(mechanism: str) -> float:
    """Return the failure probability that a mechanism claims, by its name; 0 for pure local differential privacy.

    >>> claimed_delta("gaussian")
    1e-05
    """
    return MECHANISMS[mechanism](epsilon=1.0).delta
