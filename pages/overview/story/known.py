"""The end of step 4: which ε known systems promise, and where a reader can check it."""

from ldp_core.statistics.known_epsilons import KNOWN, REGISTRY, KnownEpsilon
from ldp_core.words import Words
from pages.frame import terms
from pages.widgets import tables


def show(t: Words) -> None:
    """Show the table with what keeps its rows from being compared."""
    terms.prose(t, t.KNOWN_TEXT)
    tables.table(t, rows(t), t.KNOWN_TITLE)
    terms.prose(t, t.KNOWN_SOURCES.format(registry=REGISTRY), small=True)


def rows(t: Words) -> list[dict[str, str]]:
    """Return the promises with the words of a language."""
    return [dict(zip(t.KNOWN_COLUMNS, _line(t, each), strict=True)) for each in KNOWN]


def _line(t: Words, each: KnownEpsilon) -> tuple[str, ...]:
    what, per = t.KNOWN[each.key]
    epsilon = t.KNOWN_PER.format(epsilon=f"{each.epsilon:g}", per=per)
    if each.delta:
        epsilon += t.KNOWN_DELTA.format(delta=_power(each.delta))
    return (
        f"{t.KNOWN_WHO[each.who]}{t.COMMA}{each.year}",
        what,
        epsilon,
        t.KNOWN_MODELS[each.model],
        each.original,
    )


def _power(value: float) -> str:
    """Write a small number with a power of ten.

    >>> _power(1e-10), _power(7e-9)
    ('10⁻¹⁰', '7 × 10⁻⁹')
    """
    factor, _, exponent = f"{value:.0e}".partition("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if factor == "1" else f"{factor} × 10{raised}"
