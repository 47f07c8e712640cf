// The call tree as a table that unfolds, and methods one by one.

/** Children that are drawn at first. */
const KIDS = 100;

async function callTree(view) {
  const head = el(
    'div',
    { class: 'heads' },
    el('span', { class: 'grow' }, 'Call'),
    el('span', { class: 'n', style: { width: '90px' } }, 'Calls'),
    el('span', { class: 'n', style: { width: '100px' } }, 'Own steps'),
    el('span', { class: 'n', style: { width: '110px' } }, 'Steps'),
    isTimed() ? el('span', { class: 'n', style: { width: '90px' } }, 'Time') : null,
    el('span', { class: 'n', style: { width: '70px' } }, 'Of all'),
    el('span', { style: { width: '76px' } }, ''),
  );
  const box = el('div', { role: 'tree', 'aria-label': 'Call tree' });
  view.className = 'full';
  view.append(
    el(
      'div',
      { class: 'bar' },
      el(
        'span',
        { class: 'note grow' },
        'Calls in the calls around them, those with the most steps first. Arrow keys open, close and move.',
      ),
    ),
    el('div', { class: 'scroll', style: { flex: '1' } }, head, box),
  );

  const draw = (node, into, level) => {
    const kids = el('div', { role: 'group' });
    const toggle = el('span', { class: 'toggle', 'aria-hidden': 'true' }, node.kids.length ? '▸' : '');
    let open = false;
    const set = wanted => {
      if (!node.kids.length || wanted === open) return;
      open = wanted;
      toggle.textContent = open ? '▾' : '▸';
      row.setAttribute('aria-expanded', String(open));
      kids.replaceChildren();
      if (open) more(0);
    };
    const more = from => {
      node.kids.slice(from, from + KIDS).forEach(kid => draw(kid, kids, level + 1));
      if (node.kids.length > from + KIDS) {
        const button = el(
          'button',
          {
            onclick: () => {
              button.remove();
              more(from + KIDS);
            },
          },
          `${num(node.kids.length - from - KIDS)} more`,
        );
        kids.append(button);
      }
    };
    const row = el(
      'div',
      {
        class: 'row',
        role: 'treeitem',
        tabindex: 0,
        style: { position: 'static', height: '25px' },
        'aria-level': level,
        'aria-expanded': node.kids.length ? 'false' : null,
        onclick: () => set(!open),
        onkeydown: e => {
          const rows = [...box.querySelectorAll('[role="treeitem"]')],
            at = rows.indexOf(row);
          if (e.key === 'ArrowRight') set(true);
          else if (e.key === 'ArrowLeft') {
            if (open) set(false);
            else
              rows
                .slice(0, at)
                .reverse()
                .find(r => Number(r.ariaLevel) < level)
                ?.focus();
          } else if (e.key === 'ArrowDown') rows[at + 1]?.focus();
          else if (e.key === 'ArrowUp') rows[at - 1]?.focus();
          else if (e.key === 'Enter' && node.part >= 0) location.hash = `#methods/${node.part}`;
          else return;
          e.preventDefault();
        },
      },
      el(
        'span',
        { class: 'grow name', title: nodeTitle(node), style: { paddingLeft: `${(level - 1) * 16}px` } },
        toggle,
        nodeName(node),
      ),
      el('span', { class: 'n', style: { width: '90px' } }, node.calls ? num(node.calls) : ''),
      el('span', { class: 'n soft', style: { width: '100px' } }, num(node.self)),
      el('span', { class: 'n', style: { width: '110px' } }, num(node.total)),
      isTimed() ? el('span', { class: 'n', style: { width: '90px' } }, duration(node.us)) : null,
      el('span', { class: 'n', style: { width: '70px' } }, percent(node.total, nodes[0].total)),
      el('span', { style: { width: '76px' } }, meter(node.total, nodes[0].total)),
    );
    into.append(row, kids);
  };
  // The way of most steps is open at first.
  nodes[0].kids.forEach(kid => draw(kid, box, 1));
  for (let i = 0; i < 2; i++) box.querySelectorAll('[role="treeitem"]')[i]?.click();
}

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
  const details = el('div', { class: 'scroll details', style: { flex: '1' } });
  const title = (key, text, width) =>
    el(
      'span',
      {
        class: width ? 'n link' : 'grow link',
        style: width ? { width } : {},
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
      title('self', 'Own steps', '96px'),
      title('total', 'Steps', '104px'),
      isTimed() ? title('us', 'Time', '92px') : null,
    ),
  );
  const rows = new Rows(
    left,
    25,
    i => [
      el('span', { class: 'grow name', title: fullName(list[i].frame) }, shortName(list[i].frame)),
      el('span', { class: 'n', style: { width: '84px' } }, num(list[i].calls)),
      el('span', { class: 'n', style: { width: '96px' } }, num(list[i].self)),
      el('span', { class: 'n', style: { width: '104px' } }, num(list[i].total)),
      isTimed() ? el('span', { class: 'n', style: { width: '92px' } }, duration(list[i].us)) : null,
    ],
    i => select(list[i]),
  );
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      count,
      el('span', { class: 'grow' }),
      el(
        'span',
        { class: 'note' },
        isTimed()
          ? 'Steps and time: with all that was called; recursion counts once. Time is interpolated in callbacks. Click a heading to sort.'
          : 'Steps: with all that was called; recursion counts once. Click a heading to sort.',
      ),
    ),
    el('div', { class: 'split' }, left, details),
  );

  function select(m) {
    history.replaceState(null, '', `#methods/${m.frame}`);
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
          ['Steps', 'n'],
        ],
        [...of]
          .sort((a, b) => b[1].steps - a[1].steps)
          .slice(0, 40)
          .map(([key, s]) => ({
            pick:
              key >= 0
                ? () => {
                    location.hash = `#methods/${key}`;
                  }
                : null,
            cells: [key === 'top' ? 'code outside the app' : nodeName(s.node), num(s.calls), num(s.steps)],
          })),
      );
    };
    const widest = m.nodes.reduce((a, b) => (b.total > a.total ? b : a));
    const kind = ['', 'inlined by the compiler', 'made by the compiler', 'an outline, made by the compiler'][
      names.frames[m.frame].k || 0
    ];
    details.replaceChildren(
      el('h2', { class: 'name' }, fullName(m.frame)),
      el(
        'p',
        { class: 'note' },
        `${plural(m.calls, 'call')}, ${plural(m.self, 'own step')}, ${plural(m.total, 'step')}${isTimed() ? ` and ${duration(m.us)}` : ''} with all that it called. `,
        kind ? el('span', { class: 'tag' }, kind) : null,
      ),
      el(
        'p',
        {},
        el('a', { onclick: () => goToLine(m.frame) }, 'Source'),
        '  ·  ',
        el('a', { href: `#flame/${widest.index}` }, 'Flame graph from here'),
        '  ·  ',
        el('a', { href: `#flame/0/${encodeURIComponent(fullName(m.frame))}` }, 'All its frames'),
      ),
      el('h3', {}, 'Called by'),
      sums(m.nodes.map(n => [n.parent, n.calls, n.total])),
      el('h3', {}, 'Calls'),
      sums(m.nodes.flatMap(n => n.kids.map(k => [k, k.calls, k.total]))),
    );
  }

  function refill() {
    const wanted = filter.value.toLowerCase();
    list = all
      .filter(m => fullName(m.frame).toLowerCase().includes(wanted))
      .sort((a, b) => order[by](a, b) || a.frame - b.frame);
    count.textContent = plural(list.length, 'method');
    rows.show(list.length);
  }
  filter.addEventListener('input', refill);
  refill();
  const i = args[0] === undefined ? 0 : list.findIndex(m => m.frame === Number(args[0]));
  if (list[i]) rows.choose(i);
}
