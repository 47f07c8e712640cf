#!/usr/bin/env python3
"""Fixture apps that die of an uncaught exception under ART, recorded in logcat and in a trace file.

The thread that dies must be decoded to its very last instruction (as the independent tracer saw
it), and the end of its path must be the Java stack trace: the frames that are active when the last
exception leaves the app are the app's frames of that trace, innermost first, and the instruction
that threw lies in the block that the path names. Logcat goes to `decode` as it is, with the
platform's and the app's own lines.

`pathlight crash` must join that stack trace exactly, in each format, raw and as R8's Retrace gives
it, and name the thread; and it must find the crash without one. The same holds for the threads of
`throws`, which die in many ways: deep, inlined, in lambdas, out of `finally`. Of stack traces whose
frames never stood together, it must join none exactly.
"""

import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import apps
import stacks
from apps import App, Broken
from harness import compare
from harness.batch import Batch
from harness.vm import SHORT_JAVA, launcher, variables

D8 = os.environ["D8_JAR"]
JDK = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))
# Foreign stack traces for each app on each VM and sink: the number of files, and of traces in a
# file (as many as `crash` reads of one).
FOREIGN_FILES, FOREIGN = 2, 64


def stack_of(output, package):
    """The app's frames of the stack trace in this logcat text: [(Class.method, line)], innermost
    first."""
    text = output[output.index("FATAL EXCEPTION"):]
    frames = re.findall(r"\tat ([\w.$]+)\((?:[\w.$]+)(?::(\d+))?\)", text)
    return [(name, int(line or 0)) for name, line in frames if name.startswith(package + ".")]


def last_stack(path, thread):
    """The frames that are active at the last exception that leaves the app, innermost first, and
    the lines of its candidates' blocks."""
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
                found = ([re.sub(r"^L(.*);->(.*)\(.*$", r"\1.\2", m).replace("/", ".")
                          for m in reversed(stack)],
                         [lines.get((e["m"], pc), 0) for pc in e["candidates"]])
    return found


def crash(map, logs, text=None, folder=None, *options):
    """The first line of what `crash` finds; (exit code, line)."""
    if text is not None:
        with open(os.path.join(folder, "stack.txt"), "w") as f:
            f.write(text)
        options = ["--stack", f.name, *options]
    p = subprocess.run([os.environ["PATHLIGHT"], "crash", "--map", map, "--json", *logs, *options],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if not p.stdout:
        raise Broken("crash: exit %d: %s" % (p.returncode, p.stderr[-500:]))
    return p.returncode, json.loads(p.stdout.splitlines()[0])


def joined(stack, map, logs, folder, *options):
    """Joins a stack trace in every format. Without lines, others may fit as well: then the format
    has to name the thread."""
    for name, write in stacks.FORMATS.items():
        code, head = crash(map, logs, write(stack), folder, *options)
        alone = head.get("places") == 1 or name not in ("play", "crashlytics")
        if ((code, head["join"], head.get("end")) != (0, "exact", "exception") or head["of"] == 0
            or (alone and head["name"] != stack.thread)):
            raise Broken("%s: exit %d, %s, in %s: %s"
                         % (stack.thread, code, head, name, write(stack)))
        if not options and head["class"] != stack.throwables[head["throwable"]][0]:
            raise Broken("%s: class %s" % (name, head["class"]))
        if options and not alone:
            raise Broken("%s, retraced: %s" % (name, head))
    return len(stacks.FORMATS)


def all_stacks(file):
    """All stacks that ever stood, as names innermost first, in the source and in the app; and all
    methods."""
    stood, methods = set(), set()
    open_frames = {}
    dotted = lambda m: re.sub(r"^L(.*);->(.*)\(.*$", r"\1.\2", m).replace("/", ".")
    with open(file) as f:
        for e in map(json.loads, f):
            if e["e"] != "enter":
                continue
            frames = open_frames.setdefault((e["p"], e["t"]), [])
            del frames[e["depth"] - 1:]
            frames.append((dotted(e["m"]), dotted(e.get("in_app", e["m"]))))
            for names in zip(*frames):
                methods.update(names)
                # Where frames were inlined, also what stands between them.
                stood.add(tuple(reversed(names)))
    return stood, sorted(methods)


def none_exact(real, map, logs, paths, folder, seed):
    stood, methods = all_stacks(paths)
    rng = random.Random(seed)
    for _ in range(FOREIGN_FILES):
        text = "".join(stacks.plain(stacks.foreign(rng, methods, stood, rng.choice(real)))
                       for _ in range(FOREIGN))
        code, head = crash(map, logs, text, folder)
        if head["join"] == "exact" or (head["join"] == "none") != (code == 1):
            raise Broken("a foreign stack trace is joined: %s, exit %d\n%s" % (head, code, text))
    return FOREIGN_FILES * FOREIGN


def one(app, vm, sink, package, steps, batch, seed):
    app.steps = steps
    if app.trace is None:
        app.trace_it(batch)
    mapping = app.original.replace(".apk", ".mapping.txt")
    mapped = os.path.exists(mapping)
    app.instrument("--sink", sink)
    folder = tempfile.mkdtemp(dir=app.dir)
    log = os.path.join(folder, "logcat.txt")
    code, out, err = app.run(vm, app.code, "-Dpathlight.dir=" + folder, "-Dstub.logcat=" + log)
    if code != 10 or out != app.output:
        raise Broken("exit %d, another output: %s" % (code, err[-500:]))
    with open(log) as f:
        text = f.read()
    files = [log] if sink == "logcat" else [os.path.join(folder, f) for f in os.listdir(folder)
                                            if f.endswith(".plt")]
    paths, complaint = apps.product("decode", "--map", app.map, "--format", "json", *files)
    if complaint:
        raise Broken("decode: " + complaint)
    file = os.path.join(folder, "paths.jsonl")
    with open(file, "wb") as f:
        f.write(paths)
    seen = {name: (len(ids), n)
            for name, ids, n in apps.compare_prefix(app, compare.read_paths(file))}
    if seen["main"][0] != seen["main"][1]:
        raise Broken("main: %d of %d traced events" % seen["main"][::-1])
    wanted = stack_of(text, package)
    frames, lines = last_stack(file, "main")
    if not wanted or [w[0] for w in wanted] != frames:
        raise Broken("the path ends in %s, the stack trace is %s" % (frames, wanted))
    if lines[0] > wanted[0][1]:
        raise Broken("thrown in line %d, the path has %s" % (wanted[0][1], lines))
    real = stacks.parse(stacks.messages(text))
    count = joined(real[0], app.map, files, folder)
    if mapped:
        # The same session of a build whose map knows the names of the source.
        foreign = none_exact(real, app.map, files, file, folder, seed)
        app.instrument("--sink", sink, "--mapping", mapping)
        folder = tempfile.mkdtemp(dir=app.dir)
        log = os.path.join(folder, "logcat.txt")
        app.run(vm, app.code, "-Dpathlight.dir=" + folder, "-Dstub.logcat=" + log)
        files = [log] if sink == "logcat" else glob.glob(folder + "/*.plt")
        source = stacks.parse(stacks.retrace(D8, mapping, stacks.plain(real[0]), folder))
        if source[0].frames == real[0].frames:
            raise Broken("Retrace changes nothing")
        count += sum(joined(given, app.map, files, folder, *options)
                     for given, options in ((real[0], []), (source[0], []),
                                            (real[0], ["--mapping", mapping])))
        real += source
    else:
        foreign = none_exact(real, app.map, files, file, folder, seed)
    code, head = crash(app.map, files)
    if (code, head.get("name"), head.get("end")) != (0, "main", "exception"):
        raise Broken("without a stack trace: %s" % head)
    return "%d events of main, to the last; it ends in %s; %d joined, %d foreign" % (
        seen["main"][0], ", ".join("%s:%d" % w for w in wanted), count, foreign)


def build_throws(work):
    """(name, dex, mapping) of each build: by D8, and by R8 with and without a line table."""
    java = [os.path.join(apps.HERE, "throws", "Throws.java"),
            os.path.join(apps.TRUTH, "traces", "java", "Main.java")]
    classes = os.path.join(work, "classes")
    subprocess.run(["javac", "-g", "-Xlint:-options", "-source", "8", "-target", "8", "-d", classes,
                    *java], check=True, capture_output=True)
    classes = sorted(glob.glob(classes + "/*.class"))
    found = []
    for name, tool, options in (("d8", "D8", ["--debug", "--min-api", "26"]),
                                ("r8-21", "R8", ["--release", "--min-api", "21"]),
                                ("r8-26", "R8", ["--release", "--min-api", "26"])):
        folder = os.path.join(work, name)
        os.makedirs(folder)
        mapping = None
        if tool == "R8":
            mapping = folder + "/mapping.txt"
            options += ["--pg-conf", os.path.join(apps.HERE, "throws", "keep.pro"),
                        "--pg-map-output", mapping]
        subprocess.run([*SHORT_JAVA, "-cp", D8, "com.android.tools.r8." + tool, *options, "--lib",
                        JDK, "--output", folder, *classes], check=True, capture_output=True)
        found.append((name, folder + "/classes.dex", mapping))
    return found


def throws(name, dex, mapping, vm, seed):
    """Every thread of the program dies; each stack trace must be joined to its thread."""
    folder = tempfile.mkdtemp(dir=os.path.dirname(dex))
    beta, plmap = folder + "/beta.dex", folder + "/map"
    apps.product("instrument", "--force", dex, "-o", beta, "--map", plmap,
                 *(["--mapping", mapping] if mapping else []))
    p = subprocess.run([launcher(vm), "-Dpathlight.dir=" + folder, "-cp", beta, "Throws"],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       env=dict(os.environ, **variables(vm, 10)))
    logs = glob.glob(folder + "/*.plt")
    real = stacks.parse(p.stderr)
    if len(real) != 18:
        raise Broken("exit %d, %d stack traces: %s" % (p.returncode, len(real), p.stderr[-500:]))
    wanted = list(real)
    count = 0
    if mapping:
        count += sum(joined(stack, plmap, logs, folder, "--mapping", mapping) for stack in real)
        wanted += stacks.parse(stacks.retrace(D8, mapping, "".join(stacks.plain(s) for s in real),
                                              folder))
        if len(wanted) != 36:
            raise Broken("Retrace left %d stack traces" % (len(wanted) - 18))
    count += sum(joined(stack, plmap, logs, folder) for stack in wanted)
    paths = folder + "/paths.jsonl"
    with open(paths, "wb") as f:
        f.write(apps.product("decode", "--map", plmap, "--format", "json", *logs)[0])
    foreign = none_exact(wanted, plmap, logs, paths, folder, seed)
    return "18 threads, %d joined, %d foreign" % (count, foreign)


def main():
    work = tempfile.mkdtemp(prefix="crash-")
    batch = Batch()
    tasks = []
    vms = ("art", "art-jit", "art11")
    for name, package, steps in (("tether", "org.example.tether", "click:0,long:15"),
                                 ("notes", "n", "click:0,click:3,click:1,long:11")):
        app = App(name, work)
        for vm in vms:
            for sink in ("logcat", "file"):
                tasks.append(("%s, %s, %s" % (name, vm, sink), one,
                              [app, vm, sink, package, steps, batch]))
    for build in build_throws(work):
        tasks += [("throws, %s, %s" % (build[0], vm), throws, [*build, vm]) for vm in vms]
    passed = failed = 0
    try:
        for seed, (label, task, arguments) in enumerate(tasks):
            try:
                print("pass %s: %s" % (label, task(*arguments, seed)), flush=True)
                passed += 1
            except (Broken, compare.Difference) as e:
                print("FAIL %s: %s" % (label, e), flush=True)
                failed += 1
    finally:
        batch.close()
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
