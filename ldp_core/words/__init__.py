"""Every text, once in every language: ``<language>.toml`` holds what pages, documents and figures say.

A table of the file is an area such as ``[compare]``: its names are attributes of ``of(language)``, those of all areas
together. What an area's documents and charts say may stand in it: ``report.NAME`` and ``figures.NAME``. The entries of
catalogues have a block each, ``[attacks.dummy]``, which is read into a type whose fields are its keys. A block that
lacks a key, or has another, is refused when the language is first asked for, with the file and the block named; so is
an entry without a block. Tests hold that every language has the same names with the same placeholders, and that each
name is used. No torch.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.words import numbers
from ldp_core.words.numbers import Plural

LANGUAGES = ("en", "ja")
"""Names of the files."""
DEFAULT = "en"
_SHELVES = ("attacks", "mechanisms", "distinguishers", "datasets", "clauses")
_WITHIN = ("report", "figures")
_APART = (*_SHELVES, "findings", "report", "figures", "figures_on_screen", "figures_of_the_papers")


class Words:
    """The texts of a language: each name of an area, such as ``NAV_AUDIT``, is an attribute.

    Beside them: ``ATTACKS``, ``MECHANISMS``, ``DISTINGUISHERS``, ``DATASETS`` (name -> words of an entry),
    ``CHECK_CLAUSES`` (name -> words of a question), ``REPORT`` (texts of a document) and ``FIGURES`` (texts on the
    charts of a screen).
    """

    LANGUAGE_CODE: str
    SEPARATORS: str

    def __init__(self, language: str) -> None:
        for area, texts in _file(language).items():
            if area not in _APART:
                self.__dict__.update({name: text for name, text in texts.items() if name not in _WITHIN})
        self.ATTACKS, self.MECHANISMS = attacks(language), mechanisms(language)
        self.DISTINGUISHERS, self.DATASETS = distinguishers(language), datasets(language)
        self.CHECK_CLAUSES = clauses(language)
        self.REPORT = document(language)
        self.FIGURES = figures(language) | _file(language).get("figures_on_screen", {}) | chart_names(language)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


@cache
def of(language: str) -> Words:
    """Return the texts of a language; otherwise as ``attacks``."""
    return Words(language)


def document(language: str) -> dict[str, Any]:
    """Return the texts of a document, with the names in it."""
    texts = {**_file(language)["report"], **_within(language, "report"), **document_names(language)}
    frame = _file(language)["frame"]
    return texts | {"separators": frame["SEPARATORS"], "percent": frame["PERCENT"]}


def figures(language: str) -> dict[str, str]:
    """Return the texts on charts, without the names of attacks, rules and data sets."""
    texts: dict[str, str] = _file(language)["figures"] | _within(language, "figures")
    return texts | {"separators": _file(language)["frame"]["SEPARATORS"]}


def _within(language: str, kind: str) -> dict[str, str]:
    """Return the texts of documents or charts that stand in the areas of studies."""
    areas = [texts for area, texts in _file(language).items() if area not in _APART]
    return {name: text for texts in areas for name, text in texts.get(kind, {}).items()}


def figures_of_the_papers() -> dict[str, str]:
    """Return the English texts on charts that the papers have other words for."""
    return dict(_file(DEFAULT)["figures_of_the_papers"])


@dataclass(frozen=True, slots=True)
class AttackWords:
    """What is said of an attack.

    Args:
        title: its name in a list of attacks.
        caption: what it changes and needs, in a few words, Markdown.
        chart: its short name on charts and in tables of a page.
        who: a sentence on who must take part.
        changes: sentences on what it changes.
        realism: sentences on how realistic it is.
        closeness: a sentence on how close it comes to the promise; ``{share}`` and ``{promise}`` are right guesses of
            100 by the formula for opposite gradients and at most.
        device: what it controls on the client's device.
        server: what the server does.
        first: caption of the image behind update A; empty where there is none.
        second: likewise of update B.
        strength: a sentence on what its strength is; empty where it has none.
        printed: English only: its name on printed figures and at the command line; without it, ``chart``.
        paper: English only: its name with ``--wording paper``; without it, ``printed``.
    """

    title: str
    caption: str
    chart: str
    who: str
    changes: str
    realism: str
    closeness: str
    device: str
    server: str
    first: str = ""
    second: str = ""
    strength: str = ""
    printed: str = ""
    paper: str = ""


@dataclass(frozen=True, slots=True)
class MechanismWords:
    """What is said of a mechanism.

    Args:
        title: its name in a list of randomizers and in a document.
        sends: sentences on what it sends; empty for one that breaks its promise on purpose.
    """

    title: str
    sends: str = ""


@dataclass(frozen=True, slots=True)
class DistinguisherWords:
    """What is said of a guessing rule.

    Args:
        title: its name in a list of rules and in a document.
        chart: its short name on charts and in tables.
        access: what the attacker must know.
        objection: why it means nothing against some attacks or in some rounds; empty where it always does.
    """

    title: str
    chart: str
    access: str
    objection: str = ""


@dataclass(frozen=True, slots=True)
class DatasetWords:
    """What is said of a data set.

    Args:
        title: its name in a list of data sets.
        chart: its short name on charts, in sentences and in documents.
        place: where its files lie below the data folder; without it, as the entry says.
    """

    title: str
    chart: str
    place: str = ""


_Entry = TypeVar("_Entry", AttackWords, MechanismWords, DistinguisherWords, DatasetWords)


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """What a question of the exam asks, and what it may find.

    Args:
        title: its name for people.
        question: what it asks, in one plain sentence.
        findings: sentences by the name of the finding, with {placeholders} for the clause's values.
    """

    title: str
    question: str
    findings: Mapping[str, str]


@cache
def clauses(language: str) -> dict[str, ClauseWords]:
    """Return the words of every question of the exam, in its order."""
    shared, questions = _file(language)["findings"], {}
    for name, block in _file(language)["clauses"].items():
        findings = block["findings"] | {finding: shared[finding] for finding in block.get("also", ())}
        questions[name] = ClauseWords(block["title"], block["question"], findings)
    return questions


@cache
def attacks(language: str) -> dict[str, AttackWords]:
    """Return the words of every attack, in the catalogue's order.

    Raises ``ValueError`` if an attack has no block, or a block lacks a key or has an unknown one.
    """
    return _read(language, "attacks", ADVERSARIES, AttackWords)


@cache
def mechanisms(language: str) -> dict[str, MechanismWords]:
    """Return the words of every mechanism; otherwise as ``attacks``."""
    return _read(language, "mechanisms", MECHANISMS, MechanismWords)


@cache
def distinguishers(language: str) -> dict[str, DistinguisherWords]:
    """Return the words of every guessing rule; otherwise as ``attacks``."""
    return _read(language, "distinguishers", DISTINGUISHERS, DistinguisherWords)


@cache
def datasets(language: str) -> dict[str, DatasetWords]:
    """Return the words of every data set; otherwise as ``attacks``."""
    return _read(language, "datasets", DATASETS, DatasetWords)


def document_names(language: str) -> dict[str, str]:
    """Return the names in a document: of mechanisms, rules with why they may mean nothing, and the exam's answers."""
    names = {f"mechanism_{name}": words.title for name, words in mechanisms(language).items()}
    for name, (title, text) in _file(language)["check"]["CHECK_FAULTS"].items():
        names |= {f"faulty_{name}": title, f"fault_{name}": text}
    for name, clause in clauses(language).items():
        names |= {f"clause_{name}": clause.title}
        names |= {f"finding_{name}_{answer}": text for answer, text in clause.findings.items()}
    for name, rule in distinguishers(language).items():
        names |= {f"rule_{name}": rule.title, f"objection_{name}": rule.objection}
    return names


def chart_names(language: str) -> dict[str, str]:
    """Return the names on a page's charts: ``name_ATTACK``, ``by_DISTINGUISHER`` and ``data_DATASET``."""
    names = {f"name_{name}": words.chart for name, words in attacks(language).items()}
    names |= {f"by_{name}": words.chart for name, words in distinguishers(language).items()}
    return names | {f"data_{name}": words.chart for name, words in datasets(language).items()}


def printed_names() -> dict[str, str]:
    """Return the English names on printed figures and at the command line, with the keys of ``chart_names``."""
    printed = {f"name_{name}": words.printed for name, words in attacks("en").items() if words.printed}
    return chart_names("en") | printed


def paper_names() -> dict[str, str]:
    """Return those names of ``printed_names`` that the papers have other words for."""
    return {f"name_{name}": words.paper for name, words in attacks("en").items() if words.paper}


@cache
def _file(language: str) -> dict[str, Any]:
    read = tomllib.loads(_path(language).read_text(encoding="utf-8"))
    texts: dict[str, Any] = _frozen(read, read["frame"]["PLURAL"], read["frame"]["SEPARATORS"])
    return texts


def _frozen(value: Any, rule: str, separators: str) -> Any:
    """Return what TOML holds with tuples for arrays, and texts that count and write numbers by the language's rules."""
    if isinstance(value, str):
        return numbers.text(value, separators)
    if isinstance(value, list):
        return tuple(_frozen(part, rule, separators) for part in value)
    if isinstance(value, dict):
        held = {key: _frozen(part, rule, separators) for key, part in value.items()}
        return Plural(rule, held["plural"]) if list(held) == ["plural"] else held
    return value


def _path(language: str) -> Path:
    return Path(__file__).with_name(f"{language}.toml")


def _read(language: str, shelf: str, names: Iterable[str], kind: type[_Entry]) -> dict[str, _Entry]:
    """Return the words of a catalogue's entries, whose blocks are checked."""
    keys = [field.name for field in fields(kind)]
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    blocks, entries = _file(language).get(shelf, {}), {}
    for name in names:
        if name not in blocks:
            raise ValueError(f"{_path(language).name} must have a block [{shelf}.{name}], got none")
        block = blocks[name]
        wrong = {key for key, text in block.items() if key not in keys or not isinstance(text, str)}
        wrong |= set(needed) - block.keys()
        if wrong:
            raise ValueError(
                f"[{shelf}.{name}] of {_path(language).name} must hold texts named {', '.join(keys)}, "
                f"got something else for {', '.join(sorted(wrong))}"
            )
        entries[name] = kind(**block)
    return entries
