"""An app's replies: judged from a file, which stays in memory, or by a command where the app is. No app is run here."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.errors import ChallengeError
from ldp_core.randomness import streams
from ldp_core.studies.check import replies
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import Words
from pages.check import form as check_form
from pages.frame import scroll_to, terms, wording
from pages.server import origin_guard
from pages.server.uploads import MOST_UPLOAD_MB
from pages.state import callbacks, settings
from pages.widgets import inputs, stage, told, views

_HELD, _FILE, _FOLDER = "replies_judged", "replies.npz", "FOLDER"
_STEP_RANGE, _LONGEST = (1e-9, 1e9), 1_000
_judging = Lock()
"""One file at a time is unpacked."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What a file showed, of which file and claim, and the seed that was drawn for it."""

    of: tuple[Any, ...]
    seed: int
    judged: replies.Judged


def show(t: Words, bar: stage.Bar) -> Callable[[], None]:
    """Show the claim, the field for a file where the visitor is at this device, and the command for a folder.

    Returns:
        What shows what was found, or what can be known before.
    """
    values, seed = _claim(t, bar)
    held: list[_Held] = st.session_state.setdefault(_HELD, [])
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{t.CHECK_APP_FILE_TITLE}**")
        picked = _picked(t, replies.command(("check", "--replies", _FILE), values))
    with right:
        st.markdown(f"**{t.CHECK_APP_FOLDER_TITLE}**")
        terms.prose(t, t.CHECK_APP_FOLDER)
        _code(replies.command(("check-flower", _FOLDER), values))
    begin, of = None, (None if picked is None else picked.file_id, seed, *values.values())
    if picked is not None and not settings.wrong():
        begin = partial(_judge, held, of, picked.getvalue, values, seed)
    with bar.act:
        problem = callbacks.button(
            t.CHECK_APP_JUDGE, "replies_run", begin, partial(_problem, t), width="stretch", type="primary"
        )
    if problem:
        with bar.plan:
            st.error(problem)
    known = next((entry for entry in held if picked is not None and entry.of == of), None)
    if known is None:
        return partial(told.tabs, t, partial(check_form.ways, t), partial(_limits, t))
    scroll_to.show(f"{known.of[0]} {known.seed}", ".st-key-stage")
    return partial(_result, t, known, values)


def _claim(t: Words, bar: stage.Bar) -> tuple[dict[str, Any], int | None]:
    """Show the fields of a claim; return the command's options and the seed, None for a fresh one."""
    _, second, third, fourth = bar.controls
    with second:
        kind = inputs.select(t.CHECK_APP_CLAIM, "claimed", t.CHECK_APP_CLAIMS, t.CHECK_APP_CLAIM_HELP)
    values: dict[str, Any] = dict.fromkeys(("epsilon", "delta", "gaussian"))
    if kind == "epsilon":
        with third:
            text = inputs.epsilon_help(t.CHECK_EPSILON_HELP)
            values["epsilon"] = inputs.number(t, t.CHECK_EPSILON, inputs.EPSILON, *EPSILON_RANGE, 1.0, text)
        with fourth:
            values["delta"] = inputs.number(t, t.CHECK_DELTA, "delta", 0.0, 0.5, 0.0, t.CHECK_DELTA_HELP)
    else:
        with third:
            clip = inputs.number(t, t.CLIP_NORM, "step_clip", *_STEP_RANGE, 1.0, t.CHECK_APP_CLIP_HELP)
        with fourth:
            sigma = inputs.number(t, t.CHECK_APP_SIGMA, "step_sigma", *_STEP_RANGE, 10.0, t.CHECK_APP_SIGMA_HELP)
        values["gaussian"] = f"{record.spelled(clip)}:{record.spelled(sigma)}"
    with bar.more:
        confidence = inputs.number(
            t, t.CONFIDENCE, "confidence", *inputs.CONFIDENCE_RANGE, 99.9, t.CHECK_CONFIDENCE_HELP
        )
        text = t.CHECK_APP_PUBLIC_HELP
        names = st.text_input(t.CHECK_APP_PUBLIC, key="public", persist_state="session", max_chars=_LONGEST, help=text)
        seed = inputs.seed(t, t.CHECK_APP_SEED_HELP)
    public = [name for part in names.split(",") if (name := part.strip())]
    return values | {"public": public or None, "confidence": round(confidence / 100.0, 12)}, seed


def _picked(t: Words, command: str) -> Any:
    if origin_guard.on_this_device():
        terms.prose(t, t.CHECK_APP_FILE.format(limit=MOST_UPLOAD_MB, most=wording.count(replies.MOST_ON_PAGE)))
        return st.file_uploader(t.CHECK_APP_PICK, "npz", key="replies", max_upload_size=MOST_UPLOAD_MB)
    terms.prose(t, t.CHECK_APP_ELSEWHERE)
    _code(command)
    return None


def _judge(
    held: list[_Held], of: tuple[Any, ...], content: Callable[[], bytes], values: dict[str, Any], seed: int | None
) -> None:
    held.clear()
    drawn = streams.fresh_seed() if seed is None else seed
    with _judging:
        judged = replies.judged_file(
            content(), values, drawn, most_bytes=MOST_UPLOAD_MB * 10**6, most=replies.MOST_ON_PAGE
        )
    held.append(_Held(of, drawn, judged))


def _problem(t: Words, error: Exception) -> str:
    """Return why a file was not judged; "" for a bug. The core's own sentence may quote it."""
    if not isinstance(error, ChallengeError):
        return ""
    numbers = {name: wording.count(value) for name, value in error.values.items()}
    return str(t.CHECK_FILE_ERRORS[error.reason or "replies"].format(limit=MOST_UPLOAD_MB, **numbers))


def _result(t: Words, held: _Held, values: dict[str, Any]) -> None:
    """Show the verdict, the columns, and what both mean for whoever answers for the data."""
    verdict = held.judged.found
    state, claim = "rejected" if verdict.rejected else "kept", verdict.claim
    headline, *sentences = verdict.sentences(t.REPORT)
    worth = "" if verdict.rejected or claim.mu is not None else views.worth(t, [claim.epsilon], claim.delta)
    icon = "above" if verdict.rejected else "below"
    told.verdict(t, [headline, *sentences[:1]], headline=True, icon=icon, worth=worth)
    table = replies.columns(verdict, told.teller(t))
    st.markdown(f"**{table.title}**")
    told.parts(t, [table], "check")

    def why() -> None:
        told.advise(t, sentences[1:])
        _limits(t)

    def keep() -> None:
        terms.prose(t, t.CHECK_REPEAT.format(seed=held.seed))
        _code(replies.command(("check", "--replies", _FILE), values, held.seed))

    undecided = not verdict.rejected and any(column.bare for column in verdict.columns)
    means = t.CHECK_APP_DO["bare" if undecided else state]
    told.tabs(t, partial(told.advise, t, means), why, keep=keep)


def _limits(t: Words) -> None:
    st.markdown(f"**{t.REPORT['app_asked_title']}**")
    views.facts(t, t.REPORT["app_asked"].split("\n"))
    told.limits(t, "limits_check")


def _code(command: str) -> None:
    st.code(command, language="bash", wrap_lines=True)
