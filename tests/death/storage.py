#!/usr/bin/env python3
"""Instrumented apps under ART where the log finds no place, or not enough.

In every case: the same exit code, the same output and the same stack traces as the app that was
never instrumented. Where nothing can be recorded, no file is left that claims otherwise. Where a
log fills up, what it holds must be the beginning (with --ring: the end) of what the same program
records when there is room, and the path must report that it stops there (that something is missing
before). Each thread of pulse counts its rounds; the whole log must show just as many. Real file
systems are used where this process may mount them, and limits of the file size everywhere.
"""

import argparse
import contextlib
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile

import apps
from apps import App, Broken

ROUNDS = 80000
STOPPED = "■ the app stopped recording this thread here"
UNPROVEN = "(the last record was not closed: no check has proven what follows)\n"
INSIDE = "begins inside "
RESUMED = "… decoding goes on here …"


def may_mount():
    with tempfile.TemporaryDirectory() as d:
        ok = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", d],
                            capture_output=True).returncode == 0
        if ok:
            subprocess.run(["umount", d], check=True)
        return ok


@contextlib.contextmanager
def mounted(folder, options):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def visible(result):
    """What a user sees of a session: exit code, output, frames of stack traces."""
    code, out, err = result
    frames = re.findall(r"\sat ([\w.$]+\(.*)", err)
    return code, out, frames


def same(app, vm, got):
    for what, a, b in zip(("exit code", "output", "stack traces"), app.untouched[vm], visible(got)):
        if a != b:
            raise Broken("another %s: %r instead of %r\n%s"
                         % (what, b[-300:] if what != "exit code" else b,
                            a[-300:] if what != "exit code" else a, got[2][-1000:]))


def nothing(app, vm, place, *properties):
    """A session that cannot record anything."""
    same(app, vm, app.run(vm, app.code, *properties,
                          *([] if place is None else ["-Dpathlight.dir=" + place])))
    left = ([f for f in os.listdir(place) if f.endswith(".plt")] if place and os.path.isdir(place)
            and place != "/proc" else [])
    if left:
        raise Broken("left behind: %s" % left)
    return "as untouched, nothing recorded"


def paths(app, folder, out):
    """Decodes the log of a folder into one text file per thread, without the times; gives {thread
    name: file}, the log's size, and how many threads a full log left out and cut short.

    A ring that has lost a thread's beginning has lost its name, too: then it is its number."""
    logs = [os.path.join(folder, f) for f in os.listdir(folder)]
    if len(logs) != 1:
        raise Broken("%d logs" % len(logs))
    files = {}
    os.makedirs(out)
    p = subprocess.Popen([os.environ["PATHLIGHT"], "decode", "--full", "--unfolded", "--names",
                          "full", "--map", app.map, *logs], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    f = None
    for line in p.stdout:
        if line.startswith("### "):
            continue
        if line.startswith("=== "):
            number, name = re.search(r'thread (\d+) "(.*)"$', line).groups()
            name = name if name != "?" else number
            files[name] = os.path.join(out, name)
            f = open(files[name], "w")
        else:
            f.write(re.sub(r"^#\d+ \[[^]]*\]", "[]", line))
    err = p.stderr.read()
    full = re.fullmatch(r".*: the log was full; (\d+) threads? (?:is|are) not in it at all, and "
                        r"(\d+) threads? (?:is|are) cut short\n", err)
    if p.wait() or err and not full:
        raise Broken("decode: exit %d: %s" % (p.returncode, err[-500:]))
    return files, os.path.getsize(logs[0]), tuple(map(int, full.groups())) if full else (0, 0)


def beginning(whole, part):
    """`part` must be the beginning of `whole` and report that it stops, or be all of it; gives
    its number of lines."""
    if filecmp.cmp(whole, part, shallow=False):
        return "all"
    n = 0
    with open(whole) as a, open(part) as b:
        # The line that the record at the end has no check stands before that record.
        b = (l for l in b if l != UNPROVEN)
        lines = [next(b, None), next(b, None)]
        while lines[1] is not None:
            full = next(a, None)
            ahead = next(b, None)
            if full != lines[0] and not (ahead is None and full is not None
                                         and full.rstrip("\n").startswith(lines[0].rstrip("\n"))):
                raise Broken("%s, line %d: %r, the whole log has %r"
                             % (os.path.basename(part), n + 1, lines[0], full))
            lines = [lines[1], ahead]
            n += 1
    if lines[0].strip() != STOPPED:
        raise Broken("%s does not report that it stops: %r" % (os.path.basename(part), lines[0]))
    return n


def end(wholes, part):
    """`part` must report what is missing, before that be the beginning of one of `wholes` (if it
    has one), and from there on the end of the same; gives which, and how many lines the end has."""
    with open(part) as f:
        lines = f.readlines()
    gap = next((i for i, l in enumerate(lines) if "slabs are missing" in l), None)
    if RESUMED + "\n" not in lines or gap is None:
        raise Broken("thread %s does not report that older parts are missing: %r"
                     % (os.path.basename(part), lines[:3]))
    # The last two lines before the gap are one that may go on, and that the log ends there.
    begin = [l for l in lines[:gap] if l != UNPROVEN][:-2]
    tail = lines[max(i for i, l in enumerate(lines) if l == RESUMED + "\n") + 1:]
    if tail and tail[0].startswith(INSIDE):
        # That, the callback's name, and what is left of a line.
        tail = tail[3:]
    for whole in wholes:
        with open(whole) as f:
            all_lines = f.readlines()
        if tail and all_lines[-len(tail):] == tail and all_lines[:len(begin)] == begin:
            return whole, len(tail)
    raise Broken("thread %s is not the end of a thread of the whole log" % os.path.basename(part))


def begun(whole, text):
    """`text` must be the beginning of `whole` up to where its log ends; gives how many lines it
    has."""
    # The last two lines are one that may go on, and that the log ends there.
    lines = [l for l in text.splitlines(True) if l != UNPROVEN][:-2]
    with open(whole) as f:
        if [next(f, None) for _ in lines] != lines:
            raise Broken("not the beginning of %s" % os.path.basename(whole))
    return len(lines)


class Run:
    def __init__(self):
        self.passed = self.failed = 0

    def case(self, name, function, *arguments):
        try:
            print("pass %s: %s" % (name, function(*arguments)), flush=True)
            self.passed += 1
        except (Broken, OSError, subprocess.CalledProcessError) as e:
            print("FAIL %s: %s" % (name, e), flush=True)
            self.failed += 1


def small(run, work, mount):
    """Cases in which nothing can be recorded."""
    for app in [App("pulse", work, steps="300"), App("tether", work, "1", "40"),
                App("notes", work, "4", "120")]:
        vms = ["art", "art-jit", "art11"] if app.name == "pulse" else ["art"]
        app.untouched = {vm: visible(app.run(vm, app.original)) for vm in vms}
        app.instrument()
        place = os.path.join(app.dir, "place")
        for vm in vms:
            label = "%s, %s: " % (app.label, vm)
            run.case(label + "the folder does not exist", nothing, app, vm,
                     os.path.join(app.dir, "absent"))
            open(place, "w").close()
            run.case(label + "the folder is a file", nothing, app, vm, place)
            os.unlink(place)
            run.case(label + "the folder takes no files", nothing, app, vm, "/proc")
            os.mkdir(place)
            run.case(label + "the property pathlight.off", nothing, app, vm, place,
                     "-Dpathlight.off=1")
            if mount:
                def read_only():
                    with mounted(place, "ro"):
                        return nothing(app, vm, place)

                def full():
                    with mounted(place, "size=40k"):
                        return nothing(app, vm, place)
                run.case(label + "read-only storage", read_only)
                run.case(label + "a full disk from the beginning", full)
            os.rmdir(place)
        if app.name == "pulse":
            # There is no android.util.Log in this app.
            app.instrument("--sink", "logcat")
            run.case("%s, art: logcat, and there is none" % app.label, nothing, app, "art", None)


def large(run, work, mount):
    """Cases in which the log fills up."""
    vm = "art-jit"
    app = App("pulse", os.path.join(work, "large"), steps=str(ROUNDS))
    app.untouched = {vm: visible(app.run(vm, app.original))}
    whole = {}

    def record(name, prefix=(), folder=None):
        folder = folder or os.path.join(app.dir, name)
        os.makedirs(folder, exist_ok=True)
        same(app, vm, app.run(vm, app.code, "-Dpathlight.dir=" + folder, prefix=prefix))
        return paths(app, folder, os.path.join(app.dir, name + "-paths"))

    def everything():
        files, size, refused = record("whole")
        if refused != (0, 0):
            raise Broken("the log is reported to have been full: %s" % (refused,))
        whole.update(files)
        for name in files:
            if name == "main":
                continue
            with open(files[name]) as f:
                rounds = sum(1 for l in f if l.lstrip().startswith("Main.beat(I)V"))
            if rounds != ROUNDS:
                raise Broken("%s: %d rounds of %d" % (name, rounds, ROUNDS))
        return "%d threads, %d rounds each, a file of %d bytes" % (len(files), ROUNDS, size)

    def stops(name, prefix=(), folder=None):
        files, size, refused = record(name, prefix, folder)
        if size > 3 << 19:
            raise Broken("the file has %d bytes" % size)
        kept = {n: beginning(whole[n], files[n]) for n in files if n != "main"}
        if set(kept) | {"main"} != set(whole):
            raise Broken("threads %s" % sorted(files))
        if refused != (0, sum(n != "all" for n in kept.values())):
            raise Broken("the header counts %s threads left out and cut short" % (refused,))
        return "a file of %d bytes, every thread reports that it stops; lines kept: %s" % (
            size, kept)

    def full_disk():
        with mounted(os.path.join(app.dir, "disk"), "size=1536k") as folder:
            return stops("disk", folder=folder)

    def ring():
        files, size, refused = record("ring")
        if refused != (0, 0):
            raise Broken("the ring is reported to have been full: %s" % (refused,))
        if size > 1 << 20:
            raise Broken("the file has %d bytes" % size)
        kept = {}
        for name, file in files.items():
            if name == "main":
                continue
            with open(file) as f:
                text = f.read()
            if (name in whole and text.endswith("■ the log ends here\n")
                and "slabs are missing" not in text):
                # It ended long before the others: all that came after its small first slabs has
                # been overwritten.
                kept[name] = "%d from the beginning" % begun(whole[name], text)
            else:
                # The first, small slabs may be there; without them the name is not.
                w, n = end([whole[name]] if name in whole else list(whole.values()), file)
                kept[name] = "%d of %s" % (n, os.path.basename(w))
                inside = INSIDE in text
                if inside != (os.path.basename(w) == "whole"):
                    raise Broken("thread %s begins %s"
                                 % (w, "inside a callback" if inside else "with one"))
        if sum("rounds" in k for k in kept.values()) != apps.PULSE_THREADS - 1:
            raise Broken("not every thread is left: %s" % kept)
        return "a file of %d bytes, the newest lines kept: %s" % (size, kept)

    app.instrument()
    run.case("room for everything", everything)
    run.case("a limit of the file size, 1.5 MiB", stops, "limit",
             ["sh", "-c", "trap '' XFSZ; ulimit -f 3072; exec \"$@\"", "sh"])
    if mount:
        run.case("a full disk, 1.5 MiB", full_disk)
    app.instrument("--cap", "1")
    run.case("the log's limit, 1 MiB", stops, "cap")
    app.instrument("--cap", "1", "--ring")
    run.case("a ring of 1 MiB", ring)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death storage", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the runs that fill a log")
    a = parser.parse_args()
    work = tempfile.mkdtemp(prefix="storage-")
    mount = may_mount()
    if not mount:
        print("skipped: read-only and full file systems: no right to mount")
    run = Run()
    try:
        small(run, work, mount)
        if not a.quick:
            large(run, work, mount)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (run.passed, run.failed))
    sys.exit(1 if run.failed or not run.passed else 0)


if __name__ == "__main__":
    main()
