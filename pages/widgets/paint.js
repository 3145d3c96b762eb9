// Squares over a picture that are painted with the mouse, a finger or the keys; a square that is painted is erased.
const written = (box) => {
  const levels = [...box.children].map((square) => square.dataset.level), side = Math.sqrt(levels.length);
  return Array.from({length: side}, (_, row) => levels.slice(row * side, (row + 1) * side).join('')).join('/');
};
const put = (square, level) => {
  square.dataset.level = level;
  square.setAttribute('aria-pressed', level !== '0');
};
export default function ({data, parentElement, setTriggerValue}) {
  const held = parentElement.ldp ??= {number: 0};
  if (!held.box) {
    held.box = document.createElement('div');
    held.box.className = 'ldp-paint';
    held.box.setAttribute('role', 'group');
    parentElement.append(held.box);
  }
  const box = held.box, rows = data.drawn.split('/'), side = rows.length;
  box.setAttribute('aria-label', data.label);
  box.style.backgroundImage = `url(${data.picture})`;
  box.style.gridTemplateColumns = `repeat(${side}, 1fr)`;
  if (box.children.length !== side * side) {
    box.replaceChildren(...Array.from({length: side * side}, () => document.createElement('button')));
    [...box.children].forEach((square, place) => { square.type = 'button'; square.tabIndex = place ? -1 : 0; });
  }
  [...box.children].forEach((square, place) => {
    const row = Math.floor(place / side), column = place % side;
    square.setAttribute('aria-label', data.square.replace('{row}', row + 1).replace('{column}', column + 1));
    if (data.number >= held.number && !held.brush) put(square, rows[row][column]);  // none takes back a later stroke
  });
  held.number = Math.max(held.number, data.number);
  const send = () => {
    held.number += 1;
    setTriggerValue('set', {drawn: written(box), number: held.number});
  };
  const other = (square) => square.dataset.level === '0' ? '9' : '0';
  box.onpointerdown = (event) => {
    if (event.button || !box.contains(event.target) || event.target === box) return;
    box.setPointerCapture(event.pointerId);
    held.brush = other(event.target);
    held.at = [event.clientX, event.clientY];
    put(event.target, held.brush);
  };
  box.onpointermove = (event) => {  // a fast hand tells of few places: all between them are painted
    if (!held.brush) return;
    const [x, y] = held.at, far = [event.clientX - x, event.clientY - y];
    const parts = Math.ceil(Math.hypot(...far) / 4);
    for (let part = 1; part <= parts; part += 1) {
      const square = document.elementFromPoint(x + far[0] * part / parts, y + far[1] * part / parts);
      if (square?.parentElement === box) put(square, held.brush);
    }
    held.at = [event.clientX, event.clientY];
  };
  box.onpointerup = box.onpointercancel = () => {
    if (held.brush) send();
    held.brush = undefined;
  };
  box.onclick = (event) => {  // of a pointer it has been painted already
    if (event.detail || event.target === box) return;
    put(event.target, other(event.target));
    send();
  };
  box.onkeydown = (event) => {
    const place = [...box.children].indexOf(event.target), column = place % side;
    const steps = {ArrowUp: -side, ArrowDown: side, ArrowLeft: column ? -1 : 0, ArrowRight: column < side - 1 ? 1 : 0};
    const next = box.children[place + steps[event.key]];
    if (!(event.key in steps)) return;
    event.preventDefault();
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
}
