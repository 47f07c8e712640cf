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

/** A time that is rounded down to a tick, both in µs. */
const duration = (us, tick = 0) =>
  us === null || us === undefined
    ? '–'
    : us < tick
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

/** Lets the names in an element break between their parts, as narrow columns need it. */
function breakNames(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = partsOf(text.data);
    text.replaceWith(...parts.flatMap((part, i) => (i ? [el('wbr'), part] : [part])));
  }
  return node;
}

/**
 * A table. Columns: [title, class]; rows: {cells, to, pick, isChosen}. With `to`, an address, the
 * first cell is a link and the whole row goes there.
 */
function table(columns, rows) {
  const head = el(
    'tr',
    {},
    columns.map(([title, kind]) =>
      title
        ? el('th', { class: kind, scope: 'col' }, title)
        : el('td', { class: kind, 'aria-hidden': 'true' }),
    ),
  );
  const body = rows.map(row => {
    const go = row.to
      ? e => {
          if (!e.target.closest('a')) location.hash = row.to;
        }
      : row.pick;
    const cell = (content, i) => {
      let inside = content;
      if (i === 0 && row.to) inside = el('a', { href: row.to, class: 'plain' }, content);
      else if (i === 0 && row.pick) {
        inside = el('button', { type: 'button', class: 'plain-button' }, content);
      }
      const kind = columns[i][1];
      const made = el('td', { class: kind }, inside);
      return kind === 'name' ? breakNames(made) : made;
    };
    const attributes = go ? { class: row.isChosen ? 'pick chosen' : 'pick', onclick: go } : {};
    return el('tr', attributes, row.cells.map(cell));
  });
  return el(
    'div',
    { class: 'table' },
    el('table', {}, el('thead', {}, head), el('tbody', {}, body)),
  );
}

/** Rows that are printed of a list. */
const PRINTED = 5000;
const allRows = new Set();
addEventListener('beforeprint', () => allRows.forEach(rows => rows.refresh(true)));
addEventListener('afterprint', () => allRows.forEach(rows => rows.refresh()));

/** A list of many rows, of which only visible ones exist. `draw(i)` gives the parts of a row. */
class Rows {
  constructor(scroller, height, draw, pick, label) {
    Object.assign(this, { scroller, height, draw, pick, count: 0, chosen: -1 });
    allRows.clear();
    allRows.add(this);
    this.id = `rows-${++Rows.number}`;
    this.box = el('div', {
      class: 'virtual',
      role: 'listbox',
      tabindex: 0,
      'aria-label': label || 'List',
    });
    scroller.append(this.box);
    scroller.addEventListener('scroll', () => this.refresh());
    this.box.addEventListener('keydown', e => {
      const last = this.count - 1;
      const to = {
        ArrowDown: this.chosen + 1,
        ArrowUp: this.chosen - 1,
        PageDown: this.chosen + 20,
        PageUp: this.chosen - 20,
        Home: 0,
        End: last,
      }[e.key];
      if (to === undefined || !this.count) return;
      e.preventDefault();
      this.choose(Math.min(last, Math.max(0, to)));
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

  refresh(prints) {
    const { scrollTop, clientHeight } = this.scroller;
    const port = Math.min(clientHeight, innerHeight * 40);
    const above = prints ? 0 : Math.max(0, Math.floor(scrollTop / this.height) - 4);
    const wanted = prints ? PRINTED : above + Math.ceil(port / this.height) + 10;
    const until = Math.min(this.count, wanted);
    const rows = [];
    for (let i = above; i < until; i++) {
      rows.push(
        el(
          'div',
          {
            class: 'row',
            role: 'option',
            id: `${this.id}-${i}`,
            'aria-selected': String(i === this.chosen),
            'aria-setsize': this.count,
            'aria-posinset': i + 1,
            style: { top: `${i * this.height}px`, height: `${this.height}px` },
            onclick: () => this.choose(i),
          },
          this.draw(i),
        ),
      );
    }
    this.box.replaceChildren(...rows);
    const isThere = this.chosen >= above && this.chosen < until;
    if (isThere) this.box.setAttribute('aria-activedescendant', `${this.id}-${this.chosen}`);
    else this.box.removeAttribute('aria-activedescendant');
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
Rows.number = 0;

function tip(text, event) {
  const box = $('tip');
  box.hidden = !text;
  if (!text) return;
  box.textContent = text;
  const x = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  const below = event.clientY + 18;
  box.style.left = `${Math.max(4, x)}px`;
  const isLow = below + box.offsetHeight > innerHeight;
  box.style.top = `${isLow ? event.clientY - box.offsetHeight - 10 : below}px`;
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

/** A name in the canvas' letters of one width, cut in its middle: the method stays. */
function fit(context, text, width) {
  const most = Math.floor(width / 7.3);
  if (text.length <= most) return text;
  if (most < 4) return '';
  const method = text.slice(text.lastIndexOf('.') + 1);
  if (method.length >= most) return `${method.slice(0, most - 1)}…`;
  const start = most - method.length - 2;
  return start < 2 ? method : `${text.slice(0, start)}….${method}`;
}

/** A text in any letters, cut to a width. */
function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0,
    high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}
