// Data blocks of the page, unpacked when they are wanted first, and what they mean.

const unpacked = new Map();

/** A data block. */
function unpack(name) {
  if (!unpacked.has(name)) unpacked.set(name, read(name));
  return unpacked.get(name);
}

/** The bytes of a block that is no JSON. */
async function unpackBytes(name) {
  return new Uint8Array(await (await inflated(name)).arrayBuffer());
}

async function inflated(name) {
  const text = atob($(`data-${name}`).textContent),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream);
}

const read = async name => (await inflated(name)).json();

/** Set before the first view is drawn: summary, names, the call tree. */
let main, names, tree;

/** Frames with blocks, by number of their first block. */
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
  prepareNames();
  prepareTree();
}

/** The frame that a block belongs to; undefined if the page has none. */
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

/** `Cls.name:12`, or with all lines of the block, or with those of some of its entries. */
function placeText(block, first, entries) {
  const frame = frameOf(block);
  if (frame === undefined) return `block ${block}`;
  const some = entries ? entries.flatMap(n => placesOf(block, n, n + 1)) : [];
  const places = some.length ? some : placesOf(block);
  if (!places.length) return shortName(frame);
  const lines = [...new Set(places.filter(p => p.frame === places[0].frame).map(p => p.line))];
  const text = first || lines.length === 1 ? lines[0] : `${lines[0]}–${lines[lines.length - 1]}`;
  return `${shortName(places[0].frame)}:${text}`;
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
