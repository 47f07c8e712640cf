#!/usr/bin/env python3
"""Compares decoded paths with the instruction trace of tracer.py, activation by activation,
instruction by instruction.

  compare.py --table OUT.table --trace TRACE --paths PATHS.jsonl [--skip FILE] [--implied FILE]
      [--elastic FILE] [--unsure FILE] [--strict]

PATHS.jsonl has one object per line: {"t": thread number, "name": thread name, "depth": n, "e": ...}
  with e one of
  enter   m, via (call, slot, implied: from an invoke of the frame below; callback: through code
          that is not in the map); with via callback it may carry candidates, as throw does: it came
          out of one of these blocks, and of those behind the first it is not known whether it was
          before them (they follow the activation, where it should stand behind them)
  block   m, pc, end: a basic block was entered; code units [pc, end)
  possible  methods: implied calls (see implied.py) that the frame at this depth may have come to
            before the next event
  repeat  blocks, times: the last `blocks` blocks ran `times` times more
  return  the frame at this depth returned
  throw   candidates: an exception left this frame or moved within it; the instruction that threw
          lies in one of these blocks; of those behind the first it is not known whether they ran
  catch   m, pc: handler of the frame at this depth; deeper frames are gone
  unwound the frame at this depth is gone
Other kinds (time, sync, end) are passed over; "gap", "late" and "error" are differences; "doubtful"
is counted. depth: of the frame the event belongs to.

What must hold, per thread: the same activations in the same order and nesting; each reported block
contains exactly the instructions that ran, to its last one unless an exception cut it short;
nothing left over on either side. A thread that had not ended when the process did may lack a tail,
whose length is printed; --strict refuses that.
--early-callbacks: go on where a callback is reported before a block that ran before it, without
  saying so by candidates; counts them.
--skip: methods that the product left alone (one descriptor per line). --implied: methods without
probes that their calls imply (without it those that PATHS.jsonl has as such). --elastic: methods
whose activations are not compared because their number differs between runs (a stack overflow comes
at another depth).
--unsure: names of threads (one per line) in which the product may not know the path. Such a thread
is right to its end; or what there is of it is right and it was refused there ("error", "gap") or
cut (an "end" that is not clean); or it is right up to the first entry of a method that is called
doubtful. Wrong without a word is a difference.
"""

import argparse
import json
import sys
from collections import defaultdict

from harness import implied as implied_calls
from harness.tracer import Table, read_trace


class Difference(Exception):
    """The first place where the two disagree."""


class Frame:
    __slots__ = ("method", "depth", "index", "last", "block", "block_end", "loose")

    def __init__(self, method, depth):
        self.method = method
        self.depth = depth
        self.index = None  # index of the last instruction that ran
        self.last = None  # its offset
        self.block = None  # start of the current block
        self.block_end = None  # end of the current block (exclusive); None before the first
        # candidates of a throw that has been seen coming: blocks that the product did not report
        # apart
        self.loose = None


class Counts:
    def __init__(self):
        self.activations = self.instructions = self.blocks = 0
        self.missing = self.early = self.unsure = 0
        # Frames called doubtful in threads that must be right; threads that may be unsure, by how
        # they were reported.
        self.doubtful = 0
        # Implied calls that were reported, and those only reported as possible.
        self.implied = self.possible = 0
        self.exact_threads = self.doubtful_threads = self.refused_threads = self.cut_threads = 0

    def text(self):
        parts = ["%d activations, %d blocks, %d instructions"
                 % (self.activations, self.blocks, self.instructions)]
        if self.unsure:
            parts.append("%d times not known which block a callback came from" % self.unsure)
        if self.doubtful:
            parts.append("%d frames called doubtful that were right" % self.doubtful)
        if self.implied or self.possible:
            parts.append("%d calls implied, %d only possible" % (self.implied, self.possible))
        how = [("right", self.exact_threads), ("doubtful", self.doubtful_threads),
               ("refused", self.refused_threads), ("cut", self.cut_threads)]
        if any(n for _, n in how):
            parts.append("of the unsure threads "
                         + ", ".join("%d %s" % (n, what) for what, n in how if n))
        if self.early:
            parts.append("%d times A CALLBACK BEFORE ITS BLOCK" % self.early)
        if self.missing:
            parts.append("%d traced events missing in threads that never ended" % self.missing)
        return ", ".join(parts)


def show(table, event):
    kind, method, offset, op = table.events[event]
    if kind in ("enter", "unwind"):
        return "%s %s" % (kind, method)
    return "%s %s @%x %s" % (kind, method, offset, op if op != "-" else "")


class ThreadCompare:
    """One traced thread against one decoded one."""

    def __init__(self, table, ids, events, strict, early):
        self.table = table
        self.ids = ids
        self.events = list(events)
        self.strict = strict
        self.early = early
        self.at = 0  # in events
        self.here = 0  # in ids
        self.stack = []
        self.counts = Counts()

    def fail(self, why):
        lines = [why]
        if self.stack:
            lines.append("  in " + " < ".join(f.method for f in self.stack[:-6:-1]))
        lines.append("  traced:")
        for i in range(max(0, self.here - 6), min(len(self.ids), self.here + 4)):
            lines.append("   %s %d: %s" % (">" if i == self.here else " ", i,
                                           show(self.table, self.ids[i])))
        lines.append("  decoded:")
        for i in range(max(0, self.at - 5), min(len(self.events), self.at + 4)):
            lines.append("   %s %s" % (">" if i == self.at else " ", json.dumps(self.events[i])))
        raise Difference("\n".join(lines))

    def peek(self):
        return self.events[self.at] if self.at < len(self.events) else None

    def take(self, kind):
        """The next decoded event, which must be of this kind."""
        e = self.peek()
        if e is None:
            raise EndOfPaths()
        if e["e"] != kind:
            self.fail("traced %s, decoded %s" % (kind, e["e"]))
        self.at += 1
        return e

    def same_depth(self, e, frame):
        if e.get("depth") is not None and frame.depth is not None and e["depth"] != frame.depth:
            self.fail("depth %s, expected %s" % (e["depth"], frame.depth))

    def run(self):
        try:
            for self.here, event in enumerate(self.ids):
                kind, method, offset, op = self.table.events[event]
                if kind == "at":
                    self.instruction(method, offset)
                    if op.startswith("return"):
                        self.finished()
                        f = self.stack[-1]
                        self.same_depth(self.take("return"), f)
                        self.stack.pop()
                elif kind == "enter":
                    self.enter(method)
                elif kind == "catch":
                    self.catch(method, offset)
                else:
                    self.unwind(method)
            self.here = len(self.ids)
            if self.at < len(self.events):
                self.fail("decoded events behind the end of the trace")
        except EndOfPaths:
            if self.strict or not self.open_at_end():
                self.fail("the decoded path ends too early: %d traced events are missing"
                          % (len(self.ids) - self.here))
            self.counts.missing = len(self.ids) - self.here
        return self.counts

    def run_prefix(self):
        """As run, for a path that may end anywhere."""
        self.open_at_end = lambda: True
        return self.run()

    def open_at_end(self):
        depth = 0
        for event in self.ids:
            kind, _, _, op = self.table.events[event]
            depth += (kind == "enter") - (kind == "unwind") - (kind == "at"
                                                               and op.startswith("return"))
        return depth > 0

    def top(self, method):
        if not self.stack or self.stack[-1].method != method:
            raise ValueError("trace is out of step: %s on %s"
                             % (method, self.stack[-1].method if self.stack else "nothing"))
        return self.stack[-1]

    def enter(self, method):
        e = self.take("enter")
        if e["m"] != method:
            self.at -= 1
            self.fail("entered %s, decoded %s" % (method, e["m"]))
        if e.get("via") in ("call", "slot"):
            if not self.stack:
                self.fail("a call without a caller")
            f = self.stack[-1]
            op = self.table.ops[f.method].get(f.last, "")
            if not op.startswith("invoke"):
                self.fail("via %s, but the frame below stands at %s" % (e["via"], op))
        self.counts.activations += 1
        frame = Frame(method, e.get("depth"))
        if (self.stack and frame.depth is not None and self.stack[-1].depth is not None
            and frame.depth <= self.stack[-1].depth):
            self.fail("entered at depth %s over depth %s" % (frame.depth, self.stack[-1].depth))
        self.stack.append(frame)

    def next_offset(self, frame):
        offsets = self.table.offsets[frame.method]
        return offsets[frame.index + 1] if frame.index + 1 < len(offsets) else None

    def block_done(self, frame):
        """Whether the current block has no further instruction."""
        if frame.block_end is None:
            return True
        n = self.next_offset(frame)
        return n is None or n >= frame.block_end

    def finished(self):
        f = self.stack[-1]
        if f.loose is None and not self.block_done(f):
            self.fail("the block goes on to %x, the method returned at %x" % (f.block_end, f.last))

    def instruction(self, method, offset):
        f = self.top(method)
        self.counts.instructions += 1
        index = self.table.index[method][offset]
        if f.loose is not None:
            if offset not in f.loose and index != f.index + 1:
                self.fail("ran %x, which is in no candidate block of the throw" % offset)
            if offset in f.loose:
                f.block = offset
        elif not self.block_done(f):
            if index != f.index + 1:
                self.fail("ran %x inside a block that goes on with %x"
                          % (offset, self.next_offset(f)))
        else:
            e = self.peek()
            if (e is not None and e["e"] == "throw" and e.get("depth") in (None, f.depth)
                and offset in e["candidates"][1:]):
                f.loose = e["candidates"][1:]
                f.block = offset
            else:
                self.behind_callbacks(f, offset)
                e = self.take("block")
                self.same_depth(e, f)
                if e["m"] != method or e["pc"] != offset:
                    self.at -= 1
                    self.fail("ran %s @%x, decoded block %s @%x"
                              % (method, offset, e["m"], e["pc"]))
                self.counts.blocks += 1
                f.block, f.block_end = offset, e["end"]
                if e["end"] <= e["pc"]:
                    self.fail("empty block")
        f.index = index
        f.last = offset

    def behind_callbacks(self, f, offset):
        """Brings the block event at `offset` to the front, where callbacks stand before it that may
        have come out of it or later blocks."""
        e = self.peek()
        if e is None or e["e"] != "enter" or e.get("via") != "callback" or e.get("depth") is None:
            return
        announced = offset in e.get("candidates", [])
        if not announced and not self.early:
            return
        i = self.at
        while i < len(self.events) and self.events[i]["depth"] > f.depth:
            i += 1
        if (i < len(self.events) and self.events[i]["e"] == "block"
            and self.events[i]["depth"] == f.depth and self.events[i]["pc"] == offset):
            self.events.insert(self.at, self.events.pop(i))
            if announced:
                self.counts.unsure += 1
            else:
                self.counts.early += 1

    def thrown(self, f):
        """An exception came up in this frame, by itself or from a call: takes the events that
        report it, if any."""
        ahead = []
        i = self.at
        while (i < len(self.events) and self.events[i]["e"] == "block"
               and self.events[i].get("depth") in (None, f.depth)):
            ahead.append(self.events[i])
            i += 1
        if (i < len(self.events) and self.events[i]["e"] == "throw"
            and self.events[i].get("depth") in (None, f.depth)):
            e = self.events[i]
            pcs = e["candidates"]
            for b in ahead:
                if b["m"] != f.method or b["pc"] not in pcs[1:]:
                    self.fail("a block that did not run and is no candidate of the throw")
            if f.block is not None and f.block not in pcs:
                self.fail("the instruction at %x threw, which is in none of the candidates"
                          % f.last)
            self.at = i + 1
        elif ahead:
            self.fail("decoded a block, but an exception was thrown")
        f.loose = None

    def catch(self, method, offset):
        f = self.top(method)
        self.thrown(f)
        e = self.take("catch")
        self.same_depth(e, f)
        if e.get("m", method) != method or e["pc"] != offset:
            self.at -= 1
            self.fail("caught at %s @%x, decoded %s @%x" % (method, offset, e.get("m"), e["pc"]))
        f.block = f.block_end = None

    def unwind(self, method):
        f = self.top(method)
        self.thrown(f)
        e = self.peek()
        if e is not None and e["e"] == "unwound" and e.get("depth") in (None, f.depth):
            self.at += 1
        elif e is not None and (e.get("depth") or 0) > (f.depth or 0):
            self.fail("the frame is gone, but decoded events go on in it")
        elif e is None and len(self.stack) == 1:
            raise EndOfPaths()
        self.stack.pop()


class EndOfPaths(Exception):
    """The decoded events of a thread are used up."""


def drop_methods(table, ids, drop):
    return [i for i in ids if table.events[i][1] not in drop]


def drop_decoded(events, drop):
    out = []
    stack = {}
    for e in events:
        if e["e"] == "enter":
            stack[e["depth"]] = e["m"]
        if stack.get(e.get("depth")) not in drop:
            out.append(e)
    return out


def unsure_thread(table, ids, events, early=False):
    """A thread in which the product may not know the path; its counts. Raises Difference where it
    is wrong without a word."""
    faults = [i for i, e in enumerate(events) if e["e"] in ("gap", "late", "error")]
    before = events[: faults[0]] if faults else events
    if faults and any(e["e"] not in NOTES + ("gap", "late", "error") for e in events[faults[0] :]):
        raise Difference("a path goes on behind what was refused")
    path = [e for e in before if e["e"] not in NOTES]
    cut = any(e["e"] == "end" and e["how"] not in ("clean", "unknown") for e in before)
    thread = ThreadCompare(table, ids, path, not (faults or cut), early)
    try:
        counts = thread.run_prefix() if faults or cut else thread.run()
    except Difference as d:
        doubted = {e["m"] for e in before if e["e"] == "doubtful"}
        since = next((i for i, e in enumerate(path) if e["e"] == "enter" and e["m"] in doubted),
                     len(path) + 1)
        if faults or thread.at < since:
            raise Difference("WRONG WITHOUT A WORD: %s" % d)
        counts = Counts()
        counts.doubtful_threads = 1
        return counts
    if faults:
        counts.refused_threads = 1
    elif cut and counts.missing:
        counts.cut_threads = 1
    else:
        counts.exact_threads = 1
    # It was reported; `missing` is for threads that never ended.
    counts.missing = 0
    return counts


NOTES = ("doubtful", "end")
KINDS = {"enter", "block", "repeat", "return", "throw", "catch", "unwound", "possible", "doubtful",
         "end", "gap", "late", "error"}


def read_paths(path, notes=False):
    """[(thread number, name, events)] in order of thread number; with notes: also "doubtful" and
    "end"."""
    threads = defaultdict(list)
    names = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            if not line.strip():
                continue
            try:
                e = json.loads(line)
                if "t" not in e or e.get("e") not in KINDS or (e["e"] in NOTES and not notes):
                    continue
            except ValueError:
                raise Difference("%s:%d: not JSON: %s" % (path, number, line[:200]))
            names.setdefault(e["t"], e.get("name"))
            if e["e"] == "repeat":
                threads[e["t"]] += threads[e["t"]][-e["blocks"] :] * e["times"]
            else:
                threads[e["t"]].append(e)
    return [(t, names[t], threads[t]) for t in sorted(threads)]


def compare(table, trace, paths, strict=False, skip=(), elastic=(), early=False, unsure=(),
            implied=None):
    """Compares all threads; raises Difference at the first that differs. Returns summed counts."""
    ignored = set(skip) | set(elastic)
    implied = set(implied_calls.named(paths) if implied is None else implied)
    drop = ignored | implied
    whole = {number: ids for number, _, ids in trace}
    told_whole = {number: events for number, _, events in paths}
    traced = defaultdict(list)
    decoded = defaultdict(list)
    for number, name, ids in sorted(trace, key=lambda t: t[0]):
        ids = drop_methods(table, ids, drop) if drop else ids
        if len(ids):
            traced[name].append((number, ids))
    for number, name, events in paths:
        events = implied_calls.without(events)
        events = drop_decoded(events, set(elastic)) if elastic else events
        if events:
            decoded[name].append((number, events))
    total = Counts()

    def add(counts):
        for key, value in vars(counts).items():
            setattr(total, key, getattr(total, key) + value)

    for name in unsure:
        a, b = traced.pop(name, []), decoded.pop(name, [])
        if len(a) != 1 or len(b) != 1:
            raise Difference("unsure thread %r: traced %d times, decoded %d times, must be once"
                             % (name, len(a), len(b)))
        try:
            add(unsure_thread(table, a[0][1], b[0][1], early))
        except Difference as d:
            raise Difference("unsure thread %r: %s" % (name, d))
    for name, threads in list(decoded.items()):
        total.doubtful += sum(e["e"] == "doubtful" for _, events in threads for e in events)
        paths_only = [(number, [e for e in events if e["e"] not in NOTES])
                      for number, events in threads]
        decoded[name] = [(number, events) for number, events in paths_only if events]
        if not decoded[name]:
            del decoded[name]
    for name in traced:
        a, b = traced[name], decoded.get(name, [])
        if len(a) < len(b) or (strict and len(a) != len(b)):
            raise Difference("thread %r: traced %d times, decoded %d times"
                             % (name, len(a), len(b)))
        free = list(b)
        why = None
        for number, ids in a:
            # In order of start first; threads of one name may have started in another order.
            first = None
            # A thread that had not ended when the process did may have put out nothing at all.
            for candidate in free + ([] if strict else [(None, [])]):
                try:
                    thread = ThreadCompare(table, ids, candidate[1], strict, early)
                    counts = thread.run()
                    if candidate[0] is not None:
                        events = [e for e in told_whole[candidate[0]] if e["e"] not in NOTES]
                        try:
                            cut = counts.missing > 0 or thread.open_at_end()
                            counts.implied, counts.possible = implied_calls.check(
                                table, whole[number], events, implied, ignored, set(skip), cut)
                        except implied_calls.Wrong as w:
                            raise Difference("implied calls: %s" % w)
                    break
                except Difference as d:
                    first = first or d
            else:
                raise Difference("thread %d %r: %s" % (number, name, first))
            why = why or first
            if candidate in free:
                free.remove(candidate)
            add(counts)
        if free:
            raise Difference("thread %r: traced %d times, decoded %d times, not all alike: %s"
                             % (name, len(a), len(b), why))
    for name in decoded:
        if name not in traced:
            raise Difference("thread %r was decoded but never traced" % name)
    return total


def lines_of(path):
    if not path:
        return []
    with open(path) as f:
        return [l.strip() for l in f if l.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True)
    parser.add_argument("--trace", required=True)
    parser.add_argument("--paths", required=True)
    parser.add_argument("--skip")
    parser.add_argument("--implied")
    parser.add_argument("--elastic")
    parser.add_argument("--unsure")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--early-callbacks", action="store_true")
    a = parser.parse_args()
    try:
        c = compare(Table(a.table), read_trace(a.trace), read_paths(a.paths, notes=True), a.strict,
                    lines_of(a.skip), lines_of(a.elastic), a.early_callbacks, lines_of(a.unsure),
                    lines_of(a.implied) if a.implied else None)
    except Difference as d:
        print("DIFFERENT " + str(d))
        sys.exit(1)
    print("same: " + c.text())


if __name__ == "__main__":
    main()
