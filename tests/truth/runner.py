#!/usr/bin/env python3
"""Runs programs untouched, traced and instrumented, and compares decoded paths with the trace. See
README.md."""

import argparse
import glob
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

import fake
import generate
import layouts
from harness import compare, implied as implied_calls, tracer
from harness.batch import Batch, ToolError, api_of
from harness.vm import (
    ART, SWITCH, VMS, Failed, compile_native, differ, must_match, product, run_vm, verdicts)

HERE = os.path.dirname(os.path.abspath(__file__))
PREBUILT = os.path.join(HERE, "prebuilt")
FIXTURES = os.path.join(HERE, "fixtures")
# Files that the generator leaves for the runner beside the sources of a program.
BESIDE_DEX = ("elastic", "instrument-args")


def build(batch, seed, folder):
    """Generates and compiles a program; returns its dex file."""
    generate.write(seed, folder)
    return compile_program(batch, folder, folder, folder + "/program.dex")


def compile_program(batch, source, work, dex):
    """java/ and, if there is any, smali/ of a program; its file `min-api` has the API level, 24
    without, and options for D8 behind it. A class S in Java only stands for the one in smali."""
    java = sorted(glob.glob(source + "/java/*.java"))
    classes = work + "/classes"
    os.makedirs(classes)
    batch.run("javac", classes, *java)
    api = "24"
    if os.path.exists(source + "/min-api"):
        with open(source + "/min-api") as f:
            api = f.read().strip()
    smali = os.path.isdir(source + "/smali")
    inputs = [c for c in sorted(glob.glob(classes + "/*.class")) if not smali
              or os.path.basename(c) != "S.class"]
    if not smali:
        batch.run("d8", api, dex, *inputs)
        return dex
    batch.run("d8", api, work + "/java.dex", *inputs)
    level = api_of(work + "/java.dex")
    batch.run("baksmali", level, work + "/java.dex", work + "/plain")
    batch.run("smali", level, dex, work + "/plain", source + "/smali")
    return dex


def trace_elsewhere(batch, vm, dex, traced, folder, native, got):
    """The trace of a run on this VM that does what the instrumented program did there, if the
    untouched program can do that, too, when its code lies elsewhere (see layouts.py); otherwise
    None."""
    # Options are for traced programs.
    alike = lambda moved, *options: differ(run_vm(vm, moved, *options, *native)[0], got,
                                           addresses=not options) is None
    if not any(alike(moved) for moved in layouts.layouts(batch, dex, "%s/moved-%s" % (folder, vm))):
        return None
    out = "%s/trace-%s.bin" % (folder, vm)
    for moved in ([traced] if alike(traced, "-Dtruth.out=" + out)
                  else layouts.layouts(batch, traced, "%s/moved-traced-%s" % (folder, vm))):
        if moved == traced or alike(moved, "-Dtruth.out=" + out):
            return tracer.read_trace(out)
    return None


def initializer_failed(table, trace):
    """Whether a class initializer ran that did not return."""
    began, returned = set(), set()
    for _, _, ids in trace:
        for kind, method, _, op in (table.events[i] for i in ids):
            if method.endswith("-><clinit>()V"):
                began.add(method)
                if kind == "at" and op.startswith("return"):
                    returned.add(method)
    return began != returned


def check(batch, dex, source, folder, vms, instrument_args, early, own_model, rng):
    """All of one program; returns what to print behind "pass". Beside its source stand `elastic`
    and, maybe, `unsure` (see compare.py) and `native`."""
    elastic = compare.lines_of(source + "/elastic")
    unsure = compare.lines_of(source + "/unsure") if os.path.exists(source + "/unsure") else []
    native = compile_native(source, folder)
    original, err = run_vm("int", dex, *native)
    if original[0] not in range(0, 10):
        raise Failed("the program itself: exit %d\n%s" % (original[0], err[-1500:]))
    again, _ = run_vm("int", dex, *native)
    must_match("second run of the untouched program", original, again, "")
    work = folder + "/work"
    os.makedirs(work)
    traced = folder + "/traced.jar"
    tracer.instrument(batch, dex, traced, folder + "/traced.table", work)
    got, err = run_vm("int", traced, "-Dtruth.out=%s/trace.bin" % folder, *native)
    must_match("traced", original, got, err, addresses=False)
    table = tracer.Table(folder + "/traced.table")
    trace = tracer.read_trace(folder + "/trace.bin")
    for _, name, events in fake.fake(table, [t for t in trace if t[1] in unsure]):
        ids = next(t[2] for t in trace if t[1] == name)
        failed = fake.unsure_errors(table, ids, events)
        if failed:
            raise Failed("the comparer, on thread %r: %s" % (name, failed))
    if not os.environ.get("PATHLIGHT"):
        return self_check(table, trace, elastic, rng)
    seen = Seen(batch, dex, traced, table, trace, original, elastic, unsure, native)
    text = judge(seen, folder, vms, instrument_args, early)
    if own_model:
        logs = sorted(glob.glob("%s/logs-%s/*" % (folder, vms[0])))
        # A record that is refused counts for nothing, as in the decoded paths.
        product("train", "train", "--force", "--map", folder + "/program.plmap", "-o",
                folder + "/model.json", *logs, may_fail=bool(unsure))
        again = folder + "/own-model"
        os.makedirs(again)
        text += "; with its own model: " + judge(seen, again, vms, instrument_args
                                                 + ["--model", folder + "/model.json"], early)
    return text


@dataclass(frozen=True)
class Seen:
    """A program, and what it did without the product."""

    batch: Batch
    dex: str
    traced: str
    table: tracer.Table
    trace: list
    original: tuple
    elastic: list
    unsure: list
    native: list


def judge(seen, folder, vms, instrument_args, early):
    """Instruments the program, runs it on each VM and compares; returns what to print."""
    dex, table, original, unsure, native = (seen.dex, seen.table, seen.original, seen.unsure,
                                            seen.native)
    instrumented = folder + "/instrumented.dex"
    report = product("instrument", "instrument", "--force", "--json", dex, "-o", instrumented,
                     "--map", folder + "/program.plmap", *instrument_args)
    # Methods that the product reports as left alone are taken out of the trace, and counted in the
    # printed line.
    skipped = [s["method"] for s in json.loads(report)["skipped"]]
    unknown = [m for m in skipped if m not in table.offsets]
    if unknown:
        raise Failed("skipped methods that do not exist: %s" % unknown)
    facts = json.loads(product("inspect", "inspect", "--all", "--json", folder + "/program.plmap"))
    implied = facts.get("implied_methods", [])
    # Classes that did not fit, and the runtime, may stand in files beside it.
    parts = ":".join([instrumented] + sorted(glob.glob(folder + "/instrumented.*.dex")))
    before, after = verdicts(dex), verdicts(parts)
    worse = ["%s: %s" % (c, v) for c, v in sorted(after.items())
             if before.get(c, "").split(" ")[0] != v.split(" ")[0]]
    if worse:
        raise Failed("worse for the verifier: " + "; ".join(worse)[:1000])
    total = compare.Counts()
    wavers, switched = [], False
    for vm in vms:
        logs = "%s/logs-%s" % (folder, vm)
        os.makedirs(logs)
        got, err = run_vm(vm, parts, "-Dpathlight.dir=" + logs, *native)
        truth = seen.trace
        if differ(original, got):
            truth = trace_elsewhere(seen.batch, vm, dex, seen.traced, folder, native, got)
            if truth is not None:
                wavers.append(vm)
            elif vm == "art11" and initializer_failed(table, seen.trace):
                logs = "%s/logs-%s" % (folder, SWITCH)
                os.makedirs(logs)
                got, err = run_vm(SWITCH, parts, "-Dpathlight.dir=" + logs, *native)
                truth = seen.trace
                must_match("instrumented on " + SWITCH, original, got, err)
                switched = True
            else:
                must_match("instrumented on " + vm, original, got, err)
        files = sorted(glob.glob(logs + "/*"))
        if not files:
            raise Failed("instrumented on %s: no log written\n%s" % (vm, err[-500:]))
        paths = "%s/paths-%s.jsonl" % (folder, vm)
        with open(paths, "wb") as f:
            # It fails when a record is refused: where that may be, the comparer looks at which one
            # it is.
            f.write(product("decode of " + vm, "decode", "--map", folder + "/program.plmap",
                            "--format", "json", *files, may_fail=bool(unsure)))
        try:
            total = compare.compare(table, truth, compare.read_paths(paths, notes=True),
                                    skip=skipped, elastic=seen.elastic, early=early, unsure=unsure,
                                    implied=implied)
        except compare.Difference as d:
            raise Failed("paths on %s: %s" % (vm, d))
    text = total.text()
    if wavers:
        text += (", another run was right on %s, where the untouched program does one or the other "
                 "by where its code lies" % " and ".join(wavers))
    if switched:
        text += ", ART 11 by its other interpreter: a class initializer failed"
    if skipped:
        text += ", %d of %d methods not instrumented" % (len(skipped), len(table.offsets))
    return text


def self_check(table, trace, elastic, rng):
    """Without the product: the comparer accepts right paths and finds one seeded error of each
    kind."""
    right = fake.fake(table, trace)
    c = compare.compare(table, trace, right, strict=True, elastic=elastic)
    tried = 0
    could = implied_calls.choose(table, [ids for _, _, ids in trace])
    for (_, _, ids), (_, _, events) in zip(trace, right):
        unseen, n = implied_calls.seeded_errors(table, ids, implied_calls.fake(events, could),
                                                could, rng)
        tried += n
        if unseen:
            raise Failed("the comparer of implied calls does not see: " + ", ".join(unseen))
    if not elastic:
        for kind in fake.KINDS:
            wrong = fake.mutate(right, kind, rng)
            if wrong is None:
                continue
            tried += 1
            try:
                compare.compare(table, trace, wrong, strict=True)
            except compare.Difference:
                continue
            raise Failed("the comparer does not see: " + kind)
    return ("%d activations, %d blocks, %d instructions, %d seeded errors found (no PATHLIGHT: "
            "comparer against itself)" % (c.activations, c.blocks, c.instructions, tried))


BATCH = None


def one(job):
    """(name, whether it passed, text, seconds)"""
    global BATCH
    name, vms, instrument_args, early, own_model, keep = job
    start = time.time()
    folder = os.path.join(keep, name) if keep else tempfile.mkdtemp(prefix="truth-")
    if keep:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    try:
        if BATCH is None:
            BATCH = Batch()
        if name.startswith(("prebuilt-", "fixture-")):
            kind, _, rest = name.partition("-")
            dex = os.path.join(PREBUILT if kind == "prebuilt" else FIXTURES, rest, "program.dex")
            source = os.path.dirname(dex)
            if os.path.exists(source + "/vms"):
                with open(source + "/vms") as f:
                    good = f.read().split()
                vms = [v for v in vms if v in good] or good[:1]
        else:
            source = folder
            dex = build(BATCH, int(name), folder)
        if os.path.exists(source + "/instrument-args"):
            with open(source + "/instrument-args") as f:
                instrument_args = instrument_args + f.read().split()
        return (name, True, check(BATCH, dex, source, folder, vms, instrument_args, early,
                                  own_model, random.Random(name)), time.time() - start)
    except (Failed, ToolError, compare.Difference) as e:
        return name, False, str(e), time.time() - start
    except subprocess.TimeoutExpired as e:
        return name, False, "timeout: %s" % " ".join(e.cmd), time.time() - start
    except Exception:
        return name, False, traceback.format_exc(), time.time() - start
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def digest(file):
    """The SHA-256 of a file, in hexadecimal."""
    with open(file, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def prebuilt_seeds():
    """Seeds of the committed programs, in ascending order."""
    return sorted(os.listdir(PREBUILT), key=int)


def make_prebuilt(seeds):
    """Builds the committed programs anew. Their sources are not kept: the seed gives them."""
    batch = Batch()
    for seed in seeds:
        folder = os.path.join(PREBUILT, str(seed))
        shutil.rmtree(folder, ignore_errors=True)
        with tempfile.TemporaryDirectory() as work:
            dex = build(batch, seed, work)
            os.makedirs(folder)
            shutil.copy(dex, folder)
            for name in BESIDE_DEX:
                if os.path.exists(os.path.join(work, name)):
                    shutil.copy(os.path.join(work, name), folder)
            with open(os.path.join(folder, "sha256"), "w") as f:
                f.write(digest(dex) + "\n")
    batch.close()


def check_prebuilt(seeds):
    """Generates and compiles the committed programs; returns how many differ from their record."""
    batch, failed = Batch(), 0
    for seed in seeds:
        folder = os.path.join(PREBUILT, seed)
        with open(os.path.join(folder, "sha256")) as f:
            recorded = f.read().strip()
        with tempfile.TemporaryDirectory() as work:
            made = digest(build(batch, int(seed), work))
            wrong = [name for name in BESIDE_DEX if not same_file(work, folder, name)]
        if digest(os.path.join(folder, "program.dex")) != recorded:
            wrong.append("program.dex (not the one of which sha256 was taken)")
        if made != recorded:
            wrong.append("what the seed gives (another generator, javac or D8)")
        failed += bool(wrong)
        print("FAIL %s: differs: %s" % (seed, ", ".join(wrong)) if wrong else "pass " + seed)
    batch.close()
    return failed


def same_file(folder, other, name):
    """True if both folders have this file with the same content, or neither has it."""
    texts = []
    for path in (os.path.join(folder, name), os.path.join(other, name)):
        texts.append(open(path, "rb").read() if os.path.exists(path) else None)
    return texts[0] == texts[1]


def make_fixtures(names):
    """Compiles the hand-written programs anew, all or those named."""
    batch = Batch()
    for name in names or sorted(os.listdir(FIXTURES)):
        folder = os.path.join(FIXTURES, name)
        with tempfile.TemporaryDirectory() as work:
            dex = compile_program(batch, folder, work, work + "/program.dex")
            shutil.copy(dex, folder)
    batch.close()


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth run", description=__doc__)
    parser.add_argument("seeds", nargs="*",
                        help="numbers or ranges A-B; 1-20 without any; with --fixtures: names")
    parser.add_argument("--fixtures", action="store_true",
                        help="the hand-written programs in fixtures/, one for each kind of hazard")
    parser.add_argument("--make-fixtures", action="store_true", help="compile them anew and stop")
    parser.add_argument("--prebuilt", action="store_true",
                        help="the committed dex files instead: needs neither javac nor D8")
    parser.add_argument("--vm", action="append", choices=sorted(VMS),
                        help="where the instrumented program runs (repeatable); int without any")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", help="keep all files in this folder")
    parser.add_argument("--make-prebuilt", action="store_true",
                        help="write prebuilt/SEED for the given seeds and stop")
    parser.add_argument("--check-prebuilt", action="store_true",
                        help="compare the committed programs with what their seeds give and stop")
    parser.add_argument("--instrument-arg", action="append", default=[],
                        help="one more argument for pathlight instrument (repeatable)")
    parser.add_argument("--codec", help="the codec of the instrumented programs")
    parser.add_argument("--model", choices=["own"],
                        help="own: once more, with a model of the first log")
    parser.add_argument("--early-callbacks", action="store_true",
                        help="go on where a callback is reported before a block that ran before it")
    a = parser.parse_args()
    if a.make_fixtures:
        make_fixtures(a.seeds)
        return
    names = ["fixture-" + n for n in a.seeds or sorted(os.listdir(FIXTURES))] if a.fixtures else []
    for s in [] if a.fixtures else a.seeds:
        first, _, last = s.partition("-")
        names += [str(i) for i in range(int(first), int(last or first) + 1)]
    if a.make_prebuilt:
        make_prebuilt([int(n) for n in names])
        return
    if a.check_prebuilt:
        sys.exit(check_prebuilt(names or prebuilt_seeds()) != 0)
    if a.prebuilt:
        wanted = set(names)
        names = ["prebuilt-" + n for n in prebuilt_seeds() if not wanted or n in wanted]
    elif not names:
        names = [str(i) for i in range(1, 21)]
    if not os.path.exists(os.path.join(ART, "bin", "dalvikvm")):
        sys.exit("no ART host in %s: `cargo xtask art setup` builds it" % ART)
    if not a.prebuilt and not a.fixtures and not os.path.exists(os.environ.get("D8_JAR", "")):
        sys.exit("D8_JAR must name d8.jar (xtask sets it), or use --prebuilt")
    jobs = [(n, a.vm or ["int"], a.instrument_arg + (['--codec', a.codec] if a.codec else []),
             a.early_callbacks, a.model == "own", a.keep) for n in names]
    passed = failed = 0
    start = time.time()
    with ProcessPoolExecutor(max_workers=a.j) as pool:
        for future in as_completed([pool.submit(one, j) for j in jobs]):
            name, ok, text, seconds = future.result()
            passed += ok
            failed += not ok
            print("%s %s (%.1f s): %s" % ("pass" if ok else "FAIL", name, seconds, text),
                  flush=True)
    print("%d passed, %d failed (%.0f s)" % (passed, failed, time.time() - start))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
