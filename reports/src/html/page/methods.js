// Methods one by one: figures, callers, callees.

async function methodList(view, args) {
  view.className = 'full';
  const all = [...methods().values()];
  const order = {
    name: (a, b) => fullName(a.frame).localeCompare(fullName(b.frame)),
    calls: (a, b) => b.calls - a.calls,
    self: (a, b) => b.self - a.self,
    total: (a, b) => b.total - a.total,
    us: (a, b) => b.us - a.us,
  };
  let by = 'self',
    list = [];
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter methods',
    'aria-label': 'Filter methods',
  });
  const count = el('span', { class: 'note' });
  const left = el('div', { class: 'scroll', style: { flex: '1.3' } });
  const details = el('div', { class: 'scroll details', style: { flex: '1' }, tabindex: 0 });
  const title = (key, text, width, kind = '') =>
    el(
      'button',
      {
        type: 'button',
        class: `plain-button ${width ? 'n' : 'grow'} ${kind}`,
        style: width ? { width } : {},
        title: `Sort by ${text.toLowerCase()}`,
        onclick: () => {
          by = key;
          refill();
        },
      },
      text,
    );
  left.append(
    el(
      'div',
      { class: 'heads' },
      title('name', 'Method'),
      title('calls', 'Calls', '84px'),
      title('self', 'Own blocks', '96px', 'wide'),
      title('total', 'Blocks', '104px'),
      isTimed() ? title('us', 'Time', '92px') : null,
    ),
  );
  const rows = new Rows(
    left,
    25,
    i => [
      el(
        'span',
        { class: 'grow name', title: fullName(list[i].frame) },
        classDot(list[i].frame),
        shortName(list[i].frame),
      ),
      el('span', { class: 'n', style: { width: '84px' } }, num(list[i].calls)),
      el('span', { class: 'n wide', style: { width: '96px' } }, num(list[i].self)),
      el('span', { class: 'n', style: { width: '104px' } }, num(list[i].total)),
      isTimed() ? el('span', { class: 'n', style: { width: '92px' } }, nodeTime(list[i])) : null,
    ],
    i => select(list[i], true),
    'Methods',
  );
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      count,
      el(
        'span',
        { class: 'note wide hint' },
        isTimed()
          ? 'Steps and time: with all that was called; recursion counts once. ' +
              'Time is interpolated in callbacks.'
          : 'Steps: with all that was called; recursion counts once.',
      ),
    ),
    el('div', { class: 'split' }, left, details),
  );

  function select(m, push) {
    setAddress(`methods/${m.frame}`, {}, push);
    const sums = related => {
      const of = new Map();
      related.forEach(([node, calls, steps]) => {
        const key = node.part === null || node.part < -1 ? 'top' : node.part;
        const sum = of.get(key) || { node, calls: 0, steps: 0 };
        sum.calls += calls;
        sum.steps += steps;
        of.set(key, sum);
      });
      return table(
        [
          ['Method', 'name'],
          ['Calls', 'n'],
          ['Blocks', 'n'],
        ],
        [...of]
          .sort((a, b) => b[1].steps - a[1].steps)
          .slice(0, 40)
          .map(([key, s]) => ({
            to: key >= 0 ? `#methods/${key}` : null,
            cells: [
              key === 'top' ? 'code outside the app' : nodeName(s.node),
              num(s.calls),
              num(s.steps),
            ],
          })),
      );
    };
    const same = shownNodes.filter(node => node.part === m.frame);
    const shown = same.length ? same.reduce((a, b) => (b.total > a.total ? b : a)) : null;
    const kind = [
      '',
      'inlined by the compiler',
      'made by the compiler',
      'an outline, made by the compiler',
    ][names.frames[m.frame].k || 0];
    details.replaceChildren(
      el('h2', { class: 'name' }, classDot(m.frame), fullName(m.frame)),
      el(
        'p',
        { class: 'note' },
        `${plural(m.calls, 'call')}, ${plural(m.self, 'own block')}, ` +
          `${plural(m.total, 'block')}${isTimed() ? ` and ${nodeTime(m)}` : ''} ` +
          'with all that it called. ',
        kind ? el('span', { class: 'tag' }, kind) : null,
      ),
      el(
        'p',
        {},
        el('button', { type: 'button', class: 'link', onclick: () => goToLine(m.frame) }, 'Source'),
        '  ·  ',
        shown ? el('a', { href: `#flame/${shown.index}` }, 'Flame graph from here') : null,
        '  ·  ',
        el('a', { href: `#flame/0?q=${encodeURIComponent(fullName(m.frame))}` }, 'All its frames'),
      ),
      el('h3', {}, 'Called by'),
      sums(m.nodes.map(n => [n.parent, n.calls, n.total])),
      el('h3', {}, 'Calls'),
      sums(m.nodes.flatMap(n => n.kids.map(k => [k, k.calls, k.total]))),
    );
  }

  function refill() {
    const wanted = filter.value.trim(),
      own = ownFirst();
    list = all
      .filter(m => !wanted || fitsFilter(m.frame, wanted))
      .sort(
        (a, b) =>
          (own ? isOwn(b.frame) - isOwn(a.frame) : 0) || order[by](a, b) || a.frame - b.frame,
      );
    count.textContent = plural(list.length, 'method');
    rows.show(list.length);
  }
  filter.addEventListener('input', refill);
  refill();
  const goTo = to => {
    const i = list.findIndex(m => to[0] === undefined || m.frame === Number(to[0]));
    if (i < 0) return;
    rows.choose(i, true);
    select(list[i]);
  };
  goTo(args);
  return goTo;
}
