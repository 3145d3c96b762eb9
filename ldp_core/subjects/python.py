"""A mechanism that a Python program defines. Importing it runs the stranger's code: only at the client's own request.

Never import this module from a page: no field of a browser may name code.
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ldp_core.errors import MechanismUnavailableError
from ldp_core.subjects._calls import ARGUMENTS, CalledSubject, aside, batch_rows, described, made
from ldp_core.subjects._serve import words_for
from ldp_core.subjects.command import CommandSubject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ldp_core.claims import CheckConfig

_RESTART_SECONDS = 300.0
"""For the first answer of a new process, which must import what the mechanism needs."""


def load(
    target: str,
    config: CheckConfig,
    arrays: str = "auto",
    *,
    mechanism: Any = None,
    given: Collection[str] = ARGUMENTS,
) -> CalledSubject:
    """Return the mechanism that ``package.module:Name`` names, made for a claim.

    The name may be an object with ``randomize(gradient, num_reports)``, a class or function that makes one from any of
    epsilon, delta, clip_norm and dimension (by these names), or a function ``randomize(gradient)``. It never gets our
    randomness, as on the device. Restarted, it runs in a process of its own.

    Args:
        target: what is imported.
        config: of the check.
        arrays: what it takes: ``auto``, ``numpy`` or ``torch``.
        mechanism: what ``made`` returned, if it was called before.
        given: what is handed over even where the factory has a default.

    Raises:
        ValueError: if the target is not of this form.
        MechanismUnavailableError: if it cannot be imported or made.
    """
    values = {name: getattr(config, name) for name in ARGUMENTS}
    if mechanism is None:
        mechanism = made(found(target), values, given)
    words = words_for(target, values, given, arrays)
    again = partial(CommandSubject, words, config.dimension, _RESTART_SECONDS, batch_rows(config.dimension))
    return CalledSubject(function_of(mechanism), arrays, again if os.name == "posix" else None)


def found(target: str) -> Any:
    """Import what a target names; the current folder is searched first, as with ``python -m``.

    Raises:
        ValueError: if the target is not of the form ``package.module:Name``.
        MechanismUnavailableError: if it cannot be imported.
    """
    module, colon, path = target.partition(":")
    if not (colon and all(part.isidentifier() for part in (*module.split("."), *path.split(".")))):
        raise ValueError(f"the mechanism must be named package.module:Name, got {target!r}")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with aside():
            thing = importlib.import_module(module)
            for part in path.split("."):
                thing = getattr(thing, part)
    except (Exception, SystemExit) as error:
        raise MechanismUnavailableError(f"{target} must be importable, got {described(error)}") from error
    return thing


def function_of(mechanism: Any) -> Callable[..., Any]:
    """Return the function that randomizes.

    Raises:
        MechanismUnavailableError: if there is none.
    """
    randomize = getattr(mechanism, "randomize", mechanism)
    if not callable(randomize):
        raise MechanismUnavailableError(
            f"the mechanism must have a method randomize or be a function, got {type(mechanism).__name__}"
        )
    return randomize  # type: ignore[no-any-return]
