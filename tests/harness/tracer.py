#!/usr/bin/env python3
"""An independent tracer: rewrites a dex, jar or APK so that it records every instruction that it
executes.

Independence. Nothing here comes from the product or looks at it: the input is taken apart by
baksmali and put together by smali (Debian's libsmali-java), this script works on their text, and
the recording class (tests/truth/runtime/truthtrace/T.java) has its own format. There is no
control-flow graph, no basic block, no call resolution and no model in it: a call that takes no
argument and needs no register is put before *every instruction*, so the record is what ran,
whatever any graph has.
compare.py compares the product's report with this record; it knows the original only through the
table written here (methods, instruction offsets, mnemonics).

What is put in, per method with code:
  enter    before everything, in front of the label of offset 0: a jump to offset 0 does not pass it
  at       before each instruction; after it for move-result* (glued to its call) and move-exception
           (first in its handler)
  catch    each handler is entered through a trampoline that records it, which distinguishes
           catching from falling into handler code
  unwind   a catch-all of lowest precedence around each instruction that can throw and has none:
           records, throws on
A return is the place of a return instruction. So activations nest exactly, also under recursion and
through foreign frames. Inserted calls lie outside every try range; a range is written anew per
instruction that can throw.

  tracer.py instrument IN.dex|jar|apk -o OUT.jar --table OUT.table     then run OUT.jar with
      -Dtruth.out=FILE
  tracer.py dump --table OUT.table FILE                                normal form, one event per
      line

Normal form, per thread: `thread N NAME`, then `enter METHOD`, `run START END` (instructions
executed one behind the other, code-unit offsets in the original, END is the last one), `catch
OFFSET`, `return`, `unwind`; two spaces of indentation per active frame.
"""

import argparse
import array
import os
import re
import shutil
import struct
import sys
import tempfile
import zipfile

from harness.batch import Batch, ToolError, api_of

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = "Ltruthtrace/T;"
STUBS_PER_CLASS = 1000
# References that one output dex may hold for traced classes; the rest of the 65,536 is for the
# program's own.
PLACES_PER_DEX = 40000

QUIET = re.compile(
    r"^(nop|move|move/.*|move-wide.*|move-object.*|move-result.*|move-exception|return.*|const|"
    r"const/.*|const-wide.*|goto.*|if-.*|cmp.*|packed-switch|sparse-switch|neg-.*|not-.*|(int|long|"
    r"float|double)-to-.*|(add|sub|mul|and|or|xor|shl|shr|ushr|rsub)-(int|long).*|rsub-int|(add|"
    r"sub|mul|div|rem)-(float|double).*)$")
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def can_throw(op):
    """Whether the instruction may throw (Dalvik bytecode specification)."""
    return not QUIET.match(op)


def count_registers(text):
    """How many registers an invoke instruction (smali text) hands over."""
    inside = text[text.index("{") + 1:text.index("}")].strip()
    if " .. " in inside:
        first, last = inside.split(" .. ")
        if first[0] != last[0]:
            raise ToolError("range over two kinds of registers: " + text.strip())
        return int(last[1:]) - int(first[1:]) + 1
    return len(inside.split(",")) if inside else 0


class Ids:
    """Hands out event numbers and remembers their stubs."""

    def __init__(self):
        self.next = 0
        self.table = []


class Dex:
    """Stub classes of one output dex."""

    def __init__(self, number):
        self.number = number
        self.first = []  # ids in this dex, in order

    def call(self, event):
        k = len(self.first)
        self.first.append(event)
        return "    invoke-static {}, Ltruthtrace/D%d_%d;->t%d()V\n" % (
            self.number, k // STUBS_PER_CLASS, event)

    def write(self, folder):
        os.makedirs(os.path.join(folder, "truthtrace"), exist_ok=True)
        for c in range(0, len(self.first), STUBS_PER_CLASS):
            name = "D%d_%d" % (self.number, c // STUBS_PER_CLASS)
            out = [".class public final Ltruthtrace/%s;\n.super Ljava/lang/Object;\n" % name]
            for event in self.first[c:c + STUBS_PER_CLASS]:
                out.append(".method public static t%d()V\n    .registers 1\n    const v0, %d\n"
                           "    invoke-static {v0}, %s->p(I)V\n    return-void\n"
                           ".end method\n" % (event, event, RUNTIME))
            with open(os.path.join(folder, "truthtrace", name + ".smali"), "w") as f:
                f.write("".join(out))


LABEL = re.compile(r"^\s+(:\w+)\s*$")
OFFSET = re.compile(r"^\s+#@([0-9a-f]+)\s*$")
CATCH = re.compile(r"^\s+\.catch(?:all)?(?: (\S+))? \{(:\w+) \.\. (:\w+)\} (:\w+)\s*$")
PAYLOAD = (".packed-switch", ".sparse-switch", ".array-data")


def called(op, text):
    """The mnemonic; of an invoke also what it names."""
    return ("%s=>%s" % (op, text.strip().split("}, ", 1)[1].split(",")[0])
            if op.startswith("invoke-") and "}, " in text else op)


class Method:
    """One method body, split into instructions with the labels and directives in front of each."""

    def __init__(self, desc, lines):
        self.desc = desc
        self.lines = lines
        self.registers = None  # index of the .registers line
        self.head = []
        self.items = []  # (offset, lines in front, text, mnemonic)
        self.tail = []  # payloads and what stands between them
        self.catches = []  # (type or None, start label, end label, handler label)
        self.parse()

    def parse(self):
        offset = None
        pending = []
        annotation = False
        payload = False
        for line in self.lines:
            s = line.strip()
            if annotation or s.startswith(".annotation"):
                annotation = s != ".end annotation"
                self.head.append(line)
                continue
            if s.startswith(".param") or s == ".end param":
                self.head.append(line)
                continue
            if self.registers is None:
                if s.startswith(".registers"):
                    self.registers = int(s.split()[1])
                else:
                    self.head.append(line)
                continue
            m = OFFSET.match(line)
            if m:
                offset = int(m.group(1), 16)
                continue
            if payload:
                pending.append(line)
                if s.startswith(".end ") and s[5:].split()[0] in ("packed-switch", "sparse-switch",
                                                                  "array-data"):
                    payload = False
                    self.tail += pending
                    pending = []
                continue
            if s.startswith(PAYLOAD):
                payload = True
                pending.append(line)
                continue
            m = CATCH.match(line)
            if m:
                self.catches.append((m.group(1), m.group(2), m.group(3), m.group(4)))
                continue
            if not s or s.startswith("#"):
                continue
            if s.startswith(":") or s.startswith("."):
                pending.append(line)
                continue
            if offset is None:
                raise ToolError("%s: instruction without offset: %s" % (self.desc, s))
            self.items.append((offset, pending, line, s.split()[0]))
            pending = []
            offset = None
        self.tail += pending

    def rewrite(self, ids, dex):
        items, n = self.items, len(self.items)
        where = {}
        for i, (_, before, _, _) in enumerate(items):
            for line in before:
                m = LABEL.match(line)
                if m:
                    where[m.group(1)] = i
        for line in self.tail:
            m = LABEL.match(line)
            if m:
                where.setdefault(m.group(1), n)
        handlers = [[] for _ in range(n)]
        for kind, start, end, target in self.catches:
            for i in range(where[start], where[end]):
                handlers[i].append((kind, where[target]))

        table = []

        def event(kind, offset=0, op="-"):
            table.append((kind, offset, op))
            ids.next += 1
            return dex.call(ids.next - 1)

        first = ids.next
        out = [event("enter")]
        unwind = event("unwind")
        catch_calls = {}
        for t in sorted({h for hs in handlers for _, h in hs}):
            catch_calls[t] = event("catch", items[t][0])
        at = [event("at", o, called(op, text)) for o, _, text, op in items]
        ids.table.append((self.desc, first, table))

        far = (items[-1][0] if items else 0) > 4000
        ranges = []
        guarded = False
        resume = set()
        for i, (offset, before, text, op) in enumerate(items):
            out += before
            if op == "move-exception":
                # Reached through its trampoline, which has a copy of it.
                out.append("    :truth_resume_%d\n" % i)
                resume.add(i)
                continue
            if op.startswith("move-result"):
                out.append(text)
                out.append(at[i])
                continue
            out.append(at[i])
            if i in catch_calls:
                # The handler's label stands in front of the call, which a jump passes too; a catch
                # comes by the trampoline.
                pass
            if far and op.startswith("if-"):
                args, target = text.strip().split(None, 1)[1].rsplit(",", 1)
                cond = op[3:]
                turned = OPPOSITE[cond[:2]] + cond[2:]
                out.append("    if-%s %s, :truth_far_%d\n    goto/32 %s\n"
                           "    :truth_far_%d\n" % (turned, args, i, target.strip(), i))
                continue
            if can_throw(op):
                a, b = ":truth_a_%d" % i, ":truth_b_%d" % i
                out.append("    %s\n" % a)
                out.append(text)
                out.append("    %s\n" % b)
                for kind, h in handlers[i]:
                    ranges.append("    .catch%s {%s .. %s} :truth_catch_%d\n"
                                  % ("all" if kind is None else " " + kind, a, b, h))
                if not any(kind is None for kind, _ in handlers[i]):
                    ranges.append("    .catchall {%s .. %s} :truth_unwind\n" % (a, b))
                    guarded = True
            else:
                out.append(text)
        for t, call in catch_calls.items():
            offset, before, text, op = items[t]
            out.append("    :truth_catch_%d\n" % t)
            if op == "move-exception":
                out += [text, call, at[t], "    goto/32 :truth_resume_%d\n" % t]
            else:
                out += [call, "    goto/32 %s\n"
                        % next(m.group(1) for m in map(LABEL.match, before) if m)]
        if guarded:
            out.append("    :truth_unwind\n    move-exception v0\n%s    throw v0\n" % unwind)
        outs = max([count_registers(text) for _, _, text, op in items
                    if op.startswith(("invoke-custom", "invoke-polymorphic"))], default=0)
        if outs:
            # smali forgets these two when it counts the outgoing registers of a method: a call that
            # never runs makes up for it.
            out.append("    :truth_never\n"
                       "    invoke-static/range {v0 .. v%d}, Ltruthtrace/Never;->n(%s)V\n"
                       "    goto/32 :truth_never\n" % (outs - 1, "I" * outs))
        # Original labels at the very end (ends of try ranges) may stay; payloads follow.
        registers = max(self.registers, 1, outs)
        return ["    .registers %d\n" % registers] + self.head + out + self.tail + ranges


def rewrite_class(text, ids, dex):
    """Rewrites one class in smali text."""
    out = []
    lines = text.splitlines(keepends=True)
    owner = next(l for l in lines if l.startswith(".class ")).split()[-1]
    i = 0
    while i < len(lines):
        line = lines[i]
        if not line.startswith(".method "):
            out.append(line)
            i += 1
            continue
        end = i
        while lines[end].rstrip() != ".end method":
            end += 1
        body = lines[i + 1:end]
        if not any(l.startswith("    .registers ") for l in body):
            out += lines[i:end + 1]
        else:
            method = Method("%s->%s" % (owner, line.split()[-1]), body)
            out.append(line)
            out += method.rewrite(ids, dex)
            out.append(lines[end])
        i = end + 1
    return "".join(out)


def smali_files(folder):
    return sorted(os.path.join(d, f) for d, _, fs in os.walk(folder) for f in fs
                  if f.endswith(".smali"))


def write_table(path, ids):
    """`M METHOD FIRST_ID`, then one line per event: KIND OFFSET MNEMONIC."""
    with open(path, "w") as f:
        for desc, first, table in ids.table:
            f.write("M %s %d\n" % (desc, first))
            for kind, offset, op in table:
                f.write("%s %d %s\n" % (kind, offset, op))


def instrument(batch, source, target, table, work):
    """Traces `source` into the jar `target`; `work` is an empty folder for what lies between."""
    inputs = []
    with open(source, "rb") as f:
        magic = f.read(4)
    if magic == b"dex\n":
        inputs.append(source)
    else:
        with zipfile.ZipFile(source) as z:
            names = [n for n in z.namelist() if re.fullmatch(r"classes\d*\.dex", n)]
            for name in sorted(names, key=lambda n: int(n[7:-4] or 1)):
                inputs.append(z.extract(name, work))
    if not inputs:
        raise ToolError("%s: no dex in it" % source)
    ids = Ids()
    parts = []  # (api, folder, Dex)
    for k, dex_file in enumerate(inputs):
        api = api_of(dex_file)
        plain = os.path.join(work, "plain%d" % k)
        batch.run("baksmali", api, dex_file, plain)
        current = None
        for path in smali_files(plain):
            if current is None or len(current[2].first) > PLACES_PER_DEX:
                current = (api, os.path.join(work, "traced%d" % len(parts)), Dex(len(parts)))
                parts.append(current)
            with open(path, encoding="utf-8", newline="\n") as f:
                text = rewrite_class(f.read(), ids, current[2])
            to = os.path.join(current[1], os.path.relpath(path, plain))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(to, "w", encoding="utf-8", newline="\n") as f:
                f.write(text)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for k, (api, folder, dex) in enumerate(parts):
            dex.write(folder)
            if k == 0:
                for f in smali_files(os.path.join(HERE, "..", "truth", "runtime")):
                    shutil.copy(f, os.path.join(folder, "truthtrace"))
            made = os.path.join(work, "traced%d.dex" % k)
            batch.run("smali", api, made, folder)
            z.write(made, "classes%s.dex" % ("" if k == 0 else k + 1))
    write_table(table, ids)


class Table:
    """The table of a traced program: what event numbers mean, and the instructions of each
    method."""

    def __init__(self, path):
        self.events = []  # (kind, method, offset, mnemonic)
        self.offsets = {}  # method -> sorted instruction offsets
        self.ops = {}  # method -> {offset: mnemonic}
        self.targets = {}  # method -> {offset: the method that an invoke names}
        method = None
        with open(path) as f:
            for line in f:
                a, b, c = line.rsplit(" ", 2)
                if a == "M":
                    method = b
                    assert int(c) == len(self.events), "table out of step"
                    self.offsets[method] = []
                    self.ops[method] = {}
                    self.targets[method] = {}
                    continue
                offset = int(b)
                op, _, target = c.strip().partition("=>")
                self.events.append((a, method, offset, op))
                if a == "at":
                    self.offsets[method].append(offset)
                    self.ops[method][offset] = op
                    if target:
                        self.targets[method][offset] = target
        self.index = {m: {o: i for i, o in enumerate(os_)} for m, os_ in self.offsets.items()}


def read_trace(path):
    """[(thread number, name, event numbers)], by thread number; the file's format is in
    runtime/truthtrace/T.java."""
    chunk, header = 65536, 256
    threads = {}
    with open(path, "rb") as f:
        data = f.read()
    for at in range(0, len(data), chunk):
        number, length = struct.unpack_from(">ii", data, at)
        if number == 0:
            continue
        name = data[at + 8:at + 8 + 2 * length].decode("utf-16-be", "replace")
        ids = array.array("i", data[at + header:at + chunk])
        if sys.byteorder == "little":
            ids.byteswap()
        end = ids.index(0) if 0 in ids else len(ids)
        threads.setdefault(number, (name, []))[1].extend(ids[:end])
    return [(n, name, [i - 1 for i in ids]) for n, (name, ids) in sorted(threads.items())]


def dump(table, path, out):
    """Writes the normal form."""
    for number, name, ids in read_trace(path):
        out.write("thread %d %s\n" % (number, name))
        depth = 0
        run = None  # (method, first, last)

        def flush():
            if run:
                out.write("%srun %d %d\n" % ("  " * depth, run[1], run[2]))

        for event in ids:
            kind, method, offset, op = table.events[event]
            if kind == "at":
                index = table.index[method]
                if run and run[0] == method and index[offset] == index[run[2]] + 1:
                    run = (method, run[1], offset)
                else:
                    flush()
                    run = (method, offset, offset)
                if op.startswith("return"):
                    flush()
                    run = None
                    out.write("%sreturn\n" % ("  " * depth))
                    depth -= 1
                continue
            flush()
            run = None
            if kind == "enter":
                depth += 1
                out.write("%senter %s\n" % ("  " * depth, method))
            elif kind == "catch":
                out.write("%scatch %d\n" % ("  " * depth, offset))
            else:
                out.write("%sunwind\n" % ("  " * depth))
                depth -= 1
        flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("instrument")
    p.add_argument("input")
    p.add_argument("-o", required=True)
    p.add_argument("--table", required=True)
    p = sub.add_parser("dump")
    p.add_argument("--table", required=True)
    p.add_argument("trace")
    a = parser.parse_args()
    if a.command == "dump":
        dump(Table(a.table), a.trace, sys.stdout)
        return
    batch = Batch()
    try:
        with tempfile.TemporaryDirectory() as work:
            instrument(batch, a.input, a.o, a.table, work)
    except ToolError as e:
        sys.exit("tracer: %s" % e)
    finally:
        batch.close()


if __name__ == "__main__":
    main()
