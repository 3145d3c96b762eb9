"""What ``import ldp_core`` offers: one call, one whole result.

Who wants to show progress, or to stop and keep a part, iterates over ``audit``, ``compare`` or
``check`` of ``studies.audit.run``, ``studies.compare.run`` or ``checking.exam``. ``check`` runs code of others: never
import this module from a page.
"""

from __future__ import annotations

import secrets
import warnings
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.checking.claims import CheckConfig
from ldp_core.errors import MechanismUnavailableError
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies.compare.store import Store
from ldp_core.types import AuditConfig

if TYPE_CHECKING:
    from ldp_core.checking.claims import CheckResult
    from ldp_core.checking.subjects.python import Limits
    from ldp_core.game.sweep import CompareResult
    from ldp_core.types import AuditResult

_CLAIM = {"delta", "dimension", "clip_norm", "clip_order", "reports", "significance", "scale", "report_norm", "seed"}
_State = TypeVar("_State")


def audit(
    attack: str = "dummy",
    epsilon: float = 1.0,
    *,
    data_dir: str | Path | None = None,
    download: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    cache: Cache | None = None,
    **settings: Any,
) -> AuditResult:
    """Run one attack against one claim; ``summarize`` derives bound and verdict from the result.

    Args:
        attack: name in ``adversaries.ATTACKS``.
        epsilon: claimed privacy parameter in nats, 0.01 to 30.
        data_dir: folder that holds the data set, where it is not built in.
        download: whether a missing public data set may be downloaded.
        device: "cpu", "cuda" (every card), one card such as "cuda:1", or "auto".
        threads: worker threads; without a number, all cores.
        cache: keeps trained models; without one, the user's.
        settings: other fields of ``types.AuditConfig``, such as ``num_trials``, ``num_measurements``,
            ``distinguisher``, ``dataset`` and ``seed`` (without one, from the operating system).

    Raises:
        ValueError: if a name is unknown or a value is out of range.
        LdpCoreError: if parts do not fit each other, or data, cache or device fail.
    """
    from ldp_core.studies.audit.configuration import make_config
    from ldp_core.studies.audit.run import audit as steps

    config = make_config(
        attack=attack, epsilon=epsilon, **_known("AuditConfig", settings, _fields_of(AuditConfig, "attack", "epsilon"))
    )
    folder = None if data_dir is None else Path(data_dir)
    return _whole(
        steps(config, cache or Cache(), device=device, threads=threads, data_dir=folder, download=download)
    ).result


def compare(
    attacks: Sequence[str] = ATTACKS,
    epsilons: Sequence[float] = (0.5, 1.0, 2.0, 4.0),
    *,
    store: str | Path | None = None,
    data_dir: str | Path | None = None,
    download: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    cache: Cache | None = None,
    **settings: Any,
) -> CompareResult:
    """Run attacks by epsilons by rules by data sets; each cell of the result is an ``AuditResult``.

    ``exports.rejected_cells`` says which claims are rejected at a confidence that holds for all cells together.

    Args:
        attacks: names in ``adversaries.ATTACKS``.
        epsilons: claimed privacy parameters in nats, each 0.01 to 30.
        store: SQLite file that keeps each cell as it finishes; the same call continues it. Without one, in memory.
        data_dir: as for ``audit``.
        download: as for ``audit``.
        device: as for ``audit``.
        threads: as for ``audit``.
        cache: as for ``audit``.
        settings: other fields of ``game.sweep.CompareConfig``, such as ``tests``, ``datasets``, ``num_trials``
            and ``seed`` (without one, that of an earlier run with these settings in the store, else from the operating
            system).

    Raises:
        ValueError: as for ``audit``, and if none of the measurements could be made.
        LdpCoreError: as for ``audit``, and if the store cannot be opened; one that fails later is a warning.
    """
    from ldp_core.studies.compare.run import compare as steps

    values = _known("CompareConfig", settings, _fields_of(CompareConfig, "attacks", "epsilons"))
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    seed = values.pop("seed", None)
    config = CompareConfig(tuple(attacks), tuple(epsilons), secrets.randbits(53) if seed is None else seed, **values)
    kept = Store(None if store is None else Path(store))
    earlier = kept.seed_for(config)
    if seed is None:
        config = replace(config, seed=earlier)
    folder = None if data_dir is None else Path(data_dir)
    last = _whole(
        steps(config, cache or Cache(), kept, device=device, threads=threads, data_dir=folder, download=download)
    )
    if last.notes and not any(cell.measurements for cell in last.result.cells):
        raise ValueError(last.notes[-1])
    if last.unkept:
        warnings.warn(f"some of what was counted is not in the store: {last.unkept}", stacklevel=2)
    return last.result


def check(
    mechanism: str | Callable[..., Any] | Any,
    epsilon: float | None = None,
    *,
    arrays: str = "auto",
    limits: Limits | None = None,
    claim_from_mechanism: bool = False,
    **settings: Any,
) -> CheckResult:
    """Examine a mechanism and test its claim; stops as soon as the claim is rejected.

    Args:
        mechanism: a function ``randomize(gradient)`` or ``randomize(gradient, num_reports)`` or an object with such a
            method, which runs in forked copies of this process (see ``subjects.python.from_callable``); or a name:
            ``package.module:Name``, one of ``adapters.NAMES``, or one of our own, such as ``ldp-sgd``; or a list of
            words, a program that answers by lines (see ``subjects.command``).
        epsilon: claimed privacy parameter in nats, 0.01 to 30; may be left out with ``claim_from_mechanism``.
        arrays: what it takes: "auto", "numpy" or "torch".
        limits: of time, memory and processes.
        claim_from_mechanism: whether what somebody else's named mechanism states (epsilon, delta, clip_norm and
            clip_order) stands for what is left out; without it, one that states another claim is refused.
        settings: other fields of ``claims.CheckConfig``: ``delta``, ``dimension`` (64), ``clip_norm``, ``clip_order``,
            ``reports``, ``significance``, ``scale``, ``report_norm``, and ``seed`` (without one, from the operating
            system). What one of ours or an adapter states, and anybody's ``scale`` and ``report_norm``, stand for what
            is left out.

    Raises:
        ValueError: if a value is out of range, or there is no such mechanism.
        LdpCoreError: if the mechanism cannot be reached to the end; nothing is returned of a part.
    """
    from ldp_core.checking.exam import check as steps
    from ldp_core.checking.subjects.reach import reach

    given = _known("CheckConfig", settings, _CLAIM) | ({} if epsilon is None else {"epsilon": epsilon})
    seed = given.pop("seed", None)
    first: dict[str, Any] = {"epsilon": 1.0, "seed": 0 if seed is None else seed} | given
    CheckConfig("", **first)  # a wrong value is refused before code of others runs

    def configured(name: str, taken: Mapping[str, Any]) -> CheckConfig:
        values = {**taken, **given}
        if "epsilon" not in values:
            raise ValueError("epsilon must say what the mechanism claims, got nothing")
        return CheckConfig(name[:200], seed=secrets.randbits(53) if seed is None else seed, **values)

    reached = reach(mechanism, given, configured, arrays, limits, claim_from_mechanism=claim_from_mechanism)
    with closing(reached.subject):
        notice = "seed-given" if seed is not None and reached.foreign else ""
        last = _whole(steps(reached.config, reached.subject, notice=notice, maker=reached.maker))
    if last.problem:
        raise MechanismUnavailableError(last.problem)
    return last.result


def _whole(steps: Generator[_State, None, None]) -> _State:
    """Carry out a run and return its last state."""
    return deque(steps, maxlen=1).pop()


def _fields_of(kind: Any, *arguments: str) -> set[str]:
    """Return the names of a configuration's fields that are no arguments of their own."""
    return {field.name for field in fields(kind)} - set(arguments)


def _known(kind: str, settings: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Return the settings; raise ``ValueError`` for one that there is not."""
    for name in settings:
        if name not in names:
            raise ValueError(f"a setting must be a field of {kind} ({', '.join(sorted(names))}), got {name!r}")
    return settings
