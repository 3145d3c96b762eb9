
const over = new Set();  // streams that have ended: one that is mounted again meanwhile asks for no second drawing
export default function ({data, parentElement, setTriggerValue}) {
  const root = parentElement, held = root.ldp ??= {};
  if (globalThis.ldpLeft === undefined) {
    globalThis.ldpLeft = -1e6;
    const leaving = (event) => {
      const to = event.target.closest?.('.stPageLink a')?.getAttribute('href')?.split('?')[0];
      if (to !== undefined && to !== location.pathname.split('/').at(-1)) globalThis.ldpLeft = performance.now();
    };
    for (const kind of ['pointerdown', 'click']) document.addEventListener(kind, leaving, true);
  }
  // A request of this page after a link to another one would take that back. Once that page has come, this part is
  // gone and asks no more; if it has not come after so long, the link led nowhere.
  held.ask = (why) => {
    const wait = 10000 - (performance.now() - globalThis.ldpLeft);
    clearTimeout(held.later);
    if (wait > 0) held.later = setTimeout(() => held.ask(why), wait);
    else setTriggerValue('ended', why);
  };
  const draw = (told, first) => {
    if (!data.shown) return;
    if (told.stage !== undefined) {  // one drawing for all, which takes the place of the one before
      const now = performance.now();
      if (!held.stage?.isConnected) {
        held.stage = document.createElement('div');
        root.append(held.stage);
        held.drawn = '';
      }
      if (held.drawn === told.stage || (!first && now - held.at < 900)) return;
      held.stage.innerHTML = held.drawn = told.stage;
      held.at = now;
      return;
    }
    if (!held.box) {
      held.box = document.createElement('div');
      held.box.className = 'ldp-progress';
      held.box.innerHTML = '<p></p><div role="progressbar" aria-valuemin="0" aria-valuemax="100"><div></div></div>';
      root.append(held.box);
    }
    const [text, bar] = held.box.children, share = Math.round(100 * told.share);
    if (text.textContent !== told.text) text.textContent = told.text;
    bar.setAttribute('aria-valuenow', share);
    bar.setAttribute('aria-label', told.text);
    bar.firstChild.style.width = share + '%';
    if (first) held.news = told.news;
    else if (!told.ended && held.news !== told.news) held.ask(data.url + (held.news = told.news));
  };
  if (data.first) draw(data.first, true);
  if (held.url !== data.url && !over.has(data.url)) {
    held.source?.close();
    held.url = data.url;
    if (!data.url) {
      if (data.why) held.ask(data.why);
    } else {
      held.source = new EventSource(data.url);
      held.source.onmessage = (event) => {
        const told = JSON.parse(event.data);
        draw(told);
        if (told.ended) {
          held.source.close();
          if (!over.has(data.url)) held.ask(data.url);
          over.add(data.url);
        }
      };
    }
  }
  return () => { held.source?.close(); clearTimeout(held.later); held.url = undefined; };
}
