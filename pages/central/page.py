"""The server adds the noise: what does its ε leave?"""

import streamlit as st

from pages import jobs
from pages.central import form
from pages.frame import terms
from pages.frame.language import words
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.CENTRAL_TITLE)
terms.prose(t, t.CENTRAL_LEAD)
form.show(t, manager)
opening.opener(t, manager)
views.glossary(t)
