"""Results as strict JSON and back, and the command line that repeats a run: both from the fields of frozen dataclasses.

Of a result its fields are written, and what follows from them: the names in its ``DERIVED``, which are attributes, or
what its method ``derived`` returns. What follows is not believed when a result is read back, but worked out again.
A dataclass whose JSON is not that of its fields has ``to_dict`` and a class method ``from_dict``. No torch.

What most have is said here alone: a configuration's ``seed`` is of all random streams and ``dataset`` a name in
``datasets.DATASETS``. What its other fields are is the help of their options, ``told`` in the study's ``command``, and
their limits stand beside them: its class adds what these leave open. A result's ``config`` is what was asked for,
``completed`` whether all of it is there, ``seconds`` its duration so far, and ``versions`` those of the packages that
produced the numbers.
"""

import dataclasses
import inspect
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from ldp_core import _validate

_Record = TypeVar("_Record")
_FIRST, _LAST = ("schema", "config", "data"), ("completed", "seconds", "seed", "device", "versions")
"""What stands at the two ends of every report, in this order."""


def strict_json(report: Mapping[str, Any], indent: int = 2) -> str:
    """Return a report as JSON; raise ``ValueError`` if a number in it is infinite or NaN."""
    return json.dumps(report, indent=indent, allow_nan=False, ensure_ascii=False)


def to_json(result: Any) -> str:
    """Return a result as one strict JSON object of its ``SCHEMA``, indented."""
    report = {"schema": result.SCHEMA} | plain(result)
    inner = [name for name in report if name not in (*_FIRST, *_LAST)]
    return strict_json({name: report[name] for name in (*_FIRST, *inner, *_LAST) if name in report})


def plain(value: Any) -> Any:
    """Return a value as objects, lists, texts and numbers of JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return value.to_dict() if hasattr(value, "to_dict") else fields_of(value)
    value = value._asdict() if hasattr(value, "_asdict") else value
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    return list(map(plain, value)) if isinstance(value, tuple | list) else value


def fields_of(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass, and what follows from them, as plain values."""
    fields = {field.name: plain(getattr(record, field.name)) for field in dataclasses.fields(record)}
    names = getattr(record, "DERIVED", ())
    derived = record.derived() if hasattr(record, "derived") else {name: getattr(record, name) for name in names}
    return fields | {name: plain(derived[name]) for name in names}


@contextmanager
def reading(requirement: str = "a report must be what this tool wrote") -> Iterator[None]:
    """Raise ``ValueError``, which says in ``requirement`` what a report must be, where reading one fails."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            reason = "it is not JSON"
        raise ValueError(f"{requirement}, got one that is not: {reason}") from error


def from_json(text: str | bytes, kind: type[_Record]) -> _Record:
    """Read a result back.

    ``text``: what ``to_json`` wrote; ``kind``: the dataclass of the result, with its ``SCHEMA``.
    Raises ``ValueError`` if it is no such report, contradicts itself, or holds an impossible or an unknown value.
    """
    with reading():
        return result_of(read_report(text, kind.SCHEMA), kind)  # type: ignore[attr-defined]  # of results, no common base


def result_of(report: Any, kind: type[_Record]) -> _Record:
    """Return the result that a report describes; raises an error that ``reading`` tells."""
    result = of_json(kind, {name: value for name, value in report.items() if name != "schema"}, "a report")
    return result  # type: ignore[no-any-return]


def read_report(text: str | bytes, schema: str) -> Any:
    """Return a report as JSON has it; raise an error unless it is of a schema and says by what it was produced."""
    report = json.loads(text, parse_constant=refuse_constant)
    if report["schema"] != schema:
        raise ValueError(f"schema must be {schema}, got {str(report['schema'])[:40]!r}")
    _validate.number("seconds", report["seconds"], 0.0, 1e9)
    for item in report["versions"].items():
        for part in item:
            _validate.text("versions", part, 200)
    if "device" in report:
        _validate.name("device", report["device"])
    return report


def measured(kind: type[_Record]) -> _Record:
    """Return the result that was measured in advance."""
    untyped: Any = kind
    result: _Record = _measured(untyped)
    return result


@cache
def _measured(kind: Any) -> Any:
    return result_of(measured_in_advance(kind), kind)


def measured_in_advance(kind: type[Any]) -> Any:
    """Return the JSON of the file ``measured.json`` beside a class."""
    return json.loads(Path(inspect.getfile(kind)).with_name("measured.json").read_bytes())


def refuse_constant(name: str) -> float:
    """Refuse NaN and infinity, which strict JSON does not know."""
    raise ValueError(f"{name} is not strict JSON")


def of_json(kind: Any, value: Any, name: str) -> Any:
    """Return a value of JSON as one of an annotated type; raise ``ValueError`` if it is none."""
    args = get_args(kind)
    if kind is Any:
        return value
    if get_origin(kind) in (Union, UnionType):
        return _of_union(args, value, name)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{name} must be a list, got {str(value)[:40]!r}")
        return tuple(of_json(args[0], part, name) for part in value)
    if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Mapping):
        return {of_json(args[0], key, name): of_json(args[1], part, key) for key, part in _object(value, name).items()}
    if dataclasses.is_dataclass(kind):
        return kind.from_dict(value) if hasattr(kind, "from_dict") else of_fields(kind, value, name)
    if isinstance(value, bool) is not (kind is bool) or not isinstance(value, (int, float) if kind is float else kind):
        words = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
        raise ValueError(f"{name} must be {words.get(kind, kind)}, got {str(value)[:40]!r}")
    return value


def _of_union(kinds: tuple[Any, ...], value: Any, name: str) -> Any:
    if value is None and NoneType in kinds:
        return None
    *others, last = [kind for kind in kinds if kind is not NoneType]
    for kind in others:
        try:
            return of_json(kind, value, name)
        except ValueError:
            continue
    return of_json(last, value, name)


def of_fields(kind: Any, value: Any, name: str) -> Any:
    """Return the dataclass that an object of JSON describes; raise ``ValueError`` unless it has just its names."""
    hints = hints_of(kind)
    check_names(value, {*hints, *getattr(kind, "DERIVED", ())}, name)
    if missing := [key for key in hints if key not in value]:
        raise ValueError(f"{name} must have all names, got one of another version without {', '.join(missing)[:80]}")
    return kind(**{key: of_json(hint, value[key], key) for key, hint in hints.items()})


def check_names(value: Any, known: Iterable[str], name: str) -> None:
    """Raise ``ValueError`` unless a value of JSON is an object with no names but the known ones."""
    if unknown := sorted(_object(value, name).keys() - set(known)):
        raise ValueError(f"{name} must have no names beside its own, got {', '.join(unknown)[:80]}")


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object, got {str(value)[:40]!r}")
    return value


def lists(kind: Any) -> dict[str, type[Any]]:
    """Return the fields of a dataclass that are tuples, and what each is a tuple of."""
    return {name: get_args(hint)[0] for name, hint in hints_of(kind).items() if get_origin(hint) is tuple}


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the fields of a dataclass with their types."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def command(config: Any, device: str = "cpu") -> str:
    """Return the command line that asks for a configuration: what differs from the defaults, and its seed at the end.

    An option is named as its field, with dashes and without "num_"; ``significance`` is given as ``--confidence``. The
    folder that ``--data-dir`` names is to be added.

    ``config``: of a class with ``COMMAND``, the name of the command. The fields in its ``ALWAYS`` have options with
    other defaults, or none; those in its ``PLACED`` stand before the options, without a name; ``OPTIONS`` names the
    options that are not called as their fields. ``device``: where it was computed.
    """
    always, placed = getattr(config, "ALWAYS", ()), getattr(config, "PLACED", ())
    renamed = getattr(config, "OPTIONS", {})
    words = [shlex.quote(getattr(config, name)) for name in placed]
    for field in sorted(dataclasses.fields(config), key=lambda field: field.name == "seed"):
        value = getattr(config, field.name)
        if field.name in placed or (value == field.default and field.name not in ("seed", *always)):
            continue
        if field.name == "significance":
            words.append(f"--confidence {1.0 - value:.12g}")
        else:
            option = renamed.get(field.name) or field.name.removeprefix("num_").replace("_", "-")
            words.append(f"--{option}" if value is True else f"--{option} {spelled(value)}")
    words += [f"--device {device}"] if device != "cpu" else []
    return f"python -m ldp_core {config.COMMAND} {' '.join(words)}"


def spelled(value: object) -> str:
    """Write a value as it is typed, numbers so that they are read back as exactly the same."""
    if isinstance(value, tuple):
        return ",".join(map(spelled, value))
    return shortest(value) if isinstance(value, float) else str(value)


def shortest(value: float) -> str:
    """Write a number so that it is read back as exactly the same one."""
    return repr(float(value)).removesuffix(".0")
