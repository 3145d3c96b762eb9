"""What ε promises: a sentence, two pictures, the curve, who sees what, and what ε does not tell."""

import streamlit as st

from pages._shared import views, widgets, wording
from pages._shared.text import words

t = words()
st.title(t.OVERVIEW_TITLE)
st.markdown(t.OVERVIEW_LEAD)

left, right = st.columns([5, 7], gap="large")
with left:
    sentence, control = st.container(), st.container()
    go, fold = st.container(key="go"), st.expander(t.EPSILON_EXACT)
    with fold:
        epsilon = widgets.exact_epsilon(t)
    with control:
        widgets.epsilon_control(t, epsilon)
        st.markdown(wording.band(t, epsilon))
    sentence.markdown(wording.promise_sentence(t, epsilon).join(("#### ", "")))
    with go:  # not st.switch_page: it refuses to leave a page whose widgets are bound to the URL
        st.page_link("../audit.py", label=t.OVERVIEW_GO)
with right:
    views.icon_arrays(t, epsilon)

left, right = st.columns([7, 5], gap="large")
with left:
    st.subheader(t.OVERVIEW_CURVE)
    st.markdown(t.OVERVIEW_CURVE_TEXT)
    views.theory_chart(t, epsilon)
with right:
    views.who_sees_what(t)
views.limits(t.LIMITS_TITLE, t.LIMITS)
views.glossary(t)
