"""The ways to a mechanism that we did not write; each gives a ``claims.Subject``.

Here are the two that run nothing new: a mechanism of our own by its name, and files. The other two run a stranger's
program, and so only the command line imports them: ``subjects.python`` and ``subjects.command``.
"""

from ldp_core.subjects._builtin import builtin, mechanism_class
from ldp_core.subjects._calls import made, stated
from ldp_core.subjects.files import (
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
    "made",
    "mechanism_class",
    "new_salt",
    "read_key",
    "read_responses",
    "stated",
    "write_challenge",
]
