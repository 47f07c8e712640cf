#!/usr/bin/env python3
"""Fixture apps that die of an uncaught exception under ART, recorded in logcat and in a trace file.

The thread that dies must be decoded to its very last instruction (as the independent tracer saw it), and the end of its path must be the
Java stack trace: the frames that are active when the last exception leaves the app are the app's frames of that trace, innermost first, and the
instruction that threw lies in the block that the path names. Logcat goes to `decode` as it is, with the platform's and the app's own lines.
"""

import json
import os
import re
import shutil
import sys
import tempfile

import apps
from apps import App, Batch, Broken, compare


def stack_of(output, package):
    """The app's frames of the stack trace in this logcat text: [(Class.method, line)], innermost first."""
    text = output[output.index("FATAL EXCEPTION"):]
    frames = re.findall(r"\tat ([\w.$]+)\((?:[\w.$]+)(?::(\d+))?\)", text)
    return [(name, int(line or 0)) for name, line in frames if name.startswith(package + ".")]


def last_stack(path, thread):
    """The frames that are active at the last exception that leaves the app, innermost first, and the lines of its candidates' blocks."""
    stack, lines, found = [], {}, None
    with open(path) as f:
        for e in map(json.loads, f):
            if e.get("name") != thread or "depth" not in e:
                continue
            if e["e"] == "enter":
                del stack[e["depth"] - 1:]
                stack.append(e["m"])
            elif e["e"] == "return":
                del stack[e["depth"] - 1:]
            elif e["e"] == "block":
                lines[e["m"], e["pc"]] = e.get("line", 0)
            elif e["e"] == "catch":
                del stack[e["depth"]:]
            elif e["e"] == "throw":
                found = ([re.sub(r"^L(.*);->(.*)\(.*$", r"\1.\2", m).replace("/", ".") for m in reversed(stack)], [lines.get((e["m"], pc), 0) for pc in e["candidates"]])
    return found


def one(app, vm, sink, package, steps, batch):
    app.steps = steps
    if app.trace is None:
        app.trace_it(batch)
    app.instrument("--sink", sink)
    folder = tempfile.mkdtemp(dir=app.dir)
    log = os.path.join(folder, "logcat.txt")
    code, out, err = app.run(vm, app.code, "-Dpathlight.dir=" + folder, "-Dstub.logcat=" + log)
    if code != 10 or out != app.output:
        raise Broken("exit %d, another output: %s" % (code, err[-500:]))
    with open(log) as f:
        text = f.read()
    files = [log] if sink == "logcat" else [os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".plt")]
    paths, said = apps.product("decode", "--map", app.map, "--format", "json", *files)
    if said:
        raise Broken("decode: " + said)
    file = os.path.join(folder, "paths.jsonl")
    with open(file, "wb") as f:
        f.write(paths)
    seen = {name: (len(ids), n) for name, ids, n in apps.compare_prefix(app, compare.read_paths(file))}
    if seen["main"][0] != seen["main"][1]:
        raise Broken("main: %d of %d traced events" % seen["main"][::-1])
    wanted = stack_of(text, package)
    frames, lines = last_stack(file, "main")
    if not wanted or [w[0] for w in wanted] != frames:
        raise Broken("the path ends in %s, the stack trace is %s" % (frames, wanted))
    if lines[0] > wanted[0][1]:
        raise Broken("thrown in line %d, the path says %s" % (wanted[0][1], lines))
    return "%d events of main, to the last; it ends in %s" % (seen["main"][0], ", ".join("%s:%d" % w for w in wanted))


def main():
    work = tempfile.mkdtemp(prefix="crash-")
    batch = Batch()
    passed = failed = 0
    try:
        for name, package, steps in (("tether", "org.example.tether", "click:0,long:15"), ("notes", "n", "click:0,click:3,click:1,long:11")):
            app = App(name, work)
            for vm in ("art", "art-jit", "art11"):
                for sink in ("logcat", "file"):
                    label = "%s, %s, %s" % (name, vm, sink)
                    try:
                        print("pass %s: %s" % (label, one(app, vm, sink, package, steps, batch)))
                        passed += 1
                    except (Broken, compare.Difference) as e:
                        print("FAIL %s: %s" % (label, e))
                        failed += 1
    finally:
        batch.close()
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
