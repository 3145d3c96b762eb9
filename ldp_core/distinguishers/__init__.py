"""Step 3: distinguishers guess which gradient a report, or an update of the model, came from."""

from ldp_core.distinguishers.black_box import (
    LossChange,
    LossFall,
    SignedLoss,
    SignSum,
    SumInversion,
    UpdateInversion,
)
from ldp_core.distinguishers.white_box import CosineSimilarity, Selective
from ldp_core.types import BlackBox, WhiteBox

_WHITE: tuple[WhiteBox, ...] = (CosineSimilarity(), Selective())
_BLACK: tuple[BlackBox, ...] = (LossFall(), LossChange(), SignSum(), SignedLoss(), UpdateInversion(), SumInversion())
DISTINGUISHERS: dict[str, WhiteBox | BlackBox] = {
    **{rule.name: rule for rule in _WHITE},
    **{rule.name: rule for rule in _BLACK},
}


def paper_rule(attack: str) -> str:
    """Return the black-box distinguisher that the papers use against an attack.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Table 1; for label flip, which it lacks, Eq. 4.

    >>> paper_rule("collusion")
    'loss-fall'
    """
    return {"benign": LossChange.name, "dummy": SignSum.name}.get(attack, LossFall.name)
