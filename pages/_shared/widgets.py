"""Inputs used by more than one page, and what they put into session state and the URL.

A number, a tick or a text is bound to the URL by Streamlit. A choice is bound here: Streamlit would put the
translated label into the link instead of the name.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st

from ldp_core.types import EPSILON_RANGE, AuditConfig
from pages._shared import jobs, plan, wording

STEPS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
PAPERS = (0.5, 1.0, 2.0, 4.0)
EPSILON, EPSILON_STEP = "epsilon", "epsilon_step"
JOB = "job"
_SHORT_SECONDS = 0.3


def exact_epsilon(t: ModuleType) -> float:
    """Show the number field that holds ε; the slider and the buttons write into it."""
    low, high = EPSILON_RANGE
    return _number(t.EPSILON_EXACT, EPSILON, low, high, 1.0, 0.1, t.EPSILON_EXACT_HELP)


def epsilon_control(t: ModuleType, epsilon: float) -> None:
    """Show the slider with words at both ends, and the papers' values."""
    steps = sorted({*STEPS, epsilon})
    st.session_state[EPSILON_STEP] = epsilon
    st.select_slider(
        t.EPSILON, steps, format_func=wording.number, key=EPSILON_STEP, help=t.EPSILON_HELP, on_change=_from_slider
    )
    st.html('<div class="ldp-ends"><span>{}</span><span>{}</span></div>'.format(*t.EPSILON_ENDS))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="papers"):
        st.markdown(t.EPSILON_PAPERS, width="content")
        for value in PAPERS:
            st.button(wording.number(value), key=f"paper_{value:g}", on_click=_set_epsilon, args=(value,))


def attack_picker(t: ModuleType) -> str:
    """Show the attacks with what each may touch."""
    captions = [caption for _, caption in t.ATTACKS.values()]

    def show(**bound: Any) -> None:
        st.radio(
            t.ATTACK, list(t.ATTACKS), format_func=lambda name: t.ATTACKS[name][0], captions=captions,
            help=t.ATTACK_HELP, **bound,
        )  # fmt: skip

    return _choice("attack", list(t.ATTACKS), "label-flip", show)


def advanced(t: ModuleType) -> dict[str, Any]:
    """Show the folded settings; return fields for ``plan.make_config`` and where the images come from."""
    values: dict[str, Any] = {"epsilon": exact_epsilon(t)}
    left, right = st.columns(2)
    with left:
        values["num_trials"] = _integer(t.TRIALS, "trials", 1, 10**9, 10_000, 1_000, t.TRIALS_HELP)
    with right:
        values["num_measurements"] = _integer(t.MEASUREMENTS, "measurements", 1, 1_000, 3, 1, t.MEASUREMENTS_HELP)
    values["distinguisher"] = _select(t.DISTINGUISHER, "distinguisher", t.DISTINGUISHERS, t.DISTINGUISHER_HELP)
    values["training"] = _select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
    values["dataset"] = _select(t.DATASET, "dataset", t.DATASETS, t.DATASET_HELP)
    values["data_dir"], values["download"] = None, False
    if values["dataset"] == "mnist":
        folder = st.text_input(t.DATA_DIR, key="data_dir", persist_state="session", help=t.DATA_DIR_HELP)
        values["data_dir"] = Path(folder).expanduser() if folder.strip() else None
        values["download"] = st.checkbox(t.DOWNLOAD, key="download", persist_state="session", help=t.DOWNLOAD_HELP)
    left, right = st.columns(2)
    with left:
        values["clip_norm"] = _number(t.CLIP_NORM, "clip_norm", 1e-6, 1e6, 1.0, 0.1, t.CLIP_NORM_HELP)
    with right:
        values["confidence"] = _number(t.CONFIDENCE, "confidence", 50.0, 99.9999, 95.0, 1.0, t.CONFIDENCE_HELP)
    values["seed"] = st.number_input(
        t.SEED,
        0,
        2**53 - 1,
        None,
        1,
        key="seed",
        bind="query-params",
        persist_state="session",
        help=t.SEED_HELP,
        placeholder=t.SEED_EMPTY,
    )
    values["sampling"] = _select(t.SAMPLING, "sampling", t.SAMPLINGS, t.SAMPLING_HELP)
    values["mechanism"] = _select(t.MECHANISM, "mechanism", t.MECHANISMS, t.MECHANISM_HELP)
    return values


def config_of(values: dict[str, Any]) -> AuditConfig:
    """Return the checked configuration of the values that the widgets hold."""
    return plan.make_config(**{name: value for name, value in values.items() if name not in ("data_dir", "download")})


def job_in_view() -> str:
    """Return the job id from the URL, else from this session; "" if there is none."""
    return str(st.query_params.get(JOB) or st.session_state.get(JOB) or "")


def view_job(job_id: str) -> None:
    """Keep a job id in the URL and in this session, so that it survives a reload and a change of page."""
    st.session_state[JOB] = job_id
    if st.query_params.get(JOB) != job_id:
        st.query_params[JOB] = job_id


def start_job(
    manager: jobs.JobManager, config: AuditConfig, data_dir: Path | None = None, *, download: bool = False
) -> None:
    """Queue a run and view it; a short one has ended before this returns.

    Raises:
        QueueFullError: if no further run can wait.
    """
    job = manager.submit(config, data_dir, download=download)
    manager.attach(job, jobs.viewer())
    view_job(job.id)
    job.ended.wait(_SHORT_SECONDS)


def forget_job() -> None:
    st.session_state.pop(JOB, None)
    if JOB in st.query_params:
        del st.query_params[JOB]


def _number(label: str, key: str, low: float, high: float, default: float, step: float, text: str) -> float:
    return float(
        st.number_input(
            label, low, high, default, step, "%g", key=key, bind="query-params", persist_state="session", help=text
        )
    )


def _integer(label: str, key: str, low: int, high: int, default: int, step: int, text: str) -> int:
    return int(
        st.number_input(
            label, low, high, default, step, key=key, bind="query-params", persist_state="session", help=text
        )
    )


def _select(label: str, key: str, texts: dict[str, str], text: str, default: str | None = None) -> str:
    options = list(texts)

    def show(**bound: Any) -> None:
        st.selectbox(label, options, format_func=texts.__getitem__, help=text, **bound)

    return _choice(key, options, default or options[0], show)


def _choice(key: str, options: Sequence[str], default: str, show: Callable[..., None]) -> str:
    """Show a choice whose name is in the URL; an unknown name in a link falls back to the default."""
    if key not in st.session_state:
        asked = st.query_params.get(key, default)
        st.session_state[key] = asked if asked in options else default
    show(key=key, persist_state="session")
    chosen = str(st.session_state[key])
    if chosen == default:
        if key in st.query_params:
            del st.query_params[key]
    elif st.query_params.get(key) != chosen:
        st.query_params[key] = chosen
    return chosen


def _from_slider() -> None:
    _set_epsilon(st.session_state[EPSILON_STEP])


def _set_epsilon(value: float) -> None:
    st.session_state[EPSILON] = float(value)
