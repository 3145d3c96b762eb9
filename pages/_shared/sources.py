"""Where images come from: a folder, an allowed download, or the client's own."""

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st

from pages._shared import door

OWN_ZIP, OWN_FOLDER = "own_zip", "own_folder"
MOST_UPLOAD_MB = 200


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
