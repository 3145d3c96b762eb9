"""The line that repeats a run, read by the command that it names, asks for the very same configuration."""

import random
import shlex
from dataclasses import MISSING, fields, replace
from typing import Any

import pytest

from ldp_core import cli, record
from ldp_core.adversaries import ATTACKS
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.channels import CHANNELS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.errors import LdpCoreError
from ldp_core.mechanisms import MECHANISMS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies import STUDIES
from ldp_core.studies.reconstruction.result import PROTECTIONS
from ldp_core.types import TRAININGS

NAMES: dict[str, Any] = {
    "attack": ATTACKS, "attacks": ATTACKS, "adversary": ADVERSARIES, "channel": CHANNELS, "dataset": PUBLIC_DATASETS,
    "mechanism": MECHANISMS, "attacker": RECONSTRUCTIONS, "protection": PROTECTIONS, "others": OTHERS, "view": VIEWS,
    "training": TRAININGS, "optimizer": ["lbfgs"], "sampling": ["full"], "rule": ["cosine"], "model": ["cnn", "mlp"],
    "papers": ["m", "j", "n"], "items": ["m-fig1a", "n-eq1"], "scale": ["hour", "paper"],
    "points": [("sgd", "dp-sgd:0.8")], "distinguisher": ["final-sum"], "direction": ["random"],
    "importance_map": ["09/90", "0000/0990/0550/0000"],
}  # fmt: skip
APART = ("audit", "compare")
"""Whose settings must fit each other: ``test_readme`` and ``test_exports`` read their lines back."""
CONFIGS = {
    name: study.config for name, study in STUDIES.items() if hasattr(study.config, "COMMAND") and name not in APART
}
REQUIRED: dict[str, Any] = {"epsilons": (1.0,), "attack": "dummy", "epsilon": 2.0, "seed": 3, "adversary": "gradient"}
REQUIRED["subject"] = "my trainings.py:train"


def drawn(kind: Any, own: random.Random) -> Any:
    """Return a configuration that differs from the usual one in half of what may differ."""
    config = kind(**{one.name: REQUIRED[one.name] for one in fields(kind) if one.default is MISSING})
    lists = record.lists(kind)
    for one in fields(kind):
        low, high = one.metadata.get("limits", (1, 9))
        number = own.randint(low, min(high, low + 5_000)) if isinstance(low, int) else own.uniform(low, min(high, 50.0))
        number = round(number, 6) if one.name == "significance" else number
        values: list[Any] = [number, float(number), True]
        if one.name in NAMES:
            values = own.sample(list(NAMES[one.name]), len(NAMES[one.name]))
        if one.name in lists:
            values = [value if isinstance(value, tuple) else (value,) for value in values]
        for value in values if own.random() < 0.5 else ():
            try:
                changed = replace(config, **{one.name: value})
                assert type(getattr(changed, one.name)) is type(getattr(config, one.name)) or one.default is None
                config = changed
                break
            except (ValueError, AssertionError, TypeError, LdpCoreError):
                continue
    return config


@pytest.mark.parametrize("name", CONFIGS)
def test_it_is_read_back_as_the_same_configuration(name: str) -> None:
    own, seen = random.Random(7), set()
    (module,) = [one for one in STUDIES[name].commands if CONFIGS[name].COMMAND == one.NAME]
    for _ in range(60):
        config = drawn(CONFIGS[name], own)
        words = shlex.split(record.command(config))
        assert module.config_of(cli.parsed(words[3:])) == config
        seen |= {word for word in words if word.startswith("--")}
    assert len(seen) >= len(fields(CONFIGS[name])) - 2  # nearly every setting was tried away from its default
