// Views, their addresses, the session picker, keys.

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
/** Names what draws a canvas anew when the window or the colours change. */
function onResize(draw) {
  redraw = draw;
}
addEventListener('resize', () => {
  if (redraw) redraw();
});

let printDraw = null;
/** Names what draws all of a canvas for print. */
function onPrint(draw) {
  printDraw = draw;
}
addEventListener('beforeprint', () => {
  document.documentElement.dataset.theme = 'light';
  if (printDraw) printDraw();
  else if (redraw) redraw();
});
addEventListener('afterprint', () => theme(wantedTheme()));

let turn = 0;
/** The view that is drawn: its key and what shows another address in it. */
let shownView = { key: '', goTo: null };

async function show() {
  const { view: name, args, params } = readAddress();
  const [key, title, draw] = VIEWS.find(v => v[0] === name) || VIEWS[0];
  const now = ++turn;
  const changed = takeSession(params);
  tip('');
  if (changed) {
    prepareTree();
    showSession();
  }
  const drawn = () => {
    document.documentElement.dataset.drawn = `${key} ${Math.round(performance.now())}`;
  };
  if (!changed && shownView.key === key && shownView.goTo) {
    shownView.goTo(args, params);
    return drawn();
  }
  redraw = printDraw = null;
  shownView = { key, goTo: null };
  document.querySelectorAll('#views a').forEach(a => {
    if (a.dataset.view === key) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  });
  document.title = `${title} · ${main.package || 'Pathlight'}`;
  const box = $('view');
  box.className = '';
  box.replaceChildren(el('h2', { class: 'off' }, title));
  // A view that was left while it was read draws nothing any more.
  const view = {
    append: (...parts) => {
      if (now === turn) box.append(...parts);
    },
    set className(c) {
      if (now === turn) box.className = c;
    },
  };
  try {
    const goTo = await draw(view, args, params);
    if (now === turn) shownView.goTo = goTo || null;
  } catch (error) {
    box.append(el('p', { class: 'verdict bad' }, `This view cannot be drawn: ${error.message}`));
    throw error;
  }
  if (now === turn) drawn();
  return undefined;
}

/** Draws the view anew, as after a switch. */
function showAgain() {
  shownView.key = '';
  return show();
}

function theme(wanted) {
  document.documentElement.dataset.theme = wanted;
  if (redraw) redraw();
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const wantedTheme = () => setting('theme', dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => theme(wantedTheme()));
theme(wantedTheme());
$('theme').addEventListener('click', () => {
  keepSetting('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  theme(wantedTheme());
});

/** The picker of sessions, where there are several. */
function sessionPicker() {
  if (main.processes.length < 2) return null;
  const pick = el(
    'select',
    {
      id: 'session',
      'aria-label': 'Session',
      onchange: () => {
        const { view, args } = readAddress();
        const path = view === 'overview' || !view ? 'overview' : view;
        const kept = ['source', 'methods', 'flame'].includes(view)
          ? [path, ...args].join('/')
          : path;
        location.hash = `#${kept}?s=${pick.value}`;
      },
    },
    el('option', { value: 'all' }, `All ${num(main.processes.length)} sessions`),
    main.processes.map((_, p) => {
      const outcome = outcomeOf(p);
      const word = outcome.kind === 'good' ? '' : ` · ${outcome.short}`;
      return el('option', { value: p + 1 }, `${p + 1} · ${sessionName(p)}${word}`);
    }),
  );
  return pick;
}

function showSession() {
  if ($('session')) $('session').value = session === null ? 'all' : String(session + 1);
}

/** Switches of all views: own code first, glue folded. */
function switches() {
  const one = (name, on, off, text, title) => {
    const box = el('input', {
      type: 'checkbox',
      onchange: () => {
        keepSetting(name, box.checked ? on : off);
        prepareShown();
        showAgain();
      },
    });
    box.checked = setting(name, on) === on;
    return el('label', { title }, box, ` ${text}`);
  };
  const hasGlue = names.frames.some((_, i) => isGlue(i));
  return [
    hasLibraries()
      ? one('own', 'yes', 'no', 'own code first', 'Libraries are folded or come after it')
      : null,
    hasGlue
      ? one(
          'glue',
          'fold',
          'show',
          'as in the source',
          'Folds accessors, bridges and lambda classes',
        )
      : null,
  ];
}

function keyHelp() {
  const rows = [
    ['1 – 9', 'views'],
    ['/', 'search methods and files'],
    ['↑ ↓', 'move in lists, trees, the flame graph'],
    ['→ ←', 'open and close; move along'],
    ['Enter', 'choose, zoom'],
    ['Esc', 'zoom out'],
    ['W S', 'zoom the timeline in and out (also + and −, Ctrl and the wheel, two fingers)'],
    ['A D', 'move the timeline (also Shift and the wheel, Shift and a drag)'],
    ['F', 'the chosen callback fills the timeline'],
    ['0', 'the whole time'],
    ['t', 'light or dark'],
    ['?', 'this'],
  ];
  const box = $('keys');
  box.replaceChildren(
    el('h2', {}, 'Keys'),
    table(
      [['Key'], ['Effect']],
      rows.map(([key, what]) => ({ cells: [el('kbd', {}, key), what] })),
    ),
    el('p', {}),
    el('button', { type: 'button', onclick: () => box.close() }, 'Close'),
  );
  box.showModal();
}
$('help').addEventListener('click', keyHelp);

addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Enter' && e.target.getAttribute && e.target.getAttribute('role') === 'link') {
    e.target.click();
    return;
  }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
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
      'This browser cannot unpack the data of this report. ' +
      'Chrome 103, Firefox 113, Safari 16.4 and later can.';
    return;
  }
  await readFirst();
  await readOutcomes();
  const { all } = await unpack('exceptions');
  const starts = main.processes.map(p => clock(p.start).slice(0, 16));
  const span = [...new Set(starts)].sort();
  const until = span.length > 1 ? ` to ${span[span.length - 1]}` : '';
  $('title').textContent = main.package || 'Pathlight report';
  const count = plural(main.totals.processes, 'session');
  $('subtitle').textContent =
    `${count}, ${span[0] || ''}${until} UTC · build ${main.build.slice(0, 12)} · Pathlight`;
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
  $('switches').append(...[sessionPicker(), ...switches()].filter(Boolean));
  searching();
  addEventListener('hashchange', show);
  await show();
}
begin();
