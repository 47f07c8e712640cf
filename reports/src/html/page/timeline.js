// The timeline: sessions and threads by time, the list of what it shows, details of what is chosen.

async function timeline(view, args, params) {
  await Promise.all([readCallbacks(), readIntervals(), readOutcomes()]);
  view.className = 'full';
  const processes = main.processes.map((_, p) => p).filter(inSession);
  const opened = new Set();
  let last = 1;
  for (const lane of lanes) {
    if (inSession(lane.p)) lane.t.forEach((_, at) => (last = Math.max(last, endOf(lane, at))));
  }
  const all = { from: -last * 0.01, to: last * 1.02 };
  const state = {
    rows: layoutRows(lanes, processes, opened),
    span: { ...all },
    all,
    density: densityOf(all),
    hits: null,
    chosen: null,
    mark: [0, 0],
    crashes: crashCallbacks(),
    opened,
    nested: new Map(),
  };
  let list = [],
    later = null;

  const map = el('canvas', { class: 'map', 'aria-hidden': 'true' });
  const canvas = el('canvas', {
    class: 'lanes',
    tabindex: 0,
    role: 'application',
    'aria-label':
      'Timeline of callbacks. W and S zoom, A and D move, 0 shows the whole time. ' +
      'The list below has the same callbacks as text.',
  });
  const space = el('div', {});
  const scroller = el('div', { class: 'chart lanes-box' }, canvas, space);
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter callbacks',
    'aria-label': 'Filter callbacks',
  });
  const count = el('span', { class: 'note', role: 'status' });
  const bar = el(
    'div',
    { class: 'bar' },
    filter,
    count,
    zoomHint(),
    el('button', { type: 'button', onclick: () => look(all) }, 'Whole time'),
  );
  const left = el('div', { class: 'scroll', style: { flex: '1.1' } });
  const details = el('div', { class: 'scroll details', style: { flex: '1' }, tabindex: 0 });
  left.append(
    el(
      'div',
      { class: 'heads' },
      el('span', { class: 'n begins' }, 'Begins'),
      el('span', { class: 'grow' }, 'Callback'),
      el('span', { class: 'thread wide' }, 'Thread'),
      isTimed() ? el('span', { class: 'n took' }, 'Took') : null,
      el('span', { class: 'n steps' }, 'Blocks'),
    ),
  );
  const rows = new Rows(
    left,
    25,
    i => listedCells(...callbackAt(list[i]), state.crashes),
    i => select(callbackAt(list[i]), true),
    'Callbacks of the shown time',
  );
  view.append(
    bar,
    el('div', { class: 'chart map-box' }, map),
    scroller,
    el('div', { class: 'split' }, left, details),
  );

  const shownSpan = () =>
    state.span.from <= all.from && state.span.to >= all.to
      ? {}
      : { from: state.span.from.toFixed(3), to: state.span.to.toFixed(3) };
  const path = () =>
    state.chosen ? `timeline/${state.chosen[0]}/${state.chosen[1] + 1}` : 'timeline';
  const note = push => setAddress(path(), shownSpan(), push);

  /** Chooses a callback: details, its mark, its row scrolled into view. */
  function select([lane, at], push) {
    state.chosen = [lane, at];
    reveal(lane, at);
    if (push) note(true);
    showDetails(details, lane, at);
    draw();
  }

  /** Opens and scrolls what hides a callback, and moves the span if it lies outside. */
  function reveal(lane, at) {
    let row = rowOfLane(state.rows, lane, opened);
    if (!row) {
      relayout();
      row = rowOfLane(state.rows, lane, opened);
    }
    if (row) {
      const room = scroller.clientHeight - AXIS;
      if (row.y < scroller.scrollTop || row.y + LANE > scroller.scrollTop + room) {
        scroller.scrollTop = Math.max(0, row.y - room / 3);
      }
    }
    const t = lanes[lane].t[at],
      { span } = state;
    if (endOf(lanes[lane], at) < span.from || t > span.to) {
      const wide = span.to - span.from;
      state.span = within({ from: t - wide * 0.3, to: t + wide * 0.7 }, all);
      refill();
    }
  }

  const heightOfRows = () => AXIS + 4 + state.rows.reduce((n, row) => n + row.height, 0);

  function relayout() {
    state.rows = layoutRows(lanes, processes, opened, nestedDepths(state.nested));
    const height = heightOfRows();
    scroller.style.height = `${Math.min(height + 2, Math.max(150, innerHeight * 0.4))}px`;
    space.style.height = `${Math.max(0, height - scroller.clientHeight)}px`;
  }

  /** Fills the list with what the span and the filter leave. */
  function refill() {
    const found = callbacksIn(state.span, filter.value.trim());
    list = found.list;
    state.hits = found.hits;
    count.textContent = plural(list.length, 'callback');
    rows.show(list.length);
    mark();
  }

  /** Shows the calls of callbacks that are wide enough by now. */
  async function nest() {
    const { span } = state,
      nested = await readNested(wideCallbacks(visibleRows(state.rows, scroller), span, width));
    if (!canvas.isConnected || span !== state.span) return;
    state.nested = lastNested = nested;
    relayout();
    draw();
  }

  /** Marks the chosen callback in the list. */
  function mark() {
    if (!state.chosen) return;
    const i = list.indexOf(lanes[state.chosen[0]].base + state.chosen[1]);
    if (i >= 0) rows.choose(i, true);
  }

  /** Shows a part of the time, and what ran in it. */
  function look(span) {
    state.span = within(span, all);
    draw();
    clearTimeout(later);
    later = setTimeout(() => {
      if (!canvas.isConnected) return;
      note(true);
      settle();
    }, 250);
  }

  function settle() {
    nest();
    refill();
    if (!state.chosen) showInterval(details, state.span.from, state.span.to);
  }

  let width = 800;
  const time = px => {
    const start = labelWidth(width),
      { span } = state;
    return span.from + ((px - start) / (width - start)) * (span.to - span.from);
  };

  function draw() {
    width = Math.max(240, scroller.clientWidth);
    drawLanes(canvas, width, scroller.clientHeight, scroller.scrollTop, state);
    drawMap(map, width, state);
  }

  /** The row and the callback under the pointer. */
  function under(e) {
    const box = canvas.getBoundingClientRect(),
      px = e.clientX - box.left,
      y = e.clientY - box.top - AXIS + scroller.scrollTop;
    const row = state.rows.find(r => y >= r.y && y < r.y + r.height);
    if (!row || e.clientY - box.top < AXIS) return {};
    if (px < labelWidth(width) || row.kind === 'session') return { row };
    const depth = Math.floor((y - row.y - LANE) / CALL);
    if (depth >= 0) return { row, call: nestedAt(row, state.nested, depth, time(px)) };
    const near = ((state.span.to - state.span.from) / (width - labelWidth(width))) * 8;
    return { row, callback: markNear(row, time(px), near) };
  }

  zoomable(canvas, {
    get span() {
      return state.span;
    },
    get left() {
      return labelWidth(width);
    },
    all,
    scroller,
    time,
    look,
    mark(from, to) {
      state.mark = [from, to];
      draw();
    },
    focus() {
      if (!state.chosen) return;
      const [lane, at] = state.chosen,
        t = lanes[lane].t[at],
        wide = Math.max(1, endOf(lanes[lane], at) - t);
      look({ from: t - wide * 0.2, to: t + wide * 1.2 });
    },
    hover(e) {
      const { callback, call } = under(e);
      if (call) return tip(callText(call), e);
      if (!callback) return tip('');
      const l = lanes[callback[0]],
        at = callback[1];
      const took = hasTook(l, at) ? `, took ${tookText(l, at)}` : '';
      tip(
        `${fullName(l.m[at])}${fromText(l, at)}\n` +
          `${laneName(l)} #${at + 1}, at ${axisText(l.t[at], 1)}, ` +
          `${plural(l.steps[at], 'block')}${took}`,
        e,
      );
      return undefined;
    },
    choose(e) {
      const { row, callback, call } = under(e);
      if (call) return;
      if (callback) {
        select(callback, true);
        mark();
      } else if (row && row.key) {
        if (opened.has(row.key)) opened.delete(row.key);
        else opened.add(row.key);
        relayout();
        draw();
      } else if (state.chosen) {
        state.chosen = null;
        note(true);
        settle();
        draw();
      }
    },
  });
  mapJumps(map, share => {
    const start = labelWidth(width),
      wide = state.span.to - state.span.from,
      at = all.from + ((share * width - start) / (width - start)) * (all.to - all.from);
    look({ from: at - wide / 2, to: at + wide / 2 });
  });
  scroller.addEventListener('scroll', draw);
  filter.addEventListener('input', () => {
    refill();
    draw();
  });
  onPrint(() => {
    drawLanes(canvas, width, Math.min(6000, heightOfRows()), 0, state);
    drawMap(map, width, state);
  });
  onResize(() => {
    relayout();
    draw();
  });

  /** Shows what an address names. */
  function goTo(to, parameters) {
    const [from, end] = ['from', 'to'].map(key => parseFloat(parameters.get(key)));
    state.span = end > from ? within({ from, to: end }, all) : { ...all };
    const [lane, number] = to.map(Number);
    const isThere = to.length > 1 && lanes[lane] && number >= 1 && number <= lanes[lane].m.length;
    state.chosen = isThere && inSession(lanes[lane].p) ? [lane, number - 1] : null;
    refill();
    if (state.chosen) select(state.chosen);
    else showInterval(details, state.span.from, state.span.to);
    draw();
    nest();
  }
  relayout();
  goTo(args, params);
  return goTo;
}
