#!/usr/bin/env python3
"""SIGKILL at random moments of instrumented apps under ART.

  kill.py [N] [--seed S] [--vm art|art-jit|art11|art14|art14-jit]... [--keep DIR]
      N: how many kills (default 500), over the apps in turn, on a VM by chance

Per kill: the log must decode without a fault, and its path must be a prefix of the truth,
thread by thread: of the trace that the independent tracer (tests/truth) took of the same session.
Sessions are those of the fixture apps and `pulse` (java/Main.java), whose threads write down for
themselves how far they have come, in a mapped file. So for pulse nothing may be decoded that had
not begun, and the loss is measured: rounds, decisions and time between the last thing decoded and
the last thing that ran.
"""

import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import apps
from apps import App, Broken
from harness import compare
from harness.batch import Batch
from harness.vm import LAUNCHERS


def committed(folder):
    """Whether the log in this folder has its first slab."""
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as f:
            head = f.read(8)
            f.seek(int.from_bytes(head[6:8], "big") or 65536)
            return f.read(4) == b"SLAB"
    return False


def kill(app, vm, wait, early, folder):
    """Kills a session a given time after its first slab (early: its log) appeared; gives its
    exit code."""
    if os.path.exists(app.dir + "/beats"):
        os.unlink(app.dir + "/beats")
    p = subprocess.Popen(app.command(vm, app.code, "-Dpathlight.dir=" + folder),
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env=app.environment(vm))
    # Starting takes longer than a session; few of the moments lie in there.
    while not (os.listdir(folder) if early else committed(folder)) and p.poll() is None:
        time.sleep(0.001)
    time.sleep(wait)
    p.send_signal(signal.SIGKILL)
    return p.wait()


def calibrate(app, vm, work):
    """Seconds from the first slab to the end of a session that is left alone."""
    folder = tempfile.mkdtemp(dir=work)
    p = subprocess.Popen(app.command(vm, app.code, "-Dpathlight.dir=" + folder),
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env=app.environment(vm))
    while not committed(folder) and p.poll() is None:
        time.sleep(0.001)
    began = time.monotonic()
    if p.wait() not in (0, 10):
        raise Broken("%s on %s: exit %d" % (app.label, vm, p.returncode))
    shutil.rmtree(folder)
    return time.monotonic() - began


class Loss:
    """What was lost per thread that was at work when pulse was killed."""

    def __init__(self):
        self.rounds, self.least, self.most, self.micros = [], [], [], []

    def add(self, app, seen):
        """`seen`: what compare_prefix gave. Raises Broken where something was decoded that had not
        begun."""
        done = {name: (ids, n) for name, ids, n in seen}
        for name, (begun, when) in app.beats().items():
            ids, n = done.get(name, (None, 0))
            if ids is None:
                ids = next(i for _, t, i in app.trace if t == name)
            beats = [i for i, e in enumerate(ids) if app.enters_beat[e]]
            decoded = sum(1 for i in beats if i < n)
            # The thread writes the number down just after it has entered the round.
            if decoded > begun + 1:
                raise Broken("thread %s: %d rounds decoded, %d had begun" % (name, decoded, begun))
            if begun == 0 or begun == len(beats):
                continue
            # It died somewhere between the beginning of its last round and the beginning of the one
            # after.
            self.rounds.append(max(0, begun - decoded))
            self.least.append(apps.decisions(app, ids, n, beats[begun - 1]))
            self.most.append(apps.decisions(app, ids, n, beats[begun]))
            # From the beginning of the last round that was decoded to that of the last round.
            self.micros.append(max(0, when(begun - 1) - when(decoded - 1)) / 1000 if decoded
                               else 0.0)

    def text(self):
        def spread(values):
            v = sorted(values)
            return "median %.0f, 99 of 100 up to %.0f, most %.0f" % (v[len(v) // 2],
                                                                     v[len(v) * 99 // 100], v[-1])
        if not self.rounds:
            return "no thread was at work"
        return ("lost per thread, %d threads of pulse:\n  whole rounds: %s\n"
                "  branches, at least: %s\n  branches, at most: %s\n"
                "  microseconds: %s" % (len(self.rounds), spread(self.rounds), spread(self.least),
                                        spread(self.most), spread(self.micros)))


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death kill", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="?", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vm", action="append", choices=list(LAUNCHERS))
    parser.add_argument("--keep", help="keep the logs of kills that fail in this folder")
    a = parser.parse_args()
    vms = a.vm or ["art", "art-jit", "art11", "art14"]
    rng = random.Random(a.seed)
    work = tempfile.mkdtemp(prefix="death-")
    batch = Batch()
    passed = failed = 0
    loss = Loss()
    tally = collections.Counter()
    try:
        pulse = App("pulse", work, steps="600")
        sessions = [App("tether", work, "1", "200"), App("notes", work, "2", "200"),
                    App("tether", work, "3", "200"), App("notes", work, "4", "200")]
        kernels = App("kernels", work, "1", "1")
        spans = {}
        for app in [pulse, *sessions] + ([kernels] if a.n >= 50 else []):
            app.instrument()
            app.trace_it(batch)
            for vm in vms:
                spans[app, vm] = calibrate(app, vm, work)
        pulse.enters_beat = [kind == "enter" and method.endswith(";->beat(I)V")
                             for kind, method, _, _ in pulse.table.events]
        for i in range(a.n):
            # Every other kill meets pulse, which shows what was lost; few meet kernels, whose trace
            # takes long to compare.
            app = (pulse if i % 2 == 0 else kernels if i % 50 == 49
                   else sessions[i // 2 % len(sessions)])
            vm = rng.choice(vms)
            folder = tempfile.mkdtemp(dir=work)
            early, wait = rng.random() < 0.1, rng.uniform(0, spans[app, vm])
            try:
                code = kill(app, vm, wait, early, folder)
                tally["killed" if code == -signal.SIGKILL else "had ended"] += 1
                logs = [os.path.join(folder, f) for f in os.listdir(folder)]
                if not logs:
                    tally["no log yet"] += 1
                    passed += 1
                    continue
                paths = os.path.join(work, "paths.jsonl")
                try:
                    out, err = apps.product("decode", "--map", app.map, "--format", "json", *logs)
                except Broken as e:
                    # Killed before the file had its header: only zeros.
                    if ("no record of build" not in str(e)
                        or any(open(f, "rb").read(4).strip(b"\0") for f in logs)):
                        raise
                    out, err = b"", "it has no record"
                if "it has no record" in err:
                    tally["nothing committed yet"] += 1
                    passed += 1
                    continue
                with open(paths, "wb") as f:
                    f.write(out)
                if b'"e":"gap"' in out or b'"e":"skipped"' in out or err:
                    raise Broken("a log that is whole is reported to miss something: " + err)
                tally["with an unproven tail"] += b'"e":"unproven"' in out
                seen = apps.compare_prefix(app, compare.read_paths(paths))
                tally["events"] += sum(n for _, _, n in seen)
                if app is pulse:
                    loss.add(app, seen)
                passed += 1
            except (Broken, compare.Difference, ValueError, OSError) as e:
                failed += 1
                print("FAIL kill %d, %s on %s after %.3f s: %s" % (i, app.label, vm, wait, e),
                      flush=True)
                if a.keep:
                    shutil.copytree(folder, os.path.join(a.keep, "%d-%s" % (i, app.name)),
                                    dirs_exist_ok=True)
                    shutil.copy(app.map, os.path.join(a.keep, "%d-%s" % (i, app.name)))
            shutil.rmtree(folder)
    finally:
        batch.close()
        shutil.rmtree(work, ignore_errors=True)
    print(", ".join("%s: %d" % (k, v) for k, v in sorted(tally.items())))
    print(loss.text())
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
