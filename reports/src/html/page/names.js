// Names of methods and classes: the app's own, those of libraries, and those a compiler made.

/** True by number of a class if it is the app's own, and packages that have such a class. */
let ownClasses = [];
const ownPackages = new Set();

function prepareNames() {
  ownClasses = names.own.map(own => own === 1);
  names.classes.forEach((name, i) => {
    if (ownClasses[i]) ownPackages.add(name.split('.').slice(0, -1).join('.'));
  });
}

const hasLibraries = () => ownClasses.includes(true) && ownClasses.includes(false);
const isOwn = frame => ownClasses[names.frames[frame].c];
const isOwnPackage = name => ownPackages.has(name);

/** The name of a method as in the source: lambdas have that of the method around them. */
function sourceName(name) {
  const inner = name.match(/^(?:lambda\$)?([^$]+)((?:\$lambda\$\d+)+|\$\d+)$/);
  if (!inner || (!name.startsWith('lambda$') && !name.includes('$lambda$'))) return name;
  return `${inner[1]} λ${(inner[2].match(/\d+/g) || []).join('.')}`;
}

/** The name of a class as in the source: one made for a lambda has that of the class around it. */
const sourceClass = name => name.replace(/\$\$(?:Ex|In)ternalSyntheticLambda(\d+)/, ' λ$1');

/** True for methods that no source has: bridges, accessors, classes made for lambdas. */
function isGlueName(cls, name) {
  return (
    /^access\$|\$default$|^-\$\$Nest\$/.test(name) ||
    /\$\$ExternalSynthetic|\$\$Lambda\$|\$\$InternalSynthetic/.test(cls)
  );
}

const glue = new Map();
function isGlue(frame) {
  if (!glue.has(frame)) {
    const { k, n } = names.frames[frame];
    glue.set(frame, k === 2 || isGlueName(className(frame), n));
  }
  return glue.get(frame);
}

const className = i => names.classes[names.frames[i].c];
const simpleClass = i => sourceClass(className(i).split('.').pop());
const shortName = i => `${simpleClass(i)}.${sourceName(names.frames[i].n)}`;
const fullName = i => `${className(i)}.${names.frames[i].n}${names.frames[i].p}`;
const threadName = ([process, thread]) => (process ? `${thread} (${process})` : thread);

/** A calm colour for a class, the same in all views. */
function hue(text) {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return [208, 168, 40, 262, 20, 130, 190, 320, 80, 235][h % 10] + ((h >>> 8) % 14);
}

/** A dot with the colour that charts give to a frame's class. */
const classDot = frame =>
  el('i', { class: 'dot', style: { background: `hsl(${hue(className(frame))} 45% 55%)` } });

/** A method's short name with the dot of its class. */
const named = (frame, before = '') =>
  el(
    'span',
    { class: 'named', title: fullName(frame) },
    classDot(frame),
    el('span', {}, before, shortName(frame)),
  );

/**
 * How well a name fits what was typed: 0 is best, undefined is not at all. The method's name counts
 * most, then the class; letters may be left out (`onclk` for `onClick`).
 * @param {string} wanted @param {string} cls @param {string} method
 */
function searchRank(wanted, cls, method) {
  const query = wanted.toLowerCase(),
    simple = cls.split('.').pop(),
    both = `${simple}.${method}`.toLowerCase(),
    name = method.toLowerCase();
  if (name === query || both === query) return 0;
  if (name.startsWith(query)) return 1;
  if (both.startsWith(query)) return 1.2;
  if (humps(query, method)) return 1.5;
  if (humps(query, `${simple}.${method}`)) return 1.8;
  if (name.includes(query)) return 2;
  if (both.includes(query)) return 2.5;
  if (`${cls}.${method}`.toLowerCase().includes(query)) return 3;
  const gaps = scattered(query, name);
  return gaps === undefined ? undefined : 4 + gaps / 10;
}

/** True if the letters begin the words of a name, each with as many as there are: `oC`, `onCl`. */
function humps(query, name) {
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+/g) || [];
  const fits = (q, w) => {
    if (!q) return true;
    for (let i = w; i < words.length; i++) {
      const word = words[i].toLowerCase();
      for (let n = Math.min(word.length, q.length); n > 0; n--) {
        if (word.startsWith(q.slice(0, n)) && fits(q.slice(n), i + 1)) return true;
      }
    }
    return false;
  };
  return query.length > 1 && query.length < 24 && fits(query, 0);
}

/** Letters left out if a name has those of a query in order, from its first one; else undefined. */
function scattered(query, name) {
  if (query.length < 3 || name[0] !== query[0]) return undefined;
  let at = 0;
  for (const letter of query) {
    at = name.indexOf(letter, at) + 1;
    if (!at) return undefined;
  }
  return at - query.length;
}

/** True if a filter leaves a frame: by its full name, or by letters of its short one. */
const fitsFilter = (frame, wanted) =>
  !wanted ||
  fullName(frame).toLowerCase().includes(wanted.toLowerCase()) ||
  humps(wanted.toLowerCase(), names.frames[frame].n);

/** A name may break after a dot, colon or dollar; inside longer parts, before a capital. */
const LONG_PART = 20;

/** The parts of a name between which a line may break. */
const partsOf = name =>
  name
    .split(/(?<=[.:$])/)
    .flatMap(part => (part.length > LONG_PART ? part.split(/(?<=[a-z0-9])(?=[A-Z])/) : [part]));
