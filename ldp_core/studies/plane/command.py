"""The command ``plane``: membership and reconstruction against accuracy, for training under each protection."""

import argparse
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

from ldp_core import record
from ldp_core.datasets import DATASETS
from ldp_core.studies.plane.config import STRENGTHS, PlaneConfig
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.study import Step
from ldp_core.terminal import write
from ldp_core.terminal.numbers import IMPORTANCE_HELP
from ldp_core.terminal.study_command import CHARTS, StudyCommand, json_fields

COST = (
    "What the app shows (mnist, all points, one training of each, 8 shadow models) took 17 minutes on two busy cores; "
    "--repeats R takes R times as long: 10, about 3 hours."
)
_FIELDS = (
    "runs (point, repeat, train_right, right of held_out, training, areas, rebuilt, guess), costs (method, seconds, "
    "plain, ratio), summaries (point, train_accuracy, accuracy, areas, strongest, area, rebuilt, guess, membership, "
    "reconstruction, defence)"
)


class _Plane(StudyCommand):
    """Models that a file of an earlier run holds are not trained again."""

    def config_of(self, options: argparse.Namespace) -> PlaneConfig:
        config: PlaneConfig = super().config_of(options)
        earlier = _earlier(options.resume)
        return config if earlier is None or options.seed is not None else replace(config, seed=earlier.config.seed)

    def steps(self, config: Any, options: argparse.Namespace, cache: Any) -> Any:
        from ldp_core.studies.plane.run import plane

        earlier = _earlier(options.resume)
        if earlier is not None and earlier.config != config:
            raise ValueError(f"--resume must name a file of the same settings, got {str(options.resume)!r}")
        yield from _kept(
            plane(config, data_dir=options.data_dir, download=options.download, earlier=earlier), options.resume
        )


def _earlier(file: Path | None) -> PlaneResult | None:
    if file is None or not file.exists() or not file.stat().st_size:
        return None
    return record.from_json(file.read_bytes(), PlaneResult)


def _kept(
    steps: Generator[Step[PlaneResult], None, None], file: Path | None
) -> Generator[Step[PlaneResult], None, None]:
    """Write what is done to a file whenever a training of a point is."""
    done = 0
    for progress in steps:
        if file is not None and len(progress.result.runs) > done:
            done = len(progress.result.runs)
            write("--resume", str(file), record.to_json(progress.result))
        yield progress


COMMAND = _Plane(
    default=PlaneConfig(),
    description="Train under each protection; let attackers on membership and on pictures at what it gives away. "
    "Trainings begin at sqrt(3) times torch's weights: plain gradient steps stall from shorter ones.",
    epilog=f"{fill(COST, 118)}\n{json_fields(PlaneResult.SCHEMA, _FIELDS)}",
    told={
        "points": f"all, or sgd and some, as dp-sgd:0.8; of {', '.join(STRENGTHS)}",
        "dataset": "",
        "members": "pictures of a training; as many others are not trained on",
        "passes": "of a training",
        "batch": "pictures of a step",
        "repeats": "trainings of each point; ranges are over them where there are several",
        "shadows": "models of the likelihood-ratio attack, an even number; 0 leaves it out",
        "pictures": "held-out pictures that are rebuilt",
        "public": "pictures that the attacker knows and the channels are fitted to",
        "clip_norm": "L2 bound L on one picture's gradient",
        **IMPORTANCE_HELP,
        "timings": "timed passes of each method; 0 for none",
    },
    known={"dataset": DATASETS},
    shared=("data_dir", "download", "seed", "resume", "json", "html"),
    helps={"figures": CHARTS},
    lines={"models": "model {done:,} of {total:,}", "timing": "timing: pass {done:,} of {total:,}"},
)
