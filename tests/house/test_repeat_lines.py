"""The line that repeats a run asks for the very same configuration; the limits of a setting stand beside its field."""

import random
import shlex
from dataclasses import MISSING, fields, replace
from functools import partial
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from ldp_core import cli, record
from ldp_core._validate import limits
from ldp_core.adversaries import ATTACKS
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.channels import CHANNELS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.errors import LdpCoreError
from ldp_core.game.sweep import TESTS, CompareConfig
from ldp_core.mechanisms import MECHANISMS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.reconstruction.result import PROTECTIONS
from ldp_core.types import TRAININGS, AuditConfig
from tests.cli.commands import Run

NAMES: dict[str, Any] = {
    "attack": ATTACKS, "attacks": ATTACKS, "adversary": ADVERSARIES, "channel": CHANNELS, "dataset": PUBLIC_DATASETS,
    "mechanism": MECHANISMS, "attacker": RECONSTRUCTIONS, "protection": PROTECTIONS, "others": OTHERS, "view": VIEWS,
    "training": TRAININGS, "optimizer": ["lbfgs"], "sampling": ["full"], "rule": ["cosine"], "model": ["cnn", "mlp"],
    "papers": ["m", "j", "n"], "items": ["m-fig1a", "n-eq1"], "scale": ["hour", "paper"],
    "points": [("sgd", "dp-sgd:0.8")], "distinguisher": ["final-sum"], "direction": ["random"],
    "importance_map": ["09/90", "0000/0990/0550/0000"],
}  # fmt: skip
FITTING: list[tuple[str, dict[str, Any]]] = [
    ("audit", {}),
    ("audit", {"distinguisher": "selective", "watch": True, "sampling": "projected"}),
    ("audit", {"mechanism": "overclaiming", "bound": "clopper_pearson", "epsilon": 0.7, "clip_norm": 2.5}),
    ("audit", {"dataset": "mnist", "training": "full", "significance": 0.01, "num_trials": 3, "seed": 2**53 - 1}),
    ("audit", {"significance": 1e-9, "epsilon": 30.0, "attack": "benign", "num_measurements": 1_000}),
    ("audit", {"distinguisher": "loss-fall", "attack": "collusion", "clients": 3, "radius": 2.5}),
    ("audit", {"attack": "input-perturbation", "strength": 0.25}),
    ("compare", {"epsilons": (0.1 + 0.2, 1e-2, 30.0)}),
    ("compare", {"tests": TESTS, "clients": (1, 2, 1000), "black_rules": ("paper", "signed-loss")}),
    ("compare", {"tests": ("black",), "white_rules": ("selective",), "radius": 1 / 3}),
    ("compare", {"white_rules": ("selective", "cosine"), "strengths": (0.1, 1.0, 7.25)}),
    ("compare", {"datasets": ("mnist", "cifar10"), "training": "full", "mechanism": "overclaiming", "curves": True}),
    ("compare", {"significance": 0.001, "clip_norm": 0.1, "num_trials": 77, "num_measurements": 1, "seed": 2**63 - 1}),
]
"""Of the two studies whose settings must fit each other."""
MADE = {
    "audit": partial(make_config, attack="label-flip", epsilon=4.0, seed=3),
    "compare": partial(CompareConfig, attacks=tuple(ATTACKS), epsilons=(1.0,), seed=7),
}
SMALL = {
    "audit": ["audit", "--training", "none", "--trials", "100", "--measurements", "1",
              "--epsilon", "0.30000000000000004", "--strength", "0.7", "--confidence", "0.999999999", "--watch"],
    "compare": ["compare", "--attacks", "dummy,benign", "--epsilons", "0.30000000000000004,2", "--training", "none",
                "--trials", "100", "--measurements", "1", "--confidence", "0.999999999", "--tests", "white,black"],
}  # fmt: skip
CONFIGS = {
    name: study.config for name, study in STUDIES.items() if hasattr(study.config, "COMMAND") and name not in MADE
}
REQUIRED: dict[str, Any] = {
    "epsilons": (1.0,), "attack": "dummy", "epsilon": 2.0, "seed": 3, "adversary": "gradient", "bound": "pooled",
    "subject": "my trainings.py:train", "attacks": ("dummy",), "attacker": "inversion", "noise": 1.0,
}  # fmt: skip


def usual(kind: Any, **settings: Any) -> Any:
    return kind(**{one.name: REQUIRED[one.name] for one in fields(kind) if one.default is MISSING} | settings)


def drawn(kind: Any, own: random.Random) -> Any:
    """Return a configuration that differs from the usual one in half of what may differ."""
    config = usual(kind)
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


def read(words: list[str]) -> Any:
    """Read a command line as the program does, without running it."""
    (module,) = [one for study in STUDIES.values() for one in study.commands if words[0] == one.NAME]
    return module.config_of(cli.parsed(words))


@pytest.mark.parametrize("name", CONFIGS)
def test_it_is_read_back_as_the_same_configuration(name: str) -> None:
    own, seen = random.Random(7), set()
    for _ in range(60):
        config = drawn(CONFIGS[name], own)
        words = shlex.split(record.command(config))
        assert read(words[3:]) == config
        seen |= {word for word in words if word.startswith("--")}
    assert len(seen) >= len(fields(CONFIGS[name])) - 2  # nearly every setting was tried away from its default


@pytest.mark.parametrize(("name", "changes"), FITTING)
def test_settings_that_fit_each_other_are_read_back(name: str, changes: dict[str, Any]) -> None:
    config = MADE[name](**changes)
    words = shlex.split(record.command(config))
    assert words[:4] == ["python", "-m", "ldp_core", name]
    assert read(words[3:]) == config


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("name", SMALL)
def test_the_printed_line_can_be_pasted(run: Run, tmp_path: Path, data_dir: Path, name: str) -> None:
    """It is the last line and nothing else is in it; a shell reads it as the same run with the same folder."""
    folder = tmp_path / "it's here; $HOME"
    folder.symlink_to(data_dir)
    words = [*SMALL[name], "--dataset", "mnist", "--data-dir", str(folder)]
    code, out, _ = run(*words)
    again = shlex.split(out.splitlines()[-1])
    assert (code, again[:4]) == (0, ["python", "-m", "ldp_core", name])
    repeated = cli.parsed(again[3:])
    assert read(again[3:]) == read([*words, "--seed", str(repeated.seed)])
    assert repeated.data_dir == folder


ELSEWHERE = {"CompareConfig", "GlimpseConfig"}
"""Each of a comparison's cells is an ``AuditConfig``; a glimpse has a label alone."""
MORE = {"TrustConfig": {"clients": 100_000, "sybils": 0}, "ReconstructionConfig": {"attacker": "inversion"}}
KINDS = [study.config for study in STUDIES.values() if study.config.__name__ not in ELSEWHERE]
USUAL = [usual(kind, **MORE.get(kind.__name__, {})) for kind in KINDS]
AUDIT = USUAL[KINDS.index(AuditConfig)]
LIMITED = [(config, field.name) for config in USUAL for field in fields(config) if field.metadata]
TYPES = {config: get_type_hints(type(config)) for config in USUAL}
CHOICES = [
    (config, field.name)
    for config in USUAL
    for field in fields(config)
    if TYPES[config][field.name] is str and field.name != "subject"
]
DEPENDENT = {"own_pairs", "sybils", "threshold_games", "records"}
"""What other fields allow besides, or say where it is 0."""


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def test_the_numbers_of_every_configuration_have_limits() -> None:
    unlimited = {"own_pairs", "capacity", "sampling_rate", "server_step"}
    for config in USUAL:
        numbers = {field.name for field in fields(config) if {int, float} & set(_parts(TYPES[config][field.name]))}
        assert numbers - unlimited == {name for one, name in LIMITED if one is config} - unlimited


@pytest.mark.parametrize(
    ("config", "name"), LIMITED, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_a_configuration_takes_what_is_within_the_limits_and_refuses_the_rest(config: Any, name: str) -> None:
    low, high = limits(type(config), name)
    if name not in DEPENDENT:
        for value in (low, high):
            assert getattr(replace(config, **{name: value}), name) == value
    outside = (low - 1, high + 1) if isinstance(low, int) else (low - 1e-13, high * 1.01)
    for value in (*outside, True, "1", float("nan")):
        with pytest.raises(ValueError, match=f"^{name} must be a "):
            replace(config, **{name: value})


@pytest.mark.parametrize(
    ("config", "name"), CHOICES, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_a_choice_is_one_of_those_that_are_named(config: Any, name: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        replace(config, **{name: "No such thing"})


def test_only_a_field_that_may_be_left_out_may_be_none() -> None:
    assert replace(AUDIT, radius=None).radius is None
    with pytest.raises(ValueError, match=r"^strength must be a number"):
        replace(AUDIT, strength=None)
