"""The third depth of a result, folded: the leak in ε, all counts, everything that was assumed, and the formula."""

import streamlit as st

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import has_law
from ldp_core.mechanisms import claimed_delta
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.widgets import told
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
    rows = (
        (
            _marked(t, reports, until),
            wording.in_percent(t, chance),
            t.PROMISE_EPSILON.format(epsilon=wording.number(total)),
        )
        for reports, chance, total in theory.rounds_table(epsilon, theory.NEARLY_SURE)
    )
    table(t, [dict(zip(t.MANY_COLUMNS, row, strict=True)) for row in rows], t.MANY_TITLE)


def _marked(t: Words, reports: int, until: int) -> str:
    """Write a number of reports, and of the one that makes nearly sure, that it does."""
    return str(t.MANY_UNTIL.format(reports=wording.count(reports)) if reports == until else wording.count(reports))


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
    share = wording.share(t, theory.worst_case_identification(config.epsilon, delta))
    terms.prose(t, t.FORMULA_RIGHT.format(epsilon=wording.number(config.epsilon), share=share))
    st.latex(_RIGHT_DELTA if delta else _RIGHT)
    if has_law(config):
        selective = DISTINGUISHERS[config.distinguisher].cautious
        terms.prose(t, t.FORMULA_SELECTIVE if selective else t.FORMULA_LAW)
        for part in (_SELECTIVE if selective else _LAW).split(r",\qquad"):
            st.latex(part)
    terms.prose(t, t.FORMULA_BOUND[config.bound])
    st.latex(_BOUND[config.bound].replace("1-", r"1-\delta-") if delta else _BOUND[config.bound])
    open_delta = t.FORMULA_DELTA_OPEN.format(delta=f"{delta:g}")
    terms.prose(t, t.FORMULA_ASSUMES.format(delta=open_delta if delta else t.FORMULA_DELTA))
