"""The apps that the scripts of this folder run: instrumented, and traced by the independent tracer
(harness/tracer.py)."""

import os
import re
import struct
import subprocess

from harness import compare, implied as implied_calls, tracer
from harness.vm import ART, launcher, variables

HERE = os.path.dirname(os.path.abspath(__file__))
TRUTH = os.path.join(HERE, "..", "truth")
FIXTURES = os.path.join(HERE, "..", "..", "android-fixtures")
PULSE = os.path.join(HERE, "prebuilt", "pulse.dex")
# As java/Main.java has them.
STRIDE, RING = 8200, 8191
PULSE_THREADS = 4


class Broken(Exception):
    """Something that must hold does not."""


def product(*args):
    p = subprocess.run([os.environ["PATHLIGHT"], *args], stdin=subprocess.DEVNULL,
                       capture_output=True)
    if p.returncode:
        raise Broken("pathlight %s: exit %d: %s"
                     % (args[0], p.returncode, p.stderr.decode("utf-8", "replace")[-1000:]))
    return p.stdout, p.stderr.decode("utf-8", "replace")


class App:
    """An app with the arguments of one session."""

    def __init__(self, name, work, seed="1", steps=None):
        self.name, self.seed, self.steps = name, seed, steps
        self.label = name if name == "pulse" else "%s %s" % (name, seed)
        self.dir = os.path.join(work, self.label.replace(" ", "-"))
        os.makedirs(self.dir)
        self.original = PULSE if name == "pulse" else os.path.join(FIXTURES, name, "prebuilt",
                                                                   name + ".apk")
        self.map = os.path.join(self.dir, "map")
        self.traced = os.path.join(self.dir, "traced.jar")
        self.table = self.trace = None

    def instrument(self, *options):
        self.code = os.path.join(self.dir, "instrumented" + os.path.splitext(self.original)[1])
        product("instrument", "--force", self.original, "-o", self.code, "--map", self.map,
                *options)

    def command(self, vm, code, *properties):
        """What starts a session; the process that it starts becomes the VM."""
        if self.name == "pulse":
            main = ["Main", os.path.join(self.dir, "beats"), str(PULSE_THREADS), self.steps]
            return [launcher(vm), *properties, "-cp", code, *main]
        steps = ["--steps", self.steps] if self.steps else []
        return [os.environ["XTASK"], "fixtures", "run", "--vm", vm, "--apk", code, *steps,
                self.name, self.seed, *properties]

    def environment(self, vm):
        return dict(os.environ, **variables(vm, 10))

    def run(self, vm, code, *properties, prefix=()):
        """(exit code, standard output, standard error) of a whole session."""
        if os.path.exists(self.dir + "/beats"):
            os.unlink(self.dir + "/beats")
        p = subprocess.run([*prefix, *self.command(vm, code, *properties)],
                           stdin=subprocess.DEVNULL, capture_output=True, env=self.environment(vm))
        return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")

    def trace_it(self, batch):
        """Runs the session traced."""
        work = os.path.join(self.dir, "work")
        os.makedirs(work)
        tracer.instrument(batch, self.original, self.traced, self.dir + "/table", work)
        code, self.output, err = self.run("art", self.traced, "-Dtruth.out=%s/trace" % self.dir)
        if code not in (0, 10):  # 10: the session ends in an uncaught exception
            raise Broken("%s traced: exit %d: %s" % (self.label, code, err[-500:]))
        self.table = tracer.Table(self.dir + "/table")
        self.trace = tracer.read_trace(self.dir + "/trace")

    def beats(self):
        """{thread name: (number of rounds that have begun, function from the number of a round to
        when it began, in ns)}; pulse only."""
        # A process that was killed at once has not made the file yet.
        with open(self.dir + "/beats", "ab+") as f:
            f.seek(0)
            data = f.read().ljust(PULSE_THREADS * STRIDE * 8, b"\0")
        found = {}
        for i in range(PULSE_THREADS):
            base = i * STRIDE * 8
            found["whole" if i == 0 else "rounds-%d" % i] = (
                struct.unpack_from(">q", data, base)[0],
                lambda n, base=base: struct.unpack_from(">q", data, base + 64 + n % RING * 8)[0])
        return found


class PrefixCompare(compare.ThreadCompare):
    """A thread whose process was killed: the decoded path may end anywhere."""

    def open_at_end(self):
        return True


def compare_prefix(app, paths):
    """[(thread name, ids of the trace, how many of them were decoded)]; raises compare.Difference
    at the first thing that did not run."""
    traced, decoded = {}, {}
    implied = implied_calls.named(paths)
    for number, name, ids in sorted(app.trace, key=lambda t: t[0]):
        traced.setdefault(name, []).append(compare.drop_methods(app.table, ids, implied))
    for number, name, events in paths:
        events = implied_calls.without(events)
        if events:
            decoded.setdefault(name, []).append(events)
    seen = []
    for name, lists in decoded.items():
        free = list(traced.get(name, []))
        for events in lists:
            why = "more threads %r than were traced" % name
            for ids in free:
                try:
                    counts = PrefixCompare(app.table, ids, events, False, False).run()
                    break
                except compare.Difference as d:
                    why = str(d)
            else:
                raise compare.Difference("thread %r: %s" % (name, why))
            free = [f for f in free if f is not ids]
            seen.append((name, ids, len(ids) - counts.missing))
    return seen


BRANCH = re.compile(r"if-|packed-switch|sparse-switch")


def decisions(app, ids, begin, end):
    """Branches and switches among the traced instructions."""
    return sum(1 for i in ids[begin:end] if BRANCH.match(app.table.events[i][3] or ""))
