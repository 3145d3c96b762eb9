"""A study that takes too long to wait for: what was measured in advance, and the button that measures again."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.studies import STUDIES
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state.current_run import Start
from pages.widgets import inputs, stage, start, told


def page(study: str, key: str, result: type[Any], row: Callable[[Words, Job], Row]) -> StudyPage:
    """Return what such a study states of itself, on the page of rebuilt pictures.

    Its texts are named as it: ``PLANE_TITLE``, ``PLANE_LEAD``, ``PLANE_SHOW`` beside the switch, ``PLANE_MEASURED``
    on when and where, and ``PLANE_RUN``, ``PLANE_AGAIN`` and ``PLANE_HELP`` of the button.
    """

    def show(t: Words, manager: jobs.JobManager) -> None:
        texts = {name: getattr(t, f"{study.upper()}_{name}") for name in _TEXTS}
        with st.expander(texts["TITLE"], expanded=key in st.query_params):
            terms.prose(t, texts["LEAD"])
            job = stage.in_view(t, manager, study, key)
            shown = st.toggle(texts["SHOW"], key=f"{study}_shown", persist_state="session")
            if job is not None:
                stage.run(t, manager, job)
            elif shown:
                terms.prose(t, texts["MEASURED"], small=True)
                told.show(t, record.measured(result))
            else:
                return
            begun = Start(STUDIES[study].config(inputs.held_seed()), key=key)
            label = texts["RUN" if job is None else "AGAIN"]
            start.button(t, manager, begun, label, f"run_{study}", help=texts["HELP"])

    return StudyPage(key=key, place="reconstruction", row=row, ends=show)


_TEXTS = ("TITLE", "LEAD", "SHOW", "MEASURED", "RUN", "AGAIN", "HELP")
