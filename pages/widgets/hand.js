
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
