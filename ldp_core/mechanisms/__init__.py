"""Step 2: mechanisms that randomize a gradient on the client's device."""

from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.mechanisms.overclaiming import OverclaimingLdpSgd

MECHANISMS: dict[str, type[LdpSgd] | type[OverclaimingLdpSgd]] = {
    LdpSgd.name: LdpSgd,
    OverclaimingLdpSgd.name: OverclaimingLdpSgd,
}
