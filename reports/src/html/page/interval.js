// What ran in an interval of all threads, by the strips of the time tree that the page carries.

/**
 * Per lane its stretches: {from, to, ran}; ms since its process began, nodes of the tree and steps.
 */
let strips;

async function readIntervals() {
  if (strips) return strips;
  const data = await unpack('intervals');
  strips = data.lanes.map(({ t, ran }) => {
    let at = 0;
    return ran.map((pairs, i) => ({
      from: (at += t[2 * i]) / 1000,
      to: (at += t[2 * i + 1]) / 1000,
      ran: pairs,
    }));
  });
  return strips;
}

/**
 * What ran in an interval, in ms: steps by node (from 1), of stretches that lie whole in it. `more`
 * are the steps of stretches that lie partly in it; `threads` those that ran.
 */
function ranIn(from, to) {
  const self = new Float64Array(nodes.length);
  let steps = 0,
    more = 0,
    threads = 0;
  for (const [lane, strip] of strips.entries()) {
    if (!inSession(main.lanes[lane].p)) continue;
    let ran = false;
    for (const stretch of strip) {
      if (stretch.to < from || stretch.from >= to) continue;
      const whole = stretch.from >= from && stretch.to < to;
      for (let i = 0, node = 1; i < stretch.ran.length; i += 2) {
        node += stretch.ran[i];
        if (whole) {
          self[node] += stretch.ran[i + 1];
          steps += stretch.ran[i + 1];
        } else more += stretch.ran[i + 1];
      }
      ran = ran || whole;
    }
    if (ran) threads++;
  }
  return { self, steps, more, threads };
}

/** Per frame its own steps in an interval, and with all that it called, the most first. */
function methodsIn(self) {
  const total = self.slice(),
    of = new Map();
  for (let i = nodes.length - 1; i > 0; i--) total[nodes[i].parent.index] += total[i];
  for (const node of nodes) {
    if (!total[node.index] || !isFrame(node)) continue;
    const sums = of.get(node.part) || { frame: node.part, self: 0, total: 0 };
    sums.self += self[node.index];
    if (node.outermost) sums.total += total[node.index];
    of.set(node.part, sums);
  }
  return [...of.values()].sort((a, b) => b.self - a.self || b.total - a.total || a.frame - b.frame);
}

const INTERVAL_ROWS = 40;

/** Puts what ran in an interval into a box. */
function showInterval(box, from, to) {
  const { self, steps, more, threads } = ranIn(from, to);
  const all = methodsIn(self),
    own = ownFirst() ? all.filter(sums => isOwn(sums.frame)) : all,
    list = own.length ? own : all;
  const [begin, end] = [from, to].map(ms => `${Math.max(0, ms / 1000).toFixed(6)}s`);
  const logs = [...new Set(main.processes.filter((_, p) => inSession(p)).flatMap(p => p.files))];
  const inputs = `--map ${quoted(main.map || 'app.plmap')} ${logs.map(quoted).join(' ')}`;
  const [first, last] = [from, to].map(ms =>
    axisText(Math.max(0, ms), Math.max(1, (to - from) / 50)),
  );
  box.replaceChildren(
    el('h2', {}, `What ran from ${first} to ${last}`),
    el(
      'p',
      { class: 'note' },
      `${plural(steps, 'block')} in ${plural(threads, 'thread')}. Each block counts at the last ` +
        'time that was measured before it.',
      more ? ` ${num(more)} more ran in stretches that the borders cut.` : null,
      list.length < all.length
        ? ` Libraries are left out (${num(all.length - list.length)}).`
        : null,
    ),
    table(
      [
        ['Method', 'name'],
        ['Own blocks', 'n'],
        ['Blocks', 'n'],
      ],
      list.slice(0, INTERVAL_ROWS).map(sums => ({
        to: `#methods/${sums.frame}`,
        cells: [named(sums.frame), num(sums.self), num(sums.total)],
      })),
    ),
    list.length > INTERVAL_ROWS
      ? el('p', { class: 'note' }, `and ${plural(list.length - INTERVAL_ROWS, 'more method')}`)
      : '',
    el(
      'details',
      {},
      el('summary', {}, 'Exact sums, thread by thread'),
      commandBox(`pathlight timetree build ${inputs} -o session.pltt`),
      commandBox(`pathlight timetree query session.pltt --from ${begin} --to ${end}`),
    ),
  );
}
