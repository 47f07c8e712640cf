// The flame graph: the call tree, outermost calls on top, as wide as their steps or their time.

const FLAME = 20;
/** What the graph's widths are: `total` (blocks) or `us`; and if it is turned over. */
let flameBy = 'total',
  flameInverted = false;

async function flame(view, args, params) {
  view.className = 'full';
  let all = flameInverted ? invertTree(shownNodes) : shownNodes;
  let focus = all[Number(args[0])] || all[0],
    chosen = focus,
    boxes = [];
  const canvas = el('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-label':
      'Flame graph: arrow keys move, Enter zooms, Escape zooms out. ' +
      'The call tree has the same as text.',
  });
  const chart = el('div', { class: 'chart', style: { flex: '1' } }, canvas);
  const crumbs = el('div', { class: 'crumbs grow', role: 'status' });
  const filter = el('input', {
    type: 'search',
    placeholder: 'Highlight methods',
    'aria-label': 'Highlight methods',
    value: params.get('q') || args[1] || '',
  });
  const found = el('span', { class: 'note' });
  const tabs = (entries, isOn, pick) => {
    const box = el('span', { class: 'tabs' });
    for (const [key, text] of entries) {
      const button = el('button', { type: 'button', 'aria-pressed': String(isOn(key)) }, text);
      button.addEventListener('click', () => {
        pick(key);
        for (const other of box.children) other.setAttribute('aria-pressed', 'false');
        button.setAttribute('aria-pressed', 'true');
      });
      box.append(button);
    }
    return box;
  };
  const widths = tabs(
    [
      ['total', 'Blocks'],
      ['us', 'Time'],
    ],
    key => flameBy === key,
    key => {
      flameBy = key;
      draw();
    },
  );
  const orders = tabs(
    [
      [false, 'Callers on top'],
      [true, 'Inverted'],
    ],
    key => flameInverted === key,
    key => {
      flameInverted = key;
      all = flameInverted ? invertTree(shownNodes) : shownNodes;
      zoom(all[0]);
    },
  );
  const timeText = node =>
    isTimed() ? `, ${duration(node.us)} (${percent(node.us, all[0].us)})` : '';
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      found,
      crumbs,
      orders,
      isTimed() ? widths : null,
      el('button', { type: 'button', onclick: () => zoom(all[0]) }, 'All'),
    ),
    chart,
    el(
      'p',
      { class: 'note wide-note' },
      'Width: basic blocks that ran',
      isTimed() ? ', or time, which is measured per callback and interpolated in it' : '',
      `. ${treeIsOfAll() ? 'All sessions: the page has no sums of each. ' : ''}`,
      'Calls of one method are merged; the timeline has those of a callback in order. ',
      'Click to zoom, click the upper frames to go back.',
    ),
  );

  function zoom(node) {
    focus = chosen = node;
    setAddress(flameInverted ? 'flame' : `flame/${node.index}`, { q: filter.value || null });
    draw();
  }

  function draw() {
    const width = Math.max(300, chart.clientWidth - 2);
    const wanted = filter.value.toLowerCase();
    const isMatching = node => wanted && nodeTitle(node).toLowerCase().includes(wanted);
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
      mark = colour('--mark');
    let matched = 0,
      share = 0;
    for (const b of boxes) {
      const isMatch = isMatching(b.node);
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
        let above = b.node.parent;
        while (above && !isMatching(above)) above = above.parent;
        // What is in a matching frame counts once.
        if (!above) share += b.node[flameBy];
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
    found.textContent = wanted
      ? `${plural(matched, 'frame')}, ${percent(share, focus[flameBy])} of what is shown`
      : '';
    crumbs.textContent = `${nodeTitle(chosen)}: ${describe(chosen, ', ')}`;
  }

  /** Steps, time and calls of a node. */
  function describe(node, line) {
    const own = flameInverted ? '' : `, ${num(node.self)} of its own`;
    const calls = node.calls ? `${line}${plural(node.calls, 'call')}` : '';
    const share = percent(node.total, all[0].total);
    return `${plural(node.total, 'block')} (${share} of all)${own}${timeText(node)}${calls}`;
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
    return tip(`${nodeTitle(n)}\n${describe(n, '\n')}`, e);
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
