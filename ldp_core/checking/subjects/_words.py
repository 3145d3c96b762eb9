"""A stranger's words, as far as they may be shown."""

import errno

_QUOTED = 120
_NO_MEMORY = ("allocate memory", "failed to map segment")
"""As libraries that raise no ``MemoryError`` and the loader of shared objects say it, in the system's own words."""


def described(error: BaseException) -> str:
    """Return an exception's type and the first line of what it says, in one line without control characters."""
    name, text = printable(type(error).__name__, _QUOTED), printable(_said(error), _QUOTED)
    return f"{name}: {text}" if text else name


def printable(text: str, most: int) -> str:
    """Return a stranger's words, cut to a length, with nothing in them that could steer a terminal."""
    kept = "".join(letter if letter.isprintable() else " " for letter in text[: most + 1]).strip()
    return kept if len(kept) <= most else kept[:most] + " ..."


def out_of_memory(error: BaseException) -> bool:
    """Return whether an exception says that memory was refused."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return any(words in _said(error) for words in _NO_MEMORY)


def no_memory(error: BaseException) -> str:
    """Return a sentence on a mechanism that got too little memory, which is no fault of what it returns."""
    return (
        f"the mechanism must get the memory that it asks for, got {described(error)}; --memory-limit may be too small"
    )


def _said(error: BaseException) -> str:
    try:
        return next(iter(str(error).strip().splitlines()), "")
    except (Exception, SystemExit):
        return ""
