"""Step 1: adversaries make the pair of gradients that is to be told apart.

The catalogue lists them by what they must control, as in Matsumoto et al. 2022, arXiv:2206.09122, Table 1: the lower,
the stronger and the less realistic. Importing it loads no torch.
"""

import dataclasses

from ldp_core.adversaries.gradients import Collusion, Dummy, GradientFlip
from ldp_core.adversaries.images import Benign, InputPerturbation, LabelFlip, ParameterRetrogression
from ldp_core.types import Adversary

_ALL: tuple[Adversary, ...] = (
    Benign(),
    InputPerturbation(),
    LabelFlip(),
    ParameterRetrogression(),
    GradientFlip(),
    Collusion(),
    Dummy(),
)
ADVERSARIES: dict[str, Adversary] = {adversary.name: adversary for adversary in _ALL}
ATTACKS = tuple(ADVERSARIES)
"""Their names."""
RECOMMENDED = LabelFlip.name
"""The attack that a page offers first."""
PARTIES = ("nobody", "data", "app", "both")
"""Who must cheat: nobody; somebody with access to the client's data; the maker of the app; the maker and the server."""


def has_strength(attack: str) -> bool:
    """Return whether an attack has a strength that can be chosen."""
    return hasattr(ADVERSARIES[attack], "strength")


def has_wrong_label(attack: str) -> bool:
    """Return whether an attack gives a wrong label, which can be chosen."""
    return hasattr(ADVERSARIES[attack], "wrong_label")


def adversary(attack: str, strength: float = 1.0, wrong_label: str = "likeliest") -> Adversary:
    """Return an adversary by name, of the given strength and with the given wrong label where it has one."""
    if has_strength(attack):
        return dataclasses.replace(ADVERSARIES[attack], strength=strength)  # type: ignore[type-var]
    if has_wrong_label(attack):
        return dataclasses.replace(ADVERSARIES[attack], wrong_label=wrong_label)  # type: ignore[type-var]
    return ADVERSARIES[attack]


def party(attack: str) -> str:
    """Return who must cheat, one of ``PARTIES``; it follows from what the attack must have access to.

    >>> party("collusion")
    'both'
    """
    access = ADVERSARIES[attack].access
    if "server" in access:
        return "both"
    if not access:
        return "nobody"
    return "data" if access <= {"images", "labels"} else "app"
