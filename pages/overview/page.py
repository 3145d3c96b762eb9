"""What ε promises: a game first, then the promise in a sentence and two pictures that follow the hand, and why."""

import streamlit as st

from pages.frame import terms, wording
from pages.frame.language import words
from pages.overview.story import device, game, promise, randomizer
from pages.widgets import hand, inputs, views

t = words()
epsilon = inputs.epsilon_value()


def headline(value: float) -> str:
    """Return the promise in one sentence, and what it means for a person."""
    sentence = terms.bold(wording.promise_sentence(t, value, t.OVERVIEW_PROMISE))
    return f"<h4>{sentence}</h4><p>{wording.band(t, value)}</p>"


st.title(t.OVERVIEW_TITLE)
terms.prose(t, t.OVERVIEW_STAKE)
game.show(t, epsilon)
steps = inputs.epsilon_steps(epsilon)
frames = {"headline": [headline(step) for step in steps], "arrays": [views.icon_arrays(t, step) for step in steps]}
with st.container(border=True, key="epsilon_bar"):  # the only slider of ε
    slider, research, exact = st.columns([5, 5, 2], vertical_alignment="bottom")
with slider:
    inputs.epsilon_slider(t, epsilon, inputs.EPSILON_STEP)
    hand.follow(inputs.EPSILON, "promise", frames)
with research:
    inputs.papers(t, epsilon, t.EPSILON_RESEARCH)
with exact, st.popover(t.EPSILON_EXACT):
    inputs.exact_epsilon(t)

left, right = st.columns([5, 7], gap="large")  # on a phone: the sentence and what the slider changes come first
with left:
    st.html(f'<div data-hand="headline" class="ldp-said">{headline(epsilon)}</div>')
    with st.container(key="go"):
        st.page_link("../audit/page.py", label=t.OVERVIEW_GO)
with right:
    st.html(f'<div data-hand="arrays">{views.icon_arrays(t, epsilon)}</div>')

for title, text, step in ((t.DEVICE_TITLE, t.DEVICE_TEXT, device), (t.RANDOMIZER_TITLE, t.RANDOMIZER_TEXT, randomizer)):
    st.header(title)
    terms.prose(t, text)
    st.fragment(step.show)(t, epsilon)

st.header(t.PROMISE_TITLE)
with st.container(key="story_promise"):
    promise.show(t, epsilon)
views.glossary(t)
