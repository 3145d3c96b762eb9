"""Step 3: distinguishers guess which gradient a report, or an update of the model, came from.

Importing the catalogue loads no torch.
"""

from ldp_core.distinguishers.cosine import CosineSimilarity
from ldp_core.distinguishers.loss_change import LossChange
from ldp_core.distinguishers.loss_fall import LossFall
from ldp_core.distinguishers.selective import Selective
from ldp_core.distinguishers.sign_sum import SignSum
from ldp_core.distinguishers.signed_loss import SignedLoss
from ldp_core.distinguishers.sum_inversion import SumInversion
from ldp_core.distinguishers.update_inversion import UpdateInversion
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
