"""What a check on the page is to ask: one of our mechanisms, what it claims, and how many reports."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldp_core import workload
from ldp_core.checking.claims import CheckConfig
from ldp_core.mechanisms import HONEST
from ldp_core.randomness import streams
from ldp_core.studies.check import workload as check_plan
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state.current_run import Start
from pages.widgets import inputs, stage, views

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
    """Show a letter for who has an app only, and how each kind of mechanism is brought, with the commands."""
    with st.expander(t.LETTER_TITLE):
        st.code(t.LETTER, language=None, wrap_lines=True)
        st.download_button(t.LETTER_FILE, t.LETTER, "letter.txt", "text/plain", key="letter", on_click="ignore")
    with st.expander(t.CHECK_WAYS_TITLE):
        terms.prose(t, t.CHECK_WAYS_LEAD)
        for way, text in t.CHECK_WAYS.items():
            terms.prose(t, text)
            st.code(_COMMANDS[way], language="bash", wrap_lines=True)


Shown = tuple[Callable[[], None], CheckConfig | None, Callable[[], None] | None]


def show(t: Words, manager: jobs.JobManager, job: Job | None) -> Shown:
    """Show the bar, and below it for answers from files what they need.

    Returns:
        What says what the check would catch, which may take a second, so call it when the rest of the page stands;
        what is set, None where that cannot be run here; and what shows the stage where no run does.
    """
    bar = stage.bar(t, (2.5, 3.8, 1.6, 2.2))
    first, second, third, fourth = bar.controls
    with first:
        way = inputs.select(t.CHECK_WAY, "way", t.CHECK_WAY_NAMES, t.CHECK_WAY_HELP)
    if way == "files":
        from pages.check import files

        with bar.more:
            values = claim(t, third, fourth) | files.stated(t)
        with bar.act:
            tell = files.make(t, values, bar)
        files.judge(t, manager)
        return tell, None, None
    if way == "app":
        from pages.check import app

        return no_plan, None, app.show(t, bar)
    with bar.more:
        values = claim(t, third, fourth) | {"seed": inputs.seed(t, t.CHECK_SEED_HELP)}
    with second:
        values["subject"] = _subject(t)
        values["whole"] = values["subject"] not in HONEST  # a demonstration shows all that leaks
    config, problem, line, tell = None, "", "", no_plan
    try:
        config = make_config(**values)
        check_plan.check_size(config)
        time = wording.duration(t, check_plan.seconds(config, manager.values_per_second))
        line = t.CHECK_PLAN.format(reports=wording.count(config.reports), seconds=time)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    begin = Start(config, key=CHECK) if config else None
    going = config is None or bool(problem) or job is not None
    with bar.plan:
        terms.prose(t, described(t, values["subject"]), small=True)
    stage.action(t, manager, job, begin, t.CHECK_RUN, "run", bar, problem, line if going else "")
    if not going and config is not None:
        with bar.plan:
            tell = partial(plan_lines, t, config, line, place(t, line))
    return tell, config, None


def claim(t: Words, first: DeltaGenerator, second: DeltaGenerator) -> dict[str, Any]:
    """Show the fields that every check has, two of them in places of their own; return them as in ``CheckConfig``."""
    low, high = EPSILON_RANGE
    with first:
        epsilon = inputs.number(
            t, t.CHECK_EPSILON, inputs.EPSILON, low, high, 1.0, inputs.epsilon_help(t.CHECK_EPSILON_HELP)
        )
    with second:
        reports = inputs.of_field(t, t.CHECK_REPORTS, CheckConfig, "reports", t.CHECK_REPORTS_HELP, 100_000)
    dimension = inputs.of_field(t, t.CHECK_DIMENSION, CheckConfig, "dimension", t.CHECK_DIMENSION_HELP, 16)
    clip_norm = inputs.of_field(t, t.CLIP_NORM, CheckConfig, "clip_norm", t.CLIP_NORM_HELP)
    confidence = inputs.number(t, t.CONFIDENCE, "confidence", *inputs.CONFIDENCE_RANGE, 99.9, t.CHECK_CONFIDENCE_HELP)
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
    from ldp_core.checking.claims.power import smallest_detectable_epsilon

    detectable = smallest_detectable_epsilon(config)
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
    """Ask for one of our mechanisms."""
    names = {name: t.MECHANISMS[name].title for name in HONEST}
    names |= {name: t.REPORT["check_faulty"].format(name=title) for name, (title, _) in t.CHECK_FAULTS.items()}
    return inputs.select(t.CHECK_SUBJECT, "subject", names, t.CHECK_SUBJECT_HELP, FIRST)


def described(t: Words, subject: str) -> str:
    """Return what one of our mechanisms does, or what is wrong with it."""
    if subject in t.CHECK_FAULTS:
        return str(t.CHECK_FAULTY_NOTE.format(text=t.CHECK_FAULTS[subject][1]))
    return str(t.CHECK_HONEST_NOTE.format(text=t.MECHANISMS[subject].sends)) if subject in HONEST else ""
