#!/usr/bin/env python3
"""Compares the graphs of `pathlight cfg` with blocks and edges counted in dexdump's listing.

usage: graphs_oracle.py APP DIR
APP: .apk, .jar or .dex; DIR: the folder of `pathlight cfg APP -o DIR`

The counts are independent of the tool under test: instructions, addresses and try ranges are
dexdump's (Debian package `dexdump`). Only the targets of switch tables, which dexdump truncates,
are read from the file, at the offset that dexdump prints. The instructions that may throw are those
of ART's `dex_instruction_list.h` (flag kThrow).
"""
import json, os, re, struct, subprocess, sys, tempfile, zipfile

NO_THROW = re.compile(
    r"nop|move|return|const(/4|/16|/high16|-wide.*)?$|goto|if-|cmp|cmpl|cmpg|neg-|not-|"
    r"(int|long|float|double)-to-|(add|sub|mul|and|or|xor|shl|shr|ushr|rsub)-|"
    r"(div|rem)-(float|double)|packed-switch|sparse-switch"
)
KINDS = ("methods", "blocks", "branches", "fallthrough", "goto", "taken", "case", "exception")
CATCHES = re.compile(r"        0x([0-9a-f]+) - 0x([0-9a-f]+)")
INSN = re.compile(r"^([0-9a-f]+): [^|]*\|([0-9a-f]{4,}): (\S+) ?(.*)$")


def dexes(path):
    if not zipfile.is_zipfile(path):
        yield path, open(path, "rb").read()
        return
    with zipfile.ZipFile(path) as z:
        n = 1
        while (name := "classes.dex" if n == 1 else f"classes{n}.dex") in z.namelist():
            yield name, z.read(name)
            n += 1


def targets(data, at, pc):
    ident, size = struct.unpack_from("<HH", data, at)
    first = at + (8 if ident == 0x0100 else 4 + 4 * size)
    return [pc + t for t in struct.unpack_from(f"<{size}i", data, first)]


def count(insns, tables, tries):
    """Blocks and edges by kind of one method."""
    addresses = [i[0] for i in insns]
    position = {a: n for n, a in enumerate(addresses)}
    jumps, leaders = {}, {addresses[0]}
    for n, (pc, op, args) in enumerate(insns):
        to = []
        if op.startswith("if-"):
            to = [int(args.split(" //")[0].split(", ")[-1], 16)]
        elif op.startswith("goto"):
            where = args.split(" ")[0]
            # dexdump prints the distance of a goto/32.
            far = where.startswith("#")
            to = [pc + struct.unpack(">i", bytes.fromhex(where[1:]))[0] if far else int(where, 16)]
        elif op.endswith("-switch"):
            to = tables[int(args.split(" //")[0].split(", ")[-1], 16)](pc)
        jumps[pc] = to
        leaders.update(to)
        ends = to or op.endswith("-switch") or op.startswith("return") or op == "throw"
        if ends and n + 1 < len(insns):
            leaders.add(addresses[n + 1])
    for _, _, handlers in tries:
        leaders.update(h for _, h in handlers)
    assert leaders <= set(position), "a target between two instructions"
    totals = dict.fromkeys(KINDS, 0) | dict(methods=1, blocks=len(leaders))
    order = sorted(leaders)
    for b, start in enumerate(order):
        stop = position[order[b + 1]] if b + 1 < len(order) else len(insns)
        pc, op, _ = insns[stop - 1]
        successors = set(jumps[pc])
        totals["case"] += len(successors) if op.endswith("-switch") else 0
        totals["taken"] += op.startswith("if-")
        totals["goto"] += op.startswith("goto")
        if not (op.startswith(("goto", "return")) or op == "throw") and stop < len(insns):
            totals["fallthrough"] += 1
            successors.add(addresses[stop])
        totals["branches"] += len(successors) > 1
        caught = set()
        for pc, op, _ in insns[position[start] : stop]:
            if not NO_THROW.match(op):
                for low, high, handlers in tries:
                    if low <= pc < high:
                        caught.update(h for _, h in handlers)
        totals["exception"] += len(caught)
    return totals


def read(data):
    """(class, totals) of each method with code."""
    with tempfile.NamedTemporaryFile(suffix=".dex") as f:
        f.write(data)
        f.flush()
        text = subprocess.run(["dexdump", "-d", f.name], capture_output=True, check=True).stdout
    name, insns, tables, tries, section = None, [], {}, [], None
    for line in text.decode("utf-8", "replace").split("\n"):
        if m := re.match(r"  Class descriptor  : '(.*)'", line):
            name = m[1]
            yield name, None
        elif line.startswith("      insns size"):
            insns, tables, tries, section = [], {}, [], None
        elif m := INSN.match(line):
            at, pc, op, args = int(m[1], 16), int(m[2], 16), m[3], m[4]
            if op.endswith("-data") and len(insns) > 1 and insns[-1][1] == "nop":
                # Aligns the table; no code.
                if re.match("goto|return|throw", insns[-2][1]):
                    insns.pop()
            if op in ("packed-switch-data", "sparse-switch-data"):
                tables[pc] = lambda base, at=at: targets(data, at, base)
            elif op != "array-data":
                insns.append((pc, op, args))
        elif line.startswith("      catches"):
            section = "catches"
        elif section == "catches" and (m := CATCHES.match(line)):
            tries.append((int(m[1], 16), int(m[2], 16), []))
        elif section == "catches" and (m := re.match(r"          (.*) -> 0x([0-9a-f]+)", line)):
            tries[-1][2].append((m[1], int(m[2], 16)))
        elif line.startswith("      positions") and insns:
            section = None
            yield name, count(insns, tables, tries)
            insns = []


def main():
    app, folder = sys.argv[1:]
    seen, mine = set(), {}
    for _, data in dexes(app):
        here = set()
        for name, totals in read(data):
            if name in seen:
                continue
            here.add(name)
            sums = mine.setdefault(name, dict.fromkeys(KINDS, 0))
            for k, v in (totals or {}).items():
                sums[k] += v
        seen |= here
    index = json.load(open(os.path.join(folder, "index.json")))
    theirs = {c["class"]: {k: c[k] for k in next(iter(mine.values()))} for c in index["classes"]}
    # A method that cannot be decoded has no graph; index.json has the reason.
    failed = {f["method"].split("->")[0] for f in index["failed"]}
    compared = sorted((mine.keys() | theirs.keys()) - failed)
    wrong = [c for c in compared if mine.get(c) != theirs.get(c)]
    for f in index["failed"]:
        print("not compared:", f["method"], f["reason"])
    for c in wrong[:20]:
        print(c, "dexdump", mine.get(c), "pathlight", theirs.get(c))
    print(f"{len(mine)} classes, {len(wrong)} differ; pathlight: {index['totals']}")
    sys.exit(bool(wrong))


main()
