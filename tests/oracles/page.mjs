// Unit tests of the code of `report --html`: node tests/oracles/page.mjs
//
// The page's scripts share one scope, as they do in the page. Here they run without a document, so
// only functions that need none are tested.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const folder = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../reports/src/html/page',
);
const scripts = [
  'state',
  'names',
  'callbacks',
  'calls',
  'parse',
  'colours',
  'nested',
  'lanes',
  'zoom',
  'conditions',
  'details',
];
const text = scripts
  .map(name => fs.readFileSync(path.join(folder, `${name}.js`), 'utf8'))
  .join('\n');
const exported = [
  'readAddress',
  'addressText',
  'sourceName',
  'isGlueName',
  'searchRank',
  'parseChunk',
  'foldTree',
  'invertTree',
  'newNode',
  'finishTree',
  'tokens',
  'layoutRows',
  'nameStem',
  'zoomed',
  'panned',
  'within',
  'niceStep',
  'axisText',
  'spansOf',
  'nestedCalls',
  'nestedDepths',
  'conditionAt',
  'truths',
  'median',
  'quoted',
  'addFolded',
  'partsOf',
];
const context = vm.createContext({ location: { hash: '' }, URLSearchParams, decodeURIComponent });
const globals = 'let main, names, tree; const byMethod = new Map([[1, 0], [2, 1]]);';
const page = vm.runInContext(`${globals}${text}\n;({${exported.join(',')}})`, context);
/** Values of the other context as plain ones. */
const plain = value => JSON.parse(JSON.stringify(value));

let count = 0;
const test = (name, body) => {
  body();
  count++;
};

test('an address has a view, arguments and parameters', () => {
  const { view, args, params } = page.readAddress('#timeline/3/17?from=1.5&s=2');
  assert.deepEqual(
    [view, plain(args), params.get('from'), params.get('s')],
    ['timeline', ['3', '17'], '1.5', '2'],
  );
  assert.equal(page.addressText('flame/0', { q: 'a b', x: null }), '#flame/0?q=a+b');
});

test('a line breaks after dots, and inside long parts before capitals', () => {
  assert.deepEqual(plain(page.partsOf('MainActivity.onLongClick:244')), [
    'MainActivity.',
    'onLongClick:',
    '244',
  ]);
  assert.deepEqual(plain(page.partsOf('Client$ExternalSyntheticLambda0')), [
    'Client$',
    'External',
    'Synthetic',
    'Lambda0',
  ]);
  assert.deepEqual(plain(page.partsOf('')), ['']);
});

/** Branches of the first line with `/*here*\/`: what is certain of each direction. */
const truthOf = (source, ...targets) => {
  const lines = source.split('\n'),
    here = lines.findIndex(l => l.includes('/*here*/')) + 1;
  return plain(page.truths(lines, here, targets, n => lines[n - 1].includes(';')));
};

test('a direction into the body of a condition is true, one out of it false', () => {
  const plainIf = 'a();\nif (x > 0) { /*here*/\n  b();\n} else {\n  c();\n}\nd();';
  assert.deepEqual(truthOf(plainIf, 3, 5), ['true', 'false']);
  assert.deepEqual(truthOf(plainIf, 5, 3), ['false', 'true']);
  // An empty body: both directions leave it, and neither is known.
  const empty = 'if (x > 0) { /*here*/\n} else {\n  c();\n}\nd();';
  assert.deepEqual(truthOf(empty, 3, 5), ['', '']);
  assert.deepEqual(truthOf('if (a || b) { /*here*/\n}\nd();', 1, 3), ['', '']);
  const loop = 'for (int i = 0; i < n; i++) { /*here*/\n  b(i);\n}\nd();';
  assert.deepEqual(truthOf(loop, 2, 4), ['true', 'false']);
  assert.deepEqual(truthOf('while (it.hasNext()) /*here*/\n  b();\nd();', 2, 3), ['true', 'false']);
});

test('where several conditions or none are on a line, nothing is certain', () => {
  // The rest of the condition follows on the line; past it, the whole of it is false.
  const and = 'if (a && b) { /*here*/\n  b();\n}\nd();';
  assert.deepEqual(truthOf(and, 1, 4), ['', 'false']);
  assert.deepEqual(truthOf('x = a ? b : c; /*here*/\nd();', 1, 2), ['', '']);
  assert.deepEqual(truthOf('if (a) b(); else c(); /*here*/\nd();', 1, 2), ['', '']);
  assert.deepEqual(truthOf('do {\n  a();\n} while (b); /*here*/\nd();', 2, 4), ['', '']);
  assert.deepEqual(truthOf('for (x : xs) { /*here*/\n  b();\n}\nd();', 2, 4), ['', '']);
  assert.deepEqual(truthOf('if (a) { if (b) { /*here*/\n  c();\n} }\nd();', 2, 4), ['', '']);
  // A statement of several lines without braces.
  assert.deepEqual(truthOf('if (a) /*here*/\n  b(c,\n    d);\ne();', 1, 3), ['', '']);
  assert.deepEqual(truthOf('if (a.equals("){ ")) { /*here*/\n  b();\n}\nd();', 2, 4), [
    'true',
    'false',
  ]);
});

test('calls below a callback share its measured time by steps', () => {
  // Ten ms: one step, a call of two steps, one step.
  const calls = page.nestedCalls([10, 0, 0, 17, 0, 8, 8, 3, 16, 3], 100, 110);
  assert.deepEqual(plain(calls), [{ frame: 1, depth: 0, from: 102.5, to: 107.5, steps: 2 }]);
  assert.equal(page.nestedDepths(new Map([['3/0', calls]])).get(3), 1);
});

test('lambdas are named by the method around them', () => {
  assert.equal(page.sourceName('lambda$onCreate$0'), 'onCreate λ0');
  assert.equal(page.sourceName('onCreate$lambda$19$lambda$18'), 'onCreate λ19.18');
  assert.equal(page.sourceName('access$100'), 'access$100');
  assert.equal(page.sourceName('onClick'), 'onClick');
});

test('accessors and lambda classes are glue', () => {
  assert.ok(page.isGlueName('a.B', 'access$100'));
  assert.ok(page.isGlueName('a.B$$ExternalSyntheticLambda1', 'run'));
  assert.ok(!page.isGlueName('a.B$1', 'run'));
});

test('search: exact before start before humps before parts', () => {
  const rank = (q, c, m) => page.searchRank(q, c, m);
  assert.equal(rank('work', 'a.TetherService', 'work'), 0);
  assert.ok(rank('work', 'a.TetherService', 'work') < rank('work', 'a.Network', 'working'));
  assert.ok(rank('work', 'a.B', 'working') < rank('work', 'a.Network', 'up'));
  assert.ok(rank('onclk', 'a.B', 'onClick') !== undefined);
  assert.ok(rank('oC', 'a.B', 'onClick') < rank('oC', 'a.B', 'protocol'));
  assert.ok(rank('onClick', 'a.B', 'onClick') < rank('onClick', 'a.B', 'onClickLong'));
  assert.equal(rank('xyz', 'a.B', 'onClick'), undefined);
});

test('a chunk of paths is parsed', () => {
  // Lane 0, callback 2, 4 numbers, whole; lane 300, callback 1, 1 number, cut.
  const bytes = Uint8Array.from([0, 2, 9, 18, 0, 16, 3, 0xac, 2, 1, 2, 0x80, 1]);
  const paths = page.parseChunk(bytes);
  assert.deepEqual(plain(paths.get('0/2')), { events: [18, 0, 16, 3], whole: true });
  assert.deepEqual(plain(paths.get('300/1')), { events: [128], whole: false });
});

/** all → thread → f1 → f2 (glue) → f3, and f1 → f3. */
function sampleTree() {
  const list = [page.newNode(null, undefined)];
  const add = (part, parent, self, calls) => {
    const node = page.newNode(part, list[parent]);
    node.parent.kids.push(node);
    [node.self, node.us, node.calls] = [self, self * 10, calls];
    list.push(node);
  };
  add(-2, 0, 0, 0);
  add(1, 1, 5, 1);
  add(2, 2, 3, 2);
  add(3, 3, 7, 2);
  add(3, 2, 1, 1);
  return page.finishTree(list);
}

test('glue counts for its caller, and the same callees become one', () => {
  const list = page.foldTree(sampleTree(), frame => frame === 2);
  const rows = list.map(n => [n.part, n.self, n.total, n.us, n.calls]);
  assert.deepEqual(plain(rows), [
    [null, 0, 16, 160, 0],
    [-2, 0, 16, 160, 0],
    [1, 8, 16, 160, 1],
    [3, 8, 8, 80, 3],
  ]);
});

test('an inverted tree has each method with its callers', () => {
  const list = page.invertTree(sampleTree());
  const top = list[0].kids.map(n => [n.part, n.total, n.kids.map(k => k.part)]);
  assert.deepEqual(plain(top), [
    [3, 8, [2, 1]],
    [1, 5, [-2]],
    [2, 3, [1]],
  ]);
});

test('words of Java are coloured, comments go on over lines', () => {
  const { parts } = page.tokens('int n = 5; // five', false);
  assert.deepEqual(plain(parts), [
    ['int', 'k'],
    [' ', ''],
    ['n', ''],
    [' = ', ''],
    ['5', 's'],
    ['; ', ''],
    ['// five', 'c'],
  ]);
  const open = page.tokens('a /* b', false);
  assert.ok(open.inComment);
  const end = page.tokens('c */ return', true);
  assert.deepEqual(plain(end.parts), [
    ['c */', 'c'],
    [' ', ''],
    ['return', 'k'],
  ]);
  assert.ok(!end.inComment);
});

const lane = (i, p, n, name, callbacks) => ({
  i,
  p,
  n,
  name,
  m: new Array(callbacks).fill(0),
  base: 0,
});

test('the main thread comes first, and short threads of one name share a row', () => {
  const all = [
    lane(0, 0, 1, 'worker-1', 3),
    lane(1, 0, 2, 'worker-2', 3),
    lane(2, 0, 3, 'worker-3', 3),
    lane(3, 0, 4, 'main', 3),
    lane(4, 0, 5, 'net-1', 99),
    lane(5, 0, 6, 'idle', 0),
  ];
  const rows = page.layoutRows(all, [0], new Set());
  const shown = rows.map(r => [r.label, r.lanes.length, r.y]);
  assert.deepEqual(plain(shown), [
    ['main', 1, 0],
    ['worker-# (3 threads)', 3, 22],
    ['net-1', 1, 44],
  ]);
  const open = page.layoutRows(all, [0], new Set(['s0/worker-#']));
  assert.equal(open.length, 6);
});

test('a zoom keeps the time under the pointer, and stays within all of it', () => {
  const all = { from: 0, to: 1000 };
  const span = page.zoomed({ from: 0, to: 1000 }, all, 250, 0.5);
  assert.deepEqual(plain(span), { from: 125, to: 625 });
  assert.deepEqual(plain(page.panned({ from: 800, to: 900 }, all, 5)), { from: 900, to: 1000 });
  assert.deepEqual(plain(page.within({ from: -10, to: 5000 }, all)), all);
});

test('an axis has round steps and readable times', () => {
  assert.equal(page.niceStep(37), 50);
  assert.equal(page.axisText(1500, 500), '1.5 s');
  assert.equal(page.axisText(100_000, 5000), '100 s');
  assert.equal(page.axisText(200_000, 20_000), '3 min 20 s');
  assert.equal(page.axisText(3_720_000, 60_000), '1 h 02 min');
  assert.equal(page.axisText(12, 0.5), '0.0120 s');
});

test('calls in order have their steps, also of what ran again', () => {
  // Method 1 from outside, a block; method 2, a block, again 9 times; back, a block; back.
  const { spans, steps } = page.spansOf([10, 0, 0, 17, 0, 8, 12, 9, 3, 0, 3]);
  assert.equal(steps, 12);
  const rows = spans.map(s => [s.frame, s.depth, s.from, s.to, s.own]);
  assert.deepEqual(plain(rows), [
    [0, 0, 0, 12, 2],
    [1, 1, 1, 11, 10],
  ]);
});

test('medians and words of a shell', () => {
  assert.equal(page.median([3, 1, 2]), 2);
  assert.equal(page.median([]), undefined);
  assert.equal(page.quoted('a/b.plt'), 'a/b.plt');
  assert.equal(page.quoted("it's here"), "'it'\\''s here'");
});

console.log(`${count} unit tests`);
