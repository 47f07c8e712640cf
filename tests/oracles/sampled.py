#!/usr/bin/env python3
"""Compares the stacks that `pathlight timetree` finds in a Perfetto trace with those that
Perfetto's trace processor finds there: how many of each, by thread, and how many were lost.
usage: sampled.py --processor DIR PATHLIGHT TRACE
  DIR has engine_bundle.js and trace_processor.wasm"""
import argparse, collections, json, os, re, subprocess, sys, tempfile

SAMPLES = 'select tid, callsite_id as id from perf_sample join thread using (utid)'
CALLS = '''select c.id, c.parent_id as caller, f.name, m.name as file
  from stack_profile_callsite c join stack_profile_frame f on c.frame_id = f.id
  left join stack_profile_mapping m on f.mapping = m.id'''
LOST = "select ifnull(sum(value), 0) as n from stats where name = 'perf_samples_skipped'"


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f'{what}: {found}, wanted {wanted}')


def name(call):
    """A frame as the app would call it: no annotation, result or parameters; by its file without a
    name."""
    if call['name']:
        return re.sub(r'\(.*', '',
                      call['name']).split(' ')[-1] if '.' in call['name'] else call['name']
    file = (call['file'] or '').rsplit('/', 1)[-1]
    return f'[{file}]' if file and not file.startswith('[') else file


def processor(folder, trace):
    """By thread: how often each stack was seen; and how many were lost."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'trace_processor.mjs')
    ran = subprocess.run(['node', script, folder, trace, SAMPLES, CALLS, LOST], capture_output=True,
                         text=True)
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('[')]
    if ran.returncode or len(lines) != 3:
        sys.exit(f'the trace processor failed: {ran.stdout[-1000:]}{ran.stderr[-1000:]}')
    samples, calls, lost = lines
    calls = {call['id']: call for call in calls}
    stacks = collections.defaultdict(collections.Counter)
    for sample in samples:
        frames, at = [], sample['id']
        while at is not None:
            frames.append(name(calls[at]))
            at = calls[at]['caller']
        if sample['id'] is not None:
            stacks[sample['tid']][';'.join(reversed(frames))] += 1
    return stacks, lost[0]['n']


def ours(pathlight, trace):
    with tempfile.TemporaryDirectory() as work:
        index = os.path.join(work, 's.pltt')
        run = lambda *args: subprocess.run([pathlight, 'timetree', *args], check=True,
                                           capture_output=True, text=True).stdout
        run('build', '--samples', trace, '-o', index)
        whole = json.loads(run('query', index, '--from', '0', '--format', 'json'))
        stacks = {}
        for thread in whole['threads']:
            number = str(thread['thread'])
            found = collections.Counter()
            for line in run('query', index, '--from', '0', '--thread', number, '--format',
                            'folded').splitlines():
                stack, weight = line.rsplit(' ', 1)
                found[';'.join(stack.split(';')[2:])] += int(weight)
            stacks[thread['thread']] = found
        return stacks, max(thread['lost_samples'] for thread in whole['threads'])


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--processor', required=True)
    options.add_argument('pathlight')
    options.add_argument('trace')
    options = options.parse_args()
    wanted, lost = processor(options.processor, options.trace)
    found, missing = ours(options.pathlight, options.trace)
    same('threads', sorted(found), sorted(wanted))
    for thread, stacks in wanted.items():
        for stack in sorted(stacks.keys() | found[thread].keys()):
            same(f'thread {thread}, {stack}', found[thread][stack], stacks[stack])
    same('lost samples', missing, lost)
    seen = sum(sum(stacks.values()) for stacks in wanted.values())
    if not seen:
        sys.exit('no sample to compare')
    print(f'{len(wanted)} threads, {seen} samples of {sum(map(len, wanted.values()))} stacks, '
          f'{lost} lost')


main()
