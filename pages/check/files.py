"""A check from files: make a challenge, and judge the answers. Files stay in memory, and nothing in them is run."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core.checking.claims import CheckConfig
from ldp_core.errors import ChallengeError
from ldp_core.studies.check import workload as check_plan
from ldp_core.words import Words
from pages import jobs
from pages.check import form as check_form
from pages.check import words as check_words
from pages.frame import terms, wording
from pages.server import files
from pages.server.uploads import MOST_UPLOAD_MB
from pages.state import callbacks, current_run, settings
from pages.state.current_run import Start
from pages.widgets import inputs, stage, start, views

MOST = 2_000


@dataclass(frozen=True, slots=True)
class Challenge:
    """What both files of a challenge are made of; the salt, see ``subjects.files.new_salt``, is in the key alone."""

    config: CheckConfig
    salt: str = field(repr=False)


class Challenges:
    """The files of the last challenges of all visitors, each under a name of its own that nobody can guess.

    So the name of what a maker gets leads to no key.
    """

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, str], Challenge] = OrderedDict()
        self._lock = Lock()

    def keep(self, challenge: Challenge, file: str) -> str:
        """Keep what a file is made of and return its name; the oldest makes room where there are too many."""
        name = secrets.token_hex(16)
        with self._lock:
            self._made[name, file] = challenge
            if len(self._made) > MOST:
                self._made.popitem(last=False)
        return name

    def get(self, name: str, file: str) -> Challenge | None:
        """Return what a file is made of; None if it is gone, or the name is another file's."""
        return self._made.get((name, file))


@st.cache_resource(show_spinner=False)
def challenges() -> Challenges:
    return Challenges()


_MADE = "challenge_made"
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

    challenge: Challenge
    names: dict[str, str] = field(default_factory=dict)


def make(t: Words, values: dict[str, Any], bar: stage.Bar) -> Callable[[], None]:
    """Show the button that makes a challenge of a claim; see ``check_form.show``."""
    config, problem, tell = None, "", check_form.no_plan
    try:
        config = check_form.make_config(**values, subject=check_words.FILES, seed=None, adaptive=False)
        check_plan.check_size(config, check_plan.MOST_FILE_VALUES)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    act = partial(_ask, _held(), config) if config and not problem and not settings.wrong() else None
    line = t.CHECK_PLAN_FILES.format(**_size(config)) if config else ""
    callbacks.button(t.CHECK_MAKE, "make", act, width="stretch", type="primary")
    with bar.plan:
        if problem:
            st.error(problem)
        elif config:
            tell = partial(check_form.plan_lines, t, config, line, check_form.place(t, line))
    return tell


def _held() -> list[Made]:
    held: list[Made] = st.session_state.setdefault(_MADE, [])
    return held


def judge(t: Words, manager: jobs.JobManager) -> None:
    """Show both halves: what goes to the vendor, and what comes back."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{t.CHECK_MAKE_TITLE}**")
        terms.prose(t, t.CHECK_MAKE_LEAD)
        if _held():
            _made(t, _held()[-1])
    with right:
        st.markdown(f"**{t.CHECK_JUDGE_TITLE}**")
        _judge(t, manager)


def _made(t: Words, made: Made) -> None:
    if not all(challenges().get(made.names.get(file, ""), file) for file in FILES):  # new, or made room for others
        made.names = {file: challenges().keep(made.challenge, file) for file in FILES}
    config = made.challenge.config
    sentence = t.CHECK_MADE.format(epsilon=wording.number(config.epsilon), **_size(config))
    terms.prose(t, sentence, small=True)
    with st.container(horizontal=True, key="take_challenge"):
        files.link(t, t.CHECK_CHALLENGE, made.names[_CHALLENGE], _CHALLENGE, t.CHECK_CHALLENGE_HELP)
        files.link(t, t.CHECK_KEY, made.names[_KEY], _KEY, t.CHECK_KEY_HELP)
    terms.prose(t, t.CHECK_ANSWERING, small=True)
    st.code(ANSWERING, language="python", wrap_lines=True)


def _ask(held: list[Made], config: CheckConfig) -> None:
    from ldp_core.checking.subjects.files import new_salt

    held[:] = [Made(Challenge(config, new_salt()))]


def stated(t: Words) -> dict[str, Any]:
    """Show what few makers name."""
    delta = inputs.number(t, t.CHECK_DELTA, "delta", 0.0, 0.5, 0.0, t.CHECK_DELTA_HELP)
    order = inputs.select(t.CHECK_ORDER, "clip_order", t.CHECK_ORDERS, t.CHECK_ORDER_HELP)
    stated = {
        name: inputs.number(t, label, name, 1e-12, 1e12, None, text, empty=t.CHECK_UNSTATED)
        for name, label, text in (
            ("scale", t.CHECK_SCALE, t.CHECK_SCALE_HELP),
            ("report_norm", t.CHECK_REPORT_NORM, t.CHECK_REPORT_NORM_HELP),
        )
    }
    return {"delta": delta, "clip_order": order} | stated


def _judge(t: Words, manager: jobs.JobManager) -> None:
    terms.prose(t, t.CHECK_JUDGE_LEAD.format(limit=MOST_UPLOAD_MB))
    answers = st.file_uploader(t.CHECK_RESPONSES_FILE, "npz", key="responses", max_upload_size=MOST_UPLOAD_MB)
    key = st.file_uploader(t.CHECK_KEY_FILE, "json", key="key", max_upload_size=_MOST_KEY_MB)
    begin = None if answers is None or key is None else _judging(manager, answers.getvalue(), key.getvalue())
    problem = partial(_not_begun, t)
    if failure := callbacks.button(t.CHECK_JUDGE, "judge_run", begin, problem, type="primary", width="stretch"):
        st.error(failure)


class _UnreadableError(Exception):
    """A file of the two cannot be read: its name, or what is wrong with it. The core's own sentence may quote it."""


def _judging(manager: jobs.JobManager, answers: bytes, key: bytes) -> callbacks.Act:
    """Return what queues the check of two files."""
    begin = current_run.starts_later(manager)

    def act() -> None:
        from ldp_core.checking.subjects.files import read_key, read_responses

        try:
            parsed_key = read_key(key)
        except ChallengeError as error:
            raise _UnreadableError("key", {}) from error
        check_plan.check_size(parsed_key.config, check_plan.MOST_FILE_VALUES)
        unpack = partial(read_responses, answers, parsed_key, most_bytes=MOST_UPLOAD_MB * 10**6)
        try:
            with _unpacking:
                unpack()
        except ChallengeError as error:
            raise _UnreadableError(error.reason or "responses", error.values) from error
        begin(Start(replace(parsed_key.config, subject=check_words.FILES), own=unpack, key=check_form.CHECK))

    return act


def _not_begun(t: Words, error: Exception) -> str:
    """Return why two files were not judged; "" for a bug."""
    if isinstance(error, _UnreadableError):
        kind, values = error.args
        numbers = {name: wording.count(value) for name, value in values.items()}
        return str(t.CHECK_FILE_ERRORS[kind].format(limit=MOST_UPLOAD_MB, **numbers))
    return start.not_begun(t, error)


def _size(config: CheckConfig) -> dict[str, str]:
    return {"reports": wording.count(config.reports), "dimension": wording.count(config.dimension)}


def _file(file: str, which: int, _: Words, name: str) -> files.File | None:
    """Return a challenge's file or its key's; both follow from what was asked."""
    from ldp_core.checking.subjects.files import challenge_bytes

    challenge = challenges().get(name, file)
    if challenge is None:
        return None
    return files.File(file, "application/octet-stream", challenge_bytes(challenge.config, salt=challenge.salt)[which])


FILES: dict[str, files.Make] = {file: partial(_file, file, which) for which, file in enumerate((_CHALLENGE, _KEY))}
"""The files of a challenge, by the end of their address."""
