// What is exact in this report, what is missing, and which methods were left alone.

async function exact(view) {
  const [data, files] = await Promise.all([unpack('exact'), readFiles()]);
  const t = main.totals;
  const kinds = {
    missing: ['missing', 'bad'],
    refused: ['left out', 'bad'],
    doubt: ['in doubt', 'warn'],
  };
  const threads = table(
    [
      ['Thread'],
      ['Process'],
      ['Records proven', 'n'],
      ['Without a check', 'n'],
      ['Left out', 'n'],
      ['Slabs missing', 'n'],
      ['End of the log'],
    ],
    main.lanes
      .filter(l => inSession(l.p))
      .map(l => ({
        cells: [
          `${laneName(l)}`,
          processName(l.p),
          num(l.proven),
          num(l.unproven),
          num(l.faulty),
          num(l.missing),
          {
            clean: el('span', { class: 'tag good' }, 'between two callbacks'),
            stopped: el('span', { class: 'tag warn' }, 'recording was stopped'),
            cut: el('span', { class: 'tag warn' }, 'inside a callback'),
            unknown: el(
              'span',
              { class: 'tag warn' },
              'between two callbacks; later ones may be missing',
            ),
          }[l.ended] || el('span', { class: 'tag' }, 'not known'),
        ],
      })),
  );
  const remarks = data.remarks.length
    ? el(
        'section',
        { class: 'panel' },
        el('h2', {}, 'Remarks'),
        table(
          [['Where'], ['What'], ['']],
          data.remarks.map(([lane, callback, kind, text]) => ({
            cells: [
              `after ${whereText([lane, callback])}`,
              text,
              el('span', { class: `tag ${kinds[kind][1]}` }, kinds[kind][0]),
            ],
          })),
        ),
        data.more ? el('p', { class: 'note' }, `and ${num(data.more)} more`) : null,
      )
    : null;
  const problems = data.problems.length
    ? el(
        'section',
        { class: 'panel' },
        el('h2', {}, 'Inputs that could not be used'),
        el(
          'ul',
          {},
          data.problems.map(p => el('li', {}, p)),
        ),
      )
    : null;
  const processes = table(
    [['Process'], ['Started'], ['Files']],
    main.processes.map((p, i) => ({
      cells: [
        processName(i),
        clock(p.start),
        [
          p.files.join(', '),
          p.refused || p.cut
            ? el(
                'span',
                { class: 'tag bad' },
                `the log was full: ${p.refused} threads are not in it, ${p.cut} are cut short`,
              )
            : null,
        ],
      ],
    })),
  );
  const fact = (what, text) =>
    el(
      'tr',
      {},
      el('td', { style: { whiteSpace: 'nowrap', fontWeight: 600 } }, what),
      el('td', {}, text),
    );
  const facts = el(
    'table',
    {},
    el(
      'tbody',
      {},
      fact(
        'Calls, branches, returns',
        'Exact, in their order, per thread. Every record ends in a check, which was right for ' +
          'what is counted as proven.',
      ),
      fact(
        'Hits of lines',
        'Each line’s entry that ran most often; copies that a compiler inlined add up. After the ' +
          'line of an exception nothing counts: what is shown ran for certain.',
      ),
      fact(
        'Times',
        isTimed()
          ? 'Begins and ends of top-level callbacks are measured, rounded down to ' +
              `${duration(main.tick)}. Times of calls are interpolated: the time between two ` +
              'clocks of the log (begins and ends of callbacks, and one for about each ' +
              'kilobyte) is shared among the blocks in between. What waits ' +
              'there may have waited anywhere.'
          : 'Starts of top-level callbacks are measured, in ms. Durations are not known: widths ' +
              'are numbers of basic blocks that ran.',
      ),
      fact(
        'Exceptions',
        'The block that threw; where two are possible, both are named. Types and messages are ' +
          'not recorded.',
      ),
      fact(
        'Not recorded',
        'Native code, the platform, and methods left alone. What they call in the app is.',
      ),
      fact(
        'Limits of this page',
        'All counts are of the whole logs. The call tree has room for 50,000 nodes and 256 ' +
          'nested calls, the rest is (other). ' +
          `${num(main.paths)} of ${plural(t.callbacks, 'callback')} have ` +
          'their path here, the newest ones and those of crashes first, up to --page-size and to ' +
          '200,000 events of a callback; and the last 2,000 events before exceptions.',
      ),
    ),
  );
  const left = table(
    [['Why'], ['Methods', 'n']],
    data.reasons.map(([reason, n]) => ({ cells: [reason, num(n)] })),
  );
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter methods',
    'aria-label': 'Filter methods left alone',
  });
  const box = el('div', { class: 'scroll skipped' });
  let list = data.skipped;
  const rows = new Rows(box, 24, i => [
    el('span', { class: 'grow name' }, list[i][0]),
    el('span', { class: 'soft' }, data.reasons[list[i][1]][0]),
  ]);
  filter.addEventListener('input', () => {
    list = data.skipped.filter(s => s[0].toLowerCase().includes(filter.value.toLowerCase()));
    rows.show(list.length);
  });
  const section = (title, ...body) =>
    el('section', { class: 'panel', style: { marginBottom: '16px' } }, el('h2', {}, title), body);
  const texts = files.filter(f => f.text);
  const bytes = texts.reduce((n, f) => n + f.bytes, 0);
  const sources = texts.length
    ? section(
        'Source text in this page',
        el(
          'p',
          { class: 'note' },
          `${plural(texts.length, 'file')} of --sources, ${num(bytes)} bytes, which readers of ` +
            'this page can read.',
        ),
        table(
          [
            ['File', 'name'],
            ['Bytes', 'n'],
          ],
          texts.map(f => ({
            to: `#source/${files.indexOf(f)}`,
            cells: [[...f.package.split('.').filter(Boolean), f.name].join('/'), num(f.bytes)],
          })),
        ),
      )
    : '';
  view.append(
    verdict(),
    problems || '',
    remarks ? el('div', { style: { marginBottom: '16px' } }, remarks) : '',
    section('What is exact', facts),
    section('Threads', threads),
    t.doubtful
      ? section(
          'Calls that may have ended earlier than shown',
          table(
            [['Method'], ['Times', 'n']],
            data.doubtful.map(([f, n]) => ({
              cells: [el('span', { class: 'name' }, fullName(f)), num(n)],
            })),
          ),
        )
      : '',
    sources,
    section('Processes', processes, el('p', { class: 'note' }, `Build ${main.build}`)),
    section(
      'Methods left alone',
      data.reasons.length
        ? [left, filter, box]
        : el(
            'p',
            { class: 'soft' },
            `None: all ${num(main.methods)} methods of the build are recorded.`,
          ),
    ),
  );
  rows.show(list.length);
}
