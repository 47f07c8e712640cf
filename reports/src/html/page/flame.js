// The flame graph: the call tree, outermost calls on top, as wide as their steps or their time.

const FLAME = 20;
/** What the graph's widths are: `total` (steps) or `us`. */
let flameBy = 'total';

async function flame(view, args) {
  view.className = 'full';
  let focus = nodes[Number(args[0])] || nodes[0],
    chosen = focus,
    boxes = [];
  const canvas = el('canvas', {
    tabindex: 0,
    'aria-label': 'Flame graph: arrow keys move, Enter zooms, Escape zooms out',
  });
  const chart = el('div', { class: 'chart', style: { flex: '1' } }, canvas);
  const crumbs = el('div', { class: 'crumbs grow' });
  const filter = el('input', {
    type: 'search',
    placeholder: 'Highlight methods',
    'aria-label': 'Highlight methods',
    value: args[1] ? decodeURIComponent(args[1]) : '',
  });
  const found = el('span', { class: 'note' });
  const tab = (key, text) =>
    el(
      'a',
      {
        role: 'button',
        tabindex: 0,
        'aria-current': flameBy === key,
        onclick: () => {
          flameBy = key;
          for (const k in by) by[k].toggleAttribute('aria-current', k === key);
          draw();
        },
        onkeydown: e => e.key === 'Enter' && e.target.click(),
      },
      text,
    );
  const by = { total: tab('total', 'Steps'), us: tab('us', 'Time') };
  const timeText = node =>
    isTimed() ? `, ${duration(node.us)} (${percent(node.us, nodes[0].us)})` : '';
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      found,
      crumbs,
      isTimed() ? el('span', { class: 'tabs' }, by.total, by.us) : null,
      el('button', { onclick: () => zoom(nodes[0]) }, 'All'),
    ),
    chart,
    el(
      'p',
      { class: 'note', style: { margin: '8px 0 0', maxWidth: 'none' } },
      isTimed()
        ? 'Width: basic blocks that ran, or time, in all threads and processes of the logs. Time is measured per callback and interpolated in it. Order from left to right: by steps. Click to zoom, click the upper frames to go back.'
        : 'Width: basic blocks that ran, in all threads and processes of the logs. Order from left to right: by width. Click to zoom, click the upper frames to go back.',
    ),
  );

  function zoom(node) {
    focus = chosen = node;
    history.replaceState(null, '', `#flame/${node.index}`);
    draw();
  }

  function draw() {
    const width = Math.max(300, chart.clientWidth - 2);
    const wanted = filter.value.toLowerCase();
    const chain = [];
    for (let n = focus; n; n = n.parent) chain.unshift(n);
    boxes = chain.map((node, row) => ({ node, row, x: 0, w: width }));
    let deepest = chain.length;
    const place = (node, row, x, w) => {
      let at = x;
      for (const kid of node.kids) {
        const wide = focus[flameBy] ? (kid[flameBy] / focus[flameBy]) * width : 0;
        if (wide >= 0.6) {
          boxes.push({ node: kid, row, x: at, w: wide });
          deepest = Math.max(deepest, row + 1);
          place(kid, row + 1, at, wide);
        }
        at += wide;
      }
    };
    place(focus, chain.length, 0, width);
    const c = sharpen(canvas, width, deepest * FLAME + 2);
    const sat = colour('--sat'),
      lum = colour('--lum'),
      ink = colour('--ink'),
      soft = colour('--line'),
      mark = colour('--mark'),
      panel = colour('--panel');
    let matched = 0;
    for (const b of boxes) {
      const isMatch = wanted && nodeTitle(b.node).toLowerCase().includes(wanted);
      const plain = b.node.part === null || b.node.part < 0;
      c.fillStyle = isMatch
        ? mark
        : plain
          ? soft
          : wanted
            ? soft
            : `hsl(${hue(className(b.node.part))} ${sat} ${lum})`;
      c.globalAlpha = b.row < chain.length - 1 ? 0.55 : 1;
      c.fillRect(b.x, b.row * FLAME, Math.max(0.6, b.w - (b.w > 3 ? 1 : 0)), FLAME - 1);
      c.globalAlpha = 1;
      if (isMatch) {
        matched++;
        c.strokeStyle = colour('--warn');
        c.strokeRect(b.x + 0.5, b.row * FLAME + 0.5, Math.max(1, b.w - 2), FLAME - 2);
      }
      if (b.w > 34) {
        c.fillStyle = ink;
        c.fillText(fit(c, nodeName(b.node), b.w - 8), b.x + 4, b.row * FLAME + FLAME / 2);
      }
    }
    if (chosen !== focus) {
      const b = boxes.find(b => b.node === chosen);
      if (b) {
        c.strokeStyle = colour('--accent');
        c.lineWidth = 2;
        c.strokeRect(b.x + 1, b.row * FLAME + 1, Math.max(2, b.w - 3), FLAME - 3);
      }
    }
    c.fillStyle = panel;
    found.textContent = wanted ? plural(matched, 'frame') : '';
    crumbs.textContent = `${nodeTitle(chosen)}: ${num(chosen.total)} steps, ${percent(chosen.total, nodes[0].total)} of all, ${num(chosen.self)} of its own${timeText(chosen)}${chosen.calls ? `, ${plural(chosen.calls, 'call')}` : ''}`;
  }

  const under = e => {
    const box = canvas.getBoundingClientRect(),
      x = e.clientX - box.left,
      row = Math.floor((e.clientY - box.top) / FLAME);
    return boxes.find(b => b.row === row && x >= b.x && x < b.x + b.w);
  };
  canvas.addEventListener('click', e => {
    const b = under(e);
    if (b) zoom(b.node);
  });
  canvas.addEventListener('mousemove', e => {
    const b = under(e);
    if (!b) return tip('');
    const n = b.node;
    tip(
      `${nodeTitle(n)}\n${plural(n.total, 'step')} (${percent(n.total, nodes[0].total)} of all), ${num(n.self)} of its own${timeText(n)}${n.calls ? `\n${plural(n.calls, 'call')} here` : ''}`,
      e,
    );
  });
  canvas.addEventListener('mouseleave', () => tip(''));
  canvas.addEventListener('keydown', e => {
    const siblings = chosen.parent ? chosen.parent.kids : [chosen],
      at = siblings.indexOf(chosen);
    const to = {
      ArrowUp: chosen !== focus ? chosen.parent : null,
      ArrowDown: chosen.kids[0],
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
    }[e.key];
    if (e.key === 'Enter') zoom(chosen);
    else if (e.key === 'Escape' || e.key === 'Backspace') zoom(focus.parent || focus);
    else if (to && to[flameBy] > 0) {
      chosen = to;
      draw();
    } else return;
    e.preventDefault();
  });
  filter.addEventListener('input', draw);
  onResize(draw);
  draw();
}
