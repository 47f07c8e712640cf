// Calls below a callback in the timeline, where it is drawn wide enough. Only the callback's begin
// and end are measured: between them the share of its steps is taken for time, and marked so.

/** Height of a call in pixels, most depth, least width of a callback, and most callbacks. */
const CALL = 13,
  CALL_DEPTH = 8,
  CALL_WIDE = 140,
  CALL_MOST = 24,
  /** More time for a step, in ms, is waiting: steps do not show where. */
  STEP_MOST = 5;

/**
 * A call of a callback: ms since the process began, depth below the callback from 0.
 * @typedef {{frame: ?number, depth: number, from: number, to: number, steps: number}} NestedCall
 */

/**
 * The calls of a path, with the time from `from` to `to` shared by steps.
 * @param {number[]} events @returns {NestedCall[]}
 */
function nestedCalls(events, from, to, folded) {
  const { spans, steps } = spansOf(events, folded),
    at = step => from + ((to - from) * step) / Math.max(1, steps);
  return spans
    .filter(s => s.depth > 0 && s.depth <= CALL_DEPTH && s.to > s.from)
    .map(s => ({
      frame: s.frame,
      depth: s.depth - 1,
      from: at(s.from),
      to: at(s.to),
      steps: s.to - s.from,
    }));
}

/** Rows that a scrolled box shows. */
function visibleRows(rows, scroller) {
  const top = scroller.scrollTop,
    bottom = top + scroller.clientHeight - AXIS;
  return rows.filter(row => row.y + row.height > top && row.y < bottom);
}

/** What a call is, in words. @param {NestedCall} call */
function callText(call) {
  const name = call.frame === undefined ? 'a call' : fullName(call.frame),
    about = duration((call.to - call.from) * 1000);
  return `${name}\n${plural(call.steps, 'block')}, about ${about}: interpolated by blocks`;
}

/** True if a callback waited for most of its time, so that its steps share none of it. */
const hasWaited = (lane, at) => endOf(lane, at) - lane.t[at] > STEP_MOST * lane.steps[at];

/**
 * Callbacks in view that are drawn wide enough to show their calls.
 * @returns {[number, number][]}
 */
function wideCallbacks(rows, span, width) {
  const perMs = (width - labelWidth(width)) / (span.to - span.from),
    found = [];
  for (const row of rows) {
    if (row.kind !== 'lane') continue;
    for (const i of row.lanes) {
      const lane = lanes[i];
      for (let at = 0; at < lane.m.length && lane.t[at] <= span.to; at++) {
        const end = endOf(lane, at);
        if (end < span.from || (end - lane.t[at]) * perMs < CALL_WIDE) continue;
        if (hasWaited(lane, at)) continue;
        found.push([i, at]);
        if (found.length === CALL_MOST) return found;
      }
    }
  }
  return found;
}

/** The calls that the timeline shows, by `lane/index`. @type {Map<string, NestedCall[]>} */
let lastNested = new Map();

/** Reads the calls of callbacks whose paths the page has whole: by `lane/index`. */
async function readNested(list) {
  const read = async ([i, at]) => {
    const path = await pathOf(i, at + 1);
    if (!path || !path.whole) return undefined;
    const folded = foldsGlue() ? isGlue : undefined;
    const calls = nestedCalls(path.events, lanes[i].t[at], endOf(lanes[i], at), folded);
    return calls.length ? [`${i}/${at}`, calls] : undefined;
  };
  return new Map((await Promise.all(list.map(read))).filter(Boolean));
}

/**
 * Depth of the calls that are drawn below callbacks, by lane.
 * @param {Map<string, NestedCall[]>} nested
 */
function nestedDepths(nested) {
  const depths = new Map();
  for (const [key, calls] of nested) {
    const lane = Number(key.split('/')[0]),
      deepest = calls.reduce((n, call) => Math.max(n, call.depth + 1), 0);
    depths.set(lane, Math.max(depths.get(lane) || 0, deepest));
  }
  return depths;
}

/** Draws the calls of a row below its callbacks, paler than what is measured. */
function drawNested(c, row, y, x, left, state) {
  const sat = colour('--sat'),
    lum = colour('--lum'),
    ink = colour('--ink');
  c.font = '10px system-ui, sans-serif';
  for (const [key, calls] of state.nested) {
    if (!row.lanes.includes(Number(key.split('/')[0]))) continue;
    for (const call of calls) {
      if (call.to < state.span.from || call.from > state.span.to) continue;
      const from = Math.max(left, x(call.from)),
        wide = x(call.to) - from;
      if (wide < 0.5) continue;
      const top = y + call.depth * CALL;
      c.globalAlpha = 0.75;
      c.fillStyle =
        call.frame === undefined
          ? colour('--line')
          : `hsl(${hue(className(call.frame))} ${sat} ${lum})`;
      c.fillRect(from, top, Math.max(0.5, wide - (wide > 3 ? 1 : 0)), CALL - 1);
      c.globalAlpha = 1;
      if (wide > 30 && call.frame !== undefined) {
        c.fillStyle = ink;
        c.fillText(fitText(c, shortName(call.frame), wide - 6), from + 3, top + CALL / 2);
      }
    }
  }
  c.fillStyle = colour('--panel');
  c.fillRect(0, y, left - 6, row.height - LANE - 1);
  c.fillStyle = colour('--soft');
  c.fillText(fitText(c, '  calls, times interpolated', left - 16), 10, y + CALL / 2);
}

/** The call at a time and depth of a row. */
function nestedAt(row, nested, depth, time) {
  for (const [key, calls] of nested) {
    if (!row.lanes.includes(Number(key.split('/')[0]))) continue;
    const call = calls.find(n => n.depth === depth && n.from <= time && time < n.to);
    if (call) return call;
  }
  return undefined;
}
