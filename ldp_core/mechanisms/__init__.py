"""Step 2: mechanisms that randomize a gradient on the client's device."""

from ldp_core.mechanisms.duchi_l2 import DuchiL2
from ldp_core.mechanisms.duchi_linf import DuchiLinf
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.mechanisms.laplace import Laplace
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.mechanisms.overclaiming import OverclaimingLdpSgd
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
