"""What ε promises: a sentence and two pictures, a game, and then why the game ends as it does."""

import streamlit as st

from pages.frame import terms, wording
from pages.frame.language import words
from pages.overview.story import device, game, promise, randomizer
from pages.widgets import inputs, views

t = words()
epsilon = inputs.epsilon_value()
st.title(t.OVERVIEW_TITLE)
with st.container(border=True, key="epsilon_bar"):  # the only slider of ε; it stays in sight
    slider, research, exact = st.columns([5, 4, 3], vertical_alignment="bottom")
with slider:
    inputs.epsilon_slider(t, epsilon, inputs.EPSILON_STEP)
with research:
    inputs.papers(t, epsilon, t.EPSILON_RESEARCH)
with exact, st.popover(t.EPSILON_EXACT):
    inputs.exact_epsilon(t)

left, right = st.columns([5, 7], gap="large")  # on a phone: the sentence and what the slider changes come first
with left:
    st.markdown(f"#### {terms.bold(wording.promise_sentence(t, epsilon, t.OVERVIEW_PROMISE))}", unsafe_allow_html=True)
    st.markdown(wording.band(t, epsilon))
    with st.container(key="go"):
        st.page_link("../audit/page.py", label=t.OVERVIEW_GO)
with right:
    views.icon_arrays(t, epsilon)

for title, text, step in (
    (t.GAME_TITLE, t.GAME_TEXT, game),
    (t.DEVICE_TITLE, t.DEVICE_TEXT, device),
    (t.RANDOMIZER_TITLE, t.RANDOMIZER_TEXT, randomizer),
):
    st.header(title)
    terms.prose(t, text)
    st.fragment(step.show)(t, epsilon)

st.header(t.PROMISE_TITLE)
with st.container(key="story_promise"):
    promise.show(t, epsilon)
views.glossary(t)
