"""What a check on the page is to ask: one of our mechanisms, what it claims, and how many reports."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldp_core import workload
from ldp_core._validate import limits
from ldp_core.checking.claims import CheckConfig
from ldp_core.mechanisms import HONEST
from ldp_core.randomness import streams
from ldp_core.studies.check import workload as check_plan
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.state.viewed import Start
from pages.widgets import inputs, start, views

CHECK = "check"
FIRST = "faulty-twice-epsilon"
"""Picked without a link: it is caught within a second."""
_PLANNED = "check_planned"

_COMMANDS = {
    "files": "python -m ldp_core challenge --out challenge.npz --key key.json --epsilon 1 --dimension 64\n"
    "python -m ldp_core check --responses responses.npz --key key.json",
    "python": "python -m ldp_core check package.module:Factory --epsilon 1 --dimension 64 --clip-norm 1 --json -",
    "command": 'python -m ldp_core check --command "./vendor-sdk --epsilon 1" --epsilon 1 --dimension 64 --json -',
}


def ways(t: Words) -> None:
    """Show, folded, a letter for who has an app only, and how each kind of mechanism is brought, with the commands."""
    with st.expander(t.LETTER_TITLE):
        st.code(t.LETTER, language=None, wrap_lines=True)
        st.download_button(t.LETTER_FILE, t.LETTER, "letter.txt", "text/plain", key="letter", on_click="ignore")
    with st.expander(t.CHECK_WAYS_TITLE):
        terms.prose(t, t.CHECK_WAYS_LEAD)
        for way, text in t.CHECK_WAYS.items():
            terms.prose(t, text)
            st.code(_COMMANDS[way], language="bash", wrap_lines=True)


def way(t: Words) -> str:
    """Ask which of the page's ways is taken."""
    return inputs.radio(t.CHECK_WAY, "way", t.CHECK_WAY_NAMES, list(t.CHECK_WAY_NOTES.values()))


def show(t: Words, manager: jobs.JobManager, label: str) -> Callable[[], None]:
    """Show our mechanisms, the settings of a check, what it would take, and the button.

    Returns:
        What says what the check would catch. It may take a second, so call it when the rest of the page stands.
    """
    picker, below = st.container(), st.container()
    with st.expander(t.ADVANCED):
        values = claim(t) | {"seed": inputs.seed(t, t.CHECK_SEED_HELP)}
    with picker:
        values["subject"] = _subject(t)
    config, problem, tell = None, "", no_plan
    try:
        config = make_config(**values)
        check_plan.check_size(config)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    with below:
        if config and not problem:
            time = wording.duration(t, check_plan.seconds(config, manager.values_per_second))
            line = t.CHECK_PLAN.format(reports=wording.count(config.reports), seconds=time)
            tell = partial(plan_lines, t, config, line, place(t, line))
        begin = Start(config, key=CHECK) if config else None
        start.button(t, manager, begin, label, "run", problem=problem, type="primary", width="stretch")
    return tell


def claim(t: Words) -> dict[str, Any]:
    """Show the fields that every check has; return them by the names of ``CheckConfig``."""
    low, high = EPSILON_RANGE
    left, right = st.columns(2)
    with left:
        epsilon = inputs.number(
            t, t.CHECK_EPSILON, inputs.EPSILON, low, high, 1.0, inputs.epsilon_help(t.CHECK_EPSILON_HELP)
        )
        reports = inputs.integer(
            t, t.CHECK_REPORTS, "reports", *limits(CheckConfig, "reports"), 100_000, t.CHECK_REPORTS_HELP
        )
        clip_norm = inputs.number(t, t.CLIP_NORM, "clip_norm", *limits(CheckConfig, "clip_norm"), 1.0, t.CLIP_NORM_HELP)
    with right:
        dimension = inputs.integer(
            t, t.CHECK_DIMENSION, "dimension", *limits(CheckConfig, "dimension"), 16, t.CHECK_DIMENSION_HELP
        )
        confidence = inputs.number(
            t, t.CONFIDENCE, "confidence", *inputs.CONFIDENCE_RANGE, 99.9, t.CHECK_CONFIDENCE_HELP
        )
    values = {"epsilon": epsilon, "dimension": dimension, "reports": reports, "clip_norm": clip_norm}
    return values | {"confidence": confidence}


def make_config(*, confidence: float, seed: int | None, **options: Any) -> CheckConfig:
    """Return the checked configuration of what the fields hold.

    Raises:
        ValueError: if a value is out of range.
    """
    significance = round(1.0 - confidence / 100.0, 12)
    return CheckConfig(seed=streams.fresh_seed() if seed is None else seed, significance=significance, **options)


def place(t: Words, line: str) -> DeltaGenerator:
    """Return where ``plan_lines`` will write; what stood there before stays until it does."""
    planned = st.container()
    if st.session_state.get(_PLANNED):
        return planned
    st.session_state[_PLANNED] = True
    slot = planned.empty()
    with slot:
        terms.prose(t, t.SPACE.join((line, t.CHECK_PLAN_WAIT)), small=True, more=t.CHECK_PLAN_HELP)
    return slot.container()


def plan_lines(t: Words, config: CheckConfig, line: str, where: DeltaGenerator) -> None:
    """Say what a check takes, which is the line, and the smallest excess that it would catch."""
    detectable = check_plan.detectable(config)
    with where:
        if detectable is not None:
            caught = t.CHECK_PLAN_CATCHES.format(detectable=wording.ceil_number(detectable))
            terms.prose(t, t.SPACE.join((line, caught)), small=True, more=t.CHECK_PLAN_HELP)
        else:
            terms.prose(t, line, small=True, more=t.CHECK_PLAN_HELP)
            st.warning(t.CHECK_PLAN_NOTHING.format(epsilon=wording.number(config.epsilon)))


def no_plan() -> None:
    """Say nothing: there is no plan."""


def _subject(t: Words) -> str:
    """Ask for one of our mechanisms, and say what it does or what is wrong with it."""
    names = {name: t.MECHANISMS[name].title for name in HONEST}
    names |= {name: t.REPORT["check_faulty"].format(name=title) for name, (title, _) in t.CHECK_FAULTS.items()}
    chosen = inputs.select(t.CHECK_SUBJECT, "subject", names, t.CHECK_SUBJECT_HELP, FIRST)
    faulty = chosen in t.CHECK_FAULTS
    text = t.CHECK_FAULTS[chosen][1] if faulty else t.MECHANISMS[chosen].sends
    with st.container(border=True, key="subject_note"):
        terms.prose(t, (t.CHECK_FAULTY_NOTE if faulty else t.CHECK_HONEST_NOTE).format(text=text))
    return chosen
