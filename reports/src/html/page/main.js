// Views, their addresses, search, keys.

const VIEWS = [
  ['overview', 'Overview', overview],
  ['timeline', 'Timeline', timeline],
  ['flame', 'Flame graph', flame],
  ['tree', 'Call tree', callTree],
  ['methods', 'Methods', methodList],
  ['source', 'Source', source],
  ['exceptions', 'Exceptions', exceptions],
  ['surprises', 'Surprises', surprises],
  ['exact', 'What is exact', exact],
];

let redraw = null;
/** What draws on a canvas is told when the window or the colours change. */
function onResize(draw) {
  redraw = draw;
}
addEventListener('resize', () => {
  if (redraw) redraw();
});

let turn = 0;
async function show() {
  const [name, ...args] = location.hash.slice(1).split('/');
  const [key, title, draw] = VIEWS.find(v => v[0] === name) || VIEWS[0];
  const now = ++turn;
  redraw = null;
  tip('');
  document
    .querySelectorAll('#views a')
    .forEach(a => a.toggleAttribute('aria-current', a.dataset.view === key));
  document.title = `${title} · Pathlight`;
  const view = el('div', {});
  const box = $('view');
  box.className = '';
  box.replaceChildren(view);
  try {
    // The view is the page's main part itself, so that it can fill it.
    const proxy = {
      append: (...parts) => {
        if (now === turn) box.append(...parts);
      },
      set className(c) {
        if (now === turn) box.className = c;
      },
    };
    view.remove();
    await draw(proxy, args);
  } catch (error) {
    box.append(el('p', { class: 'verdict bad' }, `This view cannot be drawn: ${error.message}`));
    throw error;
  }
  if (now === turn) document.documentElement.dataset.drawn = `${key} ${Math.round(performance.now())}`;
}

function theme(wanted) {
  document.documentElement.dataset.theme = wanted;
  if (redraw) redraw();
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => theme(dark.matches ? 'dark' : 'light'));
theme(dark.matches ? 'dark' : 'light');
$('theme').addEventListener('click', () =>
  theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
);

function searching() {
  const box = $('search'),
    found = $('found');
  let list = [],
    at = 0;
  const go = i => {
    const item = list[i];
    found.hidden = true;
    box.value = '';
    box.blur();
    if (item) location.hash = item.to;
  };
  const mark = () =>
    [...found.children].forEach((li, i) => {
      li.setAttribute('aria-selected', String(i === at));
      if (i === at) li.scrollIntoView({ block: 'nearest' });
    });
  const look = async () => {
    const wanted = box.value.trim().toLowerCase();
    await readFiles();
    list = [];
    if (wanted) {
      for (const m of methods().values()) {
        const name = fullName(m.frame),
          i = name.toLowerCase().indexOf(wanted);
        if (i >= 0)
          list.push({
            text: name,
            note: plural(m.calls, 'call'),
            to: `#methods/${m.frame}`,
            rank: (shortName(m.frame).toLowerCase().startsWith(wanted) ? 0 : 1e9) + name.length,
          });
      }
      files.forEach((f, i) => {
        if (f.name.toLowerCase().includes(wanted))
          list.push({
            text: f.name,
            note: `${f.ran} of ${f.lines} lines ran`,
            to: `#source/${i}`,
            rank: 1e6,
          });
      });
      list.sort((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1));
      list = list.slice(0, 60);
    }
    at = 0;
    found.hidden = !wanted;
    found.replaceChildren(
      ...list.map((item, i) =>
        el(
          'li',
          {
            onmousedown: e => {
              e.preventDefault();
              go(i);
            },
          },
          el('span', { class: 'name' }, item.text),
          el('span', { class: 'soft' }, item.note),
        ),
      ),
      ...(list.length ? [] : [el('li', {}, 'Nothing that ran has this name.')]),
    );
    mark();
  };
  box.addEventListener('input', look);
  box.addEventListener('focus', look);
  box.addEventListener('blur', () => {
    found.hidden = true;
  });
  box.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown') at = Math.min(at + 1, list.length - 1);
    else if (e.key === 'ArrowUp') at = Math.max(at - 1, 0);
    else if (e.key === 'Enter') return go(at);
    else if (e.key === 'Escape') {
      box.value = '';
      box.blur();
      return;
    } else return;
    e.preventDefault();
    mark();
  });
}

function keyHelp() {
  const rows = [
    ['1 – 9', 'views'],
    ['/', 'search methods and files'],
    ['↑ ↓', 'move in lists, trees, the flame graph'],
    ['→ ←', 'open and close; move along'],
    ['Enter', 'choose, zoom'],
    ['Esc', 'zoom out'],
    ['+ −', 'zoom the timeline'],
    ['t', 'light or dark'],
    ['?', 'this'],
  ];
  const box = $('keys');
  box.replaceChildren(
    el('h2', {}, 'Keys'),
    el(
      'table',
      {},
      rows.map(([key, what]) => el('tr', {}, el('td', {}, el('kbd', {}, key)), el('td', {}, what))),
    ),
    el('p', {}),
    el('button', { onclick: () => box.close() }, 'Close'),
  );
  box.showModal();
}
$('help').addEventListener('click', keyHelp);

addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.key === '/') {
    $('search').focus();
    $('search').select();
  } else if (e.key === '?') keyHelp();
  else if (e.key === 't') $('theme').click();
  else if (VIEWS[Number(e.key) - 1]) location.hash = `#${VIEWS[Number(e.key) - 1][0]}`;
  else return;
  e.preventDefault();
});

async function begin() {
  if (!window.DecompressionStream) {
    $('view').textContent =
      'This browser cannot unpack the data of this report. Chrome 103, Firefox 113, Safari 16.4 and later can.';
    return;
  }
  await readFirst();
  const { all } = await unpack('exceptions');
  const span = [...new Set(main.processes.map(p => clock(p.start).slice(0, 16)))].sort();
  $('title').textContent = main.package || 'Pathlight report';
  $('subtitle').textContent =
    `${plural(main.totals.processes, 'process', 'processes')}, ${span[0] || ''}${span.length > 1 ? ` to ${span[span.length - 1]}` : ''} UTC · build ${main.build.slice(0, 12)} · Pathlight`;
  const counts = { exceptions: all.length };
  $('views').append(
    ...VIEWS.map(([key, title]) =>
      el(
        'a',
        { href: `#${key}`, 'data-view': key },
        title,
        counts[key] ? el('span', { class: 'count' }, num(counts[key])) : null,
      ),
    ),
  );
  searching();
  addEventListener('hashchange', show);
  await show();
}
begin();
