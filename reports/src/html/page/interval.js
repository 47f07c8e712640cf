// What ran in an interval of all threads, by the strips of the time tree that the page carries.

/** Per lane its stretches: {from, to, ran}; ms since its process began, nodes of the tree and steps. */
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
  for (const strip of strips) {
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
  const all = methodsIn(self);
  const begin = `${Math.max(0, from / 1000).toFixed(6)}s`,
    end = `${Math.max(0, to / 1000).toFixed(6)}s`;
  box.replaceChildren(
    el('h2', {}, `What ran from ${seconds(Math.max(0, from))} to ${seconds(Math.max(0, to))}`),
    el(
      'p',
      { class: 'note' },
      `${plural(steps, 'step')} in ${plural(threads, 'thread')}, which count at the last time measured before them.`,
      more
        ? ` ${num(more)} more ran in stretches that begin before the interval or end behind it. These commands cut them: `
        : ' These commands tell the same, thread by thread: ',
      el('code', {}, 'pathlight timetree build --map app.plmap LOG… -o session.pltt'),
      ' ',
      el('code', {}, `pathlight timetree query session.pltt --from ${begin} --to ${end}`),
    ),
    table(
      [
        ['Method', 'name'],
        ['Own steps', 'n'],
        ['Steps', 'n'],
      ],
      all.slice(0, INTERVAL_ROWS).map(sums => ({
        pick: () => {
          location.hash = `#methods/${sums.frame}`;
        },
        cells: [shortName(sums.frame), num(sums.self), num(sums.total)],
      })),
    ),
  );
  if (all.length > INTERVAL_ROWS) {
    box.append(el('p', { class: 'note' }, `and ${plural(all.length - INTERVAL_ROWS, 'more method')}`));
  }
}
