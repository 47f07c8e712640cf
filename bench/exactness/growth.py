#!/usr/bin/env python3
"""Which probes the growth of an app's dex files consists of: cargo xtask bench growth ORIGINAL.apk
INSTRUMENTED.apk

Reads what dexdump (Debian) prints of the instrumented code. To each instruction that names the
runtime its own code units are counted, and those that are there for its sake: the constant before
it, the move-result behind it, the goto of its trampoline, the rethrow of a guard. What remains of
the growth is not attributed: try items and handler lists, larger register frames (prologues, wider
formats), pools, the runtime's own file.
"""

import collections
import re
import subprocess
import sys
import tempfile
import zipfile

LINE = re.compile(r"^[0-9a-f]+: ((?:[0-9a-f]{4} ?)+)\s*\|[0-9a-f]{4}: (\S+)(.*)$")
KIND = {"enter": "entries, exits", "enterGuarded": "entries, exits", "leaf": "entries, exits",
        "leafGuarded": "entries, exits", "exit": "entries, exits", "exitGuarded": "entries, exits",
        "first": "steps", "last": "steps", "even0": "steps", "even1": "steps",
        **{name + digit: "steps"
           for name in ("zero", "null", "negative", "positive", "same", "less") for digit in "01"},
        "lookupPacked": "steps", "lookupSparse": "steps", "key": "steps", "call": "call tokens",
        "none": "call tokens", "step": "steps", "path": "steps", "lap": "steps", "trips": "steps",
        "broken": "steps", "gather": "steps", "gathered": "steps", "terminal": "entries, exits",
        "caught": "handlers", "unwound": "guards", "frame": "guards"}


def method(insns, totals):
    for i, (units, op, rest) in enumerate(insns):
        if "Lpathlight/" not in rest:
            continue
        before = insns[i - 1] if i else (0, "", "")
        after = insns[i + 1] if i + 1 < len(insns) else (0, "", "")
        name = re.search(r"Lpathlight/(?:\w+/)?\w+;\.(\w+)", rest).group(1)
        extra = 0
        if name == "progress":
            kind = "guards"
        elif name == "exit":
            kind = "entries, exits" if after[1].startswith("return") else "marks"
        elif name == "callToken":
            kind = "call tokens"
        elif name == "paths":
            kind = "steps"
        else:
            kind = KIND.get(name, "other")
        if before[1].startswith("const"):
            extra += before[0]
        if after[1].startswith("move-result"):
            extra += after[0]
        if kind == "steps" and after[1].startswith("goto"):
            extra += after[0]
        if name == "unwound":
            extra += 2
        totals[kind] += 2 * (units + extra)
        totals[kind, "n"] += 1


def main():
    original, made = sys.argv[1:]
    sizes = [sum(i.file_size for i in zipfile.ZipFile(f).infolist()
                 if re.fullmatch(r"classes\d*\.dex", i.filename)) for f in (original, made)]
    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as work, zipfile.ZipFile(made) as z:
        for entry in z.namelist():
            if not re.fullmatch(r"classes\d*\.dex", entry):
                continue
            path = z.extract(entry, work)
            insns, skip = [], False
            with subprocess.Popen(["dexdump", "-d", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, errors="replace") as p:
                for line in p.stdout:
                    if m := LINE.match(line):
                        insns.append((len(m.group(1).split()), m.group(2), m.group(3)))
                    elif line.startswith("  Class descriptor"):
                        skip = "'Lpathlight/" in line
                    elif insns:
                        if not skip:
                            method(insns, totals)
                        insns = []
    growth = sizes[1] - sizes[0]
    print("dex bytes %d → %d, growth %d (%.3f ×)"
          % (sizes[0], sizes[1], growth, sizes[1] / sizes[0]))
    print("| kind of probe | how many | bytes | of the growth |\n|---|---|---|---|")
    rest = growth
    for kind in ("entries, exits", "call tokens", "marks", "guards", "steps", "handlers", "other"):
        rest -= totals[kind]
        print("| %s | %d | %d | %.1f %% |"
              % (kind, totals[kind, "n"], totals[kind], 100 * totals[kind] / growth))
    print("| not attributed | | %d | %.1f %% |" % (rest, 100 * rest / growth))


main()
