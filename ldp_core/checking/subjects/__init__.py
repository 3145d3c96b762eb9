"""The ways to a mechanism that we did not write; each gives a ``claims.Subject``.

Here are the two that run nothing new: a mechanism of our own by its name, and files. The other two run a stranger's
program, and so only the command line and who programs with them import them: ``subjects.python`` and
``subjects.command``. Names are imported when they are first asked for: the process of a stranger needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ldp_core.checking.subjects._builtin import builtin, mechanism_class
    from ldp_core.checking.subjects._calls import joined, made, stated
    from ldp_core.checking.subjects.files import (
        Key,
        challenge_bytes,
        check_free,
        new_salt,
        read_key,
        read_responses,
        write_challenge,
    )

__all__ = [
    "Key",
    "builtin",
    "challenge_bytes",
    "check_free",
    "joined",
    "made",
    "mechanism_class",
    "new_salt",
    "read_key",
    "read_responses",
    "stated",
    "write_challenge",
]
_MODULES = {"builtin": "_builtin", "mechanism_class": "_builtin"} | dict.fromkeys(
    ("joined", "made", "stated"), "_calls"
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'files')}"), name)
