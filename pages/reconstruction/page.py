"""Could somebody see my picture? What is rebuilt of it, and which of 1,000 it was."""

import streamlit as st

from pages import jobs
from pages.frame import terms
from pages.frame.language import words
from pages.reconstruction import form
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.PICTURE_TITLE)
terms.prose(t, t.PICTURE_LEAD)
form.show(t, manager)
opening.opener(t, manager)
views.glossary(t)
