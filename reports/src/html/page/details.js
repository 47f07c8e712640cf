// Details of a callback: how unusual it is, its calls in order, its path.

/** Puts a callback into a box. */
function showDetails(box, lane, at) {
  const l = lanes[lane],
    process = main.processes[l.p];
  const took = hasTook(l, at) ? `, took ${tookText(l, at)}` : '';
  const path = el('div', {});
  box.replaceChildren(
    el('h2', { class: 'name' }, classDot(l.m[at]), fullName(l.m[at]) + fromText(l, at)),
    el(
      'p',
      { class: 'note' },
      `${laneName(l)} #${at + 1} of ${processName(l.p)}, ${axisText(l.t[at], 1)} after its start ` +
        `(${clock(process.start + l.t[at])}), ${plural(l.steps[at], 'block')}${took}`,
    ),
    comparison(lane, at),
    path,
  );
  box.scrollTop = 0;
  const ending = endings[l.p].find(e => e[1] === lane && e[2] === at + 1);
  if (ending) {
    box.insertBefore(
      el(
        'p',
        { class: `verdict ${ending[3] ? 'bad' : 'warn'}` },
        ending[3] ? 'The thread ended here by an exception. ' : 'The thread may have ended here. ',
        el('a', { href: `#exceptions/${ending[0]}` }, 'What ran before'),
      ),
      path,
    );
  }
  return showCallback(path, lane, at);
}

/** How a callback compares with the others of its method. */
function comparison(lane, at) {
  const l = lanes[lane],
    usual = usualOf(l.m[at]);
  if (usual.n < 2)
    return el('p', { class: 'note' }, 'The only run of this callback in these logs.');
  const times = (a, b) => (b > 0 ? ` (${(a / b).toFixed(a / b < 10 ? 1 : 0)} ×)` : '');
  const parts = [];
  if (hasTook(l, at) && usual.us !== undefined) {
    const middle = duration(usual.us, main.tick);
    parts.push(`median time ${middle}${times(l.us[at], usual.us)}`);
  }
  parts.push(`median ${plural(usual.steps, 'block')}${times(l.steps[at], usual.steps)}`);
  const [otherLane, otherAt] = usual.middle;
  const box = el('div', {});
  const isSelf = otherLane === lane && otherAt === at;
  return el(
    'div',
    { class: 'note' },
    `Of ${plural(usual.n, 'run')}: ${parts.join(', ')}. `,
    isSelf
      ? 'This one is the median.'
      : el(
          'button',
          {
            type: 'button',
            class: 'small',
            onclick: () => compareCalls(box, lane, at, usual.middle),
          },
          'What ran more than in the median run',
        ),
    isSelf
      ? null
      : [' ', el('a', { href: `#timeline/${otherLane}/${otherAt + 1}` }, 'The median run')],
    box,
  );
}

/** Steps of its own by frame in a path. @returns {Map<number, {calls: number, steps: number}>} */
function stepsByFrame(spans) {
  const sums = new Map();
  for (const span of spans) {
    const sum = sums.get(span.frame) || { calls: 0, steps: 0 };
    sum.calls += span.times;
    sum.steps += span.own;
    sums.set(span.frame, sum);
  }
  return sums;
}

async function compareCalls(box, lane, at, [otherLane, otherAt]) {
  const [path, other] = await Promise.all([pathOf(lane, at + 1), pathOf(otherLane, otherAt + 1)]);
  if (!path || !other) {
    box.replaceChildren(
      el('p', {}, 'The page does not have both paths; `report --slow` compares them.'),
    );
    return;
  }
  const [mine, theirs] = [path, other].map(p => stepsByFrame(spansOf(p.events).spans));
  const none = { calls: 0, steps: 0 };
  const rows = [...mine]
    .map(([frame, sum]) => ({ frame, sum, than: theirs.get(frame) || none }))
    .filter(r => r.frame !== undefined && r.sum.steps > r.than.steps)
    .sort((a, b) => b.sum.steps - b.than.steps - (a.sum.steps - a.than.steps))
    .slice(0, 12);
  box.replaceChildren(
    rows.length
      ? table(
          [
            ['Method', 'name'],
            ['Own blocks', 'n'],
            ['Median run', 'n'],
            ['Calls', 'n'],
          ],
          rows.map(r => ({
            to: `#methods/${r.frame}`,
            cells: [
              shortName(r.frame),
              num(r.sum.steps),
              num(r.than.steps),
              `${num(r.sum.calls)} / ${num(r.than.calls)}`,
            ],
          })),
        )
      : el('p', {}, 'Nothing ran more often.'),
  );
}

/**
 * Calls of a path in order, with steps as their time. Where a part ran again, its steps count as
 * often. Folded frames count for their callers.
 * @returns {{spans: Array<{frame: ?number, depth: number, from: number, to: number, own: number,
 *   times: number}>, steps: number}}
 */
function spansOf(events, folded = () => false) {
  const spans = [],
    stack = [];
  let now = 0;
  const end = () => {
    const span = stack.pop();
    if (span) span.to = now;
  };
  for (let i = 0; i < events.length; i++) {
    const kind = events[i] % 8,
      value = Math.floor(events[i] / 8);
    if (kind === 0) {
      now++;
      if (stack.length) stack[stack.length - 1].own++;
    } else if (kind === 1 || kind === 2) {
      i++;
      const frame = byMethod.get(value),
        above = stack[stack.length - 1];
      if (above && frame !== undefined && folded(frame)) {
        stack.push(above);
        continue;
      }
      const depth = above ? above.depth + 1 : 0;
      const span = { frame, depth, from: now, to: now, own: 0, times: 1 };
      spans.push(span);
      stack.push(span);
    } else if (kind === 3) end();
    else if (kind === 4) {
      const again = value * events[++i];
      now += again;
      if (stack.length) stack[stack.length - 1].own += again;
    } else if (kind === 5 || kind === 6) {
      if (kind === 5) i++;
      for (let n = 0; n < value; n++) end();
    }
  }
  while (stack.length) end();
  return { spans, steps: now };
}

const CALL_ROW = 18,
  CALL_ROWS = 14;

/** A canvas with the calls of a path, from left to right in order. */
function callsChart(events, took) {
  const { spans, steps } = spansOf(events, foldsGlue() ? isGlue : undefined);
  if (spans.length < 2) return null;
  const canvas = el('canvas', { class: 'calls', role: 'img', 'aria-label': 'Calls in order' });
  const deepest = spans.reduce((n, s) => Math.max(n, s.depth), 0);
  const rows = Math.min(CALL_ROWS, deepest + 1);
  let focus = { from: 0, to: Math.max(1, steps), depth: 0 };
  const box = el('div', { class: 'calls-box' }, canvas);
  const draw = () => {
    const width = Math.max(200, box.clientWidth);
    const c = sharpen(canvas, width, rows * CALL_ROW + 1);
    const sat = colour('--sat'),
      lum = colour('--lum'),
      ink = colour('--ink');
    const scale = width / (focus.to - focus.from);
    for (const s of spans) {
      const row = s.depth - focus.depth;
      if (row < 0 || row >= rows || s.to <= focus.from || s.from >= focus.to) continue;
      const x = Math.max(0, (s.from - focus.from) * scale),
        wide = Math.min(width, (s.to - focus.from) * scale) - x;
      if (wide < 0.4) continue;
      c.fillStyle =
        s.frame === undefined ? colour('--line') : `hsl(${hue(className(s.frame))} ${sat} ${lum})`;
      c.fillRect(x, row * CALL_ROW, Math.max(0.5, wide - (wide > 3 ? 1 : 0)), CALL_ROW - 1);
      if (wide > 34 && s.frame !== undefined) {
        c.fillStyle = ink;
        c.fillText(fit(c, shortName(s.frame), wide - 6), x + 3, row * CALL_ROW + CALL_ROW / 2);
      }
    }
  };
  const under = e => {
    const area = canvas.getBoundingClientRect(),
      row = Math.floor((e.clientY - area.top) / CALL_ROW) + focus.depth;
    const at = focus.from + ((e.clientX - area.left) / area.width) * (focus.to - focus.from);
    return spans.find(s => s.depth === row && s.from <= at && at < s.to);
  };
  canvas.addEventListener('mousemove', e => {
    const s = under(e);
    if (!s || s.frame === undefined) return tip('');
    const part = took ? `, about ${duration((took * (s.to - s.from)) / Math.max(1, steps))}` : '';
    return tip(`${fullName(s.frame)}\n${plural(s.to - s.from, 'block')}${part}`, e);
  });
  canvas.addEventListener('mouseleave', () => tip(''));
  canvas.addEventListener('click', e => {
    const s = under(e);
    const isSame = s && s.from === focus.from && s.to === focus.to && s.depth === focus.depth;
    focus = s && !isSame && s.to > s.from ? s : { from: 0, to: Math.max(1, steps), depth: 0 };
    draw();
  });
  new ResizeObserver(draw).observe(box);
  const unit = took ? 'width: blocks, so times are interpolated' : 'width: blocks';
  return el(
    'div',
    {},
    el('h3', {}, 'Calls in order ', el('span', { class: 'note' }, `(${unit}; click to zoom)`)),
    box,
  );
}

/** Puts the path of a callback into a box, as far as the page has it. */
async function showCallback(box, lane, at) {
  const [path, { tails }] = await Promise.all([pathOf(lane, at + 1), unpack('paths')]);
  const l = lanes[lane],
    tail = at === l.m.length - 1 ? tails[lane] : undefined;
  const parts = [];
  if (path) {
    parts.push(callsChart(path.events, hasTook(l, at) ? l.us[at] : 0));
    parts.push(el('h3', {}, 'Path'), pathBox(parsePath(path.events, 0, path.events.length, 0)));
  }
  if (!(path && path.whole) && tail) {
    const events = tail.events;
    parts.push(el('h3', {}, 'The last events'));
    parts.push(pathBox(parsePath(events, 0, events.length, tail.depth), true));
  }
  if (!path || !path.whole) {
    parts.push(
      el('p', { class: 'note' }, 'This page does not hold the whole path. This prints it:'),
    );
    parts.push(commandBox(decodeCommand(lane, at + 1)));
  }
  box.replaceChildren(...parts.filter(Boolean));
}

/** A command with a button that copies it. */
function commandBox(command) {
  const button = el('button', { type: 'button', class: 'small' }, 'Copy');
  button.addEventListener('click', () => copyText(command, button));
  return el('div', { class: 'command' }, el('code', {}, command), button);
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may have no clipboard: an older interface has.
    const area = el('textarea', { class: 'off' }, text);
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  const label = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = label), 1200);
}
