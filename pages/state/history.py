"""The one thing that is read of Streamlit's insides: which page is asked for, and whether by Back or Forward.

Streamlit tells a script neither that a request came through the browser's history (open requests of theirs: 13853,
13963) nor, before its navigation is set up, for which page. ``tests/app/frame/test_settings.py`` fails where it is
gone.
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx


def request() -> tuple[str, bool]:
    """Return a name of the page that is asked for, and whether the visitor went back or forward to it."""
    context = get_script_run_ctx()
    return ("", False) if context is None else (context.page_script_hash, context.is_history_navigation)
