#!/usr/bin/env python3
"""What branches cost if the branches before them in their frame are known.

contexts.py PATHLIGHT MAP --train LOG... --held LOG...

Counts which block follows which in the first logs, by the last 0, 1, 2, 3 and 5 branches of the frame, and prices those of the
other logs: bits for each decision, and of the branches that cost most. Counts without a context weigh as four decisions more.
Gathered loops and exceptions are told as `decode --format json` tells them.
"""

import argparse
import collections
import json
import math
import subprocess

DEPTHS = (0, 1, 2, 3, 5)
PRIOR = 4.0


def decisions(pathlight, plmap, logs, limit):
    """Of each block that follows another in a frame: the method and place of that one, its own place, and those before."""
    found = subprocess.Popen([pathlight, "decode", "--map", plmap, *logs, "--format", "json"], stdout=subprocess.PIPE, text=True)
    stacks = collections.defaultdict(list)
    for _, line in zip(range(limit), found.stdout):
        event = json.loads(line)
        stack = stacks[event.get("p"), event.get("t")]
        kind = event["e"]
        if kind == "enter":
            stack.append([event["m"], None, ()])
        elif kind == "return" and stack:
            stack.pop()
        elif kind == "catch":
            del stack[event.get("depth", len(stack)):]
        elif kind in ("unwound", "end"):
            stack.clear()
        elif kind == "block" and stack and event["m"] == stack[-1][0]:
            method, place, before = stack[-1]
            if place is not None:
                yield (method, place), event["pc"], before
                stack[-1][2] = ((place, event["pc"]), *before)[: 2 * max(DEPTHS)]
            stack[-1][1] = event["pc"]
    found.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("map")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held", nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=1_500_000, help="events of all logs of a kind")
    a = parser.parse_args()
    train, held = (list(decisions(a.pathlight, a.map, logs, a.limit)) for logs in (a.train, a.held))
    ways = collections.defaultdict(set)
    for block, then, _ in train + held:
        ways[block].add(then)
    plain = collections.defaultdict(collections.Counter)
    for block, then, _ in train:
        plain[block][then] += 1
    for depth in DEPTHS:
        def context(block, before):
            return block, tuple([(at, to) for at, to in before if len(ways[block[0], at]) > 1][:depth])

        counts = collections.defaultdict(collections.Counter)
        for block, then, before in train:
            counts[context(block, before)][then] += 1
        bits, number = collections.Counter(), collections.Counter()
        for block, then, before in held:
            if len(ways[block]) < 2:
                continue
            alone, here = plain[block], counts[context(block, before)]
            p = (alone[then] + 0.5) / (sum(alone.values()) + 0.5 * len(ways[block]))
            p = (here[then] + PRIOR * p) / (sum(here.values()) + PRIOR)
            bits[block] -= math.log2(p)
            number[block] += 1
        total = sum(number.values())
        most = ", ".join(f"{b[0]}:{b[1]} {number[b]} of {cost / number[b]:.2f}" for b, cost in bits.most_common(3))
        print(f"{depth} branches before: {total} decisions of {sum(bits.values()) / max(total, 1):.3f} bits; {most}", flush=True)


if __name__ == "__main__":
    main()
