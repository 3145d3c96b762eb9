"""Makes and checks the configuration of a test: names, ranges, and which parts fit each other. No torch."""

import secrets
from contextlib import suppress
from dataclasses import replace

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS, LINEAR
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.types import AuditConfig


def make_config(*, seed: int | None = None, bound: str | None = None, **options: object) -> AuditConfig:
    """Return a checked configuration, with what the caller left out.

    ``seed``: of all streams; without one, 53 bits from the operating system; ``bound``: the stated bound; without one,
    the distinguisher's own; ``options``: the other fields of ``AuditConfig``.
    Raises ``ValueError`` if a name is unknown or a value is out of range.
    """
    distinguisher = str(options.get("distinguisher", "cosine"))
    _validate.choice("distinguisher", distinguisher, DISTINGUISHERS)
    config = AuditConfig(
        seed=secrets.randbits(53) if seed is None else seed,
        bound=bound or DISTINGUISHERS[distinguisher].bound,
        **options,  # type: ignore[arg-type]
    )
    check_config(config)
    return config


def of_other_attacks(config: AuditConfig) -> list[AuditConfig]:
    """Return the same test of every other attack that fits it."""
    configs = []
    for attack in ADVERSARIES:
        if attack != config.attack:
            with suppress(UnsupportedCombinationError):
                check_combination(other := replace(config, attack=attack))
                configs.append(other)
    return configs


def check_config(config: AuditConfig) -> None:
    """Raise ``ValueError`` if a name is unknown, or ``UnsupportedCombinationError`` if parts do not fit each other."""
    _validate.choice("distinguisher", config.distinguisher, DISTINGUISHERS)
    _validate.choice("attack", config.attack, ADVERSARIES)
    _validate.choice("mechanism", config.mechanism, MECHANISMS)
    _validate.choice("dataset", config.dataset, DATASETS)
    check_combination(config)


def check_combination(config: AuditConfig) -> None:
    """Raise ``UnsupportedCombinationError`` if distinguisher, attack, round, sampling and mechanism do not fit."""
    rule = DISTINGUISHERS[config.distinguisher]
    if reason := rule.objection(config.attack, config.clients):
        raise UnsupportedCombinationError(
            f"{rule.name} does not fit {config.attack} with {config.clients} client(s): it {reason}", "rule"
        )
    if config.sampling == "projected" and rule.name not in LINEAR:
        kind, observations = ("white-box", "models") if rule.view == "black" else ("linear", "reports")
        raise UnsupportedCombinationError(
            f"projected sampling needs a {kind} distinguisher, got {rule.name}, which looks at whole {observations}",
            "simulation",
        )
    if config.mechanism not in LDP_SGD_FAMILY and (rule.view == "black" or config.sampling == "projected"):
        feature = rule.name if rule.view == "black" else "projected sampling"
        raise UnsupportedCombinationError(
            f"{feature} needs a mechanism whose noise is LDP-SGD's ({', '.join(LDP_SGD_FAMILY)}), "
            f"got {config.mechanism}",
            "mechanism",
        )
