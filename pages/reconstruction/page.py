"""Could somebody see my picture? What is rebuilt of it, and which of 1,000 it was."""

import streamlit as st

from pages import jobs, registry
from pages.frame import terms
from pages.frame.language import words
from pages.reconstruction import form, measure
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.PICTURE_TITLE)
terms.prose(t, t.PICTURE_LEAD)
scene, sitter = form.show(t, manager)
form.which(t, scene)
measure.show(t, manager)
if scene is not None and sitter is not None:
    form.experts(t, scene, sitter)
for added in registry.placed("reconstruction").values():
    if added.ends is not None:
        added.ends(t, manager)
views.limits(t, t.PICTURE_LIMITS_TITLE, t.REPORT["limits_reconstruction"].split("\n"))
opening.opener(t, manager)
views.glossary(t)
