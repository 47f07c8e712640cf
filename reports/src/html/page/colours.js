// Colours for the text of Java and Kotlin sources.

const WORDS = new Set(
  `abstract as assert boolean break by byte case catch char class companion const continue data
  default do double else enum extends false final finally float for fun get if implements import
  in init inline instanceof int interface internal is lateinit long native new null object open
  operator out override package private protected public return sealed set short static super
  suspend switch synchronized this throw throws transient true try typealias val var void volatile
  when while`.split(/\s+/),
);

const TOKEN = new RegExp(
  [
    '//.*',
    '/\\*[^]*?(?:\\*/|$)',
    '"(?:\\\\.|[^"\\\\])*"?',
    "'(?:\\\\.|[^'\\\\])*'?",
    '@\\w+',
    '\\b\\d[\\w.]*',
    '[A-Za-z_$][\\w$]*',
  ].join('|'),
  'g',
);

/**
 * The kinds of the parts of a line: [text, kind], kind being '', 'k' (keyword), 's' (string or
 * number), 'c' (comment), 'a' (annotation); and if a comment goes on after it.
 * @returns {{parts: Array<[string, string]>, inComment: boolean}}
 */
function tokens(line, inComment) {
  const parts = [];
  let at = 0;
  if (inComment) {
    const end = line.indexOf('*/');
    at = end < 0 ? line.length : end + 2;
    parts.push([line.slice(0, at), 'c']);
    if (end < 0) return { parts, inComment: true };
  }
  TOKEN.lastIndex = at;
  let open = false;
  for (let m = TOKEN.exec(line); m; m = TOKEN.exec(line)) {
    if (m.index > at) parts.push([line.slice(at, m.index), '']);
    const [text] = m;
    let kind = '';
    if (text.startsWith('//') || text.startsWith('/*')) kind = 'c';
    else if (/^["'\d]/.test(text)) kind = 's';
    else if (text.startsWith('@')) kind = 'a';
    else if (WORDS.has(text)) kind = 'k';
    open = text.startsWith('/*') && !(text.length > 3 && text.endsWith('*/'));
    parts.push([text, kind]);
    at = TOKEN.lastIndex;
  }
  if (at < line.length) parts.push([line.slice(at), '']);
  return { parts, inComment: open };
}

const paintedParts = parts =>
  parts.map(([text, kind]) => (kind ? el('span', { class: `c-${kind}` }, text) : text));

/** What colours the lines of a file, one after the other. */
function colouring() {
  let inComment = false;
  return line => {
    const { parts, inComment: open } = tokens(line, inComment);
    inComment = open;
    return paintedParts(parts);
  };
}

/** A single line with colours. */
const coloured = line => paintedParts(tokens(line, false).parts);
