#!/usr/bin/env python3
"""What branches cost if the branches before them are known, of their frame or of their thread.

contexts.py PATHLIGHT MAP --train LOG... --held LOG...

Counts which block follows which in the first logs, by the last 0, 1, 2, 3 and 5 branches of the
frame or the thread, and prices those of the other logs: bits for each decision, and of the branches
that cost most. Counts without a context weigh as some decisions more (--prior).
Gathered loops and exceptions appear as in `decode --format json`.
"""

import argparse
import collections
import json
import math
import subprocess

DEPTHS = (0, 1, 2, 3, 5)


def decisions(pathlight, plmap, logs, limit):
    """Where a block follows another in a frame: thread, frame, where it was, where it is."""
    found = subprocess.Popen([pathlight, "decode", "--map", plmap, *logs, "--format", "json"],
                             stdout=subprocess.PIPE, text=True)
    stacks = collections.defaultdict(list)
    frames = 0
    for _, line in zip(range(limit), found.stdout):
        event = json.loads(line)
        thread = event.get("p"), event.get("t")
        stack = stacks[thread]
        kind = event["e"]
        if kind == "enter":
            frames += 1
            stack.append([event["m"], None, frames])
        elif kind == "return" and stack:
            stack.pop()
        elif kind == "catch":
            del stack[event.get("depth", len(stack)):]
        elif kind in ("unwound", "end"):
            stack.clear()
        elif kind == "block" and stack and event["m"] == stack[-1][0]:
            method, place, frame = stack[-1]
            if place is not None:
                yield thread, frame, (method, place), event["pc"]
            stack[-1][1] = event["pc"]
    found.kill()


def in_context(events, ways, of_thread):
    """Branches, where they led, and the branches before, the last one first."""
    recent = collections.defaultdict(tuple)
    for thread, frame, block, then in events:
        if len(ways[block]) > 1:
            at = thread if of_thread else frame
            yield block, then, recent[at]
            recent[at] = ((block, then), *recent[at])[: max(DEPTHS)]


def priced(train, held, depth, prior, ways):
    """Bits and decisions of each branch."""
    plain, counts = (collections.defaultdict(collections.Counter) for _ in range(2))
    for block, then, before in train:
        plain[block][then] += 1
        counts[block, before[:depth]][then] += 1
    bits, number = collections.Counter(), collections.Counter()
    for block, then, before in held:
        alone, here = plain[block], counts.get((block, before[:depth]), {})
        p = (alone[then] + 0.5) / (sum(alone.values()) + 0.5 * len(ways[block]))
        p = (here.get(then, 0) + prior * p) / (sum(here.values()) + prior)
        bits[block] -= math.log2(p)
        number[block] += 1
    return bits, number


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("map")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held", nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=1_500_000, help="events of all logs of a kind")
    parser.add_argument("--prior", type=float, default=4.0,
                        help="weight of counts without a context, in decisions")
    a = parser.parse_args()
    train, held = (list(decisions(a.pathlight, a.map, logs, a.limit)) for logs in (a.train, a.held))
    ways = collections.defaultdict(set)
    for _, _, block, then in train + held:
        ways[block].add(then)
    for of_thread in (False, True):
        for depth in DEPTHS:
            known, asked = (in_context(e, ways, of_thread) for e in (train, held))
            bits, number = priced(known, asked, depth, a.prior, ways)
            total = sum(number.values())
            costliest = bits.most_common(3)
            each = (f"{b[0]}:{b[1]} {number[b]} of {c / number[b]:.2f}" for b, c in costliest)
            most = ", ".join(each)
            where = "thread" if of_thread else "frame"
            mean = sum(bits.values()) / max(total, 1)
            summary = (f"{depth} branches before in the {where}: {total} decisions of "
                       f"{mean:.3f} bits")
            print(f"{summary}; {most}", flush=True)


if __name__ == "__main__":
    main()
