"""Functions of large packages, which are loaded when one is first called: wrong input is refused without them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def function(module: str, name: str) -> Callable[..., Any]:
    """Return a function that is imported at its first call.

    >>> function("math", "comb")(4, 2)
    6
    """

    @cache
    def imported() -> Callable[..., Any]:
        attribute: Callable[..., Any] = getattr(import_module(module), name)
        return attribute

    def call(*values: Any, **options: Any) -> Any:
        return imported()(*values, **options)

    return call
