// The first view: how much ran, how sure it is, what to look at.

async function overview(view) {
  const t = main.totals;
  const exceptions = await unpack('exceptions'),
    surprises = await unpack('surprises');
  const card = (id, n, text) => el('div', { class: 'card' }, el('b', { id }, num(n)), el('span', {}, text));
  view.append(
    verdict(),
    el(
      'div',
      { class: 'cards' },
      card('total-processes', t.processes, t.processes === 1 ? 'process' : 'processes'),
      card('total-threads', t.threads, 'threads'),
      card('total-callbacks', t.callbacks, 'top-level callbacks'),
      card('total-calls', t.calls, 'calls'),
      card('total-steps', t.steps, 'steps (basic blocks)'),
      card('total-decisions', t.decisions, 'decisions'),
      card('total-exceptions', t.exceptions, 'calls ended by exceptions'),
      methodsCard(card),
    ),
  );
  await readCallbacks();
  const length = ([lane, n]) => (isTimed() ? lanes[lane].us[n - 1] || 0 : lanes[lane].steps[n - 1]);
  const most = lanes.longest.reduce((m, callback) => Math.max(m, length(callback)), 1);
  const longest = table(
    [
      ['Callback', 'name'],
      ['Thread', 'short'],
      [isTimed() ? 'Took' : 'Steps', 'n'],
      [''],
    ],
    lanes.longest.map(([lane, n]) => {
      const of = lanes[lane];
      return {
        pick: () => {
          location.hash = `#timeline/${lane}/${n}`;
        },
        cells: [
          el('span', { title: fullName(of.m[n - 1]) }, shortName(of.m[n - 1])),
          `${laneLabel(of)} #${n}`,
          isTimed() ? tookText(of, n - 1) : num(of.steps[n - 1]),
          meter(length([lane, n]), most),
        ],
      };
    }),
  );
  const hot = [...methods().values()].sort((a, b) => b.self - a.self || a.frame - b.frame).slice(0, 12);
  const hottest = table(
    [['Method', 'name'], ['Calls', 'n'], ['Own steps', 'n'], ['']],
    hot.map(m => ({
      pick: () => {
        location.hash = `#methods/${m.frame}`;
      },
      cells: [
        el('span', { title: fullName(m.frame) }, shortName(m.frame)),
        num(m.calls),
        num(m.self),
        meter(m.self, hot[0].self),
      ],
    })),
  );
  const thrown = table(
    [['Thrown at', 'name'], ['Ends'], ['Times', 'n']],
    exceptions.all.slice(0, 8).map((e, i) => ({
      pick: () => {
        location.hash = `#exceptions/${i}`;
      },
      cells: [placeText(e.from[0]), exceptionEnd(e), num(e.n)],
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
      pick: () => {
        location.hash = main.trained ? '#surprises' : '#surprises/rare';
      },
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
        panel('Longest callbacks, the longest run of each', longest, 'No callback ran.'),
        panel('Where the steps are', hottest, 'No method ran.'),
      ),
      el(
        'div',
        {},
        panel('Exceptions', thrown, 'No exception passed a method of the app.'),
        panel(
          main.trained ? 'What the model did not expect' : 'Rarest ways taken',
          unusual,
          'Nothing stands out.',
        ),
      ),
    ),
  );
}

/** One sentence on how far the logs can be trusted. */
function verdict() {
  const faulty = main.lanes.reduce((n, l) => n + l.faulty, 0);
  const missing = main.lanes.reduce((n, l) => n + l.missing, 0);
  const unknown = main.lanes.filter(l => l.ended === 'unknown').length;
  const cut = main.lanes.filter(l => l.ended !== 'clean').length - unknown;
  const refused = main.processes.reduce((n, p) => n + p.refused + p.cut, 0);
  const said = [];
  if (faulty)
    said.push(`${plural(faulty, 'record')} could not be decoded and ${faulty === 1 ? 'is' : 'are'} left out`);
  if (missing) said.push(`${plural(missing, 'slab')} of the log ${missing === 1 ? 'is' : 'are'} missing`);
  if (refused) said.push(`a full log left out or cut short ${plural(refused, 'thread')}`);
  if (main.problems) said.push(`${plural(main.problems, 'part')} of the inputs could not be used`);
  if (main.totals.doubtful)
    said.push(`${plural(main.totals.doubtful, 'call')} may have ended earlier than shown`);
  if (cut)
    said.push(`${plural(cut, 'thread')} ${cut === 1 ? 'was' : 'were'} still running when the log ended`);
  if (unknown)
    said.push(`later callbacks of ${plural(unknown, 'thread')} may be missing, as the log shows no end`);
  const kind = faulty || missing || refused || main.problems ? 'bad' : main.totals.doubtful ? 'warn' : 'good';
  const text = said.length
    ? `${said.join('; ')}.`
    : 'Every record of these logs is proven by its check. Nothing is missing.';
  return el(
    'div',
    { class: `verdict ${kind}` },
    el('p', {}, text[0].toUpperCase() + text.slice(1), ' ', el('a', { href: '#exact' }, 'What is exact')),
  );
}

/** How many methods ran: those of the source, as in coverage; in a build without lines, all. */
function methodsCard(card) {
  const [ran, all] = main.coverage[2];
  return all
    ? card('total-ran', ran, `of ${num(all)} methods with lines ran`)
    : card('total-ran', main.ran, `of ${num(main.methods)} methods ran`);
}
