"""What a client can look at before it randomizes: is this model, or this gradient, like what honest ones look like?

A detector gives a score, the higher the more suspicious; ``calibrated`` turns scores of the client's own honest
material into a threshold with a stated false-alarm rate. Detectors are hygiene: what passes is protected by epsilon
alone, and they justify no larger one. Importing the catalogue loads no torch.
"""

from ldp_core.detectors._kinds import Detector, GradientDetector, ModelDetector
from ldp_core.detectors._threshold import calibrated
from ldp_core.detectors.accuracy import Accuracy
from ldp_core.detectors.commonest_label import CommonestLabel
from ldp_core.detectors.cosine_to_mean import CosineToMean
from ldp_core.detectors.entropy import Entropy
from ldp_core.detectors.layer_shares import LayerShares
from ldp_core.detectors.loss_jump import LossJump
from ldp_core.detectors.norm import Norm
from ldp_core.detectors.pca_residual import PcaResidual
from ldp_core.detectors.structure import Structure

_ALL: tuple[Detector, ...] = (
    Accuracy(),
    Entropy(),
    LossJump(),
    CommonestLabel(),
    Norm(),
    LayerShares(),
    PcaResidual(),
    CosineToMean(),
    Structure(),
)
DETECTORS: dict[str, Detector] = {detector.name: detector for detector in _ALL}
"""Name -> detector, those of the model first."""

__all__ = ["DETECTORS", "Detector", "GradientDetector", "ModelDetector", "calibrated"]
