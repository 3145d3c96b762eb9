"""What ε promises: a sentence and two pictures, then the story in four steps."""

import streamlit as st

from pages.frame import terms, wording
from pages.frame.language import words
from pages.overview.story import device, game, known, others, promise, randomizer
from pages.widgets import inputs, views

t = words()
st.title(t.OVERVIEW_TITLE)

left, right = st.columns([5, 7], gap="large")  # on a phone: the sentence, the slider and what it changes come first
go, fold = st.columns([5, 7], gap="large")
with fold, st.expander(t.EPSILON_EXACT):
    epsilon = inputs.exact_epsilon(t)
with left:
    st.markdown(f"#### {terms.bold(wording.promise_sentence(t, epsilon, t.OVERVIEW_PROMISE))}", unsafe_allow_html=True)
    inputs.epsilon_control(t, epsilon)
    st.markdown(wording.band(t, epsilon))
with right:
    views.icon_arrays(t, epsilon)
with go, st.container(key="go"):
    st.page_link("../audit/page.py", label=t.OVERVIEW_GO)

st.header(t.DEVICE_TITLE, divider="gray")
terms.prose(t, t.DEVICE_TEXT)
st.fragment(device.show)(t, epsilon)

st.header(t.RANDOMIZER_TITLE, divider="gray")
left, right = st.columns(2, gap="large")
with left:
    terms.prose(t, t.RANDOMIZER_TEXT)
with right:
    inputs.epsilon_slider(t, epsilon, "story_epsilon")
st.fragment(randomizer.show)(t, epsilon)

st.header(t.GAME_TITLE, divider="gray")
terms.prose(t, t.GAME_TEXT)
st.fragment(game.show)(t, epsilon)

st.header(t.PROMISE_TITLE, divider="gray")
terms.prose(t, t.PROMISE_TEXT)
with st.container(key="story_promise"):
    promise.show(t, epsilon)
    known.show(t)

views.limits(t, t.LIMITS_TITLE, t.LIMITS)
st.header(t.OTHERS_TITLE, divider="gray")
others.show(t)
views.glossary(t)
