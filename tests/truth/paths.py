#!/usr/bin/env python3
"""Counts of selected paths against the instruction trace of tracer.py.

For each program: paths are chosen by `select` from a log (whole runs, rounds of loops; the most and
the least frequent), and by this script from the trace (begins, parts). Two builds count them on
each VM, by numbers and by copies of blocks; each thread must have counted exactly what looking for
the paths in the trace finds. With --encodings, builds of each published encoding count the whole
runs among them; spp and prepp may count more than these. Where blocks begin is worked out here from
smali text, and must be what the product reports. ART's verifier must like no class less, and
methods without selected paths must keep their instructions.
"""
import argparse
import glob
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import runner
from harness import compare, tracer, vm as vm_host
from harness.batch import Batch, api_of

ENDS = re.compile(r"^(return.*|throw|goto.*|if-.*|packed-switch|sparse-switch)$")
HIDDEN = re.compile(r"^\s*:(try_start|try_end|try_|pswitch_data|sswitch_data|array)_")
LIMIT = 4096
# By numbers alone, by copies wherever they can be.
DETECT = ("flag", "copies")
# Published encodings, and those of them that give paths of no interest the same numbers.
ENCODINGS = ("epp", "spp", "prepp", "espp", "pap", "hybrid", "psp0", "psp1", "psp2", "psp3")
INEXACT = ("spp", "prepp")


def leaders(batch, dex, work):
    """{method: offsets where its basic blocks begin}, by the text of smali."""
    found = {}
    batch.run("baksmali", api_of(dex), dex, work)
    for path in tracer.smali_files(work):
        with open(path, encoding="utf-8", newline="\n") as f:
            lines = f.read().splitlines(keepends=True)
        owner = next(l for l in lines if l.startswith(".class ")).split()[-1]
        i = 0
        while i < len(lines):
            if lines[i].startswith(".method "):
                end = i
                while lines[end].rstrip() != ".end method":
                    end += 1
                body = lines[i + 1:end]
                if any(l.startswith("    .registers ") for l in body):
                    m = tracer.Method("%s->%s" % (owner, lines[i].split()[-1]), body)
                    begins, after = set(), True
                    for offset, before, _, op in m.items:
                        labelled = any(tracer.LABEL.match(l)
                                       and not HIDDEN.match(l) for l in before)
                        if after or labelled:
                            begins.add(offset)
                        after = bool(ENDS.match(op))
                    found[m.desc] = begins
                i = end
            i += 1
    return found


def activations(table, trace, begins):
    """{method: [(thread name, steps, whether it returned)]}: a step is an offset, or (offset,) by
    an exception."""
    found = defaultdict(list)
    for _, name, events in trace:
        stack = []
        caught = None
        for event in events:
            kind, method, offset, op = table.events[event]
            if kind == "enter":
                stack.append((method, []))
                caught = None
            elif kind == "at":
                frame = stack[-1]
                if offset in begins[method]:
                    frame[1].append((offset,) if caught == offset else offset)
                caught = None
                if op.startswith("return"):
                    found[method].append((name, frame[1], True))
                    stack.pop()
            elif kind == "catch":
                caught = offset
            else:
                found[method].append((name, stack.pop()[1], False))
                caught = None
        for method, steps in stack:
            found[method].append((name, steps, False))
    return found


def expected(entry, activations):
    """{thread name: how often} by looking."""
    steps = [(int(s[1:]),) if isinstance(s, str) else s for s in entry["steps"]]
    counts = Counter()
    n = len(steps)
    for name, ran, returned in activations:
        if entry["kind"] == "whole":
            times = int(returned and ran == steps)
        elif entry["kind"] == "prefix":
            times = int(ran[:n] == steps)
        else:
            times = sum(ran[i:i + n] == steps for i in range(len(ran) - n + 1))
        if times:
            counts[cut(name)] += times
    return dict(counts)


def cut(name):
    """As the runtime cuts a thread's name."""
    return name.encode("utf-8", "replace")[:36].decode("utf-8", "ignore")


def spelled(steps):
    return ["!%d" % s if isinstance(s, tuple) else s for s in steps]


def chosen(ran, shapes, rng):
    """Begins and parts of activations in the trace."""
    entries = []
    methods = sorted(m for m in ran if m in shapes)
    for _ in range(60):
        if not methods:
            break
        method = rng.choice(methods)
        _, steps, _ = rng.choice(ran[method][:2000])
        steps = steps[:LIMIT]
        if not steps:
            continue
        kind = rng.choice(["prefix", "piece", "piece"])
        first = 0 if kind == "prefix" else rng.randrange(len(steps))
        last = min(len(steps), first + rng.choice([1, 2, 3, 5, 12, 40]))
        entries.append({"id": "t%d" % len(entries), "method": method, "shape": shapes[method],
                        "kind": kind, "steps": spelled(steps[first:last])})
    # A block of a begin or part may be cut short by an exception: it counts when it is come to, in
    # the trace, too.
    return entries


def encoded(instrument, entries, encoding):
    """The entries that an encoding can count: `instrument(entries)` refuses one at a time."""
    entries = [e for e in entries if e["kind"] == "whole"
               and not any(isinstance(s, str) for s in e["steps"])]
    while entries:
        try:
            instrument(entries)
            break
        except vm_host.Failed as e:
            m = re.search(r"path (\S+) of (\S+): (\S+) (takes methods without loops|has no number)",
                          str(e))
            if not m or m.group(3) != encoding:
                raise
            loops = m.group(4).startswith("takes")
            entries = [e for e in entries
                       if (e["method"] != m.group(2) if loops else e["id"] != m.group(1))]
    return entries


def check(dex, source, folder, vms, arguments, rng, encodings=()):
    native = vm_host.compile_native(source, folder)
    elastic = compare.lines_of(source + "/elastic")
    original, _ = vm_host.run_vm("int", dex, *native)
    os.makedirs(folder + "/traced")
    traced = folder + "/traced.jar"
    tracer.instrument(batch(), dex, traced, folder + "/traced.table", folder + "/traced")
    got, err = vm_host.run_vm("int", traced, "-Dtruth.out=%s/trace.bin" % folder, *native)
    vm_host.must_match("traced", original, got, err, addresses=False)
    table = tracer.Table(folder + "/traced.table")
    os.makedirs(folder + "/leaders")
    begins = leaders(batch(), dex, folder + "/leaders")
    ran = activations(table, tracer.read_trace(folder + "/trace.bin"), begins)

    out, plmap, logs = folder + "/full.dex", folder + "/full.plmap", folder + "/full-logs"
    vm_host.product("instrument", "instrument", "--force", dex, "-o", out, "--map", plmap,
                   *arguments)
    os.makedirs(logs)
    vm_host.run_vm("int", ":".join([out] + sorted(glob.glob(folder + "/full.*.dex"))),
                  "-Dpathlight.dir=" + logs, *native)
    entries, shapes = [], {}
    for kind in ("whole", "loop"):
        to = "%s/%s.json" % (folder, kind)
        vm_host.product("select", "select", "--map", plmap, "--kind", kind, "--top", "1000", "-o",
                       to, *sorted(glob.glob(logs + "/*")), may_fail=True)
        if os.path.exists(to):
            with open(to) as f:
                some = json.load(f)["paths"]
            shapes.update((e["method"], e["shape"]) for e in some)
            for e in some:
                wrong = [s for s in e["steps"]
                         if int(str(s).lstrip("!")) not in begins.get(e["method"], ())]
                if wrong:
                    raise vm_host.Failed("%s: no block begins at %s" % (e["method"], wrong[:3]))
            # What ran most often, what ran least often, and some between.
            some = some[:15] + rng.sample(some, min(len(some), 15)) + some[-15:]
            entries += [dict(e, id="%s-%s" % (kind, e["id"])) for e in some]
    entries += chosen(ran, shapes, rng)
    entries = [e for e in {e["id"]: e for e in entries}.values() if e["method"] not in elastic]
    if not entries:
        return "nothing to select"
    paths = folder + "/paths.json"
    extra = [a for i, a in enumerate(arguments) if not a.startswith(("--inline", "--codec"))
             and (i == 0 or not arguments[i - 1].startswith(("--inline", "--codec")))]
    # A method that cannot get probes is refused by name, one at a time.
    refused = set()
    copied = methods = 0
    builds = []
    while len(builds) < len(DETECT):
        detect = DETECT[len(builds)]
        out, plmap = "%s/%s.dex" % (folder, detect), "%s/%s.plmap" % (folder, detect)
        with open(paths, "w") as f:
            json.dump({"format": "pathlight paths 1", "paths": entries}, f)
        try:
            report = vm_host.product("instrument", "instrument", "--force", dex, "-o", out, "--map",
                                  plmap, "--profile", "paths", "--select", paths, "--huge-methods",
                                  "keep", "--detect", detect, "--json", *extra)
            if detect == "copies":
                copied, methods = json.loads(report)["copied"], len({e["method"] for e in entries})
            builds.append((detect,
                           ":".join([out] + sorted(glob.glob("%s/%s.*.dex" % (folder, detect)))),
                           plmap))
        except vm_host.Failed as e:
            m = re.search(r"path \S+ of (L\S+): its method is left as it was: \d+ registers leave "
                          r"no free one", str(e))
            if not m or m.group(1) in refused:
                raise
            refused.add(m.group(1))
            builds = []
            entries = [e for e in entries if e["method"] not in refused]
    counted_by = {}
    for encoding in encodings:
        out, plmap = "%s/%s.dex" % (folder, encoding), "%s/%s.plmap" % (folder, encoding)

        def instrument(some):
            with open(paths, "w") as f:
                json.dump({"format": "pathlight paths 1", "paths": some}, f)
            vm_host.product("instrument", "instrument", "--force", dex, "-o", out, "--map", plmap,
                            "--profile", "paths", "--select", paths, "--huge-methods", "keep",
                            "--path-tracking", encoding, *extra)

        some = encoded(instrument, entries, encoding)
        counted_by[encoding] = len(some)
        if some:
            builds.append((encoding,
                           ":".join([out] + sorted(glob.glob("%s/%s.*.dex" % (folder, encoding)))),
                           plmap))
    before = vm_host.verdicts(dex)
    for detect, parts, _ in builds:
        worse = [c for c, v in vm_host.verdicts(parts).items()
                 if before.get(c, "").split(" ")[0] != v.split(" ")[0]]
        if worse:
            raise vm_host.Failed("%s: the verifier likes less: %s"
                                % (detect, "; ".join(sorted(worse))))
    sure = 0
    hits = 0
    wanted = {e["id"]: expected(e, ran[e["method"]]) for e in entries}
    # What `select` saw: a log can lack the end of a thread, but has nothing that did not run.
    seen = [(e, sum(wanted[e["id"]].values())) for e in entries if "seen" in e]
    false = [e for e, n in seen if e["seen"] > n]
    # Where native code swallows exceptions, a log can show a path that did not run
    # (docs/PROTOCOL.md §5); counts cannot.
    if false and not os.path.exists(source + "/unsure"):
        raise vm_host.Failed("select: %s, the trace has %d"
                            % (json.dumps(false[0])[:600], sum(wanted[false[0]["id"]].values())))
    fewer = sum(e["seen"] < n for e, n in seen)
    def counts(vm, build):
        """(counts that are equal, their sum) of a build on a VM"""
        detect, parts, plmap = build
        sure = hits = 0
        logs = "%s/hits-%s-%s" % (folder, vm, detect)
        os.makedirs(logs)
        got, err = vm_host.run_vm(vm, parts, "-Dpathlight.dir=" + logs, *native)
        where = "%s on %s" % (detect, vm)
        vm_host.must_match("counting by " + where, original, got, err)
        files = sorted(glob.glob(logs + "/*.plh"))
        if not files:
            if detect in DETECT and any(wanted.values()):
                raise vm_host.Failed("%s: nothing was counted\n%s" % (where, err[-500:]))
            return 0, 0
        counted = json.loads(vm_host.product("decode", "decode", "--map", plmap, "--format", "json",
                                            *files))
        if counted["lost"] or counted["damaged"]:
            raise vm_host.Failed("%s: %d lost, %d damaged"
                                % (where, counted["lost"], counted["damaged"]))
        if counted["upper_bounds"] != (detect in INEXACT):
            raise vm_host.Failed("%s: upper_bounds is %s" % (where, counted["upper_bounds"]))
        for path in counted["paths"]:
            want = wanted[path["id"]]
            equal = path["threads"] == want
            if detect in INEXACT:
                equal = all(path["threads"].get(name, 0) >= n for name, n in want.items())
            if not equal:
                entry = next(e for e in entries if e["id"] == path["id"])
                raise vm_host.Failed("%s: %s: counted %s, the trace has %s"
                                    % (where, json.dumps(entry)[:600], path["threads"], want))
            sure += 1
            hits += path["count"]
        return sure, hits

    failed_init = any(m.endswith("-><clinit>()V")
                      and not returned for m, some in ran.items() for _, _, returned in some)
    switched = 0
    for vm, build in product(vms, builds):
        try:
            n, h = counts(vm, build)
        except vm_host.Failed:
            if vm != "art11" or not failed_init:
                raise
            n, h = counts(vm_host.SWITCH, build)
            switched += 1
        sure += n
        hits += h
    kinds = Counter(e["kind"] for e in entries)
    return ("pass: %d paths (%s), %d of %d methods copied, %d counts equal, %d hits, select saw "
            "%d of %d%s"
            % (len(entries), ", ".join("%d %s" % (n, k) for k, n in sorted(kinds.items())), copied,
               methods, sure, hits, len(seen) - fewer, len(seen),
               (", by " + " ".join("%s %d" % of for of in counted_by.items()) if encodings else "")
               + (", %d methods refused for their registers" % len(refused) if refused else "")
               + (", %d builds by ART 11's other interpreter: a class initializer failed" % switched
                  if switched else "")))


def one(job):
    """(name, what came of it, whether that is good)"""
    name, vms, keep, encodings = job
    try:
        with tempfile.TemporaryDirectory(prefix="paths-") as temporary:
            folder = temporary
            if keep:
                folder = os.path.join(keep, name)
                os.makedirs(folder)
            if name.isdigit():
                source, dex = folder, runner.build(batch(), int(name), folder)
            else:
                kind, _, rest = name.partition("-")
                source = os.path.join(runner.PREBUILT if kind == "prebuilt" else runner.FIXTURES,
                                      rest)
                dex = source + "/program.dex"
            if os.path.exists(source + "/vms"):
                with open(source + "/vms") as f:
                    good = f.read().split()
                vms = [v for v in vms if v in good] or good[:1]
            arguments = []
            if os.path.exists(source + "/instrument-args"):
                with open(source + "/instrument-args") as f:
                    arguments = f.read().split()
            return name, check(dex, source, folder, vms, arguments, random.Random(name),
                               encodings), True
    except Exception as e:
        return name, "%s: %s" % (type(e).__name__, str(e)[-1800:]), False


def batch():
    runner.BATCH = runner.BATCH or Batch()
    return runner.BATCH


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth paths", description=__doc__)
    parser.add_argument("names", nargs="*", help="numbers or ranges A-B, prebuilt-N, fixture-NAME; "
                        "all prebuilt programs and fixtures without any")
    parser.add_argument("--vm", action="append", choices=sorted(vm_host.VMS))
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--encodings", action="store_true", help="count by published encodings too")
    parser.add_argument("--keep", help="keep all files in this folder")
    a = parser.parse_args()
    names = []
    for name in a.names:
        low, _, high = name.partition("-")
        names += ([str(n) for n in range(int(low), int(high) + 1)] if low.isdigit()
                  and high else [name])
    if not names:
        names = ["prebuilt-" + n for n in runner.prebuilt_seeds()]
        names += ["fixture-" + n for n in sorted(os.listdir(runner.FIXTURES))]
    bad = nothing = 0
    encodings = ENCODINGS if a.encodings else ()
    jobs = [(name, a.vm or vm_host.USUAL, a.keep, encodings) for name in names]
    with ProcessPoolExecutor(a.j) as pool:
        for name, text, good in pool.map(one, jobs):
            bad += not good
            nothing += good and not text.startswith("pass")
            print("%s %s: %s" % ("FAIL" if not good else "", name, text), flush=True)
    print("%d passed, %d without paths, %d failed" % (len(jobs) - bad - nothing, nothing, bad))
    sys.exit(bad != 0 or nothing == len(jobs))


if __name__ == "__main__":
    main()
