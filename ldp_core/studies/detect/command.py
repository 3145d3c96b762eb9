"""The command ``detect``: what a client's detectors refuse before it randomizes."""

from textwrap import fill

from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.studies.detect.result import ADAPTIVE, DetectConfig, DetectResult
from ldp_core.terminal.study_command import StudyCommand, json_fields

WARNING = "Detectors are hygiene: what passes is protected by epsilon alone, and they justify no larger epsilon."
_FIELDS = (
    "passes (of the training), honest (passes, refused, updates, refused_by_some), joint (refused by at least one "
    "detector, of all honest updates), rows (attack, pairs, refused, passed, counts, unguarded, share_refused, "
    "identification), theory_identification, seed"
)
COMMAND = StudyCommand(
    default=DetectConfig(0),
    description="Set detectors on the client's own data, and show them every attack, adaptive ones included.",
    epilog=f"{fill(WARNING, 118)}\n{json_fields(DetectResult.SCHEMA, _FIELDS)}",
    told={
        "attacks": "",
        "pairs": "pairs of each attack",
        "epsilon": "of the randomizer",
        "false_alarm": "share of honest ones that each may refuse",
        "trials": "games about each pair",
        "images": "own images at most",
        "clip_norm": "L2 bound L on a gradient",
        "significance": "of the ranges",
        "dataset": "",
    },
    known={"attacks": (*ATTACKS, *ADAPTIVE), "dataset": DATASETS},
    lines={"crafting": "pair {done:,} of {total:,}", "training": "training the model: pass {done}"},
)
