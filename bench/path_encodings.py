#!/usr/bin/env python3
"""Published encodings of paths in apps, beside `--profile paths`: cargo xtask bench path-encodings

For each library: the 10, 50 and 100 whole paths that ran most often in the training run, of methods
without loops and of methods with loops. Each encoding counts them on ART 14's JIT; the counts of an
exact one must be those of the register build. Paths that an encoding refuses are replaced by the
next ones, for all encodings. `path_encodings` replays the same paths over the training run's log:
activations that stopped early, and planning time. Writes bench/path_encodings.csv.
"""

import argparse
import csv
import io
import json
import math
import os
import re
import shutil
import statistics
import subprocess
from collections import Counter

import build
import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = (10, 50, 100)
MOST_OF_METHOD = 1000
OURS = ("register", "duplicate-blocks")
ANY_GRAPH = ("pap", "hybrid", "psp0", "psp1", "psp2", "psp3")
ENCODINGS = {"acyclic": ("epp", "spp", "prepp", "espp") + ANY_GRAPH + OURS,
             "cyclic": ANY_GRAPH + OURS}
INEXACT = ("spp", "prepp")
# Makes its list anew when the garbage collector took it: no two runs count the same.
UNSTEADY = "Lorg/jsoup/nodes/Element;->childElementsList()Ljava/util/List;"
REFUSED = re.compile(r"path (\S+) of \S+: ")
HEADER = ("methods,paths,encoding,time,slowest,÷ SPP,÷ PAP,÷ its own with 10,dex,inaccuracy %,"
          "stopped %,planning ms,published ÷ SPP,published ÷ its own with 10,"
          "published inaccuracy %")
# Of the publication of PSP: time against SPP, with 10 and 50 paths of interest; with 50 against 10;
# and inaccuracy.
PUBLISHED_TIME = {"psp0": (.202, .832), "psp1": (1.017, 1.002), "psp2": (.837, .954),
                  "psp3": (.824, .979)}
PUBLISHED_GROWTH = {"psp0": 4.41, "psp1": 1.053, "psp2": 1.218, "psp3": 1.269, "spp": 1.069,
                    "prepp": 1.004}
PUBLISHED_INACCURACY = {"spp": (11.20, 14.44), "prepp": (44.07, 25.20), "psp0": (0, 0),
                        "psp1": (0, 0), "psp2": (0, 0), "psp3": (0, 0)}


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


class Library:
    """The builds of one library."""

    def __init__(self, builder, art, work, folder, scratch):
        self.builder, self.art, self.work = builder, art, work
        self.folder, self.scratch = folder, scratch
        os.makedirs(folder, exist_ok=True)
        self.plain = builder.plain(work)
        jar, self.plmap, _ = builder.coded(work, w.UNTRAINED, "arith")
        self.training = measure.Run("jit14", art, jar, work, work.train, w.TRAIN_SEED, 0, 1,
                                    scratch, True)
        self.builds = {}       # (shape, size) -> encoding -> (jar, map)
        self.times = {}        # (shape, size, encoding) -> ratios
        self.counts = {}
        self.replayed = {}

    def path(self, *parts):
        return os.path.join(self.folder, "-".join(map(str, parts)))

    def candidates(self):
        """Whole paths that ran, most frequent first, by shape of their method."""
        chosen = self.path("all.json")
        build.call(self.builder.pathlight, "paths", "select", "--force", "--map", self.plmap,
                   "--kind", "whole", "--top", "100000", "-o", chosen, *self.training.files)
        with open(chosen) as f:
            entries = json.load(f)["paths"]
        # As many as a file may have of one method.
        of_method = Counter()
        entries = [e for e in entries if of_method.update([e["method"]])
                   or of_method[e["method"]] <= MOST_OF_METHOD]
        with open(chosen, "w") as f:
            json.dump({"format": "pathlight paths 1", "paths": entries}, f)
        advice = json.loads(build.call(self.builder.pathlight, "paths", "advise", "--map",
                                       self.plmap, "--select", chosen, "--json"))
        loops = {m["method"]: m["loops"] for m in advice["methods"]}
        plain = [e for e in entries if e["method"] != UNSTEADY
                 and not any(isinstance(s, str) for s in e["steps"])]
        return {"acyclic": [e for e in plain if loops.get(e["method"]) == 0],
                "cyclic": [e for e in plain if loops.get(e["method"], 0) > 0]}

    def instrument(self, entries, encoding, *name):
        """(jar, map), or the id of a path that the encoding refuses."""
        chosen, jar, plmap = (self.path(*name, encoding) + e for e in (".json", ".jar", ".plmap"))
        with open(chosen, "w") as f:
            json.dump({"format": "pathlight paths 1", "paths": entries}, f)
        p = subprocess.run([self.builder.pathlight, "instrument", "--force", self.plain, "-o", jar,
                            "--map", plmap, "--profile", "paths", "--select", chosen,
                            "--path-tracking", encoding], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True)
        if not p.returncode:
            return (jar, plmap), None
        refused = REFUSED.search(p.stderr)
        if not refused:
            raise build.BuildError(p.stderr[-1500:])
        return None, refused.group(1)

    def build(self):
        """Builds everything; prints how many paths were refused."""
        for shape, candidates in self.candidates().items():
            left = list(candidates)
            for size in SIZES:
                done = {}
                while len(done) < len(ENCODINGS[shape]) and len(left) >= size:
                    encoding = next(e for e in ENCODINGS[shape] if e not in done)
                    made, refused = self.instrument(left[:size], encoding, shape, size)
                    if made:
                        done[encoding] = made
                    else:
                        left = [e for e in left if e["id"] != refused]
                        done = {}
                if len(left) < size:
                    print("%s: no %d paths of %s methods" % (self.work.name, size, shape))
                    break
                self.builds[shape, size] = done
            print("%s: %d of %d %s paths refused"
                  % (self.work.name, len(candidates) - len(left), len(candidates), shape),
                  flush=True)

    def replay(self, tool):
        for shape, size in self.builds:
            text = build.call(tool, "--select", self.path(shape, size, "register") + ".json",
                              self.plmap, *self.training.files)
            for row in csv.DictReader(io.StringIO(text)):
                name = "register" if row["encoding"] == "automaton" else row["encoding"]
                self.replayed[shape, size, name] = row
        self.training.discard()

    def run(self, jar):
        return measure.Run("jit14", self.art, jar, self.work, self.work.jit, w.SEED,
                           self.work.warm, 4, self.scratch, False)

    def round(self):
        plain = self.run(self.plain)
        plain.discard()
        for (shape, size), made in self.builds.items():
            for encoding, (jar, plmap) in made.items():
                key = shape, size, encoding
                run = self.run(jar)
                if run.result != plain.result:
                    raise measure.RunError("%s %s: another result" % (self.work.name, key))
                self.times.setdefault(key, []).append(run.cpu() / plain.cpu())
                if key not in self.counts:
                    self.counts[key] = measure.hits(self.builder.pathlight, plmap, run.files)
                run.discard()

    def check(self):
        """Exact encodings count what the register build does."""
        for (shape, size, encoding), counts in self.counts.items():
            true = self.counts[shape, size, "register"]
            same = counts == true
            if encoding in INEXACT:
                same = all(c >= t for c, t in zip(counts, true))
            if not same:
                raise measure.RunError("%s: %s %d %s counts otherwise"
                                       % (self.work.name, shape, size, encoding))


def rows(libraries):
    out = [HEADER]
    growth = {}
    for shape, encodings in ENCODINGS.items():
        for at, size in enumerate(SIZES):
            some = [l for l in libraries if (shape, size) in l.builds]
            if not some:
                continue
            time = {e: [statistics.median(l.times[shape, size, e]) for l in some]
                    for e in encodings}
            mean = {e: geomean(time[e]) for e in encodings}
            growth.setdefault(shape, mean)
            for e in encodings:
                inaccuracy = statistics.fmean(
                    1 - sum(l.counts[shape, size, "register"]) / max(1, sum(
                        l.counts[shape, size, e])) for l in some)
                dex = geomean([build.dex_bytes(l.builds[shape, size][e][0])
                               / build.dex_bytes(l.plain) for l in some])
                replays = [l.replayed[shape, size, e] for l in some
                           if (shape, size, e) in l.replayed]
                stopped = statistics.fmean(
                    int(r["stopped"]) / int(r["activations"]) for r in replays) if replays else None
                planning = statistics.median(
                    float(r["planning_ms"]) for r in replays) if replays else None
                published = at < 2 and shape == "acyclic"
                against = PUBLISHED_TIME.get(e, ())[at:at + 1] if published else ()
                off = PUBLISHED_INACCURACY.get(e, ())[at:at + 1] if published else ()
                out.append(",".join([
                    shape, str(size), e, "%.3f" % mean[e], "%.2f" % max(time[e]),
                    "%.2f" % (mean[e] / mean["spp"]) if "spp" in mean else "–",
                    "%.2f" % (mean[e] / mean["pap"]), "%.2f" % (mean[e] / growth[shape][e]),
                    "%.3f" % dex, "%.2f" % (100 * inaccuracy),
                    "–" if stopped is None else "%.0f" % (100 * stopped),
                    "–" if planning is None else "%.1f" % planning,
                    "%.2f" % against[0] if against else "–",
                    ("%.2f" % PUBLISHED_GROWTH[e]
                     if published and size == 50 and e in PUBLISHED_GROWTH else "–"),
                    "%.2f" % off[0] if off else "–"]))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    art, tool = os.environ["PATHLIGHT_ART"], os.environ["PATH_ENCODINGS"]
    scratch = os.path.join(a.work, "scratch-encodings")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    libraries = []
    for work in w.LIBRARIES:
        if a.workload and work.name not in a.workload:
            continue
        folder = os.path.join(a.work, "encodings", work.name)
        library = Library(builder, art, work, folder, scratch)
        library.build()
        library.replay(tool)
        libraries.append(library)
    for _ in range(a.rounds):
        for library in libraries:
            library.round()
            library.check()
        print("a round is done", flush=True)
    found = rows(libraries)
    print("\n".join(found))
    if not a.workload:
        with open(os.path.join(HERE, "path_encodings.csv"), "w") as f:
            f.write("\n".join(found) + "\n")


if __name__ == "__main__":
    main()
