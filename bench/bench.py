#!/usr/bin/env python3
"""Measures every codec on every workload; see README.md."""

import argparse
import fnmatch
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import build
import measure
import workloads as w
from measure import Run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Bench:
    """All that one call of the script does."""

    def __init__(self, a):
        self.a = a
        self.pathlight = os.environ["PATHLIGHT"]
        self.art = os.environ["PATHLIGHT_ART"]
        self.floors = os.environ["FLOORS"]
        self.builder = build.Builder(a.work, self.pathlight)
        self.scratch = a.scratch
        os.makedirs(self.scratch, exist_ok=True)
        self.variants = [v for v in w.variants(self.pathlight) if v == w.PLAIN or not a.variant
                         or any(fnmatch.fnmatch(v, p) for p in a.variant)]
        self.times = []      # {workload, variant, vm, round, wall, cpu, process}
        self.figures = {}    # workload -> variant -> {dex, bytes, ...}
        self.failures = []
        self.before = None
        # Not among those that are always measured: asked for by name.
        self.variants += [v for v in w.PATHS if any(fnmatch.fnmatch(v, p) for p in a.variant or [])]
        # Variants that are measured, where these are not all that there are figures of.
        self.timed = None
        self.growth = {}
        self.rounds = {}
        self.jars = {}

    def prepare(self, work):
        """Builds all variants, trains on another run, and takes the figures that are not times."""
        b = self.builder
        jars = {w.PLAIN: b.plain(work)}
        figures = {w.PLAIN: {"dex": build.dex_bytes(jars[w.PLAIN])}}
        expected = self.reference(work)
        jar, plmap, _ = b.coded(work, w.UNTRAINED, "arith")
        # The VM's checks are on; another seed, another size.
        run = Run("jit", self.art, jar, work, work.train, w.TRAIN_SEED, 0, 2, self.scratch, True)
        model = b.path(work, b.binary, "model.json")
        if not os.path.exists(model):
            measure.train(self.pathlight, plmap, run.files, model)
        for v in self.variants:
            if w.is_paths(v):
                b.select(work, v, plmap, run.files)
        run.discard()
        for v in self.variants[1:]:
            try:
                if v == w.JACOCO:
                    jars[v] = b.jacoco(work)
                    figures[v] = {}
                elif w.is_paths(v):
                    jars[v], plmap, report = b.counting(work, v)
                    figures[v] = {"skipped": len(report.get("skipped", []))}
                else:
                    codec = "arith" if v == w.UNTRAINED else v
                    jar, plmap, report = b.coded(work, v, codec,
                                                 None if v in (w.UNTRAINED, "none") else model)
                    jars[v] = jar
                    figures[v] = {"skipped": len(report.get("skipped", []))}
                figures[v]["dex"] = build.dex_bytes(jars[v])
                self.log_figures(work, v, jars[v], plmap, expected, figures[v])
            except (build.BuildError, measure.RunError) as e:
                self.fail(work, v, "-", e)
                jars.pop(v, None)
        if "arith" in jars:
            self.same_run(work, figures["arith"])
        self.jars[work.name] = jars
        self.figures[work.name] = figures

    def same_run(self, work, out):
        """Bytes of the log when the model comes from this very run: what is above the floor then is
        the coder's loss, not the model's."""
        b = self.builder
        model = b.path(work, b.binary, "same-run.json")
        jar, plmap, _ = b.coded(work, w.UNTRAINED, "arith")
        try:
            for step in (model, self.unused(work)):
                run = Run("jit", self.art, jar, work, work.jit, w.SEED, 0, 2, self.scratch, True)
                try:
                    out["bytes_same_run"] = measure.train(self.pathlight, plmap, run.files, step)[
                        "bytes"]
                finally:
                    run.discard()
                jar, plmap, _ = b.coded(work, "arith-same-run", "arith", model)
        except (build.BuildError, measure.RunError) as e:
            out.pop("bytes_same_run", None)
            self.fail(work, "arith-same-run", "-", e)

    def unused(self, work):
        """Where a model goes that nobody wants."""
        return os.path.join(self.scratch, work.name + ".json")

    def take_over(self):
        """Figures and times of an earlier run of the same binary, to which this one adds times on
        other VMs."""
        with open(self.a.add) as f:
            old = json.load(f)
        if any(t["vm"] in self.a.vm for t in old["times"]):
            raise SystemExit("%s has times on %s already" % (self.a.add, ", ".join(self.a.vm)))
        self.times, self.figures, self.failures = old["times"], old["figures"], old["failures"]
        self.growth, self.rounds = old["settings"], old["setup"]["rounds"]
        self.timed = [v for v in old["variants"] if v in self.variants]
        self.variants, self.before = old["variants"], old["setup"]

    def find(self, work):
        """The jars that an earlier run made."""
        b = self.builder
        self.jars[work.name] = {}
        for v in self.figures[work.name]:
            if v in (w.PLAIN, w.JACOCO):
                self.jars[work.name][v] = b.plain(work) if v == w.PLAIN else b.jacoco(work)
            else:
                jar = b.path(work, b.binary, v + ".jar")
                if not os.path.exists(jar):
                    raise build.BuildError("%s is not there: made by another binary?" % v)
                self.jars[work.name][v] = jar

    def reference(self, work):
        run = Run("jit", self.art, self.builder.plain(work), work, work.jit, w.SEED, 0, 2,
                  self.scratch, False)
        run.discard()
        return run.result

    def log_figures(self, work, variant, jar, plmap, expected, out):
        """Two repetitions at full size: the same result as untouched; and a log that decodes to its
        end."""
        run = Run("jit", self.art, jar, work, work.jit, w.SEED, 0, 2, self.scratch,
                  w.is_coded(variant) and not w.is_paths(variant))
        try:
            if run.result != expected:
                raise measure.RunError("%s: result %s instead of %s"
                                       % (variant, run.result, expected))
            if not w.is_coded(variant):
                return
            if w.is_paths(variant):
                out["hits"] = measure.hits(self.pathlight, plmap, run.files)
                out["bytes"] = sum(os.path.getsize(f) for f in run.files)
                return
            found = measure.train(self.pathlight, plmap, run.files, self.unused(work))
            cost = found["cost"]
            # No streams, but counts: the size of their file.
            out["bytes"] = found["bytes"] or sum(os.path.getsize(f) for f in run.files)
            out["announced"] = cost["announced"]
            for kind in ("branch", "slot", "next_callback"):
                out[kind] = cost[kind]
            if variant == w.UNTRAINED or (variant == "arith" and w.UNTRAINED not in self.variants):
                out["floors"] = measure.floors(self.floors, plmap, run.files)
        finally:
            run.discard()

    def fail(self, work, variant, vm, error):
        text = "%s %s %s: %s" % (work.name, variant, vm, error)
        self.failures.append(text)
        print("FAIL " + text[:2000], flush=True)

    def measure(self, work, vm, number):
        """One round: every variant, one right after the other; each round begins with another
        one."""
        jars = self.jars[work.name]
        expected = None
        names = [v for v in self.timed or self.variants if v in jars]
        turn = number % len(names)
        for v in names[turn:] + names[:turn]:
            jar = jars[v] if vm != "hotspot" else self.builder.class_jar(jars[v])
            if jar is None:
                continue
            size, warm, repetitions = work.jit, work.warm, 4
            if vm in measure.INTERPRETERS:
                size, warm, repetitions = work.interpreter, 1, 2
            try:
                run = Run(vm, self.art, jar, work, size, w.SEED, warm, repetitions, self.scratch,
                          w.is_coded(v) and not w.is_paths(v))
            except measure.RunError as e:
                self.fail(work, v, vm, e)
                continue
            try:
                expected = expected or run.result
                if run.result != expected:
                    raise measure.RunError("result %s instead of %s" % (run.result, expected))
                # The first log on every VM is decoded to its end; the JIT's has been, when figures
                # were taken.
                if w.is_coded(v) and not w.is_paths(v) and (self.a.prove
                                                            or (number == 0 and vm != "jit")):
                    plmap = self.builder.path(work, self.builder.binary, v + ".plmap")
                    measure.train(self.pathlight, plmap, run.files, self.unused(work))
                self.times.append({"workload": work.name, "variant": v, "vm": vm, "round": number,
                                   "wall": run.wall(), "cpu": run.cpu(), "process": run.process})
            except measure.RunError as e:
                self.fail(work, v, vm, e)
            finally:
                run.discard()

    def run(self):
        chosen = [x for x in w.ALL if not self.a.workload
                  or any(fnmatch.fnmatch(x.name, p) for p in self.a.workload)]
        start = time.time()
        if self.a.add:
            self.take_over()

        def ready(work):
            try:
                if work.name in self.figures:
                    self.find(work)
                else:
                    self.prepare(work)
                print("%s ready (%.0f s)" % (work.name, time.time() - start), flush=True)
            except (build.BuildError, measure.RunError) as e:
                self.fail(work, "-", "-", e)

        self.builder.tools()
        if not self.a.add:
            self.growth = self.settings()
        # Results come back in order; so does an exception that nobody expected.
        with ThreadPoolExecutor(self.a.j) as pool:
            list(pool.map(ready, chosen))
            self.save(start)
            chosen = [x for x in chosen if x.name in self.jars]
            for vm in self.a.vm:
                for number in range(min(self.a.rounds, self.a.hotspot_rounds) if vm == "hotspot"
                                    else self.a.rounds):
                    if self.a.minutes and time.time() - start > 60 * self.a.minutes:
                        break
                    list(pool.map(lambda x: self.measure(x, vm, number),
                                  [x for x in chosen if vm != "hotspot" or x.hotspot]))
                    self.rounds[vm] = number + 1
                    print("%s: round %d (%.0f s)" % (vm, number + 1, time.time() - start),
                          flush=True)
                    self.save(start)
        return self.raw(start)

    def raw(self, start):
        setup = {
            "date": time.strftime("%Y-%m-%d", time.gmtime(start)),
            "seconds": round(time.time() - start),
            "load": "%.1f" % os.getloadavg()[2], "parallel": self.a.j, "cpus": os.cpu_count(),
            "machine": machine(), "note": self.a.note,
            "commit": git("rev-parse", "--short=10", "HEAD"),
            "dirty": bool(git("status", "--porcelain", "--untracked-files=no")),
            "packages": packages(), "java": platform_java(), "d8": d8_version(),
            "arguments": sys.argv[1:],
        }
        if self.before:
            setup = dict(self.before, seconds=self.before["seconds"] + setup["seconds"],
                         arguments=self.before["arguments"])
        setup["rounds"] = self.rounds
        return {
            "times": self.times, "figures": self.figures, "failures": self.failures,
            "variants": self.variants, "settings": self.growth, "setup": setup,
        }

    def settings(self):
        """Dex growth of a real app under every codec."""
        found = {}
        if self.a.settings_apk:
            plain = build.dex_bytes(self.a.settings_apk)
            for v in [v for v in self.variants if v not in (w.PLAIN, w.JACOCO, w.UNTRAINED)]:
                out = os.path.join(self.scratch, "settings.apk")
                try:
                    build.call(self.pathlight, "instrument", "--force", self.a.settings_apk, "-o",
                               out, "--map", out + ".plmap", "--codec", v)
                    found[v] = build.dex_bytes(out) / plain
                except build.BuildError as e:
                    self.failures.append("io.appium.settings %s: %s" % (v, e))
        return found

    def save(self, start):
        with open(os.path.join(self.a.work, "raw.json"), "w") as f:
            json.dump(self.raw(start), f)


def git(*arguments):
    p = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return p.stdout.strip()


def machine():
    with open("/proc/cpuinfo") as f:
        names = [l.split(":")[1].strip() for l in f if l.startswith("model name")]
    return names[0] if names else platform.machine()


def platform_java():
    p = subprocess.run(["java", "-version"], capture_output=True, text=True)
    return p.stderr.splitlines()[0] if p.stderr else "?"


def d8_version():
    p = subprocess.run(["java", "-cp", os.environ["D8_JAR"], "com.android.tools.r8.D8",
                        "--version"], capture_output=True, text=True)
    return p.stdout.splitlines()[0].replace("D8 ", "") if p.stdout else "?"


def packages():
    """Name and version of the Debian packages whose code is measured or measures."""
    names = sorted({p for x in w.ALL for p in x.packages} | {"libjacoco-java", "enjarify"})
    p = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names],
                       capture_output=True, text=True)
    return dict(l.split() for l in p.stdout.splitlines() if len(l.split()) == 2)


def main():
    p = argparse.ArgumentParser(prog="cargo xtask bench run", description=__doc__)
    p.add_argument("--rounds", type=int, default=7,
                   help="processes per workload, variant and VM (default 7)")
    p.add_argument("-j", type=int, default=2, help="workloads at a time (default 2); the variants "
                   "of one always run one after the other")
    p.add_argument("--minutes", type=int, default=0,
                   help="begin no round after this many minutes (default: no limit)")
    p.add_argument("--hotspot-rounds", type=int, default=3,
                   help="rounds on HotSpot at most (default 3)")
    p.add_argument("--quick", action="store_true", help="three rounds, JIT only")
    p.add_argument("--workload", action="append", default=[],
                   help="only workloads with a name like this (repeatable)")
    p.add_argument("--variant", action="append", default=[], help="only variants with a name like "
                   "this, and the uninstrumented one (repeatable)")
    p.add_argument("--vm", action="append", choices=measure.VMS, default=[],
                   help="only on this VM (repeatable)")
    p.add_argument("--prove", action="store_true",
                   help="decode the log of every timed run, not only one of each variant and VM")
    p.add_argument(
        "--work",
        default=os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
                             "pathlight", "bench"), help="folder for what is built")
    p.add_argument("--scratch", default="/dev/shm/pathlight-bench-%d" % os.getpid(),
                   help="folder for logs, the same for all variants")
    p.add_argument("--ratios", metavar="CSV", help="write processor time ÷ uninstrumented of each "
                   "workload on each VM into this file")
    p.add_argument("--figures", metavar="CSV", help="write all figures of each workload and "
                   "variant into this file, as results.csv has them")
    p.add_argument("--out", help="write RESULTS.md, results.csv and results.svg into this folder")
    p.add_argument("--settings-apk", metavar="APK",
                   help="the release APK of io.appium.settings, for its dex growth")
    p.add_argument("--note", default="", help="a sentence about the circumstances, for the results")
    p.add_argument("--add", metavar="RAW", help="add times on VMs that an earlier run, of which "
                   "this is the raw.json, has none of")
    p.add_argument("--report", metavar="RAW",
                   help="only write the report of an earlier run, from its raw.json")
    p.add_argument("--list", action="store_true", help="print workloads and variants")
    a = p.parse_args()
    a.work, a.scratch = os.path.abspath(a.work), os.path.abspath(a.scratch)
    if a.list:
        print("workloads: " + " ".join(x.name for x in w.ALL))
        print("variants: " + " ".join(w.variants(os.environ["PATHLIGHT"])))
        return
    import report
    if a.report:
        with open(a.report) as f:
            raw = json.load(f)
    else:
        if a.quick:
            a.rounds = min(a.rounds, 3)
            a.vm = a.vm or ["jit"]
        a.vm = a.vm or list(measure.VMS)
        try:
            raw = Bench(a).run()
        finally:
            shutil.rmtree(a.scratch, ignore_errors=True)
    print(report.text(raw))
    if a.out:
        os.makedirs(a.out, exist_ok=True)
        report.write(raw, a.out)
    if a.ratios:
        with open(a.ratios, "w", encoding="utf-8") as f:
            f.write(report.ratios_csv(raw))
    if a.figures:
        with open(a.figures, "w", encoding="utf-8") as f:
            f.write(report.figures_csv(raw))
    sys.exit(1 if raw["failures"] else 0)


if __name__ == "__main__":
    main()
