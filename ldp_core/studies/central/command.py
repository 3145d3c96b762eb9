"""The command ``central``: what one of six adversaries reaches against DP-SGD."""

from ldp_core.central_adversaries import ADVERSARIES, DIRECTIONS, DISTINGUISHERS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.central.result import MODELS, CentralConfig
from ldp_core.terminal.study_command import StudyCommand

EPILOG = """\
Games: half of the models are trained with one more record, half without; the attacker says which. The first games
choose the thresholds, the others are judged, and only these are counted.

JSON: claim (epsilon, delta, noise), counts (first: the record is in) at the threshold with the most right guesses,
point_counts at the one that is best for the bound at (epsilon, delta), identification (share of right guesses with
limits), epsilon (lower bounds: clopper_pearson holds for any mechanism; curve and gdp only within their family),
ceiling (share of right guesses of the best attacker by the exact law, who sees all iterates), ceiling_last_iterate (who
sees the last model alone), confidence, verdict, warnings, completed, seconds, seed, device, versions, config, schema.

Exit code 0: the claim was not rejected; 1: it was; 2: anything else. At epsilon 1 or less a few thousand trainings
separate nothing: that a claim is not rejected then says nothing."""
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
