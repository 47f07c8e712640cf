#!/usr/bin/env python3
"""What a start costs with the app's baseline profile and without it: cargo xtask bench starts

A release compiles ahead of time what its baseline profile names, and interprets the rest. Each
library is such a release: the profile has the methods that a training run with another seed and
size ran (`report --baseline-profile`), each as hot and used at start, which is how Macrobenchmark
writes what it saw. The first repetition in a new process of ART 14, over a boot
image, is timed: the original and the instrumented program, each without a profile (dex2oat's filter
`verify`) and with it (`speed-profile`, after the profile as androidx.profileinstaller writes it on
Android 12 and later). The instrumented program is also timed with nothing but the rules that
`instrument` adds for its runtime, with these and those for what ran in the model's sessions, and
compiled whole (`speed`). Writes bench/starts.csv: processor time of the thread.
"""

import argparse
import math
import os
import re
import shutil
import statistics
import sys
import zipfile
import zlib

import build
import measure
import workloads as w
from oracles import art_profile

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILE, METADATA = "assets/dexopt/baseline.prof", "assets/dexopt/baseline.profm"
MANIFEST = os.path.join(HERE, "..", "android-fixtures", "kernels", "prebuilt", "kernels.apk")
RULE = re.compile(r"[HSP]*(L[^;]+;)(?:->([^(]+)(\(.*))?")
ALL_FLAGS = art_profile.HOT | art_profile.STARTUP | art_profile.POST_STARTUP
HEAD = ("workload,original with profile [ms],original without,instrumented with profile,"
        "instrumented with the runtime's rules,instrumented with the model's too,"
        "instrumented without,"
        "instrumented and compiled whole")
# Columns in the order of HEAD: (program, filter of dex2oat).
CASES = [("plain", "speed-profile"), ("plain", "verify"), ("carried", "speed-profile"),
         ("runtime", "speed-profile"), ("extended", "speed-profile"),
         ("dropped", "verify"), ("dropped", "speed")]


def rules_of(text):
    """Methods and classes of rules as people write them."""
    methods, classes = set(), set()
    for line in text.splitlines():
        found = RULE.fullmatch(line.strip())
        if not found:
            continue
        owner, name, proto = found.groups()
        if name is None:
            classes.add(owner)
        else:
            methods.add((owner, name, proto))
    return methods, classes


def with_profile(jar, out, rules):
    """The jar as an APK with a baseline profile of these rules, and metadata."""
    methods, classes = rules
    files, metadata = [], []
    with zipfile.ZipFile(MANIFEST) as package:
        manifest = package.read("AndroidManifest.xml")
    with zipfile.ZipFile(jar) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info, data)
            if not re.fullmatch(r"classes\d*\.dex", info.filename):
                continue
            dex = art_profile.Dex(data)
            file = art_profile.File(info.filename, zlib.crc32(data), len(dex.types),
                                    len(dex.methods))
            for index, method in enumerate(dex.methods):
                if method in methods:
                    file.flag(index, ALL_FLAGS)
            named = {n for n, owner in enumerate(dex.definitions) if owner in classes}
            file.classes = {dex.types.index(dex.definitions[n]) for n in named}
            files.append(file)
            metadata.append((info.filename, len(dex.types), named))
        new.writestr("AndroidManifest.xml", manifest)
        new.writestr(PROFILE, art_profile.write_profile(files))
        new.writestr(METADATA, art_profile.write_metadata(metadata))
    return sum(len(file.methods) for file in files)


def on_android_12(jar, name, out):
    """The profile that a device makes of the jar's, for the installed file `name`."""
    with zipfile.ZipFile(jar) as package:
        _, files = art_profile.read_profile(package.read(PROFILE))
        for file in files:
            file.type_ids = len(art_profile.Dex(package.read(file.key)).types)
    with open(out, "wb") as f:
        f.write(art_profile.write_sections(files, name))


def installed(art, jar, folder, compiler_filter):
    """A copy of the jar with the code that a device makes of it."""
    copy = os.path.join(folder, "program.apk")
    code = os.path.join(folder, "oat", "x86_64", "program.odex")
    os.makedirs(os.path.dirname(code))
    shutil.copyfile(jar, copy)
    more = ["--compiler-filter=" + compiler_filter]
    if compiler_filter.endswith("profile"):
        profile = os.path.join(folder, "primary.prof")
        on_android_12(jar, "program.apk", profile)
        more.append("--profile-file=" + profile)
    build.call(os.path.join(art, "bin", "dex2oat14"), "--dex-file=" + copy, "--oat-file=" + code,
               "--class-loader-context=PCL[]", *more)
    return copy


def prepare(builder, art, work, folder, scratch):
    """The programs of all cases; and how many methods the profile has."""
    plain = builder.plain(work)
    jar, plmap, _ = builder.coded(work, w.UNTRAINED, "arith")
    run = measure.Run("jit14", art, jar, work, work.train, w.TRAIN_SEED, 0, 1, scratch, True)
    model, text = (os.path.join(folder, name) for name in ("model.json", "rules.txt"))
    measure.train(builder.pathlight, plmap, run.files, model)
    build.call(builder.pathlight, "report", "--map", plmap, *run.files, "--baseline-profile", text)
    run.discard()
    with open(text) as f:
        rules = rules_of(f.read())
    jars = {"plain": os.path.join(folder, "plain.apk")}
    count = with_profile(plain, jars["plain"], rules)
    empty = os.path.join(folder, "empty.apk")
    with_profile(plain, empty, (set(), set()))
    for name, source, choice in [("carried", jars["plain"], "keep"), ("runtime", empty, "keep"),
                                 ("extended", empty, "extend"), ("dropped", jars["plain"], "drop")]:
        jars[name] = os.path.join(folder, name + ".apk")
        build.call(builder.pathlight, "instrument", source, "-o", jars[name], "--map",
                   os.path.join(folder, name + ".plmap"), "--model", model, "--baseline", choice,
                   "--cap", measure.CAP_MIB)
    programs = []
    for name, compiler_filter in CASES:
        own = os.path.join(folder, "%s-%s" % (name, compiler_filter))
        programs.append(installed(art, jars[name], own, compiler_filter))
    return programs, count


def first_repetition(art, jar, work, scratch, is_coded):
    run = measure.Run("nterp14", art, jar, work, work.interpreter, w.SEED, 0, 1, scratch, is_coded)
    run.discard()
    return run.cpu() / 1e6, run.result


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--workload", action="append")
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-starts")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    rows, all_ratios = [HEAD], []
    for work in [x for x in w.LIBRARIES if not a.workload or x.name in a.workload]:
        folder = os.path.join(scratch, work.name)
        os.makedirs(folder)
        programs, count = prepare(builder, art, work, folder, scratch)
        times = [[] for _ in CASES]
        expected = None
        for number in range(a.rounds):
            # Each round begins with another case.
            for n in [(number + k) % len(CASES) for k in range(len(CASES))]:
                is_coded = CASES[n][0] != "plain"
                time, result = first_repetition(art, programs[n], work, scratch, is_coded)
                expected = expected or result
                if result != expected:
                    sys.exit("%s, %s: result %s" % (work.name, CASES[n], result))
                times[n].append(time)
        medians = [statistics.median(t) for t in times]
        ratios = [median / medians[0] for median in medians[1:]]
        all_ratios.append(ratios)
        rows.append(",".join([work.name, "%.1f" % medians[0], *("%.2f" % r for r in ratios)]))
        print(rows[-1], "(%d methods in the profile)" % count, flush=True)
    means = [math.exp(statistics.fmean(map(math.log, column))) for column in zip(*all_ratios)]
    rows.append(",".join(["geometric mean", "–", *("%.2f" % m for m in means)]))
    print(rows[-1])
    if not a.workload:
        with open(os.path.join(HERE, "starts.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
