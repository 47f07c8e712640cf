// Search in the names of methods and files: the best match first, also of what did not run.

/** Entries of the list. */
const FOUND = 60;

/** What fits a text: {text, note, to, rank}, the best first. */
function findNames(wanted) {
  if (!wanted) return [];
  const list = [],
    ran = methods();
  names.frames.forEach((f, frame) => {
    const rank = searchRank(wanted, className(frame), f.n);
    if (rank === undefined) return;
    const sums = ran.get(frame),
      calls = sums ? sums.calls : 0,
      file = fileOf.get(frame);
    if (!sums && !file) return;
    list.push({
      text: fullName(frame),
      note: sums ? plural(calls, 'call') : 'did not run',
      to: sums ? `#methods/${frame}` : `#source/${file[0]}/${file[1]}`,
      // The app's own code is meant more often than a library, and what ran than what did not.
      rank: rank + (isOwn(frame) ? 0 : 2.2) + (sums ? 0 : 0.4) + (isGlue(frame) ? 1 : 0),
      calls,
    });
  });
  files.forEach((f, i) => {
    const rank = searchRank(wanted, f.package, f.name);
    if (rank === undefined) return;
    list.push({
      text: f.package && !isNameless(f) ? `${f.package}.${f.name}` : f.name,
      note: f.ran ? `${f.ran} of ${f.lines} lines ran` : 'file',
      to: `#source/${i}`,
      rank: rank + 0.3 + (isOwnPackage(f.package) ? 0 : 1),
      calls: 0,
    });
  });
  list.sort(
    (a, b) =>
      a.rank - b.rank ||
      b.calls - a.calls ||
      a.text.length - b.text.length ||
      (a.text < b.text ? -1 : 1),
  );
  return list.slice(0, FOUND);
}

/** Makes the search field work. */
function searching() {
  const box = $('search'),
    found = $('found');
  let list = [],
    at = 0;
  const open = is => {
    found.hidden = !is;
    box.setAttribute('aria-expanded', String(is));
    if (!is) box.removeAttribute('aria-activedescendant');
  };
  const go = i => {
    const item = list[i];
    open(false);
    box.value = '';
    box.blur();
    if (item) location.hash = item.to;
  };
  const mark = () =>
    [...found.children].forEach((li, i) => {
      li.setAttribute('aria-selected', String(i === at));
      if (i !== at) return;
      li.scrollIntoView({ block: 'nearest' });
      box.setAttribute('aria-activedescendant', li.id);
    });
  const look = async () => {
    const wanted = box.value.trim();
    await readFiles();
    list = findNames(wanted);
    at = 0;
    open(!!wanted);
    const choose = i => e => {
      e.preventDefault();
      go(i);
    };
    found.replaceChildren(
      ...list.map((item, i) =>
        el(
          'li',
          { role: 'option', id: `found-${i}`, onmousedown: choose(i) },
          el('span', { class: 'name' }, item.text),
          el('span', { class: 'soft' }, item.note),
        ),
      ),
      ...(list.length
        ? []
        : [el('li', { role: 'option', id: 'found-0' }, 'No method and no file has this name.')]),
    );
    mark();
  };
  box.addEventListener('input', look);
  box.addEventListener('focus', look);
  box.addEventListener('blur', () => open(false));
  box.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown') at = Math.min(at + 1, list.length - 1);
    else if (e.key === 'ArrowUp') at = Math.max(at - 1, 0);
    else if (e.key === 'Enter') {
      go(at);
      return;
    } else if (e.key === 'Escape') {
      box.value = '';
      box.blur();
      return;
    } else return;
    e.preventDefault();
    mark();
  });
}
