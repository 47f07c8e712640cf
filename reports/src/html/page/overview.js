// The first view: how each session ended, how much ran, how sure it is, what to look at.

async function overview(view) {
  await Promise.all([readCallbacks(), readOutcomes()]);
  const exceptions = await unpack('exceptions'),
    surprises = await unpack('surprises');
  view.append(outcomes(exceptions), verdict(), cards());
  if (main.processes.length > 1) view.append(sessionTable());
  const threads = longestCallbacks(lane => isMain(lane), 8);
  const others = longestCallbacks(lane => !isMain(lane), 8);
  const own = ownFirst();
  const all = [...methods().values()].sort((a, b) => b.self - a.self || a.frame - b.frame);
  const hot = (own ? all.filter(m => isOwn(m.frame)) : all).slice(0, 12);
  const hottest = table(
    [
      ['Method', 'name'],
      ['Calls', 'n wide'],
      ['Own blocks', 'n'],
      ['', 'wide'],
    ],
    hot.map(m => ({
      to: `#methods/${m.frame}`,
      cells: [named(m.frame), num(m.calls), num(m.self), meter(m.self, hot[0].self)],
    })),
  );
  const thrown = table(
    [['Thrown at', 'name'], ['Ends'], ['Times', 'n']],
    exceptionsOf(exceptions)
      .slice(0, 8)
      .map(({ e, i, n }) => ({
        to: `#exceptions/${i}`,
        cells: [thrownText(e), exceptionEnd(e), num(n)],
      })),
  );
  const list = main.trained ? surprises.dear : surprises.rare;
  const unusual = table(
    [
      ['Decision', 'name'],
      ['Unusual', 'n'],
      ['Times', 'n'],
    ],
    list.slice(0, 8).map(s => ({
      to: main.trained ? '#surprises' : '#surprises/rare',
      cells: [decisionText(s), main.trained ? onceText(s.once) : percent(s.n, s.all), num(s.n)],
    })),
  );
  const panel = (title, body, none) =>
    el(
      'section',
      { class: 'panel' },
      el('h2', {}, title),
      body.querySelector('tbody tr') ? body : el('p', { class: 'soft' }, none),
    );
  view.append(
    el(
      'div',
      { class: 'panels' },
      el(
        'div',
        {},
        panel('Longest callbacks of the main thread', longest(threads), 'No callback ran there.'),
        panel('Longest callbacks of other threads', longest(others), 'No callback ran there.'),
        panel(
          own ? 'Where the app’s own blocks ran' : 'Where the blocks ran',
          hottest,
          'No method ran.',
        ),
      ),
      el(
        'div',
        {},
        panel('Exceptions', thrown, 'No exception passed a method of the app.'),
        panel(
          main.trained ? 'What the model did not expect' : 'Rarest directions taken',
          unusual,
          'Nothing stands out.',
        ),
      ),
    ),
  );
}

/** Callbacks with their time against the median of their method. */
function longest({ list, length }) {
  const most = list.reduce((m, callback) => Math.max(m, length(callback)), 1);
  return table(
    [
      ['Callback', 'name'],
      ['Thread', 'short wide'],
      [isTimed() ? 'Took' : 'Blocks', 'n'],
      ['Median', 'n wide'],
      ['', 'wide'],
    ],
    list.map(([lane, at]) => {
      const of = lanes[lane],
        usual = usualOf(of.m[at]);
      const middle = isTimed() && usual.us !== undefined ? duration(usual.us, main.tick) : '–';
      return {
        to: `#timeline/${lane}/${at + 1}`,
        cells: [
          named(of.m[at]),
          `${laneLabel(of)} #${at + 1}`,
          isTimed() ? tookText(of, at) : num(of.steps[at]),
          usual.n < 2 ? 'only run' : isTimed() ? middle : num(usual.steps),
          meter(length([lane, at]), most),
        ],
      };
    }),
  );
}

/** Figures; those of one session are sums of its threads and of its tree. */
function cards() {
  const t = main.totals;
  const word = (n, one) => (n === 1 ? one : `${one}s`);
  const card = (id, n, text) =>
    el('div', { class: 'card' }, el('b', { id }, num(n)), el('span', {}, text));
  if (session !== null) {
    const of = main.lanes.filter(l => l.p === session);
    const calls = nodes.reduce((n, node) => n + node.calls, 0);
    return el(
      'div',
      { class: 'cards' },
      card('total-threads', of.length, 'threads'),
      card(
        'total-callbacks',
        of.reduce((n, l) => n + l.callbacks, 0),
        'top-level callbacks',
      ),
      treeIsOfAll() ? null : card('total-calls', calls, 'calls, with inlined ones'),
      treeIsOfAll() ? null : card('total-steps', nodes[0].total, 'basic blocks'),
    );
  }
  const [ran, all] = main.coverage[2];
  return el(
    'div',
    { class: 'cards' },
    card('total-processes', t.processes, word(t.processes, 'session')),
    card('total-threads', t.threads, word(t.threads, 'thread')),
    card('total-callbacks', t.callbacks, word(t.callbacks, 'top-level callback')),
    card('total-calls', t.calls, word(t.calls, 'call')),
    card('total-steps', t.steps, 'basic blocks'),
    card('total-decisions', t.decisions, 'decisions'),
    card('total-exceptions', t.exceptions, 'calls ended by exceptions'),
    all
      ? card('total-ran', ran, `of ${num(all)} methods with lines ran`)
      : card('total-ran', main.ran, `of ${num(main.methods)} methods ran`),
  );
}

/** One sentence on how far the logs can be trusted. */
function verdict() {
  const of = main.lanes.filter(l => inSession(l.p));
  const sum = (list, key) => list.reduce((n, l) => n + l[key], 0);
  const faulty = sum(of, 'faulty'),
    missing = sum(of, 'missing');
  const unknown = of.filter(l => l.ended === 'unknown').length;
  const cut = of.filter(l => l.ended !== 'clean').length - unknown;
  const refused = main.processes.reduce((n, p, i) => n + (inSession(i) ? p.refused + p.cut : 0), 0);
  const parts = [];
  const verb = (n, one, many) => (n === 1 ? one : many);
  if (faulty) {
    parts.push(
      `${plural(faulty, 'record')} could not be decoded and ${verb(faulty, 'is', 'are')} left out`,
    );
  }
  if (missing)
    parts.push(`${plural(missing, 'slab')} of the log ${verb(missing, 'is', 'are')} missing`);
  if (refused) parts.push(`a full log left out or cut short ${plural(refused, 'thread')}`);
  if (main.problems) parts.push(`${plural(main.problems, 'input')} could not be used in full`);
  if (main.totals.doubtful) {
    parts.push(`${plural(main.totals.doubtful, 'call')} may have ended earlier than shown`);
  }
  if (cut) {
    parts.push(
      `${plural(cut, 'thread')} ${verb(cut, 'was', 'were')} still running when the log ended`,
    );
  }
  if (unknown) {
    parts.push(
      `later callbacks of ${plural(unknown, 'thread')} may be missing, as the log shows no end`,
    );
  }
  const left = main.totals.callbacks - main.paths;
  if (left > 0) parts.push(`${plural(left, 'callback')} are without their path here (--page-size)`);
  const isBad = faulty || missing || refused || main.problems;
  const kind = isBad || main.totals.doubtful ? 'warn' : 'plain';
  const text = parts.length
    ? `${parts.join('; ')}.`
    : 'Every record of these logs is proven by its check. Nothing is missing.';
  return el(
    'div',
    { class: `verdict ${kind}` },
    el(
      'p',
      {},
      text[0].toUpperCase() + text.slice(1),
      ' ',
      el('a', { href: '#exact' }, 'What is exact'),
    ),
  );
}
