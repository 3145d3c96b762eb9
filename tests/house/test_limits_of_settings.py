"""The limits of a setting stand beside its field; a configuration, a form and a command read them there."""

from dataclasses import fields, replace
from typing import Any

import pytest

from ldp_core._validate import limits
from ldp_core.checking.claims import CheckConfig
from ldp_core.studies.trajectory.result import TrainingPathConfig
from ldp_core.studies.utility.result import UtilityConfig
from ldp_core.types import AuditConfig
from tests.cli.commands import help_of

CONFIGS: tuple[Any, ...] = (
    AuditConfig("dummy", 1.0, "pooled", 1),
    UtilityConfig((1.0,), 1),
    TrainingPathConfig(("dummy",), 1),
    CheckConfig("x", 1.0, 1),
)
LIMITED = [(config, field.name) for config in CONFIGS for field in fields(config) if field.metadata]


def test_the_numbers_of_every_configuration_have_limits() -> None:
    unlimited = {"own_pairs"}  # these come with a digest
    for config in CONFIGS:
        numbers = {field.name for field in fields(config) if str(field.type).split(" ")[0] in ("int", "float")}
        assert numbers - unlimited == {name for one, name in LIMITED if one is config} - unlimited


@pytest.mark.parametrize(
    ("config", "name"), LIMITED, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_a_configuration_takes_what_is_within_the_limits_and_refuses_the_rest(config: Any, name: str) -> None:
    low, high = limits(type(config), name)
    if name not in ("own_pairs", "pair_set"):  # these depend on other fields
        for value in (low, high):
            assert getattr(replace(config, **{name: value}), name) == value
    outside = (low - 1, high + 1) if isinstance(low, int) else (low - 1e-13, high * 1.01)
    for value in (*outside, True, "1", float("nan")):
        with pytest.raises(ValueError, match=f"^{name} must be a "):
            replace(config, **{name: value})


def test_only_a_field_that_may_be_left_out_may_be_none() -> None:
    assert replace(CONFIGS[0], radius=None).radius is None
    with pytest.raises(ValueError, match=r"^strength must be a number"):
        replace(CONFIGS[0], strength=None)


def test_a_field_without_limits_is_no_field_with_limits() -> None:
    with pytest.raises(KeyError):
        limits(AuditConfig, "attack")


def test_help_states_the_limits_of_epsilon() -> None:
    low, high = limits(AuditConfig, "epsilon")
    for name in ("audit", "compare", "check"):
        assert f"{low:g} to {high:g}" in " ".join(help_of(name).split())
