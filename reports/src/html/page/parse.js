// Paths from their events: calls in calls, lines in order, repetitions folded.

/** Most parts of a repetition that is looked for. */
const CYCLE = 48;

/** Adds a part, and folds the end of the list while it repeats. */
function addFolded(list, part) {
  list.push(part);
  for (let again = true; again;) {
    again = false;
    for (let n = 1; n <= CYCLE && n < list.length; n++) {
      const start = list.length - n,
        before = list[start - 1];
      const tail = list.slice(start);
      if (
        before.body &&
        before.body.length === n &&
        tail.every((p, i) => p.key === before.body[i].key)
      ) {
        list.length = start - 1;
        list.push(group(before.body, before.times + 1));
        again = true;
        break;
      }
      if (list.length >= 2 * n && tail.every((p, i) => p.key === list[start - n + i].key)) {
        list.length = start - n;
        list.push(group(tail, 2));
        again = true;
        break;
      }
    }
  }
}

const keys = new Map();
function keyOf(text) {
  if (!keys.has(text)) keys.set(text, keys.size);
  return keys.get(text);
}

const group = (body, times) => ({ body, times, key: keyOf(`×${times}:${body.map(p => p.key)}`) });

/**
 * Calls of a list of events (see `events.rs`). `depth` is the number of calls that are active
 * before the first event. A call: {frame, outside, parts, end}; a part: {block, from, to}, which
 * are line entries of the block, {call}, {body, times} or {text}.
 */
function parsePath(events, from, to, depth) {
  const top = { parts: [], raw: [] };
  const stack = [top];
  /** Line entries that the block of the next exception came to. */
  let reached;
  const begin = (frame, outside) => stack.push({ frame, outside, raw: [], end: 'open' });
  const here = () => stack[stack.length - 1];
  /** Adds the lines of the current block up to an entry; lines come before and after a call. */
  const flush = (call, until = Infinity) => {
    const { block, shown } = call;
    if (block === undefined) return;
    const end = Math.min(until, entriesOf(block));
    if (end > shown || (shown === 0 && until === Infinity)) {
      call.raw.push({ block, from: shown, to: end, key: keyOf(`b${block}.${shown}.${end}`) });
    }
    call.shown = Math.max(end, shown);
    if (until === Infinity) call.block = undefined;
  };
  /**
   * Adds what ran for certain of a block that may have ended early: up to its last call, or what
   * an event gives.
   */
  const flushCertain = (call, reached) => {
    const { block, shown } = call;
    const certain = reached === undefined ? Math.max(1, shown) : reached;
    flush(call, block !== undefined && entriesOf(block) > 0 ? certain : Infinity);
    call.block = undefined;
  };
  const end = how => {
    const call = stack.pop();
    call.end = how;
    call.parts = [];
    call.raw.forEach(part => addFolded(call.parts, part));
    call.key = keyOf(`${call.frame}${call.end}(${call.parts.map(p => p.key)})`);
    here().raw.push({ call, key: call.key });
  };
  const note = text => here().raw.push({ text, key: keyOf(text) });
  const ended = calls => {
    flushCertain(here(), reached);
    reached = undefined;
    for (let n = 0; n < calls && stack.length > 1; n++) end('exception');
    // What is left of its block did not run.
    here().block = undefined;
  };
  for (let i = 0; i < depth; i++) begin(undefined, false);
  for (let i = from; i < to; i++) {
    const code = events[i],
      kind = code % 8,
      value = Math.floor(code / 8),
      call = here();
    if (kind === 0) {
      if (call.frame === undefined && call !== top) call.frame = frameOf(value);
      flush(call);
      Object.assign(call, { block: value, shown: 0 });
    } else if (kind === 1 || kind === 2) {
      flush(call, events[++i]);
      begin(byMethod.get(value), kind === 2);
    } else if (kind === 3) {
      flush(call);
      if (stack.length > 1) end('return');
    } else if (kind === 4) {
      flush(call);
      const body = call.raw.splice(Math.max(0, call.raw.length - value));
      call.raw.push(group(body, events[++i] + 1));
    } else if (kind === 5) {
      ended(value);
      note(`exception, caught at ${placeText(events[++i], true)}`);
    } else if (kind === 6) {
      ended(value);
      note('exception, leaves the app’s code');
    } else if (kind === 7 && value % 2) {
      reached = Math.floor(value / 2);
    } else if (kind === 7) {
      const method = byMethod.get(value / 2);
      const name = method === undefined ? 'a method' : shortName(method);
      note(`? ${name} may have ended earlier than shown`);
    }
  }
  flushCertain(here());
  while (stack.length > 1) end('open');
  top.raw.forEach(part => addFolded(top.parts, part));
  return top;
}
