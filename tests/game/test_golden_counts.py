"""What each seed counts, as filed (`python -m tests.vectors.golden`); another torch may turn a guess by one digit."""

import itertools
import json

import pytest
import torch

from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.sweep import CompareConfig
from ldp_core.mechanisms import MECHANISMS
from ldp_core.types import SAMPLINGS, AuditConfig
from tests.vectors import golden

LINES = [json.loads(line) for line in golden.FILE.read_text(encoding="utf-8").splitlines()]
VERSION = f"this is torch {torch.__version__}"
FILED = {golden.key(line): line for line in LINES}
CONFIGS, COMPARISONS = list(golden.configs()), list(golden.comparisons())
BY_DAY = CONFIGS[0].mechanism
"""The mechanism of which most is counted in the default tests."""


def group(config: AuditConfig) -> str:
    return f"{config.mechanism}-{config.distinguisher}-{config.sampling}"


GROUPS = {name: list(each) for name, each in itertools.groupby(CONFIGS, group)}


def short(config: CompareConfig) -> bool:
    return config.mechanism == BY_DAY and (config.tests, config.num_measurements) != (("black",), 2)


def differences(made: list[golden.Line]) -> list[tuple[golden.Line, golden.Line | None]]:
    """Return the lines that are not as filed, each with the filed one."""
    return [(line, FILED.get(golden.key(line))) for line in made if FILED.get(golden.key(line)) != line]


def test_every_combination_has_its_line_and_no_other() -> None:
    """Whoever registers an entry writes its lines."""
    expected = {tuple(getattr(config, name) for name in golden.FIELDS) for config in CONFIGS}
    expected |= {
        tuple(getattr(cell, name) for name in golden.FIELDS) for config in COMPARISONS for cell in config.cells()
    }
    assert set(FILED) == expected
    assert len(LINES) == len(FILED)
    for column, registry in enumerate((ATTACKS, MECHANISMS, DISTINGUISHERS, SAMPLINGS)):
        assert {key[column] for key in FILED} == set(registry)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", sorted(GROUPS, key=lambda name: not name.startswith(f"{BY_DAY}-")))
def test_an_audit_counts_as_filed(name: str, cache: Cache) -> None:
    assert differences([golden.audited(config, cache) for config in GROUPS[name]]) == [], VERSION


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [name for name in MECHANISMS if name != BY_DAY])
def test_an_audit_of_another_mechanism_counts_as_filed(name: str, cache: Cache) -> None:
    """One attack for each rule and sampling; nightly all."""
    some = [
        next(iter(each))
        for _, each in itertools.groupby((config for config in CONFIGS if config.mechanism == name), group)
    ]
    assert differences([golden.audited(config, cache) for config in some]) == [], VERSION


@pytest.mark.parametrize("config", [one if short(one) else pytest.param(one, marks=pytest.mark.nightly) for one in
                                    COMPARISONS])  # fmt: skip
def test_a_comparison_counts_as_filed(config: CompareConfig, cache: Cache) -> None:
    assert differences(golden.compared(config, cache)) == [], VERSION


def test_a_seed_that_counts_something_else_is_seen(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "SEED", golden.SEED + 1)
    assert len(differences([golden.audited(next(golden.configs()), cache)])) == 1
