// Callbacks by thread and time, their list, and the path of each.

const LANE = 22,
  LABEL = 190,
  AXIS = 22,
  LANES = 600;

async function timeline(view, args) {
  await Promise.all([readCallbacks(), readIntervals()]);
  view.className = 'full';
  const order = lanes
    .map(l => l.i)
    .filter(i => lanes[i].m.length)
    .sort((a, b) => lanes[a].p - lanes[b].p || lanes[a].n - lanes[b].n);
  const shown = order.slice(0, LANES);
  const rowOf = new Map(shown.map((lane, row) => [lane, row]));
  const last = lanes.reduce(
    (most, l) => l.t.reduce((m, _, i) => Math.max(m, endOf(l, i)), most),
    1,
  );
  const all = { from: -last * 0.01, to: last * 1.02 };
  const range = { ...all };
  let list = [],
    hits = new Set(),
    chosen = null;

  const canvas = el('canvas', {
    tabindex: 0,
    'aria-label': 'Timeline of callbacks: arrow keys move, + and - zoom',
  });
  const chart = el('div', { class: 'chart', style: { flex: 'none', maxHeight: '42%' } }, canvas);
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter callbacks',
    'aria-label': 'Filter callbacks',
  });
  const count = el('span', { class: 'note' });
  const reset = el('button', { onclick: () => look(all) }, 'Whole time');
  const bar = el(
    'div',
    { class: 'bar' },
    filter,
    count,
    el('span', { class: 'grow' }),
    el(
      'span',
      { class: 'note' },
      'Time since each process began. Drag to zoom, or Ctrl and the wheel. Choose a callback to see its path.',
    ),
    reset,
  );
  const left = el('div', { class: 'scroll', style: { flex: '1.1' } });
  const details = el('div', { class: 'scroll details', style: { flex: '1' } });
  left.append(
    el(
      'div',
      { class: 'heads' },
      el('span', { class: 'n', style: { width: '62px' } }, 'Begins'),
      el('span', { class: 'grow' }, 'Callback'),
      el('span', { style: { width: '128px' } }, 'Thread'),
      isTimed() ? el('span', { class: 'n', style: { width: '78px' } }, 'Took') : null,
      el('span', { class: 'n', style: { width: '64px' } }, 'Steps'),
    ),
  );
  const rows = new Rows(
    left,
    25,
    i => {
      const [lane, at] = list[i],
        l = lanes[lane];
      return [
        el('span', { class: 'n', style: { width: '62px' } }, seconds(l.t[at])),
        el('span', { class: 'grow name', title: fullName(l.m[at]) }, shortName(l.m[at])),
        el('span', { class: 'soft', style: { width: '128px' } }, `${laneLabel(l)} #${at + 1}`),
        isTimed() ? el('span', { class: 'n', style: { width: '78px' } }, tookText(l, at)) : null,
        el('span', { class: 'n', style: { width: '64px' } }, num(l.steps[at])),
      ];
    },
    i => select(list[i]),
  );
  view.append(
    bar,
    chart,
    el('div', { style: { height: '12px', flex: 'none' } }),
    el('div', { class: 'split' }, left, details),
  );

  function select([lane, at]) {
    chosen = [lane, at];
    const l = lanes[lane];
    history.replaceState(null, '', `#timeline/${lane}/${at + 1}`);
    details.replaceChildren(
      el('h2', { class: 'name' }, fullName(l.m[at])),
      el(
        'p',
        { class: 'note' },
        `${laneName(l)} #${at + 1} of ${processName(l.p)}, ${seconds(l.t[at])} after its start (${clock(main.processes[l.p].start + l.t[at])}), ${plural(l.steps[at], 'step')}${hasTook(l, at) ? `, took ${tookText(l, at)}` : ''}`,
      ),
    );
    const path = el('div', {});
    details.append(path);
    showCallback(path, lane, at);
    draw();
  }

  function refill() {
    const wanted = filter.value.toLowerCase();
    const fits = new Map();
    const isWanted = frame => {
      if (!fits.has(frame)) fits.set(frame, fullName(frame).toLowerCase().includes(wanted));
      return fits.get(frame);
    };
    list = [];
    for (const lane of order)
      lanes[lane].m.forEach((frame, at) => {
        if (isWanted(frame)) list.push([lane, at]);
      });
    list.sort((a, b) => lanes[a[0]].t[a[1]] - lanes[b[0]].t[b[1]] || a[0] - b[0] || a[1] - b[1]);
    hits = wanted ? new Set([...fits].filter(f => f[1]).map(f => f[0])) : new Set();
    count.textContent =
      plural(list.length, 'callback') +
      (order.length > LANES ? `; ${num(order.length - LANES)} more threads are only in the list` : '');
    rows.show(list.length);
    draw();
  }

  /** Shows a part of the time, and what ran in it. */
  function look(part) {
    Object.assign(range, part);
    chosen = null;
    history.replaceState(null, '', '#timeline');
    draw();
    showInterval(details, range.from, range.to);
  }

  let width = 800;
  const x = t => LABEL + ((t - range.from) / (range.to - range.from)) * (width - LABEL);
  const time = px => range.from + ((px - LABEL) / (width - LABEL)) * (range.to - range.from);

  function draw() {
    width = Math.max(400, chart.clientWidth - 2);
    const height = AXIS + shown.length * LANE + 4;
    const c = sharpen(canvas, width, height);
    const soft = colour('--soft'),
      line = colour('--line'),
      text = colour('--text'),
      accent = colour('--accent');
    const sat = colour('--sat'),
      dark = document.documentElement.dataset.theme === 'dark';
    const step = niceStep((range.to - range.from) / Math.max(2, (width - LABEL) / 110));
    c.font = '11px system-ui, sans-serif';
    for (let t = Math.ceil(Math.max(0, range.from) / step) * step; t <= range.to; t += step) {
      c.fillStyle = line;
      c.fillRect(x(t), AXIS - 4, 1, height);
      c.fillStyle = soft;
      c.fillText(
        step < 1000 ? `${(t / 1000).toFixed(step < 10 ? 3 : 2)} s` : `${Math.round(t / 1000)} s`,
        x(t) + 3,
        AXIS / 2,
      );
    }
    shown.forEach((lane, row) => {
      const l = lanes[lane],
        y = AXIS + row * LANE;
      c.fillStyle = line;
      c.fillRect(0, y, width, 1);
      const most = l.steps.reduce((a, b) => Math.max(a, b), 1);
      let before = -9;
      l.t.forEach((t, at) => {
        const end = endOf(l, at);
        if (end < range.from || t > range.to) return;
        const from = Math.max(LABEL, x(t));
        const wide = Math.max(2, x(end) - from);
        const match = hits.has(l.m[at]);
        // What would be drawn on the same pixels is one mark.
        if (from < before + 1 && !match && wide <= 2) return;
        before = from;
        const tall = Math.round(5 + ((LANE - 9) * Math.log1p(l.steps[at])) / Math.log1p(most));
        c.fillStyle = match
          ? colour('--bad')
          : hits.size
            ? line
            : `hsl(${hue(className(l.m[at]))} ${sat} ${dark ? 58 : 48}%)`;
        c.fillRect(from, y + LANE - 2 - tall, wide, tall);
      });
      c.fillStyle = colour('--panel');
      c.fillRect(0, y + 1, LABEL - 6, LANE - 1);
      c.fillStyle = text;
      c.font = '12px system-ui, sans-serif';
      c.fillText(fit(c, laneLabel(l), LABEL - 16), 10, y + LANE / 2 + 1);
    });
    if (chosen && rowOf.has(chosen[0])) {
      const px = x(lanes[chosen[0]].t[chosen[1]]),
        y = AXIS + rowOf.get(chosen[0]) * LANE;
      c.strokeStyle = accent;
      c.lineWidth = 2;
      if (px >= LABEL) c.strokeRect(px - 3, y + 2, 8, LANE - 3);
    }
    if (drag && drag.now !== undefined) {
      c.fillStyle = accent;
      c.globalAlpha = 0.18;
      c.fillRect(Math.min(drag.px, drag.now), 0, Math.abs(drag.now - drag.px), height);
      c.globalAlpha = 1;
    }
  }

  /** The callback under the pointer. */
  function under(e) {
    const box = canvas.getBoundingClientRect(),
      px = e.clientX - box.left,
      py = e.clientY - box.top;
    const lane = shown[Math.floor((py - AXIS) / LANE)];
    if (lane === undefined || px < LABEL) return null;
    let best = null,
      far = 8;
    lanes[lane].t.forEach((t, at) => {
      const l = lanes[lane],
        from = x(t),
        wide = x(endOf(l, at)) - from;
      const away = px < from ? from - px : px > from + wide ? px - from - wide : 0;
      if (away < far) {
        far = away;
        best = [lane, at];
      }
    });
    return best;
  }

  let drag = null;
  canvas.addEventListener('pointerdown', e => {
    drag = { px: e.clientX - canvas.getBoundingClientRect().left };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    if (drag) {
      const now = e.clientX - canvas.getBoundingClientRect().left;
      if (Math.abs(now - drag.px) > 4) drag.now = now;
      draw();
      return;
    }
    const found = under(e);
    if (!found) return tip('');
    const l = lanes[found[0]],
      at = found[1];
    tip(
      `${fullName(l.m[at])}\n${laneName(l)} #${at + 1}, ${seconds(l.t[at])}, ${plural(l.steps[at], 'step')}${hasTook(l, at) ? `, took ${tookText(l, at)}` : ''}`,
      e,
    );
  });
  canvas.addEventListener('pointerup', e => {
    const was = drag;
    drag = null;
    if (was && was.now !== undefined) {
      const [from, to] = [time(Math.min(was.px, was.now)), time(Math.max(was.px, was.now))];
      if (to > from) return look({ from, to });
    } else {
      const found = under(e);
      if (found) {
        const i = list.findIndex(r => r[0] === found[0] && r[1] === found[1]);
        if (i >= 0) rows.choose(i);
        else select(found);
      }
    }
    draw();
  });
  canvas.addEventListener('pointerleave', () => tip(''));
  const zoom = (at, by) => {
    const from = at - (at - range.from) * by,
      to = at + (range.to - at) * by;
    if (to - from > 0.01 && to - from <= (all.to - all.from) * 1.01)
      look({ from: Math.max(all.from, from), to: Math.min(all.to, to) });
  };
  canvas.addEventListener(
    'wheel',
    e => {
      // Where there is something to scroll, the wheel scrolls.
      if (!e.ctrlKey && !e.metaKey && chart.scrollHeight > chart.clientHeight) return;
      e.preventDefault();
      zoom(time(Math.max(LABEL, e.clientX - canvas.getBoundingClientRect().left)), e.deltaY > 0 ? 1.25 : 0.8);
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', e => {
    const wide = range.to - range.from,
      by = { ArrowLeft: -0.2, ArrowRight: 0.2 }[e.key];
    if (by) look({ from: range.from + by * wide, to: range.to + by * wide });
    else if (e.key === '+') return zoom((range.from + range.to) / 2, 0.8);
    else if (e.key === '-') return zoom((range.from + range.to) / 2, 1.25);
    else return;
    e.preventDefault();
  });
  filter.addEventListener('input', refill);
  onResize(draw);
  refill();
  const [lane, at] = args.map(Number);
  const i = lanes[lane] ? list.findIndex(r => r[0] === lane && r[1] === at - 1) : -1;
  if (i >= 0) rows.choose(i);
  else showInterval(details, range.from, range.to);
}

function niceStep(least) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(least, 0.001)));
  return [1, 2, 5, 10].map(n => n * ten).find(n => n >= least);
}

/** Puts the path of a callback into a box, as far as the page has it. */
async function showCallback(box, lane, at) {
  const paths = await unpack('paths'),
    l = lanes[lane];
  const [from, to, complete] = l.path.slice(at * 3, at * 3 + 3);
  const command = el('code', {}, decodeCommand(lane, at + 1));
  const tail = at === l.m.length - 1 ? paths.tails[lane] : undefined;
  if (to > from) {
    box.append(pathBox(parsePath(paths.events, position(paths, from), position(paths, to), 0)));
  }
  if (!complete && tail) {
    box.append(
      el('h3', {}, 'The last events'),
      pathBox(parsePath(tail.events, 0, tail.events.length, tail.depth)),
    );
  }
  if (!complete) {
    box.append(
      el('p', { class: 'note' }, 'This page does not hold the whole path. This command prints it: ', command),
    );
  }
}

/** Where an event is in the list of numbers: some events are two. */
function position(paths, event) {
  if (!paths.starts) {
    paths.starts = [];
    for (let i = 0; i < paths.events.length; i++) {
      paths.starts.push(i);
      const kind = paths.events[i] % 8;
      if ([1, 2, 4, 5].includes(kind)) i++;
    }
    paths.starts.push(paths.events.length);
  }
  return paths.starts[event];
}
