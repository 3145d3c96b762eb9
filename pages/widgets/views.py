"""What more than one page shows: pictures, charts, symbols, and what a run would take."""

import platform
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version

import pandas  # noqa: F401  # loaded whole, before plotly finds it half loaded by the worker's thread
import plotly.graph_objects as go
import streamlit as st

from ldp_core.errors import UnsupportedCombinationError
from ldp_core.presentation import figures
from ldp_core.presentation.figures.described import Chart, screen
from ldp_core.statistics import promise, theory
from ldp_core.words import Words
from ldp_core.workload import MOST_OWN, TooLargeError
from pages.frame import terms, wording
from pages.server.origin_guard import LOOPBACK
from pages.state import settings
from pages.widgets import pictures

_ZONES = tuple(promise.STRENGTHS.values())
_CHART = {"modeBarButtons": [["toImage"]], "displaylogo": False, "scrollZoom": False}
_IMAGE = {"format": "png", "scale": 3}
_ICONS = {
    "above": ("#D55E00", '<path d="M9 9l14 14M23 9L9 23" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
    "too_few": ("#6b7280", '<path d="M10 8h12l-6 8zM10 24h12l-6-8z" fill="#fff"/>'),
    "coin": ("#6b7280", '<path d="M8 16h16" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
    "at": (
        "#0072B2",
        '<path d="M16 7a9 9 0 0 1 0 18z" fill="#fff"/>'
        '<circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-width="2.5"/>',
    ),
    "below": (
        "#0072B2",
        '<path d="M8.5 8.5h15M16 12.5v11M11 18.5l5 5 5-5" fill="none" stroke="#fff" stroke-width="3" '
        'stroke-linecap="round"/>',
    ),
    "kept": (
        "#0072B2",
        '<path d="M8.5 16.5l5 5 10-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/>',
    ),
    "none": ("#6b7280", '<path d="M8 16h16" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
}


def footer(t: Words, address: str, notice: str) -> None:
    """Say where this page runs; warn if other devices can reach it or results are not kept."""
    st.divider()
    if address not in LOOPBACK:
        st.warning(t.NOT_LOOPBACK.format(address=address))
    if notice:
        st.caption(wording.failure(t, notice))
    if address in LOOPBACK:
        proof = "" if st.get_option("browser.gatherUsageStats") else t.FOOTER_PROOF.format(versions=_versions())
        st.caption(t.FOOTER.format(address=address), help=proof or None)


def refused(t: Words) -> None:
    """Say which values of the link are not possible here; a stranger's, so they are shown short and as code."""
    for name, text in settings.refused().items():
        st.warning(t.LINK_REFUSED.format(name=name, value=text[:20].replace("`", "")))


def come_back() -> None:
    """Have the browser ask for the page anew when a lost line is back, which it does only where a part asks by itself.

    A server that was started again, or that has forgotten a visitor who slept, would drop each click on a part of the
    page that the visitor still sees.
    """
    st.fragment(lambda: None, run_every=3600.0)()


@lru_cache(maxsize=1)
def _versions() -> str:
    packages = (f"{name} {version(name)}" for name in ("streamlit", "torch"))
    return " · ".join((f"python {platform.python_version()}", *packages))


def glossary(t: Words) -> None:
    with st.expander(t.GLOSSARY_TITLE):
        st.markdown("\n".join(f"- **{term}**: {text}" for term, text in t.GLOSSARY.items()))


def facts(t: Words, lines: Sequence[str]) -> None:
    terms.prose(t, "\n".join(f"- {line}" for line in lines))


def icon_arrays(t: Words, epsilon: float) -> str:
    """Return a coin's right guesses beside the best attacker's, of the same number of guesses, as HTML."""
    chance = theory.worst_case_identification(epsilon)
    parts = []
    for title, share, right in (
        (t.OVERVIEW_COIN, wording.share(t, 0.5), 50),
        (t.OVERVIEW_BEST, wording.at_most(t, chance), min(pictures.whole_of_100(chance), 99)),
    ):
        source = pictures.uri(pictures.icon_array_svg(right).encode(), "svg+xml")
        alt = t.OVERVIEW_ALT.format(title=title, share=share)
        caption = t.OVERVIEW_RIGHT.format(share=f"<b>{share}</b>")
        parts.append(
            f'<figure><strong>{title}</strong><img src="{source}" alt="{alt}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    legend = " &nbsp; ".join(
        f'<span style="color:{colour}">{symbol}</span> {meaning}'
        for colour, symbol, meaning in zip((figures.RIGHT, figures.WRONG), "●✕", t.OVERVIEW_LEGEND, strict=True)
    )
    return f'<div class="ldp-arrays">{"".join(parts)}</div><div class="ldp-legend">{legend}</div>'


def worth(t: Words, epsilons: Sequence[float], delta: float = 0.0) -> str:
    """Return how strong some promises are, on a bar from a coin to certainty, as HTML; the word is of the weakest."""
    shares = [promise.identification(epsilon, delta) for epsilon in epsilons]
    word = t.REPORT[f"strength_word_{promise.strength(max(epsilons), delta)}"]
    zones = "".join(f'<i style="left:{200 * promise.identification(limit) - 100:.1f}%"></i>' for limit in _ZONES)
    marks = "".join(f'<b style="left:{200 * share - 100:.1f}%"></b>' for share in shares)
    sentence = t.WORTH.format(word=word)
    first, last = t.WORTH_ENDS
    return (
        f'<div class="ldp-worth" title="{t.WORTH_LINES}"><strong>{sentence}</strong>'
        f'<div aria-hidden="true">{zones}{marks}</div><small><span>{first}</span><span>{last}</span></small></div>'
    )


def drawn(svg: str) -> None:
    """Show a picture that the core drew; it says itself what it shows. ``st.html`` would leave it out."""
    st.markdown(svg, unsafe_allow_html=True)


def chart(t: Words, figure: Chart | go.Figure, key: str, alt: str) -> None:
    """Show a chart with the sentence that states its finding; a button over it keeps it as a picture."""
    config = _CHART | {"toImageButtonOptions": _IMAGE | {"filename": f"ldp-{key}"}}
    st.plotly_chart(figures.in_language(screen.drawn(figure), t.FIGURES), key=f"chart_{key}", config=config, alt=alt)


def problem_sentence(t: Words, error: Exception, rule: str = "") -> str:
    """Say what is wrong with a run; ``rule`` is the chosen distinguisher."""
    if isinstance(error, UnsupportedCombinationError) and error.reason == "mechanism":
        return str(t.MECHANISM_UNFIT)
    if isinstance(error, UnsupportedCombinationError) and error.reason:
        words = t.DISTINGUISHERS[rule]
        template = t.RULE_UNFIT_SIMULATION if error.reason == "simulation" else t.RULE_UNFIT
        return str(template.format(rule=words.title, reason=words.objection))
    if isinstance(error, TooLargeError):
        sentence = t.TOO_LARGE[error.kind].format(limit=wording.count(error.limit), asked=wording.count(error.asked))
        return str(sentence + t.TOO_LARGE_OWN.format(numbers=wording.count(MOST_OWN)) if error.own else sentence)
    return wording.failure(t, str(error))


def icon(state: str) -> str:
    colour, path = _ICONS[state]
    circle = f'<circle cx="16" cy="16" r="16" fill="{colour}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{circle}{path}</svg>'
