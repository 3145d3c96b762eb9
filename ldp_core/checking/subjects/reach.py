"""A mechanism by its name, its place in a module, as an object or as a program, and what is asked about it.

Never import this module from a page: no field of a browser may name code.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import adapters
from ldp_core.checking.claims import DEFAULT, CheckConfig, Maker, Subject, taken
from ldp_core.checking.subjects.builtin import builtin, mechanisms, stated_by
from ldp_core.checking.subjects.calls import ARGUMENTS

if TYPE_CHECKING:
    from ldp_core.checking.subjects.python import Limits


@dataclass(frozen=True, slots=True)
class Reached:
    """A mechanism, which the caller closes, and what is asked about it.

    Args:
        taken: what it states and stands for what the client left out.
        foreign: whether its reports are made while it is asked, by code that is not ours.
        maker: makes it for other claims, where that is possible.
    """

    config: CheckConfig
    subject: Subject
    taken: Mapping[str, float | str] = field(default_factory=dict)
    foreign: bool = True
    maker: Maker | None = None


def reach(
    mechanism: Any,
    given: Mapping[str, Any],
    configured: Callable[[str, Mapping[str, float | str]], CheckConfig],
    arrays: str = "auto",
    limits: Limits | None = None,
    *,
    claim_from_mechanism: bool = False,
) -> Reached:
    """Reach a mechanism, in processes of its own if its code is not ours.

    Args:
        mechanism: a name of ours, which wins, or of an adapter; ``package.module:Name``, also after ``python:``; the
            words of a program, a list; or a function or an object as ``python.from_callable`` takes it.
        given: what the client gave of the fields of ``CheckConfig``.
        configured: makes the configuration of what is examined, in words, and of ``Reached.taken``; no copy of this
            process holds the seed that it draws.
        arrays: what code of others takes.
        limits: of its time, memory and processes.
        claim_from_mechanism: whether such code states what is left out of the claim, as ours does.

    Raises:
        ValueError: if there is no such mechanism, or it states another claim.
        LdpCoreError: if it cannot be reached.
    """
    from ldp_core.checking.subjects import python
    from ldp_core.checking.subjects.command import command

    if isinstance(mechanism, list):
        if not all(isinstance(word, str) for word in mechanism) or not any(mechanism[:1]):
            raise ValueError(f"the command must name a program, in a list of words, got {mechanism!r}")
        config = configured(f"the program {Path(mechanism[0]).name}", {})
        return Reached(config, command(mechanism, config, limits))
    names = [name for name in ARGUMENTS if name in given]
    values = {name: getattr(DEFAULT, name) for name in ARGUMENTS[1:]} | {name: given[name] for name in names}
    dimension, known = values["dimension"], isinstance(mechanism, str) and ":" not in mechanism
    if known and mechanism in mechanisms():
        statements = taken(stated_by(mechanism, values, names), given, from_mechanism=True)
        config = configured(mechanism, statements)
        return Reached(config, builtin(mechanism, config), statements, foreign=False)
    if isinstance(mechanism, str):
        name, subject = mechanism, python.opened(_target(mechanism), values, names, dimension, arrays, limits)
        stated = subject.stated
    else:
        name = getattr(mechanism, "__qualname__", type(mechanism).__name__)
        subject = python.from_callable(mechanism, dimension, arrays, limits=limits)
        stated = {name: value for name, value in subject.stated.items() if name not in ("scale", "report_norm")}
    try:
        statements = taken(stated, given, from_mechanism=known or claim_from_mechanism)
        return Reached(configured(name, statements), subject, statements, maker=subject)
    except BaseException:
        subject.close()
        raise


def _target(word: str) -> str:
    """Return the ``package.module:Name`` that a word stands for; raises ``ValueError`` if it stands for nothing."""
    if word.startswith("python:") and word.count(":") == 2:
        return word.removeprefix("python:")
    target = word if ":" in word else adapters.find(word)
    if target is None:
        close = difflib.get_close_matches(word, [*mechanisms(), *adapters.NAMES], 3)
        raise ValueError(
            "MECHANISM must be package.module:Name or a name that this tool knows, "
            f"got {word!r}, where ':Name' is missing" + (f"; did you mean {' or '.join(close)}?" if close else "")
        )
    return target
