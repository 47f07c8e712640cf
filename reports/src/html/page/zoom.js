// The part of the time that a timeline shows, and what moves it: keys, wheel, fingers, drags.

/** Shortest part of the time that can be shown, in ms. */
const LEAST = 0.01;

/**
 * A part of the time, in ms.
 * @typedef {{from: number, to: number}} Span
 */

/** The same part around another time, `by` times as long, within all of it. */
function zoomed(span, all, at, by) {
  const most = all.to - all.from;
  const wide = Math.min(most, Math.max(LEAST, (span.to - span.from) * by));
  const share = (at - span.from) / (span.to - span.from);
  return within({ from: at - share * wide, to: at + (1 - share) * wide }, all);
}

/** Moved by a share of its length, within all of the time. */
function panned(span, all, share) {
  const by = (span.to - span.from) * share;
  return within({ from: span.from + by, to: span.to + by }, all);
}

/** The part moved, and cut if it has to be, to lie within all of the time. */
function within(span, all) {
  const wide = Math.min(span.to - span.from, all.to - all.from);
  const from = Math.min(Math.max(span.from, all.from), all.to - wide);
  return { from, to: from + wide };
}

/**
 * Lets a canvas move a span. `view` has: `span`, `all`, `time(px)`, `left` (first pixel of the
 * time), `look(span)`, `choose(event)`, `hover(event)`, `scroller`, `mark(from, to)` in pixels.
 */
function zoomable(canvas, view) {
  const px = e => e.clientX - canvas.getBoundingClientRect().left;
  const zoomAt = (x, by) => view.look(zoomed(view.span, view.all, view.time(x), by));
  const fingers = new Map();
  let begin = null,
    pointer = null;

  canvas.addEventListener('pointerdown', e => {
    if (e.button !== 0) return;
    canvas.focus({ preventScroll: true });
    fingers.set(e.pointerId, px(e));
    begin = { x: px(e), last: px(e), moves: e.shiftKey || e.pointerType === 'touch', moved: false };
    if (canvas.setPointerCapture) canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    pointer = px(e);
    if (!fingers.has(e.pointerId)) return view.hover(e);
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      fingers.set(e.pointerId, pointer);
      const [c, d] = [...fingers.values()];
      const by = Math.abs(a - b) / Math.max(8, Math.abs(c - d));
      begin.moved = true;
      view.look(zoomed(view.span, view.all, view.time((c + d) / 2), by));
      return undefined;
    }
    fingers.set(e.pointerId, pointer);
    if (Math.abs(pointer - begin.x) > 4) begin.moved = true;
    if (!begin.moved) return undefined;
    if (begin.moves) {
      const share = (begin.last - pointer) / Math.max(1, canvas.clientWidth - view.left);
      view.look(panned(view.span, view.all, share));
      begin.last = pointer;
    } else view.mark(Math.max(view.left, begin.x), Math.max(view.left, pointer));
    return undefined;
  });
  const end = e => {
    if (!fingers.delete(e.pointerId) || !begin) return;
    const was = begin;
    if (!fingers.size) begin = null;
    view.mark(0, 0);
    if (!was.moved) view.choose(e);
    else if (!was.moves && e.type === 'pointerup') {
      const ends = [was.x, px(e)].map(x => view.time(Math.max(view.left, x))).sort((a, b) => a - b);
      if (ends[1] - ends[0] > LEAST) view.look({ from: ends[0], to: ends[1] });
    }
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', () => tip(''));
  canvas.addEventListener('dblclick', () => view.look(view.all));
  canvas.addEventListener(
    'wheel',
    e => {
      const sideways = e.shiftKey ? e.deltaY : e.deltaX;
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        zoomAt(Math.max(view.left, px(e)), 1.0025 ** Math.max(-200, Math.min(200, e.deltaY)));
      } else if (Math.abs(sideways) > Math.abs(e.shiftKey ? 0 : e.deltaY)) {
        e.preventDefault();
        view.look(panned(view.span, view.all, sideways / 900));
      }
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const middle = pointer === null ? (view.left + canvas.clientWidth) / 2 : pointer;
    const at = Math.max(view.left, middle);
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (key === 'a' || key === 'ArrowLeft') view.look(panned(view.span, view.all, -0.2));
    else if (key === 'd' || key === 'ArrowRight') view.look(panned(view.span, view.all, 0.2));
    else if (key === 'w' || key === '+') zoomAt(at, 0.7);
    else if (key === 's' || key === '-') zoomAt(at, 1 / 0.7);
    else if (key === '0' || key === 'Escape') view.look(view.all);
    else if (key === 'f') view.focus();
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      view.scroller.scrollTop += key === 'ArrowDown' ? LANE * 2 : -LANE * 2;
    } else return;
    e.preventDefault();
    e.stopPropagation();
  });
}

/** Calls `jump` with the share of the width where the map of the whole time is pressed. */
function mapJumps(map, jump) {
  let drags = false;
  const at = e => {
    const box = map.getBoundingClientRect();
    jump((e.clientX - box.left) / box.width);
  };
  map.addEventListener('pointerdown', e => {
    drags = true;
    map.setPointerCapture(e.pointerId);
    at(e);
  });
  map.addEventListener('pointermove', e => drags && at(e));
  map.addEventListener('pointerup', () => (drags = false));
}

/** A step of an axis: 1, 2 or 5 times a power of ten, at least this long. */
function niceStep(least) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(least, 0.0001)));
  return [1, 2, 5, 10].map(n => n * ten).find(n => n >= least);
}

/** A time on an axis with this step, both in ms: `12.50 s`, `3 min 20 s`, `1 h 02 min`. */
function axisText(ms, step) {
  const digits = step >= 1000 ? 0 : Math.min(6, Math.ceil(3 - Math.log10(step) - 1e-9));
  const s = ms / 1000;
  if (s < 120) return `${s.toFixed(digits)} s`;
  const minutes = Math.floor(s / 60 + 1e-9),
    rest = (s - minutes * 60).toFixed(digits).replace('-', '');
  if (minutes < 60) return `${minutes} min ${rest} s`;
  const m = String(minutes % 60).padStart(2, '0');
  return `${Math.floor(minutes / 60)} h ${m} min${step < 60000 ? ` ${rest} s` : ''}`;
}

/** Keys of the timeline in a line. */
function zoomHint() {
  return el(
    'span',
    { class: 'note wide hint' },
    'Time since each process began. ',
    el('kbd', {}, 'W'),
    ' ',
    el('kbd', {}, 'S'),
    ' zoom, ',
    el('kbd', {}, 'A'),
    ' ',
    el('kbd', {}, 'D'),
    ' move, drag a part to zoom in.',
  );
}
