"""The process that runs a stranger's training function: it imports it, and trains when it is asked.

It knows the function's name, the records of each training as they come, a seed for the function's own coins, and the
settings; neither the check's seed nor which records are looked for.
"""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects._child import Answer, imported, opened, serve
from ldp_core.checking.subjects._words import described
from ldp_core.checking.subjects.calls import aside, inexact
from ldp_core.errors import MechanismContractError, MechanismUnavailableError


def main(descriptor: int) -> None:
    """Serve the function that the first frame names, over an inherited socket, until that ends."""
    channel, settings = opened(descriptor)

    def make() -> tuple[Answer, dict[str, Any]]:
        train = function_of(settings["target"])
        return lambda content: trained(train, *request_of(content)), {}

    serve(channel, make)


def function_of(target: str) -> Any:
    """Import ``FILE.py:function`` or ``package.module:function``.

    Raises ``MechanismUnavailableError`` if it cannot be imported or called.
    """
    place, _, name = target.rpartition(":")
    if not place.endswith(".py"):
        train = imported(target)
    else:
        path = Path(place).resolve()
        sys.path.insert(0, str(path.parent))
        try:
            with aside():
                spec = importlib.util.spec_from_file_location(path.stem, path)
                assert spec is not None
                assert spec.loader is not None
                module = importlib.util.module_from_spec(spec)
                sys.modules[path.stem] = module
                spec.loader.exec_module(module)
                train = getattr(module, name)
        except (Exception, SystemExit) as error:
            raise MechanismUnavailableError(f"{target} must be importable, got {described(error)}") from error
    if not callable(train):
        raise MechanismUnavailableError(f"{target} must be a function, got {type(train).__name__[:40]}")
    return train


def request_of(content: bytes) -> tuple[NDArray[np.float32], int, dict[str, Any]]:
    """Return the records, the seed and the settings of a request."""
    head, _, numbers = content.partition(b"\n")
    request = json.loads(head)
    records = np.frombuffer(numbers, "<f4").astype(np.float32).reshape(request["rows"], -1)
    return records, request["seed"], request["settings"]


def trained(train: Any, records: NDArray[np.float32], seed: int, settings: dict[str, Any]) -> NDArray[Any]:
    """Train, and return all iterates, a row each; one row if the function returns its final parameters alone.

    Raises ``MechanismContractError`` if it returns anything else and ``MechanismUnavailableError`` if it raises.
    """
    try:
        with aside():
            answer = train(records, seed, settings)
            if isinstance(answer, list | tuple):
                answer = [
                    iterate.detach().cpu().numpy() if hasattr(iterate, "detach") else iterate for iterate in answer
                ]
            elif hasattr(answer, "detach"):
                answer = answer.detach().cpu().numpy()
    except (Exception, SystemExit) as error:
        raise MechanismUnavailableError(f"the training function raised {described(error)}") from error
    try:
        array = np.asarray(answer)
        if array.dtype.kind not in "fiub":
            array = array.astype(np.float64, casting="unsafe" if array.dtype == object else "same_kind")
    except (TypeError, ValueError) as error:
        raise MechanismContractError(f"{_RULE}, got {type(answer).__name__[:40]}") from error
    if problem := inexact(array):
        raise MechanismContractError(problem)
    if array.ndim not in (1, 2) or not array.size:
        raise MechanismContractError(f"{_RULE}, got an array of shape {array.shape}"[:200])
    if not np.isfinite(array).all():
        raise MechanismContractError("parameters must be finite numbers, got NaN or infinity")
    return array.reshape(1, -1) if array.ndim == 1 else array


_RULE = "a training function must return its final parameters (m,), or all iterates (steps + 1, m)"
