// A path as rows: calls in calls, lines in the order in which they ran, repetitions folded.

/** Rows that are drawn at first; the rest is a click away. */
const ROWS = 400;

/**
 * Draws a path. With `texts` (lines by file) each line stands with its source. With `toEnd` all of
 * it is drawn, and it is scrolled to its last exception.
 */
function drawPath(path, texts, toEnd) {
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
  draw(toEnd ? Infinity : ROWS);
  box.addEventListener('copy', e => {
    const selected = getSelection();
    if (!selected.rangeCount) return;
    e.clipboardData.setData('text/plain', pathText(selected.getRangeAt(0).cloneContents()));
    e.preventDefault();
  });
  if (toEnd) requestAnimationFrame(() => showThrow(box));
  return box;
}

/** Scrolls the box around a path to its last exception. */
function showThrow(box) {
  const thrown = [...box.querySelectorAll('.thrown')].pop(),
    port = box.closest('.details');
  if (!thrown || !port) return;
  const down = thrown.getBoundingClientRect().top - port.getBoundingClientRect().top;
  port.scrollTop += down - port.clientHeight * 0.6;
}

/** A drawn path, or a part of it, as text: calls in calls are indented. */
function pathText(node) {
  let text = '';
  const visit = (at, depth) => {
    for (const child of at.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        if (text.endsWith('\n')) text += '  '.repeat(depth);
        text += child.nodeValue;
      } else if (!child.hidden) {
        const isRow = /^(DIV|P)$/.test(child.tagName) || child.classList?.contains('src');
        if (isRow && text && !text.endsWith('\n')) text = `${text.trimEnd()}\n`;
        visit(child, depth + (child.classList?.contains('in') ? 1 : 0));
        if (child.classList?.contains('line')) text += ' ';
      }
    }
  };
  visit(node, 0);
  return `${text.trimEnd()}\n`;
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
      const label = place.inlined
        ? `⤷ ${shortName(place.frame)} ${place.line}`
        : String(place.line);
      const text = texts && sourceLine(texts, place);
      if (texts) {
        const line = el('a', { class: 'line', tabindex: 0, role: 'link', onclick: jump }, label);
        to.append(el('span', { class: 'src' }, line, coloured(text || '')));
      } else {
        const title = fullName(place.frame);
        const line = { class: 'line', tabindex: 0, role: 'link', title, onclick: jump };
        to.append(el('a', line, label));
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
    part.body.forEach((p, i) =>
      inline(to, p, i === part.body.length - 1 ? endOf(part.body) : undefined),
    );
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
    call.frame === undefined ? null : classDot(call.frame),
    call.outside
      ? el('span', { class: 'soft', title: 'called by code outside the app' }, '⇠ ')
      : null,
    el('span', { class: 'n' }, name),
    el('span', { class: 'soft' }, call.frame === undefined ? '' : names.frames[call.frame].p),
    call.end === 'exception' ? el('span', { class: 'thrown' }, '  ✗ ended by an exception') : null,
    call.end === 'open' ? el('span', { class: 'soft' }, '  … not ended') : null,
  );
  box.append(el('div', { class: 'call' }, head, inside));
  if (left.closed.has(part)) {
    unfold(head, inside, () =>
      drawParts(inside, call.parts, texts, { rows: ROWS, closed: new Set() }),
    );
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
  const blocks = await Promise.all(
    [...wanted].map(async i => [i, (await unpack(`source-${i}`)).text]),
  );
  return new Map(blocks);
}

/** A box with a path, a switch for source text, and a button that copies it. */
function pathBox(path, toEnd) {
  const shown = el('div', {}, drawPath(path, undefined, toEnd));
  const pick = el('input', {
    type: 'checkbox',
    onchange: async () => {
      const texts = pick.checked ? await textsOf(path) : undefined;
      shown.replaceChildren(drawPath(path, texts, toEnd));
    },
  });
  const copy = el('button', { type: 'button', class: 'small' }, 'Copy');
  copy.addEventListener('click', () => copyText(pathText(shown), copy));
  const label = main.sources ? el('label', {}, pick, ' source text') : null;
  if (main.sources) {
    pick.checked = true;
    pick.dispatchEvent(new Event('change'));
  }
  return el('div', {}, el('div', { class: 'bar' }, label, copy), shown);
}
