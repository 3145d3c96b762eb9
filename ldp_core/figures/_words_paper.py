"""The English of the papers for figures in print: empirical epsilon, privacy budget, distinguisher."""

from collections.abc import Mapping
from types import MappingProxyType

from ldp_core.figures._words import ENGLISH
from ldp_core.words import paper_names

PAPER: dict[str, str] = (
    ENGLISH
    | {
        "epsilon_axis": "privacy budget ε (log scale)",
        "claimed_axis": "privacy budget ε",
        "empirical_axis": "empirical ε",
        "share_axis": "accuracy of the distinguisher (%)",
        "promise": "upper bound of ε-LDP",
        "coin": "random guessing",
        "law": "theory",
        "diagonal": "empirical ε = privacy budget",
        "measured": "measured: {point:.{digits}f} %",
        "lower": "lower bound: {lower:.2f}",
        "point": "point estimate: {point:.2f}",
        "provable": "largest certifiable ε",
        "white": "white-box",
        "black": "black-box",
        "shown": "empirical ε (lower bound)",
        "estimate": "point estimate",
        "predicted": "theory",
        "promise_epsilon": "privacy budget ε = {epsilon:g}",
        "norm_axis": "clipped gradient norm / L",
        "angle_axis": "angle between the gradients (degrees)",
        "mean_norm_axis": "mean clipped gradient norm",
        "as_long": "norm at least L",
        "map_title": "accuracy (%) at ε = {epsilon:g}",
        "clients_axis": "clients per round",
        "sampling": "within sampling error",
        "unexplained": "beyond sampling error",
        "positive_axis": "false positive rate (%)",
        "negative_axis": "false negative rate (%)",
        "allowed": "allowed by ε = {epsilon:g}",
        "outside": "outside the allowed region",
        "accuracy_axis": "test accuracy (%)",
        "no_privacy": "non-private",
        "interval": "confidence interval",
        "inner": "50 % interval",
        "infinite": "infinite point estimate",
        "promise_at": "upper bound at ε = {epsilon:g}",
        "chance": "sampling error",
        "own": "operating point (large)",
        "earlier": "earlier in training",
        "pair_dummy-flip": "opposite dummy gradients",
        "pair_coordinates": "one coordinate, both signs",
        "pair_zero-and-full": "norms 0 and L",
        "rule_cosine": "cosine distinguisher",
        "rule_selective": "selective distinguisher",
        "rule_learned": "learned distinguisher",
        "claim": "claimed ε = {epsilon:g}",
        "above_claim": "filled: above the claim, up to {lower}",
        "would_catch": "detected with power 0.95: ε = {epsilon:.2f}",
    }
    | paper_names()
)
"""Words of figures in the papers' English; what is not named here has the same words as ``ENGLISH``."""
WORDINGS: Mapping[str, Mapping[str, str]] = MappingProxyType({"plain": ENGLISH, "paper": PAPER})
"""Choices of the command line: name -> words."""
