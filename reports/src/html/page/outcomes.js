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
