// A path: calls in calls, lines in the order in which they ran, repetitions folded.

/** Repetitions with so many parts are looked for. */
const CYCLE = 48;
/** Rows that are drawn at first; the rest is a click away. */
const ROWS = 400;

/** Adds a part, and folds the end of the list while it repeats. */
function addFolded(list, part) {
  list.push(part);
  for (let again = true; again;) {
    again = false;
    for (let n = 1; n <= CYCLE && n < list.length; n++) {
      const start = list.length - n,
        before = list[start - 1];
      const tail = list.slice(start);
      if (before.body && before.body.length === n && tail.every((p, i) => p.key === before.body[i].key)) {
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
 * Calls of a list of events (see `events.rs`). Where it begins inside of calls, `depth` says of how
 * many. A call: {frame, outside, parts, end}; a part: {block, from, to}, which are line entries of
 * the block, {call}, {body, times} or {text}.
 */
function parsePath(events, from, to, depth) {
  const top = { parts: [], raw: [] };
  const stack = [top];
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
  const end = how => {
    const call = stack.pop();
    call.end = how;
    call.parts = [];
    call.raw.forEach(part => addFolded(call.parts, part));
    call.key = keyOf(`${call.frame}${call.end}(${call.parts.map(p => p.key)})`);
    here().raw.push({ call, key: call.key });
  };
  const say = text => here().raw.push({ text, key: keyOf(text) });
  const ended = calls => {
    flush(here());
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
      say(`exception, caught at ${placeText(events[++i], true)}`);
    } else if (kind === 6) {
      ended(value);
      say('exception, leaves the app’s code');
    } else if (kind === 7) {
      const name = byMethod.has(value) ? shortName(byMethod.get(value)) : 'a method';
      say(`? ${name} may have ended earlier than shown`);
    }
  }
  flush(here());
  while (stack.length > 1) end('open');
  top.raw.forEach(part => addFolded(top.parts, part));
  return top;
}

/** Draws a path. With `texts` (lines by file) each line stands with its source. */
function drawPath(path, texts) {
  const box = el('div', { class: 'path' });
  const calls = path.parts.filter(p => p.call || p.body);
  const draw = rows => {
    const left = { rows, closed: new Set(calls.length > 3 ? calls.slice(0, -2) : []) };
    drawParts(box, path.parts, texts, left);
    if (left.rows <= 0) {
      box.append(
        el(
          'p',
          {},
          el(
            'button',
            {
              onclick: () => {
                box.replaceChildren();
                draw(Infinity);
              },
            },
            'Show all',
          ),
        ),
      );
    }
  };
  draw(ROWS);
  return box;
}

const placeKey = place => `${place.frame}:${place.line}`;

/** The first place of a part, through repetitions. */
function firstPlace(part) {
  if (part.body) return firstPlace(part.body[0]);
  return part.block === undefined ? undefined : placesOf(part.block, part.from, part.to)[0];
}

function drawParts(box, parts, texts, left, again) {
  let run = null,
    last;
  const lines = (to, part, end) => {
    const places = placesOf(part.block, part.from, part.to);
    places.forEach((place, i) => {
      const key = placeKey(place);
      // A round that ends in the line with which the next one begins shows it once.
      if (key === last || (end && i === places.length - 1 && key === end)) return;
      last = key;
      const jump = () => goToLine(place.frame, place.line);
      const label = place.inlined ? `⤷ ${shortName(place.frame)} ${place.line}` : String(place.line);
      const text = texts && sourceLine(texts, place);
      if (texts) {
        to.append(el('span', { class: 'src' }, el('b', { class: 'line', onclick: jump }, label), text || ''));
      } else {
        to.append(el('span', { class: 'line', title: fullName(place.frame), onclick: jump }, label));
      }
    });
  };
  const endOf = body => {
    const first = firstPlace(body[0]);
    return body.length > 1 && first ? placeKey(first) : undefined;
  };
  const inline = (to, part, end) => {
    if (!part.body) return lines(to, part, end);
    to.append(el('span', { class: 'group' }, '('));
    last = undefined;
    part.body.forEach((p, i) => inline(to, p, i === part.body.length - 1 ? endOf(part.body) : undefined));
    to.append(el('span', { class: 'group' }, `) × ${num(part.times)}  `));
    last = undefined;
  };
  const flat = part => (part.body ? part.body.every(flat) : part.block !== undefined);
  parts.forEach((part, i) => {
    if (left.rows <= 0) return;
    if (flat(part) && !(texts && part.body)) {
      if (!run) {
        run = el('div', {});
        box.append(run);
        left.rows--;
      }
      inline(run, part, i === parts.length - 1 ? again : undefined);
      return;
    }
    run = null;
    last = undefined;
    left.rows--;
    if (part.body) {
      const inside = el('div', { class: 'in' });
      box.append(el('div', { class: 'group' }, `× ${num(part.times)}`), inside);
      if (left.closed.has(part)) {
        unfold(inside.previousSibling, inside, () =>
          drawParts(inside, part.body, texts, { rows: ROWS, closed: new Set() }),
        );
      } else {
        drawParts(inside, part.body, texts, left, endOf(part.body));
      }
    } else if (part.call) {
      drawCall(box, part, texts, left);
    } else {
      box.append(el('div', { class: 'thrown' }, `✗ ${part.text}`));
    }
  });
}

function drawCall(box, part, texts, left) {
  const call = part.call,
    inside = el('div', { class: 'in' });
  const name = call.frame === undefined ? '(a call that began earlier)' : shortName(call.frame);
  const head = el(
    'div',
    { class: 'head', title: call.frame === undefined ? '' : fullName(call.frame) },
    call.outside ? el('span', { class: 'soft', title: 'called by code outside the app' }, '⇠ ') : null,
    el('span', { class: 'n' }, name),
    el('span', { class: 'soft' }, call.frame === undefined ? '' : names.frames[call.frame].p),
    call.end === 'exception' ? el('span', { class: 'thrown' }, '  ✗ ended by an exception') : null,
    call.end === 'open' ? el('span', { class: 'soft' }, '  … not ended') : null,
  );
  box.append(el('div', { class: 'call' }, head, inside));
  if (left.closed.has(part)) {
    unfold(head, inside, () => drawParts(inside, call.parts, texts, { rows: ROWS, closed: new Set() }));
  } else {
    head.addEventListener('click', () => {
      inside.hidden = !inside.hidden;
    });
    drawParts(inside, call.parts, texts, left);
  }
}

/** A head that draws what is below it when it is opened first. */
function unfold(head, inside, draw) {
  const toggle = el('span', { class: 'toggle' }, '▸');
  let drawn = false;
  inside.hidden = true;
  head.prepend(toggle);
  head.classList.add('head');
  head.tabIndex = 0;
  const flip = () => {
    inside.hidden = !inside.hidden;
    toggle.textContent = inside.hidden ? '▸' : '▾';
    if (!drawn) draw();
    drawn = true;
  };
  head.addEventListener('click', flip);
  head.addEventListener('keydown', e => {
    if (e.key === 'Enter') flip();
  });
}

/** The text of a place's line; `texts` are those of `textsOf`, which loads what this reads. */
function sourceLine(texts, place) {
  const file = fileOf.get(place.frame);
  const lines = file && texts.get(file[0]);
  return lines ? (lines[place.line - 1] || '').trim() : null;
}

/** Source lines of all files that blocks of these calls are in. */
async function textsOf(path) {
  await readFiles();
  const wanted = new Set();
  const visit = parts =>
    parts.forEach(part => {
      if (part.body) visit(part.body);
      if (part.call) visit(part.call.parts);
      if (part.block !== undefined) {
        placesOf(part.block).forEach(p => {
          const f = fileOf.get(p.frame);
          if (f) wanted.add(f[0]);
        });
      }
    });
  visit(path.parts);
  const blocks = await Promise.all([...wanted].map(async i => [i, (await unpack(`source-${i}`)).text]));
  return new Map(blocks);
}

/** A box with a path and a switch for source text. */
function pathBox(path) {
  const shown = el('div', {}, drawPath(path));
  const pick = el('input', {
    type: 'checkbox',
    onchange: async () => {
      shown.replaceChildren(drawPath(path, pick.checked ? await textsOf(path) : undefined));
    },
  });
  const bar = el('div', { class: 'bar' }, el('label', {}, pick, ' source text'));
  if (main.sources) {
    pick.checked = true;
    pick.dispatchEvent(new Event('change'));
  }
  return el('div', {}, main.sources ? bar : null, shown);
}
