// Decisions that went an unusual way.

const onceText = once => (once >= 2 ? `once in ${num(once)}` : 'nearly always');

/** A call site's method, as in the source: `La/B;->c(Ljava/lang/Object;)V` is `B.c`. */
function calledText(site) {
  const method = site.match(/^L?(?:.*[/.])?([^/;.]+);?->([^(]+)/);
  return method ? `${method[1]}.${sourceName(method[2])}` : site;
}

/** A decision in words. */
function decisionText(s) {
  if (s.from !== undefined) {
    const to = placesOf(s.to)[0],
      from = placesOf(s.from)[0];
    const where = to && from && to.frame === from.frame ? `line ${to.line}` : placeText(s.to, true);
    return el('span', { class: 'name' }, placeText(s.from), ' → ', where);
  }
  if (s.site !== undefined) {
    const callee = s.callee === null ? 'something else' : shortName(s.callee);
    return el(
      'span',
      {},
      el('span', { class: 'name' }, callee),
      el('span', { class: 'soft' }, ` called as ${calledText(s.site)}`),
    );
  }
  const next = s.next === null ? 'a callback that was never seen there' : shortName(s.next);
  return el(
    'span',
    {},
    el('span', { class: 'name' }, next),
    el(
      'span',
      { class: 'soft' },
      s.after === null ? ' as the next callback' : ` after ${shortName(s.after)}`,
    ),
  );
}

function goToDecision(s) {
  if (s.from !== undefined) {
    const p = placesOf(s.from),
      last = p[p.length - 1];
    if (last) goToLine(last.frame, last.line);
  } else {
    location.hash = `#timeline/${s.at[0]}/${s.at[1]}`;
  }
}

async function surprises(view, args) {
  await readFiles();
  const data = await unpack('surprises');
  const rare = args[0] === 'rare' || (args[0] === undefined && !main.trained);
  const tab = (key, text, on) =>
    el('a', { href: `#surprises/${key}`, 'aria-current': on ? 'page' : null }, text);
  const where = s =>
    el(
      'a',
      { href: `#timeline/${s.at[0]}/${s.at[1]}`, onclick: e => e.stopPropagation() },
      whereText(s.at),
    );
  const texts = main.sources
    ? await textsOf({
        parts: (rare ? data.rare : data.dear)
          .filter(s => s.from !== undefined)
          .map(s => ({ block: s.from })),
      })
    : null;
  const decision = s => {
    const places = s.from === undefined ? [] : placesOf(s.from),
      text = texts && places.length ? sourceLine(texts, places[places.length - 1]) : null;
    return [decisionText(s), text ? el('span', { class: 'name text-of' }, text) : null];
  };
  view.append(
    el(
      'div',
      { class: 'bar' },
      el(
        'span',
        { class: 'tabs' },
        tab('dear', 'Against the model', !rare),
        tab('rare', 'Rare in these logs', rare),
      ),
    ),
  );
  if (rare) {
    view.append(
      el(
        'p',
        { class: 'note' },
        'Directions that at most one in four went, of decisions that came at least 20 times, ' +
          'in all sessions.',
      ),
      rows(
        data.rare,
        s => [decision(s), percent(s.n, s.all), `${num(s.n)} of ${num(s.all)}`, where(s)],
        [['Decision'], ['Share', 'n'], ['Times', 'n'], ['First in']],
      ),
    );
    return;
  }
  view.append(
    el(
      'p',
      { class: 'note' },
      main.trained
        ? 'Bits that each decision cost under the distributions of this build, which come from ' +
            'earlier sessions. A coin toss costs 1 bit; what goes this way once in 4,096 costs 12.'
        : 'This build was made without a model: all directions of a branch counted as equally ' +
            'likely. See the ones that are rare in these logs.',
    ),
    rows(
      data.dear,
      s => [
        decision(s),
        s.bits.toFixed(2),
        onceText(s.once),
        `${num(s.n)} of ${num(s.all)}`,
        where(s),
      ],
      [['Decision'], ['Bits', 'n'], ['Expected', 'n'], ['Times', 'n'], ['First in']],
    ),
  );

  function rows(list, cells, columns) {
    if (!list.length) return el('p', { class: 'soft' }, 'Nothing stands out.');
    return el(
      'div',
      { class: 'panel' },
      table(
        columns,
        list.map(s => ({ cells: cells(s), pick: () => goToDecision(s) })),
      ),
    );
  }
}
