"""The command ``channels``: noise on pictures, as strong as a capacity allows."""

from ldp_core.channels import CHANNELS
from ldp_core.datasets import DATASETS
from ldp_core.studies.channels.result import MOST_UNASKED, ChannelsConfig, ChannelsResult
from ldp_core.terminal.numbers import IMPORTANCE_HELP
from ldp_core.terminal.study_command import StudyCommand, json_fields

COMMAND = StudyCommand(
    default=ChannelsConfig(),
    description="Fit a channel of the information-theoretic defence to public pictures, and measure it.",
    epilog=json_fields(
        ChannelsResult.SCHEMA,
        "sigma, rank, dimension, capacity, rounds (rounds, capacity, capacity_once) in nats; wiener_error_per_pixel, "
        "important_error (where pixels count differently), share_of_variance, gaussian_floor with its "
        "floor_components, water_filling, of Gaussian data; diagonal_capacity (upper bound in nats); real_error, "
        "gaussian_error as measured (point, lower, upper); right of so many pictures named among candidates, and their "
        "share found; accuracy (plain, fresh, once)",
    ),
    told={
        "channel": "",
        "capacity": "C in nats",
        "dataset": "",
        "rounds": "numbers of rounds of one picture, separated by commas",
        **IMPORTANCE_HELP,
        "pictures": "held-out pictures on which it is measured",
        "candidates": f"pictures among which a noisy one is looked up, at most {MOST_UNASKED:,} without it",
        "passes": "of a training on noisy pictures",
        "goal": "in place of a capacity, the largest one at which: error:E, the linear estimate errs by E per pixel or "
        "more; named:S, a share S of noisy pictures or less is named right, as measured; budget:B, the last number of "
        "rounds gives away B nats or less",
    },
    known={"channel": CHANNELS, "dataset": DATASETS},
    shared=("data_dir", "download", "seed", "json", "html"),
    lines={
        "channel": "fitting and measuring the channel: part {done} of {total}",
        "passes": "training on noisy pictures: pass {done} of {total}",
    },
)
