"""The bar above the stage: the attack, ε, a guess and the button; everything else is behind "more"."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldp_core import workload
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.presentation import figures
from ldp_core.studies import study_of
from ldp_core.studies.audit.configuration import make_config
from ldp_core.types import AuditConfig
from ldp_core.words import Words
from pages import jobs
from pages.audit import cards, next_test
from pages.audit import words as audit_words
from pages.frame import wording
from pages.jobs.job import Job
from pages.state.current_run import Start
from pages.widgets import inputs, stage, views


def bar(t: Words, manager: jobs.JobManager, job: Job | None, beside: DeltaGenerator) -> tuple[Start | None, str, bool]:
    """Show the settings and the button.

    Return what is set, None where that cannot be run, what it would take, and whether a run goes on.

    ``beside`` is the place of what is said where the result in view is of other settings.
    """
    place = stage.bar(t, (2.9, 2.8, 2.8, 1.9))
    attack, slider, papers, guess = place.controls
    with place.more:
        values, source = inputs.advanced(t)
    rule = DISTINGUISHERS[values["distinguisher"]]
    with attack:
        values["attack"] = inputs.attack_picker(t)
    with slider:
        inputs.epsilon_slider(t, values["epsilon"], inputs.EPSILON_STEP)
    with papers:
        inputs.papers(t, values["epsilon"])
    with guess:
        expected = None if rule.abstains else inputs.expectation(t)
    config, problem = _checked(t, values)
    begin = Start(config, **source, expected=expected) if config else None
    label = t.RUN
    if config is not None and job is not None and job.finished and next_test.differs(config, job.config):
        label = t.RUN_FOR.format(
            attack=figures.attack_name(t.FIGURES, config.attack), epsilon=wording.number(config.epsilon)
        )
        sentence = t.STAGE_OF.format(
            attack=audit_words.named(t, job.config), epsilon=wording.number(job.config.epsilon)
        )
        with beside:
            stage.other(t, sentence, next_test.puts(job.config))
    going = stage.action(t, manager, job, begin, label, "run", place, problem)
    with place.above:
        cards.lie(t, manager, begin, going=going)
    with place.plan:
        if rule.abstains:
            st.markdown(f"{t.DISTINGUISHER}{t.COLON}**{t.DISTINGUISHERS[values['distinguisher']].title}**")
        next_test.say(t)
        return begin, _plan(t, manager, config) if config and not problem else "", going


def _checked(t: Words, values: dict[str, Any]) -> tuple[AuditConfig | None, str]:
    """Return the configuration that the widgets hold, and what is wrong with it."""
    try:
        config = make_config(watch=True, **values)  # a page always watches its runs
        study_of(config).check_size(config)
    except (ValueError, UnsupportedCombinationError, workload.TooLargeError) as error:
        return None, views.problem_sentence(t, error, values["distinguisher"])
    return config, ""


def _plan(t: Words, manager: jobs.JobManager, config: AuditConfig) -> str:
    """Return how long a run takes; warn if it cannot show enough."""
    line, warning = audit_words.plan_sentences(t, config, study_of(config).seconds(config, manager.values_per_second))
    if warning:
        st.warning(warning)
    return line
