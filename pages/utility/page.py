"""What ε costs in accuracy: federated training with and without privacy."""

import streamlit as st

from pages import jobs
from pages.frame import terms
from pages.frame.language import words
from pages.utility import form
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.COST_TITLE)
terms.prose(t, t.COST_LEAD)
form.show(t, manager)
opening.opener(t, manager)
views.glossary(t)
