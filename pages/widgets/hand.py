"""A slider that the page follows while it is held: what each step shows is handed over once and swapped by the browser.

On release the page learns the value as from any other widget, and draws itself anew.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import streamlit as st

from pages.state.settings import Setting

_SCRIPT = """
const frames = globalThis.ldpFrames ??= new Map();  // part of the page -> the slider it follows, its HTML at each step
const show = (slider, index) => {
  for (const [name, {leader, steps}] of frames)
    for (const part of leader !== slider ? [] : document.querySelectorAll(`[data-hand="${name}"]`))
      if (steps[index] !== undefined) part.innerHTML = steps[index];
};
export default function ({data, parentElement, setTriggerValue}) {
  const held = parentElement.ldp ??= {number: 0};
  for (const name of held.names ?? []) frames.delete(name);
  held.names = Object.keys(data.frames);
  for (const name of held.names) frames.set(name, {leader: data.leader, steps: data.frames[name]});
  const forget = () => { for (const name of held.names) frames.delete(name); };
  if (!data.steps) return forget;
  if (!held.box) {
    held.box = document.createElement('div');
    held.box.className = 'ldp-hand';
    held.box.innerHTML = `<div><span class="ldp-term" tabindex="0"></span><output></output></div>
      <input type="range" min="0" step="1"><div><span></span><span></span></div>`;
    parentElement.append(held.box);
  }
  const [above, range, below] = held.box.children, [label, output] = above.children;
  const say = (index) => {
    output.textContent = held.data.steps[index];
    range.setAttribute('aria-valuetext', held.data.steps[index]);
    document.documentElement.toggleAttribute('data-hand-moved', index !== held.data.index);
  };
  held.data = data;
  label.textContent = data.label;
  label.setAttribute('aria-description', data.help);
  range.setAttribute('aria-label', data.label);
  range.max = data.steps.length - 1;
  [below.children[0].textContent, below.children[1].textContent] = data.ends;
  if (data.number >= held.number) {  // an older drawing does not move the hand back
    held.number = data.number;
    range.value = data.index;
    say(data.index);
  }
  range.oninput = () => { say(+range.value); show(data.leader, +range.value); };
  range.onchange = () => {
    held.number += 1;
    setTriggerValue('set', {index: +range.value, number: held.number});
  };
  return () => { forget(); document.documentElement.removeAttribute('data-hand-moved'); };
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component("ldp_hand", js=_SCRIPT, isolate_styles=False)


def slider(
    setting: Setting, widget: str, steps: Mapping[Any, str], label: str, text: str, ends: tuple[str, str]
) -> Any:
    """Show a slider that holds a setting; return its value."""
    values, turns = list(steps), st.session_state.setdefault("hand_turns", {})

    def draw(value: Any, key: str) -> None:
        name = f"hand_{widget}"
        data = {"steps": list(steps.values()), "index": values.index(value), "number": turns.get(name, 0)}
        data |= {"label": label, "help": text, "ends": ends, "frames": {}, "leader": setting.name}
        _component()(key=name, data=data, on_set_change=partial(_moved, name, key, values, turns))

    return setting.show(draw, widget)


def follow(leader: str, name: str, frames: Mapping[str, Sequence[str]]) -> None:
    """Have parts of the page follow a slider while it is held.

    ``frames``: name of a part, an element of ``st.html`` with that ``data-hand`` -> its HTML at each step.
    """
    _component()(key=f"follow_{name}", data={"frames": dict(frames), "leader": leader}, on_set_change=lambda: None)


def _moved(name: str, key: str, values: Sequence[Any], turns: dict[str, int]) -> None:
    told = st.session_state[name].set
    if told is not None:
        turns[name] = told["number"]
        st.session_state[key] = values[told["index"]]
