// How each session ended: crashes, exceptions that may be crashes, logs that break off.

/** Exceptions that ended a thread by process: [index, lane, callback, certain]. */
let endings;

async function readOutcomes() {
  if (endings) return endings;
  const { ends } = await unpack('exceptions');
  endings = main.processes.map(() => []);
  for (const [p, ...ending] of ends) endings[p].push(ending);
  endings.forEach(list => list.sort((a, b) => b[3] - a[3]));
  return endings;
}

/** The outcome of a session in words, and how bad it is. */
function outcomeOf(p) {
  const [crash] = endings[p];
  const { exit } = main.processes[p];
  const of = main.lanes.filter(l => l.p === p);
  if (crash && crash[3]) return { kind: 'bad', short: 'crashed', crash };
  if (exit && exit.grade === 'bad') return { kind: 'bad', short: `ended: ${exit.short}`, exit };
  if (crash) return { kind: 'warn', short: 'perhaps crashed', crash };
  if (exit && exit.grade === 'warn') return { kind: 'warn', short: `ended: ${exit.short}`, exit };
  if (main.processes[p].cut || main.processes[p].refused) {
    return { kind: 'warn', short: 'its log was full' };
  }
  if (exit) return { kind: 'good', short: `no crash; ended: ${exit.short}`, exit };
  if (of.some(l => l.ended === 'cut')) {
    return { kind: 'warn', short: 'no crash; the log ends inside a callback' };
  }
  return { kind: 'good', short: 'no crash' };
}

/** Callbacks that an exception ended for good, by `lane/index`: true if that is certain. */
function crashCallbacks() {
  const found = new Map();
  endings.flat().forEach(([, lane, callback, certain]) => {
    found.set(`${lane}/${callback - 1}`, certain);
  });
  return found;
}

/** The cells of a callback in the timeline's list. @param {Map<string, boolean>} crashes */
function listedCells(lane, at, crashes) {
  const l = lanes[lane],
    crash = crashes.has(`${lane}/${at}`);
  return [
    el('span', { class: 'n begins' }, axisText(l.t[at], 1)),
    el(
      'span',
      { class: `grow name${crash ? ' thrown' : ''}`, title: fullName(l.m[at]) },
      classDot(l.m[at]),
      crash ? '✗ ' : '',
      shortName(l.m[at]),
    ),
    el('span', { class: 'soft thread wide' }, `${laneLabel(l)} #${at + 1}`),
    isTimed() ? el('span', { class: 'n took' }, tookText(l, at)) : null,
    el('span', { class: 'n steps' }, num(l.steps[at])),
  ];
}

/** Sessions in the table at first. */
const SESSIONS = 40;

/** The first sentence. */
function outcomeText(shown, crashed, failed, perhaps) {
  const sessions = plural(shown.length, 'session');
  const isOne = shown.length === 1;
  if (crashed.length) {
    return isOne ? 'The session crashed' : `${num(crashed.length)} of ${sessions} crashed`;
  }
  if (failed.length) {
    return isOne
      ? `The session ended: ${outcomeOf(shown[0]).exit.short}`
      : `${num(failed.length)} of ${sessions} failed, as the device noted`;
  }
  if (perhaps.length) {
    return `No session crashed for certain; ${num(perhaps.length)} of ${sessions} may have`;
  }
  return isOne ? 'The session did not crash.' : `None of ${sessions} crashed.`;
}

/** Which sessions crashed, and where. */
function outcomes({ all, stacks }) {
  const shown = main.processes.map((_, p) => p).filter(inSession);
  const crashed = shown.filter(p => outcomeOf(p).short === 'crashed');
  const failed = shown.filter(p => outcomeOf(p).kind === 'bad' && !crashed.includes(p));
  const perhaps = shown.filter(p => outcomeOf(p).short === 'perhaps crashed');
  const line = p => {
    const { crash, exit } = outcomeOf(p);
    if (!crash) {
      return el(
        'div',
        { class: 'crash' },
        `✗ ended: ${exit.words}`,
        el('span', { class: 'soft' }, `  ${sessionName(p)}`),
      );
    }
    const [index, lane, callback] = crash;
    return el(
      'div',
      { class: 'crash' },
      '✗ ',
      el('a', { class: 'name', href: `#exceptions/${index}` }, thrownText(all[index])),
      ' → ',
      el('a', { href: `#timeline/${lane}/${callback}` }, 'what ran before'),
      el('span', { class: 'soft' }, `  ${laneName(main.lanes[lane])}, ${sessionName(p)}`),
      stackBox(all[index], stacks),
    );
  };
  const bad = [...crashed, ...failed, ...perhaps];
  const text = outcomeText(shown, crashed, failed, perhaps);
  const kind = crashed.length || failed.length ? 'bad' : perhaps.length ? 'warn' : 'good';
  const more = bad.length > 6 ? el('p', {}, `and ${num(bad.length - 6)} more, below`) : null;
  return el(
    'section',
    { class: `verdict outcome ${kind}`, 'aria-label': 'Outcome' },
    el('h2', {}, text),
    bad.slice(0, 6).map(line),
    more,
  );
}

/** The sessions: a click shows one alone in all views. */
function sessionTable() {
  const callbacks = main.processes.map(() => 0),
    threads = main.processes.map(() => 0);
  main.lanes.forEach(l => {
    callbacks[l.p] += l.callbacks;
    threads[l.p]++;
  });
  const rank = { bad: 0, warn: 1, good: 2 };
  const order = main.processes
    .map((_, p) => p)
    .sort((a, b) => rank[outcomeOf(a).kind] - rank[outcomeOf(b).kind] || a - b);
  const rows = order.map(p => {
    const outcome = outcomeOf(p);
    return {
      to: session === p ? '#overview?s=all' : `#overview?s=${p + 1}`,
      isChosen: session === p,
      cells: [
        clock(main.processes[p].start).slice(0, 19),
        processName(p),
        el(
          'span',
          { class: `tag ${outcome.kind}`, title: outcome.exit ? outcome.exit.words : '' },
          outcome.short,
        ),
        num(threads[p]),
        num(callbacks[p]),
      ],
    };
  });
  const columns = [
    ['Started (UTC)', 'short'],
    ['Session', 'name'],
    ['Outcome'],
    ['Threads', 'n wide'],
    ['Callbacks', 'n'],
  ];
  const box = el('div', {});
  const draw = most => {
    const button = el(
      'button',
      { type: 'button', onclick: () => draw(Infinity) },
      `All ${num(rows.length)} sessions`,
    );
    box.replaceChildren(table(columns, rows.slice(0, most)), rows.length > most ? button : '');
  };
  draw(SESSIONS);
  return el('section', { class: 'panel spaced' }, el('h2', {}, 'Sessions'), box);
}
