#!/usr/bin/env python3
"""Judges baseline and startup profiles of `pathlight report`.

usage: profiles.py --baseline F --startup F --echo F --dex DIR --table T --apk APK TRACE...
  The baseline profile must name the methods that the traces (tests/harness/tracer.py) of the same
  sessions have (2 % may be missing: an exception ended them), and no others; those that the main
  thread calls up to the end of the callback with its first onResume() as startup's. ECHO is what D8
  read of it: all of it. DIR is what D8 made of the app with the startup profile: its classes.dex
  must have the classes that the profile names, and no others.
"""

import argparse
import re
import subprocess

from harness.tracer import Table, read_trace
from hits import hits

RULE = re.compile(r"([HSP]*)(L[^;]+;)(?:->(\S+))?")
# Lambdas' classes, which each build names anew.
MADE = "$$ExternalSynthetic"


def rules(path):
    """Flags by method, and the classes."""
    methods, classes = {}, []
    for line in open(path, encoding="utf-8"):
        m = RULE.fullmatch(line.rstrip("\n"))
        if not m:
            raise SystemExit(f"{path}: no rule: {line!r}")
        if m.group(3):
            methods[f"{m.group(2)}->{m.group(3)}"] = m.group(1)
        else:
            classes.append(m.group(2))
    return methods, classes


def of_startup(table, traces):
    """Methods that main threads enter up to the end of the callback with the first onResume()."""
    table, found = Table(table), set()
    for trace in traces:
        for _, thread, ids in read_trace(trace):
            entered, depth, resumed = set(), 0, False
            for i in ids if thread == "main" else []:
                kind, method, _, op = table.events[i]
                if kind == "enter":
                    entered.add(method)
                    resumed |= method.endswith("->onResume()V")
                depth += (kind == "enter") - (kind == "unwind") - (
                    kind == "at" and op.startswith("return"))
                if resumed and depth == 0:
                    found |= entered
                    break
    return found


def classes_of(dex):
    dump = subprocess.run(["dexdump", dex], capture_output=True, text=True, errors="replace",
                          check=True).stdout
    return set(re.findall(r"Class descriptor  : '(.*)'", dump))


def same(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: {len(found)} found, {len(wanted)} wanted, different: "
                         f"{sorted(found ^ wanted)[:10]}")


def main():
    p = argparse.ArgumentParser()
    for option in ("--baseline", "--startup", "--echo", "--dex", "--table", "--apk"):
        p.add_argument(option, required=True)
    p.add_argument("traces", nargs="+")
    args = p.parse_args()
    methods, classes = rules(args.baseline)
    called, _ = hits(args.table, args.traces, args.apk)
    wanted = {key for key in called if MADE not in key}
    # What an exception left in a stretch of calls without probes is not known to have run.
    unknown = wanted - set(methods)
    if set(methods) - wanted or len(unknown) * 50 > len(wanted):
        raise SystemExit(f"methods of the baseline profile: untraced "
                         f"{sorted(set(methods) - wanted)[:10]}, missing {sorted(unknown)[:10]}")
    startup = {key for key in of_startup(args.table, args.traces) if MADE not in key}
    found = {key for key, flags in methods.items() if "S" in flags}
    if not startup or not startup <= found:
        raise SystemExit(f"startup: not named {sorted(startup - found)[:10]}")
    echo, echo_classes = rules(args.echo)
    lost = methods.keys() - echo.keys() | set(classes) - set(echo_classes)
    if lost:
        raise SystemExit(f"D8 has not found {sorted(lost)[:10]}")
    of_profile, in_order = rules(args.startup)
    same("methods of the startup profile", set(of_profile), found)
    same("classes of startup", set(in_order), set(classes))
    front = {c for c in classes_of(f"{args.dex}/classes.dex") if MADE not in c}
    behind = classes_of(f"{args.dex}/classes2.dex")
    same("classes.dex", front, set(in_order))
    if not behind:
        raise SystemExit("no class is behind those of startup")
    print(f"{len(methods)} methods as traced, {len(unknown)} left out, {len(found)} of startup "
          f"({len(startup)} by the main thread's trace); D8 finds all, puts {len(front)} classes "
          f"in front of {len(behind)}")


if __name__ == "__main__":
    main()
