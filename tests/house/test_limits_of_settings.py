"""The limits of a setting stand beside its field; a configuration, a form and a command read them there."""

from dataclasses import fields, replace
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from ldp_core._validate import limits
from ldp_core.checking.claims import CheckConfig
from ldp_core.studies import STUDIES
from ldp_core.studies.capacity.result import CapacityConfig
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.channels.result import ChannelsConfig
from ldp_core.studies.detect.result import DetectConfig
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.reconstruction.result import ReconstructionConfig
from ldp_core.studies.reproduce.result import ReproduceConfig
from ldp_core.studies.training_check.result import TrainingCheckConfig
from ldp_core.studies.trajectory.result import TrainingPathConfig
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.utility.result import UtilityConfig
from ldp_core.types import AuditConfig

CONFIGS: tuple[Any, ...] = (
    AuditConfig("dummy", 1.0, "pooled", 1), UtilityConfig((1.0,), 1), TrainingPathConfig(("dummy",), 1),
    CheckConfig("x", 1.0, 1), ReconstructionConfig("inversion"), ChannelsConfig("natural"), CapacityConfig(),
    PlaneConfig(1), TrustConfig("dummy", 4.0, 5, clients=100_000, sybils=0), DetectConfig(7),
    CentralConfig("gradient", 1), TrainingCheckConfig("a.py:f", 7, noise=1.0), ReproduceConfig(1),
)  # fmt: skip
ELSEWHERE = {"CompareConfig", "GlimpseConfig"}
"""Each of a comparison's cells is an ``AuditConfig``; a glimpse has a label alone."""
LIMITED = [(config, field.name) for config in CONFIGS for field in fields(config) if field.metadata]
TYPES = {config: get_type_hints(type(config)) for config in CONFIGS}
CHOICES = [
    (config, field.name)
    for config in CONFIGS
    for field in fields(config)
    if TYPES[config][field.name] is str and field.name != "subject"
]
DEPENDENT = {"own_pairs", "sybils", "threshold_games", "records"}
"""What other fields allow besides, or say where it is 0."""


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def test_the_numbers_of_every_configuration_have_limits() -> None:
    unlimited = {"own_pairs", "capacity", "sampling_rate", "server_step"}
    for config in CONFIGS:
        numbers = {field.name for field in fields(config) if {int, float} & set(_parts(TYPES[config][field.name]))}
        assert numbers - unlimited == {name for one, name in LIMITED if one is config} - unlimited
    assert {study.config.__name__ for study in STUDIES.values()} == {type(one).__name__ for one in CONFIGS} | ELSEWHERE


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
    assert replace(CONFIGS[0], radius=None).radius is None
    with pytest.raises(ValueError, match=r"^strength must be a number"):
        replace(CONFIGS[0], strength=None)
