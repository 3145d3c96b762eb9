"""The command ``central``: what one of six adversaries reaches against DP-SGD."""

from pathlib import Path

from ldp_core.central_adversaries import ADVERSARIES, DIRECTIONS, DISTINGUISHERS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.central.result import MODELS, CentralConfig
from ldp_core.terminal.study_command import StudyCommand

EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
COMMAND = StudyCommand(
    default=CentralConfig("malicious-data", 0),
    description="Train many models with DP-SGD, with and without one record, and let an adversary tell them apart.",
    epilog=EPILOG,
    told={
        "adversary": "",
        "model": "",
        "epsilon": "claimed",
        "delta": "claimed",
        "records": "records of the data set without the one looked for",
        "sampling_rate": "chance of a record to be in a batch",
        "steps": "steps",
        "games": "judged games in each world",
        "threshold_games": "other games in each world; without it, as many as are judged",
        "distinguisher": "without it, the adversary's own",
        "direction": "of the adversary gradient; without it, the first (cnn: random)",
        "law": "play by the exact law instead of training (gradient, malicious-data)",
        "dataset": "",
        "clip_norm": "L2 bound C on a record's gradient",
        "learning_rate": "of a step, times the mean noisy gradient; 0: 4, or 0.5 for cnn",
        "noise_factor": "demonstration: real noise / claimed noise",
    },
    known={
        "adversary": ADVERSARIES, "model": MODELS, "distinguisher": DISTINGUISHERS, "direction": DIRECTIONS,
        "dataset": PUBLIC_DATASETS,
    },
    more={
        "threshold_games": {"default": None}, "distinguisher": {"default": None}, "direction": {"default": None},
        "learning_rate": {"default": 0.0},
    },
    shared=("data_dir", "download", "seed", "device", "threads", "resume", "json", "html", "figures"),
    lines={"attack": "preparing the attack", "games": "game {done:,} of {total:,} ({percent} %)"},
)  # fmt: skip
