"""The command ``utility``: what epsilon costs in accuracy."""

from ldp_core.datasets import DATASETS
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.terminal.study_command import StudyCommand, json_fields

COMMAND = StudyCommand(
    default=UtilityConfig((0.5, 1.0, 2.0, 4.0), 0),
    description="Train one model for each epsilon, and one without privacy, with many simulated clients a round.",
    epilog=json_fields(
        UtilityResult.SCHEMA,
        "curves (epsilon, null without privacy; trainings: for each seed the accuracy before the first round and after "
        "each; accuracy: their mean; lowest, highest)",
    ),
    told={
        "epsilons": "what a client spends in one round, separated by commas",
        "dataset": "",
        "clients": "clients that report in a round",
        "rounds": "rounds",
        "clip_norm": "L2 bound L on a gradient",
        "learning_rate": "server's first step size times L",
        "repeats": "trainings of each, with seeds --seed, --seed + 1, ...",
        "radius": "norm of the ball that the server's model stays in",
    },
    known={"dataset": DATASETS},
    shared=("data_dir", "download", "seed", "threads", "json", "html", "figures"),
    lines={"rounds": "{percent} % of the rounds"},
)
