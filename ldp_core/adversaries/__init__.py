"""Step 1: adversaries make the pair of gradients that is to be told apart.

The registry lists them by what they must control, the most realistic first.
"""

from ldp_core.adversaries.benign import Benign
from ldp_core.adversaries.collusion import Collusion
from ldp_core.adversaries.dummy import Dummy
from ldp_core.adversaries.gradient_flip import GradientFlip
from ldp_core.adversaries.label_flip import LabelFlip
from ldp_core.types import Adversary

ADVERSARIES: dict[str, Adversary] = {
    adversary.name: adversary for adversary in (Benign(), LabelFlip(), GradientFlip(), Collusion(), Dummy())
}
