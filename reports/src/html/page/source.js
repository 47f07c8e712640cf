// Source files: how often each line ran, and which direction its branches took.

async function source(view, args) {
  await readFiles();
  view.className = 'full';
  if (!files.length) {
    view.append(el('p', { class: 'soft' }, 'No method with source lines ran.'));
    return undefined;
  }
  let list = [],
    current = -1,
    unfolded = false;
  const packages = new Set(files.map(f => f.package));
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter files',
    'aria-label': 'Filter files',
  });
  const title = el('span', { class: 'name' });
  const next = el(
    'button',
    { type: 'button', onclick: () => step(), title: 'The next line that did not run' },
    'Next line that did not run',
  );
  const left = el('div', { class: 'scroll files' });
  const right = el('div', {
    class: 'scroll code',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Source',
    style: { flex: '1' },
  });
  const rows = new Rows(
    left,
    25,
    i => {
      if (list[i] === -1) {
        const mark = unfolded ? '▾' : '▸';
        return [
          el('span', { class: 'grow soft' }, `${mark} Libraries (${num(libraries().length)})`),
        ];
      }
      const f = files[list[i]];
      return [
        el('span', { class: 'grow', title: `${f.package}.${f.name}` }, fileTitle(f)),
        el('span', { class: 'n soft' }, f.lines ? `${f.ran}/${f.lines}` : ''),
        meter(f.ran, f.lines),
      ];
    },
    i => {
      if (list[i] === -1) {
        unfolded = !unfolded;
        refill();
        return undefined;
      }
      return open(list[i], undefined, true);
    },
    'Files',
  );
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      title,
      el('span', { class: 'soft', id: 'coverage' }, coverageText()),
      session === null ? null : el('span', { class: 'tag warn' }, 'hits of all sessions'),
      el('span', { class: 'grow' }),
      main.sources ? null : el('span', { class: 'note' }, 'Give --sources DIR to see the text.'),
      next,
    ),
    namelessNote(),
    el('div', { class: 'split' }, left, right),
  );

  async function open(i, line, push) {
    current = i;
    const block = await unpack(`source-${i}`);
    setAddress(`source/${i}${line ? `/${line}` : ''}`, {}, push);
    const isPlain = packages.size < 2 || isNameless(files[i]);
    title.textContent = (isPlain ? '' : `${files[i].package}.`) + files[i].name;
    drawSource(right, i, block);
    const first = block.text ? block.hits.findIndex(() => true) : 0;
    const at = line && right.querySelector(`#L${line}`);
    if (at) {
      at.classList.add('here');
      at.scrollIntoView({ block: 'center' });
    } else {
      const hit = block.hits[first];
      right.scrollTop = block.text && hit ? Math.max(0, hit[0] - 4) * 19 : 0;
    }
  }

  function step() {
    const lines = [...right.querySelectorAll('.l')],
      here = lines.findIndex(l => l.classList.contains('here'));
    const to = lines.findIndex((l, i) => i > here && l.classList.contains('not'));
    lines.forEach(l => l.classList.remove('here'));
    const line = lines[to >= 0 ? to : lines.findIndex(l => l.classList.contains('not'))];
    if (line) {
      line.classList.add('here');
      line.scrollIntoView({ block: 'center' });
    }
  }

  const fits = i => {
    const wanted = filter.value.toLowerCase();
    return `${files[i].package}.${files[i].name}`.toLowerCase().includes(wanted);
  };
  const all = () => files.map((_, i) => i).filter(i => files[i].lines && fits(i));
  const libraries = () => all().filter(i => !isOwnFile(files[i]));

  function refill() {
    const folds = ownFirst() && !filter.value;
    const rest = libraries();
    list = all();
    if (folds && rest.length && rest.length < list.length) {
      list = list.filter(i => isOwnFile(files[i]));
      list.push(-1, ...(unfolded || rest.includes(current) ? rest : []));
    }
    rows.show(list.length);
    if (list.includes(current)) rows.choose(list.indexOf(current), true);
  }
  filter.addEventListener('input', refill);

  const goTo = async to => {
    if (to[0] !== undefined) current = Number(to[0]);
    refill();
    const i = to[0] === undefined ? list.find(n => n >= 0) : current;
    if (!files[i]) return;
    current = i;
    if (list.includes(i)) rows.choose(list.indexOf(i), true);
    await open(i, Number(to[1]) || undefined);
  };
  await goTo(args);
  return goTo;
}

/** True for files of which a class is the app's own. */
const isOwnFile = f => f.methods.some(([frame]) => isOwn(frame)) || isOwnPackage(f.package);

/** What to do about classes that R8 left no file name; nothing if there are none. */
function namelessNote() {
  const nameless = files.find(isNameless);
  if (!nameless) return '';
  const id = nameless.file === 'SourceFile' ? '' : ` (its id: ${nameless.file})`;
  return el(
    'p',
    { class: 'note wide-note' },
    `R8 renamed this build, and it was instrumented without a mapping${id}: files are classes, ` +
      'and lines are those of R8. "report --mapping mapping.txt" gives them their names.',
  );
}

/** A file's name; where R8 left all classes the same one, that of the class. */
const fileTitle = f => (isNameless(f) ? f.name.split('.').pop() : f.name);
const isNameless = f => f.file === 'SourceFile' || f.file.startsWith('r8-map-id-');

/** Draws a file's lines into a box. */
function drawSource(box, i, block) {
  const hits = new Map(block.hits),
    forks = new Map();
  block.branches.forEach(b => forks.set(b[0], [...(forks.get(b[0]) || []), b]));
  const last = block.hits.reduce((n, h) => Math.max(n, h[0]), 0);
  const begins = new Map(files[i].methods.filter(m => m[1]).map(m => [m[1], m[0]]));
  const numbers = block.text
    ? block.text.map((_, n) => n + 1)
    : [...hits.keys()].sort((a, b) => a - b);
  if (block.text) for (let n = block.text.length + 1; n <= last; n++) numbers.push(n);
  const paint = colouring();
  const drawn = numbers.map(n => {
    const count = hits.get(n);
    const method = begins.has(n) ? shortName(begins.get(n)) : '';
    const text = block.text ? block.text[n - 1] || '' : method;
    const kind = count === undefined ? '' : count ? ' ran' : ' not';
    return el(
      'div',
      { class: `l${kind}`, id: `L${n}` },
      el('span', { class: 'no' }, n),
      el('span', { class: 'hits' }, count === undefined ? '' : count ? `${num(count)} ×` : 'never'),
      el('span', { class: 'text' }, block.text ? paint(text) : text),
      el(
        'span',
        { class: 'forks' },
        (forks.get(n) || []).slice(0, 6).map(fork => branchBox(fork, i, block.text, hits)),
        (forks.get(n) || []).length > 6 ? `+ ${forks.get(n).length - 6}` : null,
      ),
    );
  });
  box.replaceChildren(...drawn);
  box.dataset.file = i;
  if (!drawn.length) {
    box.append(el('p', { class: 'soft details' }, 'The app has no line numbers for this file.'));
  }
}

const directionColour = i =>
  ['var(--accent)', 'var(--second)', 'var(--third)'][i] || `hsl(${(i * 67) % 360} 40% 60%)`;

/** Ends of a direction without lines (see `data.rs`). */
const ENDS = new Map([
  [-1, 'returns'],
  [-2, 'throws'],
]);

/**
 * A branch: a bar with its directions, each with the line it goes to, the outcome of the line's
 * condition, where that is certain, and its share.
 */
function branchBox([line, , directions], file, source, hits) {
  const all = directions.reduce((n, w) => n + w[1], 0);
  if (!all) return null;
  const lines = directions.map(([to, , , next]) => placesOf(next > 0 ? next : to)[0]);
  const inFile = (place, i) =>
    place && !place.inlined && !directions[i][3] && fileOf.get(place.frame)?.[0] === file;
  const truth = truths(
    source || [],
    line,
    lines.map((place, i) => (inFile(place, i) ? place.line : undefined)),
    n => hits.has(n),
  );
  const text = directions
    .map(
      ([to, n, freq, next], i) =>
        `→ ${ENDS.get(next) || placeText(next || to, true)}` +
        `${truth[i] ? `, condition ${truth[i]}` : ''}: ${num(n)} × (${percent(n, all)} here, ` +
        `${percent(freq, 65536)} expected)`,
    )
    .join('\n');
  const label = i => {
    const same = lines.filter(p => p && lines[i] && p.line === lines[i].line).length > 1;
    const to = lines[i]
      ? `→${lines[i].line}${same ? 'abcdefgh'[i] || '' : ''}`
      : `→ ${ENDS.get(directions[i][3]) || i + 1}`;
    return truth[i] ? `${truth[i]} ${to}` : to;
  };
  const one = ([, n], i) =>
    el(
      'button',
      {
        type: 'button',
        class: n ? 'way' : 'way never',
        onclick: () => lines[i] && goToLine(lines[i].frame, lines[i].line),
      },
      el('i', { class: 'dot', style: { background: directionColour(i) } }),
      `${label(i)} ${n ? percent(n, all) : 'never'}`,
    );
  const taken = directions.filter(w => w[1]).length;
  return el(
    'span',
    { class: 'fork', onmousemove: e => tip(text, e), onmouseleave: () => tip('') },
    el(
      'span',
      { class: 'split-bar', 'aria-hidden': 'true' },
      directions.map(([, n], i) =>
        el('i', { style: { width: `${(n / all) * 100}%`, background: directionColour(i) } }),
      ),
    ),
    directions.length <= 3 ? directions.map(one) : `${taken} of ${directions.length} directions`,
  );
}

/** What ran of all files, also of those that are not listed because nothing of them did. */
function coverageText() {
  const kinds = ['lines', 'branches', 'methods'];
  const parts = main.coverage.map(([ran, all], i) => `${num(ran)} of ${num(all)} ${kinds[i]}`);
  return `All files: ${parts.join(', ')} ran`;
}
