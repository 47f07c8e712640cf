// The call tree as a table that unfolds.

/** Children that are drawn at first. */
const KIDS = 100;

/** Children that ran in the sessions shown. */
const kidsOf = node => node.kids.filter(kid => kid.total || kid.calls);

async function callTree(view) {
  const head = el(
    'div',
    { class: 'heads' },
    el('span', { class: 'grow' }, 'Call'),
    el('span', { class: 'n', style: { width: '90px' } }, 'Calls'),
    el('span', { class: 'n wide', style: { width: '100px' } }, 'Own blocks'),
    el('span', { class: 'n', style: { width: '110px' } }, 'Blocks'),
    isTimed() ? el('span', { class: 'n', style: { width: '90px' } }, 'Time') : null,
    el('span', { class: 'n', style: { width: '70px' } }, 'Of all'),
    el('span', { class: 'wide', style: { width: '76px' } }, ''),
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
        'Calls in the calls around them, those with the most blocks first. ' +
          'Arrow keys open, close and move.',
      ),
    ),
    el('div', { class: 'scroll', style: { flex: '1' } }, head, box),
  );

  const draw = (node, into, level) => {
    const kids = el('div', { role: 'group' });
    const toggle = el(
      'span',
      { class: 'toggle', 'aria-hidden': 'true' },
      kidsOf(node).length ? '▸' : '',
    );
    let open = false;
    const set = wanted => {
      if (!kidsOf(node).length || wanted === open) return;
      open = wanted;
      toggle.textContent = open ? '▾' : '▸';
      row.setAttribute('aria-expanded', String(open));
      kids.replaceChildren();
      if (open) more(0);
    };
    const more = from => {
      kidsOf(node)
        .slice(from, from + KIDS)
        .forEach(kid => draw(kid, kids, level + 1));
      if (kidsOf(node).length > from + KIDS) {
        const button = el(
          'button',
          {
            onclick: () => {
              button.remove();
              more(from + KIDS);
            },
          },
          `${num(kidsOf(node).length - from - KIDS)} more`,
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
        'aria-expanded': kidsOf(node).length ? 'false' : null,
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
        {
          class: 'grow name',
          title: nodeTitle(node),
          style: { paddingLeft: `${(level - 1) * 16}px` },
        },
        toggle,
        isFrame(node) ? classDot(node.part) : null,
        nodeName(node),
      ),
      el('span', { class: 'n', style: { width: '90px' } }, node.calls ? num(node.calls) : ''),
      el('span', { class: 'n soft wide', style: { width: '100px' } }, num(node.self)),
      el('span', { class: 'n', style: { width: '110px' } }, num(node.total)),
      isTimed() ? el('span', { class: 'n', style: { width: '90px' } }, nodeTime(node)) : null,
      el(
        'span',
        { class: 'n', style: { width: '70px' } },
        percent(node.total, shownNodes[0].total),
      ),
      el(
        'span',
        { class: 'wide', style: { width: '76px' } },
        meter(node.total, shownNodes[0].total),
      ),
    );
    into.append(row, kids);
  };
  // The path of most steps is open at first.
  shownNodes[0].kids.filter(k => k.total || k.calls).forEach(kid => draw(kid, box, 1));
  for (let i = 0; i < 2; i++) box.querySelectorAll('[role="treeitem"]')[i]?.click();
}

/** Time of a node; a dash where no callback around it has a measured end. */
const nodeTime = node => (node.us > 0 ? duration(node.us) : '–');
