"""Whom must you trust: nobody, a shuffler and the other clients, or the server."""

import streamlit as st

from pages import jobs
from pages.frame import terms
from pages.frame.language import words
from pages.trust import form
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.TRUST_TITLE)
terms.prose(t, t.TRUST_LEAD)
form.show(t, manager)
opening.opener(t, manager)
views.glossary(t)
