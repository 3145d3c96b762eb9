"""What the steps share: the fold for experts, with the formula and the command that repeats the numbers."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ldp_core.cli import story
from ldp_core.words import Words
from pages.frame import terms


def for_experts(
    t: Words, step: str, text: str, formulas: Sequence[str], seed: int | None = None, **options: Any
) -> None:
    """Show a fold with formulas and what they assume; with a seed, also the command that repeats a step.

    What is in it is sent when it is opened: code and formulas need much that the page itself does not.
    """
    label = t.STORY_FORMULA if seed is None else t.STORY_FORMULA_COMMAND
    fold = st.expander(label, key=f"experts_{step}", on_change="rerun")
    if not fold.open:
        return
    with fold:
        for line in formulas:
            st.latex(line)
        terms.prose(t, text)
        if seed is not None:
            given = {"game": None, "example": None, "clip_norm": 1.0, "norm": 1.0, "reports": 1} | options
            terms.prose(t, t.STORY_COMMAND.format(seed=seed), small=True)
            st.code(story.command(Namespace(seed=seed, **given)), language="bash", wrap_lines=True)
