"""The registry of the studies: each asks one question, in a folder of its own. No torch."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from ldp_core.study import Study

_ENTRIES: dict[str, tuple[str, dict[str, str]]] = {
    "audit": ("audit.study.Audit", {"audit": "test one attack at one epsilon"}),
    "reconstruction": (
        "reconstruction.study.Reconstruction",
        {"reconstruct": "could somebody see a picture from what is sent? attackers, what they reach, and the limits"},
    ),
    "channels": (
        "channels.study.Channels",
        {"channels": "noise on pictures, as strong as a capacity allows: what it leaves, costs and leaks"},
    ),
    "capacity": (
        "capacity.study.Capacity",
        {"capacity": "what a capacity stops: a server that crafts its model, batches, compression, similar pictures"},
    ),
    "plane": (
        "plane.study.Plane",
        {"plane": "membership and reconstruction against accuracy, for training under each protection"},
    ),
    "compare": ("compare.study.Compare", {"compare": "compare attacks, epsilons, tests and data sets"}),
    "reproduce": (
        "reproduce.study.Reproduce",
        {"reproduce": "every figure, table, formula and claim of the papers, beside what is found here"},
    ),
    "path": (
        "trajectory.study.Trajectory",
        {"training-path": "how pairs wander in angle and norm as the model learns"},
    ),
    "utility": (
        "utility.study.Utility",
        {"utility": "what epsilon costs: federated training with and without privacy"},
    ),
    "trust": ("trust.study.Trust", {"trust": "whom must you trust: one report, behind a shuffler, or in a sum"}),
    "detect": (
        "detect.study.Detect",
        {"detect": "what a client can refuse before it randomizes, and who gets past it"},
    ),
    "central": (
        "central.study.Central",
        {
            "accountant": "epsilon of DP-SGD for a noise, or the noise for an epsilon",
            "central": "audit DP-SGD: what does the epsilon of a server that adds the noise leave?",
            "central-table": "all adversaries of DP-SGD at several epsilons, as the app shows them",
        },
    ),
    "check": (
        "check.study.Check",
        {
            "check": "examine a mechanism that you did not write",
            "challenge": "write inputs for a mechanism that runs elsewhere",
        },
    ),
    "training_check": (
        "training_check.study.TrainingCheck",
        {"check-training": "check a training function that you did not write: is it the DP-SGD that it claims?"},
    ),
    "glimpse": ("glimpse.study.OnePicture", {}),
}
"""Name of a study -> its class, below this folder, and its commands with what each does, in the order of the help."""


class _Studies(Mapping[str, Study]):
    """Loads a study when it is asked for: a command needs no other."""

    def __getitem__(self, name: str) -> Study:
        return _made(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_ENTRIES)

    def __len__(self) -> int:
        return len(_ENTRIES)


@cache
def _made(name: str) -> Study:
    module, _, kind = _ENTRIES[name][0].rpartition(".")
    study: Study = getattr(import_module(f"{__name__}.{module}"), kind)()
    return study


STUDIES: Mapping[str, Study] = _Studies()
"""Name -> study, in the order of their commands."""

COMMANDS = {command: name for name, (_, commands) in _ENTRIES.items() for command in commands}
"""Command -> name of its study."""

DOES = {command: does for _, commands in _ENTRIES.values() for command, does in commands.items()}
"""Command -> what it does."""


def study_of(config: object) -> Study:
    """Return the study that a configuration belongs to; raises ``TypeError`` if it belongs to none."""
    for study in STUDIES.values():
        if isinstance(config, study.config):
            return study
    raise TypeError(f"a configuration must be that of a study, got {type(config).__name__}")
