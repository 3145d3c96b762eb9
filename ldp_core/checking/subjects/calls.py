"""Calling a mechanism that is an object of this process: whatever it takes and returns, and whatever it raises.

A stranger's is one only in the process that ``_child`` runs.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.checking.subjects._words import described, no_memory, out_of_memory, printable
from ldp_core.errors import MechanismContractError, MechanismUnavailableError

if TYPE_CHECKING:
    from ldp_core.checking.claims import Subject

ARRAYS = ("auto", "numpy", "torch")
ARGUMENTS = ("epsilon", "delta", "clip_norm", "dimension")
"""What a class or a factory may ask for by name; it gets nothing else."""
VARIED = ("epsilon", "clip_norm")
"""Those of them with other values of which a mechanism is made again, to see that its claim follows them."""
_ATTRIBUTES = ("epsilon", "delta", "clip_norm", "clip_order", "report_norm")
STATED = (*_ATTRIBUTES, "scale")
"""What a mechanism may say about itself."""
_BATCH_VALUES = 4_000_000
_EXTRA_LENGTH = 1_000_000
_MOST_EXACT = 2**53
"""Whole numbers up to this size are exact in float64, in which reports are compared."""


class CalledSubject:
    """A mechanism of this process, called with copies of the input, in batches of bounded size.

    Args:
        randomize: ``randomize(gradient) -> report`` or ``randomize(gradient, num_reports) -> reports``.
        arrays: what it takes, ``numpy`` or ``torch``; ``auto`` tries both and stays with the first that works.
        again: makes a new one; without it, it cannot be restarted.
        seeded: whether its randomness comes from the check's seed.
    """

    ordered, alike, notice = True, False, ""

    def __init__(
        self,
        randomize: Callable[..., Any],
        arrays: str = "auto",
        again: Callable[[], Subject] | None = None,
        *,
        seeded: bool = False,
    ) -> None:
        _validate.choice("arrays", arrays, ARRAYS)
        self.seeded = seeded
        self._randomize, self._again, self._batched = _by_name(randomize), again, _is_batched(randomize)
        self._type = ""
        self._kinds = ("numpy", "torch") if arrays == "auto" else (arrays,)
        if arrays == "auto" and _wants_torch(randomize):
            self._kinds = ("torch", "numpy")

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``."""
        size = batch_rows(len(gradient)) if self._batched else 1
        parts = [self._reports(gradient, min(size, num_reports - start)) for start in range(0, num_reports, size)]
        reports = joined(parts)
        self._type = one_type(self._type, reports)
        return reports

    def restarted(self) -> Subject | None:
        """Return a new one, if it can be made."""
        return self._again() if self._again else None

    def close(self) -> None:
        """Do nothing: there is nothing to end."""

    def _reports(self, gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
        problems: list[str] = []
        for kind in self._kinds:
            if kind == "torch" and problems and not _has_torch():
                continue
            try:
                with aside():
                    given = _as_kind(gradient.copy(), kind)
                    answer = self._randomize(given, count) if self._batched else self._randomize(given)
                    reports = _as_array(answer)
            except (Exception, SystemExit) as error:
                if out_of_memory(error):
                    raise MechanismUnavailableError(no_memory(error)) from error
                problems.append(f"{described(error)} for a {_KIND_WORDS[kind]}")
                continue
            self._kinds = (kind,)
            rows = _rows(reports, count, self._batched)
            check_length(rows.shape[1], len(gradient))
            return rows
        raise MechanismContractError(f"randomize must return reports, got {'; and '.join(problems)}")


def rows_of(request: NDArray[np.float32], start: int, stop: int) -> NDArray[np.float32]:
    """Return what asks for some of the reports: those rows where each has its own, else all of it."""
    return request[start:stop] if request.ndim == 2 else request


def joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return reports of several answers, a row each.

    Raises ``MechanismContractError`` if they are not of one length and one type.
    """
    one_type("", *parts)
    lengths = sorted({part.shape[1] for part in parts})
    if len(lengths) != 1:
        listed = ", ".join(map(str, lengths[:4])) + (", ..." if len(lengths) > 4 else "")
        raise MechanismContractError(f"all reports must have one length, got {listed}")
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def one_type(before: str, *reports: NDArray[Any]) -> str:
    """Return the type of reports, which may tell nothing: it must be the same for all of them.

    ``before``: type of those that came before; empty if there were none.
    Raises ``MechanismContractError`` if there are several types.
    """
    types = sorted({before, *(part.dtype.name for part in reports)} - {""})
    if len(types) > 1:
        raise MechanismContractError(f"all reports must be of one type, got {' and '.join(types)}")
    return types[0]


def inexact(reports: NDArray[Any]) -> str:
    """Return what float64, in which reports are compared, cannot hold of them, and how to send it; "" if all is exact.

    Rounded, what they differ in would be lost, and with it a leak.
    """
    kind, size = reports.dtype.kind, reports.dtype.itemsize
    if kind == "f" and size > 8:
        return f"numbers must be exact in 64-bit floating point, got {reports.dtype.name}: send float64"
    if kind in "iu" and size == 8 and reports.size and max(int(reports.max()), -int(reports.min())) > _MOST_EXACT:
        return "whole numbers must be at most 2**53 in size, got a larger one: send it as two smaller ones"
    return ""


def batch_rows(length: int) -> int:
    """Return the most reports that are asked for in one call; ``length``: of an input or a report, the longer one."""
    return max(1, _BATCH_VALUES // length)


def longest_report(dimension: int) -> int:
    """Return how many numbers a report may have."""
    return 2 * dimension + _EXTRA_LENGTH


def check_length(numbers: int, dimension: int) -> None:
    """Raise ``MechanismUnavailableError`` for reports that are too long to be compared: a limit of ours, no fault."""
    if numbers > (most := longest_report(dimension)):
        raise MechanismUnavailableError(
            f"a report must have at most {most:,} numbers to be checked here, {_EXTRA_LENGTH:,} more than two inputs, "
            f"got {numbers:,} or more: check what makes a part of it, such as one round"
        )


def varied(thing: Any) -> list[str]:
    """Return which of ``VARIED`` a class or factory takes; none of what is a mechanism itself."""
    return [item.name for item in _parameters(thing) if item.name in VARIED] if _makes(thing) else []


def made(thing: Any, values: Mapping[str, float], given: Collection[str]) -> Any:
    """Return a mechanism, or what a class or factory makes of those of ``ARGUMENTS`` that it names.

    ``given``: names that are handed over even where the factory has a default.
    Raises ``ValueError`` if it needs what nobody gave and ``MechanismUnavailableError`` if it raises.
    """
    if not _makes(thing):
        return thing
    chosen = {}
    for parameter in _parameters(thing):
        required = parameter.default is parameter.empty
        if parameter.name in ARGUMENTS and (required or parameter.name in given):
            if parameter.name not in values:
                raise ValueError(f"{parameter.name} must be given, since the mechanism asks for it, got nothing")
            chosen[parameter.name] = values[parameter.name]
        elif required:
            raise MechanismUnavailableError(
                f"what makes the mechanism may need only {', '.join(ARGUMENTS)}, got a parameter {parameter.name!r}"
            )
    try:
        with aside():
            return thing(**chosen)
    except (Exception, SystemExit) as error:
        raise MechanismUnavailableError(
            f"the mechanism must be made without an error, got {described(error)}"
        ) from error


def _makes(thing: Any) -> bool:
    """Return whether a class or function makes a mechanism: it needs nothing but ``ARGUMENTS``."""
    if inspect.isclass(thing):
        return True
    if not callable(thing) or callable(getattr(thing, "randomize", None)):
        return False
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return False
    return all(item.name in ARGUMENTS for item in _parameters(thing) if item.default is item.empty)


def stated(mechanism: Any, dimension: int) -> dict[str, float | str]:
    """Return what a mechanism says about itself, as far as it is a number or a word: see ``CheckConfig``.

    ``scale`` follows from a method ``aggregate`` that is a multiple of the mean of reports of shape (n, d), never from
    an attribute of that name, which is more often the noise's.
    """
    statements: dict[str, float | str] = {}
    for name in _ATTRIBUTES:
        with contextlib.suppress(Exception, SystemExit), aside():
            value = getattr(mechanism, name)
            value = value(dimension) if name == "report_norm" and callable(value) else value
            if name == "clip_order":
                statements[name] = str(value)
            elif not isinstance(value, bool) and np.isfinite(number := float(value)):
                statements[name] = number
    if callable(getattr(mechanism, "aggregate", None)):
        for kind in ("torch", "numpy") if _has_torch() else ("numpy",):
            with contextlib.suppress(Exception, SystemExit), aside():
                if (scale := _scale_of(mechanism.aggregate, dimension, kind)) is not None:
                    return {**statements, "scale": scale}
    return statements


def _scale_of(aggregate: Callable[..., Any], dimension: int, kind: str) -> float | None:
    """Return s if the aggregate of two reports is s times their mean, and s > 0."""
    reports = np.cos(np.arange(2.0 * dimension)).reshape(2, dimension)
    mean = reports.mean(axis=0)
    estimate = np.asarray(_as_array(aggregate(_as_kind(reports.copy(), kind))), dtype=np.float64).reshape(-1)
    scale = float(estimate @ mean / (mean @ mean))
    return scale if scale > 0.0 and np.allclose(estimate, scale * mean, rtol=1e-5, atol=1e-6 * scale) else None


_KIND_WORDS = {"numpy": "NumPy array", "torch": "torch tensor"}


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters that can be given by name or place; none of a function that does not tell them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [item for item in parameters if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)]


def _is_batched(randomize: Callable[..., Any]) -> bool:
    """Return whether a function takes a number of reports after the gradient."""
    second = _parameters(randomize)[1:2]
    return any(item.default is item.empty or item.name == "num_reports" for item in second)


def _by_name(randomize: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes a number of reports by place, also where it has it by name, as a partial may."""
    if any(item.kind is item.KEYWORD_ONLY and item.name == "num_reports" for item in _parameters(randomize)):
        return lambda gradient, count: randomize(gradient, num_reports=count)
    return randomize


def _wants_torch(randomize: Callable[..., Any]) -> bool:
    """Return whether a function says that it takes a tensor, by its annotation or its class."""
    notes = [item.annotation for item in _parameters(randomize)[:1]]
    classes = [kind.__module__ for kind in type(getattr(randomize, "__self__", randomize)).__mro__]
    return "Tensor" in "".join(map(str, notes)) or any(name.startswith("torch.") for name in classes)


def _has_torch() -> bool:
    """Return whether anybody here knows tensors: a mechanism that does not load torch takes none."""
    return "torch" in sys.modules


def _as_kind(values: NDArray[Any], kind: str) -> Any:
    if kind == "numpy":
        return values
    import torch

    return torch.from_numpy(values)


def _as_array(answer: Any) -> NDArray[Any]:
    """Return an answer as an array of its own, so that nobody can change it later."""
    if hasattr(answer, "detach"):  # a torch tensor, on whatever device; NumPy has no bfloat16
        answer = answer.detach().cpu()
        answer = (answer.float() if "bfloat16" in str(answer.dtype) else answer).numpy()
    return np.array(answer, copy=True)


def _rows(reports: NDArray[Any], count: int, batched: bool) -> NDArray[Any]:
    """Return reports as rows, if they are so many rows of numbers."""
    if reports.dtype.kind not in "fiub":
        raise MechanismContractError(f"reports must be real numbers, got the type {printable(str(reports.dtype), 40)}")
    if problem := inexact(reports):
        raise MechanismUnavailableError(problem)
    if not batched and reports.ndim < 2:
        reports = reports.reshape(1, -1)
    elif reports.ndim == 1 and len(reports) == count:
        reports = reports[:, np.newaxis]
    if reports.ndim != 2 or len(reports) != count or reports.shape[1] < 1:
        wanted = (
            f"{count} reports of one gradient must have shape ({count}, m)" if batched else "a report must be a row"
        )
        raise MechanismContractError(f"{wanted}, got shape {reports.shape}")
    return reports


def aside() -> contextlib.AbstractContextManager[Any]:
    """Send what a stranger prints to standard error, where it cannot pass for a result."""
    return contextlib.redirect_stdout(sys.stderr)
