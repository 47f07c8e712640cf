// Source files: how often each line ran, and which way its branches went.

async function source(view, args) {
  await readFiles();
  view.className = 'full';
  if (!files.length) {
    view.append(el('p', { class: 'soft' }, 'No method with source lines ran.'));
    return;
  }
  let list = [],
    packages = new Set(files.map(f => f.package));
  const filter = el('input', { type: 'search', placeholder: 'Filter files', 'aria-label': 'Filter files' });
  const title = el('span', { class: 'name' });
  const next = el(
    'button',
    { onclick: () => step(), title: 'The next line that did not run' },
    'Next line that did not run',
  );
  const left = el('div', { class: 'scroll files' });
  const right = el('div', { class: 'scroll code', tabindex: 0, style: { flex: '1' } });
  const rows = new Rows(
    left,
    25,
    i => {
      const f = files[list[i]];
      return [
        el('span', { class: 'grow', title: `${f.package}.${f.name}` }, f.name),
        el('span', { class: 'n soft' }, f.lines ? `${f.ran}/${f.lines}` : ''),
        meter(f.ran, f.lines),
      ];
    },
    i => open(list[i]),
  );
  view.append(
    el(
      'div',
      { class: 'bar' },
      filter,
      title,
      el('span', { class: 'soft', id: 'coverage' }, coverageText()),
      el('span', { class: 'grow' }),
      main.sources ? null : el('span', { class: 'note' }, 'Give --sources DIR to see the text.'),
      next,
    ),
    el('div', { class: 'split' }, left, right),
  );

  async function open(i, line) {
    const block = await unpack(`source-${i}`);
    history.replaceState(null, '', `#source/${i}${line ? `/${line}` : ''}`);
    title.textContent = (packages.size > 1 ? files[i].package + '.' : '') + files[i].name;
    const hits = new Map(block.hits),
      forks = new Map();
    block.branches.forEach(b => forks.set(b[0], [...(forks.get(b[0]) || []), b]));
    const last = block.hits.reduce((n, h) => Math.max(n, h[0]), 0);
    const begins = new Map(files[i].methods.filter(m => m[1]).map(m => [m[1], m[0]]));
    const drawn = [];
    const numbers = block.text ? block.text.map((_, n) => n + 1) : [...hits.keys()].sort((a, b) => a - b);
    if (block.text) for (let n = block.text.length + 1; n <= last; n++) numbers.push(n);
    for (const n of numbers) {
      const count = hits.get(n);
      const text = block.text ? block.text[n - 1] || '' : begins.has(n) ? shortName(begins.get(n)) : '';
      drawn.push(
        el(
          'div',
          { class: `l${count === undefined ? '' : count ? ' ran' : ' not'}`, id: `L${n}` },
          el('span', { class: 'no' }, n),
          el('span', { class: 'hits' }, count === undefined ? '' : count ? `${num(count)} ×` : 'never'),
          el('span', { class: 'text', title: text.length > 110 ? text : null }, text),
          el('span', { class: 'forks' }, forksOf(forks.get(n) || [])),
        ),
      );
    }
    right.replaceChildren(...drawn);
    right.dataset.file = i;
    if (!drawn.length)
      right.append(el('p', { class: 'soft details' }, 'The app has no line numbers for this file.'));
    const at = line && right.querySelector(`#L${line}`);
    if (at) {
      at.classList.add('here');
      at.scrollIntoView({ block: 'center' });
    } else {
      const first = numbers.findIndex(n => hits.has(n));
      right.scrollTop = Math.max(0, first - 3) * 19;
    }
  }

  /** The branches of a line: one with its ways, or bars alone. */
  function forksOf(all) {
    if (all.length <= 1) return all.map(f => fork(f, true));
    return [all.slice(0, 5).map(f => fork(f, false)), all.length > 5 ? `+ ${all.length - 5}` : null];
  }

  /** A branch: a bar with a part for each way, and the ways as lines. */
  function fork([, , ways], told) {
    const all = ways.reduce((n, w) => n + w[1], 0);
    if (!all) return null;
    const most = Math.max(...ways.map(w => w[1]));
    const text = ways
      .map(
        ([to, n, freq]) =>
          `→ ${placeText(to, true)}: ${num(n)} × (${percent(n, all)} here, ${percent(freq, 65536)} expected)`,
      )
      .join('\n');
    const target = to => {
      const p = placesOf(to)[0];
      return p ? `${p.line}` : '?';
    };
    const shown =
      ways.length <= 3
        ? ways.map(([to, n]) =>
            el(
              'span',
              {
                class: n ? 'way' : 'way never',
                onclick: () => {
                  const p = placesOf(to)[0];
                  if (p) goToLine(p.frame, p.line);
                },
              },
              `→${target(to)} ${n ? percent(n, all) : 'never'}`,
            ),
          )
        : `${ways.filter(w => w[1]).length} of ${ways.length} ways`;
    return el(
      'span',
      { class: 'fork', onmousemove: e => tip(text, e), onmouseleave: () => tip('') },
      el(
        'span',
        { class: 'split-bar' },
        ways.map(([, n], i) =>
          el('i', {
            style: {
              width: `${(n / all) * 100}%`,
              background: n === most ? 'var(--accent)' : `hsl(${(208 + (i + 1) * 67) % 360} 40% 60%)`,
            },
          }),
        ),
      ),
      told ? shown : null,
    );
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

  const refill = () => {
    const wanted = filter.value.toLowerCase();
    list = files
      .map((_, i) => i)
      .filter(i => files[i].lines && `${files[i].package}.${files[i].name}`.toLowerCase().includes(wanted));
    rows.show(list.length);
  };
  filter.addEventListener('input', refill);
  refill();
  const i = args[0] === undefined ? list[0] : Number(args[0]);
  if (files[i]) {
    rows.choose(list.indexOf(i), true);
    await open(i, Number(args[1]) || undefined);
  }
}

/** What ran of all files, also of those that are not listed because nothing of them did. */
function coverageText() {
  const parts = main.coverage.map(([ran, all], i) =>
    `${num(ran)} of ${num(all)} ${['lines', 'branches', 'methods'][i]}`);
  return `All files: ${parts.join(', ')} ran`;
}
