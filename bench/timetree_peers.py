#!/usr/bin/env python3
"""Intervals of samples, asked of a time tree and of Perfetto's trace processor: cargo xtask bench
timetree

Writes a Perfetto trace of N random samples of one thread, in stacks of a random call tree of
which few are frequent. `pathlight timetree build --samples` makes a tree of it. Then both are asked
what ran in random intervals of all lengths: a new process of `pathlight timetree query` for each,
and one process of the trace processor (WebAssembly, in Node) that has loaded the trace before. Both
must give what a count of the samples gives. Writes bench/timetree.csv.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
PROCESSOR = os.path.join(HERE, "..", "tests", "oracles", "trace_processor.mjs")
PID, TID, STEP_NS = 77, 77, 1_000_000


def number(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def integer(field, n):
    return number(field << 3) + number(n)


def block(field, b):
    return number(field << 3 | 2) + number(len(b)) + b


def packet(*parts):
    return block(1, b"".join((*parts, integer(10, 1))))


def write_trace(path, samples, parents):
    """Numbers of fields: Perfetto's protos/perfetto/trace."""
    interned = [block(17, integer(1, 1) + block(2, b"base.apk")),
                block(19, integer(1, 1) + integer(7, 1))]
    stacks = {0: []}
    for call in range(1, len(parents)):
        stacks[call] = stacks[parents[call]] + [call]
        interned.append(block(5, integer(1, call) + block(2, b"a.B%d.run" % call)))
        interned.append(block(6, integer(1, call) + integer(2, call) + integer(3, 1)
                              + integer(4, call)))
        interned.append(block(7, integer(1, call) + b"".join(integer(2, c) for c in stacks[call])))
    with open(path, "wb") as out:
        out.write(packet(integer(8, 0), integer(13, 1), block(12, b"".join(interned))))
        for i, call in enumerate(samples):
            sample = integer(1, 0) + integer(2, PID) + integer(3, TID) + integer(4, call)
            out.write(packet(integer(8, i * STEP_NS), integer(13, 2), block(66, sample)))


def by_tree(pathlight, tree, begin, end):
    """Own weights by method, and seconds."""
    before = time.perf_counter()
    command = [pathlight, "timetree", "query", tree, "--from", "%dms" % begin, "--to", "%dms" % end,
               "--format", "json", "--top", "1000000"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took = time.perf_counter() - before
    threads = json.loads(out)["threads"]
    return {m["method"]: m["own"] for t in threads for m in t["methods"] if m["own"]}, took


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("pathlight")
    p.add_argument("processor", help="folder with engine_bundle.js and trace_processor.wasm")
    p.add_argument("--work", required=True)
    p.add_argument("--samples", type=int, action="append",
                   help="how many; may be repeated (default 10⁵, 10⁶)")
    p.add_argument("--contexts", type=int, default=10_000)
    p.add_argument("--intervals", type=int, default=20)
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    rows = ["samples,trace MB,tree MB,tree built s,trace loaded s,tree query ms,trace processor "
            "ms,queries until the tree is quicker"]
    for n in a.samples or [100_000, 1_000_000]:
        rows.append(measure(a, n))
        print(rows[-1], flush=True)
    with open(os.path.join(HERE, "timetree.csv"), "w") as out:
        out.write("\n".join(rows) + "\n")


def measure(a, n):
    rng = random.Random(1)
    parents = [0] + [i // 3 for i in range(a.contexts)]
    samples = [1 + (rng.randrange(max(1, a.contexts >> rng.randrange(14))) + 97 * (i // 100_000))
               % a.contexts for i in range(n)]
    trace, tree = os.path.join(a.work, "t.pftrace"), os.path.join(a.work, "t.pltt")
    write_trace(trace, samples, parents)
    before = time.perf_counter()
    subprocess.run([a.pathlight, "timetree", "build", "--samples", trace, "-o", tree], check=True,
                   capture_output=True)
    built = time.perf_counter() - before
    ends = [sorted((rng.randrange(n), rng.randrange(n))) for _ in range(a.intervals)]
    sql = [
        "select f.name as method, count(*) as own from perf_sample s join stack_profile_callsite c "
        "on s.callsite_id = c.id "
        "join stack_profile_frame f on c.frame_id = f.id where s.ts >= %d and s.ts < %d group "
        "by f.name" % (x * STEP_NS, y * STEP_NS)
        for x, y in ends
    ]
    ran = subprocess.run(
        ["node", "--max-old-space-size=8192", PROCESSOR, a.processor, trace, "select 1 as one",
         *sql], capture_output=True, text=True, env=dict(os.environ, TIMES="1")
    )
    if ran.returncode:
        sys.exit(ran.stderr)
    answers = [json.loads(line) for line in ran.stdout.splitlines()][1:]
    moments = [float(n) for n in re.findall(r"^after ([0-9.]+) ms$", ran.stderr, re.M)]
    trees = []
    for (x, y), rows in zip(ends, answers):
        truth = {"a.B%d.run" % call: count for call, count in Counter(samples[x:y]).items()}
        found, took = by_tree(a.pathlight, tree, x, y)
        trees.append(took)
        if found != truth:
            sys.exit("%d..%d: the tree differs from the scan" % (x, y))
        if {r["method"]: r["own"] for r in rows} != truth:
            sys.exit("%d..%d: the trace processor differs from the scan" % (x, y))
    loaded, peer = moments[0] / 1000, statistics.median(b - a for a, b in zip(moments, moments[1:]))
    query = 1000 * statistics.median(trees)
    # Both read the trace once; then each query costs what it costs.
    gain = peer - query
    least = ("never" if gain <= 0 and built >= loaded
             else str(max(0, -(-int(1000 * (built - loaded)) // max(1, int(gain))))))
    mb = lambda path: os.path.getsize(path) / 1e6
    return "%d,%.1f,%.1f,%.2f,%.2f,%.1f,%.1f,%s" % (n, mb(trace), mb(tree), built, loaded, query,
                                                    peer, least)


if __name__ == "__main__":
    main()
