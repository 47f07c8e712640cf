// The address of what is shown, the session that all views show, and settings that stay.

/**
 * The address after `#`: `view/argument/…?key=value`.
 * @typedef {{view: string, args: string[], params: URLSearchParams}} Address
 */

/** @returns {Address} */
function readAddress(hash = location.hash) {
  const [path, query] = hash.replace(/^#/, '').split('?');
  const [view, ...args] = path.split('/');
  return { view, args: args.map(decodeURIComponent), params: new URLSearchParams(query || '') };
}

/**
 * The text of an address. Parameters that are undefined or null are left out; the session is added.
 * @param {string} path
 * @param {Object<string, unknown>} params
 */
function addressText(path, params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) query.set(key, String(value));
  }
  if (session !== null) query.set('s', String(session + 1));
  const text = query.toString();
  return `#${path}${text ? `?${text}` : ''}`;
}

/** Notes in the address what is shown; with `push`, Back comes back to what was shown before. */
function setAddress(path, params, push = false) {
  const text = addressText(path, params);
  if (text === location.hash) return;
  if (push) history.pushState(null, '', text);
  else history.replaceState(null, '', text);
}

/** Number of the process that all views show; null: all of them. */
let session = null;
const inSession = p => session === null || session === p;

/** Takes the session from an address; an address without one keeps it. True if it changed. */
function takeSession(params) {
  const before = session,
    given = params.get('s');
  if (given === 'all') session = null;
  else if (given !== null && main.processes[Number(given) - 1]) session = Number(given) - 1;
  if (given === null && session !== null) {
    const { view, args } = readAddress();
    const kept = Object.fromEntries(params);
    const path = [view, ...args.map(encodeURIComponent)].join('/');
    history.replaceState(null, '', addressText(path, kept));
  }
  return before !== session;
}

const memory = new Map();

/** A setting that stays after a reload, where the browser allows it. */
function setting(name, otherwise) {
  try {
    const value = localStorage.getItem(`pathlight.${name}`);
    if (value !== null) return value;
  } catch {
    // Some browsers give pages from disk no storage.
  }
  return memory.has(name) ? memory.get(name) : otherwise;
}

function keepSetting(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`pathlight.${name}`, value);
  } catch {
    // It stays until the page is closed.
  }
}

/** True if views show the app's own code first and fold libraries. */
const ownFirst = () => hasLibraries() && setting('own', 'yes') === 'yes';
/** True if calls that only the compiler made are folded into their callers. */
const foldsGlue = () => setting('glue', 'fold') === 'fold';
