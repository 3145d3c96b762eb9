"""Seven attacks as cards: where each cheats, and how far it gets at this ε; one press chooses it."""

import html
from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from ldp_core.adversaries import ADVERSARIES, PARTIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import has_exact_rates
from ldp_core.mechanisms import claimed_delta
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.presentation import tables
from ldp_core.statistics import theory
from ldp_core.studies.audit.configuration import of_other_attacks
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words
from pages import jobs
from pages.audit import next_test, words
from pages.frame import terms, wording
from pages.state import callbacks, current_run, prepared, settings
from pages.state.current_run import Start
from pages.widgets import hand, inputs, pictures, start, told
from pages.widgets.tables import table

_PROMISE = (
    r"\Pr[R(A)\in S]\;\le\;e^{\varepsilon}\,\Pr[R(B)\in S],\quad\Pr[R(B)\in S]\;\le\;e^{\varepsilon}\,\Pr[R(A)\in S]"
)
_RIGHT = r"\frac{e^{\varepsilon}}{1+e^{\varepsilon}}"
_RIGHT_DELTA = r"\frac{e^{\varepsilon}+\delta}{1+e^{\varepsilon}}"
_LAW = r"\frac12+\frac{\varphi}{2\pi}\cdot\frac{n_A+n_B}{2L}\cdot\tanh\frac{\varepsilon}{2}"
_SELECTIVE = (
    r"\frac{\varphi}{\pi}(1-q_A),\quad\frac{\varphi}{\pi}\,q_B,\qquad q=\frac12+\frac{n}{2L}\tanh\frac{\varepsilon}{2}"
)
_BOUND = {
    "pooled": r"\varepsilon\;\ge\;\ln\frac{1-w}{w}",
    "clopper_pearson": r"\varepsilon\;\ge\;\max\left(\ln\frac{1-a}{b},\;\ln\frac{1-b}{a}\right)",
}


def many_reports(t: Words, epsilon: float) -> None:
    """Show what an attacker may learn from many reports, up to nearly everything."""
    terms.prose(t, t.MANY_TEXT.format(epsilon=wording.number(epsilon)))
    until = theory.rounds_until(epsilon, theory.NEARLY_SURE)
    rows = []
    for reports, chance, total in theory.rounds_table(epsilon, theory.NEARLY_SURE):
        count, promised = wording.count(reports), t.PROMISE_EPSILON.format(epsilon=wording.number(total))
        if reports == until:
            count = t.MANY_UNTIL.format(reports=count)
        rows.append((count, wording.limit_in_percent(t, chance), promised))
    table(t, t.MANY_COLUMNS, rows, t.MANY_TITLE)


def folds(t: Words, result: AuditResult) -> None:
    with st.expander(t.COUNTS_TITLE):
        told.parts(t, told.report(t, result).sections[-1].parts, "audit")
    with st.expander(t.ASSUMED_TITLE):
        told.assumed(t, result)
    with st.expander(t.FORMULA_TITLE):
        formula(t, result.config)


def formula(t: Words, config: AuditConfig) -> None:
    """Show the promise, what to expect of the attacker, the bound, and what they assume."""
    delta = claimed_delta(config.mechanism)
    terms.prose(t, t.FORMULA_PROMISE)
    for part in _PROMISE.split(r",\quad"):
        st.latex(part + r"\;+\;\delta" if delta else part)
    share = wording.limit(t, theory.worst_case_identification(config.epsilon, delta))
    terms.prose(t, t.FORMULA_RIGHT.format(epsilon=wording.number(config.epsilon), share=share))
    st.latex(_RIGHT_DELTA if delta else _RIGHT)
    if has_exact_rates(config):
        selective = DISTINGUISHERS[config.distinguisher].abstains
        terms.prose(t, t.FORMULA_SELECTIVE if selective else t.FORMULA_LAW)
        for part in (_SELECTIVE if selective else _LAW).split(r",\qquad"):
            st.latex(part)
    terms.prose(t, t.FORMULA_BOUND[config.bound])
    st.latex(_BOUND[config.bound].replace("1-", r"1-\delta-") if delta else _BOUND[config.bound])
    open_delta = t.FORMULA_DELTA_OPEN.format(delta=f"{delta:g}")
    terms.prose(t, t.FORMULA_ASSUMES.format(delta=open_delta if delta else t.FORMULA_DELTA))


_INK, _CHEAT = "#7a7f87", "#cc2f8e"
_SHAPES = {
    "device": '<rect x="4" y="4" width="14" height="24" rx="3"/><path d="M9 24h4"/>',
    "line": '<path d="M26 16h34" stroke-dasharray="3 4"/><path d="M60 16l-6-4v8z" fill="currentColor"/>',
    "server": '<rect x="70" y="5" width="22" height="10" rx="2"/><rect x="70" y="18" width="22" height="10" rx="2"/>',
}
LIAR = "overclaiming"


def show(t: Words, epsilon: float, chosen: str) -> None:
    """Show the cards; what each reaches follows the slider of ε while it is held."""
    names = [name for group in PARTIES for name in inputs.attacks_of(group)]
    frames = {f"card_{name}": [_reach(t, name, step) for step in inputs.epsilon_steps(epsilon)] for name in names}
    frames["worst"] = [terms.bold(words.worst(t, step)) for step in inputs.epsilon_steps(epsilon)]
    hand.follow(inputs.EPSILON, "cards", frames)
    st.html(f'<p data-hand="worst">{terms.bold(words.worst(t, epsilon))}</p>')
    with st.container(horizontal=True, gap="small", key="cards"):
        for name in names:
            with st.container(border=True, width=150, gap="xsmall"):
                mark = pictures.uri(_mini(ADVERSARIES[name].access).encode(), "svg+xml")
                bar = f'<div data-hand="card_{name}">{_reach(t, name, epsilon)}</div>'
                st.html(f'<div class="ldp-card"><img src="{mark}" alt="">{bar}</div>')
                act = settings.puts({"attack": name})
                look = "primary" if name == chosen else "secondary"
                label = t.FIGURES[f"name_{name}"]
                callbacks.button(label, f"card_{name}", act, fixed=True, type=look, width="stretch")
    terms.prose(t, t.CARDS_NOTE, small=True)


def run_all(t: Words, manager: jobs.JobManager, begin: Start | None) -> None:
    """Show the button that tests all attacks at what is set, the chosen one last, so that it ends with all on stage."""
    if begin is None:
        return
    others = [replace(begin, config=config, expected=None, key="") for config in of_other_attacks(begin.config)]
    acts = [current_run.starts(manager, run) for run in (*others, begin)]
    label = t.RUN_ALL.format(count=len(acts))
    act = callbacks.in_turn(*acts) if _set(begin) else None
    if failure := callbacks.button(label, "run_all", act, partial(start.not_begun, t)):
        st.error(failure)


def _set(begin: Start) -> bool:
    return not (settings.wrong() or begin.lacks_images)


def lie(t: Words, manager: jobs.JobManager, begin: Start | None, *, going: bool) -> None:
    """Show the button that runs the test of an app that adds less randomness than it says, or sets the honest one.

    ``going``: whether a run goes on, beside which none is begun.
    """
    if begin is None:
        return
    if begin.config.mechanism == LIAR:
        honest = settings.puts({"mechanism": LdpSgd.name})
        callbacks.button(t.LIE_BACK, "lie", None if going else honest, fixed=True, type="tertiary")
        return
    lying = replace(begin, config=replace(begin.config, mechanism=LIAR), expected=None)
    act = next_test.runs(lying.config, current_run.starts(manager, lying)) if _set(begin) and not going else None
    if failure := callbacks.button(t.LIE, "lie", act, partial(start.not_begun, t), type="tertiary", help=t.LIE_HELP):
        st.error(failure)


@lru_cache(maxsize=256)
def _reach(t: Words, attack: str, epsilon: float) -> str:
    """Return how often an attack is right at an ε, by the exact law of pairs that were made in advance, as HTML."""
    example = prepared.job(prepared.COMPARE)
    share = None if example is None else tables.reach(example.result, prepared.DATASET, attack, epsilon)
    if share is None:
        return ""
    most = theory.worst_case_identification(epsilon)
    text = html.escape(t.CARD_REACH.format(share=f"{100 * share:.0f}"))
    across = f'<i style="width:{200 * share - 100:.0f}%"></i><b style="left:{200 * most - 100:.1f}%"></b>'
    return f'<span>{text}</span><div aria-hidden="true">{across}</div>'


def _mini(access: frozenset[str]) -> str:
    """Draw device, network and server, with a mark where somebody cheats."""
    device, server = bool(access - {"server"}), "server" in access
    marks = "".join(
        f'<circle cx="{x}" cy="7" r="6.5" fill="{_CHEAT}"/><path d="M{x} 3.5v4M{x} 9.5v1" stroke="#fff"/>'
        for x, cheats in ((18, device), (92, server))
        if cheats
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 32" fill="none" stroke="{_INK}" stroke-width="2.2" '
        f'color="{_INK}">{"".join(_SHAPES.values())}<g stroke-width="1.8">{marks}</g></svg>'
    )
