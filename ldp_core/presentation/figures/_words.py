"""Every word on a chart, in English; another language brings a mapping of its own with the same keys."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ldp_core.presentation.figures._parts import most_of_100
from ldp_core.presentation.tables import Row
from ldp_core.words import figures, figures_of_the_papers, numbers, paper_names, printed_names

_LONG = 14
ENGLISH: dict[str, str] = figures("en") | printed_names()


def attack_name(words: Mapping[str, str], attack: str) -> str:
    """Return an attack's name in the words' language, or the name it has in the code."""
    return words.get(f"name_{attack}", attack)


def dataset_name(words: Mapping[str, str], dataset: str) -> str:
    """Return a data set's name in the words' language, or the name it has in the code."""
    return words.get(f"data_{dataset}", dataset)


def group_name(words: Mapping[str, str], attack: str, rule: str, strength: float) -> str:
    """Return an attack's name with its rule, and with its strength unless that is 1."""
    name, by = attack_name(words, attack), rule_name(words, rule)
    return f"{name} ({by})" if strength == 1.0 else f"{name} ×{strength:g} ({by})"


def rule_name(words: Mapping[str, str], rule: str) -> str:
    """Return a guessing rule's short name in the words' language, or the name it has in the code."""
    return words.get(f"by_{rule}", rule)


def pair_name(words: Mapping[str, str], pair: str) -> str:
    """Return a check's pair of inputs in the words' language; one of the client's own or a refined one by its number.

    >>> pair_name(ENGLISH, "own-3")
    'your own pair 3'
    """
    kind, _, number = pair.rpartition("-")
    return words[f"pair_{kind}"].format(number=number) if number.isdecimal() else words[f"pair_{pair}"]


def in_two_lines(name: str) -> str:
    """Break a long name in two lines, so that it leaves room on a narrow screen."""
    return name.replace(" ", "\n", 1) if len(name) > _LONG else name


def right_of(row: Row, words: Mapping[str, str] = ENGLISH, *, alone: bool = True) -> str:
    """Return what a row says of right guesses, in lines for the pointer.

    ``row``: a cell; ``words``: texts, see ``ENGLISH``; ``alone``: whether all rows of the chart are of one test, which
    is then not named.
    """
    share, promise = row.identification, 100 * row.promise
    text = words["hover_share"].format(
        name=_who(row, words, alone=alone), epsilon=row.epsilon, promise=most_of_100(promise, words), **share.of_100
    )
    return text if row.expected is None else text + words["hover_predicted"].format(law=f"{100 * row.expected:.1f}")


def shown_of(row: Row, words: Mapping[str, str] = ENGLISH, *, alone: bool = True) -> str:
    """Return what a row shows of epsilon, in lines for the pointer; arguments as in ``right_of``."""
    lower = floored(row.lower)
    text = words["hover_shown"].format(name=_who(row, words, alone=alone), epsilon=row.epsilon, lower=lower)
    if row.point is not None:
        text += words["hover_estimate"].format(point=row.point)
    if row.expected_epsilon is not None:
        text += words["hover_predicted"].format(law=f"{row.expected_epsilon:.2f}")
    return text


def sentence(words: Mapping[str, str], name: str, items: Iterable[Mapping[str, object]], **values: object) -> str:
    """Return what a chart shows: ``alt_NAME`` of values and of all items, each ``alt_NAME_item`` of its own."""
    parts = [words[f"alt_{name}_item"].format(**item) for item in items]
    return words[f"alt_{name}"].format(items=words["and"].join(parts), **values)


def facts(row: Row, words: Mapping[str, str]) -> dict[str, object]:
    """Return what sentences on a row name; ``lower`` is the bound on epsilon."""
    names = {"attack": attack_name(words, row.attack), "dataset": dataset_name(words, row.dataset)}
    return names | {"test": words[row.test], "lower": floored(row.lower), "epsilon": row.epsilon}


def floored(value: float) -> float:
    """Return what is "at least", rounded down to two decimals."""
    return float(numbers.floored(value, 2))


def _who(row: Row, words: Mapping[str, str], *, alone: bool) -> str:
    name = attack_name(words, row.attack)
    name = name if alone else f"{name}{words['comma']}{words[row.test]}"
    return capital(name)


def capital(name: str) -> str:
    """Return a name with a capital at its head."""
    return name[:1].upper() + name[1:]


PAPER: dict[str, str] = ENGLISH | figures_of_the_papers() | paper_names()
"""Words of figures in the papers' English; what is not named here has the same words as ``ENGLISH``."""
WORDINGS: Mapping[str, Mapping[str, str]] = MappingProxyType({"plain": ENGLISH, "paper": PAPER})
"""Choices of the command line: name -> words."""
