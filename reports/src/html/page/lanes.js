// The rows of the timeline: sessions, their threads, and short threads of one name in one row.

/** Rows in pixels: a session's head, a thread. */
const HEAD = 26,
  LANE = 22;
/** Threads with at most this many callbacks are short; MANY of one name share a row. */
const SHORT = 16,
  MANY = 3;

/**
 * A row: the head of a session, or threads.
 * @typedef {{kind: 'session'|'lane', p: number, lanes: number[], label: string, y: number,
 *   height: number, key: string, isFolded: boolean, marks?: RowMarks}} LaneRow
 * @typedef {{lane: Uint32Array, at: Uint32Array, most: number}} RowMarks
 */

/** A thread's name without its numbers: `pool-#-thread-#`. */
const nameStem = name => name.replace(/\d+/g, '#');

/** Threads of a session in the order of the timeline: the main thread first. */
function lanesOf(p, all) {
  return all
    .filter(lane => lane.p === p && lane.m.length)
    .sort((a, b) => isMain(b) - isMain(a) || a.n - b.n);
}

/**
 * The rows of sessions.
 * @param {Lane[]} all @param {number[]} processes
 * @param {Set<string>} opened keys of sessions that are closed (`s1`) and of rows that are
 *   unfolded (`s1/pool-#`)
 * @param {Map<number, number>} [depths] rows of calls below the callbacks of a lane
 * @returns {LaneRow[]}
 */
function layoutRows(all, processes, opened, depths = new Map()) {
  const rows = [];
  let y = 0;
  const tall = of => LANE + CALL * of.reduce((n, lane) => Math.max(n, depths.get(lane) || 0), 0);
  const add = row => {
    rows.push({ ...row, y });
    y += row.height;
  };
  for (const p of processes) {
    const of = lanesOf(p, all),
      key = `s${p}`;
    if (processes.length > 1) {
      const label = sessionName(p);
      add({
        kind: 'session',
        p,
        lanes: of.map(l => l.i),
        label,
        height: HEAD,
        key,
        isFolded: false,
      });
      if (opened.has(key)) continue;
    }
    const stems = new Map();
    for (const lane of of) {
      if (lane.m.length > SHORT || isMain(lane)) continue;
      const stem = nameStem(laneName(lane));
      stems.set(stem, [...(stems.get(stem) || []), lane.i]);
    }
    const done = new Set();
    for (const lane of of) {
      const stem = nameStem(laneName(lane)),
        same = (stems.get(stem) || []).includes(lane.i) ? stems.get(stem) : [];
      const folded = same.length >= MANY,
        name = `${key}/${stem}`;
      if (folded && !done.has(stem)) {
        done.add(stem);
        const label = `${stem} (${same.length} threads)`;
        const height = tall(same);
        add({ kind: 'lane', p, lanes: same, label, height, key: name, isFolded: true });
      }
      if (folded && !opened.has(name)) continue;
      const label = folded ? `  ${laneName(lane)}` : laneName(lane);
      const height = tall([lane.i]);
      add({ kind: 'lane', p, lanes: [lane.i], label, height, key: '', isFolded: false });
    }
  }
  return rows;
}

/** The callbacks of a row in order of time; found once. @param {LaneRow} row */
function marksOf(row) {
  if (row.marks) return row.marks;
  const count = row.lanes.reduce((n, lane) => n + lanes[lane].m.length, 0);
  const all = new Array(count);
  let i = 0,
    most = 1;
  for (const lane of row.lanes) {
    const of = lanes[lane];
    for (let at = 0; at < of.m.length; at++) {
      all[i++] = of.base + at;
      most = Math.max(most, of.steps[at]);
    }
  }
  if (row.lanes.length > 1) {
    const begin = n => lanes[laneOfCallback[n]].t[n - lanes[laneOfCallback[n]].base];
    all.sort((a, b) => begin(a) - begin(b));
  }
  const marks = { lane: new Uint32Array(count), at: new Uint32Array(count), most };
  all.forEach((n, k) => {
    marks.lane[k] = laneOfCallback[n];
    marks.at[k] = n - lanes[laneOfCallback[n]].base;
  });
  row.marks = marks;
  return marks;
}

/** The row of a callback's thread; a session or fold that hides it is opened. */
function rowOfLane(rows, lane, opened) {
  const single = rows.find(r => r.kind === 'lane' && !r.isFolded && r.lanes.includes(lane));
  if (single) return single;
  const folded = rows.find(r => r.kind === 'lane' && r.lanes.includes(lane));
  if (folded) return folded;
  opened.delete(`s${lanes[lane].p}`);
  return undefined;
}

/** The callback of a row that is at a time, or at most `near` ms away; null if none is. */
function markNear(row, t, near) {
  const marks = marksOf(row);
  let best = null,
    far = near;
  for (let i = 0; i < marks.lane.length; i++) {
    const lane = lanes[marks.lane[i]],
      at = marks.at[i];
    if (lane.t[at] > t + near) break;
    const away = Math.max(lane.t[at] - t, t - endOf(lane, at), 0);
    if (away < far) [far, best] = [away, [lane.i, at]];
  }
  return best;
}

/** Callbacks that ran in a part of the time, and methods that a filter leaves (null: all). */
function callbacksIn({ from, to }, wanted) {
  const fits = new Map(),
    list = [];
  const isWanted = frame => {
    if (!fits.has(frame)) fits.set(frame, fitsFilter(frame, wanted));
    return fits.get(frame);
  };
  for (const n of inOrder()) {
    const lane = lanes[laneOfCallback[n]],
      at = n - lane.base;
    if (lane.t[at] > to) break;
    if (inSession(lane.p) && endOf(lane, at) >= from && isWanted(lane.m[at])) list.push(n);
  }
  const hits = wanted ? new Set([...fits].filter(f => f[1]).map(f => f[0])) : null;
  return { list, hits };
}
