#!/usr/bin/env python3
"""Compares the files of `pathlight report` with what `pathlight decode --format json` prints of the
same logs. Perfetto's trace processor reads the trace, speedscope's schema judges the profile.
usage: traces.py --processor DIR --schema FILE PATHS FOLDED SPEEDSCOPE PERFETTO
  --processor has engine_bundle.js and trace_processor.wasm; PYTHONPATH the package jsonschema"""
import argparse, collections, json, os, re, subprocess, sys

CALLS = '''select pp.name as process, p.name as thread, s.name, s.depth, s.dur, s.category,
    extract_arg(s.arg_set_id, 'debug.time') as time,
    extract_arg(s.arg_set_id, 'debug.steps') as steps,
    extract_arg(s.arg_set_id, 'debug.ended') as ended,
    extract_arg(s.arg_set_id, 'debug.error us') as error
  from slice s join track t on s.track_id = t.id join track p on t.parent_id = p.id
    join track pp on p.parent_id = pp.id
  where t.name in ('calls (order, not time)', 'calls (interpolated)') order by s.track_id, s.id'''
CALLBACKS = '''select pp.name as process, p.name as thread, s.name, s.ts, s.dur, s.depth
  from slice s join track t on s.track_id = t.id join track p on t.parent_id = p.id
    join track pp on p.parent_id = pp.id
  where t.name = 'callbacks (measured)' and s.category = 'callback' order by s.track_id, s.id'''
ERRORS = "select name, value from stats where severity = 'error' and value > 0"
OTHERS = ("select count(*) as n from slice s join track t on s.track_id = t.id where t.name not "
          "like 'call%'")


class Decoded:
    """What decode prints, per process id and thread number."""

    def __init__(self, path):
        self.enters = collections.defaultdict(list)   # (name, depth from 0)
        self.callbacks = collections.defaultdict(list)  # (name, ms since 1970, duration in µs)
        self.blocks = 0
        self.thrown = 0                                # frames ended by exceptions
        depth = 0
        for line in open(path, encoding='utf-8'):
            e = json.loads(line)
            key, kind = (e['p'], e.get('t')), e['e']
            if kind == 'enter':
                self.enters[key].append((short(e['m']), e['depth'] - 1))
                if 'wall_ms' in e:
                    self.callbacks[key].append((short(e['m']), e['wall_ms'], e.get('took_us', 0)))
            elif kind == 'block':
                self.blocks += 1
            elif kind == 'repeat':
                self.blocks += e['blocks'] * e['times']
            elif kind == 'throw':
                depth = e['depth']
            elif kind == 'catch':
                self.thrown += depth - e['depth']
            elif kind == 'unwound':
                self.thrown += depth - e['depth'] + 1


def short(key):
    """`Lorg/example/A;->b(I)V` as `org.example.A.b`."""
    owner, method = key.split(';->', 1)
    return owner[1:].replace('/', '.') + '.' + method.split('(')[0]


def thread(row):
    """Process id and thread number of a row."""
    return (int(re.search(r'\(pid (\d+)\)', row['process']).group(1)),
            int(re.search(r'\(thread (\d+)\)$', row['thread']).group(1)))


def same(what, found, wanted):
    if found != wanted:
        if isinstance(wanted, list) and isinstance(found, list):
            at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b),
                      min(len(found), len(wanted)))
            found, wanted = (f'{len(found)}, at {at}: {found[at:at + 1]}',
                             f'{len(wanted)}, {wanted[at:at + 1]}')
        sys.exit(f'{what}: {found}, wanted {wanted}')


def ask(folder, trace):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'trace_processor.mjs')
    ran = subprocess.run(['node', script, folder, trace, ERRORS, CALLS, CALLBACKS, OTHERS],
                         capture_output=True, text=True)
    lines = [json.loads(l) for l in ran.stdout.splitlines() if l.startswith('[')]
    if ran.returncode or len(lines) != 4:
        sys.exit(f'the trace processor failed: {ran.stdout[-1000:]}{ran.stderr[-1000:]}')
    return lines


def perfetto(folder, trace, decoded):
    errors, slices, callbacks, others = ask(folder, trace)
    same('errors of the trace processor', errors, [])
    same('slices on other tracks', others, [{'n': 0}])
    found, thrown, inlined = collections.defaultdict(list), 0, 0
    stacks = collections.defaultdict(list)             # whether the frames around are inlined
    for s in slices:
        stack = stacks[thread(s)]
        del stack[s['depth']:]
        same(f'depth of {s["name"]}', len(stack), s['depth'])
        if s['category'] != 'inlined':
            found[thread(s)].append((s['name'], s['depth'] - sum(stack)))
            thrown += s['ended'] == 'by an exception'
        inlined += s['category'] == 'inlined'
        stack.append(s['category'] == 'inlined')
        ordered = s['time'] == 'order' and 0 <= s['dur'] <= 1000 * (s['steps'] or 0)
        timed = s['time'] == 'interpolated' and s['dur'] >= 0 and s['error'] is not None
        if s['steps'] is None or not (ordered or timed):
            sys.exit(f'a call that may pass for measured, or is too long: {s}')
    same('threads with calls', sorted(found), sorted(decoded.enters))
    for key, calls in decoded.enters.items():
        same(f'calls of thread {key}', found[key], calls)
    same('calls ended by an exception', thrown, decoded.thrown)
    starts = collections.defaultdict(list)
    for s in callbacks:
        # Callbacks within a tick lie behind each other, a nanosecond apart.
        starts[thread(s)].append((s['name'], s['ts'] // 1_000_000, (s['dur'] + 999) // 1000))
        same('depth of a callback', s['depth'], 0)
    same('callbacks', dict(starts), dict(decoded.callbacks))
    return inlined


def speedscope(schema, path, decoded, inlined):
    import jsonschema
    file = json.load(open(path, encoding='utf-8'))
    jsonschema.validate(file, json.load(open(schema, encoding='utf-8')))
    opened = 0
    for profile in file['profiles']:
        stack, at = [], profile['startValue']
        for e in profile['events']:
            if e['at'] < at:
                sys.exit(f'speedscope: {e} goes back')
            at = e['at']
            if e['type'] == 'O':
                stack.append(e['frame'])
                opened += 1
            else:
                same('speedscope: frame that closes', e['frame'], stack.pop())
        same('speedscope: frames left open, last value', (stack, at), ([], profile['endValue']))
    same('speedscope: frames', opened, sum(map(len, decoded.enters.values())) + inlined)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('--processor', '--schema'):
        options.add_argument(name, required=True)
    for name in ('paths', 'folded', 'speedscope', 'perfetto'):
        options.add_argument(name)
    options = options.parse_args()
    decoded = Decoded(options.paths)
    calls = sum(map(len, decoded.enters.values()))
    if not calls:
        sys.exit('no call to compare')
    inlined = perfetto(options.processor, options.perfetto, decoded)
    speedscope(options.schema, options.speedscope, decoded, inlined)
    steps = sum(int(line.rsplit(' ', 1)[1]) for line in open(options.folded, encoding='utf-8'))
    same('steps of the folded stacks', steps, decoded.blocks)
    size = os.path.getsize(options.perfetto)
    print(f'{len(decoded.enters)} threads, {calls} calls, {inlined} inlined, {decoded.thrown} '
          f'ended by exceptions, {decoded.blocks} steps; {size / (calls + inlined):.0f} '
          f'bytes a slice')


main()
