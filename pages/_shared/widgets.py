"""Inputs used by more than one page. ``settings`` keeps what they hold, and names it in the URL."""

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st

from ldp_core.claims import Subject
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.grid import STRONG
from ldp_core.types import EPSILON_RANGE, AuditConfig
from pages._shared import door, jobs, plan, prepared, settings, wording
from pages._shared.job import Job
from pages._shared.settings import Setting
from pages._shared.text import en

STEPS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
PAPERS = (0.5, 1.0, 2.0, 4.0)
EPSILON, EPSILON_STEP = "epsilon", "epsilon_step"
ATTACK = Setting("attack", "label-flip", str, en.ATTACKS.__contains__)
JOB = "job"
_EXPECTED = "expect"
OWN_ZIP, OWN_FOLDER = "own_zip", "own_folder"
MOST_UPLOAD_MB = 200
_SHORT_SECONDS = 0.3
_LONGEST_LIST = 200
_RUNS = "runs"


def exact_epsilon(t: ModuleType) -> float:
    """Show the number field of ε; return ε."""
    low, high = EPSILON_RANGE
    return number(t.EPSILON_EXACT, EPSILON, low, high, 1.0, 0.1, t.EPSILON_EXACT_HELP)


def epsilon_control(t: ModuleType, epsilon: float) -> None:
    """Show the slider with words at both ends, and the papers' values."""
    epsilon_slider(t, epsilon, EPSILON_STEP)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="papers"):
        st.markdown(t.EPSILON_PAPERS, width="content")
        for value in PAPERS:
            name = f"paper_{value:g}"
            st.button(wording.number(value), key=name, on_click=settings.write, args=(EPSILON, value))


def epsilon_slider(t: ModuleType, epsilon: float, widget: str) -> None:
    """Show a slider of ε; there may be more than one on a page."""
    steps = sorted({*STEPS, epsilon})

    def show(value: float, **bound: Any) -> None:
        st.select_slider(t.EPSILON, steps, value, format_func=wording.number, help=t.EPSILON_HELP, **bound)

    _number(EPSILON, *EPSILON_RANGE, 1.0).show(show, widget)
    st.html('<div class="ldp-ends"><span>{}</span><span>{}</span></div>'.format(*t.EPSILON_ENDS))


def attack_picker(t: ModuleType) -> str:
    """Show the attacks with what each may touch."""
    captions = [caption for _, caption in t.ATTACKS.values()]

    def show(value: str, **bound: Any) -> None:
        names = list(t.ATTACKS)
        st.radio(
            t.ATTACK, names, names.index(value), format_func=lambda name: t.ATTACKS[name][0], captions=captions,
            help=t.ATTACK_HELP, **bound,
        )  # fmt: skip

    return str(ATTACK.show(show))


def expectation(t: ModuleType) -> int | None:
    """Ask, without insisting, how many guesses of 100 will be right; None for an empty field."""
    found = _number_field(t.EXPECT, _EXPECTED, 0, 100, None, 1, t.EXPECT_HELP, t.EXPECT_NONE, linked=False)
    return None if found is None else int(found)


def advanced(t: ModuleType) -> dict[str, Any]:
    """Show the folded settings; return fields for ``plan.make_config`` and where the images come from."""
    values: dict[str, Any] = {"epsilon": exact_epsilon(t)}
    left, right = st.columns(2)
    with left:
        values["num_trials"] = integer(t.TRIALS, "trials", 1, 10**9, 10_000, 1_000, t.TRIALS_HELP)
    with right:
        values["num_measurements"] = integer(t.MEASUREMENTS, "measurements", 1, 1_000, 3, 1, t.MEASUREMENTS_HELP)
    rule = select(t.DISTINGUISHER, "distinguisher", t.DISTINGUISHERS, t.DISTINGUISHER_HELP)
    values["distinguisher"] = rule
    st.caption(t.DISTINGUISHER_ACCESS.format(access=t.ACCESS[rule]))
    black = DISTINGUISHERS[rule].view == "black"
    if black:
        values["clients"] = integer(t.CLIENTS, "clients", 1, 1_000, 1, 1, t.CLIENTS_HELP)
        values["radius"] = radius(t)
    attack = ATTACK.value()
    if attack in STRONG:
        values["strength"] = number(t.STRENGTH, "strength", 1e-6, 1e3, 1.0, 0.1, t.STRENGTH_HELP)
    if attack == "dummy" and not black:
        st.caption(t.UNUSED_IMAGES)
    values["training"] = select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
    values["dataset"] = select(t.DATASET, "dataset", t.DATASETS, t.DATASET_HELP)
    values |= images_from(t, (values["dataset"],))
    values |= precision(t)
    if not black:
        values["sampling"] = select(t.SAMPLING, "sampling", t.SAMPLINGS, t.SAMPLING_HELP)
    values["mechanism"] = select(t.MECHANISM, "mechanism", t.MECHANISMS, t.MECHANISM_HELP)
    return values


def precision(t: ModuleType) -> dict[str, Any]:
    """Show clipping length, confidence and seed."""
    left, right = st.columns(2)
    with left:
        clip_norm = number(t.CLIP_NORM, "clip_norm", 1e-6, 1e6, 1.0, 0.1, t.CLIP_NORM_HELP)
    with right:
        confidence = number(t.CONFIDENCE, "confidence", 50.0, 99.9999, 95.0, 1.0, t.CONFIDENCE_HELP)
    return {"clip_norm": clip_norm, "confidence": confidence, "seed": seed(t, t.SEED_HELP)}


def seed(t: ModuleType, text: str) -> int | None:
    """Show the field of the seed; None for a fresh one."""
    found = _number_field(t.SEED, "seed", 0, 2**53 - 1, None, 1, text, t.SEED_EMPTY)
    return None if found is None else int(found)


def radius(t: ModuleType) -> float | None:
    """Show the largest length of the server's model, with what it does; None for its usual one."""
    value = optional_number(t.RADIUS, "radius", 1e-6, 1e9, t.RADIUS_HELP, t.RADIUS_EMPTY)
    st.caption(t.RADIUS_NOTE)
    return value


def images_from(t: ModuleType, names: Sequence[str]) -> dict[str, Any]:
    """Ask where chosen data sets lie: a folder, an allowed download, or the client's own images.

    Folders are asked of visitors on this device only.
    """
    found: dict[str, Any] = {"data_dir": None, "download": False, "own": None}
    here = door.on_this_device()
    public = [name for name in names if name in t.DATA_PLACES]
    if public:
        places = t.COMMA.join(t.DATA_PLACES[name][0] for name in public)
        size = sum(t.DATA_PLACES[name][1] for name in public)
        label = t.DATA_DIR.format(places=places)
        if here:
            typed = st.text_input(label, key="data_dir", persist_state="session", help=t.DATA_DIR_HELP)
            found["data_dir"] = folder(typed)
        label = t.DOWNLOAD.format(names=t.COMMA.join(t.FIGURES[f"data_{name}"] for name in public))
        found["download"] = st.checkbox(
            label, key="download", persist_state="session", help=t.DOWNLOAD_HELP.format(size=size)
        )
    if "own" in names:
        if here:
            st.text_input(t.OWN_FOLDER, key=OWN_FOLDER, persist_state="session", help=t.OWN_FOLDER_HELP)
        st.file_uploader(t.OWN_UPLOAD, "zip", key=OWN_ZIP, max_upload_size=MOST_UPLOAD_MB)
        st.caption(t.OWN_NOTE)
        found["own"] = own_images()
    return found


def own_images() -> bytes | Path | None:
    """Return the archive that was picked, else the folder that was named."""
    upload = st.session_state.get(OWN_ZIP)
    if upload is not None:
        return bytes(upload.getvalue())
    return folder(str(st.session_state.get(OWN_FOLDER) or ""))


def folder(typed: str) -> Path | None:
    """Return the folder that was typed, if any; a visitor from another device may name none here."""
    return Path(os.path.expanduser(typed.strip())) if typed.strip() and door.on_this_device() else None


def config_of(values: dict[str, Any]) -> AuditConfig:
    """Return the checked configuration of the values that the widgets hold."""
    elsewhere = ("data_dir", "download", "own")
    return plan.make_config(**{name: value for name, value in values.items() if name not in elsewhere})


def job_in_view(key: str = JOB) -> str:
    """Return the job id from the URL, else from this session; "" if there is none.

    Where the client went through the browser's history, the URL alone counts.
    """
    if settings.through_history() and key not in st.query_params:
        st.session_state.pop(key, None)
    return str(st.query_params.get(key) or st.session_state.get(key) or "")


def runs() -> list[str]:
    """Return the ids of the jobs that this session started or looked at, the oldest first."""
    found: list[str] = st.session_state.setdefault(_RUNS, [])
    return found


def remember(job_id: str) -> None:
    """Count a job among this session's runs."""
    if job_id not in runs():
        runs().append(job_id)


def view_job(job_id: str, key: str = JOB) -> None:
    """Keep a job id in the URL and in this session, so that it survives a reload and a change of page."""
    remember(job_id)
    st.session_state[key] = job_id
    if st.query_params.get(key) != job_id:
        st.query_params[key] = job_id


def find_job(manager: jobs.JobManager, kind: str, key: str = JOB) -> tuple[Job | None, bool]:
    """Return the job of a kind that is in view, if any, and whether a link pointed to one that is gone."""
    job_id = job_in_view(key)
    job = prepared.job() if job_id == prepared.ID else manager.get(job_id)
    if job is not None and job.kind == kind:
        remember(job.id)
        st.session_state[key] = job.id
        settings.mention(key, job.id)
        return job, False
    if job_id:
        forget_job(key)
    return None, bool(job_id)


def start_job(
    manager: jobs.JobManager,
    config: Any,
    data_dir: Path | None = None,
    *,
    download: bool = False,
    own: bytes | Path | Subject | None = None,
    expected: int | None = None,
    key: str = JOB,
) -> None:
    """Queue a run and view it, unless the key is empty; a short one has ended before this returns.

    What was expected of it is asked anew then.

    Raises:
        QueueFullError: if no further run can wait.
    """
    job = manager.submit(config, data_dir, download=download, own=own)
    if expected is not None:
        job.expected = expected
        settings.write(_EXPECTED, None)
    manager.attach(job, jobs.viewer())
    if key:
        view_job(job.id, key)
    else:
        remember(job.id)
    job.ended.wait(_SHORT_SECONDS)


def forget_job(key: str = JOB) -> None:
    st.session_state.pop(key, None)
    if key in st.query_params:
        del st.query_params[key]


def several(key: str, options: Sequence[str], default: Sequence[str], show: Callable[[str], bool]) -> tuple[str, ...]:
    """Show one tick box for each option; the names of those ticked are in the URL, unknown ones in a link are dropped.

    Args:
        key: name in the URL; the boxes have the keys ``key_option``.
        options: names.
        default: those ticked without a link.
        show: shows one box with the key of an option and returns whether it counts.
    """
    asked = [name for name in st.query_params.get(key, "").split(",") if name in options] or default
    for name in options:
        if settings.through_history() or f"{key}_{name}" not in st.session_state:
            st.session_state[f"{key}_{name}"] = name in asked
    chosen = tuple(name for name in options if show(name))
    settings.mention(key, "" if set(chosen) == set(default) else ",".join(chosen))
    return chosen


def numbers(
    t: ModuleType, label: str, key: str, default: str, kind: Callable[[str], Any], text: str
) -> tuple[Any, ...]:
    """Show a field for a list of numbers.

    Raises:
        ValueError: with a sentence for the screen, if it holds something else.
    """

    def show(value: str, **bound: Any) -> None:
        st.text_input(label, value, _LONGEST_LIST, help=text, placeholder=default, **bound)

    def short(held: Any) -> bool:
        return isinstance(held, str) and len(held) <= _LONGEST_LIST

    typed = Setting(key, default, str, short, held_as=f"{key} listed").show(show)
    try:
        found = tuple(kind(part) for part in re.split("[,;、]", unicodedata.normalize("NFKC", typed)) if part.strip())
    except ValueError:
        found = ()
    if not found:
        raise ValueError(t.CMP_NUMBERS.format(label=label.partition(t.COMMA)[0], example=default))
    return tuple(dict.fromkeys(found))


def number(label: str, key: str, low: float, high: float, default: float, step: float, text: str) -> float:
    return float(_number_field(label, key, low, high, default, step, text))


def optional_number(label: str, key: str, low: float, high: float, text: str, empty: str) -> float | None:
    """Show a field that says what an empty one means, and may be empty: None."""
    found = _number_field(label, key, low, high, None, 1.0, text, empty)
    return None if found is None else float(found)


def integer(label: str, key: str, low: int, high: int, default: int, step: int, text: str) -> int:
    return int(_number_field(label, key, low, high, default, step, text))


def _number_field(
    label: str,
    key: str,
    low: float,
    high: float,
    default: float | None,
    step: float,
    text: str,
    empty: str | None = None,
    *,
    linked: bool = True,
) -> Any:
    """Show a field for a number: for whole numbers where ``low`` is an int."""
    kind, form = (int, None) if isinstance(low, int) else (float, "%g")

    def show(value: Any, **bound: Any) -> None:
        first = None if default is None else kind(value)  # Streamlit lets only such a field be emptied
        st.number_input(label, low, high, first, step, form, help=text, placeholder=empty, **bound)

    return _number(key, low, high, default, linked=linked).show(show)


def _number(key: str, low: float, high: float, default: float | None, *, linked: bool = True) -> Setting:
    return Setting(
        key,
        default,
        int if isinstance(low, int) else float,
        lambda held: isinstance(held, int | float) and low <= held <= high,
        lambda held: repr(held).removesuffix(".0"),
        linked=linked,
    )


def select(label: str, key: str, texts: dict[str, str], text: str, default: str | None = None) -> str:
    options = list(texts)

    def show(value: str, **bound: Any) -> None:
        st.selectbox(label, options, options.index(value), format_func=texts.__getitem__, help=text, **bound)

    return _choice(key, options, default or options[0], show)


def radio(label: str, key: str, texts: dict[str, str], captions: Sequence[str]) -> str:
    """Show a choice of a few, each with a note; the first is the default."""

    options = list(texts)

    def show(value: str, **bound: Any) -> None:
        st.radio(label, options, options.index(value), format_func=texts.__getitem__, captions=captions, **bound)

    return _choice(key, options, options[0], show)


def _choice(key: str, options: Sequence[str], default: str, show: Callable[..., None]) -> str:
    """Show a choice whose name is in the URL; an unknown name in a link falls back to the default."""
    return str(Setting(key, default, str, options.__contains__).show(show))
