// Callbacks by thread: when, how long, how unusual, and their paths.

/**
 * A thread's callbacks in columns; times are ms since its process began, durations µs or null.
 * @typedef {{p: number, n: number, name: ?string, i: number, base: number, m: number[],
 *   t: number[], us: ?Array<?number>, steps: number[], from: Map<number, string>}} Lane
 */

/** @type {Lane[]} */
let lanes;
/** Lane of each callback by its number in the report. @type {Uint32Array} */
let laneOfCallback;

async function readCallbacks() {
  if (lanes) return lanes;
  const data = await unpack('callbacks');
  let base = 0;
  lanes = data.lanes.map((lane, i) => {
    let at = 0;
    for (let n = 0; n < lane.t.length; n++) lane.t[n] = at += lane.t[n];
    const { m, t, us, steps } = lane;
    const from = new Map(lane.from || []);
    const of = { ...main.lanes[i], i, base, m, t, us, steps, from };
    base += m.length;
    return of;
  });
  laneOfCallback = new Uint32Array(base);
  for (const lane of lanes) {
    laneOfCallback.fill(lane.i, lane.base, lane.base + lane.m.length);
  }
  return lanes;
}

/** Numbers of all callbacks in order of time; made when they are wanted first. */
let byTime;

function inOrder() {
  if (byTime) return byTime;
  // Times in ms have 32 bits and numbers 21: together one exact number.
  const keys = new Float64Array(laneOfCallback.length);
  for (const lane of lanes) {
    for (let at = 0; at < lane.t.length; at++) {
      keys[lane.base + at] = lane.t[at] * 2 ** 21 + lane.base + at;
    }
  }
  keys.sort();
  byTime = Uint32Array.from(keys, key => key % 2 ** 21);
  return byTime;
}

/** Numbers of the callbacks of each frame; made when they are wanted first. */
let byFrame;

function callbacksOf(frame) {
  if (!byFrame) {
    const ends = new Uint32Array(names.frames.length + 1);
    for (const lane of lanes) for (const m of lane.m) ends[m + 1]++;
    for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
    const next = ends.slice(),
      all = new Uint32Array(laneOfCallback.length);
    for (const lane of lanes) {
      for (let at = 0; at < lane.m.length; at++) all[next[lane.m[at]]++] = lane.base + at;
    }
    byFrame = { ends, all };
  }
  return byFrame.all.subarray(byFrame.ends[frame], byFrame.ends[frame + 1]);
}

/** Lane and index of a callback by its number in the report. */
const callbackAt = n => [laneOfCallback[n], n - lanes[laneOfCallback[n]].base];

/** The view, key or action that a callback came from, after a space; empty if not known. */
const fromText = (lane, at) => (lane.from.has(at) ? ` ${lane.from.get(at)}` : '');

const isTimed = () => main.tick > 0;
const hasTook = (lane, at) => !!lane.us && lane.us[at] !== null && lane.us[at] !== undefined;
const tookText = (lane, at) => (hasTook(lane, at) ? duration(lane.us[at], main.tick) : '–');
/** Its end, or its begin if that is all that is known: ms since the process began. */
const endOf = (lane, at) => lane.t[at] + (hasTook(lane, at) ? lane.us[at] / 1000 : 0);
const isMain = lane => lane.name === 'main';

const laneName = lane => `${lane.name || `thread ${lane.n}`}`;
const laneLabel = lane =>
  main.processes.length > 1 && session === null
    ? `${laneName(lane)} · ${main.processes[lane.p].pid}`
    : laneName(lane);
const processName = p =>
  `${main.processes[p].name || main.package || 'process'} (pid ${main.processes[p].pid})`;
/** A session in few words: its start and its process. */
const sessionName = p => `${clock(main.processes[p].start).slice(0, 19)} · ${processName(p)}`;

/** `main #17` and the process. */
function whereText([lane, callback]) {
  const of = main.lanes[lane];
  const process = main.processes.length > 1 ? `, ${processName(of.p)}` : '';
  return `${laneName(of)} #${callback}${process}`;
}

/** A word for a shell. */
const quoted = word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`);

/** The decode command that prints a callback. */
function decodeCommand(lane, callback) {
  const of = main.lanes[lane],
    files = main.processes[of.p].files.map(quoted).join(' ');
  const map = quoted(main.map || 'app.plmap');
  return `pathlight decode --map ${map} ${files} --thread ${of.n} --callback ${callback} --full`;
}

/** Middle of a list of numbers; undefined of none. */
function median(list) {
  if (!list.length) return undefined;
  const sorted = Float64Array.from(list).sort();
  return sorted[sorted.length >> 1];
}

let usual;
/**
 * The callbacks of a method in all sessions: their number, the median of steps and µs, and a
 * callback with the median length.
 */
function usualOf(frame) {
  usual = usual || new Map();
  if (!usual.has(frame)) {
    const all = callbacksOf(frame),
      steps = new Float64Array(all.length),
      timed = new Float64Array(all.length);
    let count = 0;
    all.forEach((n, i) => {
      const lane = lanes[laneOfCallback[n]],
        at = n - lane.base;
      steps[i] = lane.steps[at];
      if (hasTook(lane, at)) timed[count++] = lane.us[at];
    });
    const us = count ? median(timed.subarray(0, count)) : undefined,
      middle = median(steps);
    const isMiddle = n => {
      const [lane, at] = callbackAt(n);
      return count ? lanes[lane].us[at] === us : lanes[lane].steps[at] === middle;
    };
    usual.set(frame, { n: all.length, us, steps: middle, middle: callbackAt(all.find(isMiddle)) });
  }
  return usual.get(frame);
}

/**
 * The longest callback of each method, the longest ones first: [lane, index].
 * @param {(lane: Lane) => boolean} wanted
 */
function longestCallbacks(wanted, most) {
  // One more than the longest one's number and its length, by frame.
  const best = new Uint32Array(names.frames.length),
    lengths = new Float64Array(names.frames.length);
  for (const lane of lanes) {
    if (!inSession(lane.p) || !wanted(lane)) continue;
    const of = isTimed() ? lane.us || [] : lane.steps;
    for (let at = 0; at < lane.m.length; at++) {
      const frame = lane.m[at];
      if (best[frame] && !((of[at] || 0) > lengths[frame])) continue;
      best[frame] = lane.base + at + 1;
      lengths[frame] = of[at] || 0;
    }
  }
  const length = ([lane, at]) => lengths[lanes[lane].m[at]];
  const list = [...best.filter(n => n)].map(n => callbackAt(n - 1));
  list.sort((a, b) => length(b) - length(a) || a[0] - b[0]);
  return { list: list.slice(0, most), length };
}

/** Per lane the chunks of paths with its callbacks: [first, last, chunk]. */
let pathChunks;

async function readPathIndex() {
  if (pathChunks) return pathChunks;
  const { chunks } = await unpack('paths');
  pathChunks = new Map();
  chunks.forEach((runs, chunk) => {
    for (let i = 0; i < runs.length; i += 3) {
      if (!pathChunks.has(runs[i])) pathChunks.set(runs[i], []);
      pathChunks.get(runs[i]).push([runs[i + 1], runs[i + 2], chunk]);
    }
  });
  return pathChunks;
}

/** Paths by `lane/callback` of the chunks that were read last. */
const pathCache = new Map();

/** The path of a callback (from 1): {events, whole}; undefined if the page does not have it. */
async function pathOf(lane, callback) {
  const runs = (await readPathIndex()).get(lane) || [];
  const run = runs.find(([first, last]) => first <= callback && callback <= last);
  if (!run) return undefined;
  if (!pathCache.has(run[2])) {
    pathCache.set(run[2], parseChunk(await unpackBytes(`path-${run[2]}`)));
    if (pathCache.size > 24) pathCache.delete(pathCache.keys().next().value);
  }
  return pathCache.get(run[2]).get(`${lane}/${callback}`);
}

/** Callbacks of a chunk (see `paths.rs`). @param {Uint8Array} bytes */
function parseChunk(bytes) {
  const paths = new Map();
  let at = 0;
  const next = () => {
    let n = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++];
      n += (byte & 127) * unit;
      if (byte < 128) return n;
    }
  };
  while (at < bytes.length) {
    const key = `${next()}/${next()}`,
      size = next(),
      events = new Array(Math.floor(size / 2));
    for (let i = 0; i < events.length; i++) events[i] = next();
    paths.set(key, { events, whole: size % 2 === 1 });
  }
  return paths;
}
