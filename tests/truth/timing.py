#!/usr/bin/env python3
"""Times of a log against what the program measured itself, on ART 10's JIT: callbacks that sleep or
compute (timing/java), each with two hot methods of different cost. Begin and end of each callback
must lie within 2 ms, and the part of the time that each hot method takes (interpolated, from
`report --perfetto`, read by Perfetto's trace processor) within 10 % of the measured part."""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SLICES = """select s.name, s.ts, s.dur, extract_arg(s.arg_set_id, 'debug.error us') as error
  from slice s join track t on s.track_id = t.id where t.name = 'calls (interpolated)'
  order by s.ts, s.id"""


def ask(folder, trace):
    script = os.path.join(HERE, "..", "oracles", "trace_processor.mjs")
    ran = subprocess.run(["node", script, folder, trace, SLICES], capture_output=True, text=True)
    lines = [json.loads(l) for l in ran.stdout.splitlines() if l.startswith("[")]
    if ran.returncode or len(lines) != 1:
        sys.exit("the trace processor failed: " + ran.stdout[-500:] + ran.stderr[-500:])
    return lines[0]


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth timing", description=__doc__)
    parser.add_argument("--processor", required=True,
                        help="folder with engine_bundle.js and trace_processor.wasm")
    parser.add_argument("--codec", default="arith")
    options = parser.parse_args()
    program = os.environ["PATHLIGHT"]
    with tempfile.TemporaryDirectory(prefix="timing-") as work:
        dex, plmap, logs, trace = (os.path.join(work, name)
                                   for name in ("app.dex", "map", "logs", "trace"))
        subprocess.run([program, "instrument", "--force",
                        os.path.join(HERE, "timing", "program.dex"), "-o", dex, "--map", plmap,
                        "--exclude", "Log", "--codec", options.codec], check=True,
                       capture_output=True)
        os.makedirs(logs)
        vm = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", "dalvikvm"),
              "-Dpathlight.dir=" + logs, "-cp", dex, "Main"]
        printed = subprocess.run(vm, env=dict(os.environ, ART_JIT="1"), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=True).stdout
        measured = [[int(n) for n in line.split()] for line in printed.splitlines()]
        log, = glob.glob(logs + "/*")
        out = subprocess.run([program, "decode", "--map", plmap, log, "--format", "json", "--depth",
                              "1"], capture_output=True, text=True, check=True).stdout
        subprocess.run([program, "report", "--map", plmap, log, "--perfetto", trace], check=True,
                       capture_output=True)
        slices = ask(options.processor, trace)
        size = os.path.getsize(log)
    lines = [json.loads(line) for line in out.splitlines()]
    process = lines[0]
    start, wall = process["clocks"]["monotonic_ns"], process["start_ms"] * 1_000_000
    runs = [l for l in lines if l["e"] == "enter" and l["m"].endswith("->run()V")
            and "callback" in l]
    failed = 0
    if len(runs) != len(measured) or not runs:
        sys.exit("%d callbacks in the log, %d in the program" % (len(runs), len(measured)))
    worst = [0.0, 0.0, 0.0]
    # In the first two the JIT compiles.
    for run, m in list(zip(runs, measured))[2:]:
        begin, end = (start + run["begin_us"] * 1000,
                      start + (run["begin_us"] + run["took_us"]) * 1000)
        off = abs(begin - m[0]) / 1e6, abs(end - m[5]) / 1e6
        worst[:2] = max(worst[0], off[0]), max(worst[1], off[1])
        text = "%8.2f ms, log %8.2f ms, begin off by %.2f ms, end by %.2f ms" % (
            (m[5] - m[0]) / 1e6, run["took_us"] / 1e3, *off)
        bad = max(off) > 2
        for name, a, b in (("cheap", 1, 2), ("costly", 3, 4)):
            # Time of the trace is wall clock; what belongs to this callback begins within it.
            inside = [s for s in slices if s["name"] == "Main." + name
                      and begin <= s["ts"] - wall + start < end]
            if m[b] - m[a] > 5e6 and inside:
                share, wanted = inside[0]["dur"] / (end - begin), (m[b] - m[a]) / (m[5] - m[0])
                off = abs(share - wanted) / wanted
                worst[2] = max(worst[2], off)
                # A wait between two clocks may lie anywhere between them: the stated error covers
                # that.
                stated = abs(inside[0]["dur"] - (m[b] - m[a])) <= 2000 * inside[0]["error"]
                bad |= off > 0.1 and not stated or len(inside) != 1
                text += ", %s %.1f %% of it, log %.1f %% (±%.2f ms)" % (
                    name, 100 * wanted, 100 * share, inside[0]["error"] / 1e3)
        failed += bad
        print("FAIL " * bad + text)
    print("%s, log %d bytes; worst: begin %.2f ms, end %.2f ms, share %.1f %%"
          % (options.codec, size, worst[0], worst[1], 100 * worst[2]))
    print("%d passed, %d failed" % (len(runs) - 2 - failed, failed))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
