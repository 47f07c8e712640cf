#!/usr/bin/env python3
"""Thread dumps of a program before and after instrumenting: what ART writes on SIGQUIT (Android's
ANR traces), and Thread.getStackTrace.

Threads that stand (asleep, waiting, blocked, parked) must stand at the same lines, as they are and
retraced. Threads that run are looked at at many random moments: each frame's line must be one that
the original has in this method, and for a frame that called another one, a line with a call of that
name; dexdump lists these. Then the process is killed, and `pathlight crash` must join the dump that
ART wrote to the path of each thread that stands: exactly, because these threads flushed their logs
right before.
"""

import argparse
import collections
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import apps
from apps import Broken
from crash import crash
from harness.vm import SHORT_JAVA, launcher, variables

D8 = os.environ["D8_JAR"]
JDK = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))
STAND = ["main", "sleeper", "waiter", "holder", "keeper", "caught", "blocked", "entered"]
RUN = ["busy", "arrays", "tight"]
SAMPLES, DUMPS, LIMIT = 60, 4, 120
VMS = ("art", "art-jit", "art11")


def tool(name, *arguments):
    subprocess.run([*SHORT_JAVA, "-cp", D8, "com.android.tools.r8." + name, "--lib", JDK,
                    *arguments], check=True, capture_output=True)


def build(work):
    """(name, dex, mapping) of each build: by D8, and by R8 with and without a line table; and the
    watcher's dex."""
    here = os.path.join(apps.HERE, "dumps")
    for name, source in (("classes", "Dumps.java"), ("host", "host/watch/Watch.java")):
        subprocess.run(["javac", "-g", "-Xlint:-options", "-source", "8", "-target", "8", "-d",
                        os.path.join(work, name), os.path.join(here, source)], check=True,
                       capture_output=True)
    host = os.path.join(work, "host-dex")
    os.makedirs(host)
    tool("D8", "--release", "--min-api", "26", "--output", host,
         *glob.glob(work + "/host/watch/*.class"))
    classes = sorted(glob.glob(work + "/classes/*.class"))
    found = []
    for name, program, options in (("d8", "D8", ["--debug", "--min-api", "26"]),
                                   ("r8-21", "R8", ["--release", "--min-api", "21"]),
                                   ("r8-26", "R8", ["--release", "--min-api", "26"])):
        folder = os.path.join(work, name)
        os.makedirs(folder)
        mapping = None
        if program == "R8":
            mapping = folder + "/mapping.txt"
            options += ["--pg-conf", os.path.join(here, "keep.pro"), "--pg-map-output", mapping]
        tool(program, *options, "--output", folder, *classes)
        found.append((name, folder + "/classes.dex", mapping))
    return found, host + "/classes.dex"


def lines_of(dex):
    """What ART may print for each method: {Class.method: {line: names of methods that are called
    there}}, as dexdump reads the file."""
    text = subprocess.run(["dexdump", "-d", dex], check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    name, code, positions = None, [], []

    def flush():
        for pc, instruction in code:
            line = pc
            for address, at in positions:
                if address <= pc:
                    line = at
            called = re.match(r"invoke-\S+ \{.*?\}, \S+?;\.(.+?):\(", instruction)
            found[name][line].update([called.group(1)] if called else [])

    for row in text.splitlines():
        begins = re.match(r"^[0-9a-f]+: +\|\[[0-9a-f]+\] (.*)\.(.+?):\(", row)
        instruction = re.match(r"^[0-9a-f]+: .*\|([0-9a-f]{4,}): (.*)$", row)
        position = re.match(r"^ +0x([0-9a-f]+) line=(\d+)$", row)
        if begins:
            flush()
            name, code, positions = begins.group(1) + "." + begins.group(2), [], []
        elif instruction:
            code.append((int(instruction.group(1), 16), instruction.group(2)))
        elif position:
            positions.append((int(position.group(1), 16), int(position.group(2))))
    flush()
    return found


def element(text):
    """(name, line) of a frame; the line is None where none is printed."""
    name, _, place = text.partition("(")
    line = place.rstrip(")").rpartition(":")[2]
    return name, int(line) if re.fullmatch(r"\d+", line) else None


def parse(text):
    """What the watcher printed: [(how, thread, frames)]."""
    found = []
    for line in text.splitlines():
        if line.startswith("\tat "):
            found[-1][2].append(element(line[4:]))
        elif line.startswith(("stands ", "runs ")):
            found.append((*line.split(" "), []))
    return found


def threads(dump):
    """The threads of a dump: {name: (its text, frames)}."""
    found = {}
    for part in re.split(r"\n(?=\")", dump)[1:]:
        name = re.match(r"\"(.*?)\"", part).group(1)
        frames = []
        for frame, more in re.findall(r"^  (?:at (.*)|\.\.\. repeated (\d+) times)$", part, re.M):
            # Of frames that are alike ART prints three, and counts the others from 0.
            frames += [element(frame)] if frame else frames[-1:] * (int(more) + 1)
        found[name] = (part, frames)
    return found


class Session:
    """One run: what the watcher saw, and what ART wrote on SIGQUIT."""

    def __init__(self, vm, dex, host, folder, rng):
        environment = dict(os.environ, ART_LOG="i", **variables(vm, 100))
        command = [launcher(vm), "-Dpathlight.dir=" + folder, "-cp", dex + ":" + host,
                   "watch.Watch", str(SAMPLES)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, errors="replace",
                                        env=environment)
        self.out, self.err = [], []
        readers = [threading.Thread(target=self.read, args=pair)
                   for pair in ((self.process.stdout, self.out), (self.process.stderr, self.err))]
        for r in readers:
            r.start()
        try:
            self.wait(self.out, "ready", 1)
            for i in range(DUMPS):
                time.sleep(rng.random() / 20)
                self.process.send_signal(signal.SIGQUIT)
                self.wait(self.err, "----- end %d -----" % self.process.pid, i + 1)
        finally:
            self.process.kill()
            self.process.wait()
            for r in readers:
                r.join()
        text = "".join(re.sub(r"^\S+ I .*? palette_fake\.cc:\d+\] ", "", line) for line in self.err)
        self.dumps = re.findall(r"^(----- pid .*?\n----- end \d+ -----\n)", text, re.M | re.S)
        self.seen = parse("".join(self.out))
        if len(self.dumps) != DUMPS:
            raise Broken("%d dumps" % len(self.dumps))

    @staticmethod
    def read(pipe, lines):
        for line in pipe:
            lines.append(line)

    def wait(self, lines, text, count):
        began = time.time()
        while sum(text in line for line in lines) < count:
            if self.process.poll() is not None or time.time() - began > LIMIT:
                raise Broken("no %r: %s" % (text, "".join(self.err[-5:])))
            time.sleep(0.01)

    def standing(self):
        return {thread: frames for how, thread, frames in self.seen if how == "stands"}

    def dumped(self, names):
        """[(thread, frames)] of all dumps."""
        return [(name, threads(d)[name][1]) for d in self.dumps for name in names]


def app_frames(frames, lines):
    return [(name, line) for name, line in frames if name in lines]


def check_running(frames, lines, what):
    """Each line must be one that the original has there. Returns how many were looked at."""
    above, count = None, 0
    for name, line in frames:
        if name in lines and line is not None:
            known = lines[name].get(line)
            called = above and above.rpartition(".")[2]
            # A probe may be running, an initialiser, or the constructor of an exception that the VM
            # throws.
            if above and (above.startswith("pathlight.") or called == "<clinit>"
                          or above.endswith("Exception.<init>")):
                called = None
            if known is None or (called and called not in known):
                raise Broken("%s: %s:%s is no line of the original%s"
                             % (what, name, line,
                                " with a call of " + called if known is not None else ""))
            count += 1
        above = name
    return count


def joins(session, plmap, logs, folder, mapping):
    """Joins the last dump's threads that stand, one by one, and the dump as a whole, to the
    path."""
    found = collections.Counter()
    dump = session.dumps[-1]
    head, parts = dump[:dump.index("DALVIK THREADS")], threads(dump)
    forms = [("raw", dump, [])] + ([("--mapping", dump, ["--mapping", mapping])] if mapping else [])
    for form, text, options in forms:
        code, joined = crash(plmap, logs, text, folder, *options)
        check_join("whole dump, " + form, code, joined, "main", parts["main"])
    for name in STAND:
        for form, _, options in forms:
            code, joined = crash(plmap, logs, head + "DALVIK THREADS (1):\n" + parts[name][0]
                               + "\n----- end -----\n", folder, *options)
            check_join("%s, %s" % (name, form), code, joined, name, parts[name])
            found[joined["join"]] += 1
    return found


def check_join(what, code, joined, name, part):
    # It flushed its log right before it stood. But `blocked` went on into another block since, and
    # `entered` called another method, which R8 may have inlined.
    want = {"entered": ("exact", "other_lines", "partial"),
            "blocked": ("exact", "other_lines")}.get(name, ("exact",))
    if code != 0 or joined["join"] not in want or joined.get("name") != name:
        raise Broken("%s: %s\n%s" % (what, joined, part[0]))


def one(name, dex, mapping, host, vm, seed):
    rng = random.Random(seed)
    folder = tempfile.mkdtemp(dir=os.path.dirname(dex))
    lines = lines_of(dex)
    before = Session(vm, dex, host, folder, rng)
    beta, plmap = folder + "/beta.dex", folder + "/map"
    apps.product("instrument", "--force", dex, "-o", beta, "--map", plmap,
                 *(["--mapping", mapping] if mapping else []))
    after = Session(vm, beta, host, folder, rng)
    # Threads that stand: Thread.getStackTrace and dumps, all alike.
    want = before.standing()
    if sorted(want) != sorted(STAND) or not all(app_frames(f, lines) for f in want.values()):
        raise Broken("not all threads stand in the app: %s" % want)
    if after.standing() != want:
        raise Broken("threads stand elsewhere: %s" % [
            (t, f, after.standing()[t]) for t, f in want.items() if after.standing()[t] != f])
    for session in (before, after):
        for thread, frames in session.dumped(STAND):
            # Where there is no line, a dump of the original has none, while Thread.getStackTrace
            # names the address.
            pairs = list(zip(app_frames(frames, lines), app_frames(want[thread], lines)))
            if len(app_frames(frames, lines)) != len(app_frames(want[thread], lines)) or any(
                a != b
                and (a[0] != b[0] or a[1] is not None or session is after) for a, b in pairs):
                raise Broken("%s: the dump has %s, Thread.getStackTrace %s"
                             % (thread, frames, want[thread]))
    # Threads that run.
    counts, places = [], []
    for session in (before, after):
        samples = [(t, f) for how, t, f in session.seen if how == "runs"] + session.dumped(RUN)
        counts.append(sum(check_running(frames, lines, t) for t, frames in samples))
        places.append({frame for _, frames in samples for frame in app_frames(frames, lines)
                       if frame[1] is not None})
    logs = glob.glob(folder + "/*.plt")
    joined = joins(after, plmap, logs, folder, mapping)
    return "%d threads stand alike; %d frames at %d places before, %d at %d after; joined %s" % (
        len(want), counts[0], len(places[0]), counts[1], len(places[1]), dict(joined))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="*", help="only these: d8, r8-21, r8-26")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="dumps-")
    passed = failed = 0
    try:
        builds, host = build(work)
        builds = [b for b in builds if not options.build or b[0] in options.build]
        for seed, (built, vm) in enumerate((b, vm) for b in builds for vm in VMS):
            try:
                print("pass %s, %s: %s" % (built[0], vm, one(*built, host, vm, seed)), flush=True)
                passed += 1
            except Broken as e:
                print("FAIL %s, %s: %s" % (built[0], vm, e), flush=True)
                failed += 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
