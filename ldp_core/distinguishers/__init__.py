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
