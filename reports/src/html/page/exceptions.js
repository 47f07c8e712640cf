// Exceptions: where they were thrown, where they were caught, and what ran before.

const endWords = { ended: 'ends the thread', open: 'perhaps ends the thread' };
const isCaught = e => e.to !== null && e.to !== undefined;
/** The lines of one of its blocks that can have thrown. */
const thrownText = (e, k = 0) => placeText(e.from[k], false, e.lines[k]);
const exceptionEnd = e =>
  isCaught(e)
    ? el('span', {}, 'caught at ', el('span', { class: 'name' }, placeText(e.to, true)))
    : el(
        'span',
        { class: `tag ${e.last === 'ended' ? 'bad' : e.last ? 'warn' : ''}` },
        endWords[e.last] || 'kept by code outside',
      );

const leftWords = {
  ended: 'Left the app’s code, and its thread ended by it: a crash. ',
  open:
    'Left the app’s code, and nothing of the app followed in its thread. Other threads went on: ' +
    'perhaps a pool kept the exception. ',
};

/**
 * Type and message of an exception, if a stack trace was given that fits: its first frame in the
 * app is one of the lines that threw. @returns {?{type: string, message: ?string}}
 */
function stackOf(e, stacks) {
  const lines = e.from.flatMap(block => placesOf(block));
  const isThere = ([cls, method, line]) =>
    lines.some(
      p => className(p.frame) === cls && names.frames[p.frame].n === method && p.line === line,
    );
  const isOfApp = frame => names.classes.includes(frame[0]);
  return stacks.find(s => {
    const first = s.frames.find(isOfApp);
    return first && isThere(first);
  });
}

/** Type and message as an element; nothing where they are not known. */
function stackBox(e, stacks) {
  const stack = stackOf(e, stacks || []);
  if (!stack) return null;
  const message = stack.message ? `: ${stack.message}` : '';
  return el('p', { class: 'thrown mono' }, `${stack.type}${message}`);
}

/** Kinds of exceptions of the sessions shown: {e, i, n}, n times in them. */
function exceptionsOf({ all }) {
  const found = [];
  all.forEach((e, i) => {
    const of = session === null ? null : e.by.find(b => b[0] === session);
    if (session === null) found.push({ e, i, n: e.n });
    else if (of) found.push({ e, i, n: of[1], at: [of[2], of[3]] });
  });
  return found;
}

async function exceptions(view, args) {
  const data = await unpack('exceptions'),
    list = exceptionsOf(data);
  if (!list.length) {
    view.append(
      el(
        'p',
        { class: 'soft' },
        'No exception passed a method of the app. One that a method throws and catches inside of ' +
          'code outside the app is not recorded.',
      ),
    );
    return;
  }
  view.className = 'full';
  const left = el('div', { class: 'scroll', style: { flex: '1.1' } });
  const details = el('div', { class: 'scroll details', style: { flex: '1' }, tabindex: 0 });
  left.append(
    el(
      'div',
      { class: 'heads' },
      el('span', { class: 'grow' }, 'Thrown at'),
      el('span', { class: 'grow' }, 'Ends'),
      el('span', { class: 'n times' }, 'Times'),
    ),
  );
  const rows = new Rows(
    left,
    27,
    i => [
      el('span', { class: 'grow name' }, thrownText(list[i].e)),
      el('span', { class: 'grow' }, exceptionEnd(list[i].e)),
      el('span', { class: 'n times' }, num(list[i].n)),
    ],
    i => select(list[i], true),
    'Exceptions',
  );
  const more = data.more ? `; ${num(data.more)} more exceptions are only counted` : '';
  view.append(
    el(
      'div',
      { class: 'bar' },
      el(
        'span',
        { class: 'note' },
        `${plural(list.length, 'kind')} of exceptions${more}. A log has no types and messages: ` +
          'see the line, or give "report --stack FILE" a stack trace.',
      ),
    ),
    el('div', { class: 'split' }, left, details),
  );

  function select({ e, i, n, at }, push) {
    setAddress(`exceptions/${i}`, {}, push);
    const line = (block, text, entries) => {
      const [n] = entries || [0];
      const p = placesOf(block, n)[0];
      return el(
        'button',
        { type: 'button', class: 'name link', onclick: () => p && goToLine(p.frame, p.line) },
        text,
      );
    };
    const where = at || e.at;
    details.replaceChildren(
      el(
        'h2',
        {},
        'Thrown at ',
        e.from.map((b, k) => [k ? ' or ' : '', line(b, thrownText(e, k), e.lines[k])]),
      ),
      stackBox(e, data.stacks) || '',
      e.from.length > 1
        ? el('p', { class: 'note' }, 'The log does not decide which of these lines threw.')
        : '',
      el(
        'p',
        {},
        isCaught(e)
          ? ['Caught at ', line(e.to, placeText(e.to)), '. ']
          : leftWords[e.last] || 'Left the app’s code; the code that had called it kept it. ',
        `${plural(n, 'time')}; ${e.last || at ? 'last' : 'first'} in `,
        el('a', { href: `#timeline/${where[0]}/${where[1]}` }, whereText(where)),
        '.',
      ),
      ...callsEnded(e),
    );
    if (e.window) {
      const events = e.window.events;
      details.append(
        el('h3', {}, 'What ran before, repetitions folded'),
        pathBox(parsePath(events, 0, events.length, e.window.depth), true),
      );
    } else {
      details.append(
        el('p', { class: 'note' }, 'What ran before is not kept for this one. This prints it:'),
        commandBox(decodeCommand(where[0], where[1])),
      );
    }
  }
  rows.show(list.length);
  const goTo = to => {
    const i = Math.max(
      0,
      list.findIndex(x => x.i === Number(to[0] || 0)),
    );
    rows.choose(i, true);
    select(list[i]);
  };
  goTo(args);
  return goTo;
}

/** The calls that an exception ended, innermost first. */
function callsEnded(e) {
  if (!e.ended.length) return [];
  const rest = e.dropped - e.ended.length;
  return [
    el('h3', {}, `Calls that it ended (${num(e.dropped)})`),
    el(
      'ol',
      { class: 'name' },
      e.ended.map(f =>
        el('li', {}, el('a', { href: `#methods/${f}`, title: fullName(f) }, shortName(f))),
      ),
      rest > 0 ? el('li', {}, `and ${num(rest)} more`) : null,
    ),
  ];
}
