// The call tree: of all sessions or of one, as recorded, with folded glue, and inverted.

/**
 * A node: `part` is a frame, -1 for calls without room, below a thread, null for all.
 * @typedef {{part: ?number, parent: ?CallNode, kids: CallNode[], self: number, total: number,
 *   us: number, calls: number, depth: number, index: number, outermost: boolean}} CallNode
 */

/** All nodes as recorded, parents first; node 0 stands for all. @type {CallNode[]} */
let nodes = [];
/** The nodes that flame graph and call tree show. @type {CallNode[]} */
let shownNodes = [];

const newNode = (part, parent) => ({
  part,
  parent,
  kids: [],
  self: 0,
  total: 0,
  us: 0,
  calls: 0,
  depth: parent ? parent.depth + 1 : 0,
});

/** Makes the nodes anew, of the session that is shown. */
function prepareTree() {
  const list = [newNode(null, undefined)];
  tree.part.forEach((part, i) => {
    const node = newNode(part, list[tree.parent[i] + 1]);
    node.parent.kids.push(node);
    list.push(node);
  });
  const of = session !== null && tree.by ? tree.by[session] : null;
  if (of) {
    let at = 0;
    of.n.forEach((step, i) => {
      const node = list[(at += step) + 1];
      [node.self, node.us, node.calls] = [of.s[i], of.u ? of.u[i] : 0, of.c[i]];
    });
  } else {
    tree.part.forEach((_, i) => {
      const node = list[i + 1];
      [node.self, node.us, node.calls] = [tree.self[i], tree.us ? tree.us[i] : 0, tree.calls[i]];
    });
  }
  nodes = finishTree(list);
  methodSums = undefined;
  prepareShown();
}

/** True if the tree shows all sessions because the page has no sums of each. */
const treeIsOfAll = () => session !== null && !tree.by && main.processes.length > 1;

/** Adds up totals, and sorts by them. */
function finishTree(list) {
  for (const node of list) node.total = node.self;
  for (let i = list.length - 1; i > 0; i--) {
    list[i].parent.total += list[i].total;
    list[i].parent.us += list[i].us;
  }
  list.forEach((node, i) => {
    node.index = i;
    let above = node.parent;
    while (above && above.part !== node.part) above = above.parent;
    node.outermost = !above;
    node.kids.sort((a, b) => b.total - a.total || (a.index ?? 0) - (b.index ?? 0));
  });
  return list;
}

/** Chooses what flame graph and call tree show. */
function prepareShown() {
  shownNodes = foldsGlue() ? foldTree(nodes, isGlue) : nodes;
}

/**
 * The tree without frames that a compiler made: what they did counts for their callers.
 * @param {CallNode[]} all @param {(frame: number) => boolean} folded
 */
function foldTree(all, folded) {
  const root = newNode(null, undefined),
    list = [root],
    of = new Map([[all[0], root]]),
    known = new Map();
  for (const node of all.slice(1)) {
    const parent = of.get(node.parent);
    // Times of nodes are sums here: take their own part.
    const us = node.us - node.kids.reduce((n, kid) => n + kid.us, 0);
    if (isFrame(node) && parent.part !== null && folded(node.part)) {
      parent.self += node.self;
      parent.us += us;
      of.set(node, parent);
      continue;
    }
    if (!known.has(parent)) known.set(parent, new Map());
    const kids = known.get(parent);
    let shown = kids.get(node.part);
    if (!shown) {
      shown = newNode(node.part, parent);
      kids.set(node.part, shown);
      parent.kids.push(shown);
      list.push(shown);
    }
    shown.self += node.self;
    shown.us += us;
    shown.calls += node.calls;
    of.set(node, shown);
  }
  return finishTree(list);
}

/** Callers of callers that an inverted tree shows. */
const INVERTED_DEPTH = 40;

/** The tree turned over: below all the methods that ran, below each its callers. */
function invertTree(all) {
  const root = newNode(null, undefined),
    list = [root],
    known = new Map();
  for (const node of all) {
    const us = node.us - node.kids.reduce((n, kid) => n + kid.us, 0);
    if (node.part === null || (!node.self && us <= 0)) continue;
    let at = root;
    for (let up = node, n = 0; up.part !== null && n < INVERTED_DEPTH; up = up.parent, n++) {
      if (!known.has(at)) known.set(at, new Map());
      let kid = known.get(at).get(up.part);
      if (!kid) {
        kid = newNode(up.part, at);
        known.get(at).set(up.part, kid);
        at.kids.push(kid);
        list.push(kid);
      }
      at = kid;
      if (n === 0) at.calls += node.calls;
    }
    at.self += node.self;
    at.us += us;
  }
  return finishTree(list);
}

/** True if a node stands for a method: not for a thread, or for calls that have no node. */
const isFrame = node => node.part !== null && node.part >= 0;

function nodeName(node) {
  if (node.part === null) return session === null ? 'all threads' : 'threads of the session';
  if (node.part === -1) return '(other)';
  return node.part < -1 ? threadName(tree.threads[-2 - node.part]) : shortName(node.part);
}

const nodeTitle = node => (isFrame(node) ? fullName(node.part) : nodeName(node));

let methodSums;

/**
 * Per frame: steps of its own, and with all that it called (recursion counted once), the time of
 * these, and calls.
 */
function methods() {
  if (methodSums) return methodSums;
  methodSums = new Map();
  for (const node of nodes) {
    if (!isFrame(node) || (!node.total && !node.calls)) continue;
    const frame = node.part;
    if (!methodSums.has(frame)) {
      methodSums.set(frame, { frame, self: 0, total: 0, us: 0, calls: 0, nodes: [] });
    }
    const sums = methodSums.get(frame);
    sums.self += node.self;
    sums.calls += node.calls;
    sums.nodes.push(node);
    if (node.outermost) {
      sums.total += node.total;
      sums.us += node.us;
    }
  }
  if (session === null || !tree.by) {
    for (const sums of methodSums.values()) {
      const calls = names.frames[sums.frame].calls;
      if (calls !== undefined) sums.calls = calls;
    }
  }
  return methodSums;
}
