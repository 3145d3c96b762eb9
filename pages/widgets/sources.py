"""Where images come from: a folder, an allowed download, or the client's own."""

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ldp_core.datasets import DATASETS
from ldp_core.studies import study_of
from ldp_core.words import Words
from pages.jobs.job import Job
from pages.server import origin_guard
from pages.server.uploads import MOST_UPLOAD_MB
from pages.state.current_run import JOB, Start

OWN_ZIP, OWN_FOLDER = "own_zip", "own_folder"
_BOXES = "download_boxes"


def images_from(t: Words, names: Sequence[str], part: str = "") -> dict[str, Any]:
    """Ask where chosen data sets lie: a folder, an allowed download, or the client's own images.

    Folders are asked of visitors on this device only. A tick allows the download of those data sets that its box
    names, and of no other: other data sets have another box.

    ``part``: where a page asks twice, a beginning for the keys of the second time; its folder is the first one's until
    another is typed.
    """
    source: dict[str, Any] = {"data_dir": None, "download": False, "own": None}
    here = origin_guard.on_this_device()
    public = [name for name, dataset in DATASETS.items() if name in names and dataset.download_bytes]
    if public:
        places = t.COMMA.join(t.DATASETS[name].place or DATASETS[name].place for name in public)
        size = sum(math.ceil(DATASETS[name].download_bytes / 1e6) for name in public)
        label = t.DATA_DIR.format(places=places)
        if here:
            if part:
                st.session_state.setdefault(f"{part}data_dir", st.session_state.get("data_dir", ""))
            typed = st.text_input(label, key=f"{part}data_dir", persist_state="session", help=t.DATA_DIR_HELP)
            source["data_dir"] = folder(typed)
        label = t.DOWNLOAD.format(names=t.COMMA.join(t.FIGURES[f"data_{name}"] for name in public))
        key = f"{part}download_{'_'.join(public)}"
        st.session_state.setdefault(_BOXES, {})[key] = public
        source["download"] = st.checkbox(
            label, key=key, wrap=True, persist_state="session", help=t.DOWNLOAD_HELP.format(size=size)
        )
    if "own" in names:
        if here:
            st.text_input(t.OWN_FOLDER, key=OWN_FOLDER, persist_state="session", help=t.OWN_FOLDER_HELP)
        st.file_uploader(t.OWN_UPLOAD, ["zip", "npz"], key=OWN_ZIP, max_upload_size=MOST_UPLOAD_MB)
        st.caption(t.OWN_NOTE)
        source["own"] = own_images()
    return source


def again(job: Job, config: Any = None, key: str = JOB) -> Start:
    """Return a job's run once more, or one of another configuration on its data.

    An upload counts if it is still picked; ``key``: as in ``Start``.
    """
    config = config or job.config
    own = own_images() if "own" in study_of(config).datasets(config) else None
    return Start(config, job.data_dir, allowed(config), own, key=key)


def allowed(config: Any) -> bool:
    """Return whether this session's ticks name every public data set of a run that is asked for again."""
    boxes: dict[str, list[str]] = st.session_state.get(_BOXES, {})
    ticked = {name for key, public in boxes.items() if st.session_state.get(key) for name in public}
    downloads = {name for name in study_of(config).datasets(config) if DATASETS[name].download_bytes}
    return bool(downloads) and downloads <= ticked


def own_images() -> bytes | Path | None:
    """Return the archive that was picked, else the folder that was named."""
    upload = st.session_state.get(OWN_ZIP)
    if upload is not None:
        return bytes(upload.getvalue())
    return folder(str(st.session_state.get(OWN_FOLDER) or ""))


def folder(typed: str) -> Path | None:
    """Return the folder that was typed, if any; a visitor from another device may name none here."""
    return Path(os.path.expanduser(typed.strip())) if typed.strip() and origin_guard.on_this_device() else None
