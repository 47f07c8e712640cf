// Elements, numbers as text, lists that draw only what is visible.

const $ = id => document.getElementById(id);

/** An element. Texts become text nodes: names from logs can never be markup. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'class') node.className = value;
    else if (key === 'style') Object.assign(node.style, value);
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== false));
  return node;
}

const whole = new Intl.NumberFormat('en-US');
const num = n => whole.format(n);
const plural = (n, one, many) => `${num(n)} ${n === 1 ? one : many || one + 's'}`;

function percent(part, all) {
  if (!all) return '–';
  const p = (part / all) * 100;
  if (p === 0 || p === 100) return `${p} %`;
  if (p < 0.01) return '< 0.01 %';
  if (p > 99.99) return '> 99.99 %';
  return `${p < 1 || p > 99 ? p.toFixed(2) : p < 10 ? p.toFixed(1) : Math.round(p)} %`;
}

const seconds = ms => `${(ms / 1000).toFixed(3)} s`;
/** A time that is rounded down to a tick, both in µs. */
const duration = (us, tick = 0) =>
  us < tick
    ? `< ${duration(tick)}`
    : us < 1e6
      ? `${(us / 1000).toFixed(2)} ms`
      : `${(us / 1e6).toFixed(3)} s`;
const clock = ms => new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');

const meter = (part, all, kind) =>
  el(
    'span',
    { class: `meter ${kind || ''}` },
    el('i', { style: { width: `${all ? Math.max(1, (part / all) * 100) : 0}%` } }),
  );

/** A table. Columns: [title, class]; rows: {cells, pick}. */
function table(columns, rows) {
  const head = el(
    'tr',
    {},
    columns.map(([title, kind]) => el('th', { class: kind }, title)),
  );
  const body = rows.map(row =>
    el(
      'tr',
      row.pick
        ? {
            class: 'pick',
            tabindex: 0,
            onclick: row.pick,
            onkeydown: e => {
              if (e.key === 'Enter') row.pick(e);
            },
          }
        : {},
      row.cells.map((cell, i) => el('td', { class: columns[i][1] }, cell)),
    ),
  );
  return el('table', {}, el('thead', {}, head), el('tbody', {}, body));
}

/** A list of many rows, of which only the visible ones exist. `draw(i)` gives the parts of a row. */
class Rows {
  constructor(scroller, height, draw, pick) {
    Object.assign(this, { scroller, height, draw, pick, count: 0, chosen: -1 });
    this.box = el('div', { class: 'virtual' });
    scroller.append(this.box);
    scroller.tabIndex = 0;
    scroller.addEventListener('scroll', () => this.refresh());
    scroller.addEventListener('keydown', e => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[e.key];
      if (!step || !this.count) return;
      e.preventDefault();
      this.choose(Math.min(this.count - 1, Math.max(0, this.chosen + step)));
    });
    new ResizeObserver(() => this.refresh()).observe(scroller);
  }

  show(count) {
    this.count = count;
    this.chosen = -1;
    // Browsers limit heights to some 33 million pixels.
    this.box.style.height = `${Math.min(count * this.height, 3e7)}px`;
    this.scroller.scrollTop = 0;
    this.refresh();
  }

  refresh() {
    const above = Math.max(0, Math.floor(this.scroller.scrollTop / this.height) - 4);
    const until = Math.min(this.count, above + Math.ceil(this.scroller.clientHeight / this.height) + 10);
    const rows = [];
    for (let i = above; i < until; i++) {
      rows.push(
        el(
          'div',
          {
            class: 'row',
            'aria-selected': String(i === this.chosen),
            style: { top: `${i * this.height}px`, height: `${this.height}px` },
            onclick: () => this.choose(i),
          },
          this.draw(i),
        ),
      );
    }
    this.box.replaceChildren(...rows);
  }

  choose(i, quiet) {
    this.chosen = i;
    const top = i * this.height,
      port = this.scroller;
    if (top < port.scrollTop || top + this.height * 2 > port.scrollTop + port.clientHeight) {
      port.scrollTop = Math.max(0, top - port.clientHeight / 3);
    }
    this.refresh();
    if (!quiet && this.pick) this.pick(i);
  }
}

function tip(text, event) {
  const box = $('tip');
  box.hidden = !text;
  if (!text) return;
  box.textContent = text;
  const x = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  const below = event.clientY + 18;
  box.style.left = `${Math.max(4, x)}px`;
  box.style.top = `${below + box.offsetHeight > innerHeight ? event.clientY - box.offsetHeight - 10 : below}px`;
}

const styles = () => getComputedStyle(document.documentElement);
const colour = name => styles().getPropertyValue(name).trim();

/** A canvas as large as asked, sharp on any screen; its context. */
function sharpen(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.font = '12px ' + colour('--mono');
  context.textBaseline = 'middle';
  return context;
}

/** The text, cut to a width. */
function fit(context, text, width) {
  const most = Math.floor(width / 7.3);
  if (text.length <= most) return text;
  return most < 4 ? '' : text.slice(0, most - 1) + '…';
}

/** A calm colour for a class, the same in all charts. */
function hue(text) {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return [208, 168, 40, 262, 20, 130, 190, 320, 80, 235][h % 10] + ((h >>> 8) % 14);
}
