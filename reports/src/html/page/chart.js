// The drawing of the timeline: axis, sessions, threads, callbacks, the map of the whole time.

const AXIS = 22,
  MAP = 26;

/** Width of the names left of the time: less on narrow windows. */
const labelWidth = width => (width < 640 ? 96 : 210);

/**
 * Draws the visible rows.
 * @param {{rows: LaneRow[], span: Span, hits: Set<number>, chosen: ?[number, number],
 *   mark: number[], crashes: Map<string, boolean>, opened: Set<string>,
 *   nested: Map<string, NestedCall[]>}} state
 */
function drawLanes(canvas, width, height, top, state) {
  const c = sharpen(canvas, width, height),
    left = labelWidth(width),
    { span } = state;
  const soft = colour('--soft'),
    line = colour('--line'),
    text = colour('--text'),
    bad = colour('--bad');
  const x = t => left + ((t - span.from) / (span.to - span.from)) * (width - left);
  const paint = callbackPaint(state);
  c.fillStyle = colour('--panel');
  c.fillRect(0, 0, width, height);
  drawAxis(c, span, x, left, width, height, line, soft);
  for (const row of state.rows) {
    const y = AXIS + row.y - top;
    if (y + row.height < AXIS || y > height) continue;
    c.fillStyle = line;
    c.fillRect(0, y, width, 1);
    if (row.kind === 'session') {
      c.fillStyle = colour('--head');
      c.fillRect(0, y + 1, width, row.height - 1);
    } else drawMarks(c, row, y, x, left, state, paint);
  }
  for (const row of state.rows) {
    const y = AXIS + row.y - top;
    if (y + row.height < AXIS || y > height) continue;
    if (row.kind === 'session') {
      c.font = '600 12px system-ui, sans-serif';
      c.fillStyle = text;
      const toggle = state.opened.has(row.key) ? '▸' : '▾';
      c.fillText(`${toggle} ${row.label}`, 8, y + row.height / 2 + 1);
      const wide = c.measureText(`${toggle} ${row.label}  `).width;
      const outcome = outcomeOf(row.p);
      c.fillStyle = outcome.kind === 'bad' ? bad : soft;
      c.font = '12px system-ui, sans-serif';
      c.fillText(outcome.short, 8 + wide, y + row.height / 2 + 1);
    } else {
      c.fillStyle = colour('--panel');
      c.fillRect(0, y + 1, left - 6, LANE - 1);
      c.fillStyle = text;
      c.font = '12px system-ui, sans-serif';
      const toggle = row.isFolded ? (state.opened.has(row.key) ? '▾ ' : '▸ ') : '';
      c.fillText(fitText(c, toggle + row.label, left - 16), 10, y + LANE / 2 + 1);
      if (row.height > LANE) drawNested(c, row, y + LANE, x, left, state);
    }
  }
  // The axis stays above all rows.
  c.fillStyle = colour('--panel');
  c.fillRect(0, 0, width, AXIS);
  drawAxis(c, span, x, left, width, AXIS, line, soft);
  if (state.mark[1] !== state.mark[0]) {
    c.fillStyle = colour('--accent');
    c.globalAlpha = 0.18;
    c.fillRect(Math.min(...state.mark), 0, Math.abs(state.mark[1] - state.mark[0]), height);
    c.globalAlpha = 1;
  }
}

function drawAxis(c, span, x, left, width, height, line, soft) {
  const step = niceStep((span.to - span.from) / Math.max(1, (width - left) / 120));
  c.font = '11px system-ui, sans-serif';
  for (let i = Math.ceil(Math.max(0, span.from) / step); i * step <= span.to; i++) {
    const px = x(i * step);
    c.fillStyle = line;
    c.fillRect(px, AXIS - 4, 1, height);
    c.fillStyle = soft;
    if (px + 60 < width) c.fillText(axisText(i * step, step), px + 3, AXIS / 2);
  }
}

/** The colour of callbacks by their method; looked up once for each class. */
function callbackPaint({ hits }) {
  const sat = colour('--sat'),
    light = document.documentElement.dataset.theme === 'dark' ? 58 : 48,
    bad = colour('--warn'),
    line = colour('--line'),
    known = new Map();
  return frame => {
    if (!known.has(frame)) {
      const plain = `hsl(${hue(className(frame))} ${sat} ${light}%)`;
      known.set(frame, hits ? (hits.has(frame) ? bad : line) : plain);
    }
    return known.get(frame);
  };
}

function drawMarks(c, row, y, x, left, state, paint) {
  const { span, hits, chosen, crashes } = state,
    marks = marksOf(row),
    scale = (LANE - 9) / Math.log1p(marks.most);
  let before = -9;
  const ends = [];
  for (let i = 0; i < marks.lane.length; i++) {
    const lane = lanes[marks.lane[i]],
      at = marks.at[i],
      t = lane.t[at];
    if (t > span.to) break;
    const end = endOf(lane, at);
    const crash = crashes.size && crashes.has(`${lane.i}/${at}`);
    const isChosen = chosen && chosen[0] === lane.i && chosen[1] === at;
    if (end < span.from) continue;
    const from = Math.max(left, x(t)),
      wide = Math.max(2, x(end) - from);
    if (crash || isChosen) ends.push([from, wide, crash]);
    // What would be drawn on the same pixels is one mark.
    if (from < before + 1 && wide <= 2 && !(hits && hits.has(lane.m[at]))) continue;
    before = from;
    const tall = Math.round(5 + scale * Math.log1p(lane.steps[at]));
    c.fillStyle = paint(lane.m[at]);
    c.fillRect(from, y + LANE - 2 - tall, wide, tall);
    if (wide > 60) {
      c.fillStyle = colour('--mark-ink');
      c.font = '11px system-ui, sans-serif';
      const name = shortName(lane.m[at]) + fromText(lane, at);
      c.fillText(fitText(c, name, wide - 8), from + 4, y + LANE / 2 + 2);
    }
  }
  for (const [from, wide, crash] of ends) {
    c.strokeStyle = colour(crash ? '--bad' : '--accent');
    c.lineWidth = 2;
    c.strokeRect(from - 2, y + 2, wide + 4, LANE - 3);
    if (crash) {
      c.fillStyle = colour('--bad');
      c.font = '700 13px system-ui, sans-serif';
      c.fillText('✗', from + wide + 4, y + LANE / 2 + 1);
    }
  }
}

/** Draws how many callbacks ran when, in all sessions shown, and which part is looked at. */
function drawMap(canvas, width, { span, all, density }) {
  const c = sharpen(canvas, width, MAP),
    left = labelWidth(width),
    most = density.reduce((a, b) => Math.max(a, b), 1),
    wide = (width - left) / density.length;
  c.fillStyle = colour('--panel');
  c.fillRect(0, 0, width, MAP);
  c.fillStyle = colour('--accent');
  density.forEach((n, i) => {
    const tall = n ? 2 + ((MAP - 6) * Math.log1p(n)) / Math.log1p(most) : 0;
    c.fillRect(left + i * wide, MAP - 1 - tall, Math.max(1, wide - 0.5), tall);
  });
  const x = t => left + ((t - all.from) / (all.to - all.from)) * (width - left);
  c.fillStyle = colour('--bg');
  c.globalAlpha = 0.72;
  c.fillRect(left, 0, x(span.from) - left, MAP);
  c.fillRect(x(span.to), 0, width - x(span.to), MAP);
  c.globalAlpha = 1;
  c.strokeStyle = colour('--accent');
  c.strokeRect(x(span.from) + 0.5, 0.5, Math.max(3, x(span.to) - x(span.from) - 1), MAP - 1);
  c.fillStyle = colour('--soft');
  c.font = '11px system-ui, sans-serif';
  c.fillText(fitText(c, 'Whole time', left - 16), 10, MAP / 2);
}

/** Callbacks in equal parts of the time. */
function densityOf(all, parts = 300) {
  const density = new Array(parts).fill(0);
  for (const lane of lanes) {
    if (!inSession(lane.p)) continue;
    for (const t of lane.t) {
      density[Math.min(parts - 1, Math.floor(((t - all.from) / (all.to - all.from)) * parts))]++;
    }
  }
  return density;
}
