"""The command ``reconstruct``: could somebody see a picture from what is sent?"""

import argparse

from ldp_core.datasets import DATASETS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.studies.reconstruction.result import PROTECTIONS, ReconstructionConfig, ReconstructionResult
from ldp_core.terminal.numbers import IMPORTANCE_HELP, training_help
from ldp_core.terminal.study_command import StudyCommand, json_fields
from ldp_core.types import TRAININGS

_FIELDS = (
    "results (for each number of reports: pictures; mse of the whole picture, important_mse (where pixels count "
    "differently), psnr, ssim, cosine and top1 of the part that the network sees, label_right and identified with "
    "point, lower, upper; sureness; right, right_by_mean of the pictures; limits), limits of all reports (doubling, "
    "fano, general, information_per_report), baselines (mean, class_mean), dimension, blind (share of pixels never "
    "seen)"
)
_FEW = {"identify": 400, "linear": 100, "half-space": 20, "inversion": 10, "peel": 10, "model-inversion": 10}
"""Pictures that are attacked unless a number is given: about half a minute."""


class _Reconstruct(StudyCommand):
    def config_of(self, options: argparse.Namespace) -> ReconstructionConfig:
        attacker = RECONSTRUCTIONS.get(options.attacker)
        if attacker is not None:
            usual = {"pictures": _FEW[attacker.name], "training": "light" if attacker.sees == "model" else "none"}
            given = {name: value for name, value in vars(options).items() if value is not None}
            options = argparse.Namespace(**vars(options) | usual | given)
        config: ReconstructionConfig = super().config_of(options)
        return config


COMMAND = _Reconstruct(
    default=ReconstructionConfig(),
    description="Let attackers rebuild pictures, or name them among known ones, from reports of one update.",
    epilog=json_fields(ReconstructionResult.SCHEMA, _FIELDS),
    told={
        "attacker": "",
        "dataset": "",
        "training": f"of the model: {training_help()}; none, and light for model-inversion",
        "protection": "",
        "epsilon": "of a mechanism, in nats",
        "reports": "numbers of reports of one picture, separated by commas",
        "pictures": "pictures that are attacked; without it, about half a minute",
        "candidates": "pictures among which identify chooses",
        "significance": "of the verdict; ranges are 95 %% ranges",
        "public": "public pictures that the attacker knows",
        "clip_norm": "L2 bound L on an update",
        "capacity": "of a channel, in nats",
        "noise": "multiplier z of gaussian noise, in units of L; without it, as strong as epsilon needs",
        "keep": "share of numbers that top-k sends",
        **IMPORTANCE_HELP,
        "batch": "pictures behind one update",
        "local_steps": "steps of gradient descent on the batch that make one update; all attackers but peel know them",
        "local_rate": "their learning rate",
        "steps": "of an attacker that optimizes",
        "restarts": "of inversion",
        "optimizer": "of inversion: adam (signed) or lbfgs",
    },
    known={"attacker": RECONSTRUCTIONS, "dataset": DATASETS, "protection": PROTECTIONS},
    more={
        "training": {"default": None, "choices": TRAININGS},
        "pictures": {"default": None},
    },
    lines={"pictures": "picture {done:,} of {total:,}"},
    cached=True,
)
