"""Traces of reproducible targets from dense samples, beside exact logs: cargo xtask bench samples
--part dense

Of each log the methods are taken that ran one path of 30 to 2,000 blocks at least four times. A
sampler is simulated that sees the stack at one block in N: phases go on from run to run, and
intervals are longer or shorter by a share. Its file goes to `pathlight samples show --method …
--against LOG`, which merges the passes and compares the trace with the exact runs in the log.
"""

import collections
import csv
import json
import os
import random
import statistics
import subprocess
import sys

SHORTEST, LONGEST = 30, 2000
LEAST_RUNS = 4
# Events of a log that are read at most.
MOST_EVENTS = 1_500_000
# With T/P known or not.
METHODS = (("linked", False), ("free", False), ("free", True), ("phase", True))
# Numbers of blocks without a common divisor with most lengths: others hide places for ever.
EVERY = (7, 17, 31, 61)
# Samples for each block of the target.
SHARES = (1, 4)
COLUMNS = ("target", "runs", "alike", "blocks", "all_runs", "every", "jitter", "samples_a_block",
           "method", "split", "passes", "merged_passes", "groups", "f1", "precision", "recall")
IDLE = '"main" tid=1\n  at java.lang.Thread.sleep(Native method)\n\n'


class Run:
    """One run of a method: the stacks of its blocks, outermost first."""

    def __init__(self, depth):
        self.depth, self.stacks = depth, []

    def path(self):
        return tuple(stack[-1][:2] for stack in self.stacks)


def runs_of(pathlight, plmap, log):
    """Runs of all methods that end, by method."""
    command = [pathlight, "decode", "--map", plmap, "--format", "json", *log]
    found = collections.defaultdict(list)
    open_runs = collections.defaultdict(list)
    stacks = collections.defaultdict(list)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as p:
        for number, line in enumerate(p.stdout):
            if number >= MOST_EVENTS:
                p.kill()
                break
            e = json.loads(line)
            thread = (e.get("p"), e.get("t"))
            stack, runs = stacks[thread], open_runs[thread]
            if e["e"] == "enter":
                del stack[e["depth"] - 1:]
                stack.append((e["m"], 0, e.get("via") == "callback" and e["depth"] > 1))
                runs.append((e["m"], Run(e["depth"])))
            elif e["e"] in ("block", "catch"):
                del stack[e["depth"]:]
                stack[-1] = (e["m"], e["pc"], stack[-1][2])
                # An exception ended these.
                while runs and runs[-1][1].depth > e["depth"]:
                    runs.pop()
                for _, run in runs:
                    if len(run.stacks) <= LONGEST:
                        run.stacks.append(tuple(stack[run.depth - 1:]))
            elif e["e"] == "return":
                while runs and runs[-1][1].depth > e["depth"]:
                    runs.pop()
                method, run = runs.pop() if runs else (None, None)
                # Recursion belongs to the outermost run.
                if run and all(m != method for m, _ in runs):
                    found[method].append(run)
            elif e["e"] == "end":
                runs.clear()
    return found


def targets(found, most):
    """(method, alike runs, all runs) of the methods with the longest reproducible paths."""
    good = []
    for method, runs in found.items():
        name = method.split("->")[1].split("(")[0]
        paths = collections.Counter(r.path() for r in runs)
        path, times = paths.most_common(1)[0]
        if times >= LEAST_RUNS and SHORTEST <= len(path) <= LONGEST and "<" not in name:
            good.append((method, [r for r in runs if r.path() == path], runs))
    # One of several methods with the same blocks below: the outermost.
    good.sort(key=lambda g: (-len(g[1][0].stacks), g[0]))
    return good[:most]


def dotted(method):
    owner, rest = method[1:].split(";->")
    return owner.replace("/", ".") + "." + rest.split("(")[0]


def lines_of(frame):
    """A frame as text; the platform called some."""
    method, pc, is_outside = frame
    platform = ["  at android.os.Handler.dispatchMessage(Handler.java:102)\n"]
    return [f"  at {dotted(method)}(Unknown Source:{pc})\n"] + platform * is_outside


def sampled(runs, every, jitter, seed, samples):
    """A file of a sampler, and the number of its passes, with at least `samples` samples."""
    rng = random.Random(seed)
    text, left, passes, taken = [], rng.randrange(every), 0, 0
    while taken < samples:
        for run in runs:
            passes += 1
            for stack in run.stacks:
                if left <= 0:
                    taken += 1
                    text.append('"main" tid=1\n')
                    text += [line for f in reversed(stack) for line in lines_of(f)]
                    text.append("\n")
                    left = max(1, round(every * (1 + rng.uniform(-jitter, jitter))))
                left -= 1
            text.append(IDLE)
            if taken >= samples:
                break
    return "".join(text), passes


def measure(subject, text, options, scratch):
    """The group with most passes, and the number of groups."""
    pathlight, plmap, log, target = subject
    file = os.path.join(scratch, "dense.txt")
    with open(file, "w") as f:
        f.write(text)
    p = subprocess.run([pathlight, "samples", "show", "--map", plmap, file, "--target", target,
                        "--json", *options, "--against", *log], capture_output=True, text=True)
    if p.returncode:
        raise SystemExit(p.stderr)
    groups = json.loads(p.stdout)["files"][0]["groups"]
    return max(groups, key=lambda g: g["passes"]), len(groups)


def dense(name, pathlight, plmap, logs, a, scratch, lines):
    """Adds the rows of a workload."""
    for log in logs:
        for method_name, alike, runs in targets(runs_of(pathlight, plmap, log), a.targets):
            target, blocks = dotted(method_name), len(alike[0].stacks)
            for is_all, sources in ((False, alike), (True, runs)):
                if is_all and len(runs) == len(alike):
                    continue
                # A sampler that skips whole runs has no sample in some.
                for every in (n for n in EVERY if n < blocks):
                    for jitter in (0.0, 0.25):
                        for share in SHARES:
                            rows(name, (pathlight, plmap, log, target), (runs, alike, sources),
                                 (blocks, is_all, every, jitter, share), scratch, lines)


def rows(name, subject, sources, conditions, scratch, lines):
    runs, alike, chosen = sources
    blocks, is_all, every, jitter, share = conditions
    samples = share * blocks * (len(runs) if is_all else len(alike)) // len(alike)
    text, passes = sampled(chosen, every, jitter, f"{subject[3]}{conditions}", samples)
    for method, split in METHODS:
        # Without other runs between, the length of the target gives each sample's position.
        if split and is_all:
            continue
        options = ["--method", method] + (["--split", f"{blocks}/{every}"] if split else [])
        group, count = measure(subject, text, options, scratch)
        found = group.get("against")
        if not found:
            raise SystemExit(f"{subject[3]}: no exact run")
        row = [subject[3], len(runs), len(alike), blocks, int(is_all), every, jitter, share, method,
               int(split), passes, group["passes"], count,
               *(f"{found[c]:.3f}" for c in ("f1", "precision", "recall"))]
        lines.append(",".join(map(str, [name, *row])))
        print(lines[-1], flush=True)


def summary(rows_file, medians_file):
    """Writes the median F1, and the lowest and highest, of equal passes by sampler and method."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(rows_file) as f:
        for row in csv.DictReader(f):
            if row["all_runs"] == "0":
                how = row["method"] + (" with T/P" if row["split"] == "1" else "")
                interval = "equal" if float(row["jitter"]) == 0 else "± 25 %"
                found[how, interval][int(row["every"])].append(float(row["f1"]))
    with open(medians_file, "w") as f:
        print("method,intervals," + ",".join(f"one block in {n}" for n in EVERY), file=f)
        for (how, interval), cells in sorted(found.items(), key=lambda r: (r[0][1] != "equal", r)):
            shown = (f"{statistics.median(cells[n]):.2f} ({min(cells[n]):.2f}–{max(cells[n]):.2f})"
                     for n in EVERY)
            print(f"{how},{interval}," + ",".join(shown), file=f)


if __name__ == "__main__":
    summary(*sys.argv[1:])
