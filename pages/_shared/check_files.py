"""A check from files: make a challenge, and judge the answers. Files stay in memory, and nothing in them is run."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from types import ModuleType
from typing import Any

import streamlit as st

from ldp_core.claims import CheckConfig
from ldp_core.errors import ChallengeError
from pages._shared import (
    check_form,
    check_plan,
    check_words,
    files,
    jobs,
    plan,
    sources,
    terms,
    views,
    widgets,
    wording,
)
from pages._shared.challenges import Asked, challenges

_MADE, _OLD_KEY = "challenge_made", "old_key"
_CHALLENGE, _KEY = "challenge.npz", "key.json"
_MOST_KEY_MB = 1
_unpacking = Lock()
"""A small file may unpack to a large one: one at a time is looked at, and none is kept unpacked while it waits."""
ANSWERING = """import numpy

given = numpy.load("challenge.npz")
reports = [randomize(given["gradients"][index]) for index in given["order"]]
numpy.savez("responses.npz", reports=reports, digest=given["digest"])"""


@dataclass(slots=True)
class Made:
    """The challenge that a visitor made last, and the names under which its files are kept."""

    asked: Asked
    names: dict[str, str] = field(default_factory=dict)


def show(t: ModuleType, manager: jobs.JobManager) -> Callable[[], None]:
    """Show both halves: what goes to the vendor, and what comes back; see ``check_form.show``."""
    with st.container(border=True, key="make_challenge"):
        st.subheader(t.CHECK_MAKE_TITLE)
        tell = _make(t)
    with st.container(border=True, key="judge"):
        st.subheader(t.CHECK_JUDGE_TITLE)
        _judge(t, manager)
    if st.session_state.pop(_OLD_KEY, False):
        st.toast(t.CHECK_OLD_KEY, duration="long")
    return tell


def _make(t: ModuleType) -> Callable[[], None]:
    terms.prose(t, t.CHECK_MAKE_LEAD)
    values = check_form.claim(t)
    with st.expander(t.ADVANCED):
        values |= _stated(t)
    config, problem, tell = None, "", check_form.no_plan
    try:
        config = check_form.make_config(**values, subject=check_words.FILES, seed=None, adaptive=False)
        check_plan.check_size(config, check_plan.MOST_FILE_VALUES)
    except (ValueError, plan.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    if problem:
        st.error(problem)
    elif config:
        line = t.CHECK_PLAN_FILES.format(**_size(config))
        tell = partial(check_form.plan_lines, t, config, line, check_form.place(t, line))
    if st.button(t.CHECK_MAKE, key="make", width="stretch", disabled=bool(problem)) and config:
        from ldp_core.subjects import new_salt

        st.session_state[_MADE] = Made(Asked(config, new_salt()))
    made: Made | None = st.session_state.get(_MADE)
    if made is None:
        return tell
    if not all(challenges().get(made.names.get(file, ""), file) for file in FILES):  # new, or made room for others
        made.names = {file: challenges().keep(made.asked, file) for file in FILES}
    config = made.asked.config
    told = t.CHECK_MADE.format(epsilon=wording.number(config.epsilon), **_size(config))
    terms.prose(t, told, small=True)
    with st.container(horizontal=True, key="take_challenge"):
        files.link(t, t.CHECK_CHALLENGE, made.names[_CHALLENGE], _CHALLENGE, t.CHECK_CHALLENGE_HELP)
        files.link(t, t.CHECK_KEY, made.names[_KEY], _KEY, t.CHECK_KEY_HELP)
    terms.prose(t, t.CHECK_ANSWERING, small=True)
    st.code(ANSWERING, language="python", wrap_lines=True)
    return tell


def _stated(t: ModuleType) -> dict[str, Any]:
    """Show what few makers name."""
    delta = widgets.number(t.CHECK_DELTA, "delta", 0.0, 0.5, 0.0, 1e-5, t.CHECK_DELTA_HELP)
    order = widgets.select(t.CHECK_ORDER, "clip_order", t.CHECK_ORDERS, t.CHECK_ORDER_HELP)
    stated = {
        name: widgets.optional_number(label, name, 1e-12, 1e12, text, t.CHECK_UNSTATED)
        for name, label, text in (
            ("scale", t.CHECK_SCALE, t.CHECK_SCALE_HELP),
            ("report_norm", t.CHECK_REPORT_NORM, t.CHECK_REPORT_NORM_HELP),
        )
    }
    return {"delta": delta, "clip_order": order} | stated


def _judge(t: ModuleType, manager: jobs.JobManager) -> None:
    terms.prose(t, t.CHECK_JUDGE_LEAD.format(limit=sources.MOST_UPLOAD_MB))
    answers = st.file_uploader(t.CHECK_RESPONSES_FILE, "npz", key="responses", max_upload_size=sources.MOST_UPLOAD_MB)
    key = st.file_uploader(t.CHECK_KEY_FILE, "json", key="key", max_upload_size=_MOST_KEY_MB)
    missing = answers is None or key is None
    pressed = st.button(t.CHECK_JUDGE, key="judge_run", type="primary", width="stretch", disabled=missing)
    if pressed and answers is not None and key is not None:
        problem = _begin(t, manager, answers.getvalue(), key.getvalue())
        if not problem:
            st.rerun()
        st.error(problem)


def _begin(t: ModuleType, manager: jobs.JobManager, answers: bytes, key: bytes) -> str:
    """Queue the check of two files; return a sentence if they cannot be read.

    The core's sentence may quote a file, so it is not shown.
    """
    from ldp_core.subjects import read_key, read_responses

    try:
        found = read_key(key)
        check_plan.check_size(found.config, check_plan.MOST_FILE_VALUES)
    except ChallengeError:
        return str(t.CHECK_FILE_ERRORS["key"])
    except plan.TooLargeError as error:
        return views.problem_sentence(t, error)
    unpack = partial(read_responses, answers, found, most_bytes=sources.MOST_UPLOAD_MB * 10**6)
    try:
        with _unpacking:
            unpack()
    except ChallengeError:
        return str(t.CHECK_FILE_ERRORS["responses"].format(limit=sources.MOST_UPLOAD_MB))
    st.session_state[_OLD_KEY] = found.version == 1
    return check_form.queue(t, manager, replace(found.config, subject=check_words.FILES), unpack)


def _size(config: CheckConfig) -> dict[str, str]:
    return {"reports": wording.count(config.reports), "dimension": wording.count(config.dimension)}


def _file(file: str, which: int, _: ModuleType, name: str) -> files.File | None:
    """Return a challenge's file or its key's; both follow from what was asked."""
    from ldp_core.subjects import challenge_bytes

    asked = challenges().get(name, file)
    if asked is None:
        return None
    return files.File(file, "application/octet-stream", challenge_bytes(asked.config, salt=asked.salt)[which])


FILES: dict[str, files.Make] = {file: partial(_file, file, which) for which, file in enumerate((_CHALLENGE, _KEY))}
"""The files of a challenge, by the end of their address."""
