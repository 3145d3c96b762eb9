"""The command ``capacity``: figures of what a capacity stops and what it does not."""

from ldp_core.datasets import DATASETS
from ldp_core.studies.capacity.result import PARTS, CapacityConfig, CapacityResult
from ldp_core.terminal.numbers import IMPORTANCE_HELP
from ldp_core.terminal.study_command import CHARTS, StudyCommand, json_fields

COMMAND = StudyCommand(
    default=CapacityConfig(),
    description="Measure what a capacity of the information-theoretic defence stops and what it does not. "
    "The client's first model is that of reconstruct --training none.",
    epilog=json_fields(
        CapacityResult.SCHEMA,
        "kept (capacity in nats and sigma that keep the goal), panels (one for each chart: name, lines with a name and "
        "points of x, value, lower, upper)",
    ),
    told={
        "parts": "",
        "dataset": "",
        "capacity": "C in nats, of the parts that have one",
        "capacities": "C in nats of the parts that compare several, separated by commas",
        "rounds": "of the server that crafts its model",
        "factor": "by which that server multiplies its last layer in each round",
        "batches": "pictures behind an update, separated by commas",
        "noise": "noise multiplier z of DP-SGD",
        "clip_norm": "L2 bound L on one picture's gradient",
        "epsilon": "of LDP-SGD, in nats",
        **IMPORTANCE_HELP,
        "public": "pictures that everybody knows, noise is fitted to, and a picture is named among",
        "pictures": "held-out pictures, or batches of them, on which is measured",
        "goal": "in place of --capacity, the largest C of the natural channel at which: error:E, the linear estimate "
        "errs by E per pixel or more; named:S, a share S of the public pictures or less is named right among them, as "
        "measured; budget:B, --rounds rounds give away B nats or less",
        "passes": "of each training of the model inversion",
    },
    known={"parts": PARTS, "dataset": DATASETS},
    helps={"figures": CHARTS},
    lines={"figures": "measuring: step {done} of {total}"},
)
