// Exceptions: where they were thrown, where they were caught, and what ran before.

const endWords = { ended: 'ends the thread', open: 'perhaps ends the thread' };
const exceptionEnd = e =>
  e.to === null || e.to === undefined
    ? el('span', { class: 'tag bad' }, endWords[e.last] || 'leaves the app')
    : el('span', {}, 'caught at ', el('span', { class: 'name' }, placeText(e.to, true)));

const leftWords = {
  ended: 'Left the app’s code, and its thread ended: this is how a crash looks. ',
  open:
    'Left the app’s code, and nothing of the app followed in its thread. Other threads went on: ' +
    'perhaps a pool kept the exception. ',
};

async function exceptions(view, args) {
  const { all, more } = await unpack('exceptions');
  if (!all.length) {
    view.append(
      el(
        'p',
        { class: 'soft' },
        'No exception passed a method of the app. One that a method throws and catches inside of code outside the app is not recorded.',
      ),
    );
    return;
  }
  view.className = 'full';
  const left = el('div', { class: 'scroll', style: { flex: '1.1' } });
  const details = el('div', { class: 'scroll details', style: { flex: '1' } });
  const rows = new Rows(
    left,
    27,
    i => [
      el('span', { class: 'grow name' }, placeText(all[i].from[0])),
      el('span', { class: 'grow' }, exceptionEnd(all[i])),
      el('span', { class: 'n', style: { width: '60px' } }, num(all[i].n)),
    ],
    select,
  );
  left.append(
    el(
      'div',
      { class: 'heads' },
      el('span', { class: 'grow' }, 'Thrown at'),
      el('span', { class: 'grow' }, 'Ends'),
      el('span', { class: 'n', style: { width: '60px' } }, 'Times'),
    ),
  );
  left.append(rows.box);
  view.append(
    el(
      'div',
      { class: 'bar' },
      el(
        'span',
        { class: 'note' },
        `${plural(all.length, 'kind')} of exceptions${more ? `; ${num(more)} more exceptions are only counted` : ''}. A log has no types and messages: see the place.`,
      ),
    ),
    el('div', { class: 'split' }, left, details),
  );

  function select(i) {
    const e = all[i];
    history.replaceState(null, '', `#exceptions/${i}`);
    const line = block => {
      const p = placesOf(block)[0];
      return el('a', { class: 'name', onclick: () => p && goToLine(p.frame, p.line) }, placeText(block));
    };
    const sure =
      e.from.length > 1
        ? el('p', { class: 'note' }, 'The log does not tell which of these places threw.')
        : null;
    details.replaceChildren(
      el(
        'h2',
        {},
        'Thrown at ',
        e.from.map((b, n) => [n ? ' or ' : '', line(b)]),
      ),
      sure || '',
      el(
        'p',
        {},
        e.to === null || e.to === undefined
          ? leftWords[e.last] || 'Left the app’s code; the code that had called it kept it. '
          : ['Caught at ', line(e.to), '. '],
        `${plural(e.n, 'time')}; ${e.last ? 'last' : 'first'} in `,
        el('a', { href: `#timeline/${e.at[0]}/${e.at[1]}` }, whereText(e.at)),
        '.',
      ),
      e.ended.length ? el('h3', {}, `Calls that it ended (${num(e.dropped)})`) : '',
      e.ended.length
        ? el(
            'ol',
            { class: 'name' },
            e.ended.map(f =>
              el('li', {}, el('a', { href: `#methods/${f}`, title: fullName(f) }, shortName(f))),
            ),
            e.dropped > e.ended.length ? el('li', {}, `and ${num(e.dropped - e.ended.length)} more`) : null,
          )
        : '',
    );
    if (e.window) {
      const events = e.window.events;
      details.append(
        el('h3', {}, 'What ran before, repetitions folded'),
        pathBox(parsePath(events, 0, events.length, e.window.depth)),
      );
    } else {
      details.append(
        el(
          'p',
          { class: 'note' },
          'What ran before is not kept for this one. This command prints it: ',
          el('code', {}, decodeCommand(e.at[0], e.at[1])),
        ),
      );
    }
  }
  rows.show(all.length);
  rows.choose(Math.min(all.length - 1, Number(args[0]) || 0));
}
