"""What was set when a run began, so that one press sets it again beside a result that is of other settings by now."""

from typing import Any

import streamlit as st

from pages.state import press, settings

_KEPT, _MOST = "settings_of_runs", 50


def keep(run: str) -> None:
    """Remember what is set as what a run is of; of the last ``_MOST`` runs."""
    kept = _kept()
    kept[run] = _now()
    while len(kept) > _MOST:
        kept.pop(next(iter(kept)))


def act(run: str) -> press.Act | None:
    """Return what sets again what a run is of; None where that is not known, or set already."""
    known, now = _kept().get(run, {}), _now()
    changed = {name: value for name, value in known.items() if name in now and now[name] != value}
    if not changed:
        return None
    write = settings.writer()

    def again() -> None:
        for name, value in changed.items():
            write(name, value)

    return again


def _now() -> dict[str, Any]:
    return {setting.held_as or setting.name: setting.value() for setting in settings.shown()}


def _kept() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = st.session_state.setdefault(_KEPT, {})
    return found
