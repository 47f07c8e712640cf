// Data blocks of the page, unpacked when they are wanted first, and what they mean.

const unpacked = new Map();

/** A data block. */
function unpack(name) {
  if (!unpacked.has(name)) unpacked.set(name, read(name));
  return unpacked.get(name);
}

async function read(name) {
  const text = $(`data-${name}`).textContent;
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** Set before the first view is drawn: summary, names, the call tree. */
let main, names, tree;

/** Frames that tell their blocks, by number of their first block. */
const byBlock = [];
/** Frames by the ids of methods. */
const byMethod = new Map();

async function readFirst() {
  [main, names, tree] = await Promise.all([unpack('main'), unpack('names'), unpack('tree')]);
  names.frames.forEach((f, i) => {
    if (f.b !== undefined) byBlock.push(i);
    if (f.m !== undefined) byMethod.set(f.m, i);
  });
  byBlock.sort((a, b) => names.frames[a].b - names.frames[b].b);
  prepareTree();
}

const className = i => names.classes[names.frames[i].c];
const simpleClass = i => className(i).split('.').pop();
const shortName = i => `${simpleClass(i)}.${names.frames[i].n}`;
const fullName = i => `${className(i)}.${names.frames[i].n}${names.frames[i].p}`;
const threadName = ([process, thread]) => (process ? `${thread} (${process})` : thread);

/** The frame that a block belongs to; undefined if it was not told. */
function frameOf(block) {
  let low = 0,
    high = byBlock.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names.frames[byBlock[middle]].b <= block) low = middle + 1;
    else high = middle;
  }
  const frame = byBlock[low - 1];
  return frame !== undefined && block - names.frames[frame].b < names.frames[frame].lines.length
    ? frame
    : undefined;
}

/**
 * Places of a block's line entries, or of some: {frame, line}, frame being that of inlined code
 * where it is in some.
 */
function placesOf(block, from = 0, to = Infinity) {
  const frame = frameOf(block);
  if (frame === undefined) return [];
  const entries = names.frames[frame].lines[block - names.frames[frame].b].slice(from, to);
  return entries
    .filter(line => line !== 0)
    .map(line => {
      if (line > 0) return { frame, line };
      const [inlined, at] = names.positions[-1 - line];
      return { frame: inlined, line: at, inlined: inlined !== frame };
    });
}

/** How many line entries a block has. */
function entriesOf(block) {
  const frame = frameOf(block);
  return frame === undefined ? 0 : names.frames[frame].lines[block - names.frames[frame].b].length;
}

/** `Cls.name:12`, or with all lines of the block. */
function placeText(block, first) {
  const frame = frameOf(block);
  if (frame === undefined) return `block ${block}`;
  const places = placesOf(block);
  if (!places.length) return shortName(frame);
  const lines = [...new Set(places.filter(p => p.frame === places[0].frame).map(p => p.line))];
  const text = first || lines.length === 1 ? lines[0] : `${lines[0]}–${lines[lines.length - 1]}`;
  return `${shortName(places[0].frame)}:${text}`;
}

/**
 * The tree as nodes: {part, parent, kids, self, total, us, calls, depth, outermost}; node 0 stands
 * for all. The outermost nodes of a frame have no caller of the same frame.
 */
let nodes = [];

function prepareTree() {
  nodes = [{ part: null, kids: [], self: 0, total: 0, us: 0, calls: 0, depth: 0 }];
  tree.part.forEach((part, i) => {
    const parent = nodes[tree.parent[i] + 1];
    const node = {
      part,
      parent,
      kids: [],
      self: tree.self[i],
      total: tree.self[i],
      us: tree.us ? tree.us[i] : 0,
      calls: tree.calls[i],
      depth: parent.depth + 1,
    };
    parent.kids.push(node);
    nodes.push(node);
  });
  for (let i = nodes.length - 1; i > 0; i--) {
    nodes[i].parent.total += nodes[i].total;
    nodes[i].parent.us += nodes[i].us;
  }
  nodes.forEach((node, i) => {
    node.index = i;
    let above = node.parent;
    while (above && above.part !== node.part) above = above.parent;
    node.outermost = !above;
    node.kids.sort((a, b) => b.total - a.total || a.index - b.index);
  });
}

/** Whether a node stands for a method: not for a thread, or for calls that have no node. */
const isFrame = node => node.part !== null && node.part >= 0;

function nodeName(node) {
  if (node.part === null) return 'all threads';
  if (node.part === -1) return '(other)';
  return node.part < -1 ? threadName(tree.threads[-2 - node.part]) : shortName(node.part);
}

const nodeTitle = node => (node.part >= 0 && node.part !== null ? fullName(node.part) : nodeName(node));

/**
 * Per frame: steps of its own, and with all that it called (recursion counted once), the time of
 * these, and calls.
 */
let methodSums;

function methods() {
  if (methodSums) return methodSums;
  methodSums = new Map();
  for (const node of nodes) {
    if (!isFrame(node)) continue;
    const frame = node.part;
    if (!methodSums.has(frame)) methodSums.set(frame, { frame, self: 0, total: 0, us: 0, calls: 0, nodes: [] });
    const sums = methodSums.get(frame);
    sums.self += node.self;
    sums.calls += node.calls;
    sums.nodes.push(node);
    if (node.outermost) {
      sums.total += node.total;
      sums.us += node.us;
    }
  }
  for (const sums of methodSums.values()) {
    const calls = names.frames[sums.frame].calls;
    if (calls !== undefined) sums.calls = calls;
  }
  return methodSums;
}

/** Callbacks: per lane columns, with times since the process began. */
let lanes;

async function readCallbacks() {
  if (lanes) return lanes;
  const data = await unpack('callbacks');
  lanes = data.lanes.map((lane, i) => {
    let at = 0;
    return {
      ...main.lanes[i],
      i,
      m: lane.m,
      steps: lane.steps,
      path: lane.path,
      us: lane.us,
      t: lane.t.map(ms => (at += ms)),
    };
  });
  lanes.longest = data.longest;
  return lanes;
}

/** Whether callbacks have a measured end. */
const isTimed = () => main.tick > 0;
const hasTook = (lane, at) => lane.us !== undefined && lane.us[at] !== null;
const tookText = (lane, at) => (hasTook(lane, at) ? duration(lane.us[at], main.tick) : '');
/** Its end, or its begin if that is all that is known: ms since the process began. */
const endOf = (lane, at) => lane.t[at] + (hasTook(lane, at) ? lane.us[at] / 1000 : 0);

const laneName = lane => `${lane.name || `thread ${lane.n}`}`;
const laneLabel = lane =>
  main.processes.length > 1 ? `${laneName(lane)} · ${main.processes[lane.p].pid}` : laneName(lane);
const processName = p =>
  `${main.processes[p].name || main.package || 'process'} (pid ${main.processes[p].pid})`;

/** `main #17` and the process. */
function whereText([lane, callback]) {
  const of = main.lanes[lane];
  return `${laneName(of)} #${callback}${main.processes.length > 1 ? `, ${processName(of.p)}` : ''}`;
}

/** The decode command that prints a callback. */
function decodeCommand(lane, callback) {
  const files = main.processes[main.lanes[lane].p].files.join(' ');
  return `pathlight decode --map app.plmap ${files} --thread ${main.lanes[lane].n} --callback ${callback} --full`;
}

/** The list of source files, and the one that each frame is in. */
let files, fileOf;

async function readFiles() {
  if (files) return files;
  files = await unpack('source');
  fileOf = new Map();
  files.forEach((file, i) => file.methods.forEach(([frame, line]) => fileOf.set(frame, [i, line])));
  return files;
}

/** Goes to a line in the source view. */
async function goToLine(frame, line) {
  await readFiles();
  const file = fileOf.get(frame);
  if (file) location.hash = `#source/${file[0]}/${line || file[1]}`;
}
