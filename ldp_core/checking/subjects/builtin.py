"""A mechanism of our own family, or one of the faulty ones, by its name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from ldp_core import _validate
from ldp_core.checking.subjects.calls import ARGUMENTS, CalledSubject, made, stated

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.checking.claims import CheckConfig

_STREAM = 0x5B1EC7
"""Apart from the streams of the trials, which are numbered from 0."""


def builtin(name: str, config: CheckConfig) -> CalledSubject:
    """Return one of our mechanisms, seeded from the check's seed; a restarted one has a stream of its own.

    Raises ``ValueError`` if there is none of that name, or it needs longer inputs.
    """
    kind = mechanism_class(name)
    least = getattr(kind, "least_dimension", 1)
    if config.dimension < least:
        raise ValueError(f"dimension must be at least {least} for {name}, got {config.dimension}")
    return _started(kind, config, count())


def mechanisms() -> dict[str, type[Any]]:
    """Return the classes of our mechanisms by name, the faulty ones last."""
    from ldp_core.mechanisms import MECHANISMS
    from ldp_core.mechanisms.faulty import FAULTY

    return {**MECHANISMS, **FAULTY}


def mechanism_class(name: str) -> type[Any]:
    """Return the class of one of our mechanisms; raises ``ValueError`` if there is none of that name."""
    classes = mechanisms()
    _validate.choice("mechanism", name, tuple(classes))
    return classes[name]


def stated_by(name: str, values: Mapping[str, Any], given: Collection[str]) -> dict[str, float | str]:
    """Return what one of our mechanisms states about itself, made as ``calls.made`` makes it."""
    return stated(made(mechanism_class(name), values, given), values["dimension"])


def _started(kind: type[Any], config: CheckConfig, starts: Iterator[int]) -> CalledSubject:
    from ldp_core.randomness.streams import stream_generator

    values = {argument: getattr(config, argument) for argument in ARGUMENTS}
    given = [name for name in ARGUMENTS if name != "delta" or config.delta > 0.0]
    mechanism = made(kind, values, given)
    generator = stream_generator(config.seed, next(starts), 0, _STREAM)
    call = partial(_randomize, mechanism, generator)
    return CalledSubject(call, "torch", partial(_started, kind, config, starts), seeded=True)


def _randomize(mechanism: Any, generator: Generator, gradient: Tensor, num_reports: int) -> Any:
    return mechanism.randomize(gradient, num_reports, generator)
