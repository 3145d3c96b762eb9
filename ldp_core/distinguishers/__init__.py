"""Step 3: distinguishers guess which gradient a report, or an update of the model, came from.

Importing the catalogue loads no torch.
"""

from ldp_core.distinguishers.black import LossChange, LossFall, SignedLoss, SignSum, SumInversion, UpdateInversion
from ldp_core.distinguishers.white import CosineSimilarity, Selective
from ldp_core.types import BlackBox, WhiteBox

_ALL: tuple[WhiteBox | BlackBox, ...] = (
    CosineSimilarity(),
    Selective(),
    LossFall(),
    LossChange(),
    SignSum(),
    SignedLoss(),
    UpdateInversion(),
    SumInversion(),
)
DISTINGUISHERS: dict[str, WhiteBox | BlackBox] = {rule.name: rule for rule in _ALL}
LINEAR = tuple(name for name, rule in DISTINGUISHERS.items() if hasattr(rule, "score_inner_products"))
"""White boxes that look at inner products only, which is all that comparisons and projected sampling draw."""
