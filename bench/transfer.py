#!/usr/bin/env python3
"""How much of what a model saves it still saves after a release.

For each pair of builds of a library: a run of the old build trains a model (`old`), a run of the
new build another one (`own`), each with a seed of its own. The new build is instrumented without a
model, with `old` and with `own`, and runs with a third seed. Efficiency is (none - old) / (none -
own), of the bits of all branches and of the bytes of the log: 1 where the old model is as good as
an own one, 0 where it is worth nothing, below 0 where it does harm. `few` is a model of a run of a
twentieth of the size of the new build, `old+few` the same run trained onto `old`. `bolt` and `llvm`
are the efficiencies on branches of other ways to match (yardsticks.py). All runs are on ART's
interpreter. The libraries come from Debian's suites.
"""

import argparse
import csv
import glob
import lzma
import os
import shutil
import tempfile
import urllib.request

import build
import measure
import workloads as w
import yardsticks
from measure import Run

SUITES = ("bullseye", "bookworm", "trixie")
OLD_SEED, OWN_SEED, FEW_SEED, SEED = 11, 12, 13, 22
ALL = {work.name: work for work in w.LIBRARIES}
# (workload, old suite, new suite, mode). A mode names the compilers of the old and the new build.
PAIRS = [
    ("gson", "bullseye", "bookworm", "d8"),
    ("gson", "bookworm", "trixie", "d8"),
    ("compress", "bullseye", "bookworm", "d8"),
    ("rhino", "bullseye", "bookworm", "d8"),
    ("rhino", "bookworm", "trixie", "d8"),
    ("zxing", "bookworm", "trixie", "d8"),
    ("lang", "bullseye", "bookworm", "d8"),
    ("lang", "bookworm", "trixie", "d8"),
    ("gson", "bookworm", "bookworm", "debug-d8"),
    ("compress", "bookworm", "bookworm", "debug-d8"),
    ("zxing", "bookworm", "bookworm", "debug-d8"),
    ("gson", "bookworm", "bookworm", "d8-r8"),
    ("gson", "bookworm", "bookworm", "d8-r8map"),
    ("compress", "bookworm", "bookworm", "d8-r8map"),
    ("gson", "bullseye", "bookworm", "r8-r8"),
    ("gson", "bullseye", "bookworm", "r8map-r8map"),
    ("compress", "bullseye", "bookworm", "r8map-r8map"),
]
# Run while the matcher was written. Its grades and caps are older than any run of these pairs.
LOOKED_AT = {
    ("gson", "d8"), ("compress", "d8"), ("rhino", "d8"), ("gson", "debug-d8"), ("gson", "d8-r8"),
    ("gson", "d8-r8map"),
    ("compress", "d8-r8map"), ("gson", "r8-r8"), ("gson", "r8map-r8map"),
    ("compress", "r8map-r8map"),
}


def archive():
    """The address of the Debian archive that this machine installs from."""
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")) + ["/etc/apt/sources.list"]:
        if os.path.exists(path):
            with open(path) as f:
                for line in f:
                    words = [word for word in line.split() if not word.startswith("#")]
                    found = [word for word in words[1:] if "://" in word and "security" not in word]
                    if words[:1] in (["URIs:"], ["deb"]) and found:
                        return found[0].rstrip("/") + "/"
    raise SystemExit("transfer: apt has no sources on this machine")


def fetch(url):
    with urllib.request.urlopen(archive() + url, timeout=120) as answer:
        return answer.read()


def library(folder, suite, work):
    """(jar, version) of a library in a suite of Debian; fetched once."""
    package = work.packages[0]
    index = os.path.join(folder, suite + ".xz")
    if not os.path.exists(index):
        with open(index, "wb") as f:
            f.write(fetch("dists/%s/main/binary-all/Packages.xz" % suite))
    for entry in lzma.open(index, "rt").read().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in entry.splitlines() if ": " in line
                      and line[0] != " ")
        if fields.get("Package") == package:
            break
    else:
        raise SystemExit("%s has no %s" % (suite, package))
    home = os.path.join(folder, "%s-%s" % (package, fields["Version"].replace(":", "_")))
    if not os.path.isdir(home):
        deb = home + ".deb"
        with open(deb, "wb") as f:
            f.write(fetch(fields["Filename"]))
        build.call("dpkg-deb", "-x", deb, home)
    jar = os.path.realpath(glob.glob(os.path.join(home, "usr/share/java", work.jars[0]))[0])
    return jar, fields["Version"].split("-")[0]


def compiled(folder, jar, version, work, compiler):
    """(jar with dex files, mapping or None) of a library and its driver."""
    out = os.path.join(folder, "%s-%s-%s" % (work.name, version, compiler.removesuffix("map")))
    app, mapping = os.path.join(out, "app.jar"), os.path.join(out, "mapping.txt")
    if not os.path.exists(app):
        shutil.rmtree(out, ignore_errors=True)
        classes = os.path.join(out, "classes")
        os.makedirs(classes)
        build.unpack(jar, classes, work.keep, work.drop)
        base = os.path.join(build.HERE, "java")
        sources = [*glob.glob(base + "/bench/*.java"),
                   os.path.join(base, *work.main.split(".")) + ".java"]
        build.call("javac", "--release", "8", "-g", "-Xlint:-options", "-proc:none", "-encoding",
                   "UTF-8", "-cp", classes, "-d", classes, *sources)
        build.jar_of(os.path.join(out, "classes.jar"), classes)
        classes_jar = os.path.join(out, "classes.jar")
        if compiler.startswith("r8"):
            build.r8(app + ".new.jar", mapping, work.main, classes_jar)
        else:
            build.call("java", "-Xmx2g", "-cp", os.environ["D8_JAR"], "com.android.tools.r8.D8",
                       "--debug" if compiler == "debug" else "--release", "--min-api",
                       build.MIN_API, "--lib", build.jdk(), "--output", app + ".new.jar",
                       classes_jar)
        build.resources(classes, app + ".new.jar")
        os.replace(app + ".new.jar", app)
    return app, mapping if compiler.endswith("map") else None


class Bench:
    """Instruments and runs builds."""

    def __init__(self, pathlight, art, scratch):
        self.pathlight, self.art, self.scratch = pathlight, art, scratch
        self.trained = {}

    def run(self, work, app, mapping, model, seed, out=None, size=None, onto=None):
        """Results of `train` and `instrument` for one run."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        jar, plmap = os.path.join(folder, "app.jar"), os.path.join(folder, "app.plmap")
        more = ["--mapping", mapping] if mapping else []
        more += ["--model", model] if model else []
        text = build.call(self.pathlight, "instrument", "--force", app, "-o", jar, "--map", plmap,
                          "--codec", "arith", "--cap", measure.CAP_MIB, "--json", *more)
        run = Run("int", self.art, jar, work, size or work.interpreter, seed, 0, 1, self.scratch,
                  True)
        found = measure.train(self.pathlight, plmap, run.files,
                              out or os.path.join(folder, "unused.json"),
                              *(["--model", onto] if onto else []))
        run.discard()
        shutil.rmtree(folder)
        return found, build.json.loads(text)

    def few(self, work, app, mapping, old):
        """The models of a small run: alone, and trained onto another one."""
        out = []
        for onto in (None, old):
            out.append(os.path.join(self.scratch, "few-%d.json" % len(os.listdir(self.scratch))))
            self.run(work, app, mapping, None, FEW_SEED, out[-1], max(work.interpreter // 20, 1),
                     onto)
        return out

    def yardsticks(self, old, new):
        """The old model, translated by other matchers."""
        out = []
        for matcher in (yardsticks.bolt, yardsticks.llvm):
            out.append(os.path.join(self.scratch,
                                    "yardstick-%d.json" % len(os.listdir(self.scratch))))
            yardsticks.translated(matcher, old, new, out[-1])
        return out

    def model(self, work, app, mapping, seed):
        """The model that a run of a build trains."""
        key = (app, mapping, seed)
        if key not in self.trained:
            out = os.path.join(self.scratch, "model-%d.json" % len(self.trained))
            self.trained[key] = (out, self.run(work, app, mapping, None, seed, out))
        return self.trained[key][0]


def bits(found):
    """Bits of each branch."""
    branch = found["cost"]["branch"]
    return branch["now"] / branch["decisions"]


def main():
    p = argparse.ArgumentParser(prog="cargo xtask bench transfer", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("workload", nargs="*", help="only these")
    p.add_argument("--mode", action="append", default=[],
                   help="only these (d8, debug-d8, d8-r8, ...; repeatable)")
    p.add_argument("--work", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "pathlight", "transfer"))
    p.add_argument("--out", help="write the table here, as CSV")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix="pathlight-transfer-", dir="/dev/shm")
    bench = Bench(os.environ["PATHLIGHT"], os.environ["PATHLIGHT_ART"], scratch)
    rows = []
    try:
        for name, old_suite, new_suite, mode in PAIRS:
            if (a.workload and name not in a.workload) or (a.mode and mode not in a.mode):
                continue
            work = ALL[name]
            compilers = mode.split("-") if "-" in mode else (mode, mode)
            builds = []
            for suite, compiler in zip((old_suite, new_suite), compilers):
                jar, version = library(a.work, suite, work)
                builds.append((version, *compiled(a.work, jar, version, work, compiler)))
            (old_version, *old), (version, *new) = builds
            models = [None, bench.model(work, *old, OLD_SEED), bench.model(work, *new, OWN_SEED)]
            models += bench.few(work, *new, models[1]) + bench.yardsticks(models[1], models[2])
            found = [bench.run(work, *new, m, SEED) for m in models]
            history = found[1][1]["history"]
            few, both, *others = (bits(f[0]) for f in found[3:])
            cells = [bits(f[0]) for f in found[:3]] + [f[0]["bytes"] for f in found[:3]]
            share = lambda none, old, own: (none - old) / (none - own)
            row = [name, old_version, version, mode, "yes" if (name, mode) in LOOKED_AT else "no",
                   found[0][0]["cost"]["branch"]["decisions"]]
            row += ["%.4f" % c for c in cells[:3]] + cells[3:] + ["%.3f" % share(*cells[:3]),
                                                                  "%.3f" % share(*cells[3:])]
            row += [round(100 * history[k] / max(history["decisions"], 1))
                    for k in ("found", "found_exact")]
            row += ["%.4f" % few, "%.4f" % both] + ["%.3f" % share(cells[0], other, cells[2])
                                                    for other in others]
            rows.append(row)
            print(*row, sep=",", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if a.out:
        with open(a.out, "w", newline="") as f:
            table = csv.writer(f, lineterminator="\n")
            table.writerow(
                "library,old,new,mode,looked_at,branches,none_bits,old_bits,own_bits,none_bytes,"
                "old_bytes,own_bytes,branch_efficiency,byte_efficiency,found_percent,exact_percent,"
                "few_bits,old_and_few_bits,bolt,llvm".split(","))
            table.writerows(rows)


if __name__ == "__main__":
    main()
